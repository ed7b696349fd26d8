package timeentry

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// A world is a company whose people book time; it is Wednesday, 10:00 in Jakarta.
type world struct {
	*apptest.World
	entries  *Service
	settings setting.Values
	told     []int // tasks whose listeners were told, not yet looked at
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOn(t, testdb.SQLite(t))
}

// newWorldOn returns the world of newWorld in the empty database of a URL.
func newWorldOn(t *testing.T, url string) *world {
	t.Helper()
	w := &world{World: apptest.On(t, url)}
	s := servicetest.New(t, w.World)
	w.entries = &Service{DB: w.DB, Now: w.Now, Desk: s.Desk, Notify: s.Notify, NewTask: func(ctx context.Context, in model.SaveTaskInput) (int, error) {
		me := viewer.From(ctx)
		made, err := ent.FromContext(ctx).Task.Create().SetCompanyID(me.CompanyID).SetCreatorID(me.UserID).SetTitle(in.Title).
			SetNillableProjectID(in.ProjectID.Value()).SetCreatedAt(w.Now()).SetUpdatedAt(w.Now()).Save(ctx)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	}, TaskChanged: func(_ context.Context, _, id int) { w.told = append(w.told, id) }}
	s.Jobs.Add(w.entries.Watching())
	return w
}

// do runs a step in the name of somebody, and returns its code.
func (w *world) do(u *ent.User, role string, step func(ctx context.Context) error) string {
	ctx := w.As(u, role)
	viewer.From(ctx).Settings = w.settings
	return apptest.Code(w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return step(ctx) }))
}

// start starts a timer, and fails unless it returns a code.
func (w *world) start(t *testing.T, u *ent.User, title, want string) (id int) {
	t.Helper()
	got := w.do(u, viewer.Employee, func(ctx context.Context) error {
		e, err := w.entries.Start(ctx, model.StartTimerInput{Title: input.Given(&title)})
		if err == nil {
			id = e.ID
		}
		return err
	})
	if got != want {
		t.Errorf("start %s: %q, want %q", title, got, want)
	}
	return id
}

// booked writes the entries of somebody, the oldest first.
func (w *world) booked(u *ent.User) string {
	var list []string
	zone := time.FixedZone("WIB", 7*3600)
	for _, e := range w.DB.TimeEntry.Query().Where(entTimeEntry.UserID(u.ID)).Order(ent.Asc(entTimeEntry.FieldID)).AllX(w.System()) {
		end := "-"
		if e.EndedAt != nil {
			end = e.EndedAt.In(zone).Format("15:04:05")
		}
		list = append(list, fmt.Sprintf("%s %s-%s %d %s", e.Date, e.StartedAt.In(zone).Format("15:04:05"), end, e.Seconds, e.LastDate))
	}
	return strings.Join(list, ", ")
}

func (w *world) want(t *testing.T, u *ent.User, want string) {
	t.Helper()
	if got := w.booked(u); got != want {
		t.Errorf("booked %q, want %q", got, want)
	}
	running := w.DB.TimeEntry.Query().Where(entTimeEntry.UserID(u.ID), entTimeEntry.SlotNotNil()).CountX(w.System())
	if n := w.DB.ClockState.Query().Where(clockstate.UserID(u.ID)).OnlyX(w.System()).Timers; n != running {
		t.Errorf("the person keeps %d timers, %d run", n, running)
	}
}

func TestTimers(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	w.start(t, budi, "a", "")
	w.Advance(90*time.Second + 500*time.Millisecond)
	w.start(t, budi, "b", "")
	w.want(t, budi, "2026-03-11 10:00:00-10:01:30 90 2026-03-11, 2026-03-11 10:01:30-- 0 9998-12-31")
	w.start(t, budi, "c", "") // in the same second
	w.want(t, budi, "2026-03-11 10:00:00-10:01:30 90 2026-03-11, 2026-03-11 10:01:30-10:01:30 0 2026-03-11, 2026-03-11 10:01:30-- 0 9998-12-31")
	w.Advance(15 * time.Hour)
	stop := func(ctx context.Context) error {
		_, _, err := w.entries.Stop(ctx, nil)
		return err
	}
	for _, want := range []string{"", "NO_RUNNING_TIMER"} {
		if got := w.do(budi, viewer.Employee, stop); got != want {
			t.Errorf("stop: %q, want %q", got, want)
		}
	}
	w.want(t, budi, "2026-03-11 10:00:00-10:01:30 90 2026-03-11, 2026-03-11 10:01:30-10:01:30 0 2026-03-11, 2026-03-11 10:01:30-01:01:30 54000 2026-03-12")
	last := w.DB.TimeEntry.Query().Where(entTimeEntry.UserID(budi.ID)).Order(ent.Desc(entTimeEntry.FieldID)).FirstX(w.System())
	if last.LongAt == nil {
		t.Error("15 hours are not marked as long")
	}
}

