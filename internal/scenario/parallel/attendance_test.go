package parallel

import (
	"fmt"
	"strings"
	"testing"

	"workforce/ent/clockstate"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

const (
	clockedIn  = `{"clockedIn":true}`
	clockedOut = `{"clockedOut":true}`
)

// clockers are the people of the races of clock events, each of one race.
var clockers = []string{"budi", "admin", "agus", "ayu", "maya", "siti", "putri", "fitri", "eko", "nur"}

// signInClockers signs everybody in and gets their occurrences of today.
func signInClockers(t *testing.T, s *harness.Server) {
	for _, name := range clockers {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SignIn(t, "dewi", "dewi@demo.test")
	s.SaveSites(t, "budi")
	for _, name := range clockers {
		s.SaveShift(t, name)
	}
}

// in returns a clock-in with one of two faces.
func in(name string, i int) apitest.Scenario {
	return harness.ClockIn(name, "faceLandmark", harness.Landmarks(i%2))
}

// hasClockedIn clocks somebody in and waits until another clock-in is no repeat.
func hasClockedIn(name string) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		s.Run(t, []apitest.Scenario{harness.ClockIn(name)})
		s.Pass(t, clockers...)
	}
}

// attendanceRaces are clock-ins and clock-outs of one user each.
func attendanceRaces() []race {
	return []race{
		{"a day without an occurrence", nil, 0, func(int) apitest.Scenario {
			return apitest.Scenario{Method: "GET", Path: "/attendance/shiftToday", Header: harness.Bearer("dewi")}
		}, func(t *testing.T, s *harness.Server, got answers) {
			for o, n := range got {
				if o.Status != 200 || n != 20 || strings.Count(o.Body, "employeeShiftId") != 1 {
					t.Errorf("%d × %v, want the same shift 20 times", n, o)
				}
			}
		}},
		{"clock-in, the same id", nil, 0, func(i int) apitest.Scenario { return harness.Under(in("budi", 1), "once") },
			once(20, clockedIn, left("budi", 1, "open"))},
		{"clock-in, 200 times the same id", nil, 200, func(i int) apitest.Scenario { return harness.Under(in("maya", 1), "once") },
			once(200, clockedIn, left("maya", 1, "open"))},
		{"clock-in, different ids", nil, 0, func(i int) apitest.Scenario { return distinct(in("admin", i), i) },
			all(20, clockedIn, left("admin", 1, "open"))},
		{"clock-in, no ids", nil, 0, func(i int) apitest.Scenario { return in("siti", i) },
			all(20, clockedIn, left("siti", 1, "open"))},
		{"clock-in, a constant id and different bodies", nil, 0, func(i int) apitest.Scenario {
			return harness.Under(harness.ClockIn("agus", "note", fmt.Sprintf(`"%d"`, i)), "app")
		}, all(20, clockedIn, left("agus", 0, "open"))},
		{"clock-in, the first ever of somebody without a lock row", withoutLockRow("ayu"), 0,
			func(i int) apitest.Scenario { return distinct(in("ayu", i), i) },
			all(20, clockedIn, left("ayu", 1, "open"))},
		{"clock-in, by GraphQL and REST", nil, 0, eitherAPI,
			func(t *testing.T, s *harness.Server, got answers) {
				got.want(t, answers{{Status: 200, Body: clockedIn}: 10, {Status: 200, Body: `{"data":{"clockIn":` + clockedIn + `}}`}: 10})
				left("nur", 1, "open")(t, s)
			}},
		{"clock-out, the same id", hasClockedIn("putri"), 0, func(i int) apitest.Scenario { return harness.Under(harness.ClockOut("putri"), "out") },
			once(20, clockedOut, left("putri", 0, "closed"))},
		{"clock-out, different ids", hasClockedIn("fitri"), 0, func(i int) apitest.Scenario { return distinct(harness.ClockOut("fitri"), i) },
			all(20, clockedOut, left("fitri", 0, "closed"))},
		{"clock-in while clocking out", hasClockedIn("eko"), 0, inOrOut, checkInOrOut},
	}
}

// eitherAPI returns a clock-in of nur's, every other one by GraphQL.
func eitherAPI(i int) apitest.Scenario {
	r := distinct(in("nur", i), i)
	if i%2 == 1 {
		r.Path, r.Body = "/graphql", `{"query":"`+harness.ClockInMutation+`","variables":{"input":`+r.Body+`}}`
	}
	return r
}

// inOrOut returns clock-outs and clock-ins of eko's, who is clocked in, by turns.
func inOrOut(i int) apitest.Scenario {
	if i%2 == 0 {
		return distinct(harness.ClockOut("eko"), i)
	}
	return distinct(harness.ClockIn("eko"), i)
}

// checkInOrOut wants what the requests give in any order: clock-ins are refused until
// the first clock-out; then one opens another attendance, which the other clock-outs
// do not end, being at the same instant.
func checkInOrOut(t *testing.T, s *harness.Server, got answers) {
	ins, outs := got[harness.Outcome{Status: 200, Body: clockedIn}], got[harness.Outcome{Status: 200, Body: clockedOut}]
	already, not := got.code("ALREADY_CLOCKED_IN"), got.code("NOT_CLOCKED_IN")
	if ins+already != 10 || outs+not != 10 || outs == 0 || ins == 0 && not > 0 {
		t.Errorf("got %v", got)
	}
	if ins == 0 {
		left("eko", 0, "closed")(t, s)
	} else {
		left("eko", 0, "closed", "open")(t, s)
	}
}

// withoutLockRow removes the lock row of somebody's clock events.
func withoutLockRow(name string) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		n, err := s.Store.Ent.ClockState.Delete().Where(clockstate.HasUserWith(user.Email(name + "@demo.test"))).Exec(viewer.System(t.Context()))
		if err != nil || n != 1 {
			t.Fatal(n, err)
		}
	}
}

// left compares somebody's attendances of today, each open or closed, and how many
// faces they have registered. There is one lock row.
func left(name string, faces int, want ...string) func(*testing.T, *harness.Server) {
	return func(t *testing.T, s *harness.Server) {
		t.Helper()
		var got []string
		for _, a := range s.Attendances(t, name+"@demo.test") {
			state := "open"
			if a.ClockedOutAt != nil {
				state = "closed"
			}
			got = append(got, state)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("left %v, want %v", got, want)
		}
		ctx, who := viewer.System(t.Context()), user.Email(name+"@demo.test")
		if n := s.Store.Ent.FaceTemplate.Query().Where(facetemplate.HasUserWith(who)).CountX(ctx); n != faces {
			t.Errorf("left %d faces, want %d", n, faces)
		}
		if n := s.Store.Ent.ClockState.Query().Where(clockstate.HasUserWith(who)).CountX(ctx); n != 1 {
			t.Errorf("left %d lock rows", n)
		}
	}
}
