package tasks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/color"
	"mime/multipart"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
	entMessage "workforce/ent/message"
	entTask "workforce/ent/task"
	"workforce/ent/taskimage"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// decode reads what a path answers.
func decode(t *testing.T, s *harness.Server, who, path string, into any) {
	t.Helper()
	resp, text := s.Get(t, who, path)
	if err := json.Unmarshal(text, into); err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %d %s", path, resp.StatusCode, text)
	}
}

// newTask saves a task of sari's under a name.
func newTask(t *testing.T, s *harness.Server, name string) {
	t.Helper()
	s.Run(t, []apitest.Scenario{saved(harness.Asks("a task", "sari", `mutation{saveTask(input:{title:"Tugas"}){id}}`, `{"saveTask":{"id":"<digits>"}}`), name, "/data/saveTask/id")})
}

// parts tests checklists, comments, mentions and attachments.
func parts(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTask(t, s, "task")
	add := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createTaskChecklistItem(input:{taskId:"{{task}}",`+input+`}){id title done}}`, want)
	}
	change := func(name, who, id, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateTaskChecklistItem(id:"{{`+id+`}}",input:{`+input+`}){title done}}`, want)
	}
	list := func(name, want string) apitest.Scenario {
		return harness.Asks(name, "sari", `{task(id:"{{task}}"){checklist{title done}}}`, `{"task":{"checklist":[`+want+`]}}`)
	}
	s.Run(t, []apitest.Scenario{
		saved(add("a step", "sari", `title:"Satu"`, `{"createTaskChecklistItem":{"id":"<digits>","title":"Satu","done":false}}`), "one", "/data/createTaskChecklistItem/id"),
		saved(add("another", "ratna", `title:"Dua"`, `{"createTaskChecklistItem":{"id":"<digits>","title":"Dua","done":false}}`), "two", "/data/createTaskChecklistItem/id"),
		add("of a colleague", "budi", `title:"X"`, refusal("createTaskChecklistItem", "NOT_FOUND", "{}", "taskId", harness.Nothing)),
		add("without a title", "sari", `title:" "`, refusal("createTaskChecklistItem", "VALIDATION_FAILED", "{}", "title", harness.Required)),
		list("in order", `{"title":"Satu","done":false},{"title":"Dua","done":false}`),
		change("done", "sari", "one", `done:true`, `{"updateTaskChecklistItem":{"title":"Satu","done":true}}`),
		change("before the first", "sari", "two", `title:"Nol",beforeId:"{{one}}"`, `{"updateTaskChecklistItem":{"title":"Nol","done":false}}`),
		list("in another order", `{"title":"Nol","done":false},{"title":"Satu","done":true}`),
		change("to the end", "sari", "two", `beforeId:null`, `{"updateTaskChecklistItem":{"title":"Nol","done":false}}`),
		list("as it was", `{"title":"Satu","done":true},{"title":"Nol","done":false}`),
		change("before nothing", "sari", "two", `beforeId:"999999"`, refusal("updateTaskChecklistItem", "NOT_FOUND", "{}", "beforeId", harness.Nothing)),
		change("neither", "sari", "two", `done:null`, refusal("updateTaskChecklistItem", "VALIDATION_FAILED", "{}", "done", harness.Required)),
		change("by a colleague", "budi", "two", `done:true`, refusal("updateTaskChecklistItem", "NOT_FOUND", "{}")),
		harness.Asks("removed", "sari", `mutation{deleteTaskChecklistItem(id:"{{one}}"){deleted}}`, `{"deleteTaskChecklistItem":{"deleted":true}}`),
		list("one less", `{"title":"Nol","done":false}`),
	})
	say := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createTaskComment(input:{taskId:"{{task}}",`+input+`}){id text user{name} mentions{name} editedAt}}`, want)
	}
	edit := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateTaskComment(id:"{{comment}}",input:{`+input+`}){text editedAt}}`, want)
	}
	s.Run(t, []apitest.Scenario{
		saved(say("a comment", "sari", `text:" Halo\n@Budi ",mentionIds:["{{budi}}","{{sari}}","{{budi}}"]`,
			`{"createTaskComment":{"id":"<digits>","text":"Halo\n@Budi","user":{"name":"sari"},"mentions":[{"name":"Budi Santoso"},{"name":"sari"}],"editedAt":null}}`), "comment", "/data/createTaskComment/id"),
		say("of a colleague", "budi", `text:"x"`, refusal("createTaskComment", "NOT_FOUND", "{}", "taskId", harness.Nothing)),
		say("of nothing", "sari", `text:" "`, refusal("createTaskComment", "VALIDATION_FAILED", "{}", "text", harness.Required)),
		say("to another company", "sari", `text:"x",mentionIds:["{{daeng}}"]`, refusal("createTaskComment", "NOT_FOUND", "{}", "mentionIds", harness.Nothing)),
		edit("one's own", "sari", `text:"Hai"`, `{"updateTaskComment":{"text":"Hai","editedAt":"2026-03-10T02:00:00Z"}}`),
		edit("another's", "ratna", `text:"x"`, refusal("updateTaskComment", "FORBIDDEN", "{}")),
		edit("one that is not seen", "budi", `text:"x"`, refusal("updateTaskComment", "NOT_FOUND", "{}")),
		say("of what shows nothing", "sari", `text:"\u200b\n\u3164"`, refusal("createTaskComment", "VALIDATION_FAILED", "{}", "text", harness.Required)),
		edit("to nothing", "sari", `text:""`, refusal("updateTaskComment", "VALIDATION_FAILED", "{}", "text", harness.Required)),
		harness.Asks("all of them", "ratna", `{task(id:"{{task}}"){comments{text user{name} mentions{name}}}}`,
			`{"task":{"comments":[{"text":"Hai","user":{"name":"sari"},"mentions":[{"name":"Budi Santoso"},{"name":"sari"}]}]}}`),
		harness.Asks("removed by a colleague", "budi", `mutation{deleteTaskComment(id:"{{comment}}"){deleted}}`, refusal("deleteTaskComment", "NOT_FOUND", "{}")),
		harness.Asks("removed by the manager", "ratna", `mutation{deleteTaskComment(id:"{{comment}}"){deleted}}`, `{"deleteTaskComment":{"deleted":true}}`),
	})
	told := s.Store.Ent.Message.Query().Where(entMessage.Kind("task_mention")).WithUser().AllX(viewer.System(t.Context()))
	if len(told) != 1 || told[0].Edges.User.Email != "budi@demo.test" {
		t.Errorf("%d were told of a mention", len(told))
	}
	attachments(t, s)
}

