package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/device"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/viewer"
)

// deviceAdminScenarios look at devices and sessions, and take them away.
func deviceAdminScenarios(t *testing.T, s *testServer) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "andini", "admin@demo.test")
	s.SignIn(t, "ratna", "manager@demo.test")
	s.SignInOn(t, "daeng", "admin@tetangga.test", s.Vars["budi.device"]) // a phone of two companies' people
	s.SignIn(t, "maya", "maya@demo.test")
	s.grant(t, "maya@demo.test", "device.read.all", "device.write.own", "session.read.all", "session.write.own")
	t.Run("lists", func(t *testing.T) { deviceLists(t, s) })
	t.Run("singles", func(t *testing.T) { deviceSingles(t, s) })
	t.Run("before it is verified", func(t *testing.T) { unverifiedSession(t, s) })
	t.Run("a session is ended", func(t *testing.T) { endsSession(t, s) })
	t.Run("all sessions are ended", func(t *testing.T) { endsSessions(t, s) })
	t.Run("a device is taken away", func(t *testing.T) { takesDevice(t, s) })
	t.Run("notice of a new device", func(t *testing.T) { newDeviceNotice(t, s) })
	t.Run("one phone for two", func(t *testing.T) { sharedPhone(t, s) })
}

// grant gives somebody a role of their own besides the ones they have.
func (s *testServer) grant(t *testing.T, email string, permissions ...string) {
	t.Helper()
	ctx, db := viewer.System(t.Context()), s.store.ent
	u, err := db.User.Query().Where(user.EmailKey(email)).Only(ctx)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, ctx, db, func(db *ent.Client) {
		r := db.Role.Create().SetCompanyID(u.CompanyID).SetName("of " + u.Name).SetCustomPermissions(permissions).SaveX(ctx)
		db.UserRole.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRoleID(r.ID).ExecX(ctx)
	})
}

// rowOf returns the id of the user with an e-mail address.
func (s *testServer) rowOf(t *testing.T, email string) string {
	t.Helper()
	id, err := s.store.ent.User.Query().Where(user.EmailKey(email)).OnlyID(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(id)
}

// says asks in somebody's name and compares the data of the answer, or the code
// of its error.
func (s *testServer) says(t *testing.T, who, document, want string) {
	t.Helper()
	for name, value := range s.Vars {
		document, want = strings.ReplaceAll(document, "{{"+name+"}}", value), strings.ReplaceAll(want, "{{"+name+"}}", value)
	}
	a := s.graphql(t, s.header(who), document, nil)
	got := string(a.Data)
	if a.code() != "" {
		got = a.code()
	}
	if !strings.HasPrefix(want, "{") {
		if got != want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", who, document, a.text, want)
		}
		return
	}
	if err := apitest.Match(want, []byte(got)); err != nil {
		t.Errorf("%s: %s\n%v\nanswer: %s", who, document, err, a.text)
	}
}

