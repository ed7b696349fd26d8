package permissions

import (
	"fmt"
	"strings"
	"testing"

	entMessage "workforce/ent/message"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
)

// taskSteps are what becomes of a task of budi (TM-30, TM-35, TM-36): its creator, its assignees,
// and whoever has one of them in scope see and change it, and assignees have it to do. cecep
// booked time on it once, which they and those who read their time see whatever becomes of the
// task.
var taskSteps = []step{
	{"saved", "andini", `{__typename}`, "",
		"andini change time, ratna change, siti change, budi change todo, cecep time, asep time"},
	{"a colleague does it", "andini", given("agus"), "",
		"andini change time, ratna change, siti change, budi change, agus change todo, cecep time, asep time"},
	{"somebody of Bandung does it", "andini", given("cecep"), "",
		"andini change time, ratna change, siti change, budi change, cecep change todo time, asep change time"},
	{"a colleague is mentioned", "budi",
		`mutation{createTaskComment(input:{taskId:"{{task}}",text:"@indah",mentionIds:["{{indah}}"]}){id}}`, "",
		"andini change time, ratna change, siti change, budi change, cecep change todo time, asep change time"},
	{"and does not take it", "indah", given("indah"), "NOT_FOUND",
		"andini change time, ratna change, siti change, budi change, cecep change todo time, asep change time"},
	{"nobody does it", "andini", `mutation{updateTask(id:"{{task}}",input:{assigneeIds:[]}){id}}`, "",
		"andini change time, ratna change, siti change, budi change, cecep time, asep time"},
	{"who did it does not take it back", "cecep", given("cecep"), "NOT_FOUND",
		"andini change time, ratna change, siti change, budi change, cecep time, asep time"},
	{"nor books time on it", "cecep", `mutation{restartTimer(id:"{{entry}}"){id}}`, "NOT_FOUND",
		"andini change time, ratna change, siti change, budi change, cecep time, asep time"},
	{"the supervisor takes it", "siti", given("siti"), "",
		"andini change time, ratna change, siti change todo, budi change, cecep time, asep time"},
	{"whose team another leads", "andini", managed("asep"), "",
		"andini change time, ratna change, siti change todo, budi change, cecep time, asep change time"},
	{"the creator takes it", "budi", given("budi"), "",
		"andini change time, ratna change, budi change todo, cecep time, asep change time"},
	{"the supervisor leads again", "andini", managed("siti"), "",
		"andini change time, ratna change, siti change, budi change todo, cecep time, asep time"},
	{"the creator works in Bandung", "andini", moved("bandung"), "",
		"andini change time, budi change todo, cecep time, asep change time"},
	{"somebody of Jakarta does it too", "andini", given("budi", "indah"), "",
		"andini change time, ratna change, budi change todo, indah change todo, cecep time, asep change time"},
	{"the creator leads the team in Jakarta", "andini", managed("budi"), "",
		"andini change time, ratna change, budi change todo, indah change todo, cecep time, asep change time"},
}

// given is the document that gives the task to people to do.
func given(who ...string) string {
	return `mutation{updateTask(id:"{{task}}",input:{assigneeIds:["{{` + strings.Join(who, `}}","{{`) + `}}"]}){id}}`
}

// TestTaskChanges tries the task, its comments, steps, pictures and files through both APIs and
// the subscription after each step, and the time on it.
func TestTaskChanges(t *testing.T) {
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		c := newChanging(t, s)
		s.Vars["task"] = c.do(t, "budi", `mutation{saveTask(input:{title:"Cuci mesin"}){id}}`)
		c.do(t, "budi", `mutation{createTaskComment(input:{taskId:"{{task}}",text:"kata"}){id}}`)
		s.Vars["step"] = c.do(t, "budi", `mutation{createTaskChecklistItem(input:{taskId:"{{task}}",title:"langkah"}){id}}`)
		c.addParts(t)
		c.listen(t, `subscription{taskChanged{description comments{text}}}`)
		n := 0
		c.walk(t, taskSteps, func(t *testing.T, s step) {
			n++
			mark := fmt.Sprintf("tahap %d.", n)
			c.do(t, "andini", `mutation{updateTask(id:"{{task}}",input:{description:"`+mark+`"}){id}}`)
			c.events(t, s, mark, nil)
		}, c.taskSight)
		told := s.Store.Ent.Message.Query().Where(entMessage.Kind("task_mention"),
			entMessage.HasUserWith(user.EmailKey(lookers["indah"]))).CountX(c.ctx)
		if told != 1 {
			t.Errorf("who is mentioned is told %d times", told)
		}
		c.do(t, "andini", `mutation{deleteTimeEntry(id:"{{entry}}"){deleted}}`)
		c.walk(t, []step{{"deleted", "andini", `mutation{deleteTask(id:"{{task}}"){deleted}}`, "", ""}}, nil, c.taskSight)
	})
}

