package timesheets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entLeave "workforce/ent/leave"
	"workforce/ent/shiftresult"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/timetotals"
	"workforce/internal/app/tx"
	"workforce/internal/app/worktime"
	"workforce/internal/database"
	"workforce/internal/period"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A world is a company with a site, and shifts in several zones.
type world struct {
	*apptest.World
	*Service
	today  *worktime.Service
	site   int
	shifts map[string]*ent.Shift
}

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

func (w *world) Now() time.Time { return w.World.Now() }

func newWorld(t testing.TB) *world {
	t.Helper()
	return worldIn(t, apptest.New(t))
}

func worldIn(t testing.TB, of *apptest.World) *world {
	t.Helper()
	w := &world{World: of, shifts: map[string]*ent.Shift{}}
	w.Service = &Service{Now: w.Now, Booked: (&timetotals.Service{Now: w.Now}).Days}
	w.today = &worktime.Service{Now: w.Now, Plans: &scheduling.Planner{DB: w.DB, Now: w.Now, Jobs: job.New()}}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		w.site = db.Address.Create().SetCompanyID(w.Company.ID).SetName("Pusat").SetAddress("").SetLatitude(1).SetLongitude(1).SaveX(ctx).ID
		return nil
	})
	return w
}

// plan adds an occurrence of a shift, named by its times, in a zone.
func (w *world) plan(ctx context.Context, db *ent.Client, u *ent.User, zone, hours string, d shift.Date, change ...func(*ent.EmployeeShift)) *ent.EmployeeShift {
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
	o := scheduling.NewOccurrence(a, &copied, shift.ZoneNamed(zone), d)
	o.AssignmentID = nil
	for _, f := range change {
		f(o)
	}
	o, err := plantest.Add(ctx, o)
	if err != nil {
		panic(err)
	}
	return o
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

// TestAgree draws companies at random, of several zones, with nights, changes of clocks, two
// shifts a day, breaks, open attendances, leave, and results that were stored, and wants
// widget, timesheet, summary, Attendance Today and decisions about overtime to say the same of
// everybody's today.
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
			hour := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Izin").SetUnit("hour").SaveX(ctx)
			for i, u := range people {
				if i == 0 {
					db.User.UpdateOneID(u.ID).SetJoinedOn(string(today.AddDays(r.IntN(3) - 1))).ExecX(ctx)
				}
				if r.IntN(4) == 0 {
					create := db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetLeaveTypeID(hour.ID).SetStartsOn(string(today)).SetEndsOn(string(today)).
						SetDates([]string{string(today)}).SetReason("Izin").SetState("approved").SetExpiresAt(w.Now()).SetCreatedAt(w.Now())
					switch r.IntN(3) {
					case 0:
						create.SetHalf(true)
					case 1:
						create.SetFromTime("08:00").SetToTime("10:00")
					}
					create.ExecX(ctx)
				}
				zone, h := zones[r.IntN(len(zones))], hours[r.IntN(len(hours))]
				for ago := 4; ago >= -2; ago-- {
					if r.IntN(5) == 0 {
						continue
					}
					o := w.plan(ctx, db, u, zone, h, today.AddDays(-ago), func(o *ent.EmployeeShift) {
						o.LateGraceMinutes, o.HalfDayBelowMinutes, o.AbsentBelowMinutes = new(r.IntN(2)*10), 180, 60
					})
					if r.IntN(5) == 0 && o.EndAt.Before(w.Now()) {
						db.ShiftResult.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetStatus("half_day").
							SetLateSeconds(61).SetEarlySeconds(62).SetExpectedSeconds(3600).SetEvaluatedAt(w.Now()).ExecX(ctx)
						o.Update().SetEvaluatedAt(w.Now()).ExecX(ctx)
						seen["stored"]++
					}
					if h == "08:00-17:00" && r.IntN(2) == 0 {
						second := w.plan(ctx, db, u, zone, "18:00-21:00", today.AddDays(-ago))
						if in, out := second.StartAt.Add(1500*time.Millisecond), second.EndAt.Add(30*time.Minute); out.Before(w.Now()) {
							w.attend(ctx, db, second, in, out)
							seen["two shifts"]++
						}
					}
					in := o.StartAt.Add(time.Duration(r.IntN(90*60_000)-45*60_000) * time.Millisecond)
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
		boss := w.User(t, "Boss", viewer.Admin)
		for _, u := range people {
			w.agree(t, seed, u, crosses[u.ID], seen)
			w.agreeOvertime(t, seed, boss, u, seen)
		}
	}
	for _, what := range []string{"present", "half_day", "absent", "none", "open", "late", "split", "worked", "stored", "two shifts", "overtime", "no overtime"} {
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
	now, err := w.today.Today(ctx)
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

// agreeOvertime compares the overtime of the dates around somebody's today that a decision
// keeps with what the timesheet has.
func (w *world) agreeOvertime(t *testing.T, seed uint64, boss, u *ent.User, seen map[string]int) {
	t.Helper()
	plans := &scheduling.Planner{DB: w.DB, Now: w.Now, Jobs: job.New()}
	decisions := &approval.Overtime{Now: w.Now, Plans: plans, Days: w.Days}
	today := plans.Today(shift.ZoneNamed(w.Company.Timezone))
	var items []*model.OvertimeItemInput
	for d := today.AddDays(-3); d <= today; d = d.AddDays(1) {
		items = append(items, &model.OvertimeItemInput{UserID: u.ID, Date: string(d)})
	}
	var decided []*model.DecidedOvertime
	err := tx.Run(w.As(boss, viewer.Admin), w.DB, func(ctx context.Context) (err error) {
		decided, err = decisions.Decide(ctx, model.DecideOvertimeInput{Items: items, Approve: true})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sheet, err := w.Timesheet(w.As(u, viewer.Employee), Filter{From: day(today.AddDays(-3)), To: day(today), By: model.TimesheetUnitDay})
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range sheet.People[0].Parts {
		unsettled := w.DB.Attendance.Query().Where(entAttendance.UserID(u.ID), entAttendance.WorkDate(part.From), entAttendance.OpenMarker(1)).ExistX(w.System())
		want := "CONFLICT"
		if part.OvertimeSeconds > 0 && !unsettled {
			want = fmt.Sprint(part.OvertimeSeconds)
			seen["overtime"]++
		} else {
			seen["no overtime"]++
		}
		got := ""
		if decided[i].OvertimeApproval != nil {
			got = fmt.Sprint(decided[i].OvertimeApproval.Seconds)
		} else if decided[i].Code != nil {
			got = *decided[i].Code
		}
		if got != want {
			t.Errorf("seed %d, %s, overtime of %s: decided %s, want %s", seed, u.Name, part.From, got, want)
		}
	}
}

func (w *world) dateOf(id int) string { return w.DB.EmployeeShift.GetX(w.System(), id).Date }

// many gives a company n people more, all with shifts, attendances and results of three
// dates, and every tenth with leave.
func (w *world) many(t *testing.T, n int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		for from := 0; from < n; from += 1000 {
			db.User.MapCreateBulk(make([]struct{}, min(n, 1000)), func(u *ent.UserCreate, i int) {
				email := fmt.Sprintf("u%d@acme.test", from+i)
				u.SetCompanyID(w.Company.ID).SetName(fmt.Sprint("User ", from+i)).SetEmail(email).SetEmailKey(email).SetCreatedAt(apptest.Now)
			}).ExecX(ctx)
		}
		first := db.User.Query().Where(user.Name("User 0")).OnlyX(ctx)
		for d := shift.Date("2026-03-09"); d <= "2026-03-11"; d = d.AddDays(1) {
			o := w.plan(ctx, db, first, "Asia/Jakarta", "08:00-17:00", d)
			if d < "2026-03-11" {
				w.attend(ctx, db, o, o.StartAt, o.EndAt)
				db.ShiftResult.Create().SetCompanyID(w.Company.ID).SetUserID(first.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetStatus("present").
					SetEvaluatedAt(w.Now()).ExecX(ctx)
				o.Update().SetEvaluatedAt(w.Now()).ExecX(ctx)
			} else {
				w.attend(ctx, db, o, o.StartAt, time.Time{})
			}
		}
		sick := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Sakit").SaveX(ctx)
		db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(first.ID).SetLeaveTypeID(sick.ID).SetStartsOn("2026-03-10").SetEndsOn("2026-03-10").
			SetDates([]string{"2026-03-10"}).SetReason("Flu").SetState("approved").SetExpiresAt(w.Now()).SetCreatedAt(w.Now()).ExecX(ctx)
		// as the first, so all others
		if err := copyRows(ctx, db, employeeshift.Table, employeeshift.Columns, "u.id", "", "u.id > ?", first.ID); err != nil {
			return err
		}
		own := " JOIN employee_shifts o ON o.user_id = u.id"
		if err := copyRows(ctx, db, entAttendance.Table, entAttendance.Columns, "o.id", own, "u.id > ? AND o.date = x.work_date", first.ID); err != nil {
			return err
		}
		if err := copyRows(ctx, db, shiftresult.Table, shiftresult.Columns, "o.id", own, "u.id > ? AND o.date = x.date", first.ID); err != nil {
			return err
		}
		return copyRows(ctx, db, entLeave.Table, entLeave.Columns, "u.id", "", "u.id > ? AND u.id % 10 = 0", first.ID)
	})
}

// copyRows copies the rows of a table to the users u whom a condition matches; occurrence is
// the column of those that they have.
func copyRows(ctx context.Context, db *ent.Client, table string, columns []string, occurrence, from, where string, args ...any) error {
	var names, values []string
	for _, c := range columns {
		switch c {
		case "id":
			continue
		case "user_id":
			values = append(values, "u.id")
		case "employee_shift_id":
			values = append(values, occurrence)
		default:
			values = append(values, "x."+c)
		}
		names = append(names, c)
	}
	_, err := db.ExecContext(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s x CROSS JOIN users u%s WHERE %s",
		table, strings.Join(names, ", "), strings.Join(values, ", "), table, from, where), args...)
	return err
}

// TestStatements reads timesheets and summaries of companies of 10 people, of 1,000 and of
// 10,000 in as many statements, and no time grows with the square of the people.
func TestStatements(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		counts, times := map[string]map[int]int32{}, map[string]map[int]time.Duration{}
		for _, n := range []int{10, 1000, 10_000} {
			at := testdb.SQLite(t)
			if !strings.HasPrefix(url, "sqlite:") {
				at = testdb.MySQL(t)
			}
			w := worldIn(t, apptest.On(t, at))
			boss := w.User(t, "Boss", viewer.Admin)
			w.many(t, n)
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				return db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Site").SetDate("2026-03-10").SetAddressID(w.site).Exec(ctx)
			})
			counted := func(name string, step func(ctx context.Context) error) {
				if counts[name] == nil {
					counts[name], times[name] = map[int]int32{}, map[int]time.Duration{}
				}
				for range 3 {
					var statements atomic.Int32
					start := time.Now()
					if err := step(database.CountStatements(w.As(boss, viewer.Admin), &statements)); err != nil {
						t.Fatal(name, err)
					}
					took := time.Since(start)
					if counts[name][n] = statements.Load(); times[name][n] == 0 || took < times[name][n] {
						times[name][n] = took
					}
				}
			}
			counted("summary", func(ctx context.Context) error {
				out, err := w.Summary(ctx, Team{Page: Page{Limit: new(3)}})
				if err == nil && (out.TotalCount != n+1 || len(out.Groups[0].People) != 3 || out.Groups[0].Count != n) {
					t.Errorf("%+v", *out)
				}
				return err
			})
			counted("timesheet", func(ctx context.Context) error {
				out, err := w.Timesheet(ctx, Filter{By: model.TimesheetUnitWeek, Page: Page{Limit: new(min(n, 1000))}})
				if err == nil && (out.TotalCount != n+1 || len(out.People) != min(n, 1000) || out.Total.WorkedSeconds < 3600) {
					t.Errorf("%+v", *out)
				}
				return err
			})
		}
		for name, took := range counts {
			if took[10] == 0 || took[10] > 7 || took[10] != took[1000] || took[10] != took[10_000] {
				t.Errorf("%s: statements by people %v", name, took)
			}
			if times[name][10_000] > 100*times[name][1000] {
				t.Errorf("%s: the least times by people are %v", name, times[name])
			}
		}
		t.Log(counts, times)
	})
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
	half := func(r timesheet.Record) timesheet.Record {
		r.Off.Leave = timesheet.Half
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
		{"half a day of leave", timesheet.NoStatus, []timesheet.Record{half(shiftOf(&ten))}, at(12, 40), "not_due"},
		{"half a day of leave, missing", timesheet.NoStatus, []timesheet.Record{half(shiftOf(&ten))}, at(12, 41), "missing"},
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
