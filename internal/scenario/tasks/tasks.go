package tasks

import (
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

func long(n int) string { return strings.Repeat("x", n) }

// body is the whole answer of a task, of which some members differ from those of a new one.
func body(pairs ...string) string {
	members := [][2]string{
		{"id", `"<digits>"`}, {"version", "1"}, {"title", `"<any>"`}, {"description", "null"}, {"status", `"open"`}, {"priority", `"normal"`}, {"project", "null"}, {"category", "null"},
		{"assignees", "[]"}, {"startAt", "null"}, {"dueAt", "null"}, {"completedAt", "null"}, {"latitude", "null"}, {"longitude", "null"}, {"images", "[]"},
		{"running", "false"}, {"durationSeconds", "0"}, {"createdAt", `"2026-03-10T02:00:00Z"`}, {"updatedAt", `"2026-03-10T02:00:00Z"`},
	}
	var out []string
	for _, m := range members {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == m[0] {
				m[1] = pairs[i+1]
			}
		}
		out = append(out, `"`+m[0]+`":`+m[1])
	}
	return "{" + strings.Join(out, ",") + "}"
}

const sari = `[{"id":"{{sari}}","name":"sari","image":"images/avatar.png"}]`

// tasks tests tasks in REST and GraphQL: who sees and changes them, and all that may be
// refused.
func tasks(t *testing.T, s *harness.Server) {
	signIn(t, s)
	bad := func(fields ...string) string {
		var list []string
		for _, f := range fields {
			list = append(list, fault(f, "VALIDATION_FAILED"))
		}
		return problem("VALIDATION_FAILED", "422", strings.Join(list, ","), "{}")
	}
	missing := func(field string) string { return problem("NOT_FOUND", "404", fault(field, "NOT_FOUND"), "{}") }
	denied := func(field string) string { return problem("FORBIDDEN", "403", fault(field, "FORBIDDEN"), "{}") }
	notFound, forbidden := problem("NOT_FOUND", "404", "", "{}"), problem("FORBIDDEN", "403", "", "{}")
	s.Run(t, []apitest.Scenario{
		{Name: "one's own", Path: "/task", Header: as("sari"), Body: `{"title":" Rapat  tim ","unknown":1}`,
			Want: body("title", `"Rapat  tim"`, "assignees", sari), Save: map[string]string{"own": "/id"}},
		{Name: "read", Path: "/task/{{own}}", Header: as("sari"),
			Want: body("title", `"Rapat  tim"`, "assignees", sari)},
		{Name: "by the manager", Path: "/task/{{own}}", Header: as("ratna"),
			Want: body("title", `"Rapat  tim"`, "assignees", sari)},
		{Name: "by a colleague", Path: "/task/{{own}}", Header: as("budi"), Status: 404, Want: notFound},
		{Name: "by another company", Path: "/task/{{own}}", Header: as("daeng"), Status: 404, Want: notFound},
		{Name: "another company's", Path: "/task/{{theirTask}}", Header: as("andini"), Status: 404, Want: notFound},
		{Name: "no id", Path: "/task/abc", Header: as("andini"), Status: 404, Want: `"<any>"`},
		{Name: "nobody", Path: "/task/{{own}}", Status: 401, Want: `"<any>"`},
		{Name: "all members", Path: "/task", Header: as("ratna"),
			Body: `{"title":"Audit","description":"baris 1\nbaris 2","status":"in_progress","priority":"urgent","projectId":{{gedung}},"categoryId":"{{rapat}}",` +
				`"assigneeIds":["{{sari}}"],"startAt":"2026-03-10T09:00:00+07:00","dueAt":"2026-03-11T17:00:00+07:00","latitude":"-6.2","longitude":106.816666}`,
			Want: body("title", `"Audit"`, "description", `"baris 1\nbaris 2"`, "status", `"in_progress"`, "priority", `"urgent"`, "project", `{"id":"{{gedung}}","name":"Pemeliharaan Gedung"}`,
				"category", `{"id":"{{rapat}}","name":"Rapat"}`, "assignees", sari, "startAt", `"2026-03-10T02:00:00Z"`, "dueAt", `"2026-03-11T10:00:00Z"`,
				"latitude", `"-6.200000"`, "longitude", `"106.816666"`), Save: map[string]string{"audit": "/id"}},
		{Name: "its assignee sees it", Path: "/task/{{audit}}", Header: as("sari"), Want: `"<any>"`},
		{Name: "all that cannot be read", Path: "/task", Header: as("sari"),
			Body:   `{"title":"","status":"gone","priority":1,"latitude":"91"}`,
			Status: 422, Want: bad("status", "priority")},
		{Name: "all faults", Path: "/task", Header: as("sari"),
			Body: `{"title":"","description":"` + long(5001) + `","latitude":"91","longitude":"1",` +
				`"startAt":"2026-03-11T00:00:00Z","dueAt":"2026-03-10T00:00:00Z"}`,
			Status: 422, Want: bad("title", "description", "dueAt", "latitude")},
		{Name: "no title", Path: "/task", Header: as("sari"), Body: `{}`, Status: 422, Want: bad("title")},
		{Name: "half a position", Path: "/task", Header: as("sari"), Body: `{"title":"x","latitude":"1"}`,
			Status: 422, Want: bad("longitude")},
		{Name: "no position", Path: "/task", Header: as("sari"), Body: `{"title":"x","latitude":"0","longitude":"0"}`,
			Status: 422, Want: bad("latitude", "longitude")},
		{Name: "another company's project", Path: "/task", Header: as("sari"),
			Body:   `{"title":"x","projectId":"{{theirProject}}"}`,
			Status: 404, Want: missing("projectId")},
		{Name: "another company's category", Path: "/task", Header: as("sari"),
			Body:   `{"title":"x","categoryId":"{{theirCategory}}"}`,
			Status: 404, Want: missing("categoryId")},
		{Name: "another company's person", Path: "/task", Header: as("sari"),
			Body:   `{"title":"x","assigneeIds":["{{daeng}}"]}`,
			Status: 404, Want: missing("assigneeIds")},
		{Name: "a colleague's", Path: "/task", Header: as("sari"), Body: `{"title":"x","assigneeIds":["{{budi}}"]}`,
			Status: 403, Want: denied("assigneeIds")},
		{Name: "an owner's", Path: "/task", Header: as("ratna"), Body: `{"title":"x","assigneeIds":["{{andini}}"]}`,
			Status: 403, Want: denied("assigneeIds")},
		{Name: "in an archived project", Path: "/task", Header: as("sari"),
			Body:   `{"title":"x","projectId":"{{lobi}}"}`,
			Status: 409, Want: problem("CONFLICT", "409", fault("projectId", "CONFLICT"), `{"conflict":"ARCHIVED","state":"archived"}`)},
		{Name: "in a project of others", Path: "/task", Header: as("sari"),
			Body:   `{"title":"x","projectId":"{{aplikasi}}"}`,
			Status: 403, Want: denied("projectId")},
		{Name: "for who is no member", Path: "/task", Header: as("ratna"),
			Body:   `{"title":"x","projectId":"{{aplikasi}}","assigneeIds":["{{sari}}"]}`,
			Status: 403, Want: denied("assigneeIds")},
		{Name: "done at once", Path: "/task", Header: as("sari"), Body: `{"title":"done","status":"done"}`,
			Want: body("title", `"done"`, "status", `"done"`, "completedAt", `"2026-03-10T02:00:00Z"`, "assignees", sari), Save: map[string]string{"done": "/id"}},

		{Name: "a colleague's task", Method: "PUT", Path: "/task/{{own}}", Header: as("budi"), Body: `{"title":"x"}`,
			Status: 404, Want: notFound},
		{Name: "by nobody", Method: "PUT", Path: "/task/{{own}}", Body: `{"title":"x"}`,
			Status: 401, Want: `"<any>"`},
		{Name: "absent keeps", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"),
			Body: `{"priority":"high","version":1}`,
			Want: body("title", `"Rapat  tim"`, "version", "2", "priority", `"high"`, "assignees", sari)},
		{Name: "an old version", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"),
			Body:   `{"priority":"low","title":"Rapat  tim","assigneeIds":[],"version":1}`,
			Status: 409, Want: problem("VERSION_CONFLICT", "409", "",
				`{"currentVersion":2,"theirs":{"assigneeIds":["{{sari}}"],"priority":"high"},"version":1,"yours":{"assigneeIds":[],"priority":"low"}}`)},
		{Name: "by the manager", Method: "PUT", Path: "/task/{{own}}", Header: as("ratna"),
			Body: `{"title":"Rapat","description":"x","dueAt":"2026-03-10T10:00:00Z","latitude":1,"longitude":1,"projectId":"{{gedung}}"}`,
			Want: body("title", `"Rapat"`, "version", "3", "description", `"x"`, "priority", `"high"`, "dueAt", `"2026-03-10T10:00:00Z"`, "latitude", `"1.000000"`, "longitude", `"1.000000"`,
				"project", `{"id":"{{gedung}}","name":"Pemeliharaan Gedung"}`, "assignees", sari)},
		{Name: "null clears", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"),
			Body: `{"description":null,"dueAt":null,"latitude":null,"longitude":null,"projectId":null,"assigneeIds":[]}`,
			Want: body("title", `"Rapat"`, "version", "4", "priority", `"high"`)},
		{Name: "null where it may not be", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"),
			Body:   `{"title":null,"status":null,"priority":null}`,
			Status: 422, Want: bad("title", "status", "priority")},
		{Name: "assigned by its creator", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"),
			Body: `{"assigneeIds":["{{sari}}"]}`,
			Want: body("title", `"Rapat"`, "version", "5", "priority", `"high"`, "assignees", sari)},
		{Name: "done", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"), Body: `{"status":"done"}`,
			Want: body("title", `"Rapat"`, "version", "6", "priority", `"high"`, "status", `"done"`, "completedAt", `"2026-03-10T02:00:00Z"`, "assignees", sari)},
		{Name: "a done one is not cancelled", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"),
			Body:   `{"status":"cancelled"}`,
			Status: 409, Want: problem("CONFLICT", "409", fault("status", "CONFLICT"), `{"conflict":"STATE","state":"done"}`)},
		{Name: "reopened", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"), Body: `{"status":"in_progress"}`,
			Want: body("title", `"Rapat"`, "version", "7", "priority", `"high"`, "status", `"in_progress"`, "assignees", sari)},
		{Name: "cancelled", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"), Body: `{"status":"cancelled"}`,
			Want: body("title", `"Rapat"`, "version", "8", "priority", `"high"`, "status", `"cancelled"`, "assignees", sari)},
		{Name: "a project of others", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"),
			Body:   `{"projectId":"{{aplikasi}}"}`,
			Status: 403, Want: denied("projectId")},
	})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{
		{Name: "a change is later", Method: "PUT", Path: "/task/{{own}}", Header: as("sari"),
			Body: `{"status":"open"}`,
			Want: body("title", `"Rapat"`, "version", "9", "priority", `"high"`, "assignees", sari, "updatedAt", `"2026-03-10T02:01:00Z"`)},
		{Name: "removed by a colleague", Method: "DELETE", Path: "/task/{{own}}", Header: as("budi"),
			Status: 404, Want: notFound},
		{Name: "removed", Method: "DELETE", Path: "/task/{{own}}", Header: as("sari"), Want: `{"deleted":true}`},
		{Name: "gone", Path: "/task/{{own}}", Header: as("sari"), Status: 404, Want: notFound},
		{Name: "gone for the owner", Path: "/task/{{own}}", Header: as("andini"), Status: 404, Want: notFound},
		{Name: "removed again", Method: "DELETE", Path: "/task/{{own}}", Header: as("sari"),
			Status: 404, Want: notFound},
		harness.Asks("a document of GraphQL", "sari", `mutation{saveTask(input:{title:"x",startAt:"2026-03-10T02:00:00Z"}){title creator{name} startAt copyOf{id} checklist{title} comments{text}}}`,
			`{"saveTask":{"title":"x","creator":{"name":"sari"},"startAt":"2026-03-10T02:00:00Z","copyOf":null,"checklist":[],"comments":[]}}`),
	})
	t.Run("a role that reads more than it changes", func(t *testing.T) {
		s.Run(t, []apitest.Scenario{
			saved(harness.Asks("a role", "andini", `mutation{createRole(input:{name:"Pembaca",permissions:["task.read.all","task.write.own"]}){id}}`, `{"createRole":{"id":"<digits>"}}`), "reader", "/data/createRole/id"),
			harness.Asks("for budi", "andini", `mutation{updateUser(id:"{{budi}}",input:{roleIds:["{{reader}}"]}){id}}`, `{"updateUser":{"id":"{{budi}}"}}`),
			{Name: "sees it", Path: "/task/{{audit}}", Header: as("budi"), Want: `"<any>"`},
			{Name: "does not change it", Method: "PUT", Path: "/task/{{audit}}", Header: as("budi"),
				Body:   `{"title":"x"}`,
				Status: 403, Want: forbidden},
			{Name: "nor removes it", Method: "DELETE", Path: "/task/{{audit}}", Header: as("budi"),
				Status: 403, Want: forbidden},
		})
	})
}
