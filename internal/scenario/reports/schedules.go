package reports

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	entReport "workforce/ent/report"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// schedules tests the schedules of reports: who makes them for whom, and that each week or month
// is told of once. Tests take place on Tuesday, 10 March 2026.
func schedules(t *testing.T, s *harness.Server) {
	signIn(t, s)
	create := func(name, who, in, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createReportSchedule(input:{`+in+`}){id kind format every active dueAt madeAt user{id}}}`, want)
	}
	refused := func(name, who, in, code string, fields ...string) apitest.Scenario {
		var faults []string
		for _, f := range fields {
			faults = append(faults, f, "<any>")
		}
		return create(name, who, in, harness.Refusal("createReportSchedule", code, `{}`, faults...))
	}
	made := func(kind, format, every, due, who string) string {
		return fmt.Sprintf(`{"createReportSchedule":{"id":"<digits>","kind":%q,"format":%q,"every":%q,"active":true,"dueAt":%q,"madeAt":null,"user":{"id":"{{%s}}"}}}`, kind, format, every, due, who)
	}
	s.Run(t, []apitest.Scenario{
		saved(create("each week", "sari", `kind:attendance,every:week`, made("attendance", "xlsx", "week", "2026-03-15T23:00:00Z", "sari")), "weekly", "/data/createReportSchedule/id"),
		saved(create("for somebody else", "andini", `kind:task,format:csv,every:month,recipientId:"{{budi}}"`, made("task", "csv", "month", "2026-03-31T23:00:00Z", "budi")), "monthly", "/data/createReportSchedule/id"),
		refused("for a colleague", "sari", `kind:task,every:week,recipientId:"{{budi}}"`, "FORBIDDEN", "recipientId"),
		refused("for somebody of another company", "andini", `kind:task,every:week,recipientId:"{{daeng}}"`, "NOT_FOUND", "recipientId"),
		refused("of another company's project", "sari", `kind:task,every:week,projectId:"{{theirProject}}"`, "NOT_FOUND", "projectId"),
		harness.Asks("by its owner", "sari", `{reportSchedule(id:"{{weekly}}"){every}}`, `{"reportSchedule":{"every":"week"}}`),
		harness.Asks("by a colleague", "budi", `{reportSchedule(id:"{{weekly}}"){every}}`, harness.Refusal("reportSchedule", "NOT_FOUND", `{}`)),
		harness.Asks("the collection", "ratna", `{reportSchedules{totalCount}}`, `{"reportSchedules":{"totalCount":2}}`),
		harness.Asks("nobody else changes it", "budi", `mutation{updateReportSchedule(id:"{{weekly}}",input:{active:false}){id}}`, harness.Refusal("updateReportSchedule", "NOT_FOUND", `{}`)),
		harness.Asks("who only sees it does not change it", "ratna", `mutation{updateReportSchedule(id:"{{weekly}}",input:{active:false}){id}}`, harness.Refusal("updateReportSchedule", "FORBIDDEN", `{}`)),
		harness.Asks("nor deletes it", "ratna", `mutation{deleteReportSchedule(id:"{{weekly}}"){deleted}}`, harness.Refusal("deleteReportSchedule", "FORBIDDEN", `{}`)),
	})
	count := func() int {
		return s.Store.Ent.Report.Query().Where(entReport.ScheduleIDNotNil()).CountX(viewer.System(t.Context()))
	}
	s.Clock.Set(time.Date(2026, 3, 15, 22, 59, 59, 0, time.UTC))
	harness.RunReports(t, s)
	if n := count(); n != 0 {
		t.Errorf("%d reports before the end of the week", n)
	}
	s.Clock.Set(time.Date(2026, 3, 15, 23, 0, 0, 0, time.UTC))
	harness.RunReports(t, s)
	harness.RunReports(t, s)
	if n := count(); n != 1 {
		t.Errorf("%d reports after the week, want one", n)
	}
	text := s.Log.Notice(t, "sari@demo.test", 1)
	if !strings.Contains(text, `Your report "Attendance 2026-03-09 - 2026-03-15" is ready: http://wf.test/task/report/`) || !strings.Contains(text, "/download") {
		t.Errorf("told %q", text)
	}
	s.SignIn(t, "sari", "sari@demo.test")
	s.Run(t, []apitest.Scenario{
		harness.Asks("it is hers", "sari", `{reports(where:{kind:attendance}){edges{node{from to status language}}}}`,
			`{"reports":{"edges":[{"node":{"from":"2026-03-09","to":"2026-03-15","status":"done","language":"en"}}]}}`),
	})
	s.Clock.Set(time.Date(2026, 4, 6, 23, 30, 0, 0, time.UTC)) // the server was down for three weeks
	harness.RunReports(t, s)
	if n := count(); n != 1+3+1 {
		t.Errorf("%d reports after three weeks more, want those that were missed", n)
	}
	if text := s.Log.Notice(t, "budi@demo.test", 1); !strings.Contains(text, `"Tugas 2026-03-01 - 2026-03-31"`) {
		t.Errorf("told %q", text)
	}
	s.Log.Notice(t, "sari@demo.test", 5) // that she signed in, too
	told := map[string]int{}
	for _, text := range s.Log.Notices("sari@demo.test") {
		if of, ok := strings.CutPrefix(text, `Your report "`); ok {
			name, _, _ := strings.Cut(of, `"`)
			told[name]++
		}
	}
	if want := map[string]int{
		"Attendance 2026-03-09 - 2026-03-15": 1, "Attendance 2026-03-16 - 2026-03-22": 1,
		"Attendance 2026-03-23 - 2026-03-29": 1, "Attendance 2026-03-30 - 2026-04-05": 1,
	}; !maps.Equal(told, want) {
		t.Errorf("sari was told of %v, want %v", told, want)
	}
	s.SignIn(t, "sari", "sari@demo.test")
	s.SignIn(t, "andini", "admin@demo.test")
	s.Run(t, []apitest.Scenario{
		harness.Asks("stops it", "sari", `mutation{updateReportSchedule(id:"{{weekly}}",input:{active:false}){active}}`, `{"updateReportSchedule":{"active":false}}`),
		harness.Asks("deletes one", "andini", `mutation{deleteReportSchedule(id:"{{monthly}}"){deleted}}`, `{"deleteReportSchedule":{"deleted":true}}`),
		harness.Asks("deletes it again", "andini", `mutation{deleteReportSchedule(id:"{{monthly}}"){deleted}}`, harness.Refusal("deleteReportSchedule", "NOT_FOUND", `{}`)),
	})
	s.Clock.Set(time.Date(2026, 5, 30, 0, 0, 0, 0, time.UTC))
	harness.RunReports(t, s)
	if n := count(); n != 5 {
		t.Errorf("%d reports of schedules that ended", n)
	}
}
