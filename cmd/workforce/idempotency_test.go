package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/idempotencyclaim"
	"workforce/internal/apitest"
	"workforce/internal/testdb"
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

// atAttendance runs f whenever a server is about to write an attendance: after
// the claim, before the outcome.
func (s *testServer) atAttendance(f func()) {
	s.store.ent.Attendance.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if m.Op().Is(ent.OpCreate) {
				f()
			}
			return next.Mutate(ctx, m)
		})
	})
}

// dying names the database of the server that TestDyingServer is to be.
const dying = "WORKFORCE_TEST_DYING"

// TestDyingServer is, in a process of its own, a server that kills itself in the
// midst of the first clock-in.
func TestDyingServer(t *testing.T) {
	database := os.Getenv(dying)
	if database == "" {
		return // this is the test's own process
	}
	s := newTestServer(t, database)
	s.atAttendance(func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} })
	fmt.Println("URL", s.URL)
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent is gone
}

// TestKillBetweenClaimAndOutcome kills a server while a request holds its key.
// Another server refuses the repeat until the lease ran out, and then carries it
// out once.
func TestKillBetweenClaimAndOutcome(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		s := newTestServer(t, database)
		s.SignIn(t, "budi", "budi@demo.test")
		s.saveShift(t, "budi")
		s.saveSites(t, "budi")
		request := withKey(clockIn("budi"), "killed")

		child := exec.Command(os.Args[0], "-test.run=^TestDyingServer$")
		child.Env = append(os.Environ(), dying+"="+database)
		stdin, err := child.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		defer stdin.Close()
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var errors bytes.Buffer
		child.Stderr = &errors
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		other := *s
		other.Client = apitest.Dial(t, "")
		other.Vars = s.Vars
		for other.URL == "" && lines.Scan() {
			other.URL, _ = strings.CutPrefix(lines.Text(), "URL ")
		}
		if a, err := other.attempt(request); err == nil {
			t.Errorf("the server answered %v, want it to die", a)
		}
		if err := child.Wait(); child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the server ended with %v, want it killed\n%s", err, errors.String())
		}
		if rows := s.claims(t, "killed"); len(rows) != 1 || rows[0].Outcome != nil {
			t.Fatalf("the dead left %v, want a claim without an outcome", rows)
		}
		s.Run(t, []apitest.Scenario{named(inProgress(request), "within the lease")})
		s.Clock.Advance(leased + time.Minute) // the dead one's clock may have been ahead
		s.Run(t, []apitest.Scenario{named(request, "after the lease"), named(replayed(request), "again")})
		if rows := s.attendances(t, "budi@demo.test"); len(rows) != 1 {
			t.Errorf("left %d attendances, want 1", len(rows))
		}
	})
}

// TestLateFirstRequest has a request outlast its lease on one server, while
// another server gets the repeat: one of them has the effect.
func TestLateFirstRequest(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		first, second := newTestServer(t, database), newTestServer(t, database)
		first.SignIn(t, "budi", "budi@demo.test")
		first.saveShift(t, "budi")
		first.saveSites(t, "budi")
		second.Vars = first.Vars
		request := withKey(clockIn("budi"), "late")

		reached, goOn := make(chan struct{}), make(chan struct{})
		first.atAttendance(func() { close(reached); <-goOn })
		answers := make(chan outcome, 2)
		var running sync.WaitGroup
		send := func(s *testServer) {
			running.Go(func() {
				a, err := s.attempt(request)
				if err != nil {
					t.Error(err)
				}
				answers <- a
			})
		}
		send(first)
		<-reached
		holder := first.claims(t, "late")[0].Holder
		second.Clock.Advance(leased)
		send(second)
		mysql := strings.HasPrefix(database, "mysql")
		for deadline := time.Now().Add(3 * time.Second); mysql; time.Sleep(5 * time.Millisecond) {
			if !bytes.Equal(first.claims(t, "late")[0].Holder, holder) {
				break
			}
			if time.Now().After(deadline) {
				t.Error("the second request did not take over")
				break
			}
		}
		close(goOn)
		running.Wait()
		close(answers)

		count := map[string]int{}
		for a := range answers {
			switch {
			case a.status == 200 && !a.replayed:
				count["done"]++
			case a.status == 200:
				count["replayed"]++
			case a.status == 409 && strings.Contains(a.body, `"IDEMPOTENCY_IN_PROGRESS"`):
				count["undone"]++
			default:
				t.Errorf("got %v", a)
			}
		}
		want := "replayed" // a file has one writer: the second waits for the first
		if mysql {
			want = "undone"
		}
		if count["done"] != 1 || count[want] != 1 {
			t.Errorf("got %v, want one done and one %s", count, want)
		}
		if rows := first.attendances(t, "budi@demo.test"); len(rows) != 1 {
			t.Errorf("left %d attendances, want 1", len(rows))
		}
		second.Run(t, []apitest.Scenario{named(replayed(request), "afterwards")})
	})
}