// attachments tests the files of tasks.
func attachments(t *testing.T, s *harness.Server) {
	const document = `mutation($input:CreateTaskAttachmentInput!){createTaskAttachment(input:$input){id name contentType size url user{name}}}`
	attach := func(who string, data []byte) (a harness.Answer, id string, code string) {
		t.Helper()
		a, err := s.AskUpload(t, who, document, map[string]any{"input": map[string]any{"taskId": s.Vars["task"], "file": nil}}, "input.file", data)
		var out struct {
			Data struct {
				CreateTaskAttachment struct{ ID, Name, ContentType, URL string }
			}
			Errors []struct{ Extensions harness.ProblemFacts }
		}
		if err == nil {
			err = json.Unmarshal([]byte(a.Body), &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Errors) > 0 {
			code = out.Errors[0].Extensions.Code
		}
		return a, out.Data.CreateTaskAttachment.ID, code
	}
	pdf := []byte("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n")
	first, id, code := attach("sari", pdf)
	if code != "" || !strings.Contains(first.Body, `"name":"picture.pdf","contentType":"application/pdf"`) || !strings.Contains(first.Body, ".pdf?X-Amz-") {
		t.Errorf("a PDF: %s", first.Body)
	}
	if _, again, code := attach("ratna", pdf); again != id || code != "" {
		t.Errorf("again: %s %s, want %s", again, code, id)
	}
	if a, _, code := attach("sari", harness.Picture(t, 40, 30, color.White)); code != "" || !strings.Contains(a.Body, `"contentType":"image/jpeg"`) {
		t.Errorf("a picture: %s", a.Body)
	}
	for who, want := range map[string]string{"budi": "NOT_FOUND", "daeng": "NOT_FOUND"} {
		if _, _, code := attach(who, pdf); code != want {
			t.Errorf("by %s: %q, want %s", who, code, want)
		}
	}
	if _, _, code := attach("sari", []byte("#!/bin/sh\n")); code != "UNSUPPORTED_MEDIA_TYPE" {
		t.Errorf("a script: %q", code)
	}
	s.Vars["attachment"] = id
	s.Run(t, []apitest.Scenario{
		harness.Asks("removed by a colleague", "budi", `mutation{deleteTaskAttachment(id:"{{attachment}}"){deleted}}`, refusal("deleteTaskAttachment", "NOT_FOUND", "{}")),
		harness.Asks("removed", "sari", `mutation{deleteTaskAttachment(id:"{{attachment}}"){deleted}}`, `{"deleteTaskAttachment":{"deleted":true}}`),
		harness.Asks("one less", "sari", `{task(id:"{{task}}"){attachments{contentType}}}`, `{"task":{"attachments":[{"contentType":"image/jpeg"}]}}`),
	})
	if n := s.Store.Ent.File.Query().Where(entFile.MediaType("application/pdf")).CountX(viewer.System(t.Context())); n != 0 {
		t.Errorf("%d files are left of a removed attachment", n)
	}
}

// form returns a form with pictures as parts image, and its Content-Type.
func form(t *testing.T, caption string, pictures ...[]byte) (string, string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, data := range pictures {
		part, err := w.CreateFormFile("image", "p.png")
		if err == nil {
			_, err = part.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if caption != "" {
		if err := w.WriteField("caption", caption); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), w.FormDataContentType()
}

// uploaded is a scenario that adds pictures at a path, with a caption where one is given.
func uploaded(t *testing.T, name, who, path, caption string, status int, want string, pictures ...[]byte) apitest.Scenario {
	text, kind := form(t, caption, pictures...)
	s := apitest.Scenario{Name: name, Path: path, Header: as(who), Body: text, Status: status, Want: want}
	s.Header = harness.SignedIn(who, "Content-Type", kind)
	return s
}

// image is a picture of a task on the wire, added on the first day.
func image(caption, width, height string) string {
	return `{"id":"<digits>","url":"/http.*X-Amz-Expires=86400.*/","thumbnailUrl":"/http.*X-Amz-Signature=.*/","caption":` + caption + `,"contentType":"image/jpeg","width":` + width + `,"height":` + height +
		`,"size":"<int>","createdAt":"2026-03-10T02:00:00Z"}`
}

// activityImages tests the pictures of tasks by what is booked on them.
func activityImages(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTask(t, s, "task")
	picture, one := harness.Picture(t, 40, 30, color.White), "["+image(`"Lobi"`, "40", "30")+"]"
	s.Run(t, []apitest.Scenario{
		saved(harness.Asks("time on it", "sari", `mutation{createTimeEntry(input:{taskId:"{{task}}",startAt:"2026-03-10T08:00:00+07:00",endAt:"2026-03-10T08:30:00+07:00"}){id}}`, `{"createTimeEntry":{"id":"<digits>"}}`),
			"entry", "/data/createTimeEntry/id"),
		uploaded(t, "added", "sari", "/tasks/{{entry}}/image", "Lobi", 200, one, picture),
		uploaded(t, "the same again", "ratna", "/tasks/{{entry}}/image", "", 200, one, picture),
		{Name: "the list", Path: "/tasks/{{entry}}/image", Header: as("sari"), Want: one},
		{Name: "the list of the task", Path: "/task/{{task}}/image", Header: as("sari"), Want: one},
		harness.Asks("by id", "sari", `{taskImages(id:"{{task}}"){caption}}`, `{"taskImages":[{"caption":"Lobi"}]}`),
		harness.Asks("by the former name", "sari", `{taskImages(taskId:"{{task}}"){caption}}`, `{"taskImages":[{"caption":"Lobi"}]}`),
		harness.Asks("by both", "sari", `{taskImages(id:"{{task}}",taskId:"{{task}}"){caption}}`, `{"taskImages":[{"caption":"Lobi"}]}`),
		harness.Asks("by two", "sari", `{taskImages(id:"{{task}}",taskId:"{{entry}}0"){caption}}`,
			refusal("taskImages", "VALIDATION_FAILED", "{}", "id", "This may not be given together with taskId.")),
		harness.Asks("by neither", "sari", `{taskImages(id:null){caption}}`, refusal("taskImages", "VALIDATION_FAILED", "{}", "id", harness.Required)),
		harness.Asks("by id, of a colleague", "budi", `{taskImages(id:"{{task}}"){caption}}`, refusal("taskImages", "NOT_FOUND", "{}", "id", harness.Nothing)),
		harness.Asks("in the activity", "sari", `{activities(limit:1){imageCount category{name} project{name}}}`, `{"activities":[{"imageCount":1,"category":null,"project":null}]}`),
		harness.Asks("no activities", "sari", `{activities(limit:0){id}}`, refusal("activities", "VALIDATION_FAILED", "{}", "limit", "/.+/")),
		{Name: "the list of a colleague", Path: "/tasks/{{entry}}/image", Header: as("budi"),
			Status: 404, Want: problem("NOT_FOUND", "404", "", "{}")},
		uploaded(t, "by a colleague", "budi", "/tasks/{{entry}}/image", "", 404, problem("NOT_FOUND", "404", "", "{}"), picture),
		uploaded(t, "of another company", "daeng", "/tasks/{{entry}}/image", "", 404, problem("NOT_FOUND", "404", "", "{}"), picture),
		uploaded(t, "no picture", "sari", "/tasks/{{entry}}/image", "", 415, problem("UNSUPPORTED_MEDIA_TYPE", "415", fault("image", "UNSUPPORTED_MEDIA_TYPE"), `"<any>"`), []byte("hello")),
	})
}

// images tests the pictures of tasks.
func images(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTask(t, s, "task")
	red, blue := harness.Picture(t, 400, 200, color.RGBA{200, 0, 0, 255}), harness.Picture(t, 40, 30, color.RGBA{0, 0, 200, 255})
	send := func(name, who, caption string, status int, want string, pictures ...[]byte) apitest.Scenario {
		return uploaded(t, name, who, "/task/{{task}}/image", caption, status, want, pictures...)
	}
	two := "[" + image(`"Lobi"`, "400", "200") + "," + image(`"Lobi"`, "40", "30") + "]"
	s.Run(t, []apitest.Scenario{
		saved(send("two at once", "sari", "Lobi", 200, two, red, blue), "first", "/0/id"),
		saved(send("the same again", "ratna", "x", 200, "["+image(`"Lobi"`, "400", "200")+"]", red), "again", "/0/id"),
		{Name: "the list", Path: "/task/{{task}}/image", Header: as("sari"), Want: two},
		{Name: "in the task", Path: "/task/{{task}}", Header: as("sari"),
			Want: body("title", `"Tugas"`, "assignees", sari, "images", two)},
		{Name: "the list of a colleague", Path: "/task/{{task}}/image", Header: as("budi"),
			Status: 404, Want: problem("NOT_FOUND", "404", `"<any>"`, "{}")},
		send("by a colleague", "budi", "", 404, problem("NOT_FOUND", "404", "", "{}"), red),
		send("no picture", "sari", "", 415, problem("UNSUPPORTED_MEDIA_TYPE", "415", fault("image", "UNSUPPORTED_MEDIA_TYPE"), `"<any>"`), []byte("hello")),
		send("one of them no picture", "sari", "", 415, problem("UNSUPPORTED_MEDIA_TYPE", "415", fault("image", "UNSUPPORTED_MEDIA_TYPE"), `"<any>"`), harness.Picture(t, 9, 9, color.Black), []byte("hello")),
		send("without parts", "sari", "x", 422, problem("VALIDATION_FAILED", "422", fault("image", "VALIDATION_FAILED"), "{}")),
		{Name: "still two", Path: "/task/{{task}}/image", Header: as("sari"), Want: two},
		{Name: "one of another task", Method: "DELETE", Path: "/task/{{task}}/image/999999", Header: as("sari"),
			Status: 404, Want: problem("NOT_FOUND", "404", fault("imageId", "NOT_FOUND"), "{}")},
		{Name: "removed by a colleague", Method: "DELETE", Path: "/task/{{task}}/image/{{first}}", Header: as("budi"),
			Status: 404, Want: problem("NOT_FOUND", "404", "", "{}")},
		{Name: "removed", Method: "DELETE", Path: "/task/{{task}}/image/{{first}}", Header: as("sari"),
			Want: `{"deleted":true}`},
		{Name: "one less", Path: "/task/{{task}}/image", Header: as("sari"),
			Want: "[" + image(`"Lobi"`, "40", "30") + "]"},
		send("added anew", "sari", "", 200, "["+image("null", "400", "200")+"]", red),
	})
	if s.Vars["first"] != s.Vars["again"] {
		t.Errorf("the same bytes are the images %s and %s", s.Vars["first"], s.Vars["again"])
	}
	const document = `mutation($id:ID!,$input:SaveTaskImagesInput!){saveTaskImages(id:$id,input:$input){id width}}`
	a, err := s.AskUpload(t, "sari", document, map[string]any{"id": s.Vars["task"], "input": map[string]any{"images": []any{nil}}}, "input.images.0", blue)
	if err != nil || !strings.Contains(a.Body, `"width":40`) {
		t.Errorf("by GraphQL: %v %s", err, a.Body)
	}
	purged(t, s)
}

// purged tests that pictures are deleted with their task, so that links to them lead nowhere, and
// that the task is purged 30 days later, and not before.
func purged(t *testing.T, s *harness.Server) {
	ctx, db := viewer.System(ent.NewContext(t.Context(), s.Store.Ent)), s.Store.Ent
	var shown []struct{ URL, ThumbnailURL string }
	decode(t, s, "sari", "/task/"+s.Vars["task"]+"/image", &shown)
	links := func(want int) {
		t.Helper()
		for _, image := range shown {
			for _, link := range []string{image.URL, image.ThumbnailURL} {
				if resp, _ := s.Get(t, "sari", strings.TrimPrefix(link, "http://wf.test")); resp.StatusCode != want {
					t.Errorf("%s is %d, want %d", link, resp.StatusCode, want)
				}
			}
		}
	}
	if links(200); len(shown) != 2 {
		t.Errorf("%d pictures", len(shown))
	}
	s.Run(t, []apitest.Scenario{
		{Name: "removed", Method: "DELETE", Path: "/task/{{task}}", Header: as("sari"), Want: `{"deleted":true}`},
		{Name: "its pictures too", Path: "/task/{{task}}/image", Header: as("sari"), Status: 404, Want: `"<any>"`},
	})
	links(404)
	count := func() [2]int {
		return [2]int{db.Task.Query().Where(entTask.Title("Tugas")).CountX(ctx), db.TaskImage.Query().CountX(ctx)}
	}
	before := count()
	s.Clock.Advance(30 * harness.Day)
	err := s.Services.Tasks.Clean(ctx)
	if after := count(); err != nil || after != before || before != [2]int{1, 0} {
		t.Errorf("after 30 days %v, before %v: %v", after, before, err)
	}
	s.Clock.Advance(time.Second)
	if err := s.Services.Tasks.Clean(ctx); err != nil {
		t.Fatal(err)
	}
	if got := count(); got != [2]int{} {
		t.Errorf("purged: %v are left", got)
	}
	s.Wait(t, "the end of their files", func() bool {
		return !db.File.Query().Where(entFile.MediaType("image/jpeg")).ExistX(ctx)
	})
	if n := db.TaskImage.Query().Where(taskimage.HasUserWith(user.Email("sari@demo.test"))).CountX(ctx); n != 0 {
		t.Errorf("%d images are left", n)
	}
}

// recurring tests that recurring tasks are copied as the company's day begins.
func recurring(t *testing.T, s *harness.Server) {
	signIn(t, s)
	save := func(name, rule, want string) apitest.Scenario {
		return harness.Asks(name, "sari", `mutation{saveTask(input:{title:"Piket",dueAt:"2026-03-10T10:00:00Z",recurrence:"`+rule+`"}){id recurrence recursOn}}`, want)
	}
	wrong := func(why string) string {
		return refusal("saveTask", "VALIDATION_FAILED", "{}", "recurrence", why)
	}
	s.Run(t, []apitest.Scenario{
		saved(save("every weekday", "freq=weekly;byday=mo,tu,we,th,fr", `{"saveTask":{"id":"<digits>","recurrence":"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR","recursOn":"2026-03-11"}}`), "piket", "/data/saveTask/id"),
		save("by hours", "FREQ=HOURLY", wrong("FREQ must be one of DAILY, WEEKLY, MONTHLY, YEARLY.")),
		save("forbidden", "FREQ=WEEKLY;BYMONTHDAY=10", wrong("BYMONTHDAY may not be given together with FREQ=WEEKLY.")),
		save("a sixth Monday from the end", "FREQ=MONTHLY;BYDAY=-6MO", wrong("BYDAY must be one of MO, TU, WE, TH, FR, SA, SU, 1MO…5MO, -5MO…-1MO.")),
		save("an interval too long", "FREQ=DAILY;INTERVAL=1001", wrong("INTERVAL must be one of 1…1000.")),
		save("a part that no rule has", "FREQ=DAILY;X=1", wrong("X must be one of FREQ, INTERVAL, COUNT, UNTIL, WKST, BYDAY, BYMONTH, BYWEEKNO, BYYEARDAY, BYMONTHDAY, BYSETPOS.")),
		save("a part twice", "FREQ=DAILY;FREQ=DAILY", wrong("FREQ is listed twice.")),
		save("too long", "FREQ=DAILY;BYMONTHDAY="+strings.Repeat("1,", 240)+"1", wrong("This may have at most 500 characters.")),
		harness.Asks("a new rule", "sari", `mutation{updateTask(id:"{{piket}}",input:{recurrence:"FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"}){id}}`,
			refusal("updateTask", "VALIDATION_FAILED", "{}", "recurrence", "The rule gives no further date within ten years.")),
		harness.Asks("a step", "sari", `mutation{createTaskChecklistItem(input:{taskId:"{{piket}}",title:"Satu"}){title}}`, `{"createTaskChecklistItem":{"title":"Satu"}}`),
	})
	costlyRules(t, s, wrong("/.+/"))
	many, dates := "", ""
	for n := 1; n <= 8; n++ {
		many += fmt.Sprintf(`t%d:saveTask(input:{title:"Rapat",recurrence:"FREQ=DAILY;INTERVAL=%d"}){recursOn} `, n, n)
		dates += fmt.Sprintf(`,"t%d":{"recursOn":"2026-03-%d"}`, n, 10+n)
	}
	s.Run(t, []apitest.Scenario{harness.Asks("eight rules at once", "sari", `mutation{`+many+`}`, "{"+dates[1:]+"}")})
	copies := func(name, want string) apitest.Scenario {
		return harness.Asks(name, "sari", `{tasks(where:{title:"Piket",status:open}){edges{node{copiedOn dueAt recursOn copyOf{id} assignees{name} checklist{title done}}}}}`, `{"tasks":{"edges":[`+want+`]}}`)
	}
	first := func(next string) string {
		return `{"node":{"copiedOn":null,"dueAt":"2026-03-10T10:00:00Z","recursOn":"` + next + `","copyOf":null,"assignees":[{"name":"sari"}],"checklist":[{"title":"Satu","done":false}]}}`
	}
	copied := func(on string) string {
		return `,{"node":{"copiedOn":"` + on + `","dueAt":"` + on + `T10:00:00Z","recursOn":null,"copyOf":{"id":"{{piket}}"},"assignees":[{"name":"sari"}],"checklist":[{"title":"Satu","done":false}]}}`
	}
	s.Clock.Set(time.Date(2026, 3, 10, 17, 0, 0, 0, time.UTC)) // midnight of the company
	harness.CopyTasks(t, s)
	harness.CopyTasks(t, s)
	s.SignIn(t, "sari", "sari@demo.test")
	s.Run(t, []apitest.Scenario{copies("at midnight", first("2026-03-12")+copied("2026-03-11"))})
	s.Clock.Set(time.Date(2026, 3, 15, 3, 0, 0, 0, time.UTC)) // a Sunday
	harness.CopyTasks(t, s)
	s.SignIn(t, "sari", "sari@demo.test")
	s.Run(t, []apitest.Scenario{
		copies("the last that was missed", first("2026-03-16")+copied("2026-03-11")+copied("2026-03-13")),
		harness.Asks("no more", "sari", `mutation{updateTask(id:"{{piket}}",input:{recurrence:null}){recurrence recursOn}}`, `{"updateTask":{"recurrence":null,"recursOn":null}}`),
	})
}

// costlyRules tests that rules without dates, and with many places, are answered in
// milliseconds.
func costlyRules(t *testing.T, s *harness.Server, wrong string) {
	for _, tt := range []struct{ name, rule, want string }{
		{"the second time of a day, 235 times", "FREQ=DAILY;BYSETPOS=" + strings.Repeat("2,", 234) + "2", wrong},
		{"30 February", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", wrong},
		{"30 February, each day", "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", wrong},
		{"Tuesday alone, second time", "FREQ=WEEKLY;BYDAY=TU;BYSETPOS=" + strings.Repeat("2,", 230) + "2", wrong},
		{"the second of two, 220 times", "FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=" + strings.Repeat("2,", 219) + "2", `{"saveTask":{"recursOn":"2026-03-17"}}`},
	} {
		began := time.Now()
		s.Run(t, []apitest.Scenario{harness.Asks(tt.name, "sari", `mutation{saveTask(input:{title:"Rapat",recurrence:"`+tt.rule+`"}){recursOn}}`, tt.want)})
		if took := time.Since(began); took > time.Second {
			t.Errorf("%s: %v", tt.name, took)
		}
	}
}
