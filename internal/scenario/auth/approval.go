package auth

import (
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
)

// approvalScenarios sign in on further devices where the company wants them approved.
func approvalScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "maya": "maya@demo.test"} {
		s.SignIn(t, name, email)
	}
	s.SignInOn(t, "daeng", "admin@tetangga.test", s.Vars["budi.device"]) // a phone of two companies' people
	s.SaveIDs(t, "budi")
	t.Run("names", func(t *testing.T) { deviceNames(t, s) })
	s.Says(t, "andini", `mutation { updateCompany(input: {settings: {deviceApproval: true}}) { id } }`, `{"updateCompany":{"id":"<digits>"}}`)
	t.Run("approved", func(t *testing.T) { approvedDevice(t, s) })
	t.Run("refused", func(t *testing.T) { refusedDevice(t, s) })
	t.Run("at once", func(t *testing.T) { decidedAtOnce(t, s) })
	t.Run("expired", func(t *testing.T) { expiredApproval(t, s) })
	t.Run("owner", func(t *testing.T) { ownersDevice(t, s) })
	t.Run("single phone", func(t *testing.T) { singlePhone(t, s) })
}

// deviceNames rename devices.
func deviceNames(t *testing.T, s *harness.Server) {
	rename := func(who, name, want string) {
		t.Helper()
		s.Says(t, who, `mutation { updateDevice(id: "{{budi.phone}}", input: {name: "`+name+`"}) { trusts { name user { name } } } }`, want)
	}
	for _, name := range []string{"", "  ", "a\\u0007b", "a\\nb", strings.Repeat("é", 101)} {
		rename("budi", name, "VALIDATION_FAILED")
	}
	rename("ratna", "Not hers", "NOT_FOUND") // a manager sees no devices of her team
	rename("budi", " HP Budi ", `{"updateDevice":{"trusts":[{"name":"HP Budi","user":{"name":"Budi Santoso"}}]}}`)
	s.Says(t, "daeng", `{ device(id: "{{budi.phone}}") { trusts { name } } }`, `{"device":{"trusts":[{"name":null}]}}`)
	s.Grant(t, "maya@demo.test", "device.read.all", "device.write.own")
	rename("maya", "Not hers", "FORBIDDEN")
	rename("andini", strings.Repeat("é", 100), `{"updateDevice":{"trusts":[{"name":"`+strings.Repeat("é", 100)+`","user":{"name":"Budi Santoso"}}]}}`)
	s.Says(t, "budi", `mutation { updateDevice(id: "999999", input: {name: "X"}) { id } }`, "NOT_FOUND")
	s.Says(t, "budi", `mutation { updateDevice(id: "{{budi.phone}}", input: {}) { id } }`, "VALIDATION_FAILED")
}

// newPhone registers a phone, logs somebody in on it and gives its code to verify, which
// answers with a status. The new request for an approval is kept as name.approval.
func newPhone(t *testing.T, s *harness.Server, name, email, platform string, status int, want string) {
	t.Helper()
	s.Clock.Advance(2 * time.Minute)
	sent := len(s.Log.Messages(email))
	s.Run(t, []apitest.Scenario{
		{Name: name + " registers", Path: "/device/register", Body: `{"deviceId":"` + name + `","platform":"` + platform + `","model":"Pixel 9"}`,
			Save: map[string]string{name + ".device": "/deviceToken"}},
		{Name: name + " logs in", Path: "/user/login", Header: harness.DeviceOf(name),
			Body: `{"username":"` + email + `","password":"` + demo.Password + `"}`, Save: map[string]string{name + ".user": "/userToken"}},
	})
	s.Vars["code"] = s.Log.Code(t, email, sent+1)
	s.Run(t, []apitest.Scenario{verifies(name, "{{code}}", status, want)})
}

func verifies(name, code string, status int, want string) apitest.Scenario {
	return apitest.Scenario{Name: name + " verifies with " + code, Path: "/authorize/verify", Header: harness.SessionOf(name),
		Body: `{"otp":"` + code + `"}`, Status: status, Want: want}
}

func tokens(name string, status int, want string) apitest.Scenario {
	return apitest.Scenario{Name: name + " asks for tokens", Path: "/authorize/access-token", Header: harness.Head("x-User-Token", "{{"+name+".user}}", "X-Language", "en"),
		Status: status, Want: want}
}

const verified = `{"verified":true}`

// unapproved is the answer while a device waits.
func unapproved() string { return unverifiedProblem(`{"reason":"approval"}`) }

func unverifiedProblem(meta string) string {
	return harness.ProblemBody(403, "VERIFICATION_REQUIRED", "/.+/", "/.+/", `[]`, meta)
}

