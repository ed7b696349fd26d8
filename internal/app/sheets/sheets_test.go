package sheets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/attendance"
	"workforce/internal/app/job"
	"workforce/internal/app/plan"
	"workforce/internal/database"
	"workforce/internal/period"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A world is a company with a site, and shifts in several zones.
type world struct {
	*apptest.World
	*Service
	attendances *attendance.Service
	site        int
	shifts      map[string]*ent.Shift
}

func (w *world) Now() time.Time { return w.World.Now() }

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{World: apptest.New(t), shifts: map[string]*ent.Shift{}}
	w.Service = &Service{Now: w.Now}
	w.attendances = &attendance.Service{Now: w.Now, Plans: &plan.Planner{DB: w.DB, Now: w.Now, Jobs: job.New()}}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		w.site = db.Address.Create().SetCompanyID(w.Company.ID).SetName("Pusat").SetAddress("").SetLatitude(1).SetLongitude(1).SaveX(ctx).ID
		return nil
	})
	return w
}

// plan adds an occurrence of a shift, named by its times, in a zone.
func (w *world) plan(ctx context.Context, db *ent.Client, u *ent.User, zone, hours string, d shift.Date, change ...func(*ent.EmployeeShiftCreate)) *ent.EmployeeShift {
	start, end, _ := strings.Cut(hours, "-")
	s := w.shifts[hours]
	if s == nil {
		s = db.Shift.Create().SetCompanyID(w.Company.ID).SetName(hours).SetStartTime(start).SetEndTime(end).SetBreaks([]string{}).SaveX(ctx)
		w.shifts[hours] = s.Unwrap()
	}
	copied := *s
	if start < end {
		copied.Breaks = []string{start[:3] + "30-" + start[:3] + "45"}
	}
	a := &ent.ShiftAssignment{CompanyID: u.CompanyID, UserID: u.ID}
	c := plan.NewOccurrence(db, a, &copied, shift.ZoneNamed(zone), d)
	c.Mutation().ClearAssignmentID()
	c.Mutation().ResetAssignmentID()
	for _, f := range change {
		f(c)
	}
	return c.SaveX(ctx)
}

// attend adds an attendance; a zero out is an open one.
func (w *world) attend(ctx context.Context, db *ent.Client, o *ent.EmployeeShift, in, out time.Time) {
	local, offset := shift.Wall(in, shift.ZoneNamed(o.Timezone))
	a := db.Attendance.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetEmployeeShiftID(o.ID).SetAddressID(w.site).
		SetWorkDate(o.Date).SetClockedInAt(in.UTC()).SetClockedInLocal(local).SetClockedInOffset(offset).SetClockedInZone(o.Timezone).
		SetClockedInReceivedAt(in.UTC()).SetClockedInLatitude(1).SetClockedInLongitude(1).SetClockedInSource("app").SetClockedInGeofence("inside").SaveX(ctx)
	if !out.IsZero() {
		a.Update().ClearOpenMarker().SetClockedOutAt(out.UTC()).SetClockedOutReceivedAt(out.UTC()).SetClockedOutSource("app").ExecX(ctx)
	}
}

func day(d shift.Date) *period.Bound { return new(period.Day(d)) }

