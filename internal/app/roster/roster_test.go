package roster

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	row "workforce/ent/job"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/sealed"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A world is a company with a roster; it is Wednesday, 2026-03-11, 10:00 in Jakarta.
type world struct {
	*apptest.World
	*Service
	admin *ent.User
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{World: apptest.New(t)}
	notifications := notify.New(sealed.NewSealer("messages", sealed.Key{}))
	notifications.Now = w.World.Now
	w.Service = &Service{
		DB: w.World.DB, Now: w.World.Now, Notify: notifications, Managers: (&organization.Service{}).Managers,
		Audit: &audit.Recorder{DB: w.World.DB, Now: w.World.Now, Log: slog.New(slog.DiscardHandler)}, Jobs: job.New(),
	}
	for _, k := range w.Kinds() {
		w.Jobs.Add(k)
	}
	w.Jobs.DB, w.Jobs.Now = w.World.DB, w.World.Now
	w.admin = w.User(t, "Admin", viewer.Admin)
	return w
}

// db is the client outside of a transaction.
func (w *world) db() *ent.Client { return w.World.DB }

// at sets the clock to a time in Jakarta.
func (w *world) at(t testing.TB, text string) {
	t.Helper()
	now, err := time.ParseInLocation("2006-01-02 15:04", text, zoneNamed("Asia/Jakarta"))
	if err != nil {
		t.Fatal(err)
	}
	w.Set(now.UTC())
}

// do runs a step as an administrator in a transaction.
func (w *world) do(step func(ctx context.Context) error) error {
	return w.as(w.As(w.admin, viewer.Admin), step)
}

func (w *world) as(ctx context.Context, step func(ctx context.Context) error) error {
	return tx.Run(ctx, w.db(), step)
}

// set changes a setting of the viewers that do has.
func (w *world) with(settings setting.Values, step func(ctx context.Context) error) error {
	ctx := w.As(w.admin, viewer.Admin)
	viewer.From(ctx).Settings = settings
	return w.as(ctx, step)
}

// shift adds a shift with margins of an hour.
func (w *world) shift(t testing.TB, name, start, end string, change ...func(*model.CreateShiftInput)) *ent.Shift {
	t.Helper()
	in := model.CreateShiftInput{Name: name, StartTime: start, EndTime: end}
	for _, c := range change {
		c(&in)
	}
	var made *ent.Shift
	err := w.do(func(ctx context.Context) (err error) {
		made, err = w.CreateShift(ctx, in)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return w.db().Shift.GetX(w.System(), made.ID)
}

// assign gives a person a shift every day from a date on; change may say otherwise.
func (w *world) assign(u *ent.User, s *ent.Shift, from string, change ...func(*model.AssignShiftInput)) (id int, err error) {
	in := model.AssignShiftInput{UserID: u.ID, ShiftID: s.ID, StartsOn: from}
	for _, c := range change {
		c(&in)
	}
	err = w.do(func(ctx context.Context) error {
		id, err = w.AssignShift(ctx, in)
		return err
	})
	return id, err
}

func until(date string) func(*model.AssignShiftInput) {
	return func(in *model.AssignShiftInput) { in.EndsOn = input.Given(&date) }
}

func on(weekdays ...int) func(*model.AssignShiftInput) {
	return func(in *model.AssignShiftInput) { in.Weekdays = input.Given(weekdays) }
}

// occurrences lists a person's occurrences from a date until another, each as its date,
// name and window.
func (w *world) occurrences(u *ent.User, first, last string) string {
	rows := w.db().EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.DateGTE(first), employeeshift.DateLTE(last)).
		Order(ent.Asc(employeeshift.FieldStartAt)).AllX(w.System())
	var list []string
	for _, o := range rows {
		zone := zoneNamed(o.Timezone)
		list = append(list, o.Date[8:]+" "+o.Name+" "+o.ClockInFrom.In(zone).Format("15:04")+o.ClockInUntil.In(zone).Format("-15:04"))
	}
	return strings.Join(list, ", ")
}

// attend adds an attendance for an occurrence.
func (w *world) attend(t testing.TB, u *ent.User, date string) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		site, err := db.Address.Query().First(ctx)
		if ent.IsNotFound(err) {
			site, err = db.Address.Create().SetCompanyID(w.Company.ID).SetName("Pusat").SetAddress("").SetLatitude(1).SetLongitude(1).Save(ctx)
		}
		if err != nil {
			return err
		}
		o, err := db.EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.Date(date)).Only(ctx)
		if err != nil {
			return err
		}
		local, offset := shift.Wall(o.StartAt, zoneNamed(o.Timezone))
		a, err := db.Attendance.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetEmployeeShiftID(o.ID).SetAddressID(site.ID).
			SetWorkDate(o.Date).SetClockedInAt(o.StartAt).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone(o.Timezone).
			SetClockedInReceivedAt(o.StartAt).SetClockedInLatitude(1).SetClockedInLongitude(1).SetClockedInSource("app").SetClockedInGeofence("inside").
			SetClockedOutAt(o.EndAt).Save(ctx)
		if err != nil {
			return err
		}
		return a.Update().ClearOpenMarker().Exec(ctx)
	})
}

