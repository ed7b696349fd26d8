package worktime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftresult"
	"workforce/internal/app/apptest"
	"workforce/internal/app/scheduling"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/timesheet"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// A world is a company with two sites, one of which has its Fridays off.
type world struct {
	*apptest.World
	sites  [2]int
	shifts map[string]*ent.Shift
}

func newWorld(t *testing.T, of *apptest.World) *world {
	t.Helper()
	w := &world{World: of, shifts: map[string]*ent.Shift{}}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i := range w.sites {
			c := db.Address.Create().SetCompanyID(w.Company.ID).SetName(fmt.Sprint("Site ", i)).SetAddress("").SetLatitude(1).SetLongitude(1)
			if i == 1 {
				c.SetWeeklyOffs([]int{5})
			}
			w.sites[i] = c.SaveX(ctx).ID
		}
		return nil
	})
	return w
}

// plan adds the occurrence of a shift from start to end.
func (w *world) plan(t *testing.T, u *ent.User, zone string, start, end shift.Clock, d shift.Date, change func(*ent.EmployeeShiftCreate)) (o *ent.EmployeeShift) {
	t.Helper()
	name := string(start + "-" + end)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if w.shifts[name] == nil {
			w.shifts[name] = db.Shift.Create().SetCompanyID(w.Company.ID).SetName(name).SetStartTime(string(start)).SetEndTime(string(end)).SaveX(ctx).Unwrap()
		}
		at := scheduling.Present(w.shifts[name]).Time(shift.ZoneNamed(zone)).On(d)
		c := db.EmployeeShift.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetShiftID(w.shifts[name].ID).SetShiftVersion(1).
			SetOrigin(employeeshift.OriginPlannedDay).SetName(name).SetDate(string(d)).SetTimezone(zone).SetStartAt(at.StartAt.UTC()).SetEndAt(at.EndAt.UTC()).
			SetClockInFrom(at.ClockInFrom.UTC()).SetClockInUntil(at.ClockInUntil.UTC()).SetBreakSeconds(0)
		if change != nil {
			change(c)
		}
		o = c.SaveX(ctx)
		return nil
	})
	return o.Unwrap()
}

// attend adds an attendance; a zero out is an open one.
func (w *world) attend(t *testing.T, o *ent.EmployeeShift, site int, in, out time.Time, unconfirmed bool) {
	t.Helper()
	local, offset := shift.Wall(in, shift.ZoneNamed(o.Timezone))
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		c := db.Attendance.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetEmployeeShiftID(o.ID).SetAddressID(site).
			SetWorkDate(o.Date).SetClockedInAt(in.UTC()).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone(o.Timezone).
			SetClockedInReceivedAt(in.UTC()).SetClockedInLatitude(1).SetClockedInLongitude(1).SetClockedInSource("app").SetClockedInGeofence("inside").
			SetNeedsConfirmation(unconfirmed)
		if out.IsZero() {
			return c.Exec(ctx)
		}
		a := c.SaveX(ctx)
		return a.Update().ClearOpenMarker().SetClockedOutAt(out.UTC()).SetClockedOutReceivedAt(out.UTC()).SetClockedOutSource("app").Exec(ctx)
	})
}

// read reads the works of people in a period.
func (w *world) read(t *testing.T, from, to shift.Date, users ...*ent.User) []*Person {
	t.Helper()
	var people []*Person
	err := w.Try(w.System(), func(ctx context.Context, db *ent.Client) (err error) {
		employees := make([]Employee, len(users))
		for i, u := range users {
			employees[i] = NewEmployee(db.User.GetX(ctx, u.ID))
		}
		people, err = ReadPeople(ctx, Company{ID: w.Company.ID, Settings: w.Company.Settings}, employees, timesheet.Period{From: from, To: to})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return people
}

// TestReadPeople reads what ent reads an entity at a time, of works drawn at random, on both
// databases.
func TestReadPeople(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) { testReadPeople(t, newWorld(t, apptest.On(t, url))) })
}

