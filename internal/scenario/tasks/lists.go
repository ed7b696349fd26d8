package tasks

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// lists tests the list of tasks, its filters, its search and the widget.
func lists(t *testing.T, s *harness.Server) {
	signIn(t, s)
	save := func(title, more string) apitest.Scenario {
		return harness.Asks("save "+title, "sari", fmt.Sprintf(`mutation{saveTask(input:{title:%q%s}){title}}`, title, more), fmt.Sprintf(`{"saveTask":{"title":%q}}`, title))
	}
	for _, one := range [][2]string{
		{"Kunjungan ke Café Élan", `,dueAt:"2026-03-09T10:00:00Z",priority:high`},
		{"Laporan kunjungan", `,status:in_progress,dueAt:"2026-03-10T16:59:59Z",projectId:"{{gedung}}"`},
		{"CAFE 24 jam", `,status:done,dueAt:"2026-03-10T17:00:00Z",categoryId:"{{rapat}}"`},
		{"Straße 東京", `,description:"dengan kata kunjungan, Łódź"`},
	} {
		s.Run(t, []apitest.Scenario{save(one[0], one[1])})
		s.Clock.Advance(time.Second)
	}
	names := func(name, query string, want ...string) {
		t.Run(name, func(t *testing.T) {
			got := titles(t, s, "sari", "/task?"+query)
			if strings.Join(got, "|") != strings.Join(want, "|") {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	const elan, report, cafe, road = "Kunjungan ke Café Élan", "Laporan kunjungan", "CAFE 24 jam", "Straße 東京"
	names("newest first", "", road, cafe, report, elan)
	names("by status", "status=done", cafe)
	names("by project", "projectId="+s.Vars["gedung"], report)
	names("by category", "categoryId="+s.Vars["rapat"], cafe)
	names("by assignee", "assigneeId="+s.Vars["sari"], road, cafe, report, elan)
	names("due on a day", "from=2026-03-10&to=2026-03-10", report)
	names("due before an instant", "to="+url.QueryEscape("2026-03-10T23:59:59+07:00"), elan)
	names("empty parameters", "status=&projectId=&search=", road, cafe, report, elan)
	names("beginnings of words", "search=kunj", road, report, elan)
	names("without accents and case", "search="+url.QueryEscape("éLAN cafe"), elan)
	names("other letters", "search="+url.QueryEscape("STRASSE 東"), road)
	names("within a text without blanks", "search="+url.QueryEscape("京"), road)
	names("plain letters", "search=lodz", road)
	names("a sign that stands for others elsewhere", "search="+url.QueryEscape("%"))
	names("a page", "page=2&limit=3", elan)
	names("past the end", "page=9&limit=3")
	page := apitest.Scenario{Name: "headers of a page", Path: "/task?page=2&limit=1", Header: as("sari"),
		Want: `"<any>"`}
	page.WantHeader = map[string]string{"X-Total-Count": "4", "Link": `</task?limit=1&page=1>; rel="first", </task?limit=1&page=1>; rel="prev", </task?limit=1&page=3>; rel="next", </task?limit=1&page=4>; rel="last"`}
	page.Want = ""
	missing := func(field string) string { return problem("NOT_FOUND", "404", fault(field, "NOT_FOUND"), "{}") }
	s.Run(t, []apitest.Scenario{
		page,
		{Name: "another company's project", Path: "/task?projectId={{theirProject}}", Header: as("sari"),
			Status: 404, Want: missing("projectId")},
		{Name: "another company's category", Path: "/task?categoryId={{theirCategory}}", Header: as("sari"),
			Status: 404, Want: missing("categoryId")},
		{Name: "another company's person", Path: "/task?assigneeId={{daeng}}", Header: as("sari"),
			Status: 404, Want: missing("assigneeId")},
		{Name: "what cannot be read", Path: "/task?limit=0&page=0&status=x", Header: as("sari"),
			Status: 422, Want: problem("VALIDATION_FAILED", "422", fault("status", "VALIDATION_FAILED"), "{}")},
		{Name: "faults", Path: "/task?limit=0&page=0", Header: as("sari"),
			Status: 422, Want: problem("VALIDATION_FAILED", "422", fault("page", "VALIDATION_FAILED")+","+fault("limit", "VALIDATION_FAILED"), "{}")},
		{Name: "from after to", Path: "/task?from=2026-03-11&to=2026-03-10", Header: as("sari"),
			Status: 422, Want: problem("VALIDATION_FAILED", "422", fault("from", "VALIDATION_FAILED"), "{}")},
		{Name: "21 words", Path: "/task?search=" + words(21), Header: as("sari"),
			Status: 422, Want: problem("VALIDATION_FAILED", "422", fault("search", "VALIDATION_FAILED"), "{}")},
		harness.Asks("the collection", "sari", `{tasks(first:2,orderBy:{field:DUE_AT,direction:ASC},where:{dueAtNotNil:true}){totalCount edges{node{title}}}}`,
			`{"tasks":{"totalCount":3,"edges":[{"node":{"title":"Kunjungan ke Café Élan"}},{"node":{"title":"Laporan kunjungan"}}]}}`),
		harness.Asks("of a colleague", "budi", `{tasks(where:{hasAssigneesWith:[{id:"{{sari}}"}]}){totalCount}}`, `{"tasks":{"totalCount":0}}`),
		harness.Asks("of the team", "ratna", `{tasks(where:{hasAssigneesWith:[{id:"{{sari}}"}]}){totalCount}}`, `{"tasks":{"totalCount":4}}`),
		harness.Asks("a title is changed", "sari", `mutation{saveTask(input:{title:"Baru"}){id}}`, `{"saveTask":{"id":"<digits>"}}`),
		{Name: "the widget", Path: "/widget/tasks?limit=2", Header: as("sari"),
			Want: `{"open":3,"inProgress":1,"overdue":1,"doneToday":1,"items":[` +
				body("title", `"Kunjungan ke Café Élan"`, "priority", `"high"`, "dueAt", `"2026-03-09T10:00:00Z"`, "assignees", sari) + "," +
				body("title", `"Laporan kunjungan"`, "status", `"in_progress"`, "project", `{"id":"{{gedung}}","name":"Pemeliharaan Gedung"}`, "dueAt", `"2026-03-10T16:59:59Z"`,
					"assignees", sari, "createdAt", `"2026-03-10T02:00:01Z"`, "updatedAt", `"2026-03-10T02:00:01Z"`) + `]}`},
		{Name: "the widget of who has none", Path: "/widget/tasks", Header: as("ratna"), Want: `"<any>"`},
		{Name: "too many items", Path: "/widget/tasks?limit=51", Header: as("sari"),
			Status: 422, Want: problem("VALIDATION_FAILED", "422", fault("limit", "VALIDATION_FAILED"), "{}")},
		harness.Asks("the widget of GraphQL", "sari", `{tasksWidget(limit:50){open items{title assignees{name}}}}`,
			`{"tasksWidget":{"open":3,"items":[{"title":"Kunjungan ke Café Élan","assignees":[{"name":"sari"}]},{"title":"Laporan kunjungan","assignees":[{"name":"sari"}]},`+
				`{"title":"Straße 東京","assignees":[{"name":"sari"}]},{"title":"Baru","assignees":[{"name":"sari"}]}]}}`),
	})
}

// words returns so many different words.
func words(n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint("w", i))
	}
	return strings.Join(list, "+")
}

// titles returns the titles of the tasks that a path lists.
func titles(t *testing.T, s *harness.Server, who, path string) []string {
	t.Helper()
	var list []struct{ Title string }
	decode(t, s, who, path, &list)
	var out []string
	for _, one := range list {
		out = append(out, one.Title)
	}
	return out
}
