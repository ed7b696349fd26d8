package task

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	entProject "workforce/ent/project"
	"workforce/ent/projectmember"
	entTask "workforce/ent/task"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/filetest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/input"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A world is a company with two employees and tasks.
type world struct {
	*apptest.World
	*Service
	budi, sari *ent.User
}

func newWorld(t *testing.T) *world {
	w := &world{World: apptest.New(t)}
	s := servicetest.New(t, w.World)
	w.Service = &Service{DB: w.DB(), Now: w.World.Now, Files: s.Files, Notify: s.Notify}
	w.budi, w.sari = w.User(t, "Budi"), w.User(t, "Sari")
	return w
}

// A team is a world with somebody who sees the tasks of budi and does not change them, and somebody
// who changes all tasks.
type team struct {
	*world
	reader, admin *ent.User
}

func newTeam(t *testing.T) *team {
	w := newWorld(t)
	return &team{w, w.User(t, "Ratna"), w.User(t, "Agus", viewer.Admin)}
}

// as returns the context of somebody of the team.
func (w *team) as(u *ent.User) context.Context {
	switch u.ID {
	case w.reader.ID:
		ctx := w.As(u, viewer.Employee)
		viewer.From(ctx).Permissions = []string{"task.read.all", "task.write.own"}
		return ctx
	case w.admin.ID:
		return w.As(u, viewer.Admin)
	}
	return w.As(u, viewer.Employee)
}

// do runs a step in the name of somebody, and fails unless it returns a code.
func (w *team) do(t *testing.T, u *ent.User, want string, step func(ctx context.Context) error) {
	t.Helper()
	if got := apptest.Code(filetest.Run(w.as(u), w.DB(), step)); got != want {
		t.Errorf("%s: %q, want %q", u.Name, got, want)
	}
}

// DB is that of the world.
func (w *world) DB() *ent.Client { return w.World.DB }

