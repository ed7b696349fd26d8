package attendance

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// attendanceRepeatScenarios send requests again.
func attendanceRepeatScenarios(t *testing.T, s *harness.Server) {
	for _, name := range []string{"budi", "admin"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.SaveShift(t, "admin")
	t.Run("same id", func(t *testing.T) { repeatsOfOneRequest(t, s) })
	t.Run("constant id", func(t *testing.T) { repeatsOfConstantIDs(t, s) })
	t.Run("by GraphQL", func(t *testing.T) { repeatsByGraphQL(t, s) })
	t.Run("repeatSeconds", func(t *testing.T) { repeatsWithinSetting(t, s) })
	t.Run("old", func(t *testing.T) { repeatsAfterADay(t, s) })
}

func repeatsOfOneRequest(t *testing.T, s *harness.Server) {
	elsewhere := []string{"latitude", `"-6.200100"`}
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Under(harness.Refused(harness.ClockIn("budi", harness.Far...), 422, "OUTSIDE_ALLOWED_LOCATION", `{"distanceMeters":4217,"radiusMeters":100}`, "latitude"), "one"), "refused"),
		harness.Named(harness.Under(harness.ClockIn("budi", elsewhere...), "one"), "corrected, with the same id"),
		harness.Named(harness.Replayed(harness.Under(harness.ClockIn("budi", elsewhere...), "one")), "again, soon"),
	})
	s.Pass(t, "budi", "admin")
	since := `{"employeeShiftId":"{{budi.shift}}","since":"2026-03-10T09:00:00+07:00"}`
	echoed := harness.Replayed(harness.Under(harness.ClockIn("budi", elsewhere...), "one"))
	echoed.WantHeader["X-Req-Id"] = "one"
	s.Run(t, []apitest.Scenario{
		harness.Named(echoed, "again, later"),
		harness.Named(harness.Replayed(harness.Under(harness.ClockIn("budi", append(elsewhere, "unknown", `1`)...), "one")), "again, unknown members aside"),
		harness.Named(harness.Under(harness.Refused(harness.ClockIn("budi", elsewhere...), 409, "ALREADY_CLOCKED_IN", since), "two"), "again, with another id"),
		harness.Named(harness.Under(harness.Refused(harness.ClockIn("budi", elsewhere...), 409, "ALREADY_CLOCKED_IN", since), strings.Repeat("x", 129)), "an id too long is none"),
		harness.Named(harness.Under(harness.ClockIn("admin"), "one"), "somebody else's id is another"),
		harness.Named(harness.Under(harness.ClockOut("budi"), "three"), "out"),
		harness.Named(harness.Replayed(harness.Under(harness.ClockOut("budi"), "three")), "out again"),
	})
	s.Pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Replayed(harness.Under(harness.ClockOut("budi"), "three")), "out again, later"),
		harness.Named(harness.Replayed(harness.Under(harness.ClockIn("budi", elsewhere...), "one")), "in again, though the attendance is closed"),
	})
	if rows := s.Attendances(t, "budi@demo.test"); len(rows) != 1 || rows[0].ClockedOutAt == nil {
		t.Errorf("got %v, want one closed attendance", rows)
	}
	s.Run(t, []apitest.Scenario{harness.Named(harness.Under(harness.ClockIn("budi", elsewhere...), "four"), "in with another id: another entry")})
	s.Pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi"), harness.ClockOut("admin")})
}

// repeatsWithinSetting send events again under another repeatSeconds than the default.
func repeatsWithinSetting(t *testing.T, s *harness.Server) {
	set := func(value string) {
		s.GraphQL(t, s.HeaderOf("admin"), `mutation{updateCompany(input:{settings:{repeatSeconds:`+value+`}}){id}}`, nil, nil)
	}
	s.Pass(t, "budi", "admin")
	set("10")
	since := `{"employeeShiftId":"{{budi.shift}}","since":"` + s.Clock.Now().In(harness.Morning.Location()).Format(time.RFC3339) + `"}`
	s.Run(t, []apitest.Scenario{harness.ClockIn("budi")})
	s.Clock.Advance(10 * time.Second)
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("budi"), "in again after 10 seconds")})
	s.Clock.Advance(time.Second)
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockIn("budi"), 409, "ALREADY_CLOCKED_IN", since), "in again after 11 seconds"),
		harness.ClockOut("budi"),
	})
	s.Clock.Advance(10 * time.Second)
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockOut("budi"), "out again after 10 seconds")})
	s.Clock.Advance(time.Second)
	s.Run(t, []apitest.Scenario{harness.Named(harness.Refused(harness.ClockOut("budi"), 409, "NOT_CLOCKED_IN", "{}"), "out again after 11 seconds")})
	set("null")
}

// repeatsOfConstantIDs send one id with everything.
func repeatsOfConstantIDs(t *testing.T, s *harness.Server) {
	for range 2 {
		s.Pass(t, "budi", "admin")
		s.Run(t, []apitest.Scenario{harness.Named(harness.Under(harness.ClockIn("budi"), "app"), "in")})
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{harness.Named(harness.Under(harness.ClockOut("budi"), "app"), "out")})
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{harness.Named(harness.Under(harness.ClockIn("budi"), "app"), "in with the same body again")})
		s.Clock.Advance(time.Minute)
		s.Run(t, []apitest.Scenario{harness.Named(harness.Under(harness.ClockOut("budi"), "app"), "out with the same body again")})
	}
	rows := s.Attendances(t, "budi@demo.test")
	if len(rows) != 6 {
		t.Fatalf("got %d attendances, want 6: each request processed", len(rows))
	}
	for _, a := range rows {
		if a.ClockedOutAt == nil {
			t.Errorf("attendance %d is open still", a.ID)
		}
	}
}

func repeatsByGraphQL(t *testing.T, s *harness.Server) {
	s.Pass(t, "budi", "admin")
	in := func(name string) apitest.Scenario {
		return harness.Under(apitest.Scenario{
			Name: name, Path: "/graphql", Header: harness.Bearer("admin"),
			Body: `{"query":` + strconv.Quote(harness.ClockInMutation) + `,"variables":{"input":` + harness.ClockBody("admin") + `}}`,
			Want: `{"data":{"clockIn":{"clockedIn":true}}}`,
		}, "four")
	}
	first := in("in")
	first.WantHeader = map[string]string{"Idempotent-Replayed": ""}
	s.Run(t, []apitest.Scenario{first, harness.Replayed(in("again"))})
	s.Pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{harness.Replayed(in("again, later")), harness.ClockOut("admin")})
	if rows := s.Attendances(t, "admin@demo.test"); len(rows) != 2 {
		t.Errorf("got %d attendances, want 2", len(rows))
	}
}

// repeatsAfterADay finds that what is a day old is forgotten.
func repeatsAfterADay(t *testing.T, s *harness.Server) {
	s.Pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{harness.Under(harness.ClockIn("budi"), "five")})
	s.Pass(t, "budi", "admin")
	s.Run(t, []apitest.Scenario{harness.Under(harness.ClockOut("budi"), "six")})
	out := s.Clock.Now()
	s.MoveTo(t, out.Add(24*time.Hour), "budi")
	s.Run(t, []apitest.Scenario{harness.Named(harness.Replayed(harness.Under(harness.ClockOut("budi"), "six")), "after 24 hours")})
	s.MoveTo(t, out.Add(24*time.Hour+time.Microsecond), "budi")
	s.Run(t, []apitest.Scenario{harness.Named(harness.Under(harness.Refused(harness.ClockOut("budi"), 409, "NOT_CLOCKED_IN", `{}`), "six"), "after more than 24 hours")})
}
