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
