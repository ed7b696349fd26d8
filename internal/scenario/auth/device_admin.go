package auth

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent/device"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// deviceAdminScenarios look at devices and sessions, and take them away.
func deviceAdminScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "andini", "admin@demo.test")
	s.SignIn(t, "ratna", "manager@demo.test")
	s.SignInOn(t, "daeng", "admin@tetangga.test", s.Vars["budi.device"]) // a phone of two companies' people
	s.SignIn(t, "maya", "maya@demo.test")
	s.Grant(t, "maya@demo.test", "device.read.all", "device.write.own", "session.read.all", "session.write.own")
	t.Run("lists", func(t *testing.T) { deviceLists(t, s) })
	t.Run("singles", func(t *testing.T) { deviceSingles(t, s) })
	t.Run("before it is verified", func(t *testing.T) { unverifiedSession(t, s) })
	t.Run("a session is ended", func(t *testing.T) { endsSession(t, s) })
	t.Run("all sessions are ended", func(t *testing.T) { endsSessions(t, s) })
	t.Run("a device is taken away", func(t *testing.T) { takesDevice(t, s) })
	t.Run("notice of a new device", func(t *testing.T) { newDeviceNotice(t, s) })
	t.Run("one phone for two", func(t *testing.T) { sharedPhone(t, s) })
}

// held lists what somebody sees of devices and sessions: the device as the app
// names it with those who trust it, and whose sessions there are.
func held(t *testing.T, s *harness.Server, who string) (devices, sessions string) {
	t.Helper()
	var all struct {
		Devices struct {
			Edges []struct {
				Node struct {
					DeviceID string
					Trusts   []struct{ User struct{ Name string } }
				}
			}
		}
		Sessions struct {
			TotalCount int
			Edges      []struct {
				Node struct {
					User   struct{ Name string }
					Device struct{ DeviceID string }
				}
			}
		}
	}
	a := s.AskGraphQL(t, s.HeaderOf(who), `{
		devices { edges { node { deviceId trusts { user { name } } } } }
		sessions { totalCount edges { node { user { name } device { deviceId } } } }
	}`, nil)
	if err := json.Unmarshal(a.Data, &all); err != nil || len(a.Errors) > 0 {
		t.Fatalf("%s: %v", a.Text, err)
	}
	var d, e []string
	for _, edge := range all.Devices.Edges {
		var names []string
		for _, trust := range edge.Node.Trusts {
			names = append(names, trust.User.Name)
		}
		d = append(d, fmt.Sprintf("%s of %s", edge.Node.DeviceID, strings.Join(names, " and ")))
	}
	for _, edge := range all.Sessions.Edges {
		e = append(e, fmt.Sprintf("%s on %s", edge.Node.User.Name, edge.Node.Device.DeviceID))
	}
	if all.Sessions.TotalCount != len(e) {
		t.Errorf("totalCount %d of %d sessions", all.Sessions.TotalCount, len(e))
	}
	return strings.Join(d, ", "), strings.Join(e, ", ")
}

func deviceLists(t *testing.T, s *harness.Server) {
	everything := "budi of Budi Santoso, andini of Andini Kusumawardhani, ratna of Ratna Wijayanti, maya of Maya Puspita"
	everybody := "Budi Santoso on budi, Andini Kusumawardhani on andini, Ratna Wijayanti on ratna, Maya Puspita on maya"
	for _, tt := range []struct{ who, devices, sessions string }{
		{"budi", "budi of Budi Santoso", "Budi Santoso on budi"},
		{"ratna", "ratna of Ratna Wijayanti", "Ratna Wijayanti on ratna"},
		{"andini", everything, everybody},
		{"maya", everything, everybody},
		{"daeng", "budi of Daeng Rahman", "Daeng Rahman on budi"},
	} {
		if d, e := held(t, s, tt.who); d != tt.devices || e != tt.sessions {
			t.Errorf("%s sees\n%s\n%s\nwant\n%s\n%s", tt.who, d, e, tt.devices, tt.sessions)
		}
	}
	emails := map[string]string{
		"budi": "budi@demo.test", "andini": "admin@demo.test", "ratna": "manager@demo.test", "daeng": "admin@tetangga.test",
	}
	for _, tt := range []struct{ who, of, want string }{
		{"budi", "budi", `{"trustedDevices":[{"deviceId":"budi"}]}`},
		{"andini", "budi", `{"trustedDevices":[{"deviceId":"budi"}]}`},
		{"maya", "ratna", `{"trustedDevices":[{"deviceId":"ratna"}]}`},
		{"ratna", "budi", "NOT_FOUND"},
		{"budi", "daeng", "NOT_FOUND"}, // who trusts the phone of budi too
		{"andini", "daeng", "NOT_FOUND"},
		{"daeng", "budi", "NOT_FOUND"},
	} {
		s.Says(t, tt.who, `{ trustedDevices(userId: "`+harness.PersonID(t, s, emails[tt.of])+`") { deviceId } }`, tt.want)
	}
	s.Grant(t, "manager@demo.test", "device.read.team", "session.read.team")
	team, _ := held(t, s, "ratna")
	if !strings.Contains(team, "ratna of") || !strings.Contains(team, "maya of") || strings.Contains(team, "andini of") {
		t.Errorf("a manager of the Jakarta office sees the devices of the team: %s", team)
	}
	s.Says(t, "budi", `{ devices { edges { node { pushToken } } } }`, "BAD_REQUEST")
	s.Says(t, "budi", `{ devices { edges { node { tokenHash } } } }`, "BAD_REQUEST")
	s.Says(t, "budi", `{ sessions { edges { node { family } } } }`, "BAD_REQUEST")
}

