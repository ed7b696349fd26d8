package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/apitest"
)

// attendanceRepeatScenarios send requests again.
func attendanceRepeatScenarios(t *testing.T, s *testServer) {
	for _, name := range []string{"budi", "admin"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.saveSites(t, "budi")
	s.saveShift(t, "budi")
	s.saveShift(t, "admin")
	t.Run("same id", func(t *testing.T) { repeatsOfOneRequest(t, s) })
	t.Run("constant id", func(t *testing.T) { repeatsOfConstantIDs(t, s) })
	t.Run("by GraphQL", func(t *testing.T) { repeatsByGraphQL(t, s) })
	t.Run("old", func(t *testing.T) { repeatsAfterADay(t, s) })
}

// pass moves the clock on, beyond what counts as a double tap.
func (s *testServer) pass(t *testing.T, names ...string) {
	t.Helper()
	s.MoveTo(t, s.Clock.Now().Add(5*time.Minute), names...)
}

func repeatsOfOneRequest(t *testing.T, s *testServer) {
	elsewhere := []string{"latitude", `"-6.200100"`}
	s.Run(t, []apitest.Scenario{
		named(under(refused(clockIn("budi", far...), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":4217,"radiusMeters":100}`, "latitude"), "one"), "refused"),
		named(under(clockIn("budi", elsewhere...), "one"), "corrected, with the same id"),
		named(replayed(under(clockIn("budi", elsewhere...), "one")), "again, soon"),
	})
	s.pass(t, "budi", "admin")
	since := `{"employeeShiftId":"{{budi.shift}}","since":"2026-03-10T09:00:00+07:00"}`
	echoed := replayed(under(clockIn("budi", elsewhere...), "one"))
	echoed.WantHeader["X-Req-Id"] = "one"
	s.Run(t, []apitest.Scenario{
		named(echoed, "again, later"),
		named(replayed(under(clockIn("budi", append(elsewhere, "unknown", `1`)...), "one")), "again, unknown members aside"),
		named(under(refused(clockIn("budi", elsewhere...), 409, "ALREADY_CLOCKED_IN", since), "two"), "again, with another id"),
		named(under(refused(clockIn("budi", elsewhere...), 409, "ALREADY_CLOCKED_IN", since), strings.Repeat("x", 129)), "an id too long is none"),
		named(under(clockIn("admin"), "one"), "somebody else's id is another"),
		named(under(clockOut("budi"), "three"), "out"),
		named(replayed(under(clockOut("budi"), "three")), "out again"),
	})
	s.pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{
		named(replayed(under(clockOut("budi"), "three")), "out again, later"),
		named(under(clockIn("budi", elsewhere...), "one"), "no replay once the attendance is closed: another entry"),
		named(replayed(under(clockIn("budi", elsewhere...), "one")), "which is replayed in turn"),
	})
	if rows := s.attendances(t, "budi@demo.test"); len(rows) != 2 || rows[0].ClockedOutAt == nil || rows[1].ClockedOutAt != nil {
		t.Errorf("got %v, want a closed and an open attendance", rows)
	}
	s.pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{clockOut("budi"), clockOut("admin")})
}

// repeatsOfConstantIDs send one id with everything.
func repeatsOfConstantIDs(t *testing.T, s *testServer) {
	for range 2 {
		s.pass(t, "budi", "admin")
		s.Run(t, []apitest.Scenario{named(under(clockIn("budi"), "app"), "in")})
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{named(under(clockOut("budi"), "app"), "out")})
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{named(under(clockIn("budi"), "app"), "in with the same body again")})
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{named(under(clockOut("budi"), "app"), "out with the same body again")})
	}
	rows := s.attendances(t, "budi@demo.test")
	if len(rows) != 6 {
		t.Fatalf("got %d attendances, want 6: each request processed", len(rows))
	}
	for _, a := range rows {
		if a.ClockedOutAt == nil {
			t.Errorf("attendance %d is open still", a.ID)
		}
	}
}

func repeatsByGraphQL(t *testing.T, s *testServer) {
	s.pass(t, "budi", "admin")
	in := func(name string) apitest.Scenario {
		return under(apitest.Scenario{
			Name: name, Path: "/graphql", Header: bearer("admin"),
			Body: `{"query":` + strconv.Quote(clockInMutation) + `,"variables":{"input":` + clockBody("admin") + `}}`,
			Want: `{"data":{"clockIn":{"clockedIn":true}}}`,
		}, "four")
	}
	first := in("in")
	first.WantHeader = map[string]string{"Idempotent-Replayed": ""}
	s.Run(t, []apitest.Scenario{first, replayed(in("again"))})
	s.pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{replayed(in("again, later")), clockOut("admin")})
	if rows := s.attendances(t, "admin@demo.test"); len(rows) != 2 {
		t.Errorf("got %d attendances, want 2", len(rows))
	}
}

// repeatsAfterADay finds that what is a day old is forgotten.
func repeatsAfterADay(t *testing.T, s *testServer) {
	s.pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{under(clockIn("budi"), "five")})
	s.pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{under(clockOut("budi"), "six")})
	out := s.Clock.Now()
	s.MoveTo(t, out.Add(24*time.Hour), "budi")
	s.Run(t, []apitest.Scenario{named(replayed(under(clockOut("budi"), "six")), "after 24 hours")})
	s.MoveTo(t, out.Add(24*time.Hour+time.Microsecond), "budi")
	s.Run(t, []apitest.Scenario{named(under(refused(clockOut("budi"), 409, "NOT_CLOCKED_IN", `{}`), "six"), "after more than 24 hours")})
}

// An outcome is what a request got.
type outcome struct {
	status   int
	body     string
	replayed bool
}

