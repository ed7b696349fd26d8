package attendance

import (
	"fmt"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// clockedScenarios show where budi clocked in and out, which is recorded once for a request of
// somebody else, whatever it shows of him.
func clockedScenarios(t *testing.T, s *harness.Server) {
	for _, name := range []string{"budi", "agus", "manager", "admin"} {
		s.SignIn(t, name, name+"@demo.test")
		s.Vars[name+".id"] = harness.PersonID(t, s, name+"@demo.test")
	}
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Run(t, []apitest.Scenario{harness.ClockIn("budi", "accuracy", "10")})
	s.Pass(t, "budi")
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
	of := func(fields string) string {
		return `{ attendances(where: {hasUserWith: {id: "{{budi.id}}"}, workDate: "2026-03-10"}) ` +
			`{ edges { node { ` + fields + ` } } } }`
	}
	const both = `clockedInPosition { latitude longitude accuracy } clockedOutPosition { latitude accuracy }`
	answer := func(in, out string) string {
		return `{"data":{"attendances":{"edges":[{"node":` +
			`{"clockedInPosition":` + in + `,"clockedOutPosition":` + out + `}}]}}}`
	}
	shown := answer(`{"latitude":"-6.200000","longitude":"106.816666","accuracy":10}`,
		`{"latitude":"-6.200000","accuracy":"<any>"}`)
	read := func(total int) string { return fmt.Sprintf(`{"data":{"coordinateReads":{"totalCount":%d}}}`, total) }
	inner := strings.TrimSuffix(strings.TrimPrefix(of(both), "{"), "}")
	const reads = `{ coordinateReads { totalCount } }`
	s.Run(t, []apitest.Scenario{
		asked("one's own", "budi", of(both), shown),
		asked("is not told", "budi", reads, read(0)),
		asked("by the manager", "manager", of(both), shown),
		asked("is told once", "budi", reads, read(1)),
		asked("several times in a request, with the history", "admin",
			`{ a: `+inner+` b: `+inner+` coordinateSummary(userId: "{{budi.id}}") { positionCount } }`,
			`{"data":"<any>"}`),
		asked("is told once too", "budi", reads, read(2)),
		asked("of nobody that is seen", "agus", of(both), `{"data":{"attendances":{"edges":[]}}}`),
		asked("of another company", "neighbour", of(both), `{"data":{"attendances":{"edges":[]}}}`),
	})
	s.Grant(t, "agus@demo.test", "attendance.read.all", "coordinate.read.own")
	s.SignIn(t, "agus", "agus@demo.test")
	s.Run(t, []apitest.Scenario{
		asked("without coordinates", "agus", of(both), answer("null", "null")),
		asked("is not told", "budi", reads, read(2)),
	})
}