func deviceSingles(t *testing.T, s *harness.Server) {
	s.SaveIDs(t, "budi", "ratna", "andini", "maya", "daeng")
	if s.Vars["budi.phone"] != s.Vars["daeng.phone"] {
		t.Fatal("not the same phone")
	}
	s.Says(t, "budi", `{ device(id: "{{budi.phone}}") { id deviceId platform model osVersion appVersion createdAt revokedAt trusts { revokedAt user { name } } } }`,
		`{"device":{"id":"{{budi.phone}}","deviceId":"budi","platform":"android","model":null,"osVersion":null,"appVersion":null,"createdAt":"<time>","revokedAt":null,"trusts":[{"revokedAt":null,"user":{"name":"Budi Santoso"}}]}}`)
	s.Says(t, "andini", `{ session(id: "{{budi.session}}") { id createdAt verifiedAt endsAt revokedAt user { name } device { id } } }`,
		`{"session":{"id":"{{budi.session}}","createdAt":"<time>","verifiedAt":"<time>","endsAt":"<time>","revokedAt":null,"user":{"name":"Budi Santoso"},"device":{"id":"{{budi.phone}}"}}}`)
	for _, tt := range []struct{ who, document string }{
		{"budi", `{ device(id: "{{andini.phone}}") { id } }`},
		{"daeng", `{ device(id: "{{andini.phone}}") { id } }`},
		{"budi", `{ device(id: "999999") { id } }`},
		{"budi", `{ device(id: "x") { id } }`},
		{"budi", `{ session(id: "{{andini.session}}") { id } }`},
		{"andini", `{ session(id: "{{daeng.session}}") { id } }`},
		{"budi", `mutation { revokeSession(id: "{{andini.session}}") { id } }`},
		{"andini", `mutation { revokeSession(id: "{{daeng.session}}") { id } }`},
		{"budi", `mutation { revokeDevice(id: "{{andini.phone}}") { id } }`},
		{"daeng", `mutation { revokeDevice(id: "{{andini.phone}}") { id } }`},
		{"budi", `mutation { revokeDevice(id: "999999") { id } }`},
		{"andini", `mutation { revokeAllSessions(userId: "` + harness.PersonID(t, s, "admin@tetangga.test") + `") { id } }`},
	} {
		s.Says(t, tt.who, tt.document, "NOT_FOUND")
	}
	for _, document := range []string{
		`mutation { revokeSession(id: "{{budi.session}}") { id } }`,
		`mutation { revokeDevice(id: "{{budi.phone}}") { id } }`,
		`mutation { revokeAllSessions(userId: "` + harness.PersonID(t, s, "budi@demo.test") + `") { id } }`,
	} {
		s.Says(t, "maya", document, "FORBIDDEN") // who may only read
	}
	s.Says(t, "budi", `mutation { revokeAllSessions(userId: "`+harness.PersonID(t, s, "admin@demo.test")+`") { id } }`, "FORBIDDEN")
	s.Says(t, "budi", `{ viewer { id } }`, `{"viewer":{"id":"<digits>"}}`) // nothing was ended
}