// storm sends requests all at once and returns how often each answer came.
func (s *testServer) storm(t *testing.T, requests []apitest.Scenario) map[outcome]int {
	t.Helper()
	var mu sync.Mutex
	answers := map[outcome]int{}
	start := make(chan struct{})
	var running sync.WaitGroup
	for _, r := range requests {
		running.Go(func() {
			<-start
			a, err := s.attempt(r)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			answers[a]++
		})
	}
	close(start)
	running.Wait()
	return answers
}

// attempt sends the request of a scenario, whose places have been filled.
func (s *testServer) attempt(r apitest.Scenario) (outcome, error) {
	req, err := http.NewRequest(http.MethodPost, s.URL+r.Path, strings.NewReader(s.filled(r.Body)))
	if err != nil {
		return outcome{}, err
	}
	for name, value := range r.Header {
		req.Header.Set(name, s.filled(value))
	}
	resp, err := s.HTTP.Do(req)
	if err != nil {
		return outcome{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return outcome{resp.StatusCode, strings.TrimSpace(string(body)), resp.Header.Get("Idempotent-Replayed") != ""}, err
}

// filled puts saved values into text.
func (s *testServer) filled(text string) string {
	for name, value := range s.Vars {
		text = strings.ReplaceAll(text, "{{"+name+"}}", value)
	}
	return text
}

// attendanceRaceScenarios send requests at the same time.
func attendanceRaceScenarios(t *testing.T, s *testServer) {
	names := []string{"budi", "admin", "agus", "ayu", "maya", "siti"}
	for _, name := range names {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.saveSites(t, "budi")
	for _, name := range names[:5] {
		s.saveShift(t, name)
	}
	in := func(name string, n int, id func(int) string) (requests []apitest.Scenario) {
		for i := range n {
			r := clockIn(name, "faceLandmark", landmarks(i%2))
			if id != nil {
				r = under(r, id(i))
			}
			requests = append(requests, r)
		}
		return requests
	}
	distinct := func(i int) string { return fmt.Sprint("request-", i) }
	for _, race := range []struct {
		about, name string
		requests    []apitest.Scenario
	}{
		{"with distinct ids", "budi", in("budi", 20, distinct)},
		{"without ids", "admin", in("admin", 20, nil)},
		{"with a constant id and different bodies", "agus", in("agus", 20, func(int) string { return "app" })},
		{"with two faces", "ayu", in("ayu", 2, distinct)},
	} {
		t.Run(race.about, func(t *testing.T) {
			for a, n := range s.storm(t, race.requests) {
				if a.status != 200 || a.body != `{"clockedIn":true}` {
					t.Errorf("%d × %v, want clockedIn", n, a)
				}
			}
			email := race.name + "@demo.test"
			if rows, faces := s.attendances(t, email), s.faces(t, email); len(rows) != 1 || len(faces) != 1 {
				t.Errorf("left %d attendances and %d faces, want one of each", len(rows), len(faces))
			}
		})
	}
	t.Run("200 times the same", func(t *testing.T) {
		requests := make([]apitest.Scenario, 200)
		for i := range requests {
			requests[i] = under(clockIn("maya", "faceLandmark", landmarks(1)), "storm")
		}
		answers := s.storm(t, requests)
		once, replay := outcome{200, `{"clockedIn":true}`, false}, outcome{200, `{"clockedIn":true}`, true}
		if answers[once] != 1 || answers[replay] != 199 {
			t.Errorf("got %v, want one outcome and 199 replays of it", answers)
		}
		if rows := s.attendances(t, "maya@demo.test"); len(rows) != 1 {
			t.Errorf("left %d attendances, want 1", len(rows))
		}
	})
	t.Run("clock-outs", func(t *testing.T) {
		s.Clock.Advance(time.Minute)
		requests := make([]apitest.Scenario, 20)
		for i := range requests {
			requests[i] = under(clockOut("budi"), distinct(100+i))
		}
		for a, n := range s.storm(t, requests) {
			if a.status != 200 || a.body != `{"clockedOut":true}` {
				t.Errorf("%d × %v, want clockedOut", n, a)
			}
		}
	})
	t.Run("first looks at the day", func(t *testing.T) { firstLooks(t, s) })
}

// firstLooks asks for a day whose occurrence nobody has made yet.
func firstLooks(t *testing.T, s *testServer) {
	answers := s.askAtOnce(t, 20, "GET", "/attendance/shiftToday", map[string]string{"Authorization": "Bearer " + s.Vars["siti.access"]}, "")
	for _, a := range answers {
		if a.status != 200 || a != answers[0] {
			t.Errorf("got %v and %v, want the same shift", a, answers[0])
		}
	}
}

// TestFacesAreSealedAtRest looks for a coordinate in all files of a database.
func TestFacesAreSealedAtRest(t *testing.T) {
	folder := t.TempDir()
	s := newTestServer(t, "sqlite:"+filepath.Join(folder, "test.db"))
	s.SignIn(t, "budi", "budi@demo.test")
	s.saveSites(t, "budi")
	s.saveShift(t, "budi")
	s.Run(t, []apitest.Scenario{under(clockIn("budi", "faceLandmark", landmarks(1)), "one")})
	if len(s.faces(t, "budi@demo.test")) != 1 {
		t.Fatal("no face was registered")
	}
	const literal = "01234567890123456"
	if !strings.Contains(landmarks(1), literal) {
		t.Fatalf("no landmark has %s", literal)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), literal) {
			t.Errorf("%s holds a landmark in clear", filepath.Base(f))
		}
	}
	if strings.Contains(s.Log.Lines(), literal) {
		t.Error("the log holds a landmark")
	}
}
