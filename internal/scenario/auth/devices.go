package auth

import (
	"strings"
	"testing"
	"time"

	"workforce/ent/device"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// onlyDevice tells what a device token is worth and does nothing: verify needs a
// user token too, which is missing where the device token is valid.
func onlyDevice(name, token, kind, reason string) apitest.Scenario {
	return apitest.Scenario{
		Name: name, Path: "/authorize/verify", Header: harness.Head("X-Device-Token", token), Body: `{"otp":"000000"}`,
		Status: 401, Want: tokenProblem(kind, reason), WantHeader: harness.Head("WWW-Authenticate",
			`Bearer realm="workforce"`),
	}
}

func works(name, token string) apitest.Scenario { return onlyDevice(name, token, "user", "missing") }

func fails(name, token string) apitest.Scenario { return onlyDevice(name, token, "device", "revoked") }

// deviceScenarios register devices.
func deviceScenarios(t *testing.T, s *harness.Server) {
	rotate := func(name, token, save string) apitest.Scenario {
		return apitest.Scenario{
			Name: name, Path: "/device/register", Header: harness.Head("X-Device-Token",
				token), Body: `{"deviceId":"other","platform":"android"}`,
			Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{save: "/deviceToken"},
		}
	}
	s.Run(t, []apitest.Scenario{
		{
			Name: "registers with everything", Path: "/device/register",
			Body: `{"deviceId":"pixel","platform":"android","model":"Pixel 9","osVersion":"16","appVersion":"2.3.0","pushToken":"p","isAdmin":true}`,
			Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{"first": "/deviceToken"},
			WantHeader: harness.Head("Cache-Control", "no-store", "Content-Type", "application/json",
				"X-Content-Type-Options", "nosniff",
				"RateLimit-Limit", "300", "RateLimit-Remaining", "299", "RateLimit-Reset", "3600"),
		},
		{Name: "registers with nulls", Path: "/device/register",
			Body: `{"deviceId":"i","platform":"ios","model":null,"osVersion":null,"appVersion":null,"pushToken":null}`, Want: `{"deviceToken":"<token wfd>"}`},
		{Name: "registers with numbers for text", Path: "/device/register",
			Body: `{"deviceId":7,"platform":"web","osVersion":16}`, Want: `{"deviceToken":"<token wfd>"}`},
		{Name: "registers through GraphQL", Path: "/graphql",
			Body: apitest.Query(`mutation { registerDevice(input: {deviceId: "g", platform: web}) { deviceToken } }`, nil),
			Want: `{"data":{"registerDevice":{"deviceToken":"<token wfd>"}}}`, WantHeader: harness.Head("Cache-Control",
				"no-store")},
		works("the device token works", "{{first}}"),

		rotate("with its own token it rotates", "{{first}}", "lost"),
		works("the old token lives until the new one is used", "{{first}}"),
		{Name: "the answer was lost: it gives the same", Path: "/device/register", Header: harness.Head("X-Device-Token",
			"{{first}}"),
			Body: `{"deviceId":"other","platform":"android"}`, Want: `{"deviceToken":"{{lost}}"}`, Save: map[string]string{"second": "/deviceToken"}},
		works("the old token still lives", "{{first}}"),
		works("the new token is used", "{{second}}"),
		fails("the old token is dead", "{{first}}"),
		works("the new token goes on working", "{{second}}"),
		rotate("a dead token counts as absent", "{{first}}", "new"),
		works("which leaves the device as it is", "{{second}}"),
		rotate("text that is no token counts as absent", "nonsense", "another"),
		rotate("the bearer value rotates nothing where the header does", "{{second}}", "third"),
		{Name: "the bearer value rotates as the header does", Path: "/device/register", Header: bearerOf("third"),
			Body: `{"deviceId":"pixel","platform":"android"}`, Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{"fourth": "/deviceToken"}},
		works("the newest works", "{{fourth}}"),
		fails("the one before does not", "{{third}}"),
		fails("nor does one of long before", "{{first}}"),
		{Name: "rotates through GraphQL", Path: "/graphql", Header: harness.Head("X-Device-Token", "{{fourth}}"),
			Body: apitest.Query(`mutation { registerDevice(input: {deviceId: "g", platform: web}) { deviceToken } }`, nil),
			Want: `{"data":{"registerDevice":{"deviceToken":"<token wfd>"}}}`, Save: map[string]string{"fifth": "/data/registerDevice/deviceToken"},
			WantHeader: harness.Head("RateLimit-Limit", "")},
		works("the token from GraphQL works", "{{fifth}}"),
		fails("the one before it is dead", "{{fourth}}"),
	})
	d, err := s.Store.Ent.Device.Query().Where(device.PlatformEQ("web"), device.DeviceID("pixel")).Only(viewer.System(t.Context()))
	if err != nil || *d.Model != "Pixel 9" || *d.PushToken != "p" {
		t.Errorf("a rotated device keeps its name, model and push token: got %v, %v", d, err)
	}
	s.Run(t, deviceFaults())
	t.Run("many rotations at once", func(t *testing.T) { rotationsAtOnce(t, s) })
	s.Clock.Advance(time.Hour)
	t.Run("300 new devices an hour and address", func(t *testing.T) { registrationLimit(t, s) })
}

func deviceFaults() []apitest.Scenario {
	long := func(n int) string { return strings.Repeat("x", n) }
	refused := func(name, body string, faults ...string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/device/register", Body: body, Status: 422, Want: harness.MemberProblem(faults...)}
	}
	return []apitest.Scenario{
		refused("nothing", `{}`, "deviceId", "This is required.", "platform", "This is required."),
		refused("nulls", `{"deviceId":null,"platform":null}`, "deviceId", "This is required.", "platform", "This is required."),
		refused("an unknown platform and a wrong type", `{"deviceId":{},"platform":"symbian"}`,
			"deviceId", "This must be string.", "platform", "This must be one of android, ios, web."),
		refused("a platform in capitals", `{"deviceId":"a","platform":"ANDROID"}`, "platform", "This must be one of android, ios, web."),
		refused("an empty name and members too long", `{"deviceId":"","platform":"ios","model":"`+long(256)+`","osVersion":"`+long(65)+`","appVersion":"`+long(65)+`","pushToken":"`+long(4097)+`"}`,
			"deviceId", "This is required.", "model", "This may have at most 255 characters.", "osVersion", "This may have at most 64 characters.",
			"appVersion", "This may have at most 64 characters.", "pushToken", "This may have at most 4096 characters."),
		{Name: "members as long as they may be", Path: "/device/register",
			Body: `{"deviceId":"` + long(255) + `","platform":"ios","model":"` + long(255) + `","osVersion":"` + long(64) + `","appVersion":"` + long(64) + `","pushToken":"` + strings.Repeat("p", 4096) + `"}`},
		{Name: "in Indonesian", Path: "/device/register", Header: harness.Head("X-Language", "id"), Body: `{"platform":"ios"}`, Status: 422,
			Want: harness.ProblemBody(422, "VALIDATION_FAILED", "Masukan tidak valid", "Sebagian data yang dikirim kurang atau salah; lihat errors.",
				harness.FaultList("VALIDATION_FAILED", "deviceId", "Wajib diisi."), `{}`), WantHeader: harness.Head("Content-Language", "id")},
		{Name: "not an object", Path: "/device/register", Body: `[]`, Status: 400,
			Want: harness.ProblemBody(400, "BAD_REQUEST", "Bad request", "The request could not be read: it is not well formed.", `[]`, `{}`)},
		{Name: "GET", Method: "GET", Path: "/device/register", Status: 405, WantHeader: harness.Head("Allow", "/.*POST.*/"),
			Want: harness.ProblemBody(405, "METHOD_NOT_ALLOWED", "Method not allowed", "This address does not answer that method.", `[]`, `{}`)},
		{Name: "an unknown platform through GraphQL", Path: "/graphql",
			Body: apitest.Query(`mutation($i: RegisterDeviceInput!) { registerDevice(input: $i) { deviceToken } }`, map[string]any{"i": map[string]any{"deviceId": "a", "platform": "symbian"}}),
			Want: `{"errors":[{"message":"Some of what was sent is missing or wrong; see errors.","extensions":{"code":"VALIDATION_FAILED","errors":"<any>","meta":{},"requestId":"<any>"}}]}`},
	}
}

// registrationLimit fills the hour's registrations of the address.
func registrationLimit(t *testing.T, s *harness.Server) {
	const body = `{"deviceId":"many","platform":"ios"}`
	if got := harness.Statuses(s.AskAtOnce(t, 300, "POST", "/device/register", nil, body)); got[200] != 300 {
		t.Fatalf("300 registrations: %v", got)
	}
	s.Clock.Advance(20 * time.Minute)
	s.Run(t, []apitest.Scenario{
		{Name: "the 301st is refused", Path: "/device/register", Body: body, Status: 429, Want: limitProblem(2400),
			WantHeader: harness.Head("Retry-After", "2400", "RateLimit-Limit", "300", "RateLimit-Remaining", "0", "RateLimit-Reset", "2400")},
		{Name: "in Indonesian", Path: "/device/register", Header: harness.Head("X-Language", "id"), Body: body, Status: 429,
			Want: harness.ProblemBody(429, "RATE_LIMITED", "Terlalu banyak permintaan", "Terlalu banyak permintaan; coba lagi dalam 2400 detik.", `[]`, `{"retryAfterSeconds":2400}`)},
		{Name: "through GraphQL too", Path: "/graphql", Status: 429,
			Body: apitest.Query(`mutation { registerDevice(input: {deviceId: "g", platform: web}) { deviceToken } }`, nil)},
		{Name: "rotation does not count", Path: "/device/register", Header: harness.Head("X-Device-Token", "{{fifth}}"), Body: body,
			Want: `{"deviceToken":"<token wfd>"}`, WantHeader: harness.Head("RateLimit-Limit", "")},
	})
	s.Clock.Advance(40 * time.Minute)
	s.Run(t, []apitest.Scenario{
		{Name: "the next hour lets it in", Path: "/device/register", Body: body, Want: `{"deviceToken":"<token wfd>"}`,
			WantHeader: harness.Head("RateLimit-Remaining", "299")},
	})
}

// rotationsAtOnce rotates one device many times at once: all get the same token, also
// while it is used.
func rotationsAtOnce(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{harness.Register("rotated")})
	header := harness.Head("X-Device-Token", s.Vars["rotated.device"], "Content-Type", "application/json")
	const body = `{"deviceId":"rotated","platform":"android"}`
	answers := s.AskAtOnce(t, 20, "POST", "/device/register", header, body)
	for _, a := range answers {
		if a.Status != 200 || a.Body != answers[0].Body {
			t.Fatalf("of 20 at once one got %v, another %v", answers[0], a)
		}
	}
	_, next, _ := strings.Cut(answers[0].Body, `":"`)
	next, _, _ = strings.Cut(next, `"`)
	s.Run(t, []apitest.Scenario{works("the old one before the first use", "{{rotated.device}}"), works("the new one", next), fails("the old one", "{{rotated.device}}")})
}