// addParts adds a picture, a file and time of cecep to the task.
func (c changing) addParts(t *testing.T) {
	t.Helper()
	db, task, by := c.Store.Ent, c.id(t, "task"), c.person("budi").ID
	db.TaskImage.Create().SetCompanyID(c.company).SetTaskID(task).SetUserID(by).
		SetURL("images/task.png").SetThumbnailURL("images/small.png").
		SetContentType("image/png").SetWidth(1).SetHeight(1).SetSize(1).SetCreatedAt(harness.Morning).SaveX(c.ctx)
	db.TaskAttachment.Create().SetCompanyID(c.company).SetTaskID(task).SetUserID(by).SetName("x").
		SetURL("images/file.png").
		SetContentType("image/png").SetSize(1).SetCreatedAt(harness.Morning).SaveX(c.ctx)
	at := harness.Morning.UTC()
	e := db.TimeEntry.Create().SetCompanyID(c.company).SetUserID(c.person("cecep").ID).
		SetTaskID(task).SetKind(entTimeEntry.KindBooked).
		SetStartedAt(at).SetEndedAt(at).SetDate("2026-03-10").SetLastDate("2026-03-10").
		SetTimezone("Asia/Jakarta").SetNote("waktu").
		SetCreatedAt(at).SetUpdatedAt(at).SaveX(c.ctx)
	c.Vars["entry"] = fmt.Sprint(e.ID)
}

// taskSight says what somebody sees of the task and of the time on it.
func (c changing) taskSight(t *testing.T, who string) string {
	const members = `{title comments{text} checklist{title} images{url thumbnailUrl} attachments{url}}`
	s, parts := sight{},
		texts{"see": {`"Cuci mesin"`, `"kata"`, `"langkah"`, "images/task.png", "images/small.png", "images/file.png"}}
	c.byGraphQL(t, s, who, `{task(id:"{{task}}")`+members+`}`, parts)
	c.byGraphQL(t, s, who, `{tasks(first:5,where:{id:"{{task}}"}){edges{node`+members+`}} `+
		`taskList(search:"cuci mesin",limit:5){nodes`+members+`}}`, parts)
	c.byGraphQL(t, s, who, `{tasks(where:{id:"{{task}}"}){totalCount} taskList(search:"cuci mesin"){totalCount}}`,
		texts{"see": {`"totalCount":1`}})
	c.byGraphQL(t, s, who, `{taskImages(id:"{{task}}"){url}}`, texts{"see": {"images/task.png"}})
	c.byREST(t, s, who, texts{"see": {`"Cuci mesin"`, "images/task.png"}}, "/task/{{task}}", "/task?search=cuci%20mesin")
	c.byREST(t, s, who, texts{"see": {"images/task.png"}}, "/task/{{task}}/image")
	c.byREST(t, s, who, texts{"todo": {`"Cuci mesin"`}}, "/widget/tasks?limit=50")
	change := c.ask(t, who, `mutation{updateTaskChecklistItem(id:"{{step}}",input:{done:null}){id}}`).Code() // to nothing
	s.add("change", "updateTaskChecklistItem", change == "VALIDATION_FAILED")
	s.add("see", "updateTaskChecklistItem", change != "NOT_FOUND")
	c.timeSight(t, s, who)
	return s.words("change", "see", "todo", "time")
}

