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
	post := func(name, who, body string, status int, want string) apitest.Scenario {
		return rest(name, who, "POST", "/task", body, status, want)
	}
	put := func(name, who, id, body string, status int, want string) apitest.Scenario {
		return rest(name, who, "PUT", "/task/"+id, body, status, want)
	}
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
		saved(post("one's own", "sari", `{"title":" Rapat  tim ","unknown":1}`, 200, body("title", `"Rapat  tim"`, "assignees", sari)), "own", "/id"),
		rest("read", "sari", "GET", "/task/{{own}}", "", 200, body("title", `"Rapat  tim"`, "assignees", sari)),
		rest("by the manager", "ratna", "GET", "/task/{{own}}", "", 200, body("title", `"Rapat  tim"`, "assignees", sari)),
		rest("by a colleague", "budi", "GET", "/task/{{own}}", "", 404, notFound),
		rest("by another company", "daeng", "GET", "/task/{{own}}", "", 404, notFound),
		rest("another company's", "andini", "GET", "/task/{{theirTask}}", "", 404, notFound),
		rest("no id", "andini", "GET", "/task/abc", "", 404, `"<any>"`),
		rest("nobody", "nobody", "GET", "/task/{{own}}", "", 401, `"<any>"`),
		saved(post("all members", "ratna", `{"title":"Audit","description":"baris 1\nbaris 2","status":"in_progress","priority":"urgent","projectId":{{gedung}},"categoryId":"{{rapat}}",`+
			`"assigneeIds":["{{sari}}"],"startAt":"2026-03-10T09:00:00+07:00","dueAt":"2026-03-11T17:00:00+07:00","latitude":"-6.2","longitude":106.816666}`, 200,
			body("title", `"Audit"`, "description", `"baris 1\nbaris 2"`, "status", `"in_progress"`, "priority", `"urgent"`, "project", `{"id":"{{gedung}}","name":"Pemeliharaan Gedung"}`,
				"category", `{"id":"{{rapat}}","name":"Rapat"}`, "assignees", sari, "startAt", `"2026-03-10T02:00:00Z"`, "dueAt", `"2026-03-11T10:00:00Z"`,
				"latitude", `"-6.200000"`, "longitude", `"106.816666"`)), "audit", "/id"),
		rest("its assignee sees it", "sari", "GET", "/task/{{audit}}", "", 200, `"<any>"`),
		post("all that cannot be read", "sari", `{"title":"","status":"gone","priority":1,"latitude":"91"}`, 422,
			bad("status", "priority")),
		post("all faults", "sari", `{"title":"","description":"`+long(5001)+`","latitude":"91","longitude":"1",`+
			`"startAt":"2026-03-11T00:00:00Z","dueAt":"2026-03-10T00:00:00Z"}`, 422,
			bad("title", "description", "dueAt", "latitude")),
		post("no title", "sari", `{}`, 422, bad("title")),
		post("half a position", "sari", `{"title":"x","latitude":"1"}`, 422, bad("longitude")),
		post("no position", "sari", `{"title":"x","latitude":"0","longitude":"0"}`, 422, bad("latitude", "longitude")),
		post("another company's project", "sari", `{"title":"x","projectId":"{{theirProject}}"}`, 404, missing("projectId")),
		post("another company's category", "sari", `{"title":"x","categoryId":"{{theirCategory}}"}`, 404, missing("categoryId")),
		post("another company's person", "sari", `{"title":"x","assigneeIds":["{{daeng}}"]}`, 404, missing("assigneeIds")),
		post("a colleague's", "sari", `{"title":"x","assigneeIds":["{{budi}}"]}`, 403, denied("assigneeIds")),
		post("an owner's", "ratna", `{"title":"x","assigneeIds":["{{andini}}"]}`, 403, denied("assigneeIds")),
		post("in an archived project", "sari", `{"title":"x","projectId":"{{lobi}}"}`, 409, problem("CONFLICT", "409", fault("projectId", "CONFLICT"), `{"conflict":"ARCHIVED","state":"archived"}`)),
		post("in a project of others", "sari", `{"title":"x","projectId":"{{aplikasi}}"}`, 403, denied("projectId")),
		post("for who is no member", "ratna", `{"title":"x","projectId":"{{aplikasi}}","assigneeIds":["{{sari}}"]}`, 403, denied("assigneeIds")),
		saved(post("done at once", "sari", `{"title":"done","status":"done"}`, 200, body("title", `"done"`, "status", `"done"`, "completedAt", `"2026-03-10T02:00:00Z"`, "assignees", sari)), "done", "/id"),

		put("a colleague's task", "budi", "{{own}}", `{"title":"x"}`, 404, notFound),
		put("by nobody", "nobody", "{{own}}", `{"title":"x"}`, 401, `"<any>"`),
		put("absent keeps", "sari", "{{own}}", `{"priority":"high","version":1}`, 200, body("title", `"Rapat  tim"`, "version", "2", "priority", `"high"`, "assignees", sari)),
		put("an old version", "sari", "{{own}}", `{"priority":"low","title":"Rapat  tim","assigneeIds":[],"version":1}`, 409, problem("VERSION_CONFLICT", "409", "",
			`{"currentVersion":2,"theirs":{"assigneeIds":["{{sari}}"],"priority":"high"},"version":1,"yours":{"assigneeIds":[],"priority":"low"}}`)),
		put("by the manager", "ratna", "{{own}}", `{"title":"Rapat","description":"x","dueAt":"2026-03-10T10:00:00Z","latitude":1,"longitude":1,"projectId":"{{gedung}}"}`, 200,
			body("title", `"Rapat"`, "version", "3", "description", `"x"`, "priority", `"high"`, "dueAt", `"2026-03-10T10:00:00Z"`, "latitude", `"1.000000"`, "longitude", `"1.000000"`,
				"project", `{"id":"{{gedung}}","name":"Pemeliharaan Gedung"}`, "assignees", sari)),
		put("null clears", "sari", "{{own}}", `{"description":null,"dueAt":null,"latitude":null,"longitude":null,"projectId":null,"assigneeIds":[]}`, 200,
			body("title", `"Rapat"`, "version", "4", "priority", `"high"`)),
		put("null where it may not be", "sari", "{{own}}", `{"title":null,"status":null,"priority":null}`, 422, bad("title", "status", "priority")),
		put("assigned by its creator", "sari", "{{own}}", `{"assigneeIds":["{{sari}}"]}`, 200, body("title", `"Rapat"`, "version", "5", "priority", `"high"`, "assignees", sari)),
		put("done", "sari", "{{own}}", `{"status":"done"}`, 200, body("title", `"Rapat"`, "version", "6", "priority", `"high"`, "status", `"done"`, "completedAt", `"2026-03-10T02:00:00Z"`, "assignees", sari)),
		put("a done one is not cancelled", "sari", "{{own}}", `{"status":"cancelled"}`, 409, problem("CONFLICT", "409", fault("status", "CONFLICT"), `{"conflict":"STATE","state":"done"}`)),
		put("reopened", "sari", "{{own}}", `{"status":"in_progress"}`, 200, body("title", `"Rapat"`, "version", "7", "priority", `"high"`, "status", `"in_progress"`, "assignees", sari)),
		put("cancelled", "sari", "{{own}}", `{"status":"cancelled"}`, 200, body("title", `"Rapat"`, "version", "8", "priority", `"high"`, "status", `"cancelled"`, "assignees", sari)),
		put("a project of others", "sari", "{{own}}", `{"projectId":"{{aplikasi}}"}`, 403, denied("projectId")),
	})
	s.Clock.Advance(time.Minute)
	s.Run(t, []apitest.Scenario{
		put("a change is later", "sari", "{{own}}", `{"status":"open"}`, 200,
			body("title", `"Rapat"`, "version", "9", "priority", `"high"`, "assignees", sari, "updatedAt", `"2026-03-10T02:01:00Z"`)),
		rest("removed by a colleague", "budi", "DELETE", "/task/{{own}}", "", 404, notFound),
		rest("removed", "sari", "DELETE", "/task/{{own}}", "", 200, `{"deleted":true}`),
		rest("gone", "sari", "GET", "/task/{{own}}", "", 404, notFound),
		rest("gone for the owner", "andini", "GET", "/task/{{own}}", "", 404, notFound),
		rest("removed again", "sari", "DELETE", "/task/{{own}}", "", 404, notFound),
		harness.Asks("a document of GraphQL", "sari", `mutation{saveTask(input:{title:"x",startAt:"2026-03-10T02:00:00Z"}){title creator{name} startAt copyOf{id} checklist{title} comments{text}}}`,
			`{"saveTask":{"title":"x","creator":{"name":"sari"},"startAt":"2026-03-10T02:00:00Z","copyOf":null,"checklist":[],"comments":[]}}`),
	})
	t.Run("a role that reads more than it changes", func(t *testing.T) {
		s.Run(t, []apitest.Scenario{
			saved(harness.Asks("a role", "andini", `mutation{createRole(input:{name:"Pembaca",permissions:["task.read.all","task.write.own"]}){id}}`, `{"createRole":{"id":"<digits>"}}`), "reader", "/data/createRole/id"),
			harness.Asks("for budi", "andini", `mutation{updateUser(id:"{{budi}}",input:{roleIds:["{{reader}}"]}){id}}`, `{"updateUser":{"id":"{{budi}}"}}`),
			rest("sees it", "budi", "GET", "/task/{{audit}}", "", 200, `"<any>"`),
			put("does not change it", "budi", "{{audit}}", `{"title":"x"}`, 403, forbidden),
			rest("nor removes it", "budi", "DELETE", "/task/{{audit}}", "", 403, forbidden),
		})
	})
}
