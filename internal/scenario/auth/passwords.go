package auth

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// passwordScenarios reset passwords.
func passwordScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "a", "budi@demo.test")
	inEnglish(s, func() {
		s.Run(t, forgetfulness())
		t.Run("reset", func(t *testing.T) { resets(t, s) })
		t.Run("bounds", func(t *testing.T) { resetBounds(t, s) })
	})
}

func forgetfulness() []apitest.Scenario {
	ask := func(name, username, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/forgot-password", Header: harness.DeviceOf("b"), Body: `{"username":"` + username + `"}`, Want: want}
	}
	sent := func(channel, destination string, expiresIn int) string {
		return fmt.Sprintf(`{"id":"<digits 15>","channel":"%s","destination":"%s","expiresIn":%d}`, channel, destination, expiresIn)
	}
	neither := harness.MemberProblem("username", "This must look like name@example.com, +62811123789.")
	refused := func(name, body, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/forgot-password", Header: harness.DeviceOf("b"), Body: body, Status: 422, Want: want}
	}
	return []apitest.Scenario{
		harness.Register("b"),
		ask("a known address", "Manager@demo.test", sent("email", "m***@demo.test", 600)),
		ask("an unknown address", "missing@demo.test", sent("email", "m***@demo.test", 600)),
		ask("a known number", "0840 1200 001", sent("sms", "+62***001", 300)),
		ask("an unknown number", "0840 1299 991", sent("sms", "+62***991", 300)),
		ask("a number that is not verified", "+628401100004", sent("sms", "+62***004", 300)),
		{Name: "through GraphQL", Path: "/graphql", Header: harness.DeviceOf("b"), Body: apitest.Query(`mutation { forgotPassword(input: {username: "eko@demo.test"}) { id channel destination expiresIn } }`, nil),
			Want: `{"data":{"forgotPassword":` + sent("email", "e***@demo.test", 600) + `}}`},
		refused("neither e-mail nor phone", `{"username":"budi"}`, neither),
		refused("empty", `{"username":""}`, neither),
		refused("missing", `{}`, harness.MemberProblem("username", "This is required.")),
		{Name: "without a device", Path: "/user/forgot-password", Body: `{"username":"budi@demo.test"}`, Status: 401, Want: tokenProblem("device", "missing")},
	}
}