// timeSight says what somebody sees of the time on the task, and of the task by that.
func (c changing) timeSight(t *testing.T, s sight, who string) {
	t.Helper()
	c.byGraphQL(t, s, who, `{timeEntry(id:"{{entry}}"){note}}`, texts{"time": {`"waktu"`}})
	c.byGraphQL(t, s, who, `{timeEntries(where:{id:"{{entry}}"}){totalCount edges{node{note}}}}`,
		texts{"time": {`"waktu"`, `"totalCount":1`}})
	c.byGraphQL(t, s, who, `{activities(userId:"{{cecep}}",date:"2026-03-10"){title note}}`,
		texts{"time": {`"waktu"`, `"Cuci mesin"`}})
	c.byGraphQL(t, s, who, `{timeTotals(userIds:["{{cecep}}"],by:task){groups{label}}}`, texts{"time": {`"Cuci mesin"`}})
	c.byREST(t, s, who,
		texts{"time": {`"waktu"`, `"Cuci mesin"`}}, "/tasks?date=2026-03-10&userId={{cecep}}",
		"/tasks/grouping?from=2026-03-10&userId={{cecep}}")
	if !s["time"]["timeEntry "+`"waktu"`] {
		return
	}
	c.byGraphQL(t, s, who, `{timeEntry(id:"{{entry}}"){task{title}}}`, texts{"see": {`"Cuci mesin"`}})
	c.byGraphQL(t, s, who, `{activityImages(id:"{{entry}}"){url}}`, texts{"see": {"images/task.png"}})
	c.byREST(t, s, who, texts{"see": {"images/task.png"}}, "/tasks/{{entry}}/image")
	c.byREST(t, s, who, texts{"see": {`"imageCount":1`}}, "/tasks?date=2026-03-10&userId={{cecep}}")
}

// projectSteps are what becomes of a project of some: everybody sees it, and counts the tasks of
// it that they see; its members book time on it (TM-08, TM-16, TM-17).
var projectSteps = []step{
	{"a member has a task", "andini",
		`mutation{saveTask(input:{title:"Cuci lantai",projectId:"{{project}}",assigneeIds:["{{agus}}"]}){id}}`, "",
		"andini see task, ratna see task, siti see task, agus see task book, budi see, indah see, asep see, cecep see"},
	{"who is no member is given none", "andini",
		`mutation{saveTask(input:{title:"Cuci kaca",projectId:"{{project}}",assigneeIds:["{{budi}}"]}){id}}`, "FORBIDDEN",
		"andini see task, ratna see task, siti see task, agus see task book, budi see, indah see, asep see, cecep see"},
	{"a member leaves", "andini", `mutation{updateProject(id:"{{project}}",input:{memberIds:[]}){id}}`, "",
		"andini see task, ratna see task, siti see task, agus see task, budi see, indah see, asep see, cecep see"},
	{"another comes and has the task", "andini",
		`mutation{updateProject(id:"{{project}}",input:{memberIds:["{{indah}}"]}){id} ` +
			`updateTask(id:"{{task}}",input:{assigneeIds:["{{indah}}"]}){id}}`, "",
		"andini see task, ratna see task, siti see, agus see, budi see, indah see task book, asep see, cecep see"},
	{"who left is not given it again", "andini",
		`mutation{updateTask(id:"{{task}}",input:{assigneeIds:["{{agus}}"]}){id}}`, "FORBIDDEN",
		"andini see task, ratna see task, siti see, agus see, budi see, indah see task book, asep see, cecep see"},
}

// TestProjectChanges tries the project and the sums of its tasks through both APIs after each
// step, and who books time.
func TestProjectChanges(t *testing.T) {
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		c := newChanging(t, s)
		s.Vars["project"] = c.do(t, "andini",
			`mutation{createProject(input:{name:"Gedung baru",openToAll:false,memberIds:["{{agus}}"]}){id}}`)
		settled := func(*testing.T, step) {
			s.Vars["task"] = fmt.Sprint(s.Store.Ent.Task.Query().Where(entTask.Title("Cuci lantai")).OnlyIDX(c.ctx))
		}
		c.walk(t, projectSteps, settled, c.projectSight)
	})
}

// projectSight says what somebody sees of the project.
func (c changing) projectSight(t *testing.T, who string) string {
	s, parts := sight{}, texts{"see": {`"Gedung baru"`}, "task": {`"taskCount":1`}}
	c.byGraphQL(t, s, who, `{project(id:"{{project}}"){name taskCount}}`, parts)
	c.byGraphQL(t, s, who, `{projectList(search:"gedung baru"){name taskCount}}`, parts)
	c.byREST(t, s, who, parts, "/project?search=gedung%20baru")
	book := c.ask(t, who, `mutation{startTimer(input:{projectId:"{{project}}",title:"Cuci lantai"}){id}}`).Code()
	s.add("book", "startTimer", book == "")
	s.add("see", "startTimer", book != "NOT_FOUND")
	return s.words("see", "task", "book")
}
