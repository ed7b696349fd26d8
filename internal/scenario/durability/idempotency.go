package main

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/idempotencyclaim"
	"workforce/internal/apitest"
	"workforce/internal/viewer"
)

// leased is how long a request that died holds its key.
const leased = 20 * time.Second

// withKey gives a scenario an Idempotency-Key.
func withKey(s apitest.Scenario, key string) apitest.Scenario {
	s.Header = maps.Clone(s.Header)
	s.Header["Idempotency-Key"] = key
	return s
}

// mismatched makes a scenario want that its key named another request.
func mismatched(s apitest.Scenario) apitest.Scenario {
	s = refused(s, 422, "IDEMPOTENCY_MISMATCH", `{}`)
	s.WantHeader = map[string]string{"Idempotent-Replayed": ""}
	return s
}

// inProgress makes a scenario want that the first request still runs.
func inProgress(s apitest.Scenario) apitest.Scenario {
	s = refused(s, 409, "IDEMPOTENCY_IN_PROGRESS", `{}`)
	s.WantHeader = map[string]string{"Idempotent-Replayed": "", "Retry-After": "1"}
	return s
}

// clockInByGraphQL is a clock-in by the other door.
func clockInByGraphQL(name string, change ...string) apitest.Scenario {
	return apitest.Scenario{
		Name: name + " clocks in by GraphQL", Path: "/graphql", Header: bearer(name),
		Body: `{"query":` + strconv.Quote(clockInMutation) + `,"variables":{"input":` + clockBody(name, change...) + `}}`,
		Want: `{"data":{"clockIn":{"clockedIn":true}}}`, WantHeader: map[string]string{"Idempotent-Replayed": ""},
	}
}

// refusedByGraphQL makes a scenario want a refusal before any field ran.
func refusedByGraphQL(s apitest.Scenario, code string) apitest.Scenario {
	s.Want = `{"errors":[{"message":"/.+/","extensions":{"code":"` + code + `","errors":[],"meta":{},"requestId":"<any>"}}]}`
	return s
}

// idempotencyScenarios send requests under keys.
func idempotencyScenarios(t *testing.T, s *testServer) {
	for _, name := range []string{"budi", "admin", "maya"} {
		s.SignIn(t, name, name+"@demo.test")
		s.saveShift(t, name)
	}
	s.saveSites(t, "budi")
	t.Run("one request", func(t *testing.T) { keysOfOneRequest(t, s) })
	t.Run("beside X-Req-Id", func(t *testing.T) { keysBesideIDs(t, s) })
	t.Run("by GraphQL", func(t *testing.T) { keysByGraphQL(t, s) })
	t.Run("unreadable", func(t *testing.T) { unreadableKeys(t, s) })
	t.Run("where they do not count", func(t *testing.T) { ignoredKeys(t, s) })
	t.Run("still running", func(t *testing.T) { runningKeys(t, s) })
	t.Run("at once", func(t *testing.T) { keysAtOnce(t, s) })
	t.Run("old", func(t *testing.T) { oldKeys(t, s) })
}

