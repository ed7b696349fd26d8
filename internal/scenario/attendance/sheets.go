package attendance

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"workforce/ent/business"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// sheetDay is a day of a widget.
func sheetDay(date, status string, worked, closed, late int) string {
	return fmt.Sprintf(`{"date":%q,"status":%q,"workedSeconds":%d,"closedSeconds":%d,"taskSeconds":0,"lateSeconds":%d}`, date, status, worked, closed, late)
}

// widget is the answer of a widget of a day.
func widget(date, status string, worked, closed, late int) string {
	return fmt.Sprintf(`{"from":%q,"to":%q,"workedSeconds":%d,"closedSeconds":%d,"taskSeconds":0,"days":[%s]}`,
		date, date, worked, closed, sheetDay(date, status, worked, closed, late))
}

const sheetFields = `from to status workedSeconds closedSeconds expectedSeconds balanceSeconds lateSeconds earlySeconds overtimeSeconds
	estimatedOvertimeSeconds nightSeconds lateDays earlyDays offDays presentDays workFromHomeDays halfDays absentDays leaveDays holidays
	weeklyOffs unconfirmedDays otherDays`

// sheetScenarios read working time: one's own, a team's, and of nobody else.
func sheetScenarios(t *testing.T, s *harness.Server) {
	people := []string{"budi", "agus", "dimas", "manager", "admin"}
	s.Clock.Set(harness.Jakarta(6, 30, 0))
	for _, name := range people {
		s.SignIn(t, name, name+"@demo.test")
		s.Vars[name+".id"] = harness.PersonID(t, s, name+"@demo.test")
	}
	s.SignIn(t, "neighbour", "admin@tetangga.test")
	s.Vars["neighbour.id"] = harness.PersonID(t, s, "admin@tetangga.test")
	operations := s.Store.Ent.Business.Query().Where(business.Name("Operasional Jakarta"))
	s.Vars["operations"] = strconv.Itoa(operations.OnlyIDX(viewer.System(t.Context()))) // nobody has clocked in there
	s.SaveSites(t, "budi")
	s.SaveShift(t, "agus")
	get := func(name, who, query, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/widget/timesheet" + query, Header: harness.Bearer(who), Want: want}
	}
	refused := func(name, who, query string, status int, code, field string) apitest.Scenario {
		return harness.Named(harness.Refused(get(name, who, query, ""), status, code, `{}`, field), name)
	}
	const ofToday = "?from=2026-03-10&to=2026-03-10"
	s.Run(t, []apitest.Scenario{
		get("not come yet", "agus", ofToday, widget("2026-03-10", "none", 0, 0, 0)),
		asked("not due", "admin", `{ attendanceSummary(group: not_due, limit: 100) { groups { name people { userId } } } }`, `{"data":{"attendanceSummary":"<any>"}}`),
	})
	s.MoveTo(t, harness.Jakarta(8, 20, 0), people...)
	s.Run(t, []apitest.Scenario{harness.ClockIn("agus")})
	s.MoveTo(t, harness.Jakarta(10, 20, 0), append(people, "neighbour")...)
	s.Run(t, []apitest.Scenario{
		get("open, to now", "agus", ofToday, widget("2026-03-10", "present", 7200, 0, 1200)),
		get("this week", "agus", "", `{"from":"2026-03-09","to":"2026-03-15","workedSeconds":"<any>","closedSeconds":"<any>","taskSeconds":0,"days":"<any>"}`),
		get("by the admin", "admin", ofToday+"&userId={{agus.id}}", widget("2026-03-10", "present", 7200, 0, 1200)),
		get("empty parameters", "agus", "?from=2026-03-10&to=2026-03-10&userId=", widget("2026-03-10", "present", 7200, 0, 1200)),
		get("the days that instants lie in", "agus", "?from=2026-03-10T09:00:00+07:00&to=2026-03-11T00:00:00%2B07:00", widget("2026-03-10", "present", 7200, 0, 1200)),
		get("equal instants", "agus", "?from=2026-03-10T02:10:00Z&to=2026-03-10T02:10:00Z",
			`{"from":"2026-03-10","to":"2026-03-10","workedSeconds":0,"closedSeconds":0,"taskSeconds":0,"days":[]}`),
		refused("from after to", "agus", "?from=2026-03-11&to=2026-03-10", 422, "VALIDATION_FAILED", "from"),
		get("to alone, before this week", "agus", "?to=2026-03-03",
			`{"from":"2026-03-02","to":"2026-03-03","workedSeconds":"<any>","closedSeconds":"<any>",`+
				`"taskSeconds":0,"days":"<any>"}`),
		refused("no date", "agus", "?from=today", 422, "VALIDATION_FAILED", "from"),
		get("366 days", "agus", "?from=2025-03-10&to=2026-03-10", `"<any>"`),
		refused("367 days", "agus", "?from=2025-03-09&to=2026-03-10", 422, "VALIDATION_FAILED", "to"),
		refused("a colleague's", "budi", "?userId={{agus.id}}", 404, "NOT_FOUND", "userId"),
		refused("another company's", "admin", "?userId={{neighbour.id}}", 404, "NOT_FOUND", "userId"),
		refused("by another company", "neighbour", "?userId={{agus.id}}", 404, "NOT_FOUND", "userId"),
		refused("nobody's", "admin", "?userId=999999", 404, "NOT_FOUND", "userId"),
		refused("what is no id", "admin", "?userId=abc", 404, "NOT_FOUND", "userId"),
		asked("the widget by GraphQL", "agus", `{ timesheetWidget(from: "2026-03-10", to: "2026-03-10") { from to workedSeconds closedSeconds taskSeconds days { date status workedSeconds closedSeconds taskSeconds lateSeconds } } }`,
			`{"data":{"timesheetWidget":`+widget("2026-03-10", "present", 7200, 0, 1200)+`}}`),
		asked("who is in", "admin",
			`{ attendanceSummary(businessId: "{{operations}}", group: in, limit: 10) { date groups { name count people {
				userId name status startAt endAt clockInAt clockOutAt lateSeconds earlySeconds } } } }`,
			`{"data":{"attendanceSummary":{"date":"2026-03-10","groups":[{"name":"in","count":1,"people":[{"userId":"{{agus.id}}","name":"<any>","status":"present",`+
				`"startAt":"2026-03-10T01:00:00Z","endAt":"2026-03-10T10:00:00Z","clockInAt":"2026-03-10T01:20:00Z","clockOutAt":null,"lateSeconds":1200,"earlySeconds":0}]}]}}}`),
		asked("who is in at a site", "admin",
			`{ attendanceSummary(businessId: "{{operations}}", addressId: "{{pusat}}", group: in, limit: 10) {
				totalCount groups { people { userId addressId } } } }`,
			`{"data":{"attendanceSummary":{"totalCount":1,
				"groups":[{"people":[{"userId":"{{agus.id}}","addressId":"{{pusat}}"}]}]}}}`),
		asked("who is in where nobody is", "admin",
			`{ attendanceSummary(addressId: "{{bandung}}", limit: 10) { totalCount } }`,
			`{"data":{"attendanceSummary":{"totalCount":0}}}`),
		asked("at another company's site", "neighbour",
			`{ attendanceSummary(addressId: "{{pusat}}", limit: 10) { totalCount } }`,
			denied("attendanceSummary", "NOT_FOUND", "addressId")),
		asked("who came late", "admin",
			`{ attendanceSummary(businessId: "{{operations}}", group: late, limit: 10) { groups { count people { userId } } } }`,
			`{"data":{"attendanceSummary":{"groups":[{"count":1,"people":[{"userId":"{{agus.id}}"}]}]}}}`),
		asked("the second page", "admin",
			`{ attendanceSummary(businessId: "{{operations}}", group: in, page: 2, limit: 1) {
				groups { count people { userId } } } }`,
			`{"data":{"attendanceSummary":{"groups":[{"count":1,"people":[]}]}}}`),
		asked("of oneself alone", "budi", `{ attendanceSummary(limit: 10) { totalCount groups { name count } } }`,
			`{"data":{"attendanceSummary":{"totalCount":1,"groups":"<any>"}}}`),
		asked("of another company's business", "neighbour", `{ attendanceSummary(businessId: "1", limit: 10) { totalCount } }`, denied("attendanceSummary", "NOT_FOUND", "businessId")),
		asked("a page of none", "admin", `{ attendanceSummary(limit: 0) { totalCount } }`, denied("attendanceSummary", "VALIDATION_FAILED", "limit")),
	})
	sheetGroups(t, s)
	s.MoveTo(t, harness.Jakarta(12, 30, 0), people...)
	s.Run(t, []apitest.Scenario{harness.ClockOut("agus")})
	part := `{"from":"2026-03-10","to":"2026-03-10","status":"present","workedSeconds":13200,"closedSeconds":13200,"expectedSeconds":28800,"balanceSeconds":-15600,` +
		`"lateSeconds":1200,"earlySeconds":16200,"overtimeSeconds":0,"estimatedOvertimeSeconds":0,"nightSeconds":0,"lateDays":1,"earlyDays":1,"offDays":0,` +
		`"presentDays":1,"workFromHomeDays":0,"halfDays":0,"absentDays":0,"leaveDays":0,"holidays":0,"weeklyOffs":0,"unconfirmedDays":0,"otherDays":0}`
	total := strings.Replace(part, `"status":"present"`, `"status":null`, 1)
	sheet := func(args string) string {
		return `{ timesheet(from: "2026-03-10", to: "2026-03-10", limit: 5, ` + args + `) { from to totalCount total { ` + sheetFields + ` } people { userId total { ` + sheetFields + ` } parts { ` + sheetFields + ` } } } }`
	}
	one := func(part string) string {
		return `{"data":{"timesheet":{"from":"2026-03-10","to":"2026-03-10","totalCount":1,"total":` + total + `,"people":[{"userId":"{{agus.id}}","total":` + total + `,"parts":[` + part + `]}]}}}`
	}
	worked := func(args string) string {
		if !strings.Contains(args, "limit:") {
			args += ", limit: 5"
		}
		return `{ timesheet(` + args + `) { people { total { workedSeconds } } } }`
	}
	refusal := func(name, who, args, code, field string) apitest.Scenario {
		return asked(name, who, worked(args), denied("timesheet", code, field))
	}
	s.Run(t, []apitest.Scenario{
		get("closed", "agus", ofToday, widget("2026-03-10", "present", 13200, 13200, 1200)),
		asked("one's own timesheet", "agus", sheet("by: day"), one(part)),
		asked("of a named person", "admin", sheet(`userIds: ["{{agus.id}}", "{{agus.id}}"], by: day`), one(part)),
		asked("by week", "admin", sheet(`userIds: ["{{agus.id}}"], by: week`), one(total)),
		asked("by month", "admin", sheet(`userIds: ["{{agus.id}}"], by: month`), one(total)),
		asked("the period", "admin", sheet(`userIds: ["{{agus.id}}"], by: period`), one(total)),
		asked("rounded to the closest half hour", "agus", worked(`from: "2026-03-10", to: "2026-03-10", rounding: {mode: closest, minutes: 30}`),
			`{"data":{"timesheet":{"people":[{"total":{"workedSeconds":12600}}]}}}`),
		asked("no days", "agus", `{ timesheet(from: "2026-03-10T02:10:00Z", to: "2026-03-10T02:10:00Z", limit: 5) { from people { parts { from } } } }`,
			`{"data":{"timesheet":{"from":"2026-03-10","people":[{"parts":[]}]}}}`),
		asked("nobody", "admin", `{ timesheet(userIds: []) { totalCount people { userId } } }`, `{"data":{"timesheet":{"totalCount":0,"people":[]}}}`),
		asked("past the end", "agus", `{ timesheet(page: 2, limit: 5) { totalCount people { userId } } }`, `{"data":{"timesheet":{"totalCount":1,"people":[]}}}`),
		asked("everybody's", "admin", `{ timesheet(limit: 1) { totalCount people { parts { from } } } }`, `{"data":{"timesheet":{"totalCount":"<any>","people":"<any>"}}}`),
		refusal("a colleague among them", "budi", `userIds: ["{{budi.id}}", "{{agus.id}}"]`, "NOT_FOUND", "userIds"),
		refusal("somebody of another company", "admin", `userIds: ["{{neighbour.id}}"]`, "NOT_FOUND", "userIds"),
		refusal("no such business", "admin", `businessId: "999999"`, "NOT_FOUND", "businessId"),
		refusal("people and a business", "admin", `userIds: ["{{agus.id}}"], businessId: "1"`, "VALIDATION_FAILED", "businessId"),
		refusal("a limit of 0", "admin", `limit: 0`, "VALIDATION_FAILED", "limit"),
		refusal("page 0", "admin", `page: 0`, "VALIDATION_FAILED", "page"),
		refusal("a step that does not divide a day", "admin", `rounding: {mode: floor, minutes: 7}`, "VALIDATION_FAILED", "rounding.minutes"),
		refusal("after to", "admin", `from: "2026-03-11", to: "2026-03-10"`, "VALIDATION_FAILED", "from"),
	})
	sheetNight(t, s)
}