func testReadPeople(t *testing.T, w *world) {
	r := rand.New(rand.NewPCG(1, 2))
	one := func(n int) bool { return r.IntN(n) == 0 }
	users := []*ent.User{w.User(t, "Budi"), w.User(t, "Citra"), w.User(t, "Dewi")}
	zones, first := []string{"Asia/Jakarta", "America/New_York", "Australia/Lord_Howe"}, shift.Date("2026-03-01")
	for _, u := range users {
		for day := range 12 {
			zone := zones[r.IntN(len(zones))]
			start, end := shift.Clock("08:00"), shift.Clock("17:00")
			if one(3) {
				start, end = "22:00", "06:00"
			}
			o := w.plan(t, u, zone, start, end, first.AddDays(day), func(c *ent.EmployeeShiftCreate) {
				if one(2) {
					c.SetBreaks([]string{string(start[:2]) + ":30-" + string(start[:2]) + ":45", "23:50-00:10"})
				}
				if one(2) {
					c.SetLateGraceMinutes(r.IntN(20)).SetEarlyGraceMinutes(r.IntN(20))
				}
				if one(4) {
					c.SetOrigin(employeeshift.OriginFallback)
				}
				c.SetHalfDayBelowMinutes(240 * r.IntN(2)).SetAbsentBelowMinutes(60 * r.IntN(2)).SetBreakMinutes(r.IntN(2) * 30).SetBreakAfterMinutes(r.IntN(2) * 300)
			})
			for _, hour := range r.Perm(6)[:r.IntN(4)] {
				in := o.StartAt.Add(time.Duration(hour) * time.Hour)
				w.attend(t, o, w.sites[r.IntN(2)], in, in.Add(time.Duration(1+r.IntN(60))*time.Minute), one(4))
			}
			if one(2) {
				w.Change(t, func(ctx context.Context, db *ent.Client) error {
					db.ShiftResult.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetStatus("half_day").
						SetLateSeconds(r.IntN(100)).SetEarlySeconds(r.IntN(100)).SetExpectedSeconds(r.IntN(100)).SetOff(one(2)).SetEvaluatedAt(w.Now()).ExecX(ctx)
					if one(3) { // outdated
						return nil
					}
					return db.EmployeeShift.UpdateOneID(o.ID).SetEvaluatedAt(w.Now()).Exec(ctx)
				})
			}
		}
	}
	open := w.plan(t, users[0], "Asia/Jakarta", "08:00", "17:00", first.AddDays(13), nil)
	w.attend(t, open, w.sites[1], open.StartAt, time.Time{}, false)
	from, to := first.AddDays(2), first.AddDays(13)
	for _, p := range w.read(t, from, to, users...) {
		list := w.DB.EmployeeShift.Query().Where(employeeshift.UserID(p.ID), employeeshift.DateGTE(string(from)), employeeshift.DateLTE(string(to))).
			Order(ent.Asc(employeeshift.FieldStartAt, employeeshift.FieldID)).AllX(w.System())
		if len(p.Works) != len(list) {
			t.Fatalf("%d works of %s, want %d", len(p.Works), p.Name, len(list))
		}
		for i, o := range list {
			entries := w.DB.Attendance.Query().Where(entAttendance.EmployeeShiftID(o.ID)).Order(ent.Asc(entAttendance.FieldClockedInAt)).AllX(w.System())
			want := Work{ID: o.ID, fallback: o.Origin == employeeshift.OriginFallback}
			want.Occurrence, want.Entries = occurrenceOf(o), entriesOf(entries)
			if len(entries) > 0 {
				want.site = entries[0].AddressID
			}
			stored := w.DB.ShiftResult.Query().Where(shiftresult.EmployeeShiftID(o.ID)).AllX(w.System())
			if len(stored) > 0 && o.EvaluatedAt != nil {
				want.Stored = assessmentOf(stored[0])
			}
			if got, want := fmt.Sprintf("%+v", plain(p.Works[i])), fmt.Sprintf("%+v", plain(want)); got != want {
				t.Errorf("%s on %s:\ngot  %s\nwant %s", p.Name, o.Date, got, want)
			}
		}
	}
}

// occurrenceOf returns what an occurrence of ent expects, with the breaks of its shift.
func occurrenceOf(o *ent.EmployeeShift) timesheet.Occurrence {
	zone := shift.ZoneNamed(o.Timezone)
	clock := func(t time.Time) shift.Clock { return shift.Clock(t.In(zone).Format("15:04")) }
	out := NewOccurrence(o)
	out.Breaks = shift.Shift{Start: clock(o.StartAt), End: clock(o.EndAt), Zone: zone, Breaks: scheduling.Breaks(o.Breaks)}.BreaksOn(shift.Date(o.Date))
	return out
}

// entriesOf returns attendances of ent as entries.
func entriesOf(list []*ent.Attendance) (entries []timesheet.Entry) {
	for _, a := range list {
		e := timesheet.Entry{In: a.ClockedInAt, NeedsConfirmation: a.NeedsConfirmation}
		if a.ClockedOutAt != nil {
			e.Out = *a.ClockedOutAt
		}
		entries = append(entries, e)
	}
	return entries
}

// assessmentOf returns a result of ent.
func assessmentOf(r *ent.ShiftResult) *timesheet.Assessment {
	length := func(seconds int) time.Duration { return time.Duration(seconds) * time.Second }
	return &timesheet.Assessment{
		Status: timesheet.Status(r.Status), Off: r.Off, Late: length(r.LateSeconds), Early: length(r.EarlySeconds), Expected: length(r.ExpectedSeconds),
	}
}

