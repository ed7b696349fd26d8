package worktime

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/holiday"
	entLeave "workforce/ent/leave"
	"workforce/internal/app/apptest"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/testdb"
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

// TestDaysOffAreWhatEntReads compares the statement of days off with the same questions asked through
// ent, for rows drawn at random of two companies and viewers of every role, on both databases.
func TestDaysOffAreWhatEntReads(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w, random := newWorld(t, apptest.On(t, url)), rand.New(rand.NewPCG(7, 8))
		users := []*ent.User{w.User(t, "Budi"), w.User(t, "Citra"), w.User(t, "Dewi")}
		w.drawDaysOff(t, random, users)
		p := timesheet.Period{From: "2026-03-09", To: "2026-03-12"}
		before, after := string(p.From.AddDays(-1)), string(p.To.AddDays(1))
		for _, role := range []string{viewer.Employee, viewer.Manager, viewer.Owner, ""} {
			ctx := w.As(users[0], role)
			got := NewDaysOff(p.From, nil)
			people := []int{users[0].ID, users[2].ID}
			if err := got.readDays(ctx, w.Company.ID, people, p); err != nil {
				t.Fatal(err)
			}
			want := NewDaysOff(p.From, nil)
			for _, h := range w.DB.Holiday.Query().Where(holiday.CompanyID(w.Company.ID), holiday.DateGTE(string(p.From)), holiday.DateLTE(string(p.To))).AllX(ctx) {
				want.Add(Holiday{Date: shift.Date(h.Date), Place: h.Place, Half: h.Half, Name: h.Name})
			}
			for _, a := range w.DB.Address.Query().Where(address.CompanyID(w.Company.ID), address.WeeklyOffsNotNil()).AllX(ctx) {
				want.offs[a.ID], want.local = a.WeeklyOffs, true
			}
			for _, l := range w.DB.Leave.Query().Where(entLeave.CompanyID(w.Company.ID), entLeave.UserIDIn(people...), entLeave.StateEQ(entLeave.StateApproved),
				entLeave.StartsOnLTE(after), entLeave.EndsOnGTE(before)).AllX(w.System()) {
				want.leave[l.UserID] = append(want.leave[l.UserID], NewLeave(l))
			}
			if g, w := described(got), described(want); g != w || len(want.leave) == 0 || len(want.holidays) == 0 {
				t.Errorf("role %q:\ngot  %s\nwant %s", role, g, w)
			}
		}
	})
}

// drawDaysOff adds holidays, weekly offs and leave at random, also of another company.
func (w *world) drawDaysOff(t *testing.T, random *rand.Rand, users []*ent.User) {
	t.Helper()
	one := func(n int) bool { return random.IntN(n) == 0 }
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		other := db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetLocale("id").SetCreatedAt(apptest.Now).SaveX(ctx)
		db.Address.Create().SetCompanyID(other.ID).SetName("Far").SetAddress("").SetLatitude(1).SetLongitude(1).SetWeeklyOffs([]int{1}).ExecX(ctx)
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Cuti").SaveX(ctx).ID
		for d := shift.Date("2026-03-06"); d < "2026-03-16"; d = d.AddDays(1) {
			db.Holiday.Create().SetCompanyID(other.ID).SetName("Far").SetDate(string(d)).ExecX(ctx)
			if !one(3) {
				h := db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate(string(d)).SetHalf(one(2))
				if one(2) {
					h.SetAddressID(w.sites[random.IntN(2)])
				}
				h.ExecX(ctx)
			}
			for _, u := range users {
				if one(2) {
					continue
				}
				to := d.AddDays(random.IntN(3))
				l := db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetLeaveTypeID(kind).SetStartsOn(string(d)).SetEndsOn(string(to)).
					SetDates([]string{string(d), string(to)}).SetReason("x").SetState([]entLeave.State{"approved", "approved", "pending"}[random.IntN(3)]).
					SetWorkFromHome(one(3)).SetExpiresAt(w.Now()).SetCreatedAt(w.Now())
				if one(3) {
					l.SetFromTime("08:00").SetToTime("09:00")
				} else {
					l.SetHalf(one(2))
				}
				l.ExecX(ctx)
			}
		}
		return nil
	})
}

// described returns days off as text, in an order of its own.
func described(o *DaysOff) string {
	var lines []string
	for d, list := range o.holidays {
		for _, h := range list {
			lines = append(lines, fmt.Sprint("holiday ", d, h))
		}
	}
	for site, days := range o.offs {
		lines = append(lines, fmt.Sprint("offs ", site, days))
	}
	for user, list := range o.leave {
		for _, l := range list {
			lines = append(lines, fmt.Sprintf("leave %d %+v", user, l))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestSitesAreWhatEntReads compares the statement of where people worked last with the same questions
// asked through ent, on both databases.
func TestSitesAreWhatEntReads(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w, random := newWorld(t, apptest.On(t, url)), rand.New(rand.NewPCG(5, 6))
		o, people, want := NewDaysOff("2026-03-10", nil), []int{}, map[int]int{}
		for i := range 12 {
			u := w.User(t, fmt.Sprint("Person ", i))
			people = append(people, u.ID)
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				unit := db.Business.Create().SetCompanyID(w.Company.ID).SetName(u.Name).SaveX(ctx).ID
				for n := range random.IntN(3) {
					db.Address.Create().SetCompanyID(w.Company.ID).SetName(fmt.Sprint(u.Name, " office ", n)).SetAddress("").SetLatitude(1).SetLongitude(1).
						SetBusinessID(unit).SetActive(random.IntN(3) > 0).ExecX(ctx)
				}
				return db.User.UpdateOneID(u.ID).SetBusinessID(unit).Exec(ctx)
			})
			for _, d := range []shift.Date{"2026-03-08", "2026-03-09", "2026-03-10"}[random.IntN(4)%3:] {
				if random.IntN(3) > 0 {
					o := w.plan(t, u, "Asia/Jakarta", "08:00", "17:00", d, nil)
					w.attend(t, o, w.sites[random.IntN(2)], o.StartAt, o.StartAt.Add(time.Hour), false)
					w.attend(t, o, w.sites[random.IntN(2)], o.StartAt.Add(2*time.Hour), o.EndAt, false)
				}
			}
			unit := *w.DB.User.GetX(w.System(), u.ID).BusinessID
			sites := w.DB.Address.Query().Where(address.BusinessID(unit), address.Active(true)).IDsX(w.System())
			last, err := w.DB.Attendance.Query().Where(entAttendance.UserID(u.ID), entAttendance.WorkDateLT("2026-03-10")).
				Order(ent.Desc(entAttendance.FieldWorkDate, entAttendance.FieldID)).First(w.System())
			switch {
			case err == nil:
				want[u.ID] = last.AddressID
			case len(sites) == 1:
				want[u.ID] = sites[0]
			default:
				want[u.ID] = 0
			}
		}
		if err := o.readSites(w.System(), w.Company.ID, people); err != nil || !maps.Equal(o.sites, want) {
			t.Errorf("sites %v %v, want %v", o.sites, err, want)
		}
	})
}