// TestStopAll stops what began before an offline clock-out, at its instant.
func TestStopAll(t *testing.T) {
	w := newWorld(t)
	w.settings = setting.Values{"runningTimers": 2}
	budi := w.User(t, "Budi")
	w.start(t, budi, "a", "")
	w.Advance(time.Hour)
	w.start(t, budi, "b", "")
	w.Advance(time.Hour)
	got := w.do(budi, viewer.Employee, func(ctx context.Context) error {
		return w.entries.StopAll(ctx, viewer.From(ctx), apptest.Now.Add(30*time.Minute+time.Millisecond))
	})
	if got != "" {
		t.Error(got)
	}
	w.want(t, budi, "2026-03-11 10:00:00-10:30:00 1800 2026-03-11, 2026-03-11 11:00:00-- 0 9998-12-31")
}

// TestZone: an entry has the zone of the site where its person works.
func TestZone(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.ClockState.Update().Where(clockstate.UserID(budi.ID)).SetTimezone("Pacific/Auckland").Exec(ctx)
	})
	w.Set(time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC))
	id := w.start(t, budi, "a", "")
	if e := w.DB.TimeEntry.GetX(w.System(), id); e.Date != "2026-03-12" || e.Timezone != "Pacific/Auckland" {
		t.Errorf("%s in %s", e.Date, e.Timezone)
	}
}

// TestWhoChanges: employees change their own time, admins that of all but owners.
func TestWhoChanges(t *testing.T) {
	w := newWorld(t)
	budi, ani, admin, owner := w.User(t, "Budi"), w.User(t, "Ani"), w.User(t, "Admin", viewer.Admin), w.User(t, "Owner", viewer.Owner)
	of := map[*ent.User]int{budi: w.start(t, budi, "a", ""), owner: w.start(t, owner, "a", "")}
	for _, tt := range []struct {
		by   *ent.User
		role string
		of   *ent.User
		want string
	}{
		{ani, viewer.Employee, budi, "ent: time_entry not found"}, {admin, viewer.Admin, owner, "FORBIDDEN"},
		{admin, viewer.Admin, budi, ""}, {owner, viewer.Owner, owner, ""}, {budi, viewer.Employee, budi, ""},
	} {
		got := w.do(tt.by, tt.role, func(ctx context.Context) error {
			return w.entries.Update(ctx, of[tt.of], model.UpdateTimeEntryInput{Note: input.Given(new("x"))})
		})
		if got != tt.want {
			t.Errorf("%s of %s: %q, want %q", tt.by.Name, tt.of.Name, got, tt.want)
		}
	}
}

// TestLocks: who approves the time of others changes a locked period within the grace, who has
// company.write always; nobody an entry of a submitted week.
func TestLocks(t *testing.T) {
	w := newWorld(t)
	budi, owner := w.User(t, "Budi"), w.User(t, "Owner", viewer.Owner)
	id := w.start(t, budi, "a", "")
	note := func(ctx context.Context) error {
		return w.entries.Update(ctx, id, model.UpdateTimeEntryInput{Note: input.Given(new("x"))})
	}
	w.settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-11", "lockGraceDays": 3}
	for days, want := range map[int][2]string{0: {"", ""}, 1: {"CONFLICT", ""}} {
		w.Set(apptest.Now.AddDate(0, 0, days))
		if got := [2]string{w.do(budi, viewer.Employee, note), w.do(owner, viewer.Owner, note)}; got != want {
			t.Errorf("after %d days: %q, want %q", days, got, want)
		}
	}
	if got := w.do(budi, viewer.Employee, func(ctx context.Context) error { _, _, err := w.entries.Stop(ctx, nil); return err }); got != "" {
		t.Errorf("stopping in a locked period: %q", got)
	}
	w.settings = nil
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.TimeWeek.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetStartsOn("2026-03-09").SetEndsOn("2026-03-15").SetSeconds(0).
			SetSubmittedAt(apptest.Now).Exec(ctx)
	})
	for who, role := range map[*ent.User]string{budi: viewer.Employee, owner: viewer.Owner} {
		if got := w.do(who, role, note); got != "CONFLICT" {
			t.Errorf("%s, in a submitted week: %q", who.Name, got)
		}
	}
}