// plain returns the values of a work, without where they lie.
func plain(w Work) []any {
	out := []any{w.ID, w.site, w.fallback}
	v := reflect.ValueOf(w.Occurrence)
	for i := range v.NumField() {
		f := v.Field(i).Interface()
		switch f := f.(type) {
		case *int:
			out = append(out, f == nil)
			if f != nil {
				out = append(out, *f)
			}
		case time.Time:
			out = append(out, f.UTC())
		case []shift.Interval:
			for _, s := range f {
				out = append(out, s.Start.UTC(), s.End.UTC())
			}
		default:
			out = append(out, fmt.Sprint(f))
		}
	}
	for _, e := range w.Entries {
		out = append(out, e.In.UTC(), e.Out.UTC(), e.NeedsConfirmation)
	}
	if w.Stored != nil {
		out = append(out, *w.Stored)
	}
	return out
}

// TestOffFor frees people from work before their first and after their last day, while they
// are inactive, for a fallback shift beside another that was worked, and by leave, and by the address
// where they work or worked last.
func TestOffFor(t *testing.T) {
	w := newWorld(t, apptest.New(t))
	u, inactive := w.User(t, "Budi"), w.User(t, "Citra")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.User.UpdateOneID(inactive.ID).SetActive(false).ExecX(ctx)
		for _, date := range []string{"2026-03-11", "2026-03-12"} {
			db.Holiday.Create().SetCompanyID(w.Company.ID).SetAddressID(w.sites[1]).SetName("Libur").SetDate(date).ExecX(ctx)
		}
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Sakit").SaveX(ctx).ID
		db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetLeaveTypeID(kind).SetStartsOn("2026-03-13").SetEndsOn("2026-03-13").
			SetDates([]string{"2026-03-13"}).SetReason("Flu").SetState("approved").SetExpiresAt(w.Now()).SetCreatedAt(w.Now()).ExecX(ctx)
		return db.User.UpdateOneID(u.ID).SetJoinedOn("2026-03-10").SetLeftOn("2026-03-13").Exec(ctx)
	})
	const day, zone = shift.Date("2026-03-09"), "Asia/Jakarta"
	fallback := func(c *ent.EmployeeShiftCreate) { c.SetOrigin(employeeshift.OriginFallback) }
	for i := range 6 {
		o := w.plan(t, u, zone, "08:00", "12:00", day.AddDays(i), nil)
		switch i {
		case 1: // at the site with holidays on the days after
			w.attend(t, o, w.sites[1], o.StartAt, o.EndAt, false)
		case 3:
			w.attend(t, o, w.sites[0], o.StartAt, o.EndAt, false)
		}
	}
	w.plan(t, u, zone, "13:00", "14:00", day.AddDays(1), fallback) // replaced
	w.plan(t, u, zone, "13:00", "14:00", day.AddDays(3), fallback) // replaced too
	w.plan(t, u, zone, "13:00", "14:00", day.AddDays(4), fallback)
	w.plan(t, inactive, zone, "08:00", "12:00", day, nil)
	people := w.read(t, day, day.AddDays(5), u, inactive)
	var got []string
	for _, p := range people {
		for i := range p.Works {
			off := p.OffFor(&p.Works[i])
			got = append(got, fmt.Sprint(p.Works[i].Date[8:], p.Works[i].Start.In(shift.ZoneNamed(zone)).Format("T15 "), off.NotEmployed, off.Holiday == timesheet.Whole, off.Leave == timesheet.Whole))
		}
	}
	want := []string{
		"09T08 true false false", "10T08 false false false", "10T13 true false false", "11T08 false true false",
		"12T08 false false false", "12T13 true false false", "13T08 false false true", "13T13 false false true", "14T08 true false false", "09T08 true false false",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if n := len(people[0].Expected(nil)); n != 5 { // not the replaced one, nor those before and after
		t.Errorf("%d works are expected, want 5", n)
	}
	if off := people[0].Off("2026-03-11"); off.Holiday != timesheet.Whole || off.NotEmployed {
		t.Errorf("the date is %+v, want a holiday", off)
	}
}

// TestBreaks reads the breaks of stored occurrences as those of the shift are.
func TestBreaks(t *testing.T) {
	for _, zone := range []string{"Asia/Jakarta", "America/New_York", "Australia/Lord_Howe"} {
		breaks := []shift.Break{{Start: "23:30", End: "00:15"}, {Start: "02:15", End: "03:10"}}
		tz := shift.ZoneNamed(zone)
		s := shift.Shift{Start: "22:00", End: "06:00", Zone: tz, Breaks: breaks}
		for d := shift.Date("2026-01-01"); d < "2027-01-01"; d = d.AddDays(1) {
			o, want := s.On(d), s.BreaksOn(d)
			for i, got := range breaksOn(breaks, d, o.StartAt.UTC(), o.EndAt.UTC(), tz) {
				if !got.Start.Equal(want[i].Start) || !got.End.Equal(want[i].End) {
					t.Errorf("%s in %s: %v, want %v", d, zone, got, want[i])
				}
			}
		}
	}
}
