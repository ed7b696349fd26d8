package worktime

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
	"workforce/internal/database"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// service returns a service whose occurrences are made.
func (w *world) service() *Service {
	jobs := job.New()
	jobs.DB, jobs.Now = w.DB, w.Now
	return &Service{Now: w.Now, Plans: &scheduling.Planner{DB: w.DB, Now: w.Now, Jobs: jobs}}
}

// planned says that the occurrences of a user have been made.
func (w *world) planned(t *testing.T, u *ent.User) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.ClockState.Update().Where(clockstate.UserID(u.ID)).SetPlannedUntil("2026-12-31").Exec(ctx)
	})
}

// TestOffStatus reads the status of a Wednesday on which nobody has worked.
func TestOffStatus(t *testing.T) {
	tests := []struct {
		name    string
		planned bool
		offs    []int // the company's
		siteOff []int // of where the person worked last
		holiday func(h *ent.HolidayCreate, site, other int)
		want    model.DayStatus
	}{
		{"nothing", false, nil, nil, nil, "none"},
		{"a weekly off", false, []int{3}, nil, nil, "weekly_off"},
		{"a weekly off with a shift", true, []int{3}, nil, nil, "none"},
		{"another day's weekly off", false, []int{4}, nil, nil, "none"},
		{"the address's weekly off", false, []int{4}, []int{3}, nil, "weekly_off"},
		{"not at the address", false, []int{3}, []int{4}, nil, "none"},
		{"a holiday", true, nil, nil, func(*ent.HolidayCreate, int, int) {}, "holiday"},
		{"half", false, nil, nil, func(h *ent.HolidayCreate, _, _ int) { h.SetHalf(true) }, "none"},
		{"another date", false, nil, nil, func(h *ent.HolidayCreate, _, _ int) { h.SetDate("2026-03-12") }, "none"},
		{"of the address", false, nil, nil, func(h *ent.HolidayCreate, site, _ int) { h.SetAddressID(site) }, "holiday"},
		{"of another address", false, nil, nil, func(h *ent.HolidayCreate, _, other int) { h.SetAddressID(other) }, "none"},
	}
	for _, tt := range tests {
		for _, last := range []string{"2026-03-10", "2026-03-02"} { // in the roster window, and before it
			t.Run(tt.name+", worked on "+last, func(t *testing.T) {
				w := newWorld(t, apptest.New(t))
				u := w.User(t, "Budi")
				w.planned(t, u)
				worked := w.plan(t, u, "Asia/Jakarta", "08:00", "17:00", shift.Date(last), nil)
				w.attend(t, worked, w.sites[0], worked.StartAt, worked.EndAt, false)
				if tt.planned {
					w.plan(t, u, "Asia/Jakarta", "08:00", "17:00", "2026-03-11", nil)
				}
				w.Change(t, func(ctx context.Context, db *ent.Client) error {
					if tt.siteOff != nil {
						db.Address.UpdateOneID(w.sites[0]).SetWeeklyOffs(tt.siteOff).ExecX(ctx)
					}
					if tt.holiday == nil {
						return nil
					}
					h := db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate("2026-03-11")
					tt.holiday(h, w.sites[0], w.sites[1])
					return h.Exec(ctx)
				})
				ctx := w.As(u, viewer.Employee)
				if tt.offs != nil {
					viewer.From(ctx).Settings = setting.Values{"weeklyOffs": tt.offs}
				}
				if got, err := w.service().Today(ctx); err != nil || got.Status != tt.want {
					t.Errorf("status %v %v, want %s", got, err, tt.want)
				}
			})
		}
	}
}

// TestOffBeforeAttendance reads the status of a Wednesday of somebody who has not worked yet: by
// the one address of their business, else by the company's days.
func TestOffBeforeAttendance(t *testing.T) {
	w := newWorld(t, apptest.New(t))
	u, unit := w.User(t, "Budi"), 0
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		unit = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Unit").SaveX(ctx).ID
		db.Address.UpdateOneID(w.sites[1]).SetWeeklyOffs([]int{3}).ExecX(ctx)
		return db.User.UpdateOneID(u.ID).SetBusinessID(unit).Exec(ctx)
	})
	status := func(name string, want model.DayStatus, change func(ctx context.Context, db *ent.Client)) {
		t.Helper()
		w.Change(t, func(ctx context.Context, db *ent.Client) error { change(ctx, db); return nil })
		if got, err := w.service().Today(w.As(u, viewer.Employee)); err != nil || got.Status != want {
			t.Errorf("%s: %v %v, want %s", name, got, err, want)
		}
	}
	status("an address of no business", "none", func(context.Context, *ent.Client) {})
	status("one of the business", "weekly_off", func(ctx context.Context, db *ent.Client) {
		db.Address.UpdateOneID(w.sites[1]).SetBusinessID(unit).ExecX(ctx)
	})
	status("two of the business", "none", func(ctx context.Context, db *ent.Client) {
		db.Address.UpdateOneID(w.sites[0]).SetBusinessID(unit).ExecX(ctx)
	})
	status("one is archived", "weekly_off", func(ctx context.Context, db *ent.Client) {
		db.Address.UpdateOneID(w.sites[0]).SetActive(false).ExecX(ctx)
	})
	status("its holiday", "holiday", func(ctx context.Context, db *ent.Client) {
		db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate("2026-03-11").SetAddressID(w.sites[1]).ExecX(ctx)
	})
}

// TestStatementsOfToday counts the statements of a day with everything on it: one more if an address has
// days off of its own.
func TestStatementsOfToday(t *testing.T) {
	w := newWorld(t, apptest.New(t))
	u := w.User(t, "Budi")
	w.planned(t, u)
	o := w.plan(t, u, "Asia/Jakarta", "08:00", "17:00", "2026-03-11", func(c *ent.EmployeeShiftCreate) { c.SetEvaluatedAt(w.Now()) })
	w.attend(t, o, w.sites[1], o.StartAt, o.StartAt.Add(time.Hour), false)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.Address.Update().ClearWeeklyOffs().ExecX(ctx)
		db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate("2026-03-11").ExecX(ctx)
		return db.ShiftResult.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetStatus("present").
			SetEvaluatedAt(w.Now()).Exec(ctx)
	})
	ctx, s := w.As(u, viewer.Employee), w.service()
	var n atomic.Int32
	got, err := s.Today(database.CountStatements(ctx, &n))
	if err != nil || len(got.Entries) != 1 || n.Load() != 2 {
		t.Errorf("%d statements, %+v %v; want 2", n.Load(), got, err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Address.UpdateOneID(w.sites[1]).SetWeeklyOffs([]int{3}).Exec(ctx)
	})
	n.Store(0)
	if _, err := s.Today(database.CountStatements(ctx, &n)); err != nil || n.Load() != 3 {
		t.Errorf("%d statements, %v; want 3", n.Load(), err)
	}
	n.Store(0)
	if ids, err := s.OccurrencesToday(database.CountStatements(ctx, &n)); err != nil || fmt.Sprint(ids) != fmt.Sprint([]int{o.ID}) || n.Load() != 1 {
		t.Errorf("%d statements, occurrences %v %v; want 1", n.Load(), ids, err)
	}
}