// TestTaskOf finds the unfinished task of the person alone.
func TestTaskOf(t *testing.T) {
	w := newWorld(t)
	budi, ani := w.User(t, "Budi"), w.User(t, "Ani")
	first := w.DB.TimeEntry.GetX(w.System(), w.start(t, budi, "a", "")).TaskID
	if again := w.DB.TimeEntry.GetX(w.System(), w.start(t, budi, " a ", "")).TaskID; again != first {
		t.Error("another task of the same title")
	}
	if other := w.DB.TimeEntry.GetX(w.System(), w.start(t, ani, "a", "")).TaskID; other == first {
		t.Error("the task of somebody else")
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Task.UpdateOneID(first).SetStatus("done").Exec(ctx)
	})
	if third := w.DB.TimeEntry.GetX(w.System(), w.start(t, budi, "a", "")).TaskID; third == first {
		t.Error("a finished task")
	}
}

// TestEnds tests where timers end: never before they began, and on the date of their last second.
func TestEnds(t *testing.T) {
	stop := func(w *world, u *ent.User) string {
		return w.do(u, viewer.Employee, func(ctx context.Context) error { _, _, err := w.entries.Stop(ctx, nil); return err })
	}
	for name, tt := range map[string]struct {
		after time.Duration
		want  string
	}{
		"a clock that went back": {-time.Minute, "2026-03-11 10:00:00-10:00:00 0 2026-03-11"},
		"at midnight":            {14 * time.Hour, "2026-03-11 10:00:00-00:00:00 50400 2026-03-11"},
		"a second later":         {14*time.Hour + time.Second, "2026-03-11 10:00:00-00:00:01 50401 2026-03-12"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			budi := w.User(t, "Budi")
			w.start(t, budi, "Rapat", "")
			w.Advance(tt.after)
			if code := stop(w, budi); code != "" {
				t.Errorf("stopped: %q", code)
			}
			w.want(t, budi, tt.want)
		})
	}
}

// TestTold tests that those who listen are told of the tasks on which a timer starts or stops, and
// not of one whose time stays.
func TestTold(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	told := func(step string, want ...int) {
		t.Helper()
		if !slices.Equal(w.told, want) {
			t.Errorf("%s: told of %v, want %v", step, w.told, want)
		}
		w.told = nil
	}
	first := w.start(t, budi, "Rapat", "")
	rapat := w.DB.TimeEntry.GetX(w.System(), first).TaskID
	told("started", rapat)
	w.Advance(time.Minute)
	lobi := w.DB.TimeEntry.GetX(w.System(), w.start(t, budi, "Lobi", "")).TaskID
	told("another", rapat, lobi)
	note := func(ctx context.Context) error {
		return w.entries.Update(ctx, first, model.UpdateTimeEntryInput{Note: input.Given(new("catatan"))})
	}
	if code := w.do(budi, viewer.Employee, note); code != "" {
		t.Errorf("a note: %q", code)
	}
	told("a note")
	if code := w.do(budi, viewer.Employee, func(ctx context.Context) error { return w.entries.StopAll(ctx, viewer.From(ctx), w.Now()) }); code != "" {
		t.Errorf("all are stopped: %q", code)
	}
	told("stopped", lobi)
}

// save saves an activity of somebody's, and returns the code.
func (w *world) save(u *ent.User, in model.SaveActivityInput) (id int, code string) {
	code = w.do(u, viewer.Employee, func(ctx context.Context) (err error) {
		id, err = w.entries.Save(ctx, in)
		return err
	})
	return id, code
}