// TestAgree draws companies at random, of several zones, with nights, changes of clocks and
// open attendances, and wants widget, timesheet, summary and Attendance Today to say the same
// of everybody's today.
func TestAgree(t *testing.T) {
	zones := []string{"Asia/Jakarta", "America/New_York", "Pacific/Auckland", "Europe/Berlin"}
	hours := []string{"08:00-17:00", "22:00-06:00", "00:00-08:00", "13:00-21:30"}
	seen := map[string]int{}
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t)
		base := []time.Time{
			time.Date(2026, 3, 8, 0, 0, 0, 0, time.UTC), time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC), time.Date(2026, 4, 4, 12, 0, 0, 0, time.UTC),
		}[seed%3]
		w.Set(base.Add(time.Duration(r.IntN(48*3600)) * time.Second))
		today := shift.DateOf(w.Now(), time.UTC)
		var people []*ent.User
		crosses := map[int]bool{}
		for i := range 6 {
			people = append(people, w.User(t, fmt.Sprint("Person ", i)))
		}
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			db.ClockState.Update().SetPlannedUntil(string(today.AddDays(9))).ExecX(ctx)
			if r.IntN(3) == 0 {
				db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Libur").SetDate(string(today)).SetHalf(r.IntN(2) == 0).ExecX(ctx)
			}
			for _, u := range people {
				zone, h := zones[r.IntN(len(zones))], hours[r.IntN(len(hours))]
				for ago := 4; ago >= -2; ago-- {
					if r.IntN(5) == 0 {
						continue
					}
					o := w.plan(ctx, db, u, zone, h, today.AddDays(-ago), func(c *ent.EmployeeShiftCreate) {
						c.SetLateGraceMinutes(r.IntN(2) * 10).SetHalfDayBelowMinutes(180).SetAbsentBelowMinutes(60)
					})
					in := o.StartAt.Add(time.Duration(r.IntN(90)-45) * time.Minute)
					for range r.IntN(3) {
						out := in.Add(time.Duration(20+r.IntN(300)) * time.Minute)
						if in.After(w.Now()) {
							break
						}
						if out.After(w.Now()) {
							out = time.Time{}
						}
						w.attend(ctx, db, o, in, out)
						end := out
						if out.IsZero() {
							end = w.Now()
						}
						if zone := shift.ZoneNamed(o.Timezone); shift.DateOf(in, zone) != shift.DateOf(end.Add(-1), zone) || shift.DateOf(in, zone) != shift.Date(o.Date) {
							crosses[u.ID] = true
						}
						if out.IsZero() {
							break
						}
						in = out.Add(time.Duration(r.IntN(60)) * time.Minute)
					}
				}
			}
			return nil
		})
		for _, u := range people {
			w.agree(t, seed, u, crosses[u.ID], seen)
		}
	}
	for _, what := range []string{"present", "half_day", "absent", "none", "open", "late", "split", "worked"} {
		if seen[what] == 0 {
			t.Errorf("no %s among them: %v", what, seen)
		}
	}
	t.Log(seen)
}

// agree compares what the four say of somebody's today.
func (w *world) agree(t *testing.T, seed uint64, u *ent.User, crosses bool, seen map[string]int) {
	t.Helper()
	ctx := w.As(u, viewer.Employee)
	now, err := w.attendances.Today(ctx)
	if err != nil {
		t.Fatal(err)
	}
	d := shift.Date(now.Date)
	widget, err := w.Widget(ctx, nil, day(d), day(d))
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := w.Timesheet(ctx, Filter{From: day(d.AddDays(-2)), To: day(d.AddDays(2)), By: model.TimesheetUnitDay})
	if err != nil {
		t.Fatal(err)
	}
	one, part := widget.Days[0], sheet.People[0].Parts[2]
	about := fmt.Sprintf("seed %d, %s, %s at %s", seed, u.Name, d, w.Now())
	if one.Status != now.Status || one.LateSeconds != now.LateSeconds || part.EarlySeconds != now.EarlySeconds ||
		one.WorkedSeconds != now.WorkedSeconds || one.ClosedSeconds != now.ClosedSeconds {
		t.Errorf("%s: widget %+v, early %d, today %+v", about, *one, part.EarlySeconds, *now)
	}
	if *part.Status != one.Status || part.WorkedSeconds != one.WorkedSeconds || part.ClosedSeconds != one.ClosedSeconds || part.LateSeconds != one.LateSeconds {
		t.Errorf("%s: widget %+v, timesheet %+v", about, *one, *part)
	}
	summary, err := w.Summary(ctx, Team{Date: &now.Date})
	if err != nil {
		t.Fatal(err)
	}
	open := false
	for _, e := range now.Entries {
		open = open || e.ClockOutAt == nil && w.dateOf(e.EmployeeShiftID) == now.Date
	}
	in, late, all := false, false, 0
	for _, g := range summary.Groups {
		if g.Name != model.AttendanceGroupNameLate {
			all += g.Count
		}
		for _, p := range g.People {
			in, late = in || g.Name == model.AttendanceGroupNameIn, late || g.Name == model.AttendanceGroupNameLate
			if p.Status != one.Status || p.LateSeconds != one.LateSeconds || p.EarlySeconds != part.EarlySeconds {
				t.Errorf("%s: summary %+v, widget %+v", about, *p, *one)
			}
		}
	}
	if in != open || late != (one.LateSeconds > 0) || all != 1 || summary.TotalCount != 1 {
		t.Errorf("%s: summary in %v late %v of %d, today open %v late %d", about, in, late, all, open, one.LateSeconds)
	}
	seen[string(one.Status)]++
	for what, is := range map[string]bool{"open": open, "late": late, "split": crosses, "worked": !crosses && one.WorkedSeconds > 0} {
		if is {
			seen[what]++
		}
	}
}