// save saves a task of budi's and returns it.
func (w *world) save(t *testing.T, in model.SaveTaskInput) *ent.Task {
	t.Helper()
	var id int
	err := w.Try(w.As(w.budi, viewer.Employee), func(ctx context.Context, _ *ent.Client) (err error) {
		id, err = w.Save(ctx, in)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return w.DB().Task.GetX(w.System(), id)
}

func (w *world) update(who *ent.User, role string, id int, in model.UpdateTaskInput) error {
	return w.Try(w.As(who, role), func(ctx context.Context, _ *ent.Client) error { return w.Update(ctx, id, in) })
}

// TestVersions changes a task under versions that are right and wrong.
func TestVersions(t *testing.T) {
	w := newWorld(t)
	task := w.save(t, model.SaveTaskInput{Title: "Rapat"})
	if err := w.update(w.budi, viewer.Employee, task.ID, model.UpdateTaskInput{Title: input.Given(new("Audit")), Version: input.Given(new(1))}); err != nil {
		t.Fatal(err)
	}
	err := w.update(w.budi, viewer.Employee, task.ID, model.UpdateTaskInput{
		Title: input.Given(new("Baru")), Priority: input.Given(new(entTask.PriorityNormal)), Version: input.Given(new(1)),
	})
	e := errs.As(err)
	if e.Code != errs.VersionConflict || e.Meta["version"] != 1 || e.Meta["currentVersion"] != 2 {
		t.Fatalf("%v %v", err, e.Meta)
	}
	yours, theirs := e.Meta["yours"].(errs.Meta), e.Meta["theirs"].(errs.Meta)
	if len(yours) != 1 || yours["title"] != "Baru" || len(theirs) != 1 || theirs["title"] != "Audit" {
		t.Errorf("yours %v, theirs %v", yours, theirs)
	}
	cleared := model.UpdateTaskInput{Description: input.Given[*string](nil), DueAt: input.Given[*time.Time](nil), Version: input.Given(new(1))}
	if e := errs.As(w.update(w.budi, viewer.Employee, task.ID, cleared)); len(e.Meta["yours"].(errs.Meta)) != 0 {
		t.Errorf("what is null already: %v", e.Meta)
	}
	for _, assignees := range [][]int{{w.budi.ID}, {}} {
		e := errs.As(w.update(w.budi, viewer.Employee, task.ID, model.UpdateTaskInput{AssigneeIds: input.Given(assignees), Version: input.Given(new(1))}))
		if _, differs := e.Meta["yours"].(errs.Meta)["assigneeIds"]; e.Code != errs.VersionConflict || differs != (len(assignees) == 0) {
			t.Errorf("assignees %v: %v %v", assignees, e, e.Meta)
		}
	}
	if err := w.update(w.budi, viewer.Employee, task.ID, model.UpdateTaskInput{}); err != nil {
		t.Error(err)
	}
	if v := w.DB().Task.GetX(w.System(), task.ID).Version; v != 2 {
		t.Errorf("version %d after an empty change, want 2", v)
	}
}

// TestInUse refuses to delete a task with entries, and to take it to another project.
func TestInUse(t *testing.T) {
	w := newWorld(t)
	task := w.save(t, model.SaveTaskInput{Title: "Rapat"})
	w.DB().Task.UpdateOneID(task.ID).SetEntryCount(1).SetTrackedSeconds(60).ExecX(w.System())
	p := w.DB().Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetCreatedAt(apptest.Now).SaveX(w.System())
	if err := w.update(w.budi, viewer.Employee, task.ID, model.UpdateTaskInput{ProjectID: input.Given(&p.ID)}); apptest.Code(err) != "TASK_IN_USE projectId" {
		t.Errorf("another project: %v", err)
	}
	remove := func() error {
		return w.Try(w.As(w.budi, viewer.Employee), func(ctx context.Context, _ *ent.Client) error { return w.Delete(ctx, task.ID) })
	}
	if err := remove(); apptest.Code(err) != "TASK_IN_USE" {
		t.Errorf("delete: %v", err)
	}
	w.DB().Task.UpdateOneID(task.ID).SetEntryCount(0).ExecX(w.System())
	if err := remove(); err != nil {
		t.Error(err)
	}
}

// TestCopies copies a recurring task at midnight of the company, and once for days that were
// missed.
func TestCopies(t *testing.T) {
	w := newWorld(t)
	due := time.Date(2026, 3, 11, 10, 0, 0, 0, time.UTC)
	task := w.save(t, model.SaveTaskInput{Title: "Piket", DueAt: input.Given(&due), Recurrence: input.Given(new("FREQ=DAILY;COUNT=4"))})
	copies := func(now time.Time) (dates string) {
		t.Helper()
		w.Set(now)
		if err := tx.Run(w.System(), w.DB(), func(ctx context.Context) error { return w.recur(ctx, task.ID) }); err != nil {
			t.Fatal(err)
		}
		for _, c := range w.DB().Task.Query().Where(entTask.CopyOfID(task.ID)).Order(ent.Asc(entTask.FieldCopiedOn)).AllX(w.System()) {
			dates += " " + *c.CopiedOn
			if want := *c.CopiedOn + "T10:00:00Z"; c.DueAt.Format(time.RFC3339) != want {
				t.Errorf("due %s, want %s", c.DueAt, want)
			}
		}
		return strings.TrimSpace(dates)
	}
	midnight := time.Date(2026, 3, 11, 17, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		now  time.Time
		want string
	}{
		{midnight.Add(-time.Microsecond), ""},
		{midnight, "2026-03-12"},
		{midnight, "2026-03-12"},
		{midnight.AddDate(0, 0, 9), "2026-03-12 2026-03-14"},
	} {
		if got := copies(tt.now); got != tt.want {
			t.Errorf("at %s: %q, want %q", tt.now, got, tt.want)
		}
	}
	if on := w.DB().Task.GetX(w.System(), task.ID).RecursOn; on != nil {
		t.Errorf("it recurs on %s", *on)
	}
}

// TestOldRules: a rule that RFC 5545 forbids, which earlier releases took, goes on; one without
// dates ends.
func TestOldRules(t *testing.T) {
	w := newWorld(t)
	task := w.save(t, model.SaveTaskInput{Title: "Piket", Recurrence: input.Given(new("FREQ=DAILY"))})
	recursOn := func(rule string, now time.Time) *string {
		t.Helper()
		w.DB().Task.UpdateOneID(task.ID).SetRecurrence(rule).ExecX(w.System())
		w.Set(now)
		if err := tx.Run(w.System(), w.DB(), func(ctx context.Context) error { return w.recur(ctx, task.ID) }); err != nil {
			t.Fatal(err)
		}
		return w.DB().Task.GetX(w.System(), task.ID).RecursOn
	}
	noon := time.Date(2026, 3, 12, 5, 0, 0, 0, time.UTC)
	if on := recursOn("FREQ=DAILY;BYSETPOS=1", noon); on == nil || *on != "2026-03-13" {
		t.Errorf("an old rule recurs on %v", on)
	}
	if on := recursOn("FREQ=DAILY;BYSETPOS=2", noon.AddDate(0, 0, 1)); on != nil {
		t.Errorf("a rule without dates recurs on %s", *on)
	}
	if n := w.DB().Task.Query().Where(entTask.CopyOfID(task.ID)).CountX(w.System()); n != 1 {
		t.Errorf("%d copies, want 1", n)
	}
}

// TestRuleOutside searches the dates of a rule once, outside of the transaction.
func TestRuleOutside(t *testing.T) {
	w := newWorld(t)
	me := w.As(w.budi, viewer.Employee)
	var id int
	for _, tt := range []struct {
		name string
		do   func(context.Context) error
		want string // when it recurs
	}{
		{"save", func(ctx context.Context) (err error) {
			id, err = w.Save(ctx, model.SaveTaskInput{Title: "Piket", Recurrence: input.Given(new("FREQ=WEEKLY;BYDAY=SU"))})
			return err
		}, "2026-03-15"},
		{"update", func(ctx context.Context) error {
			return w.Update(ctx, id, model.UpdateTaskInput{Recurrence: input.Given(new("FREQ=WEEKLY;BYDAY=MO"))})
		}, "2026-03-16"},
	} {
		ctx, deferred := tx.WithDeferred(me)
		run := func() error { return tx.Run(ctx, w.DB(), tt.do) }
		if err := run(); apptest.Code(err) != "UNAVAILABLE" || !deferred.Run(ctx) {
			t.Fatalf("%s: not deferred: %v", tt.name, err)
		}
		if err := run(); err != nil || deferred.Run(ctx) {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if on := w.DB().Task.GetX(w.System(), id).RecursOn; on == nil || *on != tt.want {
			t.Errorf("%s: recurs on %v, want %s", tt.name, on, tt.want)
		}
	}
}

// TestCopyEnds: the job that copies ends with its context, and leaves the rule as it is.
func TestCopyEnds(t *testing.T) {
	w := newWorld(t)
	task := w.save(t, model.SaveTaskInput{Title: "Piket", Recurrence: input.Given(new("FREQ=DAILY"))})
	w.Advance(48 * time.Hour)
	ctx, cancel := context.WithCancel(w.System())
	defer cancel()
	now := w.Service.Now
	w.Service.Now = func() time.Time { cancel(); return now() } // after the task was read
	err := tx.Run(ctx, w.DB(), func(ctx context.Context) error { return w.recur(ctx, task.ID) })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if after := w.DB().Task.GetX(w.System(), task.ID); *after.RecursOn != *task.RecursOn {
		t.Errorf("recurs on %s, before on %s", *after.RecursOn, *task.RecursOn)
	}
}

// TestCopiesOf: an archived project takes no copies, and who is inactive or no member any more is
// given none.
func TestCopiesOf(t *testing.T) {
	w := newWorld(t)
	db, sys := w.DB(), w.System()
	p := db.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetOpenToAll(false).SetCreatedAt(apptest.Now).SaveX(sys)
	ani := w.User(t, "Ani")
	people := []*ent.User{w.budi, w.sari, ani}
	for _, u := range people {
		db.ProjectMember.Create().SetCompanyID(w.Company.ID).SetProjectID(p.ID).SetUserID(u.ID).ExecX(sys)
	}
	task := w.save(t, model.SaveTaskInput{Title: "Piket", Recurrence: input.Given(new("FREQ=DAILY")), ProjectID: input.Given(&p.ID)})
	for _, u := range people[1:] {
		db.TaskAssignee.Create().SetCompanyID(w.Company.ID).SetTaskID(task.ID).SetUserID(u.ID).ExecX(sys)
	}
	copied := func(about string, want ...string) {
		t.Helper()
		w.Advance(24 * time.Hour)
		before := db.Task.Query().Where(entTask.CopyOfID(task.ID)).IDsX(sys)
		if err := tx.Run(sys, db, func(ctx context.Context) error { return w.recur(ctx, task.ID) }); err != nil {
			t.Fatal(err)
		}
		made := db.Task.Query().Where(entTask.CopyOfID(task.ID), entTask.IDNotIn(before...)).WithAssignees().AllX(sys)
		var got []string
		for _, c := range made {
			for _, u := range c.Edges.Assignees {
				got = append(got, u.Name)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) || len(made) != min(1, len(want)) {
			t.Errorf("%s: %d copies of %q, want %q", about, len(made), got, want)
		}
	}
	copied("all are members", "Ani", "Budi", "Sari")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(ani.ID).SetActive(false).Exec(ctx)
	})
	db.ProjectMember.Delete().Where(projectmember.UserID(w.sari.ID)).ExecX(sys)
	copied("one left, one is no member", "Budi")
	db.Project.UpdateOneID(p.ID).SetOpenToAll(true).ExecX(sys)
	copied("open to all", "Budi", "Sari")
	db.Project.UpdateOneID(p.ID).SetStatus(entProject.StatusArchived).ExecX(sys)
	copied("archived")
	db.Project.UpdateOneID(p.ID).SetStatus(entProject.StatusActive).ExecX(sys)
	copied("active again", "Budi", "Sari")
}

// TestDoneToday counts what was done since midnight where the person works.
func TestDoneToday(t *testing.T) {
	w := newWorld(t)
	done := input.Given(new(entTask.StatusDone))
	w.Set(time.Date(2026, 3, 11, 10, 59, 0, 0, time.UTC)) // 23:59 in Auckland, 17:59 in Jakarta
	w.save(t, model.SaveTaskInput{Title: "a", Status: done})
	w.Advance(time.Minute)
	w.save(t, model.SaveTaskInput{Title: "b", Status: done})
	for zone, want := range map[string]int{"": 2, "Pacific/Auckland": 1} {
		state := w.DB().ClockState.Update().Where(clockstate.UserID(w.budi.ID)).ClearTimezone()
		if zone != "" {
			state.SetTimezone(zone)
		}
		state.ExecX(w.System())
		out, _, err := w.Widget(w.As(w.budi, viewer.Employee), nil)
		if err != nil || out.DoneToday != want {
			t.Errorf("in zone %q: %+v %v, want %d", zone, out, err, want)
		}
	}
}