func wantCode(t *testing.T, about string, err error, want string) {
	t.Helper()
	if got := apptest.Code(err); got != want {
		t.Errorf("%s: got %q, want %q", about, got, want)
	}
}

func want(t *testing.T, about, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", about, got, want)
	}
}

// TestShiftsRefused tests what cannot be saved, with the field.
func TestShiftsRefused(t *testing.T) {
	w := newWorld(t)
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	tests := []struct {
		name   string
		change func(*model.CreateShiftInput)
		want   string
	}{
		{"no name", func(in *model.CreateShiftInput) { in.Name = " " }, "VALIDATION_FAILED name required"},
		{"no time", func(in *model.CreateShiftInput) { in.StartTime = "8:00" }, "VALIDATION_FAILED startTime bad_format"},
		{"SH-03 start is end", func(in *model.CreateShiftInput) { in.EndTime = in.StartTime }, "VALIDATION_FAILED endTime same_as"},
		{"SH-04 24 hours", func(in *model.CreateShiftInput) { in.OpensBeforeMinutes = number(900) }, "VALIDATION_FAILED opensBeforeMinutes out_of_range"},
		{"negative grace", func(in *model.CreateShiftInput) { in.LateGraceMinutes = number(-1) }, "VALIDATION_FAILED lateGraceMinutes out_of_range"},
		{"absent above half a day", func(in *model.CreateShiftInput) {
			in.HalfDayBelowMinutes, in.AbsentBelowMinutes = number(60), number(61)
		}, "VALIDATION_FAILED absentBelowMinutes out_of_range"},
		{"break outside", func(in *model.CreateShiftInput) {
			in.Breaks = input.Given([]*model.ShiftBreakInput{{Start: "18:00", End: "18:30"}})
		}, "VALIDATION_FAILED breaks.0.start not_within"},
		{"break without a time", func(in *model.CreateShiftInput) {
			in.Breaks = input.Given([]*model.ShiftBreakInput{{Start: "noon", End: "12:30"}})
		}, "VALIDATION_FAILED breaks.0.start bad_format"},
		{"eleven breaks", func(in *model.CreateShiftInput) {
			in.Breaks = input.Given(slices.Repeat([]*model.ShiftBreakInput{{Start: "12:00", End: "12:01"}}, 11))
		}, "VALIDATION_FAILED breaks too_many"},
		{"two kinds of breaks", func(in *model.CreateShiftInput) {
			in.Breaks, in.BreakMinutes = input.Given([]*model.ShiftBreakInput{{Start: "12:00", End: "12:30"}}), number(30)
		}, "VALIDATION_FAILED breakMinutes excludes"},
		{"unknown zone", func(in *model.CreateShiftInput) { in.Timezone = input.Given(new("Asia/Nowhere")) }, "VALIDATION_FAILED timezone bad_format"},
		{"no colour", func(in *model.CreateShiftInput) { in.Colour = input.Given(new("red")) }, "VALIDATION_FAILED colour bad_format"},
	}
	for _, tt := range tests {
		in := model.CreateShiftInput{Name: "Pagi", StartTime: "08:00", EndTime: "17:00"}
		tt.change(&in)
		err := w.do(func(ctx context.Context) error {
			_, err := w.CreateShift(ctx, in)
			return err
		})
		wantCode(t, tt.name, err, tt.want)
	}
	if n := w.db().Shift.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d shifts were saved", n)
	}
	for role, code := range map[string]string{viewer.Employee: "FORBIDDEN", viewer.Manager: "FORBIDDEN", viewer.Admin: ""} {
		err := w.as(w.As(w.admin, role), func(ctx context.Context) error {
			_, err := w.CreateShift(ctx, model.CreateShiftInput{Name: role, StartTime: "08:00", EndTime: "17:00"})
			return err
		})
		wantCode(t, role, err, code)
	}
}