// savePending keeps the id of the only approval that waits besides that of the demo, as name.approval.
func savePending(t *testing.T, s *harness.Server, who, name string) {
	t.Helper()
	var all struct {
		DeviceApprovals struct {
			Edges []struct{ Node struct{ ID string } }
		}
	}
	s.GraphQL(t, s.HeaderOf(who),
		`{ deviceApprovals(where: {status: pending, hasUserWith: [{nameNEQ: "Joko Susilo"}]}) { edges { node { id } } } }`,
		nil, &all)
	if n := len(all.DeviceApprovals.Edges); n != 1 {
		t.Fatalf("%s sees %d approvals that wait", who, n)
	}
	s.Vars[name] = all.DeviceApprovals.Edges[0].Node.ID
}

func approvedDevice(t *testing.T, s *harness.Server) {
	const budi, ratna = "budi@demo.test", "manager@demo.test"
	own, asked := len(s.Log.Notices(budi)), len(s.Log.Notices(ratna))
	newPhone(t, s, "second", budi, "android", 403, unapproved())
	s.Run(t, []apitest.Scenario{
		verifies("second", "{{code}}", 403, unapproved()),
		verifies("second", "000000", 403, unapproved()),
		tokens("second", 403, unapproved()),
	})
	if got, want := s.Log.Notice(t, budi, own+1), "Perangkat baru (Pixel 9) masuk ke akun Workforce Anda pada 2026-03-10 09:02 WIB. Jika bukan Anda, segera ubah kata sandi dan beri tahu administrator."; got != want {
		t.Errorf("to the person: %s", got)
	}
	if got, want := s.Log.Notice(t, ratna, asked+1), "Budi Santoso"; !strings.Contains(got, want) || !strings.Contains(got, "Pixel 9") {
		t.Errorf("to the manager: %s", got)
	}
	savePending(t, s, "ratna", "second.approval")
	s.Says(t, "ratna", `{ deviceApproval(id: "{{second.approval}}") { status platform model user { name } expiresAt decidedAt note decidedBy { name } } }`,
		`{"deviceApproval":{"status":"pending","platform":"android","model":"Pixel 9","user":{"name":"Budi Santoso"},"expiresAt":"2026-03-13T02:02:00Z","decidedAt":null,"note":null,"decidedBy":null}}`)
	decide := func(who, input, want string) {
		t.Helper()
		s.Says(t, who, `mutation { decideDevice(id: "{{second.approval}}", input: {`+input+`}) { status note decidedBy { name } } }`, want)
	}
	decide("budi", `approve: true`, "FORBIDDEN")
	decide("maya", `approve: true`, "FORBIDDEN") // reads all devices
	decide("daeng", `approve: true`, "NOT_FOUND")
	decide("ratna", ``, "VALIDATION_FAILED")
	decide("ratna", `approve: true, note: "`+strings.Repeat("x", 251)+`"`, "VALIDATION_FAILED")
	decide("ratna", `approve: true, note: "a\nb"`, "VALIDATION_FAILED")
	decide("ratna", `approve: true, note: "Seen it"`, `{"decideDevice":{"status":"approved","note":"Seen it","decidedBy":{"name":"Ratna Wijayanti"}}}`)
	decide("ratna", `approve: true`, "CONFLICT")
	decide("andini", `approve: false`, "CONFLICT")
	s.Run(t, []apitest.Scenario{verifies("second", "000000", 200, verified), tokens("second", 200, `"<any>"`)})
	if got := s.Log.Notice(t, budi, own+2); !strings.Contains(got, "was approved") && !strings.Contains(got, "disetujui") {
		t.Errorf("to the person: %s", got)
	}
	s.Says(t, "andini", `{ auditEvents(last: 1, where: {action: "device_approval.updated"}) { edges { node { action actor { name } } } } }`,
		`{"auditEvents":{"edges":[{"node":{"action":"device_approval.updated","actor":{"name":"Ratna Wijayanti"}}}]}}`)
}

func refusedDevice(t *testing.T, s *harness.Server) {
	newPhone(t, s, "third", "budi@demo.test", "ios", 403, unapproved())
	savePending(t, s, "budi", "third.approval")
	s.Says(t, "andini", `mutation { decideDevice(id: "{{third.approval}}", input: {approve: false}) { status } }`, `{"decideDevice":{"status":"refused"}}`)
	s.Run(t, []apitest.Scenario{
		tokens("third", 401, tokenProblem("user", "revoked")),
		{Name: "the next sign-in needs a code again", Path: "/user/login", Header: harness.DeviceOf("third"),
			Body: `{"username":"budi@demo.test","password":"` + demo.Password + `"}`, Want: `{"userToken":"<token wfu>","verified":false,"verification":"<any>","user":"<any>"}`},
	})
}

