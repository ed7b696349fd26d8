package attendance

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

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
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.attend(t, w.occurrence(t, w.assignment, "2026-03-10"), "2026-03-10 08:00", "2026-03-10 17:00", nil)
			other := w.addSite(t, func(a *ent.AddressCreate) { a.SetName("Utara") })
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				if !tt.planned {
					db.EmployeeShift.DeleteOneID(w.today.ID).ExecX(ctx)
					db.ShiftAssignment.UpdateOne(w.assignment).SetEndsOn("2026-03-10").ExecX(ctx)
				}
				if tt.siteOff != nil {
					db.Address.UpdateOneID(w.site.ID).SetWeeklyOffs(tt.siteOff).ExecX(ctx)
				}
				if tt.holiday == nil {
					return nil
				}
				h := db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate("2026-03-11")
				tt.holiday(h, w.site.ID, other.ID)
				return h.Exec(ctx)
			})
			ctx := w.on(w.user, 1)
			if tt.offs != nil {
				viewer.From(ctx).Settings = setting.Values{"weeklyOffs": tt.offs}
			}
			if got, err := w.Today(ctx); err != nil || got.Status != tt.want {
				t.Errorf("status %v %v, want %s", got, err, tt.want)
			}
		})
	}
}

// TestOffBeforeAttendance reads the status of a Wednesday of somebody who has not worked
// yet: by the one address of their business, else by the company's days.
func TestOffBeforeAttendance(t *testing.T) {
	w := newWorld(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.EmployeeShift.DeleteOneID(w.today.ID).ExecX(ctx)
		db.ShiftAssignment.UpdateOne(w.assignment).SetEndsOn("2026-03-10").ExecX(ctx)
		unit := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Unit").SaveX(ctx)
		return db.User.UpdateOne(w.user).SetBusinessID(unit.ID).Exec(ctx)
	})
	unit := *w.DB.User.GetX(w.System(), w.user.ID).BusinessID
	other := w.addSite(t, func(a *ent.AddressCreate) { a.SetName("Utara").SetWeeklyOffs([]int{3}) })
	status := func(name string, want model.DayStatus, change func(ctx context.Context, db *ent.Client)) {
		t.Helper()
		w.Change(t, func(ctx context.Context, db *ent.Client) error { change(ctx, db); return nil })
		if got, err := w.Today(w.on(w.user, 1)); err != nil || got.Status != want {
			t.Errorf("%s: %v %v, want %s", name, got, err, want)
		}
	}
	status("an address of no business", "none", func(context.Context, *ent.Client) {})
	status("one of the business", "weekly_off", func(ctx context.Context, db *ent.Client) { db.Address.UpdateOne(other).SetBusinessID(unit).ExecX(ctx) })
	status("two of the business", "none", func(ctx context.Context, db *ent.Client) { db.Address.UpdateOne(w.site).SetBusinessID(unit).ExecX(ctx) })
	status("one is archived", "weekly_off", func(ctx context.Context, db *ent.Client) { db.Address.UpdateOne(w.site).SetActive(false).ExecX(ctx) })
	status("its holiday", "holiday", func(ctx context.Context, db *ent.Client) {
		db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate("2026-03-11").SetAddressID(other.ID).ExecX(ctx)
	})
}

// TestWorkedHolidays clocks in and out on holidays, by a shift that is half a day below
// four hours (rules SH-21, SH-22).
func TestWorkedHolidays(t *testing.T) {
	whole := func(h *ent.HolidayCreate, _, _ int) { h.SetHalf(false) }
	tests := []struct {
		name    string
		holiday func(h *ent.HolidayCreate, site, other int)
		out     string
		want    string // status, late and early seconds, flags and review of the clock-in
	}{
		{"no holiday", nil, "11:59", "half_day 7200 18060 [] none"},
		{"a holiday", whole, "10:01", "present 0 0 [holiday] none"},
		{"of the site", func(h *ent.HolidayCreate, site, _ int) { h.SetAddressID(site) }, "10:01", "present 0 0 [holiday] none"},
		{"of another site", func(h *ent.HolidayCreate, _, other int) { h.SetAddressID(other) }, "11:59", "half_day 7200 18060 [] none"},
		{"of another date", func(h *ent.HolidayCreate, _, _ int) { h.SetDate("2026-03-12") }, "11:59", "half_day 7200 18060 [] none"},
		{"half a holiday", func(h *ent.HolidayCreate, _, _ int) { h.SetHalf(true) }, "12:00", "present"},
		{"half a holiday, too few hours", func(h *ent.HolidayCreate, _, _ int) { h.SetHalf(true) }, "11:59", "half_day"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			other := w.addSite(t, func(a *ent.AddressCreate) { a.SetName("Utara") })
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				db.EmployeeShift.UpdateOneID(w.today.ID).SetHalfDayBelowMinutes(240).SetLateGraceMinutes(0).SetEarlyGraceMinutes(0).ExecX(ctx)
				if tt.holiday == nil {
					return nil
				}
				h := db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate("2026-03-11")
				tt.holiday(h, w.site.ID, other.ID)
				return h.Exec(ctx)
			})
			if _, err := w.clockIn(); err != nil {
				t.Fatal(err)
			}
			w.Set(jakarta(tt.out))
			if err := w.clockOut(); err != nil {
				t.Fatal(err)
			}
			day, err := w.Today(w.on(w.user, 1))
			if err != nil {
				t.Fatal(err)
			}
			a := w.attendances(w.user)[0]
			got := fmt.Sprint(day.Status, " ", day.LateSeconds, " ", day.EarlySeconds, " ", a.ClockedInFlags, " ", a.ClockedInReview)
			if !strings.HasPrefix(got, tt.want) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
