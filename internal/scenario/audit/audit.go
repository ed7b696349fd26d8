package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/privacy"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// An auditStep is something that is done, and the events that it leaves: each
// as action, subject, actor, before and after, - for none.
type auditStep struct {
	name   string
	does   []apitest.Scenario
	events []string
}

// auditScenarios hold the audit to what happened.
func auditScenarios(t *testing.T, s *harness.Server) {
	if n, err := s.Store.Ent.AuditEvent.Query().Count(viewer.System(t.Context())); err != nil || n != 0 {
		t.Fatalf("a new database has %d events, %v", n, err)
	}
	for name, email := range map[string]string{
		"budi": "budi@demo.test", "andini": "admin@demo.test", "daeng": "admin@tetangga.test", "nur": "nur@demo.test",
	} {
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	t.Run("sign-in", func(t *testing.T) { auditSignIn(t, s) })
	t.Run("sessions and devices", func(t *testing.T) { auditSessions(t, s) })
	t.Run("administration", func(t *testing.T) { auditAdministration(t, s) })
	t.Run("refused clock-ins", func(t *testing.T) { auditRefusedClockIns(t, s) })
	t.Run("a face", func(t *testing.T) { auditFace(t, s) })
	t.Run("readers", func(t *testing.T) { auditReaders(t, s) })
	t.Run("no secrets", func(t *testing.T) { auditSecrets(t, s) })
	t.Run("append only", func(t *testing.T) { auditAppendOnly(t, s) })
}

// newEvents returns what was recorded after the event with an id, the oldest
// first.
func newEvents(t *testing.T, s *harness.Server, after int) []*ent.AuditEvent {
	t.Helper()
	rows, err := s.Store.Ent.AuditEvent.Query().Where(auditevent.IDGT(after)).Order(ent.Asc(auditevent.FieldID)).All(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func lastEvent(t *testing.T, s *harness.Server) int {
	t.Helper()
	if rows := newEvents(t, s, 0); len(rows) > 0 {
		return rows[len(rows)-1].ID
	}
	return 0
}

// runAudited runs steps and compares the events that each leaves. Names in
// double braces stand for what was saved, <n> for any number.
func runAudited(t *testing.T, s *harness.Server, steps []auditStep) {
	t.Helper()
	for _, step := range steps {
		last := lastEvent(t, s)
		for i := range step.does {
			if step.does[i].Name == "" {
				step.does[i].Name = step.name
			}
		}
		s.Run(t, step.does)
		var got []string
		for _, e := range newEvents(t, s, last) {
			got = append(got, strings.Join([]string{
				e.Action, fmt.Sprint(e.SubjectType, " ", e.SubjectID), orDash(e.ActorID), orDash(e.Before), orDash(e.After),
			}, " "))
			if e.Address != "127.0.0.1" || !e.At.Equal(s.Clock.Now()) || e.RequestID == "" {
				t.Errorf("%s: from %s at %s in %q", step.name, e.Address, e.At, e.RequestID)
			}
		}
		want := slices.Clone(step.events)
		for i := range want {
			for name, value := range s.Vars {
				want[i] = strings.ReplaceAll(want[i], "{{"+name+"}}", value)
			}
		}
		if !slices.EqualFunc(got, want, likeEvent) {
			t.Errorf("%s:\ngot  %s\nwant %s", step.name, strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		}
	}
}

// likeEvent reports whether an event is as wanted, where <n> is any number.
func likeEvent(got, want string) bool {
	parts := strings.Split(want, "<n>")
	for i, part := range parts {
		if !strings.HasPrefix(got, part) {
			return false
		}
		if got = got[len(part):]; i < len(parts)-1 {
			got = strings.TrimLeft(got, "0123456789")
		}
	}
	return got == ""
}

func orDash[T any](v *T) string {
	if v == nil {
		return "-"
	}
	return fmt.Sprint(*v)
}

func auditSignIn(t *testing.T, s *harness.Server) {
	logIn := func(username, password string, status int) apitest.Scenario {
		return apitest.Scenario{Path: "/user/login", Header: harness.Head("X-Device-Token", "{{phone}}"),
			Body: `{"username":"` + username + `","password":"` + password + `"}`, Status: status}
	}
	verify := func(otp string, status int) apitest.Scenario {
		return apitest.Scenario{Path: "/authorize/verify", Header: harness.Head("X-Device-Token", "{{phone}}", "X-User-Token", "{{budi.user}}"),
			Body: `{"otp":"` + otp + `"}`, Status: status}
	}
	saved := func(sc apitest.Scenario) apitest.Scenario {
		sc.Save = map[string]string{"budi.user": "/userToken"}
		return sc
	}
	runAudited(t, s, []auditStep{
		{"registers", []apitest.Scenario{{Path: "/device/register", Body: `{"deviceId":"phone","platform":"android"}`, Save: map[string]string{"phone": "/deviceToken"}}}, nil},
		{"unknown user", []apitest.Scenario{logIn("nobody@demo.test", "wrong-password", 401)}, nil},
		{"wrong password", []apitest.Scenario{logIn("budi@demo.test", "wrong-password", 401)}, []string{`login.failed User {{budi}} - - {"device_id":<n>}`}},
		{"and again", []apitest.Scenario{logIn("budi@demo.test", "wrong-password", 401)}, []string{`login.failed User {{budi}} - - {"device_id":<n>}`}},
		{"a third time", []apitest.Scenario{logIn("budi@demo.test", "wrong-password", 401)}, []string{`login.failed User {{budi}} - - {"device_id":<n>}`}},
		{"a fourth time", []apitest.Scenario{logIn("budi@demo.test", "wrong-password", 401)}, []string{`login.failed User {{budi}} - - {"device_id":<n>}`}},
		{"too fast", []apitest.Scenario{logIn("budi@demo.test", demo.Password, 429)}, []string{`login.throttled User {{budi}} - - {"device_id":<n>}`}},
		{"too fast again, within a minute", []apitest.Scenario{logIn("budi@demo.test", demo.Password, 429)}, nil},
	})
	s.Clock.Advance(2 * time.Minute)
	runAudited(t, s, []auditStep{
		{"signs in", []apitest.Scenario{saved(logIn("budi@demo.test", demo.Password, 200))}, []string{
			`device.registered Device <n> {{budi}} - {"device_id":"phone","platform":"android","registered_at":"2026-03-10T02:00:00Z"}`,
			`login.succeeded Session <n> {{budi}} - {"device_id":<n>,"user_id":{{budi}}}`}},
	})
	code := s.Log.Code(t, "budi@demo.test", 1)
	wrong := "000000"
	if code == wrong {
		wrong = "111111"
	}
	fails := `code.failed User {{budi}} {{budi}} - {"device_id":<n>}`
	runAudited(t, s, []auditStep{
		{"wrong code", []apitest.Scenario{verify(wrong, 422)}, []string{fails}},
		{"three more", []apitest.Scenario{verify(wrong, 422), verify(wrong, 422), verify(wrong, 422)}, []string{fails, fails, fails}},
		{"the last try", []apitest.Scenario{verify(wrong, 422)}, []string{`code.exhausted User {{budi}} {{budi}} - {"device_id":<n>}`}},
		{"beyond it", []apitest.Scenario{verify(code, 422)}, nil},
	})
	s.Clock.Advance(2 * time.Minute)
	s.Run(t, []apitest.Scenario{harness.Named(saved(logIn("budi@demo.test", demo.Password, 200)), "signs in again")})
	runAudited(t, s, []auditStep{
		{"right code", []apitest.Scenario{verify(s.Log.Code(t, "budi@demo.test", 2), 200)}, []string{`login.verified Session <n> {{budi}} - {"device_id":<n>,"user_id":{{budi}}}`}},
		{"takes tokens", []apitest.Scenario{{Path: "/authorize/access-token", Header: harness.Head("X-User-Token", "{{budi.user}}"),
			Save: map[string]string{"first": "/refreshToken"}}}, nil},
		{"refreshes", []apitest.Scenario{{Path: "/authorize/refresh-token", Header: harness.Head("X-Refresh-Token", "{{first}}"), Save: map[string]string{"second": "/refreshToken"}}}, nil},
		{"refreshes once more", []apitest.Scenario{{Path: "/authorize/refresh-token", Header: harness.Head("X-Refresh-Token", "{{second}}")}}, nil},
		{"uses the first again", []apitest.Scenario{{Path: "/authorize/refresh-token", Header: harness.Head("X-Refresh-Token", "{{first}}"), Status: 401}},
			[]string{`refresh.reused Session <n> {{budi}} - {"device_id":<n>,"user_id":{{budi}}}`}},
		{"and again", []apitest.Scenario{{Path: "/authorize/refresh-token", Header: harness.Head("X-Refresh-Token", "{{first}}"), Status: 401}}, nil},
		{"rotates the device", []apitest.Scenario{{Path: "/device/register", Header: harness.Head("X-Device-Token", "{{phone}}"), Body: `{"deviceId":"phone","platform":"android"}`,
			Save: map[string]string{"phone": "/deviceToken"}}}, []string{`device.rotated Device <n> - - -`}},
		{"forgets the password", []apitest.Scenario{{Path: "/user/forgot-password", Header: harness.Head("X-Device-Token", "{{phone}}"), Body: `{"username":"budi@demo.test"}`,
			Save: map[string]string{"reset": "/id"}}}, []string{`password.forgotten User {{budi}} - - {"device_id":<n>}`}},
		{"forgets the password of nobody", []apitest.Scenario{{Path: "/user/forgot-password", Header: harness.Head("X-Device-Token", "{{phone}}"), Body: `{"username":"nobody@demo.test"}`}}, nil},
	})
	reset := func(otp string, status int) []apitest.Scenario {
		return []apitest.Scenario{{Path: "/user/reset-password", Header: harness.Head("X-Device-Token", "{{phone}}"),
			Body: `{"id":"{{reset}}","otp":"` + otp + `","password":"tidak-ditebak-7"}`, Status: status}}
	}
	code = s.Log.Code(t, "budi@demo.test", 3)
	runAudited(t, s, []auditStep{
		{"wrong code for a reset", reset(wrong, 422), []string{`code.failed User {{budi}} - - {"device_id":<n>}`}},
		{"sets a password", reset(code, 200), []string{`password.reset User {{budi}} - - {"device_id":<n>}`}},
	})
}

func auditSessions(t *testing.T, s *harness.Server) {
	s.SignIn(t, "a", "admin@demo.test")
	s.SignIn(t, "n", "nur@demo.test")
	s.SaveIDs(t, "n", "a")
	s.SignIn(t, "n2", "nur@demo.test")
	s.SaveIDs(t, "n2")
	ask := func(who, document string) []apitest.Scenario {
		return []apitest.Scenario{{Path: "/graphql", Header: harness.SignedIn(who), Body: apitest.Query(document, nil)}}
	}
	runAudited(t, s, []auditStep{
		{"ends a session", ask("a", `mutation { revokeSession(id: "`+s.Vars["n2.session"]+`") { id } }`),
			[]string{`session.revoked Session {{n2.session}} {{andini}} - {"device_id":{{n2.phone}},"user_id":{{nur}}}`}},
		{"which is over", ask("a", `mutation { revokeSession(id: "`+s.Vars["n2.session"]+`") { id } }`), nil},
		{"takes a device away", ask("a", `mutation { revokeDevice(id: "`+s.Vars["n2.phone"]+`") { id } }`),
			[]string{`device.revoked Device {{n2.phone}} {{andini}} - {"revoked":true,"user_ids":[{{nur}}]}`}},
		{"which is gone", ask("a", `mutation { revokeDevice(id: "`+s.Vars["n2.phone"]+`") { id } }`), nil},
		{"signs out", []apitest.Scenario{{Method: "POST", Path: "/user/logout", Header: harness.SignedIn("n")}},
			[]string{`session.ended Session <n> {{nur}} - {"device_id":{{n.phone}},"user_id":{{nur}}}`}},
		{"reads", ask("a", `{ users { totalCount } }`), nil},
		{"reads what is not theirs", ask("a", `{ session(id: "999999") { id } }`), nil},
	})
	s.SignIn(t, "n", "nur@demo.test")
	s.SaveIDs(t, "n")
	runAudited(t, s, []auditStep{
		{"ends all", ask("n", `mutation { revokeAllSessions { id } }`), []string{`session.revoked Session {{n.session}} {{nur}} - {"device_id":{{n.phone}},"user_id":{{nur}}}`}},
	})
}

func auditAdministration(t *testing.T, s *harness.Server) {
	s.SignIn(t, "n", "nur@demo.test")
	ask := func(who, document string, save ...string) []apitest.Scenario {
		sc := apitest.Scenario{Path: "/graphql", Header: harness.SignedIn(who, "X-Req-Id", fmt.Sprintf("audit-%d-%d", lastEvent(t, s), len(document))), Body: apitest.Query(document, nil)}
		if len(save) > 0 {
			sc.Save = map[string]string{save[0]: save[1]}
		}
		return []apitest.Scenario{sc}
	}
	runAudited(t, s, []auditStep{
		{"makes a role", ask("a", `mutation { createRole(input: {name: "Auditor", permissions: ["audit.read.all"]}) { id } }`, "role", "/data/createRole/id"),
			[]string{`role.created Role {{role}} {{andini}} - {"builtin":null,"custom_permissions":["audit.read.all"],"name":"Auditor"}`}},
	})
	runAudited(t, s, []auditStep{
		{"renames it", ask("a", `mutation { updateRole(id: "`+s.Vars["role"]+`", input: {name: "Pemeriksa"}) { id } }`),
			[]string{`role.updated Role {{role}} {{andini}} {"name":"Auditor"} {"name":"Pemeriksa"}`}},
		{"renames it to the same", ask("a", `mutation { updateRole(id: "`+s.Vars["role"]+`", input: {name: "Pemeriksa"}) { name } }`), nil},
		{"changes a person", ask("a", `mutation { updateUser(id: "`+s.Vars["nur"]+`", input: {locale: "en", gender: "female"}) { id } }`),
			[]string{`user.updated User {{nur}} {{andini}} {"locale":"id"} {"locale":"en"}`}},
		{"is refused", ask("n", `mutation { createRole(input: {name: "Mine", permissions: []}) { id } }`),
			[]string{`permission.denied User {{nur}} {{nur}} - {"mutations":["createRole"]}`}},
		{"is refused a row", ask("n", `mutation { deleteRole(id: "`+s.Vars["role"]+`") { deleted } }`),
			[]string{`permission.denied Role {{role}} {{nur}} - {"mutations":["deleteRole"]}`}},
		{"is refused an owner", ask("n", `mutation { revokeAllSessions(userId: "`+s.Vars["andini"]+`") { id } }`),
			[]string{`permission.denied User {{andini}} {{nur}} - {"mutations":["revokeAllSessions"]}`}},
		{"errs", ask("a", `mutation { createRole(input: {name: "", permissions: []}) { id } }`), nil},
		{"removes the role", ask("a", `mutation { deleteRole(id: "`+s.Vars["role"]+`") { deleted } }`),
			[]string{`role.deleted Role {{role}} {{andini}} {"builtin":null,"custom_permissions":["audit.read.all"],"name":"Pemeriksa"} -`}},
	})
	change := func(old string, status int) []apitest.Scenario {
		return []apitest.Scenario{{Method: "PUT", Path: "/user/change-password", Header: harness.SignedIn("n"),
			Body: `{"oldPassword":"` + old + `","newPassword":"tidak-ditebak-7"}`, Status: status}}
	}
	runAudited(t, s, []auditStep{
		{"a wrong old password", change("wrong-password", 422), []string{`login.failed User {{nur}} {{nur}} - {"device_id":<n>}`}},
		{"changes the password", change(demo.Password, 200), []string{`password.changed User {{nur}} {{nur}} - {"device_id":<n>}`}},
	})
	for _, e := range newEvents(t, s, 0) {
		if strings.HasPrefix(e.Action, "role.") && !strings.HasPrefix(e.RequestID, "audit-") {
			t.Errorf("%s %s: request id %q", e.Action, orDash(e.After), e.RequestID)
		}
	}
}

// auditRefusedClockIns finds the code and the occurrence of refused clock-ins, and
// neither position nor face.
func auditRefusedClockIns(t *testing.T, s *harness.Server) {
	s.SignIn(t, "f", "admin@demo.test")
	s.SaveSites(t, "f")
	s.SaveShift(t, "f")
	far := append([]string{"faceLandmark", harness.Landmarks(7)}, harness.Far...)
	refused := func(status int, code string, change ...string) []apitest.Scenario {
		return []apitest.Scenario{harness.Refused(harness.Under(harness.ClockIn("f", change...), "refused"), status, code, `"<any>"`, "latitude")}
	}
	runAudited(t, s, []auditStep{
		{"clocks in far away", refused(422, "OUTSIDE_ALLOWED_LOCATION", far...),
			[]string{`clock_in.refused EmployeeShift {{f.shift}} {{andini}} - {"code":"OUTSIDE_ALLOWED_LOCATION"}`}},
		{"again, within a minute", refused(422, "OUTSIDE_ALLOWED_LOCATION", far...), nil},
		{"clocks in nowhere", refused(422, "VALIDATION_FAILED", "latitude", ""), nil},
		{"clocks in for no shift of theirs", []apitest.Scenario{
			harness.Refused(harness.ClockIn("f", "employeeShiftId", `"999999"`), 404, "NOT_FOUND", `{}`, "employeeShiftId")},
			[]string{`clock_in.refused User {{andini}} {{andini}} - {"code":"NOT_FOUND"}`}},
	})
	s.Clock.Advance(time.Minute)
	runAudited(t, s, []auditStep{
		{"by GraphQL", []apitest.Scenario{{Path: "/graphql", Header: harness.SignedIn("f"), Want: `{"errors":"<any>","data":null}`,
			Body: `{"query":` + strconv.Quote(harness.ClockInMutation) + `,"variables":{"input":` + harness.ClockBody("f", far...) + `}}`}},
			[]string{`clock_in.refused EmployeeShift {{f.shift}} {{andini}} - {"code":"OUTSIDE_ALLOWED_LOCATION"}`}},
	})
}

func auditFace(t *testing.T, s *harness.Server) {
	runAudited(t, s, []auditStep{
		{"registers with a clock-in", []apitest.Scenario{harness.ClockIn("f", "faceLandmark", harness.Landmarks(7))},
			[]string{`face_template.created FaceTemplate <n> {{andini}} - {"created_at":"` + s.Clock.Now().Format(time.RFC3339Nano) +
				`","in_force":1,"points":<n>,"provisional":false,"replaced_at":null,"user_id":{{andini}},"version":1}`}},
	})
}

// auditReaders are those with audit.read.all, each of their own company.
func auditReaders(t *testing.T, s *harness.Server) {
	s.SignIn(t, "d", "admin@tetangga.test")
	s.SignIn(t, "m", "manager@demo.test")
	newest := newEvents(t, s, lastEvent(t, s)-1)[0]
	s.Vars["event"], s.Vars["ratna"] = fmt.Sprint(newest.ID), harness.PersonID(t, s, "manager@demo.test")
	const one = `{ auditEvent(id: "{{event}}") { id action subjectType subjectId at address requestId before after actor { id } } }`
	s.Says(t, "f", one, `{"auditEvent":{"id":"{{event}}","action":"login.verified","subjectType":"Session","subjectId":"<digits>","at":"<time>","address":"127.0.0.1","requestId":"<any>","before":null,"after":"<any>","actor":{"id":"{{ratna}}"}}}`)
	for _, who := range []string{"d", "m"} {
		s.Says(t, who, one, "NOT_FOUND")
	}
	s.Says(t, "m", `{ auditEvents { totalCount edges { node { id } } } }`, `{"auditEvents":{"totalCount":0,"edges":[]}}`)
	s.Says(t, "d", `{ auditEvents { totalCount edges { node { action } } } }`,
		`{"auditEvents":{"totalCount":3,"edges":[{"node":{"action":"device.registered"}},{"node":{"action":"login.succeeded"}},{"node":{"action":"login.verified"}}]}}`)
	s.Says(t, "f", `{ auditEvents(where: {action: "role.updated"}, orderBy: {field: AT, direction: DESC}) { edges { node { subjectType before after } } } }`,
		`{"auditEvents":{"edges":[{"node":{"subjectType":"Role","before":"{\"name\":\"Auditor\"}","after":"{\"name\":\"Pemeriksa\"}"}}]}}`)
	s.Says(t, "m", `{ users(where: {id: "{{budi}}"}) { edges { node { name } } } }`, `{"users":{"edges":[{"node":{"name":"Budi Santoso"}}]}}`)
}

// auditSecrets looks for what nobody may read there.
func auditSecrets(t *testing.T, s *harness.Server) {
	var points []struct{ X float64 }
	if err := json.Unmarshal([]byte(harness.Landmarks(7)), &points); err != nil || len(points) == 0 {
		t.Fatal(err)
	}
	secrets := []string{demo.Password, "wrong-password", "tidak-ditebak-7", "argon2", "sealed", "hash", "push", fmt.Sprint(points[0].X)}
	for _, value := range s.Vars {
		if strings.HasPrefix(value, "wf") {
			secrets = append(secrets, value, value[4:])
		}
	}
	for _, to := range []string{"budi@demo.test", "admin@demo.test", "nur@demo.test"} {
		for _, text := range s.Log.Messages(to) {
			secrets = append(secrets, `"`+text[:6]+`"`, ":"+text[:6])
		}
	}
	all := newEvents(t, s, 0)
	if len(all) < 30 {
		t.Errorf("%d events", len(all))
	}
	for _, e := range all {
		text := strings.Join([]string{e.Action, e.SubjectType, e.Address, e.RequestID, orDash(e.Before), orDash(e.After)}, " ")
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				t.Errorf("%q holds %q", text, secret)
			}
		}
	}
}

// auditAppendOnly proves that nobody changes or removes an event, not even the
// server itself.
func auditAppendOnly(t *testing.T, s *harness.Server) {
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	id := lastEvent(t, s)
	before := len(newEvents(t, s, 0))
	_, deleted := db.AuditEvent.Delete().Exec(ctx)
	for name, err := range map[string]error{
		"update":     db.AuditEvent.Update().Where(auditevent.ID(id)).Exec(ctx),
		"update one": db.AuditEvent.UpdateOneID(id).Exec(ctx),
		"delete":     deleted,
		"delete one": db.AuditEvent.DeleteOneID(id).Exec(ctx),
	} {
		if !errors.Is(err, privacy.Deny) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := len(newEvents(t, s, 0)); after != before {
		t.Errorf("%d events of %d are left", after, before)
	}
}