// sheetGroups wants the disjoint groups of a summary to have everybody.
func sheetGroups(t *testing.T, s *harness.Server) {
	t.Helper()
	a := s.AskGraphQL(t, s.HeaderOf("admin"), `{ attendanceSummary(limit: 1000) { totalCount groups { name count people { userId } } } }`, nil)
	var got struct {
		Data struct {
			AttendanceSummary struct {
				TotalCount int
				Groups     []struct {
					Name   string
					Count  int
					People []struct{ UserID string }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(a.Text), &got); err != nil {
		t.Fatal(err, a.Text)
	}
	sum, people := 0, map[string]bool{}
	for _, g := range got.Data.AttendanceSummary.Groups {
		if g.Count != len(g.People) {
			t.Errorf("%s: %d people of %d", g.Name, len(g.People), g.Count)
		}
		if g.Name == "late" {
			continue
		}
		sum += g.Count
		for _, p := range g.People {
			people[p.UserID] = true
		}
	}
	if total := got.Data.AttendanceSummary.TotalCount; total < 20 || sum != total || len(people) != total {
		t.Errorf("%d people in groups, %d different, of %d", sum, len(people), total)
	}
}

// sheetNight works through midnight, and begins weeks on Sunday.
func sheetNight(t *testing.T, s *harness.Server) {
	s.MoveTo(t, harness.Jakarta(22, 0, 0), "dimas")
	s.SaveShift(t, "dimas")
	s.Run(t, []apitest.Scenario{harness.ClockIn("dimas")})
	s.MoveTo(t, harness.Jakarta(26, 0, 0), "dimas", "admin")
	next := apitest.Scenario{Name: "after midnight", Path: "/widget/timesheet?from=2026-03-11&to=2026-03-11", Header: harness.Bearer("dimas"), Want: widget("2026-03-11", "none", 7200, 0, 0)}
	s.Run(t, []apitest.Scenario{
		next,
		asked("the night's people", "admin",
			`{ attendanceSummary(businessId: "{{operations}}", date: "2026-03-10", group: in, limit: 10) {
				groups { people { userId } } } }`,
			`{"data":{"attendanceSummary":{"groups":[{"people":[{"userId":"{{dimas.id}}"}]}]}}}`),
		asked("nobody of the next date", "admin", `{ attendanceSummary(group: in, limit: 10) { date groups { count } } }`,
			`{"data":{"attendanceSummary":{"date":"2026-03-11","groups":[{"count":0}]}}}`),
		asked("weeks from Sunday", "admin", `mutation { updateCompany(input: {settings: {firstWeekday: 7}}) { settings { firstWeekday } } }`,
			`{"data":{"updateCompany":{"settings":{"firstWeekday":7}}}}`),
		asked("this week", "admin", `{ timesheet(limit: 1, by: week) { from to people { parts { from to } } } }`,
			`{"data":{"timesheet":{"from":"2026-03-08","to":"2026-03-14","people":[{"parts":[{"from":"2026-03-08","to":"2026-03-14"}]}]}}}`),
	})
}