// TestOccurrencesAreMade makes those of yesterday until in two weeks, once, whoever asks.
func TestOccurrencesAreMade(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	day, night := w.shift(t, "day", "07:00", "19:00"), w.shift(t, "night", "19:00", "07:00")
	for _, s := range []*ent.Shift{day, night} {
		if _, err := w.assign(budi, s, "2026-03-01"); err != nil {
			t.Fatal(err)
		}
	}
	want(t, "SH-08 clipped, but what is past", w.occurrences(budi, "2026-03-10", "2026-03-11"),
		"10 day 06:00-20:00, 10 night 19:00-07:00, 11 day 07:00-19:00, 11 night 19:00-07:00")
	want(t, "the last", w.occurrences(budi, "2026-03-26", "2026-05-01"), "26 day 07:00-19:00, 26 night 19:00-07:00")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
	})
	before := w.db().EmployeeShift.Query().IDsX(w.System())
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := w.Ensure(w.System(), w.Company.ID, budi.ID); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if after := w.db().EmployeeShift.Query().IDsX(w.System()); !slices.Equal(before, after) {
		t.Errorf("%d occurrences, then %d", len(before), len(after))
	}
	w.at(t, "2026-03-12 10:00")
	if err := w.Ensure(w.System(), w.Company.ID, budi.ID); err != nil {
		t.Fatal(err)
	}
	want(t, "a day later", w.occurrences(budi, "2026-03-27", "2026-05-01"), "27 day 07:00-19:00, 27 night 19:00-07:00")
}

