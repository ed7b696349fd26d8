package parallel

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// placeRaces are races about where people clock in, and what they are judged by.
func placeRaces() []race {
	system := viewer.System(context.Background())
	db := func(s *harness.Server) *ent.Client { return s.Store.Ent }
	return []race{
		{"exempt a person", nil, 0, mutation(harness.Bearer("admin"), `createExemption(input: {userId: "{{budi.id}}", rule: face, endsOn: "2026-12-31"}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19}, rows("exemptions", 1, func(s *harness.Server) int {
				return db(s).Exemption.Query().CountX(system)
			}))},
		{"allow other sites", nil, 0, func(i int) apitest.Scenario {
			site := []string{"pusat", "bandung"}[i%2]
			return distinct(mutation(harness.Bearer("admin"), fmt.Sprintf(`setAllowedAddresses(input: {userId: "{{budi.id}}", addressIds: ["{{%s}}"]}) { id }`, site))(i), i)
		}, exactly(map[string]int{"": 20}, rows("allowed sites", 1, func(s *harness.Server) int {
			return db(s).AllowedPlace.Query().CountX(system)
		}))},
		{"review an attendance", func(t *testing.T, s *harness.Server) {
			s.SaveShift(t, "agus")
			s.Run(t, []apitest.Scenario{harness.ClockIn("agus", "mocked", "true")})
			a := s.Attendances(t, "agus@demo.test")
			s.Vars["flagged"] = strconv.Itoa(a[len(a)-1].ID)
		}, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), fmt.Sprintf(`reviewAttendance(id: "{{flagged}}", input: {accept: %v}) { id }`, i%2 == 0))(i), i)
		}, exactly(map[string]int{"": 1, "CONFLICT": 19}, rows("decisions", 1, func(s *harness.Server) int {
			return db(s).AuditEvent.Query().Where(auditevent.Action("attendance.reviewed")).CountX(system)
		}))},
	}
}

// signInJudges signs in who decides and whom they decide about.
func signInJudges(t *testing.T, s *harness.Server) {
	for _, name := range []string{"admin", "agus", "budi"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SaveSites(t, "budi")
	s.Vars["budi.id"] = strconv.Itoa(s.Store.Ent.User.Query().Where(user.Email("budi@demo.test")).OnlyIDX(viewer.System(t.Context())))
}