// TestSameTitle: apps send the title of an entry again with each change of it. It stays on its task,
// whatever became of that.
func TestSameTitle(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	id := w.start(t, budi, "Rapat", "")
	first := w.DB.TimeEntry.GetX(w.System(), id).TaskID
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Task.UpdateOneID(first).SetStatus("done").Exec(ctx)
	})
	w.Advance(time.Hour)
	on := func(about, want string, in model.SaveActivityInput, same bool) {
		t.Helper()
		in.ID = input.Given(&id)
		_, code := w.save(budi, in)
		if e := w.DB.TimeEntry.GetX(w.System(), id); code != want || (e.TaskID == first) != same {
			t.Errorf("%s: %q, on the same task: %t", about, code, e.TaskID == first)
		}
	}
	now := w.Now()
	on("stopped on a task that is done", "", model.SaveActivityInput{Title: input.Given(new("Rapat")), EndAt: input.Given(&now)}, true)
	w.start(t, budi, "Rapat", "") // on another task of the same title
	on("beside another of that title", "", model.SaveActivityInput{Title: input.Given(new(" Rapat ")), Note: input.Given(new("x"))}, true)
	on("without a project, as it is", "", model.SaveActivityInput{Title: input.Given(new("Rapat")), ProjectID: input.Given[*int](nil)}, true)
	p := w.DB.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetCreatedAt(apptest.Now).SaveX(w.System())
	on("in another project", "", model.SaveActivityInput{Title: input.Given(new("Rapat")), ProjectID: input.Given(&p.ID)}, false)
	on("back", "", model.SaveActivityInput{TaskID: input.Given(&first), ProjectID: input.Given[*int](nil)}, true)
	on("of another title", "", model.SaveActivityInput{Title: input.Given(new("Lobi"))}, false)
}

// TestStopped: an end stops a timer however long it ran, also where its start is sent again.
func TestStopped(t *testing.T) {
	w := newWorld(t)
	w.settings = setting.Values{"entryLimitMinutes": 120}
	budi := w.User(t, "Budi")
	for _, tt := range []struct {
		about string
		ran   time.Duration
		moved time.Duration
		want  string
	}{
		{"a year", 366 * 24 * time.Hour, 0, ""},
		{"three hours", 3 * time.Hour, 0, ""},
		{"three hours from another start", 3 * time.Hour, time.Minute, "VALIDATION_FAILED endAt out_of_range"},
	} {
		id := w.start(t, budi, "Rapat", "")
		start := w.Now().Add(tt.moved)
		w.Advance(tt.ran)
		now := w.Now()
		_, code := w.save(budi, model.SaveActivityInput{ID: input.Given(&id), Title: input.Given(new("Rapat")), StartAt: input.Given(&start), EndAt: input.Given(&now)})
		if e := w.DB.TimeEntry.GetX(w.System(), id); code != tt.want || (e.EndedAt == nil) != (tt.want != "") || (e.LongAt == nil) != (tt.want != "") {
			t.Errorf("%s: %q, ended %v, long %v", tt.about, code, e.EndedAt, e.LongAt)
		}
	}
}

// TestLeft: corrections never leave less than nothing of an entry, also once it may be changed again.
func TestLeft(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	end := apptest.Now.Truncate(time.Second)
	start := end.Add(-time.Hour)
	id, code := w.save(budi, model.SaveActivityInput{Title: input.Given(new("Rapat")), StartAt: input.Given(&start), EndAt: input.Given(&end)})
	if code != "" {
		t.Fatal(code)
	}
	lock := func(state string) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			if _, err := db.TimeWeek.Delete().Exec(ctx); err != nil {
				return err
			}
			return db.TimeWeek.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetStartsOn("2026-03-09").SetEndsOn("2026-03-15").SetSeconds(0).
				SetState(timeweek.State(state)).SetSubmittedAt(apptest.Now).Exec(ctx)
		})
	}
	correct := func(seconds int, want string) (made int) {
		t.Helper()
		got := w.do(budi, viewer.Employee, func(ctx context.Context) (err error) {
			made, err = w.entries.Correct(ctx, id, model.CorrectTimeEntryInput{Seconds: seconds, Note: "x", Date: input.Given(new("2026-03-08"))})
			return err
		})
		if got != want {
			t.Errorf("corrected by %d: %q, want %q", seconds, got, want)
		}
		return made
	}
	remove := func(about string, id int, want string) {
		t.Helper()
		if got := w.do(budi, viewer.Employee, func(ctx context.Context) error { return w.entries.Delete(ctx, id) }); got != want {
			t.Errorf("%s: %q, want %q", about, got, want)
		}
	}
	shorten := func(to time.Duration, want string) {
		t.Helper()
		at := start.Add(to)
		if _, got := w.save(budi, model.SaveActivityInput{ID: input.Given(&id), EndAt: input.Given(&at)}); got != want {
			t.Errorf("shortened to %s: %q, want %q", to, got, want)
		}
	}
	lock("submitted")
	more := correct(600, "")
	correct(-4201, "VALIDATION_FAILED seconds out_of_range")
	less := correct(-3600, "")
	lock("rejected")
	shorten(50*time.Minute-time.Second, "CONFLICT")
	shorten(50*time.Minute, "")
	remove("what others took from", more, "CONFLICT")
	remove("what is corrected", id, "CONFLICT")
	all := func(want string) {
		t.Helper()
		got := ""
		err := w.Try(w.As(budi, viewer.Employee), func(ctx context.Context, _ *ent.Client) error {
			list, err := w.entries.DeleteAll(ctx, []int{id, more})
			for _, d := range list {
				got += fmt.Sprint(d.Deleted, " ")
			}
			return err
		})
		if err != nil || got != want {
			t.Errorf("all: %q %v, want %q", got, err, want)
		}
	}
	all("false false ")
	remove("what took", less, "")
	remove("what added", more, "")
	remove("what is not corrected any more", id, "")
}

