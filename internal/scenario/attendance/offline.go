package attendance

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// attendanceOfflineScenarios send within a minute what phones recorded offline. Their
// own times tell repeats from other events.
func attendanceOfflineScenarios(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Jakarta(12, 0, 0))
	for _, name := range []string{"budi", "admin"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.SaveShift(t, "admin")
	at := func(hour, minute, second int) []string {
		return []string{"recordedAt", strconv.Quote(stamp(hour, minute, second))}
	}
	since := func(name, at string) string {
		return `{"employeeShiftId":"{{` + name + `.shift}}","since":"` + at + `"}`
	}
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.ClockIn("budi", at(8, 0, 0)...), "in 08:00"),
		harness.Named(harness.ClockOut("budi", at(9, 0, 0)...), "out 09:00"),
		harness.Named(harness.ClockOut("budi", at(9, 2, 0)...), "out 09:02, a repeat"),
		harness.Named(harness.Refused(harness.ClockOut("budi", at(10, 0, 0)...), 409, "NOT_CLOCKED_IN", `{}`), "out 10:00 before its in"),
		harness.Named(harness.ClockIn("budi", at(9, 30, 0)...), "in 09:30"),
		harness.Named(harness.ClockOut("budi", at(9, 1, 0)...), "out 09:01, a repeat though the next is open"),
		harness.Named(harness.ClockOut("budi", at(10, 0, 0)...), "out 10:00, sent again"),
		harness.Named(harness.ClockOut("budi", at(10, 0, 0)...), "out 10:00, a repeat"),
		harness.Named(harness.ClockIn("budi", at(9, 30, 0)...), "in 09:30, a repeat after its out"),
	})
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.ClockIn("admin", at(10, 30, 0)...), "in 10:30"),
		harness.Named(harness.ClockIn("admin", at(10, 28, 0)...), "in 10:28, a repeat"),
		harness.Named(harness.ClockIn("admin", at(10, 32, 0)...), "in 10:32, a repeat"),
		harness.Named(harness.Refused(harness.ClockIn("admin", at(10, 32, 1)...), 409, "ALREADY_CLOCKED_IN", since("admin", stamp(10, 30, 0))), "in 10:32:01"),
		harness.Named(harness.Refused(harness.ClockIn("admin", at(11, 30, 0)...), 409, "ALREADY_CLOCKED_IN", since("admin", stamp(10, 30, 0))), "in 11:30 before the out"),
		harness.Named(harness.ClockOut("admin", at(11, 0, 0)...), "out 11:00"),
		harness.Named(harness.ClockIn("admin", at(11, 30, 0)...), "in 11:30, sent again"),
	})
	for name, want := range map[string]string{
		"budi": "[08:00–09:00 09:30–10:00]", "admin": "[10:30–11:00 11:30–]",
	} {
		got := []string{}
		for _, a := range s.Attendances(t, name+"@demo.test") {
			out := ""
			if a.ClockedOutAt != nil {
				out = a.ClockedOutAt.Add(7 * time.Hour).Format("15:04")
			}
			got = append(got, a.ClockedInAt.Add(7*time.Hour).Format("15:04")+"–"+out)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s's attendances are %v, want %s", name, got, want)
		}
	}
}