// resets forgets Budi's password and sets others.
func resets(t *testing.T, s *harness.Server) {
	const mail = "budi@demo.test"
	s.Run(t, []apitest.Scenario{
		{Name: "his id", Path: "/user/token-info", Header: bearerOf("a.access"), Save: map[string]string{"budi": "/userId"}},
		{Name: "his shift", Path: "/attendance/shiftToday", Header: bearerOf("a.access"), Save: map[string]string{"shift": "/0/employeeShiftId"}},
		{Name: "his work site", Path: "/attendance/allowedLocations", Header: bearerOf("a.access"), Save: map[string]string{"site": "/2/addressId"}},
		{Name: "a clock-in registers his face", Path: "/attendance/clockIn", Header: bearerOf("a.access"), Want: `{"clockedIn":true}`,
			Body: `{"addressId":"{{site}}","employeeShiftId":"{{shift}}","latitude":"-6.200000","longitude":"106.816666","faceLandmark":` + harness.Landmarks(1) + `}`},
		{Name: "the profile shows it", Path: "/user/profile", Header: bearerOf("a.access"), Want: budiWith(harness.Landmarks(1))},
		{Name: "so does a sign-in on a trusted device", Path: "/user/login", Header: harness.DeviceOf("a"), Body: `{"username":"budi@demo.test","password":"demo-password"}`,
			Want: `{"userToken":"<token wfu>","verified":true,"verification":null,"user":` + budiWith(harness.Landmarks(1)) + `}`, Save: map[string]string{"a.user": "/userToken"}},
		{Name: "but not one on another", Path: "/user/login", Header: harness.DeviceOf("b"), Body: `{"username":"budi@demo.test","password":"demo-password"}`,
			Want: harness.Unverified("email", "b***@demo.test", 600, budiWith("[]"))},
		pairOf("a"), harness.Forgot("a", mail),
	})
	code := s.Log.Code(t, mail, 3)
	invalid := codeProblem("OTP_INVALID")
	s.Run(t, []apitest.Scenario{
		{Name: "nothing", Path: "/user/reset-password", Header: harness.DeviceOf("a"), Body: `{}`, Status: 422,
			Want: harness.MemberProblem("id", "This is required.", "otp", "This is required.", "password", "This is required.")},
		harness.Reset("empty text", "a", "", "", "", 422, harness.MemberProblem("id", "This is required.", "otp", "This is required.", "password", "This is required.")),
		harness.Reset("text in the form of a JWE", "a", "{{a.reset}}", code, jwe, 422, keyInvalid),
		harness.Reset("over 1,024 bytes", "a", "{{a.reset}}", code, strings.Repeat("p", 1025), 422, harness.MemberProblem("password", "This may have at most 1024 characters.")),
		harness.Reset("not a code", "a", "{{a.reset}}", "abc", "new-password-1", 422, harness.MemberProblem("otp", "This must look like 012345.")),
		harness.Reset("wrong code", "a", "{{a.reset}}", wrongCode(code), "new-password-1", 422, invalid),
		harness.Reset("an unknown request", "a", "123456789012345", code, "new-password-1", 422, invalid),
		harness.Reset("an unknown user", "a", "2147483647", code, "new-password-1", 422, invalid),
		harness.Reset("an id of another form", "a", "x", code, "new-password-1", 422, invalid),
		harness.Reset("on another device", "b", "{{a.reset}}", code, "new-password-1", 422, invalid),
		harness.Reset("by the user's id on another device", "b", "{{budi}}", code, "new-password-1", 422, invalid),
		{Name: "without a device", Path: "/user/reset-password", Body: `{"id":"1","otp":"1","password":"1"}`, Status: 401, Want: tokenProblem("device", "missing")},
	})
	for weak, reason := range map[string]string{
		"short-1": "length", strings.Repeat("p", 129): "length", "1234567": "length", "12345678": "common", "demo-password": "reused",
		"Budi Santoso": "personal", "BudiSantoso": "personal", "BUDI@demo.test": "personal", "+628401100003": "personal", "nusantara-demo": "personal",
	} {
		s.Run(t, []apitest.Scenario{harness.Reset("weak: "+weak[:7], "a", "{{a.reset}}", code, weak, 422, weakProblem("password", reason))})
	}
	done := harness.Reset("the code is still good for a better one", "a", "{{a.reset}}", code, "new-password-1", 200, budiWith(harness.Landmarks(1)))
	done.Header = bearerOf("a.device") // as the apps do
	s.Run(t, []apitest.Scenario{
		done,
		harness.Reset("once", "a", "{{a.reset}}", code, "new-password-2", 422, invalid),
		profileAs("every session ended", "{{a.access}}", 401, "revoked"),
		refreshFails("with its refresh token", "{{a.refresh}}", "revoked"),
		{Name: "and user tokens, on other devices too", Path: "/authorize/access-token", Header: harness.Head("X-User-Token", "{{a.user}}"), Status: 401, Want: tokenProblem("user", "revoked")},
		{Name: "the old password is dead", Path: "/user/login", Header: harness.DeviceOf("a"), Body: `{"username":"budi@demo.test","password":"demo-password"}`, Status: 401, Want: wrongLogin},
		{Name: "the device stays trusted", Path: "/user/login", Header: harness.DeviceOf("a"), Body: `{"username":"budi@demo.test","password":"new-password-1"}`,
			Want: `{"userToken":"<token wfu>","verified":true,"verification":null,"user":"<any>"}`, Save: map[string]string{"a.user": "/userToken"}},
		harness.Forgot("a", mail),
	})
	s.Run(t, []apitest.Scenario{
		{Name: "by the user's own id, through GraphQL", Path: "/graphql", Header: harness.DeviceOf("a"), Want: `{"data":{"resetPassword":{"email":"budi@demo.test"}}}`,
			Body: `{"query":"mutation($i: ResetPasswordInput!) { resetPassword(input: $i) { email } }","variables":{"i":{"id":"{{budi}}","otp":"` + s.Log.Code(t, mail, 4) + `","password":"new-password-2"}}}`},
		harness.Login("a", mail, "new-password-2"),
	})
}

