// Package reports holds the scenarios of reports and their schedules.
package reports

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	entReport "workforce/ent/report"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/internal/apitest"
	"workforce/internal/app/report/reporttest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// Scenarios are those of reports.
var Scenarios = []harness.Group{
	{Name: "reports", Run: reports},
	{Name: "report downloads", Run: downloads},
	{Name: "report contents", Run: contents},
	{Name: "report schedules", Run: schedules},
}

// signIn signs in an owner, the manager of Jakarta, employees and somebody of another company.
func signIn(t *testing.T, s *harness.Server) {
	t.Helper()
	for name, email := range map[string]string{
		"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "daeng": "admin@tetangga.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	ratna := db.User.Query().Where(user.Email("manager@demo.test")).OnlyX(ctx)
	r := harness.Asks("create sari", "andini", fmt.Sprintf(`mutation{createUser(input:{name:"sari",email:"sari@demo.test",password:"demo-password",locale:"en",businessId:"%d"}){id}}`, *ratna.BusinessID),
		`{"createUser":{"id":"<digits>"}}`)
	r.Save = map[string]string{"sari": "/data/createUser/id"}
	s.Run(t, []apitest.Scenario{r})
	s.SignIn(t, "sari", "sari@demo.test")
	s.Vars["theirProject"] = fmt.Sprint(db.Project.Query().Where(entProject.CompanyIDNEQ(ratna.CompanyID)).FirstIDX(ctx))
}

// as returns the headers of somebody who is signed in.
func as(who string) map[string]string { return harness.SignedIn(who) }

// problem is a REST problem with a code.
func problem(code string, status int, meta string, faults ...string) string {
	list := make([]string, len(faults))
	for i, f := range faults {
		field, of, _ := strings.Cut(f, " ")
		list[i] = fmt.Sprintf(`{"field":%q,"code":%q,"detail":"<any>"}`, field, of)
	}
	return fmt.Sprintf(`{"type":"<any>","code":%q,"title":"<any>","status":%d,"detail":"<any>","requestId":"<any>","errors":[%s],"meta":%s}`,
		code, status, strings.Join(list, ","), meta)
}

// saved keeps the id of an answer.
func saved(r apitest.Scenario, name, pointer string) apitest.Scenario {
	r.Save = map[string]string{name: pointer}
	return r
}

// ended waits until a report ended.
func ended(t *testing.T, s *harness.Server, name string) {
	t.Helper()
	var id int
	if _, err := fmt.Sscan(s.Vars[name], &id); err != nil {
		t.Fatalf("%s: %q", name, s.Vars[name])
	}
	s.Wait(t, "report "+name, func() bool {
		return s.Store.Ent.Report.Query().Where(entReport.ID(id), entReport.FinishedAtNotNil()).ExistX(viewer.System(t.Context()))
	})
}

// asked is a report that has just been asked for: a job may have made it already.
const asked = `{"id":"<digits>","status":"<any>","format":%q,"progress":"<any>","url":"<any>","expiresIn":"<any>"}`

// reports tests asking for reports, asking again, cancelling, and every refusal.
func reports(t *testing.T, s *harness.Server) {
	signIn(t, s)
	s.Run(t, []apitest.Scenario{
		{Name: "without a token", Path: "/task/report",
			Status: 401, Want: problem("UNAUTHENTICATED", 401, `{"reason":"missing","token":"access"}`)},
		{Name: "an unknown format", Path: "/task/report?format=doc", Header: as("budi"),
			Status: 422, Want: problem("VALIDATION_FAILED", 422, `{}`, "format VALIDATION_FAILED")},
		{Name: "from after to", Path: "/task/report?from=2026-03-11&to=2026-03-10", Header: as("budi"),
			Status: 422, Want: problem("VALIDATION_FAILED", 422, `{}`, "from VALIDATION_FAILED")},
		{Name: "of a colleague", Path: "/task/report?userId={{sari}}", Header: as("budi"),
			Status: 404, Want: problem("NOT_FOUND", 404, `{}`, "userId NOT_FOUND")},
		{Name: "of somebody of another company", Path: "/task/report?userId={{daeng}}", Header: as("andini"),
			Status: 404, Want: problem("NOT_FOUND", 404, `{}`, "userId NOT_FOUND")},
		{Name: "of another company's project", Path: "/task/report?projectId={{theirProject}}", Header: as("andini"),
			Status: 404, Want: problem("NOT_FOUND", 404, `{}`, "projectId NOT_FOUND")},
		{Name: "HEAD", Method: "HEAD", Path: "/task/report", Header: harness.SignedIn("budi"), Status: 405, WantHeader: map[string]string{"Allow": "<any>"}},
		{Name: "asks", Path: "/task/report?from=2026-03-02&to=2026-03-08", Header: as("budi"),
			Want: fmt.Sprintf(asked, "xlsx"), Save: map[string]string{"first": "/id"}},
	})
	ended(t, s, "first")
	done := `{"id":"{{first}}","status":"done","format":"xlsx","progress":100,"url":"<any>","expiresIn":300}`
	again := apitest.Scenario{Name: "asks again", Path: "/task/report?from=2026-03-02&to=2026-03-08&format=&userId=", Header: as("budi"),
		Want: done}
	again.WantHeader = map[string]string{"ETag": "", "Cache-Control": "no-store"}
	s.Run(t, []apitest.Scenario{again})
	generate := func(name, who, in, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{generateReport(input:{`+in+`}){id}}`, want)
	}
	refused := func(name, who, in, code string, fields ...string) apitest.Scenario {
		var faults []string
		for _, f := range fields {
			faults = append(faults, f, "<any>")
		}
		return generate(name, who, in, harness.Refusal("generateReport", code, `{}`, faults...))
	}
	s.Run(t, []apitest.Scenario{
		saved(generate("a PDF of attendance", "sari", `kind:attendance,format:pdf,from:"2026-03-02",to:"2026-03-08"`, `{"generateReport":{"id":"<digits>"}}`), "saris", "/data/generateReport/id"),
		refused("a project of attendance", "andini", `kind:attendance,projectId:"1"`, "VALIDATION_FAILED", "projectId"),
	})
	ended(t, s, "saris")
	s.Run(t, []apitest.Scenario{
		harness.Asks("by its owner", "sari", `{report(id:"{{saris}}"){kind status fileName expiresIn user{id}}}`,
			`{"report":{"kind":"attendance","status":"done","fileName":"attendance-2026-03-02-2026-03-08.pdf","expiresIn":300,"user":{"id":"{{sari}}"}}}`),
		harness.Asks("by the manager, without the file", "ratna", `{report(id:"{{saris}}"){status url expiresIn}}`, `{"report":{"status":"done","url":null,"expiresIn":null}}`),
		harness.Asks("the collection of the manager", "ratna", `{reports(where:{kind:attendance}){totalCount edges{node{id from to url}}}}`,
			`{"reports":{"totalCount":1,"edges":[{"node":{"id":"{{saris}}","from":"2026-03-02","to":"2026-03-08","url":null}}]}}`),
		harness.Asks("by a colleague", "budi", `{report(id:"{{saris}}"){id}}`, harness.Refusal("report", "NOT_FOUND", `{}`)),
		harness.Asks("from another company", "daeng", `{report(id:"{{saris}}"){id}}`, harness.Refusal("report", "NOT_FOUND", `{}`)),
		harness.Asks("the empty collection of another company", "daeng", `{reports{totalCount}}`, `{"reports":{"totalCount":0}}`),
		harness.Asks("cancels what ended", "sari", `mutation{cancelReport(id:"{{saris}}"){id}}`, harness.Refusal("cancelReport", "CONFLICT", `{"conflict":"ENDED","state":"done"}`)),
		harness.Asks("cancels a colleague's", "budi", `mutation{cancelReport(id:"{{saris}}"){id}}`, harness.Refusal("cancelReport", "NOT_FOUND", `{}`)),
		harness.Asks("cancels one of the team", "ratna", `mutation{cancelReport(id:"{{saris}}"){id}}`, harness.Refusal("cancelReport", "FORBIDDEN", `{}`)),
	})
	s.Grant(t, "manager@demo.test", "report.write.team")
	s.Run(t, []apitest.Scenario{
		harness.Asks("cancels one of the team, which ended", "ratna", `mutation{cancelReport(id:"{{saris}}"){id}}`, harness.Refusal("cancelReport", "CONFLICT", `{"conflict":"ENDED","state":"done"}`)),
	})
	ctx := viewer.System(t.Context())
	harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
		db.UserRole.Delete().Where(userrole.UserID(atoi(t, s.Vars["sari"]))).ExecX(ctx)
	})
	s.Grant(t, "sari@demo.test", "report.read.own", "report.write.own", "task.read.own")
	s.Run(t, []apitest.Scenario{
		refused("of a kind that she does not read", "sari", `kind:leave`, "FORBIDDEN", "kind"),
		harness.Asks("no link to what she does not read any more", "sari", `{report(id:"{{saris}}"){status url}}`, `{"report":{"status":"done","url":null}}`),
		{Name: "no file either", Path: "/task/report/{{saris}}/download", Header: as("sari"),
			Status: 403, Want: problem("FORBIDDEN", 403, `{}`)},
	})
}

// downloads tests the sending of files.
func downloads(t *testing.T, s *harness.Server) {
	signIn(t, s)
	s.Run(t, []apitest.Scenario{
		{Name: "no such report", Path: "/task/report/999999/download", Header: as("budi"),
			Status: 404, Want: problem("NOT_FOUND", 404, `{}`)},
		{Name: "no id", Path: "/task/report/..%2f..%2fetc/download", Header: as("budi"),
			Status: 404, Want: problem("NOT_FOUND", 404, `{}`)},
		{Name: "asks", Path: "/task/report?from=2026-02-23&to=2026-03-08&format=csv", Header: as("budi"),
			Want: fmt.Sprintf(asked, "csv"), Save: map[string]string{"csv": "/id"}},
	})
	ended(t, s, "csv")
	path := "/task/report/" + s.Vars["csv"] + "/download"
	whole, data := s.Send(t, "GET", path, "", s.HeaderOf("budi"))
	header := func(r *http.Response, name, want string) {
		t.Helper()
		if got := r.Header.Get(name); got != want {
			t.Errorf("%s %q, want %q", name, got, want)
		}
	}
	header(whole, "Content-Type", "text/csv; charset=utf-8")
	header(whole, "Content-Disposition",
		`attachment; filename="task-2026-02-23-2026-03-08.csv"; filename*=UTF-8''task-2026-02-23-2026-03-08.csv`)
	s.Run(t, []apitest.Scenario{{Name: "its link", Path: "/graphql", Header: harness.SignedIn("budi"), Status: 200,
		Body: apitest.Query(`{report(id:"`+s.Vars["csv"]+`"){url}}`, nil), Save: map[string]string{"link": "/data/report/url"}}})
	linked, _ := s.Send(t, "GET", strings.TrimPrefix(s.Vars["link"], "http://wf.test"), "", nil)
	header(linked, "Content-Disposition", whole.Header.Get("Content-Disposition"))
	header(whole, "Accept-Ranges", "bytes")
	header(whole, "Content-Encoding", "")
	header(whole, "X-Content-Type-Options", "nosniff")
	header(whole, "Content-Length", fmt.Sprint(len(data)))
	tag := whole.Header.Get("ETag")
	if whole.StatusCode != 200 || tag == "" || !strings.Contains(string(data), "\r\n") {
		t.Fatalf("%d, ETag %q: %s", whole.StatusCode, tag, data)
	}
	with := func(pairs ...string) map[string]string {
		h := s.HeaderOf("budi")
		for i := 0; i < len(pairs); i += 2 {
			h[pairs[i]] = pairs[i+1]
		}
		return h
	}
	rest1, tail := s.Send(t, "GET", path, "", with("Range", "bytes=10-", "If-Range", tag, "Accept-Encoding", "gzip"))
	if rest1.StatusCode != 206 || string(tail) != string(data[10:]) || rest1.Header.Get("Content-Encoding") != "" {
		t.Errorf("from the tenth byte: %d %q", rest1.StatusCode, tail)
	}
	header(rest1, "Content-Range", fmt.Sprintf("bytes 10-%d/%d", len(data)-1, len(data)))
	if r, _ := s.Send(t, "GET", path, "", with("Range", "bytes=10-", "If-Range", `"another"`)); r.StatusCode != 200 {
		t.Errorf("of another file: %d", r.StatusCode)
	}
	past, body := s.Send(t, "GET", path, "", with("Range", "bytes=999999-"))
	if !strings.Contains(string(body), `"code":"RANGE_NOT_SATISFIABLE"`) || past.StatusCode != 416 {
		t.Errorf("past the end: %d %s", past.StatusCode, body)
	}
	header(past, "Content-Type", "application/json")
	header(past, "Content-Range", fmt.Sprintf("bytes */%d", len(data)))
	header(past, "Content-Disposition", "")
	if r, body := s.Send(t, "GET", path, "", with("If-Match", `"another"`)); r.StatusCode != 412 ||
		!strings.Contains(string(body), `"code":"PRECONDITION_FAILED"`) {
		t.Errorf("of another version: %d %s", r.StatusCode, body)
	}
	if r, _ := s.Send(t, "GET", path, "", with("If-None-Match", tag)); r.StatusCode != 304 {
		t.Errorf("not modified: %d", r.StatusCode)
	}
	if r, body := s.Send(t, "HEAD", path, "", s.HeaderOf("budi")); r.StatusCode != 200 || len(body) > 0 || r.Header.Get("Content-Length") != fmt.Sprint(len(data)) {
		t.Errorf("HEAD: %d %v", r.StatusCode, r.Header)
	}
	s.Run(t, []apitest.Scenario{
		{Name: "the file", Method: "GET", Path: "/task/report/{{csv}}/download", Header: harness.SignedIn("budi"), Status: 200},
		{Name: "without a token", Path: "/task/report/{{csv}}/download",
			Status: 401, Want: problem("UNAUTHENTICATED", 401, `{"reason":"missing","token":"access"}`)},
		{Name: "of a colleague", Path: "/task/report/{{csv}}/download", Header: as("sari"),
			Status: 404, Want: problem("NOT_FOUND", 404, `{}`)},
		{Name: "from another company", Path: "/task/report/{{csv}}/download", Header: as("daeng"),
			Status: 404, Want: problem("NOT_FOUND", 404, `{}`)},
		{Name: "of an employee, for the owner", Path: "/task/report/{{csv}}/download", Header: as("andini"),
			Status: 403, Want: problem("FORBIDDEN", 403, `{}`)},
	})
	ctx := viewer.System(t.Context())
	change := func(status entReport.Status) {
		u := s.Store.Ent.Report.Update().Where(entReport.UserID(atoi(t, s.Vars["budi"]))).SetStatus(status)
		if status == entReport.StatusRunning {
			u.ClearFinishedAt()
		} else {
			u.SetFinishedAt(s.Clock.Now())
		}
		u.ExecX(ctx)
	}
	change(entReport.StatusRunning)
	late := apitest.Scenario{Name: "before it is made", Path: "/task/report/{{csv}}/download", Header: as("budi"),
		Status: 409, Want: problem("REPORT_NOT_READY", 409, `{"status":"running"}`)}
	late.WantHeader = map[string]string{"Retry-After": "2"}
	s.Run(t, []apitest.Scenario{
		late,
		harness.Asks("cancels it", "budi", `mutation{cancelReport(id:"{{csv}}"){status}}`, `{"cancelReport":{"status":"cancelled"}}`),
		{Name: "after it was cancelled", Path: "/task/report/{{csv}}/download", Header: as("budi"),
			Status: 409, Want: problem("REPORT_NOT_READY", 409, `{"status":"cancelled"}`)},
	})
	change(entReport.StatusDone)
	s.Clock.Advance(7*24*time.Hour + time.Second)
	s.SignIn(t, "budi", "budi@demo.test")
	s.Run(t, []apitest.Scenario{{Name: "after seven days", Path: "/task/report/{{csv}}/download", Header: as("budi"),
		Status: 404, Want: problem("NOT_FOUND", 404, `{}`)}})
	if err := s.Services.Reports.Clean(ctx); err != nil {
		t.Fatal(err)
	}
	if n := s.Store.Ent.Report.Query().Where(entReport.UserID(atoi(t, s.Vars["budi"]))).CountX(ctx); n != 0 {
		t.Errorf("%d reports are left", n)
	}
}

func atoi(t *testing.T, text string) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(text, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// made has a report made and returns its file.
func made(t *testing.T, s *harness.Server, who, in string) []byte {
	t.Helper()
	r := harness.Asks("generate "+in, who, `mutation{generateReport(input:{`+in+`}){id}}`, `{"generateReport":{"id":"<digits>"}}`)
	s.Run(t, []apitest.Scenario{saved(r, "made", "/data/generateReport/id")})
	ended(t, s, "made")
	answer, data := s.Send(t, "GET", "/task/report/"+s.Vars["made"]+"/download", "", s.HeaderOf(who))
	if answer.StatusCode != 200 {
		row := s.Store.Ent.Report.GetX(viewer.System(t.Context()), atoi(t, s.Vars["made"]))
		t.Fatalf("%s: %d %s\n%v\n%s", in, answer.StatusCode, data, row, s.Log.Lines())
	}
	return data
}

// contents compares the cells of files with the answers of GraphQL to the same question.
func contents(t *testing.T, s *harness.Server) {
	signIn(t, s)
	const period = `from:"2026-02-23",to:"2026-03-08"`
	var sheet struct {
		Timesheet struct {
			TotalCount int
			Total      struct{ WorkedSeconds, LateDays, PresentDays int }
			People     []struct {
				Name  string
				Total struct{ ExpectedSeconds, WorkedSeconds, BalanceSeconds, OvertimeSeconds, LateSeconds, LateDays, AbsentDays int }
				Parts []struct {
					From                                                      string
					Status                                                    *string
					ExpectedSeconds, WorkedSeconds, LateSeconds, EarlySeconds int
				}
			}
		}
	}
	s.GraphQL(t, s.HeaderOf("ratna"), `{timesheet(`+period+`,by:day,limit:1000){totalCount total{workedSeconds lateDays presentDays} people{name
		total{expectedSeconds workedSeconds balanceSeconds overtimeSeconds lateSeconds lateDays absentDays} parts{from status expectedSeconds workedSeconds lateSeconds earlySeconds}}}}`, nil, &sheet)
	if sheet.Timesheet.TotalCount < 3 || sheet.Timesheet.Total.WorkedSeconds == 0 {
		t.Fatalf("%+v", sheet.Timesheet.Total)
	}

	// Attendance, as a workbook and as CSV: a row for each day with a status.
	book := reporttest.ReadWorkbook(t, made(t, s, "ratna", `kind:attendance,`+period))
	rows := book.Sheets[0].Values()[1:]
	statuses := map[string]string{}
	for _, r := range rows {
		statuses[r[0]+" "+r[2]] = strings.Join([]string{r[7], r[8], r[9], r[10], r[11]}, "|")
	}
	words := map[string]string{
		"present": "Present", "half_day": "Half day", "absent": "Absent", "on_leave": "On leave", "holiday": "Holiday",
		"weekly_off": "Weekly off", "work_from_home": "Work from home", "needs_confirmation": "Needs confirmation",
	}
	compared := 0
	for _, p := range sheet.Timesheet.People {
		for _, d := range p.Parts {
			if d.Status == nil || *d.Status == "none" {
				continue
			}
			compared++
			want := strings.Join([]string{words[*d.Status], clock(d.ExpectedSeconds), clock(d.WorkedSeconds), clock(d.LateSeconds), clock(d.EarlySeconds)}, "|")
			if got := statuses[p.Name+" "+d.From]; got != want {
				t.Errorf("%s on %s: %q, want %q", p.Name, d.From, got, want)
			}
		}
	}
	if compared == 0 || len(rows) < compared {
		t.Errorf("%d rows, %d days compared", len(rows), compared)
	}
	if book.Sheets[0].Frozen != "A2" || book.Sheets[1].Charts != 1 {
		t.Errorf("frozen %q, %d charts", book.Sheets[0].Frozen, book.Sheets[1].Charts)
	}
	lines, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(made(t, s, "ratna", `kind:attendance,format:csv,byteOrderMark:true,`+period)), "\uFEFF"))).ReadAll()
	if err != nil || len(lines) != len(rows)+1 {
		t.Errorf("CSV: %d lines, %v; %d rows", len(lines), err, len(rows))
	}

	// Timesheets, as a workbook and as PDF.
	totals := reporttest.ReadWorkbook(t, made(t, s, "ratna", `kind:timesheet,`+period)).Sheets[0].Values()[1:]
	text := reporttest.ReadPDF(t, made(t, s, "ratna", `kind:timesheet,format:pdf,`+period))
	if len(totals) != sheet.Timesheet.TotalCount {
		t.Errorf("%d people, want %d", len(totals), sheet.Timesheet.TotalCount)
	}
	for i, p := range sheet.Timesheet.People {
		got, x := totals[i], p.Total
		want := []string{p.Name, clock(x.ExpectedSeconds), clock(x.WorkedSeconds), clock(x.BalanceSeconds), clock(x.OvertimeSeconds), clock(x.LateSeconds), fmt.Sprint(x.LateDays), fmt.Sprint(x.AbsentDays)}
		if have := []string{got[0], got[3], got[4], got[5], got[6], got[8], got[9], got[12]}; strings.Join(have, "|") != strings.Join(want, "|") {
			t.Errorf("%q, want %q", have, want)
		}
		if !strings.Contains(text, p.Name) || !strings.Contains(text, clock(x.WorkedSeconds)) {
			t.Errorf("the PDF has no %s", p.Name)
		}
	}
	if !strings.Contains(text, "Nusantara Demo") || !strings.Contains(text, "Page 1 of") || !strings.Contains(text, clock(sheet.Timesheet.Total.WorkedSeconds)) {
		t.Errorf("the PDF:\n%s", text)
	}

	tasks(t, s)
	for _, kind := range []string{"overtime", "leave", "ticket"} {
		b := reporttest.ReadWorkbook(t, made(t, s, "andini", `kind:`+kind+`,from:"2026-01-01",to:"2026-12-31"`))
		if len(b.Sheets) != 2 || len(b.Sheets[0].Rows) == 0 {
			t.Errorf("%s: %+v", kind, b)
		}
	}
	var tickets struct {
		Tickets struct {
			Edges []struct {
				Node struct {
					Number    int
					Subject   string
					Requester struct{ Name string }
				}
			}
		}
	}
	s.GraphQL(t, s.HeaderOf("andini"), `{tickets(first:1000,orderBy:{field:CREATED_AT,direction:DESC}){edges{node{number subject requester{name}}}}}`, nil, &tickets)
	got := reporttest.ReadWorkbook(t, made(t, s, "andini", `kind:ticket,from:"2026-01-01",to:"2026-12-31"`)).Sheets[0].Values()[1:]
	if len(got) != len(tickets.Tickets.Edges) {
		t.Fatalf("%d tickets, want %d", len(got), len(tickets.Tickets.Edges))
	}
	for i, e := range tickets.Tickets.Edges {
		if want := []string{fmt.Sprint(e.Node.Number), e.Node.Subject, e.Node.Requester.Name}; strings.Join(got[i][:3], "|") != strings.Join(want, "|") {
			t.Errorf("%q, want %q", got[i][:3], want)
		}
	}
}

// tasks compares a report of tasks, in English, one of whose titles looks like a formula.
func tasks(t *testing.T, s *harness.Server) {
	s.Run(t, []apitest.Scenario{
		harness.Asks("a formula", "sari", `mutation{saveTask(input:{title:"=HYPERLINK(\"http://x.test\")",dueAt:"2026-03-10T10:00:00Z"}){title}}`, `{"saveTask":{"title":"=HYPERLINK(\"http://x.test\")"}}`),
	})
	s.Clock.Advance(time.Second)
	s.Run(t, []apitest.Scenario{
		harness.Asks("full width", "sari", `mutation{saveTask(input:{title:"＝1+1"}){title}}`, `{"saveTask":{"title":"＝1+1"}}`),
		harness.Asks("books time", "sari", `mutation{saveActivity(input:{title:"＝1+1",startAt:"2026-03-10T00:00:00Z",endAt:"2026-03-10T01:01:01Z"}){durationSeconds}}`, `{"saveActivity":{"durationSeconds":3661}}`),
	})
	rows := reporttest.ReadWorkbook(t, made(t, s, "sari", `from:"2026-03-09",to:"2026-03-15"`)).Sheets[0].Values()
	want := [][]string{{"Title", "Project", "Category", "Status"}, {"＝1+1", "", "", "Open"}, {`=HYPERLINK("http://x.test")`, "", "", "Open"}}
	for i, w := range want {
		if i >= len(rows) || strings.Join(rows[i][:4], "|") != strings.Join(w, "|") {
			t.Errorf("row %d of %q, want %q", i, rows, w)
		}
	}
	if len(rows) == 3 && (rows[1][9] != "1:01:01" || rows[2][7] != "2026-03-10 17:00:00") {
		t.Errorf("%q", rows)
	}
	lines := string(made(t, s, "sari", `format:csv,from:"2026-03-09",to:"2026-03-15"`))
	if !strings.Contains(lines, "\r\n'＝1+1,") || !strings.Contains(lines, "\r\n\"'=HYPERLINK(\"\"http://x.test\"\")\",") {
		t.Errorf("CSV: %q", lines)
	}
}

// clock writes seconds as reports do.
func clock(n int) string {
	sign := ""
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d:%02d:%02d", sign, n/3600, n/60%60, n%60)
}
