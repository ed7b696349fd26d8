package worktime

import (
	"testing"
	"time"

	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/internal/apitest"
	"workforce/internal/booking"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// bookings tests what people book, change and remove, and who may.
func bookings(t *testing.T, s *harness.Server) {
	signIn(t, s)
	move(t, s, "18:00:00")
	create := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createTimeEntry(input:{`+input+`}){id kind startedAt endedAt seconds date category{name} project{name} user{id}}}`, want)
	}
	change := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateTimeEntry(id:"{{made}}",input:{`+input+`}){startedAt endedAt seconds date note tags task{title} project{name} category{name}}}`, want)
	}
	made := create("an hour", "budi", `title:"Survei",projectId:"{{gudang}}",categoryId:"{{rapat}}",startAt:"2026-03-10T08:00:00+07:00",endAt:"2026-03-10T09:00:00+07:00"`,
		`{"createTimeEntry":{"id":"<digits>","kind":"booked","startedAt":"2026-03-10T01:00:00Z","endedAt":"2026-03-10T02:00:00Z","seconds":3600,"date":"2026-03-10",`+
			`"category":{"name":"Rapat Uji"},"project":{"name":"Gudang Baru"},"user":{"id":"{{budi}}"}}}`)
	made.Save = map[string]string{"made": "/data/createTimeEntry/id"}
	no := func(field, code, meta string, faults ...string) string {
		return harness.Refusal(field, code, meta, faults...)
	}
	s.Run(t, []apitest.Scenario{
		made,
		saved("the same hour again: overlaps are allowed", "budi", `{"title":"Lain","startAt":"2026-03-10T08:00:00+07:00","endAt":"2026-03-10T08:30:00+07:00"}`,
			activity("Lain", "2026-03-10T08:00:00", "2026-03-10T08:30:00", 1800), "other"),
		saved("without time", "budi", `{"title":"Nanti"}`, activity("Nanti", "", "", 0), "later"),
		saved("then it runs", "budi", `{"id":"{{later}}","startAt":"2026-03-10T17:50:00+07:00"}`, activity("Nanti", "2026-03-10T17:50:00", "", 600), "later"),
		save("an end stops it", "budi", `{"id":"{{later}}","endAt":"2026-03-10T17:55:00+07:00"}`, activity("Nanti", "2026-03-10T17:50:00", "2026-03-10T17:55:00", 300)),
		save("no time again", "budi", `{"id":"{{later}}","startAt":null,"endAt":null}`, activity("Nanti", "", "", 0)),
		refused(save("a start to come", "budi", `{"title":"x","startAt":"2026-03-10T18:02:01+07:00"}`, ""), 422, "VALIDATION_FAILED", "{}", "startAt"),
		refused(save("all that is wrong", "budi", `{"title":" ","latitude":"91","endAt":"2026-03-10T09:00:00+07:00"}`, ""), 422, "VALIDATION_FAILED", "{}", "title", "latitude", "longitude", "endAt"),
		refused(save("nobody's entry", "budi", `{"id":"99999","note":"x"}`, ""), 404, "NOT_FOUND", "{}"),
		refused(save("another's entry", "agus", `{"id":"{{made}}","note":"x"}`, ""), 404, "NOT_FOUND", "{}"),
		refused(save("another company's entry", "daeng", `{"id":"{{made}}","note":"x"}`, ""), 404, "NOT_FOUND", "{}"),
		change("note, tags and end", "budi", `note:" kopi ",tags:["b","a"],endAt:"2026-03-10T08:30:00+07:00"`,
			`{"updateTimeEntry":{"startedAt":"2026-03-10T01:00:00Z","endedAt":"2026-03-10T01:30:00Z","seconds":1800,"date":"2026-03-10","note":"kopi","tags":["a","b"],`+
				`"task":{"title":"Survei"},"project":{"name":"Gudang Baru"},"category":{"name":"Rapat Uji"}}}`),
		change("another project needs a task", "budi", `projectId:null`, no("updateTimeEntry", "VALIDATION_FAILED", "{}", "projectId", "/.+/")),
		change("or none", "budi", `projectId:null,clearTask:true,note:null,categoryId:null`,
			`{"updateTimeEntry":{"startedAt":"2026-03-10T01:00:00Z","endedAt":"2026-03-10T01:30:00Z","seconds":1800,"date":"2026-03-10","note":null,"tags":["a","b"],`+
				`"task":{"title":"Survei"},"project":null,"category":null}}`),
		change("another task", "budi", `taskId:"{{other.task}}",projectId:"{{gudang}}"`,
			`{"updateTimeEntry":{"startedAt":"2026-03-10T01:00:00Z","endedAt":"2026-03-10T01:30:00Z","seconds":1800,"date":"2026-03-10","note":null,"tags":["a","b"],`+
				`"task":{"title":"Lain"},"project":{"name":"Gudang Baru"},"category":null}}`),
		create("for another, by who reads their time", "ratna", `userId:"{{agus}}",title:"x"`, no("createTimeEntry", "FORBIDDEN", "{}")),
		create("for another, by an owner", "andini", `userId:"{{agus}}",title:"Bantu",startAt:"2026-03-10T10:00:00+07:00",endAt:"2026-03-10T11:00:00+07:00"`,
			`{"createTimeEntry":{"id":"<digits>","kind":"booked","startedAt":"2026-03-10T03:00:00Z","endedAt":"2026-03-10T04:00:00Z","seconds":3600,"date":"2026-03-10","category":null,"project":null,"user":{"id":"{{agus}}"}}}`),
		harness.Asks("who sees it without the task", "agus", `{timeEntries(where:{hasUserWith:[{id:"{{agus}}"}]}){totalCount edges{node{seconds task{title} userId}}}}`,
			`{"timeEntries":{"totalCount":1,"edges":[{"node":{"seconds":3600,"task":null,"userId":"{{agus}}"}}]}}`),
		get("in the app with its title", "agus", "/tasks", `[`+activity("Bantu", "2026-03-10T10:00:00", "2026-03-10T11:00:00", 3600)+`]`),
		get("of the team", "ratna", "/tasks?userId={{agus}}", `[`+activity("Bantu", "2026-03-10T10:00:00", "2026-03-10T11:00:00", 3600)+`]`),
		get("of the team, all", "ratna", "/tasks", `[`+activity("Bantu", "2026-03-10T10:00:00", "2026-03-10T11:00:00", 3600)+`]`),
		refused(get("of others", "ratna", "/tasks?userId={{budi}}", ""), 404, "NOT_FOUND", "{}", "userId"),
		get("of another day", "budi", "/tasks?date=2026-03-09", `[]`),
		harness.Asks("many at once", "budi", `mutation{deleteTimeEntries(ids:["{{later}}","4711"]){id deleted code}}`,
			`{"deleteTimeEntries":[{"id":"{{later}}","deleted":true,"code":null},{"id":"4711","deleted":false,"code":"NOT_FOUND"}]}`),
		harness.Asks("many by who only reads", "ratna", `mutation{deleteTimeEntries(ids:["{{made}}"]){deleted code}}`, `{"deleteTimeEntries":[{"deleted":false,"code":"NOT_FOUND"}]}`),
		harness.Asks("of none", "budi", `mutation{deleteTimeEntries(ids:[]){id}}`, no("deleteTimeEntries", "VALIDATION_FAILED", "{}", "ids", harness.Required)),
		harness.Asks("another's", "agus", `mutation{deleteTimeEntry(id:"{{made}}"){deleted}}`, no("deleteTimeEntry", "NOT_FOUND", "{}")),
		harness.Asks("one", "budi", `mutation{deleteTimeEntry(id:"{{made}}"){deleted}}`, `{"deleteTimeEntry":{"deleted":true}}`),
		harness.Asks("is gone", "budi", `{timeEntry(id:"{{made}}"){id}}`, no("timeEntry", "NOT_FOUND", "{}")),
		harness.Asks("corrected is what is locked", "budi", `mutation{correctTimeEntry(id:"{{other}}",input:{seconds:60,note:"x"}){id}}`, no("correctTimeEntry", "CONFLICT", `{"conflict":"NOT_LOCKED","state":"open"}`)),
	})
	wantSums(t, s)
}

