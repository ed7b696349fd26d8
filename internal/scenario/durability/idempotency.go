package durability

import (
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/idempotencyclaim"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// withKey gives a scenario an Idempotency-Key.
func withKey(s apitest.Scenario, key string) apitest.Scenario {
	s.Header = maps.Clone(s.Header)
	s.Header["Idempotency-Key"] = key
	return s
}

// mismatched makes a scenario want that its key named another request.
func mismatched(s apitest.Scenario) apitest.Scenario {
	s = harness.Refused(s, 422, "IDEMPOTENCY_MISMATCH", `{}`)
	s.WantHeader = map[string]string{"Idempotent-Replayed": ""}
	return s
}

// inProgress makes a scenario want that the first request still runs.
func inProgress(s apitest.Scenario) apitest.Scenario {
	s = harness.Refused(s, 409, "IDEMPOTENCY_IN_PROGRESS", `{}`)
	s.WantHeader = map[string]string{"Idempotent-Replayed": "", "Retry-After": "1"}
	return s
}

// clockInByGraphQL is a clock-in by GraphQL.
func clockInByGraphQL(name string, change ...string) apitest.Scenario {
	return apitest.Scenario{
		Name: name + " clocks in by GraphQL", Path: "/graphql", Header: harness.Bearer(name),
		Body: `{"query":` + strconv.Quote(harness.ClockInMutation) + `,"variables":{"input":` + harness.ClockBody(name, change...) + `}}`,
		Want: `{"data":{"clockIn":{"clockedIn":true}}}`, WantHeader: map[string]string{"Idempotent-Replayed": ""},
	}
}

// refusedByGraphQL makes a scenario want a refusal before any field ran.
func refusedByGraphQL(s apitest.Scenario, code string) apitest.Scenario {
	s.Want = `{"errors":[{"message":"/.+/","extensions":{"code":"` + code + `","errors":[],"meta":{},"requestId":"<any>"}}]}`
	return s
}

// idempotencyScenarios send requests under keys.
func idempotencyScenarios(t *testing.T, s *harness.Server) {
	for _, name := range []string{"budi", "admin", "maya"} {
		s.SignIn(t, name, name+"@demo.test")
		s.SaveShift(t, name)
	}
	s.SaveSites(t, "budi")
	t.Run("one request", func(t *testing.T) { keysOfOneRequest(t, s) })
	t.Run("beside X-Req-Id", func(t *testing.T) { keysBesideIDs(t, s) })
	t.Run("by GraphQL", func(t *testing.T) { keysByGraphQL(t, s) })
	t.Run("of a person", func(t *testing.T) { keysOfPeople(t, s) })
	t.Run("unreadable", func(t *testing.T) { unreadableKeys(t, s) })
	t.Run("where they do not count", func(t *testing.T) { ignoredKeys(t, s) })
	t.Run("still running", func(t *testing.T) { runningKeys(t, s) })
	t.Run("at once", func(t *testing.T) { keysAtOnce(t, s) })
	t.Run("old", func(t *testing.T) { oldKeys(t, s) })
}

func keysOfOneRequest(t *testing.T, s *harness.Server) {
	elsewhere := []string{"latitude", `"-6.200100"`}
	in := withKey(harness.ClockIn("budi", elsewhere...), "in")
	s.Run(t, []apitest.Scenario{
		harness.Named(withKey(harness.Refused(harness.ClockIn("budi", harness.Far...), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":4217,"radiusMeters":100}`, "latitude"), "in"), "a refusal gives the key back"),
		harness.Named(in, "corrected, under the same key"),
		harness.Named(harness.Replayed(in), "again"),
		harness.Named(harness.Replayed(withKey(in, `"in"`)), "again, the key in quotes"),
		harness.Named(harness.Replayed(harness.Under(in, "another")), "again, with an id"),
		harness.Named(mismatched(withKey(harness.ClockIn("budi"), "in")), "with another body"),
		harness.Named(mismatched(withKey(harness.ClockIn("budi", harness.Far...), "in")), "with a body that would be refused"),
		harness.Named(mismatched(withKey(harness.ClockOut("budi", elsewhere...), "in")), "with another operation"),
		harness.Named(refusedByGraphQL(withKey(clockInByGraphQL("budi", elsewhere...), "in"), "IDEMPOTENCY_MISMATCH"), "by GraphQL"),
		harness.Named(withKey(harness.ClockIn("admin"), "in"), "somebody else's key is another"),
		harness.Named(withKey(harness.ClockIn("maya"), "In"), "keys differ in case"),
		harness.Named(harness.Replayed(withKey(harness.ClockIn("maya"), "In")), "which is kept as it is"),
	})
	s.Pass(t, "budi", "admin", "maya")
	out := withKey(harness.ClockOut("budi"), "out")
	s.Run(t, []apitest.Scenario{
		harness.Named(out, "out"),
		harness.Named(harness.Replayed(out), "out again"),
		harness.Named(harness.Replayed(in), "in again, though the attendance is closed"),
		harness.ClockOut("admin"),
		harness.ClockOut("maya"),
	})
	if rows := s.Attendances(t, "budi@demo.test"); len(rows) != 1 || rows[0].ClockedOutAt == nil {
		t.Errorf("got %v, want one closed attendance", rows)
	}
}

// keysBesideIDs send both headers: the key decides, and the id is not
// remembered.
func keysBesideIDs(t *testing.T, s *harness.Server) {
	s.Pass(t, "budi")
	both := harness.Under(withKey(harness.ClockIn("budi"), "both"), "id")
	since := `{"employeeShiftId":"{{budi.shift}}","since":"` + s.Clock.Now().In(harness.Morning.Location()).Format(time.RFC3339) + `"}`
	s.Run(t, []apitest.Scenario{
		harness.Named(both, "first"),
		harness.Named(harness.Replayed(both), "again"),
		harness.Named(mismatched(harness.Under(withKey(harness.ClockIn("budi", "note", `"x"`), "both"), "id")), "another body"),
	})
	s.Pass(t, "budi")
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Under(harness.Refused(harness.ClockIn("budi"), 409, "ALREADY_CLOCKED_IN", since), "id"), "the id alone"),
		harness.Named(harness.Replayed(both), "both again"),
		harness.ClockOut("budi"),
	})
}

func keysByGraphQL(t *testing.T, s *harness.Server) {
	s.Pass(t, "budi")
	one := withKey(clockInByGraphQL("budi"), "graphql")
	s.Run(t, []apitest.Scenario{
		harness.Named(one, "one field"),
		harness.Named(harness.Replayed(one), "again"),
		harness.Named(refusedByGraphQL(withKey(clockInByGraphQL("budi", "note", `"x"`), "graphql"), "IDEMPOTENCY_MISMATCH"), "another body"),
		harness.Named(mismatched(withKey(harness.ClockIn("budi"), "graphql")), "by REST"),
	})
	s.Pass(t, "budi")
	two := func(latitude string) apitest.Scenario {
		return withKey(apitest.Scenario{
			Path: "/graphql", Header: harness.Bearer("budi"),
			Body: apitest.Query(`mutation($out: ClockOutInput!, $in: ClockInInput!) { out: clockOut(input: $out) { clockedOut } in: clockIn(input: $in) { clockedIn } }`,
				map[string]any{
					"out": map[string]any{"employeeShiftId": "{{budi.shift}}", "latitude": "-6.2", "longitude": "106.816666"},
					"in":  map[string]any{"employeeShiftId": "{{budi.shift}}", "addressId": "{{pusat}}", "latitude": latitude, "longitude": "106.816666"},
				}),
			Want: `{"data":{"out":{"clockedOut":true},"in":{"clockedIn":true}}}`, WantHeader: map[string]string{"Idempotent-Replayed": ""},
		}, "two-fields")
	}
	halfway := two("-6.162")
	halfway.Want = `{"errors":[{"message":"/.+/","path":["in"],"locations":"<any>","extensions":{"code":"OUTSIDE_ALLOWED_LOCATION","errors":"<any>","meta":"<any>","requestId":"<any>"}}],"data":null}`
	before := len(s.Attendances(t, "budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		harness.Named(halfway, "two fields, one refused"),
		harness.Named(two("-6.2"), "two fields"),
		harness.Named(harness.Replayed(two("-6.2")), "two fields again"),
	})
	rows := s.Attendances(t, "budi@demo.test")
	if len(rows) != before+1 || rows[before-1].ClockedOutAt == nil || rows[before].ClockedOutAt != nil {
		t.Errorf("got %v, want the last but one closed, and the last open", rows)
	}
	s.Pass(t, "budi")
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
}

// keysOfPeople create people with a password, which is hashed outside of the
// transaction that stores the outcome.
func keysOfPeople(t *testing.T, s *harness.Server) {
	s.Pass(t, "admin")
	create := func(name, password string) apitest.Scenario {
		return apitest.Scenario{
			Path: "/graphql", Header: harness.Bearer("admin"), WantHeader: map[string]string{"Idempotent-Replayed": ""},
			Body: apitest.Query(`mutation($i: CreateUserInput!) { createUser(input: $i) { email } }`,
				map[string]any{"i": map[string]any{"name": name, "email": name + "@demo.test", "password": password}}),
			Want: `{"data":{"createUser":{"email":"` + name + `@demo.test"}}}`,
		}
	}
	const good = "kuda-terbang-42"
	weak := withKey(create("wayan", "short"), "wayan")
	weak.Want = `{"errors":[{"message":"/.+/","path":["createUser"],"locations":"<any>","extensions":{"code":"PASSWORD_WEAK","errors":"<any>","meta":"<any>","requestId":"<any>"}}],"data":null}`
	encrypted := func(text string) apitest.Scenario { return withKey(create("komang", text), "komang") }
	key := harness.KeySet(t, s).Keys[0]
	once := harness.EncryptFor(t, key, good)
	s.Run(t, []apitest.Scenario{
		harness.Named(weak, "a refusal gives the key back"),
		harness.Named(withKey(create("wayan", good), "wayan"), "corrected, under the same key"),
		harness.Named(harness.Replayed(withKey(create("wayan", good), "wayan")), "again"),
		harness.Named(refusedByGraphQL(withKey(create("wayan", good+"!"), "wayan"), "IDEMPOTENCY_MISMATCH"), "another password"),
		harness.Named(refusedByGraphQL(withKey(create("ketut", good), "wayan"), "IDEMPOTENCY_MISMATCH"), "another person"),
		harness.Named(encrypted(once), "encrypted"),
		harness.Named(harness.Replayed(encrypted(once)), "the same again"),
		harness.Named(refusedByGraphQL(encrypted(harness.EncryptFor(t, key, good)), "IDEMPOTENCY_MISMATCH"), "encrypted anew"),
		harness.Named(harness.Under(create("ketut", good), "ketut"), "under an id"),
		harness.Named(harness.Replayed(harness.Under(create("ketut", good), "ketut")), "under the id again"),
	})
	s.SignIn(t, "budi2", "budi@demo.test")
	for _, name := range []string{"wayan", "komang", "ketut"} {
		s.Run(t, []apitest.Scenario{harness.Login("budi2", name+"@demo.test", good)})
	}
}

// unreadableKeys are refused, and nothing is done.
func unreadableKeys(t *testing.T, s *harness.Server) {
	before := len(s.Attendances(t, "budi@demo.test"))
	for name, key := range map[string]string{
		"empty": "", "empty quotes": `""`, "unclosed": `"abc`, "list": `"a", "b"`, "space": "a b", "space at the end": `"abc "`,
		"256 characters": strings.Repeat("k", 256), "not ASCII": "kunci-é",
	} {
		byGraphQL := harness.Named(withKey(clockInByGraphQL("budi"), key), name+" by GraphQL")
		byGraphQL.Want = `{"errors":[{"message":"/.+/","extensions":{"code":"VALIDATION_FAILED","errors":[{"field":"Idempotency-Key","code":"VALIDATION_FAILED","detail":"/.+/"}],"meta":{},"requestId":"<any>"}}]}`
		s.Run(t, []apitest.Scenario{
			harness.Named(withKey(harness.Refused(harness.ClockIn("budi"), 422, "VALIDATION_FAILED", `{}`, "Idempotency-Key"), key), name), byGraphQL,
		})
	}
	if rows := s.Attendances(t, "budi@demo.test"); len(rows) != before {
		t.Errorf("left %d attendances, want %d", len(rows), before)
	}
	unsigned := withKey(harness.Refused(harness.ClockIn("budi"), 401, "UNAUTHENTICATED", `{"reason":"missing","token":"access"}`), `"`)
	delete(unsigned.Header, "Authorization")
	longest := withKey(harness.ClockIn("budi"), strings.Repeat("k", 255))
	s.Run(t, []apitest.Scenario{
		harness.Named(unsigned, "not signed in"),
		harness.Named(longest, "255 characters"), harness.Named(harness.Replayed(longest), "255 characters again"),
	})
	s.Pass(t, "budi")
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
}

// ignoredKeys come with what only reads, and with what is never remembered.
func ignoredKeys(t *testing.T, s *harness.Server) {
	register := apitest.Scenario{Method: "POST", Path: "/device/register", Header: harness.Bearer("budi"), Body: `{"deviceId":"other","platform":"web"}`,
		Want: `{"deviceToken":"<token wfd>"}`, WantHeader: map[string]string{"Idempotent-Replayed": ""}}
	read := apitest.Scenario{Path: "/user/profile", Header: harness.Bearer("budi"), Want: `"<any>"`, WantHeader: map[string]string{"Idempotent-Replayed": ""}}
	var all []apitest.Scenario
	for _, key := range []string{"ignored", "ignored", `"`} {
		all = append(all, harness.Named(withKey(register, key), "register "+key), harness.Named(withKey(read, key), "profile "+key))
	}
	s.Run(t, all)
	if claims := claims(t, s, "ignored"); len(claims) != 0 {
		t.Errorf("left %v, want no claim", claims)
	}
}

// claims returns the claims of a key, whoever's.
func claims(t *testing.T, s *harness.Server, key string) []*ent.IdempotencyClaim {
	t.Helper()
	rows, err := s.Store.Ent.IdempotencyClaim.Query().Where(idempotencyclaim.Key(key)).All(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// abandon makes the claim of a key one whose request never came to an end, with a
// lease that lasts or has ended.
func abandon(t *testing.T, s *harness.Server, key string, ended bool) {
	t.Helper()
	until := time.Now().Add(time.Hour) // by the clock of the database
	if ended {
		until = time.Unix(0, 0)
	}
	err := s.Store.Ent.IdempotencyClaim.Update().Where(idempotencyclaim.Key(key)).ClearOutcome().
		SetLeaseUntil(until).Exec(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
}

// runningKeys find the claim of a request that died, before and after its lease
// ran out.
func runningKeys(t *testing.T, s *harness.Server) {
	for _, api := range []struct {
		key           string
		request       func(string, ...string) apitest.Scenario
		wait, differs func(apitest.Scenario) apitest.Scenario
	}{
		{"dead", harness.ClockIn, inProgress, mismatched},
		{"dead by GraphQL", clockInByGraphQL,
			func(s apitest.Scenario) apitest.Scenario {
				s = refusedByGraphQL(s, "IDEMPOTENCY_IN_PROGRESS")
				s.WantHeader = map[string]string{"Retry-After": "1", "Idempotent-Replayed": ""}
				return s
			},
			func(s apitest.Scenario) apitest.Scenario { return refusedByGraphQL(s, "IDEMPOTENCY_MISMATCH") }},
	} {
		s.Pass(t, "budi")
		key := `"` + api.key + `"`
		request, other := withKey(api.request("budi"), key), withKey(api.request("budi", "note", `"x"`), key)
		s.Run(t, []apitest.Scenario{harness.Named(request, api.key)})
		s.Pass(t, "budi")
		s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
		s.Pass(t, "budi")
		before := len(s.Attendances(t, "budi@demo.test"))
		abandon(t, s, api.key, false)
		s.Run(t, []apitest.Scenario{harness.Named(api.wait(request), "at once"), harness.Named(api.differs(other), "another body")})
		abandon(t, s, api.key, true)
		s.Run(t, []apitest.Scenario{
			harness.Named(api.differs(other), "another body after the lease"),
			harness.Named(request, "after the lease"), harness.Named(api.differs(other), "another body then"), harness.Named(harness.Replayed(request), "again"),
		})
		if rows := s.Attendances(t, "budi@demo.test"); len(rows) != before+1 {
			t.Errorf("left %d attendances, want %d", len(rows), before+1)
		}
		s.Pass(t, "budi")
		s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
	}
}

// keysAtOnce sends one request many times at the same time.
func keysAtOnce(t *testing.T, s *harness.Server) {
	s.Pass(t, "maya")
	before := len(s.Attendances(t, "maya@demo.test"))
	requests := make([]apitest.Scenario, 50)
	for i := range requests {
		requests[i] = withKey(harness.ClockIn("maya", "faceLandmark", harness.Landmarks(1)), "storm")
	}
	effects := 0
	for a, n := range s.Storm(t, requests) {
		done := a.Status == 200 && a.Body == `{"clockedIn":true}`
		switch {
		case done && !a.Replayed:
			effects += n
		case done, a.Status == 409 && !a.Replayed && strings.Contains(a.Body, `"IDEMPOTENCY_IN_PROGRESS"`):
		default:
			t.Errorf("%d × %v, want the outcome or IDEMPOTENCY_IN_PROGRESS", n, a)
		}
	}
	if rows := s.Attendances(t, "maya@demo.test"); effects != 1 || len(rows) != before+1 {
		t.Errorf("%d answers came from %d attendances, want one", effects, len(rows)-before)
	}
	s.Run(t, []apitest.Scenario{harness.Named(harness.Replayed(requests[0]), "afterwards")})
	s.Pass(t, "maya")
	s.Run(t, []apitest.Scenario{harness.ClockOut("maya", "faceLandmark", harness.Landmarks(1))})
}

// oldKeys are forgotten after a day, and deleted.
func oldKeys(t *testing.T, s *harness.Server) {
	s.Pass(t, "admin")
	s.Run(t, []apitest.Scenario{withKey(harness.ClockIn("admin"), "yesterday")})
	s.Pass(t, "admin")
	out := s.Clock.Now()
	s.Run(t, []apitest.Scenario{withKey(harness.ClockOut("admin"), "day")})
	s.MoveTo(t, out.Add(24*time.Hour), "admin")
	s.Run(t, []apitest.Scenario{harness.Named(harness.Replayed(withKey(harness.ClockOut("admin"), "day")), "after 24 hours")})
	s.MoveTo(t, out.Add(24*time.Hour+time.Microsecond), "admin")
	s.SaveShift(t, "admin")
	next := withKey(harness.ClockIn("admin"), "day")
	s.Run(t, []apitest.Scenario{
		harness.Named(withKey(harness.Refused(harness.ClockOut("admin"), 409, "NOT_CLOCKED_IN", `{}`), "day"), "after more, what is sent anew is judged anew"),
		harness.Named(next, "after more, the key may name another request"),
		harness.Named(harness.Replayed(next), "which it does from then on"),
	})
	harness.Clean(t, s)
	if len(claims(t, s, "yesterday")) != 0 {
		t.Error("the claim of a day ago is kept")
	}
	if len(claims(t, s, "day")) != 1 {
		t.Error("the claim of today is gone")
	}
}