func keysOfOneRequest(t *testing.T, s *testServer) {
	elsewhere := []string{"latitude", `"-6.200100"`}
	in := withKey(clockIn("budi", elsewhere...), "in")
	s.Run(t, []apitest.Scenario{
		named(withKey(refused(clockIn("budi", far...), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":4217,"radiusMeters":100}`, "latitude"), "in"), "a refusal gives the key back"),
		named(in, "corrected, under the same key"),
		named(replayed(in), "again"),
		named(replayed(withKey(in, `"in"`)), "again, the key in quotes"),
		named(replayed(under(in, "another")), "again, with an id"),
		named(mismatched(withKey(clockIn("budi"), "in")), "with another body"),
		named(mismatched(withKey(clockIn("budi", far...), "in")), "with a body that would be refused"),
		named(mismatched(withKey(clockOut("budi", elsewhere...), "in")), "with another operation"),
		named(refusedByGraphQL(withKey(clockInByGraphQL("budi", elsewhere...), "in"), "IDEMPOTENCY_MISMATCH"), "by the other door"),
		named(withKey(clockIn("admin"), "in"), "somebody else's key is another"),
		named(withKey(clockIn("maya"), "In"), "keys differ in case"),
		named(replayed(withKey(clockIn("maya"), "In")), "which is kept as it is"),
	})
	s.pass(t, "budi", "admin", "maya")
	out := withKey(clockOut("budi"), "out")
	s.Run(t, []apitest.Scenario{
		named(out, "out"),
		named(replayed(out), "out again"),
		named(replayed(in), "in again, though the attendance is closed"),
		clockOut("admin"),
		clockOut("maya"),
	})
	if rows := s.attendances(t, "budi@demo.test"); len(rows) != 1 || rows[0].ClockedOutAt == nil {
		t.Errorf("got %v, want one closed attendance", rows)
	}
}

// keysBesideIDs send both headers: the key decides, and the id is not
// remembered.
func keysBesideIDs(t *testing.T, s *testServer) {
	s.pass(t, "budi")
	both := under(withKey(clockIn("budi"), "both"), "id")
	since := `{"employeeShiftId":"{{budi.shift}}","since":"` + s.Clock.Now().In(morning.Location()).Format(time.RFC3339) + `"}`
	s.Run(t, []apitest.Scenario{
		named(both, "first"),
		named(replayed(both), "again"),
		named(mismatched(under(withKey(clockIn("budi", "note", `"x"`), "both"), "id")), "another body"),
	})
	s.pass(t, "budi")
	s.Run(t, []apitest.Scenario{
		named(under(refused(clockIn("budi"), 409, "ALREADY_CLOCKED_IN", since), "id"), "the id alone"),
		named(replayed(both), "both again"),
		clockOut("budi"),
	})
}

func keysByGraphQL(t *testing.T, s *testServer) {
	s.pass(t, "budi")
	one := withKey(clockInByGraphQL("budi"), "graphql")
	s.Run(t, []apitest.Scenario{
		named(one, "one field"),
		named(replayed(one), "again"),
		named(refusedByGraphQL(withKey(clockInByGraphQL("budi", "note", `"x"`), "graphql"), "IDEMPOTENCY_MISMATCH"), "another body"),
		named(mismatched(withKey(clockIn("budi"), "graphql")), "by REST"),
	})
	s.pass(t, "budi")
	two := func(latitude string) apitest.Scenario {
		return withKey(apitest.Scenario{
			Path: "/graphql", Header: bearer("budi"),
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
	before := len(s.attendances(t, "budi@demo.test"))
	s.Run(t, []apitest.Scenario{
		named(halfway, "two fields, one refused"),
		named(two("-6.2"), "two fields"),
		named(replayed(two("-6.2")), "two fields again"),
	})
	rows := s.attendances(t, "budi@demo.test")
	if len(rows) != before+1 || rows[before-1].ClockedOutAt == nil || rows[before].ClockedOutAt != nil {
		t.Errorf("got %v, want the last but one closed, and the last open", rows)
	}
	s.pass(t, "budi")
	s.Run(t, []apitest.Scenario{clockOut("budi")})
}

// unreadableKeys are refused, and nothing is done.
func unreadableKeys(t *testing.T, s *testServer) {
	before := len(s.attendances(t, "budi@demo.test"))
	for name, key := range map[string]string{
		"empty": "", "empty quotes": `""`, "unclosed": `"abc`, "list": `"a", "b"`, "space": "a b", "space at the end": `"abc "`,
		"256 characters": strings.Repeat("k", 256), "not ASCII": "kunci-é",
	} {
		byGraphQL := named(withKey(clockInByGraphQL("budi"), key), name+" by GraphQL")
		byGraphQL.Want = `{"errors":[{"message":"/.+/","extensions":{"code":"VALIDATION_FAILED","errors":[{"field":"Idempotency-Key","code":"VALIDATION_FAILED","detail":"/.+/"}],"meta":{},"requestId":"<any>"}}]}`
		s.Run(t, []apitest.Scenario{
			named(withKey(refused(clockIn("budi"), 422, "VALIDATION_FAILED", `{}`, "Idempotency-Key"), key), name), byGraphQL,
		})
	}
	if rows := s.attendances(t, "budi@demo.test"); len(rows) != before {
		t.Errorf("left %d attendances, want %d", len(rows), before)
	}
	unsigned := withKey(refused(clockIn("budi"), 401, "UNAUTHENTICATED", `{"reason":"missing","token":"access"}`), `"`)
	delete(unsigned.Header, "Authorization")
	longest := withKey(clockIn("budi"), strings.Repeat("k", 255))
	s.Run(t, []apitest.Scenario{
		named(unsigned, "not signed in"),
		named(longest, "255 characters"), named(replayed(longest), "255 characters again"),
	})
	s.pass(t, "budi")
	s.Run(t, []apitest.Scenario{clockOut("budi")})
}

// ignoredKeys come with what only reads, and with what is never remembered.
func ignoredKeys(t *testing.T, s *testServer) {
	register := apitest.Scenario{Method: "POST", Path: "/device/register", Header: bearer("budi"), Body: `{"deviceId":"other","platform":"web"}`,
		Want: `{"deviceToken":"<token wfd>"}`, WantHeader: map[string]string{"Idempotent-Replayed": ""}}
	read := apitest.Scenario{Path: "/user/profile", Header: bearer("budi"), Want: `"<any>"`, WantHeader: map[string]string{"Idempotent-Replayed": ""}}
	var all []apitest.Scenario
	for _, key := range []string{"ignored", "ignored", `"`} {
		all = append(all, named(withKey(register, key), "register "+key), named(withKey(read, key), "profile "+key))
	}
	s.Run(t, all)
	if claims := s.claims(t, "ignored"); len(claims) != 0 {
		t.Errorf("left %v, want no claim", claims)
	}
}

// claims returns the claims of a key, whoever's.
func (s *testServer) claims(t *testing.T, key string) []*ent.IdempotencyClaim {
	t.Helper()
	rows, err := s.store.ent.IdempotencyClaim.Query().Where(idempotencyclaim.Key(key)).All(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// abandon makes the claim of a key one whose request never came to an end.
func (s *testServer) abandon(t *testing.T, key string) {
	t.Helper()
	err := s.store.ent.IdempotencyClaim.Update().Where(idempotencyclaim.Key(key)).ClearOutcome().
		SetLeaseUntil(s.Clock.Now().Add(leased)).Exec(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
}

// runningKeys find the claim of a request that died, before and after its lease
// ran out.
func runningKeys(t *testing.T, s *testServer) {
	for _, door := range []struct {
		key           string
		request       func(string, ...string) apitest.Scenario
		wait, differs func(apitest.Scenario) apitest.Scenario
	}{
		{"dead", clockIn, inProgress, mismatched},
		{"dead by GraphQL", clockInByGraphQL,
			func(s apitest.Scenario) apitest.Scenario {
				s = refusedByGraphQL(s, "IDEMPOTENCY_IN_PROGRESS")
				s.WantHeader = map[string]string{"Retry-After": "1", "Idempotent-Replayed": ""}
				return s
			},
			func(s apitest.Scenario) apitest.Scenario { return refusedByGraphQL(s, "IDEMPOTENCY_MISMATCH") }},
	} {
		s.pass(t, "budi")
		key := `"` + door.key + `"`
		request, other := withKey(door.request("budi"), key), withKey(door.request("budi", "note", `"x"`), key)
		s.Run(t, []apitest.Scenario{named(request, door.key)})
		s.pass(t, "budi")
		s.Run(t, []apitest.Scenario{clockOut("budi")})
		s.pass(t, "budi")
		before := len(s.attendances(t, "budi@demo.test"))
		s.abandon(t, door.key)
		s.Run(t, []apitest.Scenario{named(door.wait(request), "at once"), named(door.differs(other), "another body")})
		s.Clock.Advance(leased - time.Microsecond)
		s.Run(t, []apitest.Scenario{named(door.wait(request), "in the lease's last instant")})
		s.Clock.Advance(time.Microsecond)
		s.Run(t, []apitest.Scenario{
			named(door.differs(other), "another body after the lease"),
			named(request, "after the lease"), named(door.differs(other), "another body then"), named(replayed(request), "again"),
		})
		if rows := s.attendances(t, "budi@demo.test"); len(rows) != before+1 {
			t.Errorf("left %d attendances, want %d", len(rows), before+1)
		}
		s.pass(t, "budi")
		s.Run(t, []apitest.Scenario{clockOut("budi")})
	}
}

// keysAtOnce sends one request many times at the same time.
func keysAtOnce(t *testing.T, s *testServer) {
	s.pass(t, "maya")
	before := len(s.attendances(t, "maya@demo.test"))
	requests := make([]apitest.Scenario, 50)
	for i := range requests {
		requests[i] = withKey(clockIn("maya", "faceLandmark", landmarks(1)), "storm")
	}
	effects := 0
	for a, n := range s.storm(t, requests) {
		done := a.status == 200 && a.body == `{"clockedIn":true}`
		switch {
		case done && !a.replayed:
			effects += n
		case done, a.status == 409 && !a.replayed && strings.Contains(a.body, `"IDEMPOTENCY_IN_PROGRESS"`):
		default:
			t.Errorf("%d × %v, want the outcome or IDEMPOTENCY_IN_PROGRESS", n, a)
		}
	}
	if rows := s.attendances(t, "maya@demo.test"); effects != 1 || len(rows) != before+1 {
		t.Errorf("%d answers came from %d attendances, want one", effects, len(rows)-before)
	}
	s.Run(t, []apitest.Scenario{named(replayed(requests[0]), "afterwards")})
	s.pass(t, "maya")
	s.Run(t, []apitest.Scenario{clockOut("maya", "faceLandmark", landmarks(1))})
}

// oldKeys are forgotten after a day, and deleted.
func oldKeys(t *testing.T, s *testServer) {
	s.pass(t, "admin")
	s.Run(t, []apitest.Scenario{withKey(clockIn("admin"), "yesterday")})
	s.pass(t, "admin")
	out := s.Clock.Now()
	s.Run(t, []apitest.Scenario{withKey(clockOut("admin"), "day")})
	s.MoveTo(t, out.Add(24*time.Hour), "admin")
	s.Run(t, []apitest.Scenario{named(replayed(withKey(clockOut("admin"), "day")), "after 24 hours")})
	s.MoveTo(t, out.Add(24*time.Hour+time.Microsecond), "admin")
	s.saveShift(t, "admin")
	next := withKey(clockIn("admin"), "day")
	s.Run(t, []apitest.Scenario{
		named(withKey(refused(clockOut("admin"), 409, "NOT_CLOCKED_IN", `{}`), "day"), "after more, what is sent anew is judged anew"),
		named(next, "after more, the key may name another request"),
		named(replayed(next), "which it does from then on"),
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.resolver.Clean(ctx) })
	defer running.Wait()
	defer stop()
	for deadline := time.Now().Add(5 * time.Second); len(s.claims(t, "yesterday")) > 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the claim of a day ago is still there")
		}
	}
	if len(s.claims(t, "day")) != 1 {
		t.Error("the claim of today is gone")
	}
}