// wantSums fails unless tasks and projects keep what their entries add up to.
func wantSums(t *testing.T, s *harness.Server) {
	t.Helper()
	ctx, db, now := viewer.System(t.Context()), s.Store.Ent, s.Clock.Now().Truncate(time.Second)
	type sum struct{ entries, seconds int }
	tasks, projects := map[int]sum{}, map[int]sum{}
	for _, e := range db.TimeEntry.Query().Order(entTimeEntry.ByID()).AllX(ctx) {
		seconds := e.Seconds
		if e.Slot != nil {
			seconds = int(now.Sub(*e.StartedAt) / time.Second)
		}
		add := func(to map[int]sum, id int) { to[id] = sum{to[id].entries + 1, to[id].seconds + seconds} }
		add(tasks, e.TaskID)
		if e.ProjectID != nil {
			add(projects, *e.ProjectID)
		}
	}
	for _, k := range db.Task.Query().Order(entTask.ByID()).AllX(ctx) {
		if got := (sum{k.EntryCount, booking.Tracked(k.TrackedSeconds, k.Timers, k.TimersStarted, now)}); got != tasks[k.ID] {
			t.Errorf("task %q keeps %+v, its entries are %+v", k.Title, got, tasks[k.ID])
		}
	}
	for _, p := range db.Project.Query().Order(entProject.ByID()).AllX(ctx) {
		if got := (sum{p.EntryCount, booking.Tracked(p.TrackedSeconds, p.Timers, p.TimersStarted, now)}); got != projects[p.ID] {
			t.Errorf("project %q keeps %+v, its entries are %+v", p.Name, got, projects[p.ID])
		}
	}
}