func (w *world) dateOf(id int) string { return w.DB.EmployeeShift.GetX(w.System(), id).Date }

// TestStatements reads timesheets and summaries of 10 people and of 1,000, and a summary of
// 10,000, in as many statements.
func TestStatements(t *testing.T) {
	counts := map[string]map[int]int32{}
	for _, n := range []int{10, 1000, 10_000} {
		w := newWorld(t)
		boss := w.User(t, "Boss", viewer.Admin)
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			for from := 0; from < n; from += 1000 {
				db.User.MapCreateBulk(make([]struct{}, min(n, 1000)), func(u *ent.UserCreate, i int) {
					email := fmt.Sprintf("u%d@acme.test", from+i)
					u.SetCompanyID(w.Company.ID).SetName(fmt.Sprint("User ", from+i)).SetEmail(email).SetEmailKey(email).SetCreatedAt(apptest.Now)
				}).ExecX(ctx)
			}
			for i, u := range db.User.Query().AllX(ctx) {
				if i%100 == 0 {
					o := w.plan(ctx, db, u, "Asia/Jakarta", "08:00-17:00", "2026-03-11")
					w.attend(ctx, db, o, o.StartAt, time.Time{})
				}
			}
			db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Site").SetDate("2026-03-10").SetAddressID(w.site).ExecX(ctx)
			return nil
		})
		counted := func(name string, step func(ctx context.Context) error) {
			var statements atomic.Int32
			start := time.Now()
			if err := step(database.CountStatements(w.As(boss, viewer.Admin), &statements)); err != nil {
				t.Fatal(name, err)
			}
			t.Log(name, n, time.Since(start).Round(time.Millisecond))
			if counts[name] == nil {
				counts[name] = map[int]int32{}
			}
			counts[name][n] = statements.Load()
		}
		counted("summary", func(ctx context.Context) error {
			out, err := w.Summary(ctx, Team{Page: Page{Limit: new(3)}})
			if err == nil && (out.TotalCount != n+1 || len(out.Groups[0].People) != min(3, 1+n/100) || out.Groups[0].Count != 1+n/100) {
				t.Errorf("%+v", *out)
			}
			return err
		})
		counted("timesheet", func(ctx context.Context) error {
			out, err := w.Timesheet(ctx, Filter{By: model.TimesheetUnitWeek, Page: Page{Limit: new(1000)}})
			if err == nil && (out.TotalCount != n+1 || out.Total.WorkedSeconds < 3600) {
				t.Errorf("%+v", *out)
			}
			return err
		})
	}
	for name, took := range counts {
		if took[10] == 0 || took[10] > 6 || took[10] != took[1000] || took[10] != took[10_000] {
			t.Errorf("%s: statements by people %v", name, took)
		}
	}
	t.Log(counts)
}