// decidedAtOnce decides one approval many times at once: one wins.
func decidedAtOnce(t *testing.T, s *harness.Server) {
	newPhone(t, s, "fourth", "maya@demo.test", "android", 403, unapproved())
	savePending(t, s, "maya", "fourth.approval")
	header := s.HeaderOf("andini")
	header["Content-Type"] = "application/json"
	won := map[string]int{}
	done := make(chan []harness.Answer, 2)
	for _, approve := range []string{"true", "false"} {
		go func() {
			done <- s.AskAtOnce(t, 10, "POST", "/graphql", header, apitest.Query(`mutation { decideDevice(id: "`+s.Vars["fourth.approval"]+`", input: {approve: `+approve+`}) { status } }`, nil))
		}()
	}
	for range 2 {
		for _, a := range <-done {
			switch {
			case strings.Contains(a.Body, `"approved"`):
				won["approved"]++
			case strings.Contains(a.Body, `"refused"`):
				won["refused"]++
			case strings.Contains(a.Body, `"conflict":"NOT_PENDING"`):
				won["conflict"]++
			default:
				t.Errorf("answer %s", a.Body)
			}
		}
	}
	if won["approved"]+won["refused"] != 1 || won["conflict"] != 19 {
		t.Errorf("of 20 decisions at once: %v", won)
	}
	if won["approved"] == 1 {
		s.Run(t, []apitest.Scenario{tokens("fourth", 200, `"<any>"`)})
	} else {
		s.Run(t, []apitest.Scenario{tokens("fourth", 401, tokenProblem("user", "revoked"))})
	}
}

func expiredApproval(t *testing.T, s *harness.Server) {
	newPhone(t, s, "fifth", "maya@demo.test", "ios", 403, unapproved())
	savePending(t, s, "maya", "fifth.approval")
	s.Clock.Advance(72 * time.Hour)
	s.Run(t, []apitest.Scenario{harness.Refresh("the owner comes back", "{{andini.refresh}}", "andini")})
	s.Says(t, "andini", `mutation { decideDevice(id: "{{fifth.approval}}", input: {approve: true}) { status } }`, "CONFLICT")
	sent := len(s.Log.Messages("maya@demo.test"))
	s.Run(t, []apitest.Scenario{
		{Name: "logs in again", Path: "/user/login", Header: harness.DeviceOf("fifth"),
			Body: `{"username":"maya@demo.test","password":"` + demo.Password + `"}`, Save: map[string]string{"fifth.user": "/userToken"}},
	})
	s.Vars["code"] = s.Log.Code(t, "maya@demo.test", sent+1)
	s.Run(t, []apitest.Scenario{
		tokens("fifth", 403, unverifiedProblem(`{}`)),
		verifies("fifth", "{{code}}", 403, unapproved()),
	})
	s.Says(t, "andini", `{ deviceApproval(id: "{{fifth.approval}}") { status } }`, `{"deviceApproval":{"status":"expired"}}`)
	savePending(t, s, "andini", "fifth.approval")
}

// ownersDevice signs the only owner in on a further device, which nobody else approves.
func ownersDevice(t *testing.T, s *harness.Server) {
	newPhone(t, s, "owners", "admin@demo.test", "android", 200, verified)
	s.Run(t, []apitest.Scenario{tokens("owners", 200, `"<any>"`)})
}

// singlePhone has a phone take the place of another; a browser does not.
func singlePhone(t *testing.T, s *harness.Server) {
	s.Says(t, "andini", `mutation { updateCompany(input: {settings: {deviceApproval: null, singleDevice: true}}) { id } }`, `{"updateCompany":{"id":"<digits>"}}`)
	s.SignIn(t, "eko", "eko@demo.test")
	newPhone(t, s, "browser", "eko@demo.test", "web", 200, verified)
	s.Run(t, []apitest.Scenario{tokens("browser", 200, `"<any>"`)})
	s.Says(t, "eko", `{ viewer { id } }`, `{"viewer":{"id":"<digits>"}}`)
	newPhone(t, s, "replacement", "eko@demo.test", "ios", 200, verified)
	s.Run(t, []apitest.Scenario{tokens("replacement", 200, `"<any>"`), tokens("browser", 200, `"<any>"`)})
	s.Says(t, "eko", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.Run(t, []apitest.Scenario{{Name: "the former phone needs a code again", Path: "/user/login", Header: harness.DeviceOf("eko"),
		Body: `{"username":"eko@demo.test","password":"` + demo.Password + `"}`, Want: `{"userToken":"<token wfu>","verified":false,"verification":"<any>","user":"<any>"}`}})
}