// set changes the settings of the company.
func set(name, settings string) apitest.Scenario {
	return harness.Asks(name, "andini", `mutation{updateCompany(input:{settings:{`+settings+`}}){id}}`, `{"updateCompany":{"id":"<digits>"}}`)
}

// settings tests what a company sets of time.
func settings(t *testing.T, s *harness.Server) {
	signIn(t, s)
	start := func(name, title, want string) apitest.Scenario {
		return harness.Asks(name, "budi", `mutation{startTimer(input:{title:"`+title+`"}){task{title}}}`, want)
	}
	running := harness.Asks("running", "budi", `{timeEntries(where:{endedAtIsNil:true}){totalCount}}`, `{"timeEntries":{"totalCount":2}}`)
	s.Run(t, []apitest.Scenario{
		set("two at once", "runningTimers:2"),
		start("one", "Satu", `{"startTimer":{"task":{"title":"Satu"}}}`), start("two", "Dua", `{"startTimer":{"task":{"title":"Dua"}}}`), running,
		set("no stopping", "timerStops:false"),
		start("three", "Tiga", harness.Refusal("startTimer", "CONFLICT", `{"conflict":"TIMER_RUNNING","runningTimer":"<digits>","since":"2026-03-10T09:00:00+07:00"}`)), running,
		set("one, stopping", "timerStops:null,runningTimers:null"),
		start("three, which stops two", "Tiga", `{"startTimer":{"task":{"title":"Tiga"}}}`),
		set("on duty", "timerOnDuty:true"),
		start("not clocked in", "Empat", harness.Refusal("startTimer", "NOT_CLOCKED_IN", `{}`)),
		set("no overlaps", "timerOnDuty:null,entryOverlap:false"),
	})
	move(t, s, "18:00:00")
	s.Run(t, []apitest.Scenario{
		harness.Asks("stop", "budi", `mutation{stopTimer{alreadyStopped}}`, `{"stopTimer":{"alreadyStopped":false}}`),
		saved("noon", "agus", `{"title":"Siang","startAt":"2026-03-10T12:00:00+07:00","endAt":"2026-03-10T13:00:00+07:00"}`, `"<any>"`, "noon"),
	})
	s.Run(t, []apitest.Scenario{
		refused(save("an overlap", "agus", `{"title":"x","startAt":"2026-03-10T12:30:00+07:00","endAt":"2026-03-10T13:30:00+07:00"}`, ""),
			409, "CONFLICT", `{"conflict":"OVERLAP","timeEntry":"<digits>"}`, "startAt"),
		set("timers alone", "entryOverlap:null,timersAlone:true,entryLimitMinutes:120"),
		refused(save("hours by hand", "agus", `{"title":"x","startAt":"2026-03-10T14:00:00+07:00","endAt":"2026-03-10T15:00:00+07:00"}`, ""), 422, "VALIDATION_FAILED", "{}", "startAt", "endAt"),
		harness.Asks("by an owner", "andini", `mutation{createTimeEntry(input:{title:"Bantu",startAt:"2026-03-10T14:00:00+07:00",endAt:"2026-03-10T15:00:00+07:00"}){seconds}}`, `{"createTimeEntry":{"seconds":3600}}`),
		saved("a timer", "agus", `{"title":"Panjang","startAt":"2026-03-10T18:00:00+07:00"}`, activity("Panjang", "2026-03-10T18:00:00", "", 0), "long"),
	})
	move(t, s, "20:00:01")
	harness.RunTimers(t, s)
	harness.RunTimers(t, s) // nobody is told twice
	s.Run(t, []apitest.Scenario{
		harness.Asks("it is marked", "agus", `{timeEntry(id:"{{long}}"){longAt endedAt}}`, `{"timeEntry":{"longAt":"2026-03-10T13:00:01Z","endedAt":null}}`),
		save("and is stopped all the same", "agus", `{"id":"{{long}}","endAt":"2026-03-10T20:00:01+07:00"}`, activity("Panjang", "2026-03-10T18:00:00", "2026-03-10T20:00:01", 7201)),
	})
	if text := s.Log.Notice(t, people["agus"], 1); text != "Pengukur waktu Anda berjalan sejak 2026-03-10 18:00 WIB. Hentikan di aplikasi, atau isi waktu selesainya bila terlupa." {
		t.Errorf("told: %q", text)
	}
	if n := len(s.Log.Notices(people["agus"])); n != 1 {
		t.Errorf("told %d times", n)
	}
	wantSums(t, s)
}