// resetBounds tries codes too often, too late and at once.
func resetBounds(t *testing.T, s *harness.Server) {
	const mail = "siti@demo.test"
	s.Clock.Advance(time.Hour)
	s.Run(t, []apitest.Scenario{harness.Forgot("a", mail)})
	code := s.Log.Code(t, mail, 1)
	wrong := harness.Reset("wrong", "a", "{{a.reset}}", wrongCode(code), "new-password-1", 422, codeProblem("OTP_INVALID"))
	s.Run(t, []apitest.Scenario{wrong, wrong, wrong, wrong, wrong, harness.Reset("right after five wrong", "a", "{{a.reset}}", code, "new-password-1", 422, codeProblem("OTP_EXHAUSTED"))})
	s.Vars["old"] = s.Vars["a.reset"]
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{
		harness.Forgot("a", mail),
		harness.Reset("a request before the newest", "a", "{{old}}", code, "new-password-1", 422, codeProblem("OTP_INVALID")),
	})
	code = s.Log.Code(t, mail, 2)
	s.Clock.Advance(10 * time.Minute)
	s.Run(t, []apitest.Scenario{harness.Reset("expired", "a", "{{a.reset}}", code, "new-password-1", 422, codeProblem("OTP_EXPIRED"))})
	unknownAlike(t, s)
	s.Clock.Advance(time.Hour)
	for i := range 6 { // codes that are used do not count
		s.Run(t, []apitest.Scenario{harness.Forgot("a", mail)})
		s.Run(t, []apitest.Scenario{harness.Reset("used", "a", "{{a.reset}}", s.Log.Code(t, mail, 4+i), fmt.Sprint("new-password-", i), 200, "")})
		s.Clock.Advance(time.Minute)
	}
	s.Run(t, []apitest.Scenario{harness.Forgot("a", mail)})
	body := fmt.Sprintf(`{"id":"%s","otp":"%s","password":"new-password-9"}`, s.Vars["a.reset"], s.Log.Code(t, mail, 10))
	answers := s.AskAtOnce(t, 20, "POST", "/user/reset-password", harness.Head("X-Device-Token", s.Vars["a.device"], "Content-Type", "application/json"), body)
	if got := harness.Statuses(answers); got[200] != 1 || got[422] != 19 {
		t.Errorf("one code 20 times at once: %v, want one success", got)
	}
	s.Run(t, []apitest.Scenario{harness.Forgot("b", "maya@demo.test")})
	s.SetActive(t, "maya@demo.test", false)
	s.Run(t, []apitest.Scenario{harness.Reset("of somebody deactivated meanwhile", "b", "{{b.reset}}", s.Log.Code(t, "maya@demo.test", 1), "new-password-1", 422, codeProblem("OTP_INVALID"))})
}

// unknownAlike holds the answers to a wrong code and to the code of an account
// that does not exist against each other, byte by byte.
func unknownAlike(t *testing.T, s *harness.Server) {
	t.Helper()
	s.Run(t, []apitest.Scenario{harness.Forgot("a", "no.such@demo.test"), harness.Forgot("b", "siti@demo.test")})
	wrong := wrongCode(s.Log.Code(t, "siti@demo.test", 3))
	try := func(device string) harness.Answer {
		a, err := s.Ask("POST", "/user/reset-password", harness.Head("X-Device-Token", s.Vars[device+".device"], "X-Req-Id", "same", "Content-Type", "application/json"),
			`{"id":"`+s.Vars[device+".reset"]+`","otp":"`+wrong+`","password":"new-password-1"}`)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	for range 7 { // until both are exhausted
		if unknown, wrong := try("a"), try("b"); unknown != wrong || wrong.Status != 422 {
			t.Errorf("unknown account: %v\nwrong code: %v", unknown, wrong)
		}
	}
}
