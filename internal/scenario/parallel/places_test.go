package parallel

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/employeeshift"
	"workforce/ent/plannedday"
	entPosition "workforce/ent/position"
	entShift "workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/shiftresult"
	"workforce/ent/shiftswap"
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
		{"create a rotation", nil, 0, mutation(harness.Bearer("admin"), `createRotation(input: {name: "Raced", days: [null]}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19}, rows("rotations", 1, func(s *harness.Server) int {
				return db(s).Rotation.Query().CountX(system)
			}))},
		{"set a fallback shift", nil, 0, mutation(harness.Bearer("admin"), `setFallbackShift(input: {userId: "{{budi.id}}", shiftId: "{{a shift}}"}) { id }`),
			exactly(map[string]int{"": 20}, rows("fallback shifts", 1, func(s *harness.Server) int {
				return db(s).FallbackShift.Query().CountX(system)
			}))},
		{"plan a day", nil, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), `planDay(input: {userId: "{{budi.id}}", date: "2026-03-20", shiftIds: []}) { id }`)(i), i)
		}, exactly(map[string]int{"": 20}, rows("planned days", 1, func(s *harness.Server) int {
			return db(s).PlannedDay.Query().CountX(system)
		}))},
		{"plan a day as expected", nil, 0, func(i int) apitest.Scenario {
			const input = `userId: "{{budi.id}}", date: "2026-03-21", shiftIds: [], expectedShiftIds: null`
			return distinct(mutation(harness.Bearer("admin"), `planDay(input: {`+input+`}) { id }`)(i), i)
		}, exactly(map[string]int{"": 1, "VERSION_CONFLICT": 19})},
		{"change the company", nil, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), `updateCompany(input: {settings: {auditDays: 3000}, version: 1}) { id }`)(i), i)
		}, exactly(map[string]int{"": 1, "VERSION_CONFLICT": 19})},
		{"copy a week", func(t *testing.T, s *harness.Server) {
			budi := db(s).User.Query().Where(user.Email("budi@demo.test")).OnlyX(system)
			db(s).PlannedDay.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetDate("2026-04-03").
				SetShiftIds([]int{}).ExecX(system)
		}, 0, func(i int) apitest.Scenario {
			const input = `from: "2026-03-30", to: "2026-04-06", userIds: ["{{budi.id}}"]`
			return distinct(mutation(harness.Bearer("admin"), `copyWeek(input: {`+input+`}) { copied }`)(i), i)
		}, exactly(map[string]int{"": 20}, rows("copied days", 1, func(s *harness.Server) int {
			return db(s).PlannedDay.Query().Where(plannedday.DateGTE("2026-04-06")).CountX(system)
		}), rows("records", 1, func(s *harness.Server) int {
			copied := db(s).PlannedDay.Query().Where(plannedday.DateGTE("2026-04-06")).OnlyIDX(system)
			return db(s).AuditEvent.Query().
				Where(auditevent.Action("planned_day.created"), auditevent.SubjectID(copied)).CountX(system)
		}))},
		{"edit a shift", saveShift, 0, func(i int) apitest.Scenario {
			member := []string{"opensBeforeMinutes", "closesAfterMinutes"}[i%2]
			return distinct(mutation(harness.Bearer("admin"), fmt.Sprintf(`updateShift(id: "{{edited}}", input: {%s: %d}) { id }`, member, 40+i%2))(i), i)
		}, exactly(map[string]int{"": 20}, rows("edits", 20, func(s *harness.Server) int {
			edited := db(s).Shift.Query().Where(entShift.Name("edited"), entShift.OpensBeforeMinutes(40), entShift.ClosesAfterMinutes(41)).OnlyX(system)
			return edited.Version - 1
		}))},
		{"part an assignment", func(t *testing.T, s *harness.Server) {
			a := db(s).ShiftAssignment.Query().Where(shiftassignment.HasUserWith(user.Email("budi@demo.test"))).OnlyX(system)
			s.Vars["parted"] = strconv.Itoa(a.ID)
		}, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), `splitShiftAssignment(id: "{{parted}}", input: {date: "2026-03-23"}) { id }`)(i), i)
		}, exactly(map[string]int{"": 20}, rows("parts", 2, func(s *harness.Server) int {
			return db(s).ShiftAssignment.Query().Where(shiftassignment.HasUserWith(user.Email("budi@demo.test"))).CountX(system)
		}))},
		{"report positions", func(t *testing.T, s *harness.Server) {
			s.SaveShift(t, "budi")
			s.Run(t, []apitest.Scenario{mutation(harness.Bearer("budi"), `setCoordinateConsent(input: {granted: true}) { id }`)(0), harness.ClockIn("budi")})
			s.Vars["now"] = s.Clock.Now().Format(time.RFC3339)
			s.Vars["soon"] = s.Clock.Now().Add(time.Minute).Format(time.RFC3339)
		}, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("budi"), `reportCoordinates(input: {points: [
				{latitude: "-6.2", longitude: "106.8", recordedAt: "{{now}}"}, {latitude: "-6.21", longitude: "106.8", recordedAt: "{{soon}}"}]}) { accepted dropped { index } }`)(i), i)
		}, exactly(map[string]int{"": 20}, rows("positions", 3, func(s *harness.Server) int {
			return db(s).Position.Query().Where(entPosition.HasUserWith(user.Email("budi@demo.test")), entPosition.RecordedAtGTE(s.Clock.Now())).CountX(system)
		}))},
		{"ask for another shift", func(t *testing.T, s *harness.Server) {
			s.SaveShift(t, "agus")
			o := db(s).EmployeeShift.Query().Where(employeeshift.HasUserWith(user.Email("agus@demo.test")), employeeshift.DateGT("2026-03-12")).FirstX(system)
			s.Vars["upcoming"] = strconv.Itoa(o.ID)
			other := db(s).Shift.Query().Where(entShift.CompanyID(o.CompanyID), entShift.IDNEQ(o.ShiftID)).FirstX(system)
			s.Vars["wanted"] = strconv.Itoa(other.ID)
		}, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("agus"), `requestShiftSwap(input: {employeeShiftId: "{{upcoming}}", shiftId: "{{wanted}}"}) { id }`)(i), i)
		}, exactly(map[string]int{"": 1, "CONFLICT": 19}, rows("requests", 1, func(s *harness.Server) int {
			return db(s).ShiftSwap.Query().Where(shiftswap.ColleagueIDIsNil()).CountX(system) // the demo has one with a colleague
		}))},
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
		{"confirm an attendance", saveForgotten, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer([]string{"admin", "agus"}[i%2]), `confirmAttendance(id: "{{forgotten}}") { id }`)(i), i)
		}, exactly(map[string]int{"": 1, "CONFLICT": 19}, rows("confirmations", 1, func(s *harness.Server) int {
			return db(s).AuditEvent.Query().Where(auditevent.Action("attendance.confirmed")).CountX(system)
		}))},
		{"find results anew", saveForgotten, 0, func(i int) apitest.Scenario {
			return distinct(mutation(harness.Bearer("admin"), `recomputeShiftResults(input: {userIds: ["{{agus.id}}"], from: "2026-03-02", to: "2026-03-10"}) { count }`)(i), i)
		}, exactly(map[string]int{"": 20}, rows("results", 1, func(s *harness.Server) int {
			return db(s).ShiftResult.Query().Where(shiftresult.Date("2026-03-10"), shiftresult.HasUserWith(user.Email("agus@demo.test"))).CountX(system)
		}))},
	}
}

// saveForgotten has agus clock in and not out, a rule close it, and saves its id.
func saveForgotten(t *testing.T, s *harness.Server) {
	if s.Vars["forgotten"] != "" {
		return
	}
	s.SaveShift(t, "agus")
	s.Run(t, []apitest.Scenario{harness.ClockIn("agus")})
	s.MoveTo(t, harness.Jakarta(22, 0, 0), "agus", "admin")
	harness.RunDays(t, s)
	a := s.Attendances(t, "agus@demo.test")
	s.Vars["forgotten"] = strconv.Itoa(a[len(a)-1].ID)
	s.Vars["agus.id"] = strconv.Itoa(a[len(a)-1].UserID)
}

// saveShift creates a shift, and saves its id.
func saveShift(t *testing.T, s *harness.Server) {
	one := mutation(harness.Bearer("admin"), `createShift(input: {name: "edited", startTime: "08:00", endTime: "17:00"}) { id }`)(0)
	one.Save = map[string]string{"edited": "/data/createShift/id"}
	s.Run(t, []apitest.Scenario{one})
}

// signInJudges signs in who decides and whom they decide about.
func signInJudges(t *testing.T, s *harness.Server) {
	for _, name := range []string{"admin", "agus", "budi"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SaveSites(t, "budi")
	u := s.Store.Ent.User.Query().Where(user.Email("budi@demo.test")).OnlyX(viewer.System(t.Context()))
	s.Vars["a shift"] = strconv.Itoa(s.Store.Ent.Shift.Query().Where(entShift.CompanyID(u.CompanyID)).FirstIDX(viewer.System(t.Context())))
	s.Vars["budi.id"] = strconv.Itoa(s.Store.Ent.User.Query().Where(user.Email("budi@demo.test")).OnlyIDX(viewer.System(t.Context())))
}
