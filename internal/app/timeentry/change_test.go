package timeentry

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/project"
	"workforce/ent/task"
	row "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/booking"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// update changes an entry of somebody's own.
func (w *world) update(u *ent.User, id int, in model.UpdateTimeEntryInput) error {
	return w.as(u, viewer.Employee, func(ctx context.Context) error { return w.entries.Update(ctx, id, in) })
}

// places adds two projects and a category, and returns their ids.
func (w *world) places(t *testing.T) (p, q, c int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		p = db.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetCreatedAt(apptest.Now).SaveX(ctx).ID
		q = db.Project.Create().SetCompanyID(w.Company.ID).SetName("Q").SetCreatedAt(apptest.Now).SaveX(ctx).ID
		c = db.TaskCategory.Create().SetCompanyID(w.Company.ID).SetName("C").SaveX(ctx).ID
		return nil
	})
	return p, q, c
}

// TestMoved books an entry on another task, project or category. It is on Survei of P; Lain is of no project.
func TestMoved(t *testing.T) {
	type change = model.UpdateTimeEntryInput
	type ids struct{ p, q, c, survei, lain int }
	none := input.Given[*int](nil)
	for _, tt := range []struct {
		about string
		in    func(w ids) change
		want  string // title of the task, project and category, or faults
	}{
		{"nothing", func(w ids) change { return change{} }, "Survei P C"},
		{"the project that it has",
			func(w ids) change { return change{ProjectID: input.Given(&w.p)} }, "Survei P C"},
		{"another project needs a task",
			func(w ids) change { return change{ProjectID: input.Given(&w.q)} }, "VALIDATION_FAILED, projectId needs"},
		{"no project needs one too",
			func(w ids) change { return change{ProjectID: none} }, "VALIDATION_FAILED, projectId needs"},
		{"another project, by a task of the same title",
			func(w ids) change { return change{ProjectID: input.Given(&w.q), ClearTask: input.Given(new(true))} }, "Survei Q -"},
		{"no project, by a task of the same title",
			func(w ids) change { return change{ProjectID: none, ClearTask: input.Given(new(true))} }, "Survei - -"},
		{"a task without a project",
			func(w ids) change { return change{TaskID: input.Given(&w.lain)} }, "Lain - -"},
		{"a task without a project, in one",
			func(w ids) change {
				return change{TaskID: input.Given(&w.lain), ProjectID: input.Given(&w.q), CategoryID: input.Given(&w.c)}
			}, "Lain Q C"},
		{"a task in a project that is not its own",
			func(w ids) change { return change{TaskID: input.Given(&w.survei), ProjectID: input.Given(&w.q)} },
			"VALIDATION_FAILED, projectId not_within"},
		{"no category", func(w ids) change { return change{CategoryID: none} }, "Survei P -"},
		{"no task", func(w ids) change { return change{TaskID: none} }, "VALIDATION_FAILED, taskId required"},
		{"an unknown task",
			func(w ids) change { return change{TaskID: input.Given(new(99999))} }, "NOT_FOUND, taskId"},
		{"an unknown project",
			func(w ids) change {
				return change{ProjectID: input.Given(new(99999)), ClearTask: input.Given(new(true))}
			}, "NOT_FOUND, projectId"},
		{"an unknown category",
			func(w ids) change { return change{CategoryID: input.Given(new(99999))} }, "NOT_FOUND, categoryId"},
	} {
		w := newWorld(t)
		budi := w.User(t, "Budi")
		p, q, c := w.places(t)
		in := model.CreateTimeEntryInput{Title: text("Survei"), ProjectID: input.Given(&p), CategoryID: input.Given(&c)}
		var id int
		err := w.as(budi, viewer.Employee, func(ctx context.Context) error {
			e, err := w.entries.Create(ctx, in)
			if err == nil {
				id = e.ID
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		lain := w.entry(w.mustBook(t, budi, "Lain", "", "")).TaskID
		got := faults(w.update(budi, id, tt.in(ids{p, q, c, w.entry(id).TaskID, lain})))
		if got == "" {
			e := w.DB.TimeEntry.Query().Where(row.ID(id)).WithTask().WithProject().WithCategory().OnlyX(w.System())
			project, category := "-", "-"
			if e.Edges.Project != nil {
				project = e.Edges.Project.Name
			}
			if e.Edges.Category != nil {
				category = e.Edges.Category.Name
			}
			got = e.Edges.Task.Title + " " + project + " " + category
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
}

// TestRetimed changes when an entry was worked.
func TestRetimed(t *testing.T) {
	type change = model.UpdateTimeEntryInput
	null := input.Given[*time.Time](nil)
	w := newWorld(t)
	for i, tt := range []struct {
		from, to string
		in       change
		want     string // times and seconds, or faults
	}{
		{"08:00", "09:00", change{EndAt: instant("08:30")}, "08:00-08:30 1800"},
		{"08:00", "09:00", change{StartAt: instant("08:30")}, "08:30-09:00 1800"},
		{"08:00", "09:00", change{StartAt: instant("09:00:01")}, "VALIDATION_FAILED, endAt out_of_range"},
		{"08:00", "09:00", change{StartAt: instant("2026-03-10 20:59:59")}, "VALIDATION_FAILED, endAt out_of_range"},
		{"08:00", "09:00", change{EndAt: instant("10:02:01")}, "VALIDATION_FAILED, endAt out_of_range"},
		{"08:00", "09:00", change{StartAt: null, EndAt: null}, "none 0"},
		{"08:00", "09:00", change{StartAt: null}, "VALIDATION_FAILED, endAt needs"},
		{"08:00", "09:00", change{EndAt: null}, "VALIDATION_FAILED, endAt required"}, // what ended runs no more
		{"08:00", "", change{EndAt: instant("09:00")}, "08:00-09:00 3600"},
		{"08:00", "", change{StartAt: instant("07:00")}, "07:00- 0"},
		{"08:00", "", change{StartAt: null}, "none 0"},
		{"", "", change{StartAt: instant("08:00")}, "08:00- 0"},
		{"", "", change{EndAt: instant("08:00")}, "VALIDATION_FAILED, endAt needs"},
	} {
		u := w.User(t, fmt.Sprint("Budi ", i))
		id := w.mustBook(t, u, "x", tt.from, tt.to)
		got := faults(w.update(u, id, tt.in))
		e := w.entry(id)
		if got == "" {
			at := func(v *time.Time) string { return v.Add(7 * time.Hour).Format("15:04") }
			switch {
			case e.StartedAt == nil:
				got = "none"
			case e.EndedAt == nil:
				got = at(e.StartedAt) + "-"
			default:
				got = at(e.StartedAt) + "-" + at(e.EndedAt)
			}
			got = fmt.Sprint(got, " ", e.Seconds)
		}
		if runs := e.StartedAt != nil && e.EndedAt == nil; got != tt.want || runs != (e.Slot != nil) {
			t.Errorf("%s to %s: %q, slot %v, want %q", tt.from, tt.to, got, e.Slot, tt.want)
		}
	}
}

// TestDeleteAll answers for each entry: whether it was deleted, and why not.
func TestDeleteAll(t *testing.T) {
	w := newWorld(t)
	budi, ani, rudi := w.User(t, "Budi"), w.User(t, "Ani"), w.User(t, "Rudi", viewer.Owner)
	ids := []int{
		w.mustBook(t, budi, "a", "08:00", "09:00"), w.mustBook(t, ani, "b", "08:00", "09:00"),
		w.mustBook(t, rudi, "c", "08:00", "09:00"),
		w.mustBook(t, budi, "d", "2026-03-05 08:00", "2026-03-05 09:00"), w.mustBook(t, budi, "e", "09:30", ""),
	}
	all := func(role string, u *ent.User, ids []int) (got string) {
		err := w.as(u, role, func(ctx context.Context) error {
			list, err := w.entries.DeleteAll(ctx, ids)
			for _, d := range list {
				got += fmt.Sprint(d.Deleted, " ", input.Value(d.Code), ", ")
			}
			return err
		})
		return strings.TrimSuffix(got, ", ") + faults(err)
	}
	w.settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-05"}
	for _, tt := range []struct {
		about, role string
		u           *ent.User
		ids         []int
		want        string
	}{
		{"none", viewer.Employee, budi, nil, "VALIDATION_FAILED, ids required"},
		{"too many", viewer.Employee, budi, make([]int, maxDeleted+1), "VALIDATION_FAILED, ids too_many"},
		{"a colleague's", viewer.Employee, ani, ids[:1], "false NOT_FOUND"},
		{"an owner's by an administrator", viewer.Admin, ani, ids[2:3], "false FORBIDDEN"},
		{"one's own, of others, locked, unknown and running", viewer.Employee, budi, append(slices.Clone(ids), 99999),
			"true , false NOT_FOUND, false NOT_FOUND, false CONFLICT, true , false NOT_FOUND"},
		{"of two people by an owner, who overrides locks", viewer.Owner, rudi, ids[1:4], "true , true , true "},
	} {
		if got := all(tt.role, tt.u, tt.ids); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
	w.wantSums(t)
}

// TestCorrect corrects an entry of a locked period, on a date that is not.
func TestCorrect(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	locked := w.mustBook(t, budi, "a", "2026-03-05 08:00", "2026-03-05 09:00")
	open := w.mustBook(t, budi, "b", "08:00", "09:00")
	timer := w.mustBook(t, budi, "c", "09:30", "")
	w.settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-05"}
	type correction = model.CorrectTimeEntryInput
	var made int
	for _, tt := range []struct {
		about string
		id    int
		in    correction
		want  string
	}{
		{"nothing, without a reason", locked, correction{Note: " "}, "VALIDATION_FAILED, note required, seconds required"},
		{"a long reason", locked, correction{Seconds: 1, Note: strings.Repeat("x", maxNote+1)},
			"VALIDATION_FAILED, note too_long"},
		{"what is not locked", open, correction{Seconds: 1, Note: "x"}, "CONFLICT"},
		{"what runs", timer, correction{Seconds: 1, Note: "x"}, "CONFLICT"},
		{"on a locked date", locked, correction{Seconds: 1, Note: "x", Date: text("2026-03-05")}, "CONFLICT, date"},
		{"on a date to come", locked, correction{Seconds: 1, Note: "x", Date: text("2026-03-12")},
			"VALIDATION_FAILED, date out_of_range"},
		{"by more than there is", locked, correction{Seconds: -3601, Note: "x"}, "VALIDATION_FAILED, seconds out_of_range"},
		{"by all there is", locked, correction{Seconds: -3600, Note: "x"}, ""},
		{"by more than is left", locked, correction{Seconds: -1, Note: "x"}, "VALIDATION_FAILED, seconds out_of_range"},
		{"beyond a year", locked, correction{Seconds: 365*24*3600 + 1, Note: "x"}, "VALIDATION_FAILED, seconds out_of_range"},
		{"to a year", locked, correction{Seconds: 365 * 24 * 3600, Note: "x", Date: text("2026-03-06")}, ""},
	} {
		err := w.as(budi, viewer.Employee, func(ctx context.Context) error {
			id, err := w.entries.Correct(ctx, tt.id, tt.in)
			if err == nil {
				made = id
			}
			return err
		})
		got := strings.TrimSpace(faults(err))
		if got != tt.want && !(errs.Is(err, errs.Conflict) && strings.HasPrefix(got, tt.want+" ")) {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
	e := w.entry(made)
	same := *e.CorrectsID == locked && e.TaskID == w.entry(locked).TaskID
	got := fmt.Sprintln(e.Kind, e.Seconds, e.Date, e.StartedAt, same, *e.Note)
	if want := fmt.Sprintln("correction", 365*24*3600, "2026-03-06", "<nil>", true, "x"); got != want {
		t.Errorf("got %swant %s", got, want)
	}
	err := w.update(budi, made, model.UpdateTimeEntryInput{StartAt: instant("08:00")})
	if faults(err) != "VALIDATION_FAILED, startAt excludes" {
		t.Errorf("a correction has an interval: %v", err)
	}
	if err := w.as(budi, viewer.Employee, func(ctx context.Context) error {
		_, err := w.entries.Correct(ctx, made, correction{Seconds: 1, Note: "x"})
		return err
	}); !conflict(err, "", errs.Meta{"state": "open"}) {
		t.Errorf("a correction is corrected: %v", err)
	}
	w.wantSums(t)
}

// wantSums fails unless tasks and projects keep what their entries add up to.
func (w *world) wantSums(t *testing.T) {
	t.Helper()
	now := w.Now().Truncate(time.Second)
	type sum struct{ entries, seconds int }
	tasks, projects := map[int]sum{}, map[int]sum{}
	for _, e := range w.DB.TimeEntry.Query().Order(row.ByID()).AllX(w.System()) {
		seconds := e.Seconds
		if e.Slot != nil {
			seconds = int(now.Sub(*e.StartedAt) / time.Second)
		}
		tasks[e.TaskID] = sum{tasks[e.TaskID].entries + 1, tasks[e.TaskID].seconds + seconds}
		if e.ProjectID != nil {
			projects[*e.ProjectID] = sum{projects[*e.ProjectID].entries + 1, projects[*e.ProjectID].seconds + seconds}
		}
	}
	for _, k := range w.DB.Task.Query().Order(task.ByID()).AllX(w.System()) {
		got := sum{k.EntryCount, booking.Tracked(k.TrackedSeconds, k.Timers, k.TimersStarted, now)}
		if got != tasks[k.ID] {
			t.Errorf("task %q keeps %+v, its entries are %+v", k.Title, got, tasks[k.ID])
		}
	}
	for _, p := range w.DB.Project.Query().Order(project.ByID()).AllX(w.System()) {
		got := sum{p.EntryCount, booking.Tracked(p.TrackedSeconds, p.Timers, p.TimersStarted, now)}
		if got != projects[p.ID] {
			t.Errorf("project %q keeps %+v, its entries are %+v", p.Name, got, projects[p.ID])
		}
	}
}

// TestSums books, changes and deletes at random, and compares what tasks and projects keep of it.
func TestSums(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorldOn(t, url)
		w.settings = setting.Values{"runningTimers": 2}
		people := []*ent.User{w.User(t, "Budi"), w.User(t, "Ani")}
		p, q, _ := w.places(t)
		random := rand.New(rand.NewPCG(5, 6))
		instants := []string{"", "2026-03-10 23:00", "08:00", "08:30", "09:00"}
		done := map[string]int{}
		for i := range 60 {
			u := people[random.IntN(len(people))]
			in := model.SaveActivityInput{Title: text(string('a' + rune(random.IntN(3))))}
			in.ProjectID = input.Given([]*int{nil, &p, &q}[random.IntN(3)])
			in.StartAt = instant(instants[random.IntN(len(instants))])
			in.EndAt = instant(instants[random.IntN(len(instants))])
			own, err := w.DB.TimeEntry.Query().Where(row.UserID(u.ID)).Order(row.ByID()).IDs(w.System())
			if err != nil {
				t.Fatal(err)
			}
			what := "save"
			switch random.IntN(4) {
			case 0:
				what = "change"
			case 1:
				what = "delete"
			}
			if len(own) == 0 {
				what = "save"
			}
			if what == "change" {
				in.ID = input.Given(&own[random.IntN(len(own))])
			}
			err = w.as(u, viewer.Employee, func(ctx context.Context) error {
				if what == "delete" {
					return w.entries.Delete(ctx, own[random.IntN(len(own))])
				}
				_, err := w.entries.Save(ctx, in)
				return err
			})
			if code := errs.CodeOf(err); err != nil && code != errs.Invalid {
				t.Fatal(err)
			}
			if err == nil {
				done[what]++
			}
			w.Advance(time.Duration(random.IntN(90)) * time.Second)
			if i%5 == 4 {
				w.wantSums(t)
			}
		}
		if done["save"] < 10 || done["change"] < 3 || done["delete"] < 5 {
			t.Errorf("done %v", done)
		}
	})
}

// TestWeek submits weeks of budi's, from Monday to Sunday. It is Wednesday.
func TestWeek(t *testing.T) {
	w := newWorld(t)
	budi, manager := w.User(t, "Budi"), w.User(t, "Manager", viewer.Manager)
	var team, week int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		team = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Lobi").SetManagerID(manager.ID).SaveX(ctx).ID
		return db.User.UpdateOne(budi).SetBusinessID(team).Exec(ctx)
	})
	w.mustBook(t, budi, "a", "2026-03-09 08:00", "2026-03-09 09:00")
	w.mustBook(t, budi, "over midnight into it", "2026-03-08 23:30", "2026-03-09 00:30")
	w.mustBook(t, budi, "before", "2026-03-08 08:00", "2026-03-08 09:00")
	w.mustBook(t, w.User(t, "Ani"), "of somebody else", "2026-03-09 08:00", "2026-03-09 09:00")
	timer := w.mustBook(t, budi, "b", "09:30", "")
	submit := func(date, note string) error {
		return w.as(budi, viewer.Employee, func(ctx context.Context) (err error) {
			id, err := w.entries.SubmitWeek(ctx, model.SubmitWeekInput{Date: date, Note: text(note)})
			if err == nil {
				week = id
			}
			return err
		})
	}
	decide := func(u *ent.User, role string, approve bool, note string) error {
		return w.as(u, role, func(ctx context.Context) error {
			return w.entries.DecideWeek(ctx, week, model.DecideInput{Approve: approve, Note: text(note)})
		}, team)
	}
	is := func(about, want string) {
		t.Helper()
		k := w.DB.TimeWeek.Query().Where(timeweek.UserID(budi.ID), timeweek.StartsOn("2026-03-09")).OnlyX(w.System())
		notes := input.Value(k.Note) + " " + input.Value(k.DecisionNote)
		got := fmt.Sprint(k.State, " ", k.EndsOn, " ", k.Seconds, " ", notes, " ", k.DecidedAt != nil)
		if got != want {
			t.Errorf("%s: %s, want %s", about, got, want)
		}
	}
	state := func(about string, err error, meta errs.Meta) {
		t.Helper()
		if !conflict(err, "", meta) {
			t.Errorf("%s: %v", about, err)
		}
	}
	code := func(about string, err error, want string) {
		t.Helper()
		if got := faults(err); got != want && !(want == "NOT_FOUND" && ent.IsNotFound(err)) {
			t.Errorf("%s: %q, want %q", about, got, want)
		}
	}
	state("while a timer runs", submit("2026-03-11", ""), errs.Meta{"runningTimer": fmt.Sprint(timer)})
	code("the week before, in which none runs", submit("2026-03-08", ""), "")
	code("stopped", w.update(budi, timer, model.UpdateTimeEntryInput{EndAt: instant("09:30")}), "")
	code("a week to come", submit("2026-03-16", ""), "VALIDATION_FAILED, date out_of_range")
	code("a long note", submit("2026-03-11", strings.Repeat("x", 251)), "VALIDATION_FAILED, note too_long")
	code("its last date", submit("2026-03-15", "selesai"), "")
	is("submitted", "submitted 2026-03-15 5400 selesai  false")
	state("again", submit("2026-03-09", ""), errs.Meta{"state": "submitted"})
	code("decided by oneself", decide(budi, viewer.Manager, true, ""), "FORBIDDEN")
	code("by who does not see it", decide(w.User(t, "Joko"), viewer.Employee, true, ""), "NOT_FOUND")
	code("by a supervisor", decide(manager, viewer.Supervisor, true, ""), "FORBIDDEN")
	code("with a long note", decide(manager, viewer.Manager, true, strings.Repeat("x", 251)),
		"VALIDATION_FAILED, note too_long")
	code("rejected", decide(manager, viewer.Manager, false, "kurang"), "")
	is("rejected", "rejected 2026-03-15 5400 selesai kurang true")
	state("rejected again", decide(manager, viewer.Manager, false, ""), errs.Meta{"state": "rejected"})
	w.mustBook(t, budi, "c", "2026-03-10 08:00", "2026-03-10 08:10")
	code("submitted again", submit("2026-03-09", ""), "")
	is("submitted again", "submitted 2026-03-15 6000   false")
	code("approved", decide(manager, viewer.Manager, true, ""), "")
	is("approved", "approved 2026-03-15 6000   true")
	state("submitted once it is approved", submit("2026-03-09", ""), errs.Meta{"state": "approved"})
	_, err := w.book(budi, "d", "2026-03-10 09:00", "2026-03-10 09:10")
	state("booked in it", err, errs.Meta{"state": "approved", "lockedFrom": "2026-03-09", "lockedUntil": "2026-03-15"})
	got := ""
	for _, j := range w.DB.Job.Query().Order(ent.Asc("id")).AllX(w.System()) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(*j.Payload, `{"Kind":"`), `"`)
		got += kind + " "
	}
	if want := "week_asked week_asked week_rejected week_asked week_approved "; got != want {
		t.Errorf("told of %s, want %s", got, want)
	}
}

// TestLong marks the timers that run longer than the limit, once, and tells their people; it stops those of people
// who are not active any more.
func TestLong(t *testing.T) {
	w := newWorld(t)
	budi, ani, left := w.User(t, "Budi"), w.User(t, "Ani"), w.User(t, "Lina")
	long, short := w.mustBook(t, budi, "a", "08:00", ""), w.mustBook(t, ani, "b", "08:00:01", "")
	of := w.mustBook(t, left, "c", "09:00", "")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.User.UpdateOne(left).SetActive(false).ExecX(ctx)
		return db.Company.UpdateOneID(w.Company.ID).SetSettings(setting.Values{"entryLimitMinutes": 120}).Exec(ctx)
	})
	w.Set(on("10:00").Add(time.Microsecond))
	w.watch(t, func() bool { return w.entry(of).EndedAt != nil && w.entry(long).LongAt != nil })
	if e := w.entry(short); e.LongAt != nil || e.EndedAt != nil {
		t.Errorf("what runs for the limit: %v", e)
	}
	if e := w.entry(long); e.EndedAt != nil {
		t.Errorf("what is long has ended: %v", e)
	}
	w.Advance(watchEvery)
	w.watch(t, func() bool { return w.entry(short).LongAt != nil })
	told := map[int]int{}
	for _, m := range w.DB.Message.Query().AllX(w.System()) {
		told[m.UserID]++
	}
	if told[budi.ID] != 1 || told[ani.ID] != 1 || len(told) != 2 {
		t.Errorf("told %v", told)
	}
	w.wantSums(t)
}

// watch runs the job that looks for long timers until something has happened.
func (w *world) watch(t *testing.T, done func() bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); w.entries.Desk.Plans.Jobs.Run(ctx) }()
	defer func() { stop(); <-ended }()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if done() {
			return
		}
		w.entries.Desk.Plans.Jobs.WakeUp()
	}
	t.Error("the job does nothing")
}