// unverifiedSession is seen with its device before anybody trusts that.
func unverifiedSession(t *testing.T, s *harness.Server) {
	sent := len(s.Log.Messages("budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		{Name: "registers", Path: "/device/register", Body: `{"deviceId":"stranger","platform":"web"}`, Save: map[string]string{"stranger": "/deviceToken"}},
		{Name: "signs in", Path: "/user/login", Header: harness.Head("X-Device-Token", "{{stranger}}"),
			Body: `{"username":"budi@demo.test","password":"` + demo.Password + `"}`, Save: map[string]string{"stranger.user": "/userToken"}},
	})
	s.Log.Code(t, "budi@demo.test", sent+1) // not to come among later ones
	const mine = `sessions(last: 1) { edges { node { verifiedAt endsAt device { deviceId trusts { id } } } } }`
	s.Says(t, "budi", `{ `+mine+` }`, `{"sessions":{"edges":[{"node":{"verifiedAt":null,"endsAt":null,"device":{"deviceId":"stranger","trusts":[]}}}]}}`)
	kept := s.Vars["budi.phone"]
	s.SaveIDs(t, "budi")
	s.Says(t, "budi", `mutation { revokeDevice(id: "{{budi.phone}}") { deviceId revokedAt } }`, `{"revokeDevice":{"deviceId":"stranger","revokedAt":"<time>"}}`)
	s.Run(t, []apitest.Scenario{
		{Name: "its user token is dead", Path: "/authorize/access-token", Header: harness.Head("x-User-Token", "{{stranger.user}}", "X-Language", "en"), Status: 401, Want: tokenProblem("user", "revoked")},
		{Name: "its device token is dead", Path: "/authorize/verify", Header: harness.Head("X-Device-Token", "{{stranger}}"), Body: `{"otp":"1"}`, Status: 401, Want: tokenProblem("device", "revoked")},
	})
	s.Vars["budi.phone"] = kept
}