// atWork has somebody be clocked in at a site since a time, until another one; zero for still.
func (w *world) atWork(t *testing.T, u *ent.User, site int, in, out time.Time) {
	t.Helper()
	day := scheduling.Present(&ent.Shift{StartTime: "00:00", EndTime: "23:00"}).Time(time.UTC).On("2026-03-11")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		s := db.Shift.Create().SetCompanyID(w.Company.ID).SetName(fmt.Sprint(in)).SetStartTime("00:00").SetEndTime("23:00").SaveX(ctx)
		o := db.EmployeeShift.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetShiftID(s.ID).SetShiftVersion(1).
			SetOrigin(employeeshift.OriginPlannedDay).SetName("day").SetDate("2026-03-11").SetTimezone("UTC").SetStartAt(day.StartAt).SetEndAt(day.EndAt).
			SetClockInFrom(day.ClockInFrom).SetClockInUntil(day.ClockInUntil).SetBreakSeconds(0).SaveX(ctx)
		local, offset := shift.Wall(in, time.UTC)
		a := db.Attendance.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetAddressID(site).SetWorkDate("2026-03-11").
			SetClockedInAt(in).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone("UTC").SetClockedInReceivedAt(in).
			SetClockedInLatitude(1).SetClockedInLongitude(1).SetClockedInSource("app").SetClockedInGeofence("inside").SaveX(ctx)
		if out.IsZero() {
			return nil
		}
		return a.Update().ClearOpenMarker().SetClockedOutAt(out).SetClockedOutReceivedAt(out).SetClockedOutSource("app").Exec(ctx)
	})
}

// TestGround starts a timer on a task of a project, or finds what stands in the way.
func TestGround(t *testing.T) {
	type change func(ctx context.Context, db *ent.Client, p *ent.Project, u *ent.User) error
	of := func(set func(*ent.ProjectUpdateOne) *ent.ProjectUpdateOne) change {
		return func(ctx context.Context, _ *ent.Client, p *ent.Project, _ *ent.User) error {
			return set(p.Update()).Exec(ctx)
		}
	}
	week := func(from, to string, state timeweek.State) change {
		return func(ctx context.Context, db *ent.Client, p *ent.Project, u *ent.User) error {
			return db.TimeWeek.Create().SetCompanyID(p.CompanyID).SetUserID(u.ID).SetStartsOn(from).SetEndsOn(to).SetState(state).
				SetSeconds(0).SetSubmittedAt(apptest.Now).Exec(ctx)
		}
	}
	for name, tt := range map[string]struct {
		change change
		want   string
	}{
		"nothing":       {nil, ""},
		"archived":      {of(func(p *ent.ProjectUpdateOne) *ent.ProjectUpdateOne { return p.SetStatus("archived") }), "CONFLICT projectId"},
		"members alone": {of(func(p *ent.ProjectUpdateOne) *ent.ProjectUpdateOne { return p.SetOpenToAll(false) }), "FORBIDDEN projectId"},
		"a member": {func(ctx context.Context, db *ent.Client, p *ent.Project, u *ent.User) error {
			db.ProjectMember.Create().SetCompanyID(p.CompanyID).SetProjectID(p.ID).SetUserID(u.ID).ExecX(ctx)
			return p.Update().SetOpenToAll(false).Exec(ctx)
		}, ""},
		"from tomorrow": {of(func(p *ent.ProjectUpdateOne) *ent.ProjectUpdateOne { return p.SetStartsOn("2026-03-12") }), "VALIDATION_FAILED startAt out_of_range"},
		"to yesterday":  {of(func(p *ent.ProjectUpdateOne) *ent.ProjectUpdateOne { return p.SetEndsOn("2026-03-10") }), "VALIDATION_FAILED startAt out_of_range"},
		"today": {of(func(p *ent.ProjectUpdateOne) *ent.ProjectUpdateOne {
			return p.SetStartsOn("2026-03-11").SetEndsOn("2026-03-11")
		}), ""},
		"a submitted week": {week("2026-03-05", "2026-03-11", timeweek.StateSubmitted), "CONFLICT"},
		"an approved week": {week("2026-03-11", "2026-03-17", timeweek.StateApproved), "CONFLICT"},
		"a rejected week":  {week("2026-03-09", "2026-03-15", timeweek.StateRejected), ""},
		"the week before":  {week("2026-03-04", "2026-03-10", timeweek.StateSubmitted), ""},
		"the week after":   {week("2026-03-12", "2026-03-18", timeweek.StateSubmitted), ""},
		"a deleted task": {func(ctx context.Context, db *ent.Client, _ *ent.Project, _ *ent.User) error {
			return db.Task.Update().SetDeletedAt(apptest.Now).Exec(ctx)
		}, "NOT_FOUND taskId"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			budi, ani := w.User(t, "Budi"), w.User(t, "Ani")
			task := w.task(t, budi, tt.change)
			for u, want := range map[*ent.User]string{budi: tt.want, ani: "NOT_FOUND taskId"} { // who does not see it
				if got := w.do(u, viewer.Employee, func(ctx context.Context) error {
					_, err := w.entries.Start(ctx, model.StartTimerInput{TaskID: input.Given(&task)})
					return err
				}); got != want {
					t.Errorf("%s: %q, want %q", u.Name, got, want)
				}
			}
		})
	}
}