// TestScopes reads timesheets as an employee, as the manager of a business and as an
// administrator.
func TestScopes(t *testing.T) {
	w := newWorld(t)
	boss, lead, budi, gone := w.User(t, "Boss", viewer.Admin), w.User(t, "Lead"), w.User(t, "Budi"), w.User(t, "Gone")
	var unit int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		unit = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Unit").SaveX(ctx).ID
		db.User.UpdateOneID(budi.ID).SetBusinessID(unit).ExecX(ctx)
		db.User.UpdateOneID(gone.ID).SetActive(false).ExecX(ctx)
		o := w.plan(ctx, db, gone, "Asia/Jakarta", "08:00-17:00", "2026-03-09")
		w.attend(ctx, db, o, o.StartAt, o.EndAt)
		return nil
	})
	names := func(ctx context.Context, f Filter) string {
		out, err := w.Timesheet(ctx, f)
		if err != nil {
			return apptest.Code(err)
		}
		text := fmt.Sprint(out.TotalCount)
		for _, p := range out.People {
			text += " " + p.Name
		}
		return text
	}
	march := func(from, to shift.Date, ids ...int) Filter {
		return Filter{UserIDs: ids, From: day(from), To: day(to), By: model.TimesheetUnitPeriod}
	}
	team := march("2026-03-09", "2026-03-10")
	team.BusinessID = &unit
	for _, tt := range []struct {
		name string
		ctx  context.Context
		f    Filter
		want string
	}{
		{"all, who left among them", w.As(boss, viewer.Admin), march("2026-03-09", "2026-03-10"), "4 Boss Budi Gone Lead"},
		{"all of other days", w.As(boss, viewer.Admin), march("2026-03-10", "2026-03-10"), "3 Boss Budi Lead"},
		{"of a business", w.As(boss, viewer.Admin), team, "1 Budi"},
		{"a team and oneself", w.As(lead, viewer.Manager, unit), march("2026-03-09", "2026-03-10"), "2 Budi Lead"},
		{"of a business that one does not manage", w.As(lead, viewer.Manager), team, "0"},
		{"oneself", w.As(budi, viewer.Employee), march("2026-03-09", "2026-03-10"), "1 Budi"},
		{"named", w.As(boss, viewer.Admin), march("2026-03-09", "2026-03-10", gone.ID, budi.ID), "2 Budi Gone"},
		{"beyond the team", w.As(lead, viewer.Manager, unit), march("2026-03-09", "2026-03-10", budi.ID, boss.ID), "NOT_FOUND userIds"},
		{"beyond oneself", w.As(budi, viewer.Employee), march("2026-03-09", "2026-03-10", lead.ID), "NOT_FOUND userIds"},
	} {
		if got := names(tt.ctx, tt.f); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestStored shows what was stored of an occurrence, until it is outdated.
func TestStored(t *testing.T) {
	w := newWorld(t)
	u := w.User(t, "Budi")
	var o *ent.EmployeeShift
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		o = w.plan(ctx, db, u, "Asia/Jakarta", "08:00-17:00", "2026-03-09")
		w.attend(ctx, db, o, o.StartAt.Add(time.Hour), o.EndAt.Add(-time.Hour))
		db.ShiftResult.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetStatus("half_day").
			SetLateSeconds(60).SetEarlySeconds(120).SetExpectedSeconds(3600).SetOff(true).SetEvaluatedAt(w.Now()).ExecX(ctx)
		return db.EmployeeShift.UpdateOneID(o.ID).SetEvaluatedAt(w.Now()).Exec(ctx)
	})
	want := func(want string) {
		t.Helper()
		out, err := w.Timesheet(w.As(u, viewer.Employee), Filter{From: day("2026-03-09"), To: day("2026-03-09"), By: model.TimesheetUnitDay})
		if err != nil {
			t.Fatal(err)
		}
		p := out.People[0].Parts[0]
		if got := fmt.Sprint(*p.Status, p.LateSeconds, p.EarlySeconds, p.ExpectedSeconds, p.WorkedSeconds, p.BalanceSeconds, p.OffDays); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	want("half_day60 120 3600 25200 21600 1")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.EmployeeShift.UpdateOneID(o.ID).ClearEvaluatedAt().Exec(ctx)
	})
	want("present0 0 31500 25200 -6300 0") // no grace, never late
}