func endsSession(t *testing.T, s *harness.Server) {
	s.SignIn(t, "second", "budi@demo.test")
	s.SaveIDs(t, "second")
	const end = `mutation { revokeSession(id: "{{second.session}}") { id revokedAt user { name } } }`
	const ended = `{"revokeSession":{"id":"{{second.session}}","revokedAt":"<time>","user":{"name":"Budi Santoso"}}}`
	s.Says(t, "daeng", end, "NOT_FOUND")
	s.Says(t, "ratna", end, "FORBIDDEN") // of the team, which they only see
	s.Says(t, "budi", end, ended)
	s.Says(t, "budi", end, ended)
	s.Says(t, "andini", end, ended)
	s.Says(t, "second", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.Run(t, []apitest.Scenario{
		{Name: "no more tokens", Path: "/authorize/refresh-token", Header: harness.Head("x-Refresh-Token", "{{second.refresh}}", "X-Language", "en"), Status: 401, Want: tokenProblem("refresh", "revoked")},
		{Name: "the device is still trusted", Path: "/user/login", Header: harness.Head("X-Device-Token", "{{second.device}}"),
			Body: `{"username":"budi@demo.test","password":"` + demo.Password + `"}`, Want: `{"userToken":"<token wfu>","verified":true,"verification":null,"user":"<any>"}`},
	})
}

func endsSessions(t *testing.T, s *harness.Server) {
	s.SignIn(t, "third", "manager@demo.test")
	s.SaveIDs(t, "third")
	const ended = `{"revokeAllSessions":[{"id":"<digits>","revokedAt":"<time>","device":{"deviceId":"%s"}}]}`
	const document = `{ id revokedAt device { deviceId } } }`
	s.Says(t, "third", `mutation { revokeAllSessions(keepCurrent: true) `+document, fmt.Sprintf(ended, "ratna"))
	s.Says(t, "ratna", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.Says(t, "third", `mutation { revokeAllSessions(keepCurrent: true) `+document, `{"revokeAllSessions":[]}`)
	s.Says(t, "third", `mutation { revokeAllSessions `+document, fmt.Sprintf(ended, "third"))
	s.Says(t, "third", `{ viewer { id } }`, "UNAUTHENTICATED")
	maya := harness.PersonID(t, s, "maya@demo.test")
	s.Says(t, "andini", `mutation { revokeAllSessions(userId: "`+maya+`") `+document, fmt.Sprintf(ended, "maya"))
	s.Says(t, "maya", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.Says(t, "andini", `mutation { revokeAllSessions(userId: "`+maya+`") `+document, `{"revokeAllSessions":[]}`)
	s.Says(t, "andini", `mutation { revokeAllSessions(userId: "x") { id } }`, "NOT_FOUND")
}

func takesDevice(t *testing.T, s *harness.Server) {
	shared := s.Vars["budi.device"]
	logIn := func(name, device string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: harness.Head("X-Device-Token", device),
			Body: `{"username":"budi@demo.test","password":"` + demo.Password + `"}`, Status: status, Want: want}
	}
	s.Says(t, "andini", `mutation { revokeDevice(id: "{{budi.phone}}") { revokedAt trusts { revokedAt user { name } } } }`,
		`{"revokeDevice":{"revokedAt":null,"trusts":[{"revokedAt":"<time>","user":{"name":"Budi Santoso"}}]}}`)
	s.Says(t, "budi", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.Says(t, "daeng", `{ device(id: "{{daeng.phone}}") { revokedAt trusts { revokedAt } } }`, `{"device":{"revokedAt":null,"trusts":[{"revokedAt":null}]}}`)
	s.Says(t, "andini", `mutation { revokeDevice(id: "{{budi.phone}}") { revokedAt } }`, `{"revokeDevice":{"revokedAt":null}}`) // again
	s.Says(t, "andini", `{ trustedDevices(userId: "`+harness.PersonID(t, s, "budi@demo.test")+`") { deviceId } }`,
		`{"trustedDevices":[{"deviceId":"second"}]}`)

	s.SignInOn(t, "budi", "budi@demo.test", shared) // with a code: the trust is gone
	s.Says(t, "budi", `{ device(id: "{{budi.phone}}") { trusts { revokedAt } } }`, `{"device":{"trusts":[{"revokedAt":null}]}}`)
	s.Says(t, "daeng", `mutation { revokeDevice(id: "{{daeng.phone}}") { revokedAt } }`, `{"revokeDevice":{"revokedAt":"<time>"}}`)
	for _, who := range []string{"daeng", "budi"} {
		s.Says(t, who, `{ viewer { id } }`, "UNAUTHENTICATED")
	}
	s.Run(t, []apitest.Scenario{
		logIn("a revoked device does not sign in", shared, 401, tokenProblem("device", "revoked")),
		{Name: "registers again", Path: "/device/register", Header: harness.Head("X-Device-Token", shared), Body: `{"deviceId":"budi","platform":"android"}`,
			Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{"again": "/deviceToken"}},
		logIn("as a device that nobody trusts", "{{again}}", 200, `{"userToken":"<token wfu>","verified":false,"verification":"<any>","user":"<any>"}`),
		logIn("the old device stays dead", shared, 401, tokenProblem("device", "revoked")),
	})
	rows, err := s.Store.Ent.Device.Query().Where(device.DeviceID("budi")).Order(device.ByID()).All(viewer.System(t.Context()))
	if err != nil || len(rows) != 2 || rows[0].RevokedAt == nil || rows[1].RevokedAt != nil {
		t.Errorf("got %v, %v", rows, err)
	}
}

func newDeviceNotice(t *testing.T, s *harness.Server) {
	const mail = "dimas@demo.test"
	s.SignIn(t, "dimas", mail)
	s.Run(t, []apitest.Scenario{
		{Name: "another phone", Path: "/device/register", Body: `{"deviceId":"other","platform":"android","model":"Pixel 9"}`, Save: map[string]string{"other": "/deviceToken"}},
	})
	s.Says(t, "dimas", `{ messages { edges { node { kind } } } }`, `{"messages":{"edges":[{"node":{"kind":"login_code"}}]}}`)
	s.SignInOn(t, "dimas2", mail, s.Vars["other"])
	s.Says(t, "dimas", `{ messages(orderBy: {field: CREATED_AT}) { edges { node { kind channel } } } }`,
		`{"messages":{"edges":[{"node":{"kind":"login_code","channel":"email"}},{"node":{"kind":"login_code","channel":"email"}},{"node":{"kind":"new_device","channel":"email"}}]}}`)
	want := "A new device (Pixel 9) signed in to your Workforce account on 2026-03-10 09:00 WIB. If it was not you, change your password at once and tell your administrator."
	s.Log.Notice(t, mail, 1)
	if got := s.Log.Notices(mail); len(got) != 1 || got[0] != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func sharedPhone(t *testing.T, s *harness.Server) {
	s.SignIn(t, "one", "budi@demo.test")
	s.SignInOn(t, "two", "admin@demo.test", s.Vars["one.device"])
	s.SaveSites(t, "one")
	s.SaveShift(t, "one")
	s.SaveShift(t, "two")
	const flags = `{ attendances(last: 1, where: {hasUserWith: {id: "{{me}}"}}) { edges { node { clockedInFlags } } } }`
	flagged := func(who, want string) {
		s.Vars["me"] = s.Me(t, who)
		s.Says(t, who, flags, `{"attendances":{"edges":[{"node":{"clockedInFlags":`+want+`}}]}}`)
	}
	s.Run(t, []apitest.Scenario{harness.ClockIn("one")})
	flagged("one", `[]`)
	s.Run(t, []apitest.Scenario{harness.ClockIn("two")})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{harness.ClockOut("one"), harness.ClockOut("two")})
	flagged("two", `["shared_device"]`)
	s.Clock.Advance(24 * time.Hour)
	s.Says(t, "two", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.Run(t, []apitest.Scenario{{Name: "the day after", Path: "/authorize/refresh-token", Header: harness.Head("x-Refresh-Token", "{{two.refresh}}"), Save: map[string]string{"two.access": "/accessToken"}}})
	s.SaveShift(t, "two")
	s.Run(t, []apitest.Scenario{harness.ClockIn("two")})
	flagged("two", `[]`)
}