// task makes a task of somebody in a project, and then makes a change.
func (w *world) task(t *testing.T, u *ent.User, change func(context.Context, *ent.Client, *ent.Project, *ent.User) error) (id int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		p := db.Project.Create().SetCompanyID(w.Company.ID).SetName("P").SetCreatedAt(w.Now()).SaveX(ctx)
		id = db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(u.ID).SetTitle("a").SetDescription("b").SetProjectID(p.ID).
			SetDueAt(w.Now()).SetLatitude(1.5).SetLongitude(2.5).SetRecurrence("FREQ=WEEKLY").SetRecursOn("2026-03-12").
			SetCreatedAt(w.Now()).SetUpdatedAt(w.Now()).SaveX(ctx).ID
		if change == nil {
			return nil
		}
		return change(ctx, db, p, u)
	})
	return id
}

// TestTaskOfTimer: a timer comes with its task as the database has it once the timer runs.
func TestTaskOfTimer(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	id := w.task(t, budi, nil)
	for range 2 { // the second stops the first
		var got *ent.Task
		if code := w.do(budi, viewer.Employee, func(ctx context.Context) error {
			e, err := w.entries.Start(ctx, model.StartTimerInput{TaskID: input.Given(&id)})
			if err == nil {
				got = e.Edges.Task
			}
			return err
		}); code != "" {
			t.Fatal(code)
		}
		if want := w.DB.Task.GetX(w.System(), id); got.String() != want.String() {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		w.Advance(time.Minute)
	}
}

// TestSite: an entry keeps the site where its person was, and a timer may ask for one.
func TestSite(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	w.settings = setting.Values{"timerOnDuty": true}
	w.start(t, budi, "a", "NOT_CLOCKED_IN")
	var sites [2]int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i := range sites {
			sites[i] = db.Address.Create().SetCompanyID(w.Company.ID).SetName(fmt.Sprint("Site ", i)).SetAddress("").SetLatitude(1).SetLongitude(1).SaveX(ctx).ID
		}
		return nil
	})
	now := w.Now()
	w.atWork(t, budi, sites[0], now.Add(-2*time.Hour), now.Add(-time.Hour))
	w.start(t, budi, "a", "NOT_CLOCKED_IN")
	w.atWork(t, budi, sites[1], now.Add(500*time.Millisecond), time.Time{}) // in the second of the timer
	id := w.start(t, budi, "a", "")
	if e := w.DB.TimeEntry.GetX(w.System(), id); e.AddressID == nil || *e.AddressID != sites[1] {
		t.Errorf("the site is %v, want %d", e.AddressID, sites[1])
	}
}