// TestGroups puts somebody into the groups of a summary.
func TestGroups(t *testing.T) {
	at := func(hour, minute int) time.Time { return time.Date(2026, 3, 11, hour, minute, 0, 0, time.UTC) }
	shiftOf := func(grace *int) timesheet.Record {
		return timesheet.Record{Work: timesheet.Work{Occurrence: timesheet.Occurrence{
			Date: "2026-03-11", Zone: time.UTC, Start: at(8, 0), End: at(17, 0), Until: at(18, 0), LateGrace: grace,
		}}}
	}
	with := func(r timesheet.Record, entries ...timesheet.Entry) timesheet.Record {
		r.Entries = entries
		return r
	}
	ten := 10
	for _, tt := range []struct {
		name   string
		status timesheet.Status
		works  []timesheet.Record
		now    time.Time
		want   model.AttendanceGroupName
	}{
		{"in", timesheet.Present, []timesheet.Record{with(shiftOf(&ten), timesheet.Entry{In: at(8, 0)})}, at(9, 0), "in"},
		{"in, of two entries", timesheet.NeedsConfirmation, []timesheet.Record{with(shiftOf(&ten), timesheet.Entry{In: at(8, 0), Out: at(8, 30)}, timesheet.Entry{In: at(8, 40)})}, at(9, 0), "in"},
		{"done", timesheet.Present, []timesheet.Record{with(shiftOf(&ten), timesheet.Entry{In: at(8, 0), Out: at(17, 0)})}, at(18, 0), "done"},
		{"absent by hours", timesheet.Absent, []timesheet.Record{with(shiftOf(&ten), timesheet.Entry{In: at(8, 0), Out: at(8, 1)})}, at(18, 0), "absent"},
		{"absent", timesheet.Absent, []timesheet.Record{shiftOf(&ten)}, at(18, 0), "absent"},
		{"within the grace", timesheet.NoStatus, []timesheet.Record{shiftOf(&ten)}, at(8, 10), "not_due"},
		{"missing", timesheet.NoStatus, []timesheet.Record{shiftOf(&ten)}, at(8, 11), "missing"},
		{"flexible", timesheet.NoStatus, []timesheet.Record{shiftOf(nil)}, at(17, 0), "not_due"},
		{"flexible, over", timesheet.NoStatus, []timesheet.Record{shiftOf(nil)}, at(17, 1), "missing"},
		{"on leave", timesheet.OnLeave, []timesheet.Record{shiftOf(&ten)}, at(9, 0), "on_leave"},
		{"from home", timesheet.WorkFromHome, []timesheet.Record{shiftOf(&ten)}, at(9, 0), "work_from_home"},
		{"a holiday", timesheet.Holiday, []timesheet.Record{shiftOf(&ten)}, at(9, 0), "off"},
		{"a weekly off", timesheet.WeeklyOff, nil, at(9, 0), "off"},
		{"no shift", timesheet.NoStatus, nil, at(9, 0), "off"},
	} {
		s := shown{day: timesheet.Day{Status: tt.status}, works: tt.works}
		if got := s.where(tt.now); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestBreaks reads the breaks of stored occurrences as those of the shift are.
func TestBreaks(t *testing.T) {
	for _, zone := range []string{"Asia/Jakarta", "America/New_York", "Australia/Lord_Howe"} {
		breaks := []shift.Break{{Start: "23:30", End: "00:15"}, {Start: "02:15", End: "03:10"}}
		tz := shift.ZoneNamed(zone)
		s := shift.Shift{Start: "22:00", End: "06:00", Zone: tz, Breaks: breaks}
		terms := &terms{zone: tz, breaks: breaks}
		for _, b := range breaks {
			terms.spans = append(terms.spans, [2]int{b.Start.Minutes(), b.End.Minutes()})
		}
		for d := shift.Date("2026-01-01"); d < "2027-01-01"; d = d.AddDays(1) {
			o, want := s.On(d), s.BreaksOn(d)
			for i, got := range terms.breaksOn(d, o.StartAt.UTC(), o.EndAt.UTC()) {
				if !got.Start.Equal(want[i].Start) || !got.End.Equal(want[i].End) {
					t.Errorf("%s in %s: %v, want %v", d, zone, got, want[i])
				}
			}
		}
	}
}