// TestDaily makes the occurrences of everybody by the job, in batches.
func TestDaily(t *testing.T) {
	w := newWorld(t)
	s := w.shift(t, "day", "08:00", "17:00")
	var ids []int
	for i := range batch + 5 {
		ids = append(ids, w.User(t, fmt.Sprint("User ", i)).ID)
	}
	gone := w.User(t, "Gone")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(gone).SetActive(false).Exec(ctx)
	})
	err := w.do(func(ctx context.Context) error {
		list, err := w.AssignShifts(ctx, model.AssignShiftsInput{UserIds: append(ids, gone.ID, 4711), ShiftID: s.ID, StartsOn: "2026-03-11"})
		for i, a := range list {
			if ok := i < len(ids); ok != (a.AssignmentID != nil) || ok != (a.Code == nil) || !ok && *a.Code != "NOT_FOUND" {
				t.Errorf("%d: %+v", i, a)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.db().EmployeeShift.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d occurrences in the transaction that assigned many", n)
	}
	w.run(t, making)
	if n, want := w.db().EmployeeShift.Query().CountX(w.System()), 16*len(ids); n != want {
		t.Errorf("%d occurrences, want %d", n, want)
	}
	if n := w.db().ClockState.Query().Where(clockstate.PlannedUntil("2026-03-26")).CountX(w.System()); n < len(ids) {
		t.Errorf("%d people are planned until then", n)
	}
	w.run(t, telling)
	if n := w.db().Message.Query().CountX(w.System()); n != len(ids) {
		t.Errorf("%d messages, want %d", n, len(ids))
	}
}

// run runs the queued jobs of a kind.
func (w *world) run(t testing.TB, kind string) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	w.Jobs.Log = slog.New(slog.DiscardHandler)
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Jobs.Run(ctx)
	}()
	for range 2000 {
		left := w.db().Job.Query().Where(row.Kind(kind), row.StateIn(row.StateQueued, row.StateRunning)).CountX(w.System())
		if left == 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	end()
	<-done
}

// TestAssignments tests rules SH-11 and SH-12 on rows.
func TestAssignments(t *testing.T) {
	w := newWorld(t)
	early, mid, noon, late := w.shift(t, "08–12", "08:00", "12:00"), w.shift(t, "11–15", "11:00", "15:00"), w.shift(t, "12–16", "12:00", "16:00"), w.shift(t, "15–19", "15:00", "19:00")
	tests := []struct {
		name  string
		first func(u *ent.User) error
		then  func(u *ent.User) error
		want  string
	}{
		{"A09 several shifts a day", func(u *ent.User) error { _, err := w.assign(u, early, "2026-03-12"); return err },
			func(u *ent.User) error { _, err := w.assign(u, noon, "2026-03-12"); return err }, ""},
		{"A10 overlapping", func(u *ent.User) error { _, err := w.assign(u, early, "2026-03-12"); return err },
			func(u *ent.User) error { _, err := w.assign(u, mid, "2026-03-12"); return err }, "CONFLICT userId"},
		{"A10 the second of two", func(u *ent.User) error {
			_, err := w.assign(u, early, "2026-03-12")
			if err == nil {
				_, err = w.assign(u, noon, "2026-03-12")
			}
			return err
		}, func(u *ent.User) error { _, err := w.assign(u, late, "2026-03-12"); return err }, "CONFLICT userId"},
		{"A11 a period within an open-ended one", func(u *ent.User) error { _, err := w.assign(u, early, "2026-03-01"); return err },
			func(u *ent.User) error { _, err := w.assign(u, early, "2026-03-20", until("2026-03-22")); return err }, "CONFLICT userId"},
		{"after the first ended", func(u *ent.User) error { _, err := w.assign(u, early, "2026-03-01", until("2026-03-19")); return err },
			func(u *ent.User) error { _, err := w.assign(u, mid, "2026-03-20"); return err }, ""},
		{"on other weekdays", func(u *ent.User) error { _, err := w.assign(u, early, "2026-03-01", on(1, 2)); return err },
			func(u *ent.User) error { _, err := w.assign(u, mid, "2026-03-01", on(3, 4, 5)); return err }, ""},
		{"a year from now", func(u *ent.User) error { _, err := w.assign(u, early, "2027-03-01"); return err },
			func(u *ent.User) error { _, err := w.assign(u, mid, "2026-03-01"); return err }, "CONFLICT userId"},
	}
	for i, tt := range tests {
		u := w.User(t, fmt.Sprint("Person ", i))
		if err := tt.first(u); err != nil {
			t.Fatal(tt.name, err)
		}
		before := w.db().ShiftAssignment.Query().CountX(w.System())
		wantCode(t, tt.name, tt.then(u), tt.want)
		if after := w.db().ShiftAssignment.Query().CountX(w.System()); (after > before) != (tt.want == "") {
			t.Errorf("%s: %d assignments, then %d", tt.name, before, after)
		}
	}
	u := w.User(t, "One shift a day")
	one := func(s *ent.Shift) error {
		return w.with(setting.Values{"severalShifts": false}, func(ctx context.Context) error {
			_, err := w.AssignShift(ctx, model.AssignShiftInput{UserID: u.ID, ShiftID: s.ID, StartsOn: "2026-03-12"})
			return err
		})
	}
	wantCode(t, "A09 the first", one(early), "")
	wantCode(t, "A09 the second, with the setting off", one(noon), "CONFLICT userId")
}

// TestAssignmentsRefused tests the members of an assignment.
func TestAssignmentsRefused(t *testing.T) {
	w := newWorld(t)
	budi, s := w.User(t, "Budi"), w.shift(t, "day", "08:00", "17:00")
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	for name, tt := range map[string]struct {
		change func(*model.AssignShiftInput)
		want   string
	}{
		"nobody":            {func(in *model.AssignShiftInput) { in.UserID = 4711 }, "NOT_FOUND userId"},
		"no shift":          {func(in *model.AssignShiftInput) { in.ShiftID = 4711 }, "NOT_FOUND shiftId"},
		"ends before":       {func(in *model.AssignShiftInput) { in.EndsOn = input.Given(new("2026-03-10")) }, "VALIDATION_FAILED endsOn out_of_range"},
		"no weekday":        {func(in *model.AssignShiftInput) { in.Weekdays = input.Given([]int{}) }, "VALIDATION_FAILED weekdays required"},
		"an eighth weekday": {func(in *model.AssignShiftInput) { in.Weekdays = input.Given([]int{8}) }, "VALIDATION_FAILED weekdays not_one_of"},
		"nine weeks":        {func(in *model.AssignShiftInput) { in.EveryWeeks = number(9) }, "VALIDATION_FAILED everyWeeks out_of_range"},
		"every week":        {func(in *model.AssignShiftInput) { in.EveryWeeks = number(8) }, ""},
	} {
		_, err := w.assign(budi, s, "2026-03-11", tt.change)
		if got := apptest.Code(err); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Shift.UpdateOneID(s.ID).SetActive(false).Exec(ctx)
	})
	_, err := w.assign(budi, s, "2026-05-11")
	wantCode(t, "an archived shift", err, "CONFLICT shiftId")
	manager := w.User(t, "Manager", viewer.Manager)
	err = w.as(w.As(manager, viewer.Manager), func(ctx context.Context) error {
		_, err := w.AssignShift(ctx, model.AssignShiftInput{UserID: budi.ID, ShiftID: s.ID, StartsOn: "2026-03-11"})
		return err
	})
	wantCode(t, "a manager of others", err, "FORBIDDEN")
}