// held lists what somebody sees of devices and sessions: the device as the app
// names it with those who trust it, and whose sessions there are.
func (s *testServer) held(t *testing.T, who string) (devices, sessions string) {
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
	a := s.graphql(t, s.header(who), `{
		devices { edges { node { deviceId trusts { user { name } } } } }
		sessions { totalCount edges { node { user { name } device { deviceId } } } }
	}`, nil)
	if err := json.Unmarshal(a.Data, &all); err != nil || len(a.Errors) > 0 {
		t.Fatalf("%s: %v", a.text, err)
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

func deviceLists(t *testing.T, s *testServer) {
	everything := "budi of Budi Santoso, andini of Andini Kusumawardhani, ratna of Ratna Wijayanti, maya of Maya Puspita"
	everybody := "Budi Santoso on budi, Andini Kusumawardhani on andini, Ratna Wijayanti on ratna, Maya Puspita on maya"
	for _, tt := range []struct{ who, devices, sessions string }{
		{"budi", "budi of Budi Santoso", "Budi Santoso on budi"},
		{"ratna", "ratna of Ratna Wijayanti", "Ratna Wijayanti on ratna"},
		{"andini", everything, everybody},
		{"maya", everything, everybody},
		{"daeng", "budi of Daeng Rahman", "Daeng Rahman on budi"},
	} {
		if d, e := s.held(t, tt.who); d != tt.devices || e != tt.sessions {
			t.Errorf("%s sees\n%s\n%s\nwant\n%s\n%s", tt.who, d, e, tt.devices, tt.sessions)
		}
	}
	s.grant(t, "manager@demo.test", "device.read.team", "session.read.team")
	team, _ := s.held(t, "ratna")
	if !strings.Contains(team, "ratna of") || !strings.Contains(team, "maya of") || strings.Contains(team, "andini of") {
		t.Errorf("a manager of the Jakarta office sees the devices of the team: %s", team)
	}
	s.says(t, "budi", `{ devices { edges { node { pushToken } } } }`, "BAD_REQUEST")
	s.says(t, "budi", `{ devices { edges { node { tokenHash } } } }`, "BAD_REQUEST")
	s.says(t, "budi", `{ sessions { edges { node { family } } } }`, "BAD_REQUEST")
}

// saveIDs keeps the ids of somebody's newest session and of its device, as
// name.session and name.phone.
func (s *testServer) saveIDs(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		var all struct {
			Sessions struct {
				Edges []struct {
					Node struct {
						ID     string
						Device struct{ ID string }
					}
				}
			}
		}
		a := s.graphql(t, s.header(name), `query($me: ID!) {
			sessions(last: 1, where: {hasUserWith: {id: $me}}) { edges { node { id device { id } } } }
		}`, map[string]any{"me": s.me(t, name)})
		if err := json.Unmarshal(a.Data, &all); err != nil || len(all.Sessions.Edges) != 1 {
			t.Fatalf("%s: %s", name, a.text)
		}
		node := all.Sessions.Edges[0].Node
		s.Vars[name+".session"], s.Vars[name+".phone"] = node.ID, node.Device.ID
	}
}

// me returns the id of somebody who is signed in.
func (s *testServer) me(t *testing.T, name string) string {
	t.Helper()
	var me struct{ Viewer struct{ ID string } }
	a := s.graphql(t, s.header(name), `{ viewer { id } }`, nil)
	if err := json.Unmarshal(a.Data, &me); err != nil || me.Viewer.ID == "" {
		t.Fatalf("%s: %s", name, a.text)
	}
	return me.Viewer.ID
}

func deviceSingles(t *testing.T, s *testServer) {
	s.saveIDs(t, "budi", "ratna", "andini", "maya", "daeng")
	if s.Vars["budi.phone"] != s.Vars["daeng.phone"] {
		t.Fatal("not the same phone")
	}
	s.says(t, "budi", `{ device(id: "{{budi.phone}}") { id deviceId platform model osVersion appVersion createdAt revokedAt trusts { revokedAt user { name } } } }`,
		`{"device":{"id":"{{budi.phone}}","deviceId":"budi","platform":"android","model":null,"osVersion":null,"appVersion":null,"createdAt":"<time>","revokedAt":null,"trusts":[{"revokedAt":null,"user":{"name":"Budi Santoso"}}]}}`)
	s.says(t, "andini", `{ session(id: "{{budi.session}}") { id createdAt verifiedAt endsAt revokedAt user { name } device { id } } }`,
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
		{"andini", `mutation { revokeAllSessions(userId: "` + s.rowOf(t, "admin@tetangga.test") + `") { id } }`},
	} {
		s.says(t, tt.who, tt.document, "NOT_FOUND")
	}
	for _, document := range []string{
		`mutation { revokeSession(id: "{{budi.session}}") { id } }`,
		`mutation { revokeDevice(id: "{{budi.phone}}") { id } }`,
		`mutation { revokeAllSessions(userId: "` + s.rowOf(t, "budi@demo.test") + `") { id } }`,
	} {
		s.says(t, "maya", document, "FORBIDDEN") // who may only read
	}
	s.says(t, "budi", `mutation { revokeAllSessions(userId: "`+s.rowOf(t, "admin@demo.test")+`") { id } }`, "FORBIDDEN")
	s.says(t, "budi", `{ viewer { id } }`, `{"viewer":{"id":"<digits>"}}`) // nothing was ended
}

// unverifiedSession is seen with its device before anybody trusts that.
func unverifiedSession(t *testing.T, s *testServer) {
	sent := len(s.Log.Messages("budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		{Name: "registers", Path: "/device/register", Body: `{"deviceId":"stranger","platform":"web"}`, Save: map[string]string{"stranger": "/deviceToken"}},
		{Name: "signs in", Path: "/user/login", Header: head("X-Device-Token", "{{stranger}}"),
			Body: `{"username":"budi@demo.test","password":"` + demoPassword + `"}`, Save: map[string]string{"stranger.user": "/userToken"}},
	})
	s.Log.Code(t, "budi@demo.test", sent+1) // not to come among later ones
	const mine = `sessions(last: 1) { edges { node { verifiedAt endsAt device { deviceId trusts { id } } } } }`
	s.says(t, "budi", `{ `+mine+` }`, `{"sessions":{"edges":[{"node":{"verifiedAt":null,"endsAt":null,"device":{"deviceId":"stranger","trusts":[]}}}]}}`)
	kept := s.Vars["budi.phone"]
	s.saveIDs(t, "budi")
	s.says(t, "budi", `mutation { revokeDevice(id: "{{budi.phone}}") { deviceId revokedAt } }`, `{"revokeDevice":{"deviceId":"stranger","revokedAt":"<time>"}}`)
	s.Run(t, []apitest.Scenario{
		{Name: "its user token is dead", Path: "/authorize/access-token", Header: head("x-User-Token", "{{stranger.user}}", "X-Language", "en"), Status: 401, Want: tokenProblem("user", "revoked")},
		{Name: "its device token is dead", Path: "/authorize/verify", Header: head("X-Device-Token", "{{stranger}}"), Body: `{"otp":"1"}`, Status: 401, Want: tokenProblem("device", "revoked")},
	})
	s.Vars["budi.phone"] = kept
}

func endsSession(t *testing.T, s *testServer) {
	s.SignIn(t, "second", "budi@demo.test")
	s.saveIDs(t, "second")
	const end = `mutation { revokeSession(id: "{{second.session}}") { id revokedAt user { name } } }`
	const ended = `{"revokeSession":{"id":"{{second.session}}","revokedAt":"<time>","user":{"name":"Budi Santoso"}}}`
	s.says(t, "daeng", end, "NOT_FOUND")
	s.says(t, "ratna", end, "FORBIDDEN") // of the team, which they only see
	s.says(t, "budi", end, ended)
	s.says(t, "budi", end, ended)
	s.says(t, "andini", end, ended)
	s.says(t, "second", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.Run(t, []apitest.Scenario{
		{Name: "no more tokens", Path: "/authorize/refresh-token", Header: head("x-Refresh-Token", "{{second.refresh}}", "X-Language", "en"), Status: 401, Want: tokenProblem("refresh", "revoked")},
		{Name: "the device is still trusted", Path: "/user/login", Header: head("X-Device-Token", "{{second.device}}"),
			Body: `{"username":"budi@demo.test","password":"` + demoPassword + `"}`, Want: `{"userToken":"<token wfu>","verified":true,"verification":null,"user":"<any>"}`},
	})
}

func endsSessions(t *testing.T, s *testServer) {
	s.SignIn(t, "third", "manager@demo.test")
	s.saveIDs(t, "third")
	const ended = `{"revokeAllSessions":[{"id":"<digits>","revokedAt":"<time>","device":{"deviceId":"%s"}}]}`
	const document = `{ id revokedAt device { deviceId } } }`
	s.says(t, "third", `mutation { revokeAllSessions(keepCurrent: true) `+document, fmt.Sprintf(ended, "ratna"))
	s.says(t, "ratna", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.says(t, "third", `mutation { revokeAllSessions(keepCurrent: true) `+document, `{"revokeAllSessions":[]}`)
	s.says(t, "third", `mutation { revokeAllSessions `+document, fmt.Sprintf(ended, "third"))
	s.says(t, "third", `{ viewer { id } }`, "UNAUTHENTICATED")
	maya := s.rowOf(t, "maya@demo.test")
	s.says(t, "andini", `mutation { revokeAllSessions(userId: "`+maya+`") `+document, fmt.Sprintf(ended, "maya"))
	s.says(t, "maya", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.says(t, "andini", `mutation { revokeAllSessions(userId: "`+maya+`") `+document, `{"revokeAllSessions":[]}`)
	s.says(t, "andini", `mutation { revokeAllSessions(userId: "x") { id } }`, "NOT_FOUND")
}

func takesDevice(t *testing.T, s *testServer) {
	shared := s.Vars["budi.device"]
	logIn := func(name, device string, status int, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: head("X-Device-Token", device),
			Body: `{"username":"budi@demo.test","password":"` + demoPassword + `"}`, Status: status, Want: want}
	}
	s.says(t, "andini", `mutation { revokeDevice(id: "{{budi.phone}}") { revokedAt trusts { revokedAt user { name } } } }`,
		`{"revokeDevice":{"revokedAt":null,"trusts":[{"revokedAt":"<time>","user":{"name":"Budi Santoso"}}]}}`)
	s.says(t, "budi", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.says(t, "daeng", `{ device(id: "{{daeng.phone}}") { revokedAt trusts { revokedAt } } }`, `{"device":{"revokedAt":null,"trusts":[{"revokedAt":null}]}}`)
	s.says(t, "andini", `mutation { revokeDevice(id: "{{budi.phone}}") { revokedAt } }`, `{"revokeDevice":{"revokedAt":null}}`) // again

	s.SignInOn(t, "budi", "budi@demo.test", shared) // with a code: the trust is gone
	s.says(t, "budi", `{ device(id: "{{budi.phone}}") { trusts { revokedAt } } }`, `{"device":{"trusts":[{"revokedAt":null}]}}`)
	s.says(t, "daeng", `mutation { revokeDevice(id: "{{daeng.phone}}") { revokedAt } }`, `{"revokeDevice":{"revokedAt":"<time>"}}`)
	for _, who := range []string{"daeng", "budi"} {
		s.says(t, who, `{ viewer { id } }`, "UNAUTHENTICATED")
	}
	s.Run(t, []apitest.Scenario{
		logIn("a revoked device does not sign in", shared, 401, tokenProblem("device", "revoked")),
		{Name: "registers again", Path: "/device/register", Header: head("X-Device-Token", shared), Body: `{"deviceId":"budi","platform":"android"}`,
			Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{"again": "/deviceToken"}},
		logIn("as a device that nobody trusts", "{{again}}", 200, `{"userToken":"<token wfu>","verified":false,"verification":"<any>","user":"<any>"}`),
		logIn("the old device stays dead", shared, 401, tokenProblem("device", "revoked")),
	})
	rows, err := s.store.ent.Device.Query().Where(device.DeviceID("budi")).Order(device.ByID()).All(viewer.System(t.Context()))
	if err != nil || len(rows) != 2 || rows[0].RevokedAt == nil || rows[1].RevokedAt != nil {
		t.Errorf("got %v, %v", rows, err)
	}
}

func newDeviceNotice(t *testing.T, s *testServer) {
	const mail = "dimas@demo.test"
	s.SignIn(t, "dimas", mail)
	s.Run(t, []apitest.Scenario{
		{Name: "another phone", Path: "/device/register", Body: `{"deviceId":"other","platform":"android","model":"Pixel 9"}`, Save: map[string]string{"other": "/deviceToken"}},
	})
	s.says(t, "dimas", `{ messages { edges { node { kind } } } }`, `{"messages":{"edges":[{"node":{"kind":"login_code"}}]}}`)
	s.SignInOn(t, "dimas2", mail, s.Vars["other"])
	s.says(t, "dimas", `{ messages(orderBy: {field: CREATED_AT}) { edges { node { kind channel } } } }`,
		`{"messages":{"edges":[{"node":{"kind":"login_code","channel":"email"}},{"node":{"kind":"login_code","channel":"email"}},{"node":{"kind":"new_device","channel":"email"}}]}}`)
	want := "A new device (Pixel 9) signed in to your Workforce account on 2026-03-10 09:00 WIB. If it was not you, change your password at once and tell your administrator."
	for deadline := time.Now().Add(5 * time.Second); len(s.Log.Notices(mail)) == 0 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	if got := s.Log.Notices(mail); len(got) != 1 || got[0] != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func sharedPhone(t *testing.T, s *testServer) {
	s.SignIn(t, "one", "budi@demo.test")
	s.SignInOn(t, "two", "admin@demo.test", s.Vars["one.device"])
	s.saveSites(t, "one")
	s.saveShift(t, "one")
	s.saveShift(t, "two")
	const flags = `{ attendances(last: 1, where: {hasUserWith: {id: "{{me}}"}}) { edges { node { clockedInFlags } } } }`
	flagged := func(who, want string) {
		s.Vars["me"] = s.me(t, who)
		s.says(t, who, flags, `{"attendances":{"edges":[{"node":{"clockedInFlags":`+want+`}}]}}`)
	}
	s.Run(t, []apitest.Scenario{clockIn("one")})
	flagged("one", `["no_face"]`)
	s.Run(t, []apitest.Scenario{clockIn("two")})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{clockOut("one"), clockOut("two")})
	flagged("two", `["shared_device","no_face"]`)
	s.Clock.Advance(24 * time.Hour)
	s.says(t, "two", `{ viewer { id } }`, "UNAUTHENTICATED")
	s.Run(t, []apitest.Scenario{{Name: "the day after", Path: "/authorize/refresh-token", Header: head("x-Refresh-Token", "{{two.refresh}}"), Save: map[string]string{"two.access": "/accessToken"}}})
	s.saveShift(t, "two")
	s.Run(t, []apitest.Scenario{clockIn("two")})
	flagged("two", `["no_face"]`)
}
