package worktime

import (
	"context"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// TestDaysOff reads holidays and weekly offs of a company with two addresses.
func TestDaysOff(t *testing.T) {
	w := apptest.New(t)
	u := w.User(t, "Budi")
	var north, south int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		site := func(name string) *ent.AddressCreate {
			return db.Address.Create().SetCompanyID(w.Company.ID).SetName(name).SetAddress("").SetLatitude(1).SetLongitude(1)
		}
		north, south = site("North").SetWeeklyOffs([]int{5}).SaveX(ctx).ID, site("South").SaveX(ctx).ID
		holiday := func(date string) *ent.HolidayCreate {
			return db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate(date)
		}
		holiday("2026-03-10").ExecX(ctx)
		holiday("2026-03-11").SetAddressID(south).ExecX(ctx)
		holiday("2026-03-12").ExecX(ctx)
		holiday("2026-03-12").SetAddressID(south).SetHalf(true).SetName("Pagi").ExecX(ctx)
		holiday("2026-03-20").ExecX(ctx)
		return nil
	})
	ctx := w.As(u, viewer.Employee)
	viewer.From(ctx).Settings = setting.Values{"weeklyOffs": []int{6, 7}}
	off, err := ReadDaysOff(ctx, Company{w.Company.ID, viewer.From(ctx).Settings}, []int{u.ID}, timesheet.Period{From: "2026-03-09", To: "2026-03-15"})
	if err != nil || off.Site(u.ID) != 0 || !off.Local() {
		t.Fatal(err, off)
	}
	whole, half, weekly := timesheet.Off{Holiday: timesheet.Whole}, timesheet.Off{Holiday: timesheet.Half}, timesheet.Off{WeeklyOff: true}
	tests := []struct {
		date shift.Date
		site int
		want timesheet.Off
	}{
		{"2026-03-09", 0, timesheet.Off{}},
		{"2026-03-10", 0, whole},
		{"2026-03-10", south, whole},
		{"2026-03-11", 0, timesheet.Off{}},
		{"2026-03-11", south, whole},
		{"2026-03-11", north, timesheet.Off{}},
		{"2026-03-12", north, whole},
		{"2026-03-12", south, half},            // the address's counts first
		{"2026-03-13", north, weekly},          // its own weekly off
		{"2026-03-14", north, timesheet.Off{}}, // in place of the company's
		{"2026-03-14", south, weekly},
		{"2026-03-20", 0, timesheet.Off{}}, // not of the period
		{"2026-03-08", 0, weekly},          // before it
	}
	for range 2 { // again, of what is known
		for _, tt := range tests {
			if got := off.On(tt.date, tt.site); got.Holiday != tt.want.Holiday || got.WeeklyOff != tt.want.WeeklyOff {
				t.Errorf("%s at %d: %+v, want %+v", tt.date, tt.site, got, tt.want)
			}
		}
	}
}

// TestHoursBeside reads hours of leave that lie in shifts over midnight.
func TestHoursBeside(t *testing.T) {
	w := apptest.New(t)
	u := w.User(t, "Budi")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Izin").SetUnit("hour").SaveX(ctx).ID
		for date, hours := range map[string][2]string{"2026-03-09": {"23:00", "01:00"}, "2026-03-10": {"08:00", "09:00"}, "2026-03-11": {"02:00", "04:00"}} {
			db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetLeaveTypeID(kind).SetStartsOn(date).SetEndsOn(date).SetDates([]string{date}).
				SetFromTime(hours[0]).SetToTime(hours[1]).SetReason("Izin").SetState("approved").SetExpiresAt(w.Now()).SetCreatedAt(w.Now()).ExecX(ctx)
		}
		return nil
	})
	const date = "2026-03-10"
	off, err := ReadDaysOff(w.As(u, viewer.Employee), Company{ID: w.Company.ID}, []int{u.ID}, timesheet.Period{From: date, To: date})
	if err != nil {
		t.Fatal(err)
	}
	var got time.Duration
	day := off.For(u.ID, date, 0, time.UTC)
	for _, i := range day.LeaveTimes {
		got += i.End.Sub(i.Start)
	}
	if len(day.LeaveTimes) != 3 || got != 5*time.Hour {
		t.Errorf("got %v", day.LeaveTimes)
	}
}

// TestManyHolidays asks for a year at 400 addresses, each of which has 50 holidays of its
// own. Going through all of them for each date would be 3 * 10^9 steps.
func TestManyHolidays(t *testing.T) {
	const sites, days = 400, 366
	off, start := NewDaysOff("2026-01-01", nil), time.Now()
	for site := 1; site <= sites; site++ {
		for i := range 50 {
			off.Add(Holiday{Date: off.first.AddDays((site + 7*i) % days), Place: site})
		}
	}
	for site := 1; site <= sites; site++ {
		free := 0
		for i := range days {
			if off.On(off.first.AddDays(i), site).Holiday == timesheet.Whole {
				free++
			}
		}
		if free != 50 {
			t.Fatalf("%d free days at address %d", free, site)
		}
	}
	if took := time.Since(start); took > 5*time.Second { // it is well below one
		t.Errorf("took %v", took)
	}
}