// TestParallelAssignments gives somebody overlapping shifts 20 times at once: one is
// accepted.
func TestParallelAssignments(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	a, b := w.shift(t, "08–12", "08:00", "12:00"), w.shift(t, "11–15", "11:00", "15:00")
	var group sync.WaitGroup
	codes := make([]string, 20)
	for i := range codes {
		group.Go(func() {
			_, err := w.assign(budi, []*ent.Shift{a, b}[i%2], "2026-03-12")
			codes[i] = apptest.Code(err)
		})
	}
	group.Wait()
	slices.Sort(codes)
	if codes[0] != "" || codes[1] != "CONFLICT userId" || codes[19] != "CONFLICT userId" {
		t.Errorf("answers %q", codes)
	}
	if n := w.db().ShiftAssignment.Query().CountX(w.System()); n != 1 {
		t.Errorf("%d assignments", n)
	}
}

// TestEditedShift edits a shift from a date on.
func TestEditedShift(t *testing.T) {
	w := newWorld(t)
	budi, s := w.User(t, "Budi"), w.shift(t, "day", "08:00", "17:00")
	if _, err := w.assign(budi, s, "2026-03-01"); err != nil {
		t.Fatal(err)
	}
	ids := w.db().EmployeeShift.Query().Order(ent.Asc(employeeshift.FieldDate)).IDsX(w.System())
	w.attend(t, budi, "2026-03-11")
	edit := func(from string, change func(*model.UpdateShiftInput)) error {
		in := model.UpdateShiftInput{}
		if from != "" {
			in.From = input.Given(&from)
		}
		change(&in)
		return w.do(func(ctx context.Context) error { return w.UpdateShift(ctx, s.ID, in) })
	}
	starts := func(at string) func(*model.UpdateShiftInput) {
		return func(in *model.UpdateShiftInput) { in.StartTime = input.Given(&at) }
	}
	wantCode(t, "yesterday", edit("2026-03-10", starts("09:00")), "VALIDATION_FAILED from out_of_range")
	wantCode(t, "from Friday", edit("2026-03-13", starts("09:00")), "")
	want(t, "from Friday", w.occurrences(budi, "2026-03-10", "2026-03-14"),
		"10 day 07:00-18:00, 11 day 07:00-18:00, 12 day 07:00-18:00, 13 day 08:00-18:00, 14 day 08:00-18:00")
	wantCode(t, "from today", edit("", starts("07:00")), "")
	want(t, "from today, but what is attended", w.occurrences(budi, "2026-03-10", "2026-03-14"),
		"10 day 07:00-18:00, 11 day 07:00-18:00, 12 day 06:00-18:00, 13 day 06:00-18:00, 14 day 06:00-18:00")
	if after := w.db().EmployeeShift.Query().Order(ent.Asc(employeeshift.FieldDate)).IDsX(w.System()); !slices.Equal(ids, after) {
		t.Error("occurrences have other ids")
	}
	wantCode(t, "its name", edit("", func(in *model.UpdateShiftInput) { in.Name = input.Given(new("Siang")) }), "")
	want(t, "renamed, but what is past or attended", w.occurrences(budi, "2026-03-10", "2026-03-12"),
		"10 day 07:00-18:00, 11 day 07:00-18:00, 12 Siang 06:00-18:00")
	versions, err := FormerVersions(w.As(w.admin, viewer.Admin), s)
	if err != nil || len(versions) != 1 || versions[0].StartTime != "08:00" || versions[0].AppliesFrom != "0001-01-01" {
		t.Errorf("former versions %v, %v", versions, err)
	}
	evening := w.shift(t, "evening", "17:00", "20:00")
	if _, err := w.assign(budi, evening, "2026-03-01"); err != nil {
		t.Fatal(err)
	}
	wantCode(t, "into another shift", edit("", func(in *model.UpdateShiftInput) { in.EndTime = input.Given(new("17:30")) }), "CONFLICT startTime")
	want(t, "as it was", w.occurrences(budi, "2026-03-12", "2026-03-12"), "12 Siang 06:00-17:00, 12 evening 17:00-21:00")
}

// TestDeletedShift deletes shifts that nothing uses.
func TestDeletedShift(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	used, rotated, planned, free := w.shift(t, "used", "08:00", "17:00"), w.shift(t, "rotated", "08:00", "17:00"), w.shift(t, "planned", "08:00", "17:00"), w.shift(t, "free", "08:00", "17:00")
	if _, err := w.assign(budi, used, "2026-03-01"); err != nil {
		t.Fatal(err)
	}
	err := w.do(func(ctx context.Context) error {
		_, err := w.CreateRotation(ctx, model.RotationInput{Name: "R", Days: []*int{&rotated.ID}})
		if err == nil {
			_, err = w.PlanDay(ctx, model.PlanDayInput{UserID: w.admin.ID, Date: "2026-03-12", ShiftIds: input.Given([]int{planned.ID})})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for s, code := range map[*ent.Shift]string{used: "CONFLICT", rotated: "CONFLICT", planned: "CONFLICT", free: ""} {
		wantCode(t, s.Name, w.do(func(ctx context.Context) error { return w.DeleteShift(ctx, s.ID) }), code)
	}
	wantCode(t, "again", w.do(func(ctx context.Context) error { return w.DeleteShift(ctx, free.ID) }), "ent: shift not found")
}
