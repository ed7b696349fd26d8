package attendance

import (
	"fmt"
	"strconv"
	"testing"

	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// forgottenScenarios forget to clock out: somebody is reminded, closed by rule, and
// confirms it; the result of the shift follows.
func forgottenScenarios(t *testing.T, s *harness.Server) {
	people := []string{"agus", "fitri", "manager", "admin"}
	for _, name := range people {
		s.SignIn(t, name, name+"@demo.test")
		s.Vars[name+".id"] = strconv.Itoa(s.Store.Ent.User.Query().Where(user.Email(name + "@demo.test")).OnlyIDX(viewer.System(t.Context())))
	}
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.SaveSites(t, "agus")
	s.SaveShift(t, "agus")
	s.SaveShift(t, "fitri")
	s.Run(t, []apitest.Scenario{
		harness.ClockIn("agus"),
		asked("fitri reads the shifts of all, and no attendance but their own", "admin",
			`mutation { createRole(input: {name: "Planner", permissions: ["shift.read.all", "attendance.read.own"]}) { id } }`, `{"data":{"createRole":{"id":"<any>"}}}`),
	})
	const latest = `{ attendances(last: 1, orderBy: {field: CLOCKED_IN_AT}) { edges { node { autoClosed closingRule needsConfirmation clockedOutAt } } } }`
	shown := func(auto bool, rule string, confirm bool, out string) string {
		return fmt.Sprintf(`{"data":{"attendances":{"edges":[{"node":{"autoClosed":%v,"closingRule":%s,"needsConfirmation":%v,"clockedOutAt":%s}}]}}}`, auto, rule, confirm, out)
	}
	s.MoveTo(t, harness.Jakarta(17, 31, 0), people...)
	harness.RunDays(t, s)
	harness.RunDays(t, s)
	harness.WantNotices(t, s, "still_clocked_in", "agus@demo.test", 1)
	s.MoveTo(t, harness.Jakarta(19, 59, 59), people...)
	harness.RunDays(t, s)
	s.Run(t, []apitest.Scenario{asked("a second before the hours and the tolerance are worked", "agus", latest, shown(false, "null", false, "null"))})
	s.MoveTo(t, harness.Jakarta(20, 0, 0), people...)
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	harness.RunDays(t, s)
	harness.RunDays(t, s)
	harness.WantNotices(t, s, "attendance_closed", "agus@demo.test", 1)
	out := strconv.Quote(harness.Jakarta(20, 0, 0).UTC().Format("2006-01-02T15:04:05Z07:00"))
	mine := s.Attendances(t, "agus@demo.test")
	s.Vars["forgotten"] = strconv.Itoa(mine[len(mine)-1].ID)
	result := func(who string) string {
		return `{ employeeShift(id: {{` + who + `.shift}}) { date result { status off lateSeconds earlySeconds workedSeconds expectedSeconds overtimeSeconds } } }`
	}
	found := func(result string) string {
		return `{"data":{"employeeShift":{"date":"2026-03-10","result":` + result + `}}}`
	}
	const confirm = `mutation { confirmAttendance(id: {{forgotten}}) { needsConfirmation autoClosed } }`
	s.Run(t, []apitest.Scenario{
		asked("closed by rule", "agus", latest, shown(true, `"hours"`, true, out)),
		harness.Named(harness.Refused(harness.ClockOut("agus"), 409, "NOT_CLOCKED_IN", `{}`), "out once it is closed"),
		asked("its result waits", "agus", result("agus"), found(`{"status":"needs_confirmation","off":false,"lateSeconds":3600,"earlySeconds":0,"workedSeconds":36000,"expectedSeconds":28800,"overtimeSeconds":0}`)),
		asked("confirmed by somebody who does not see it", "fitri", confirm, denied("confirmAttendance", "NOT_FOUND")),
		asked("confirmed by a neighbour", "neighbour", confirm, denied("confirmAttendance", "NOT_FOUND")),
		asked("confirmed", "agus", confirm, `{"data":{"confirmAttendance":{"needsConfirmation":false,"autoClosed":true}}}`),
		asked("confirmed again", "agus", confirm, denied("confirmAttendance", "CONFLICT")),
		asked("its result follows", "manager", result("agus"), found(`{"status":"present","off":false,"lateSeconds":3600,"earlySeconds":0,"workedSeconds":36000,"expectedSeconds":28800,"overtimeSeconds":7200}`)),
		asked("recorded", "admin",
			`{ auditEvents(where: {actionHasPrefix: "attendance.c", subjectId: "{{forgotten}}"}) {
				edges { node { action subjectType after } } } }`,
			`{"data":{"auditEvents":{"edges":[{"node":{"action":"attendance.closed","subjectType":"Attendance","after":"<any>"}},{"node":{"action":"attendance.confirmed","subjectType":"Attendance","after":null}}]}}}`),
	})
	resultScenarios(t, s, people)
}

// resultScenarios show who sees results, and what changes them.
func resultScenarios(t *testing.T, s *harness.Server, people []string) {
	system := viewer.System(t.Context())
	const results = `{ shiftResults(where: {date: "2026-03-10", statusNEQ: needs_confirmation}) {
		totalCount edges { node { status user { name } } } } }`
	lateness := func(from, to string) string {
		return fmt.Sprintf(`{ lateness(userIds: ["{{agus.id}}", "{{fitri.id}}"], from: %q, to: %q) { userId lateDays lateSeconds earlyDays earlySeconds } }`, from, to)
	}
	recompute := func(who, from, to string) string {
		return fmt.Sprintf(`mutation { recomputeShiftResults(input: {userIds: [%s], from: %q, to: %q}) { userId count code } }`, who, from, to)
	}
	const late = `{"userId":"{{agus.id}}","lateDays":1,"lateSeconds":3600,"earlyDays":0,"earlySeconds":0}`
	s.Run(t, []apitest.Scenario{
		asked("the results of the day", "manager", results, `{"data":{"shiftResults":{"totalCount":1,"edges":[{"node":{"status":"present","user":{"name":"Agus Setiawan"}}}]}}}`),
		asked("one's own alone", "fitri", results, `{"data":{"shiftResults":{"totalCount":0,"edges":[]}}}`),
		asked("of neighbours none", "neighbour", results, `{"data":{"shiftResults":{"totalCount":0,"edges":[]}}}`),
		asked("how often they were late", "manager", lateness("2026-03-10", "2026-03-10"), `{"data":{"lateness":[`+late+`]}}`),
		asked("of who does not read it", "fitri", lateness("2026-03-10", "2026-03-10"), denied("lateness", "NOT_FOUND", "userIds")),
		asked("from after to", "manager", lateness("2026-03-11", "2026-03-10"), denied("lateness", "VALIDATION_FAILED", "from")),
		asked("for too long", "manager", lateness("2026-03-11", "2027-03-12"), denied("lateness", "VALIDATION_FAILED", "to")),
		asked("anew, as an employee", "agus", recompute(`"{{agus.id}}"`, "2026-03-10", "2026-03-10"), denied("recomputeShiftResults", "FORBIDDEN")),
		asked("anew, nobody", "manager", recompute("", "2026-03-10", "2026-03-10"), denied("recomputeShiftResults", "VALIDATION_FAILED", "userIds")),
		asked("anew, for too long", "manager", recompute(`"{{agus.id}}"`, "2026-03-01", "2026-04-01"), denied("recomputeShiftResults", "VALIDATION_FAILED", "to")),
		asked("anew", "manager", recompute(`"{{agus.id}}", "{{manager.id}}", "999999"`, "2026-03-10", "2026-03-10"),
			`{"data":{"recomputeShiftResults":[{"userId":"{{agus.id}}","count":1,"code":null},{"userId":"{{manager.id}}","count":0,"code":"FORBIDDEN"},{"userId":"999999","count":0,"code":"NOT_FOUND"}]}}`),
		asked("recorded", "admin", `{ auditEvents(where: {action: "shift_results.recomputed"}) { edges { node { subjectType after } } } }`,
			`{"data":{"auditEvents":{"edges":[{"node":{"subjectType":"User","after":"{\"count\":1,\"from\":\"2026-03-10\",\"to\":\"2026-03-10\"}"}}]}}}`),
	})
	s.MoveTo(t, harness.Jakarta(72+18, 0, 59), people...)
	harness.RunDays(t, s)
	of := `{ employeeShift(id: {{fitri.shift}}) { result { status } } }`
	s.Run(t, []apitest.Scenario{asked("absent not before the wait for offline events", "fitri", of, `{"data":{"employeeShift":{"result":null}}}`)})
	s.MoveTo(t, harness.Jakarta(72+18, 1, 0), people...)
	harness.RunDays(t, s)
	absent, holiday := `{"data":{"employeeShift":{"result":{"status":"absent"}}}}`, `{"data":{"employeeShift":{"result":{"status":"holiday"}}}}`
	s.Run(t, []apitest.Scenario{
		asked("absent", "fitri", of, absent),
		asked("a holiday afterwards", "admin", `mutation { createHoliday(input: {name: "Cuti bersama", date: "2026-03-10"}) { id } }`, `{"data":{"createHoliday":{"id":"<any>"}}}`),
	})
	harness.RunDays(t, s)
	s.Run(t, []apitest.Scenario{
		asked("changes nothing by itself", "fitri", of, absent),
		asked("but anew", "manager", recompute(`"{{fitri.id}}"`, "2026-03-10", "2026-03-10"), `{"data":{"recomputeShiftResults":[{"userId":"{{fitri.id}}","count":1,"code":null}]}}`),
		asked("a holiday", "fitri", of, holiday),
	})
	planner := s.Store.Ent.Role.Query().Where(role.Name("Planner")).OnlyX(system)
	s.Run(t, []apitest.Scenario{
		asked("fitri plans shifts alone", "admin", fmt.Sprintf(`mutation { updateUser(id: "{{fitri.id}}", input: {roleIds: ["%d"]}) { id } }`, planner.ID), `{"data":{"updateUser":{"id":"<any>"}}}`),
		asked("who reads the shift and not the attendance", "fitri", `{ employeeShift(id: {{agus.shift}}) { date result { status } } }`, `{"data":{"employeeShift":{"date":"2026-03-10","result":null}}}`),
		asked("nor in lists", "fitri", `{ employeeShifts(where: {date: "2026-03-10"}) { edges { node { result { status } } } } shiftResults(where: {date: "2026-03-10", statusNotIn: [holiday]}) { totalCount } }`,
			`{"data":{"employeeShifts":{"edges":"<any>"},"shiftResults":{"totalCount":0}}}`),
	})
}
