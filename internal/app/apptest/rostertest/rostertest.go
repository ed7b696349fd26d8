// Package rostertest gives the tests of shifts a company with a roster.
package rostertest

import (
	"context"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	entJob "workforce/ent/job"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/input"
	"workforce/internal/app/roster"
	"workforce/internal/app/tx"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A World is a company with a roster; it is Wednesday, 2026-03-11, 10:00 in Jakarta.
type World struct {
	*apptest.World
	*servicetest.Services
	Roster *roster.Service
	Admin  *ent.User
}

// New returns a world without shifts.
func New(t testing.TB) *World {
	t.Helper()
	return Of(t, apptest.New(t))
}

// Of returns a roster without shifts of the company of a world.
func Of(t testing.TB, of *apptest.World) *World {
	t.Helper()
	w := &World{World: of, Services: servicetest.New(t, of)}
	w.Roster = &roster.Service{Plans: w.Plans, Managers: w.Organization.Managers}
	w.Plans.Jobs.Add(w.Roster.Expiring())
	w.Admin = w.User(t, "Admin", viewer.Admin)
	return w
}

// Client is the client outside of a transaction.
func (w *World) Client() *ent.Client { return w.DB }

// SetTime sets the clock to a time in Jakarta.
func (w *World) SetTime(t testing.TB, text string) {
	t.Helper()
	now, err := time.ParseInLocation("2006-01-02 15:04", text, shift.ZoneNamed("Asia/Jakarta"))
	if err != nil {
		t.Fatal(err)
	}
	w.Set(now.UTC())
}

// Do runs a step as an administrator in a transaction.
func (w *World) Do(step func(ctx context.Context) error) error {
	return w.Transact(w.As(w.Admin, viewer.Admin), step)
}

// Transact runs a step in a transaction.
func (w *World) Transact(ctx context.Context, step func(ctx context.Context) error) error {
	return tx.Run(ctx, w.Client(), step)
}

// With is Do by a viewer with other settings of the company.
func (w *World) With(settings setting.Values, step func(ctx context.Context) error) error {
	ctx := w.As(w.Admin, viewer.Admin)
	viewer.From(ctx).Settings = settings
	return w.Transact(ctx, step)
}

// Shift adds a shift with margins of an hour.
func (w *World) Shift(t testing.TB, name, start, end string, change ...func(*model.CreateShiftInput)) *ent.Shift {
	t.Helper()
	in := model.CreateShiftInput{Name: name, StartTime: start, EndTime: end}
	for _, c := range change {
		c(&in)
	}
	var made *ent.Shift
	err := w.Do(func(ctx context.Context) (err error) {
		made, err = w.Roster.CreateShift(ctx, in)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return w.Client().Shift.GetX(w.System(), made.ID)
}

// Assign gives a person a shift every day from a date on; change may say otherwise.
func (w *World) Assign(u *ent.User, s *ent.Shift, from string, change ...func(*model.AssignShiftInput)) (id int, err error) {
	in := model.AssignShiftInput{UserID: u.ID, ShiftID: s.ID, StartsOn: from}
	for _, c := range change {
		c(&in)
	}
	err = w.Do(func(ctx context.Context) error {
		id, err = w.Roster.AssignShift(ctx, in)
		return err
	})
	return id, err
}

// AssignYesterday gives people shifts a day ago, so that the occurrences of yesterday were
// made.
func (w *World) AssignYesterday(t testing.TB, shifts map[*ent.User]*ent.Shift) {
	t.Helper()
	w.SetTime(t, "2026-03-10 06:00")
	for u, s := range shifts {
		if _, err := w.Assign(u, s, "2026-03-01"); err != nil {
			t.Fatal(err)
		}
	}
	w.SetTime(t, "2026-03-11 10:00")
}

// Until ends an assignment.
func Until(date string) func(*model.AssignShiftInput) {
	return func(in *model.AssignShiftInput) { in.EndsOn = input.Given(&date) }
}

// On says on which weekdays it is.
func On(weekdays ...int) func(*model.AssignShiftInput) {
	return func(in *model.AssignShiftInput) { in.Weekdays = input.Given(weekdays) }
}

// Occurrences lists a person's occurrences from a date until another, each as its date,
// name and window.
func (w *World) Occurrences(u *ent.User, first, last string) string {
	rows := w.Client().EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.DateGTE(first), employeeshift.DateLTE(last)).
		Order(ent.Asc(employeeshift.FieldStartAt)).AllX(w.System())
	var list []string
	for _, o := range rows {
		zone := shift.ZoneNamed(o.Timezone)
		list = append(list, o.Date[8:]+" "+o.Name+" "+o.ClockInFrom.In(zone).Format("15:04")+o.ClockInUntil.In(zone).Format("-15:04"))
	}
	return strings.Join(list, ", ")
}

// Attend adds an attendance for an occurrence.
func (w *World) Attend(t testing.TB, u *ent.User, date string) {
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
		local, offset := shift.Wall(o.StartAt, shift.ZoneNamed(o.Timezone))
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

// Correct adds a request for the attendance that an occurrence lacks.
func (w *World) Correct(t testing.TB, u *ent.User, date string) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		o, err := db.EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.Date(date)).Only(ctx)
		if err != nil {
			return err
		}
		return db.Correction.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetAdds(true).SetReason("forgotten").
			SetClockInAt(o.StartAt).SetClockOutAt(o.EndAt).SetCoversFrom(o.StartAt).SetCoversUntil(o.EndAt).SetCreatedAt(w.Now()).SetExpiresAt(w.Now()).Exec(ctx)
	})
}

// WantCode compares the code of an error, as apptest.Code gives it.
func WantCode(t *testing.T, about string, err error, want string) {
	t.Helper()
	if got := apptest.Code(err); got != want {
		t.Errorf("%s: got %q, want %q", about, got, want)
	}
}

// Want compares texts.
func Want(t *testing.T, about, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\ngot  %s\nwant %s", about, got, want)
	}
}

// RunJobs runs the queued jobs of a kind.
func (w *World) RunJobs(t testing.TB, kind string) {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.Plans.Jobs.Run(ctx)
	}()
	for range 2000 {
		left := w.Client().Job.Query().Where(entJob.Kind(kind), entJob.StateIn(entJob.StateQueued, entJob.StateRunning)).CountX(w.System())
		if left == 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	end()
	<-done
}

// Business adds a business below another one, where parent is not nil.
func (w *World) Business(t testing.TB, name string, parent *ent.Business, people ...*ent.User) (b *ent.Business) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		create := db.Business.Create().SetCompanyID(w.Company.ID).SetName(name)
		if parent != nil {
			create.SetParentID(parent.ID)
		}
		if b, err = create.Save(ctx); err != nil {
			return err
		}
		for _, u := range people {
			if err := db.User.UpdateOne(u).SetBusinessID(b.ID).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return b.Unwrap()
}
