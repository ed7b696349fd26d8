package attendance

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
)

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
			day, err := w.Work.Today(w.on(w.user, 1))
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