// TestKeysOnTwoServers sends one request to two servers at the same time.
func TestKeysOnTwoServers(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		servers := []*testServer{newTestServer(t, database), newTestServer(t, database)}
		one := servers[0]
		one.SignIn(t, "budi", "budi@demo.test")
		one.saveShift(t, "budi")
		one.saveSites(t, "budi")
		request := withKey(clockIn("budi"), "twice")
		var running sync.WaitGroup
		var mu sync.Mutex
		done := 0
		for i := range 20 {
			running.Go(func() {
				s := *servers[i%2]
				s.Client = &apitest.Client{URL: servers[i%2].URL, HTTP: servers[i%2].HTTP, Vars: one.Vars}
				a, err := s.attempt(request)
				switch {
				case err != nil:
					t.Error(err)
				case a.status == 200 && !a.replayed:
					mu.Lock()
					done++
					mu.Unlock()
				case a.status != 200 && a.status != 409:
					t.Errorf("got %v", a)
				}
			})
		}
		running.Wait()
		if rows := one.attendances(t, "budi@demo.test"); done != 1 || len(rows) != 1 {
			t.Errorf("%d answers came from %d attendances, want one", done, len(rows))
		}
		servers[1].Vars = one.Vars
		servers[1].Run(t, []apitest.Scenario{named(replayed(request), "afterwards")})
	})
}

// TestDisconnectedClient gives the key back when the client of an unfinished
// request is gone.
func TestDisconnectedClient(t *testing.T) {
	eachServer(t, func(t *testing.T, s *testServer) {
		s.SignIn(t, "budi", "budi@demo.test")
		s.saveShift(t, "budi")
		s.saveSites(t, "budi")
		reached, goOn := make(chan struct{}, 2), make(chan struct{})
		s.atAttendance(func() { reached <- struct{}{}; <-goOn })
		request := withKey(clockIn("budi"), "gone")
		impatient := *s
		impatient.Client = apitest.Dial(t, s.URL)
		impatient.Vars = s.Vars
		ended := make(chan error)
		impatient.HTTP.Timeout = 300 * time.Millisecond
		go func() { _, err := impatient.attempt(request); ended <- err }()
		<-reached
		if err := <-ended; err == nil {
			t.Error("an answer came, want none")
		}
		time.Sleep(50 * time.Millisecond) // the server hears of it
		close(goOn)
		for deadline := time.Now().Add(5 * time.Second); len(s.claims(t, "gone")) > 0; time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("the key was not given back")
			}
		}
		s.Run(t, []apitest.Scenario{named(request, "again")})
		exists, err := s.store.ent.IdempotencyClaim.Query().Where(idempotencyclaim.OutcomeNotNil()).Count(viewer.System(t.Context()))
		if err != nil || exists != 1 {
			t.Errorf("left %d outcomes, %v, want 1", exists, err)
		}
		if rows := s.attendances(t, "budi@demo.test"); len(rows) != 1 {
			t.Errorf("left %d attendances, want 1", len(rows))
		}
	})
}
