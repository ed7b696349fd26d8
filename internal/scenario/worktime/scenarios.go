// Package worktime holds the scenarios of time that people book on tasks.
package worktime

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/app/tx"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// Scenarios are those of timers, entries, their sums and weeks.
var Scenarios = []harness.Group{
	{Name: "timers", Run: timers},
	{Name: "time entries", Run: bookings},
	{Name: "settings of time", Run: settings},
	{Name: "time by groups", Run: groups},
	{Name: "weeks of time", Run: weeks},
	{Name: "timers and clock-outs", Run: clockOuts},
}

// people are who takes part: an owner, the manager of Jakarta, an employee of hers and one of
// another business, and somebody of another company.
var people = map[string]string{
	"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "agus": "agus@demo.test", "daeng": "admin@tetangga.test",
}

// names are the keys of people.
var names = []string{"andini", "ratna", "budi", "agus", "daeng"}

// signIn signs people in, puts agus into the business of ratna and budi outside of it, and makes
// two projects: one that is open to all, and one of others.
func signIn(t *testing.T, s *harness.Server) {
	t.Helper()
	for _, name := range names {
		s.SignIn(t, name, people[name])
		s.Vars[name] = harness.PersonID(t, s, people[name])
	}
	ratna := s.Store.Ent.User.Query().Where(user.Email("manager@demo.test")).OnlyX(viewer.System(t.Context()))
	err := tx.Run(viewer.System(t.Context()), s.Store.Ent, func(ctx context.Context) error {
		db, company, now := ent.FromContext(ctx), ratna.CompanyID, s.Clock.Now()
		db.TimeEntry.Delete().ExecX(ctx) // of the demo
		db.TimeWeek.Delete().ExecX(ctx)
		db.Task.Update().SetTrackedSeconds(0).SetEntryCount(0).SetTimers(0).SetTimersStarted(0).ExecX(ctx)
		db.Project.Update().SetTrackedSeconds(0).SetEntryCount(0).SetTimers(0).SetTimersStarted(0).ExecX(ctx)
		db.ClockState.Update().SetTimers(0).ExecX(ctx)
		db.User.Update().Where(user.Email("agus@demo.test")).SetBusinessID(*ratna.BusinessID).ExecX(ctx)
		db.User.Update().Where(user.Email("budi@demo.test")).ClearBusinessID().ExecX(ctx)
		for name, create := range map[string]*ent.ProjectCreate{
			"Gudang Baru": db.Project.Create(), "Rahasia": db.Project.Create().SetOpenToAll(false),
			"Lama": db.Project.Create().SetStatus(entProject.StatusArchived),
		} {
			made := create.SetCompanyID(company).SetName(name).SetCreatedAt(now).SaveX(ctx)
			first, _, _ := strings.Cut(strings.ToLower(name), " ")
			s.Vars[first] = strconv.Itoa(made.ID)
		}
		s.Vars["rapat"] = strconv.Itoa(db.TaskCategory.Create().SetCompanyID(company).SetName("Rapat Uji").SaveX(ctx).ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// move moves the clock to a wall time of 10 March in Jakarta.
func move(t *testing.T, s *harness.Server, clock string) {
	t.Helper()
	at, err := time.Parse("2006-01-02 15:04:05", "2026-03-10 "+clock)
	if err != nil {
		t.Fatal(err)
	}
	s.MoveTo(t, at.Add(-7*time.Hour), names...)
}

// activity is an activity as REST shows it.
func activity(title, start, end string, seconds int) string {
	quoted := func(at string) string {
		if at == "" {
			return "null"
		}
		return `"` + at + `+07:00"`
	}
	return fmt.Sprintf(`{"id":"<digits>","taskId":"<digits>","title":%q,"note":null,"category":null,"project":null,"startAt":%s,"endAt":%s,`+
		`"running":%v,"durationSeconds":%d,"latitude":null,"longitude":null,"imageCount":0}`, title, quoted(start), quoted(end), start != "" && end == "", seconds)
}

// get is a GET in somebody's name.
func get(name, who, path, want string) apitest.Scenario {
	return apitest.Scenario{Name: name, Path: path, Header: harness.SignedIn(who, "X-Language", "en"), Status: 200, Want: want}
}

// save is a POST /tasks in somebody's name.
func save(name, who, body, want string) apitest.Scenario {
	return apitest.Scenario{Name: name, Method: "POST", Path: "/tasks", Header: harness.SignedIn(who, "X-Language", "en"), Body: body, Status: 200, Want: want}
}

// saved is save that keeps the id of the entry, and of the task as id.task.
func saved(name, who, body, want, as string) apitest.Scenario {
	r := save(name, who, body, want)
	r.Save = map[string]string{as: "/id", as + ".task": "/taskId"}
	return r
}

// refused is a request that fails with a code, on members.
func refused(r apitest.Scenario, status int, code, meta string, fields ...string) apitest.Scenario {
	r.Status = status
	var faults string
	for i, f := range fields {
		if i > 0 {
			faults += ","
		}
		faults += `{"field":"` + f + `","code":"` + code + `","detail":"<any>"}`
	}
	r.Want = `{"type":"<any>","code":"` + code + `","title":"<any>","status":` + strconv.Itoa(status) + `,"detail":"<any>","requestId":"<any>","errors":[` + faults + `],"meta":` + meta + `}`
	return r
}

const timer = `timeEntry{kind startedAt endedAt seconds task{title}} alreadyStopped`

// timers tests one timer at a time.
func timers(t *testing.T, s *harness.Server) {
	signIn(t, s)
	s.Run(t, []apitest.Scenario{
		get("none runs", "budi", "/tasks/running", `null`),
		harness.Asks("stop none", "budi", `mutation{stopTimer{alreadyStopped}}`, harness.Refusal("stopTimer", "NO_RUNNING_TIMER", "{}")),
		saved("start by a phone", "budi", `{"title":"Survei","startAt":"2026-03-10T09:00:00+07:00"}`, activity("Survei", "2026-03-10T09:00:00", "", 0), "first"),
	})
	move(t, s, "09:05:00")
	start := harness.Asks("start another", "budi", `mutation{startTimer(input:{title:"Laporan",projectId:"{{gudang}}",note:"a\nb",tags:["kantor","b","b"],latitude:"-6.2",longitude:"106.8"})`+
		`{id kind date timezone startedAt endedAt seconds note tags project{name} task{title status} user{name} latitude address{id} longAt}}`,
		`{"startTimer":{"id":"<digits>","kind":"timer","date":"2026-03-10","timezone":"Asia/Jakarta","startedAt":"2026-03-10T02:05:00Z","endedAt":null,"seconds":0,"note":"a\nb",`+
			`"tags":["b","kantor"],"project":{"name":"Gudang Baru"},"task":{"title":"Laporan","status":"open"},"user":{"name":"Budi Santoso"},"latitude":"-6.200000","address":null,"longAt":null}}`)
	start.Save = map[string]string{"second": "/data/startTimer/id"}
	s.Run(t, []apitest.Scenario{
		get("it runs", "budi", "/tasks/running", activity("Survei", "2026-03-10T09:00:00", "", 300)),
		start,
		get("the first ended as the second began", "budi", "/tasks", `[`+activity("Survei", "2026-03-10T09:00:00", "2026-03-10T09:05:00", 300)+`,`+
			`{"id":"<digits>","taskId":"<digits>","title":"Laporan","note":"a\nb","category":null,"project":{"id":"{{gudang}}","name":"Gudang Baru"},"startAt":"2026-03-10T09:05:00+07:00","endAt":null,`+
			`"running":true,"durationSeconds":0,"latitude":"-6.200000","longitude":"106.800000","imageCount":0}]`),
		harness.Asks("its position is kept", "budi", `{coordinateHistory{nodes{latitude longitude source}}}`,
			`{"coordinateHistory":{"nodes":[{"latitude":"-6.200000","longitude":"106.800000","source":"task"}]}}`),
		harness.Asks("another's is not stopped", "agus", `mutation{stopTimer(id:"{{second}}"){alreadyStopped}}`, harness.Refusal("stopTimer", "NOT_FOUND", "{}")),
		harness.Asks("nor another company's", "daeng", `mutation{stopTimer(id:"{{second}}"){alreadyStopped}}`, harness.Refusal("stopTimer", "NOT_FOUND", "{}")),
	})
	move(t, s, "09:15:00")
	s.Run(t, []apitest.Scenario{
		harness.Asks("what runs counts to now", "budi", `{task(id:"{{first.task}}"){running durationSeconds}}`, `{"task":{"running":false,"durationSeconds":300}}`),
		harness.Asks("stop", "budi", `mutation{stopTimer{`+timer+`}}`,
			`{"stopTimer":{"timeEntry":{"kind":"timer","startedAt":"2026-03-10T02:05:00Z","endedAt":"2026-03-10T02:15:00Z","seconds":600,"task":{"title":"Laporan"}},"alreadyStopped":false}}`),
	})
	move(t, s, "09:20:00")
	s.Run(t, []apitest.Scenario{
		harness.Asks("stop it again", "budi", `mutation{stopTimer(id:"{{second}}"){`+timer+`}}`,
			`{"stopTimer":{"timeEntry":{"kind":"timer","startedAt":"2026-03-10T02:05:00Z","endedAt":"2026-03-10T02:15:00Z","seconds":600,"task":{"title":"Laporan"}},"alreadyStopped":true}}`),
		refused(save("it runs no more", "budi", `{"id":"{{second}}","endAt":null}`, ""), 422, "VALIDATION_FAILED", "{}", "endAt"),
		harness.Asks("restart it, blank", "budi", `mutation{restartTimer(id:"{{second}}"){startedAt note tags project{name} task{title}}}`,
			`{"restartTimer":{"startedAt":"2026-03-10T02:20:00Z","note":null,"tags":[],"project":{"name":"Gudang Baru"},"task":{"title":"Laporan"}}}`),
		harness.Asks("restart it with all, from before", "budi", `mutation{restartTimer(id:"{{second}}",input:{copyAll:true,startAt:"2026-03-10T09:18:00+07:00"}){startedAt note tags task{title}}}`,
			`{"restartTimer":{"startedAt":"2026-03-10T02:18:00Z","note":"a\nb","tags":["b","kantor"],"task":{"title":"Laporan"}}}`),
		harness.Asks("of another", "andini", `mutation{restartTimer(id:"{{second}}"){id}}`, harness.Refusal("restartTimer", "FORBIDDEN", "{}")),
		harness.Asks("an owner stops it", "andini", `mutation{stopTimer(id:"{{second}}"){alreadyStopped}}`, `{"stopTimer":{"alreadyStopped":true}}`),
		get("one runs", "budi", "/tasks/running", "\"<any>\""),
		harness.Asks("no title", "budi", `mutation{startTimer(input:{}){id}}`, harness.Refusal("startTimer", "VALIDATION_FAILED", "{}", "title", harness.Required)),
		harness.Asks("another company's task", "daeng", `mutation{startTimer(input:{taskId:"{{first.task}}"}){id}}`, harness.Refusal("startTimer", "NOT_FOUND", "{}", "taskId", harness.Nothing)),
		harness.Asks("a project of others", "budi", `mutation{startTimer(input:{title:"x",projectId:"{{rahasia}}"}){id}}`, harness.Refusal("startTimer", "FORBIDDEN", "{}", "projectId", harness.NotAllowed)),
		harness.Asks("an archived project", "budi", `mutation{startTimer(input:{title:"x",projectId:"{{lama}}"}){id}}`, harness.Refusal("startTimer", "CONFLICT", `{"conflict":"ARCHIVED","state":"archived"}`, "projectId", "/.+/")),
		harness.Asks("of no task that was refused", "budi", `{tasks(where:{title:"x"}){totalCount}}`, `{"tasks":{"totalCount":0}}`),
	})
	// A timer runs over midnight, and is split there.
	s.MoveTo(t, time.Date(2026, 3, 10, 18, 0, 0, 0, time.UTC), names...)
	s.Run(t, []apitest.Scenario{
		get("it runs on", "budi", "/tasks/running", `"<any>"`),
		harness.Asks("split at midnight", "budi", `{timeTotals(from:"2026-03-10",to:"2026-03-11",by:date,userIds:["{{budi}}"]){groups{key seconds}}}`,
			`{"timeTotals":{"groups":[{"key":"2026-03-10","seconds":"<any>"},{"key":"2026-03-11","seconds":3600}]}}`),
	})
	if n := s.Store.Ent.Task.Query().Where(entTask.Title("Laporan")).CountX(viewer.System(t.Context())); n != 1 {
		t.Errorf("%d tasks of one title in a project", n)
	}
}
