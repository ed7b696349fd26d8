package attendance

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/allowedplace"
	"workforce/ent/attendance"
	"workforce/ent/clockstate"
	"workforce/ent/designation"
	"workforce/ent/employeeshift"
	"workforce/ent/exemption"
	"workforce/ent/facetemplate"
	"workforce/ent/holiday"
	"workforce/ent/leave"
	"workforce/ent/overtimeapproval"
	"workforce/ent/predicate"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/app/dayoff"
	"workforce/internal/app/leaves"
	"workforce/internal/app/overtime"
	"workforce/internal/database"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// sameRows compares rows without their edges.
var sameRows = diff.Options{
	cmpopts.IgnoreUnexported(ent.Address{}, ent.Attendance{}, ent.User{}, ent.EmployeeShift{}),
	diff.FilterPath(func(p diff.Path) bool { return p.Last().String() == ".Edges" }, diff.Ignore()),
	cmpopts.EquateEmpty(),
}

// only returns the row of a query, nil for none.
func only[T any](t *testing.T) func(*T, error) *T {
	return func(row *T, err error) *T {
		t.Helper()
		if err != nil && !ent.IsNotFound(err) {
			t.Fatal(err)
		}
		return row
	}
}

// A crowd is a world with two companies whose people clocked in and out at random.
type crowd struct {
	*world
	random      *rand.Rand
	users       []*ent.User
	sites       []*ent.Address
	occurrences []*ent.EmployeeShift
	viewers     []*viewer.Viewer
}

// devices is how many devices a crowd uses.
const devices = 4

// newCrowd fills a world at random.
func newCrowd(t *testing.T, seed uint64) *crowd {
	c := &crowd{world: newWorld(t), random: rand.New(rand.NewPCG(seed, 0))}
	for _, company := range []*ent.Company{c.Company, c.neighbour(t)} {
		for i := range 4 {
			c.addUser(t, company, fmt.Sprint("Person ", i))
		}
		c.sites = append(c.sites, c.addSite(t, func(a *ent.AddressCreate) {
			a.SetCompanyID(company.ID).SetNillableRadius([]*int{nil, ptr(250)}[c.random.IntN(2)]).SetPolicies(setting.Policies{"geofenceIn": "flag"}).
				SetPoints([]geofence.Point{{Lat: -6, Lng: 106}}).
				SetLatitude(c.random.Float64()).SetLongitude(c.random.Float64()).SetName(company.Name)
		}))
	}
	for _, u := range c.users {
		c.addWork(t, u)
	}
	c.addHolidays(t)
	for _, u := range c.users {
		for _, role := range []string{viewer.Employee, viewer.Manager, viewer.Owner, ""} {
			v := viewer.From(c.As(u, role, *u.BusinessID))
			v.DeviceID = 1 + c.random.IntN(devices)
			c.viewers = append(c.viewers, v)
		}
	}
	return c
}

// neighbour adds a company.
func (c *crowd) neighbour(t *testing.T) (company *ent.Company) {
	c.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		company, err = db.Company.Create().SetName("Tetangga").SetTimezone("Asia/Makassar").SetLocale("id").SetCreatedAt(apptest.Now).Save(ctx)
		return err
	})
	return company.Unwrap()
}

// addUser adds a user of a company in a business, with a row to lock and perhaps a
// face and days of employment.
func (c *crowd) addUser(t *testing.T, company *ent.Company, name string) {
	var u *ent.User
	c.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		unit, err := db.Business.Create().SetCompanyID(company.ID).SetName(name).Save(ctx)
		if err != nil {
			return err
		}
		email := fmt.Sprintf("%d@%s.test", len(c.users), company.Name)
		create := db.User.Create().SetCompanyID(company.ID).SetName(name).SetEmail(email).SetEmailKey(email).SetBusinessID(unit.ID).SetCreatedAt(apptest.Now)
		if c.random.IntN(2) == 0 {
			create.SetJoinedOn("2026-03-01").SetLeftOn("2026-12-31")
		}
		if u, err = create.Save(ctx); err != nil {
			return err
		}
		if c.random.IntN(2) == 0 {
			face := db.FaceTemplate.Create().SetCompanyID(company.ID).SetUserID(u.ID).SetVersion(1).SetPoints(20).SetSealed("x").SetCreatedAt(apptest.Now)
			if err := face.Exec(ctx); err != nil {
				return err
			}
		}
		return db.ClockState.Create().SetCompanyID(company.ID).SetUserID(u.ID).Exec(ctx)
	})
	c.users = append(c.users, u.Unwrap())
	c.signIn(t, u, 1+c.random.IntN(devices))
}

// addWork gives a user occurrences and attendances of several days, the last of them
// perhaps open.
func (c *crowd) addWork(t *testing.T, u *ent.User) {
	s := c.addShift(t, "08:00", "17:00", func(s *ent.ShiftCreate) {
		s.SetCompanyID(u.CompanyID).SetBreaks([]string{"12:00-13:00"}).SetLateGraceMinutes(c.random.IntN(9)).SetNillableTimezone([]*string{nil, ptr("Asia/Tokyo")}[c.random.IntN(2)])
	})
	a := c.assign(t, u, s)
	c.addSets(t, u, s)
	planned := map[string]*ent.EmployeeShift{}
	for _, date := range []string{"2026-03-05", "2026-03-08", "2026-03-09", "2026-03-10", "2026-03-11", "2026-03-13", "2026-03-14"} {
		planned[date] = c.occurrence(t, a, shift.Date(date))
		c.occurrences = append(c.occurrences, planned[date])
	}
	open := []string{"", "2026-03-05", "2026-03-11"}[c.random.IntN(3)]
	for _, date := range []string{"2026-03-05", "2026-03-08", "2026-03-09", "2026-03-10", "2026-03-11"} {
		if date != open {
			c.addAttendance(t, planned[date], fmt.Sprintf("%s 09:%02d", date, 30+c.random.IntN(30)))
		}
	}
	if open != "" {
		c.addAttendance(t, planned[open], "")
	}
}

// addHolidays adds holidays of every kind.
func (c *crowd) addHolidays(t *testing.T) {
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		for i, site := range c.sites {
			for day := range 6 {
				create := db.Holiday.Create().SetCompanyID(site.CompanyID).SetName(fmt.Sprint(day)).SetDate(fmt.Sprintf("2026-03-%02d", 7+day+i)).SetHalf(day%2 == 0)
				if day%3 > 0 {
					create.SetAddressID(site.ID)
				}
				if err := create.Exec(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// addAttendance adds an attendance since 09:00 or some minutes later.
func (c *crowd) addAttendance(t *testing.T, o *ent.EmployeeShift, out string) {
	c.attend(t, o, fmt.Sprintf("%s 09:%02d", o.Date, c.random.IntN(30)), out, func(a *ent.AttendanceUpdateOne) {
		a.SetClockedInDeviceID(1 + c.random.IntN(devices)).SetNeedsConfirmation(c.random.IntN(2) == 0)
		if c.random.IntN(2) == 0 {
			a.SetFaceMatched(c.random.IntN(2) == 0)
		}
		if out != "" && c.random.IntN(2) == 0 {
			a.SetClockedOutLatitude(c.random.Float64()).SetClockedOutLongitude(c.random.Float64()).SetClockedOutAccuracy(c.random.Float64())
		}
		if c.random.IntN(2) == 0 {
			a.SetClockedOutDeviceID(1 + c.random.IntN(devices))
		}
	})
}

// event returns a random event of a viewer.
func (c *crowd) event(me *viewer.Viewer) *clockEvent {
	e := &clockEvent{Service: c.Service, me: me, shiftID: c.occurrences[c.random.IntN(len(c.occurrences))].ID}
	if own := slices.DeleteFunc(slices.Clone(c.occurrences), func(o *ent.EmployeeShift) bool { return o.UserID != me.UserID }); c.random.IntN(3) > 0 {
		e.shiftID = own[c.random.IntN(len(own))].ID
	}
	if c.random.IntN(3) > 0 {
		e.addressID = ptr(1 + c.random.IntN(len(c.sites)+2))
	}
	day := fmt.Sprintf("2026-03-%02d ", 5+c.random.IntN(7))
	e.at = jakarta(day + fmt.Sprintf("09:%02d", c.random.IntN(60)))
	return e
}

// want reads through ent what load reads for an event.
func (c *crowd) want(t *testing.T, ctx context.Context, e *clockEvent, kind clockKind) *clockEvent {
	want := &clockEvent{}
	me := e.me
	want.current = only[ent.Attendance](t)(c.DB.Attendance.Query().Where(attendance.UserID(me.UserID), attendance.OpenMarker(1)).
		Select(attendance.FieldID, attendance.FieldEmployeeShiftID, attendance.FieldAddressID, attendance.FieldWorkDate, attendance.FieldClockedInAt,
			attendance.FieldClockedInSource, attendance.FieldClockedInZone, attendance.FieldClockedInLatitude, attendance.FieldClockedInLongitude, attendance.FieldClockedInAccuracy, attendance.FieldClockedInDeviceID,
			attendance.FieldClockedInVerdict).Only(ctx))
	site := e.addressID
	if site == nil && want.current != nil {
		site = &want.current.AddressID
	}
	if site != nil {
		want.site = only[ent.Address](t)(c.DB.Address.Query().Where(address.ID(*site)).
			Select(address.FieldID, address.FieldName, address.FieldLatitude, address.FieldLongitude, address.FieldRadius, address.FieldPoints, address.FieldPolicies, address.FieldActive).Only(ctx))
	}
	want.occurrence = only[ent.EmployeeShift](t)(c.DB.EmployeeShift.Query().Where(employeeshift.ID(e.shiftID), employeeshift.UserID(me.UserID)).
		Select(employeeshift.FieldID, employeeshift.FieldDate, employeeshift.FieldStartAt, employeeshift.FieldEndAt, employeeshift.FieldClockInFrom,
			employeeshift.FieldClockInUntil, employeeshift.FieldTimezone).Only(ctx))
	want.person = only[ent.User](t)(c.DB.User.Query().Where(user.ID(me.UserID)).Select(user.FieldID, user.FieldJoinedOn, user.FieldLeftOn, user.FieldPolicies).Only(ctx))
	want.hasFace = c.DB.FaceTemplate.Query().Where(facetemplate.UserID(me.UserID), facetemplate.InForce(1)).ExistX(ctx)
	others := c.DB.Attendance.Query().Where(attendance.UserID(me.UserID))
	c.wantSets(want, me, site)
	date := "9999-12-31"
	if want.occurrence != nil {
		date = want.occurrence.Date
	}
	if kind == clockOut && want.current != nil {
		date = c.DB.Attendance.GetX(c.System(), want.current.ID).WorkDate
	}
	for _, x := range c.DB.Exemption.Query().Where(exemption.UserID(me.UserID), exemption.EndsOnGTE(date)).AllX(c.System()) {
		want.exempt = append(want.exempt, string(x.Rule))
	}
	slices.Sort(want.exempt)
	want.overtime = c.DB.OvertimeApproval.Query().
		Where(overtimeapproval.UserID(me.UserID), overtimeapproval.DateGTE(string(shift.DateOf(e.at, time.UTC).AddDays(-overtime.Before)))).ExistX(c.System())
	switch {
	case kind == clockIn:
		want.previous = only[ent.Attendance](t)(c.DB.Attendance.Query().Where(attendance.UserID(me.UserID), attendance.ClockedOutAtLTE(e.at), attendance.ClockedOutLatitudeNotNil()).
			Order(ent.Desc(attendance.FieldClockedOutAt)).
			Select(attendance.FieldID, attendance.FieldClockedOutAt, attendance.FieldClockedOutLatitude, attendance.FieldClockedOutLongitude, attendance.FieldClockedOutAccuracy).First(ctx))
		want.overlaps = others.Where(attendance.ClockedOutAtGT(e.at), attendance.ClockedInAtLTE(e.at)).ExistX(ctx)
		if want.occurrence != nil {
			at := []int{0}
			if want.site != nil {
				at = append(at, want.site.ID)
			}
			want.holiday = c.DB.Holiday.Query().Where(holiday.Date(want.occurrence.Date), holiday.Half(false), holiday.PlaceIn(at...)).ExistX(ctx)
		}
		want.shared = want.occurrence != nil && c.shared(me, want.occurrence.Date)
		if want.occurrence != nil {
			var off timesheet.Off
			for _, l := range c.DB.Leave.Query().Where(leave.UserID(me.UserID), leave.StateEQ(leave.StateApproved)).AllX(c.System()) {
				timeoff.Free(&off, []timeoff.Leave{leaves.Of(l)}, shift.Date(want.occurrence.Date), time.UTC)
			}
			want.onLeave = off.Leave == timesheet.Whole
		}
	case want.current != nil:
		want.overlaps = others.Where(attendance.ClockedOutAtGT(want.current.ClockedInAt), attendance.ClockedInAtLT(e.at), attendance.IDNEQ(want.current.ID)).ExistX(ctx)
		want.ended = want.current.EmployeeShiftID != e.shiftID && c.DB.Attendance.Query().Where(attendance.UserID(me.UserID),
			attendance.EmployeeShiftID(e.shiftID), attendance.ClockedInAtLT(want.current.ClockedInAt)).ExistX(ctx)
	}
	return want
}

// wantSets reads which sets a site is in for somebody and the occurrence of want, whoever
// sees the sets.
func (c *crowd) wantSets(want *clockEvent, me *viewer.Viewer, site *int) {
	if want.site == nil {
		return
	}
	chain := []int{}
	for next := c.DB.User.GetX(c.System(), me.UserID).BusinessID; next != nil; next = c.DB.Business.GetX(c.System(), *next).ParentID {
		chain = append(chain, *next)
	}
	of := []predicate.AllowedPlace{
		allowedplace.UserID(me.UserID), allowedplace.ShiftID(0),
		allowedplace.HasDesignationWith(designation.HasUsersWith(user.ID(me.UserID))), allowedplace.BusinessIDIn(chain...),
	}
	if want.occurrence != nil {
		of[1] = allowedplace.ShiftID(c.DB.EmployeeShift.GetX(c.System(), want.occurrence.ID).ShiftID)
	}
	var sets []string
	for _, p := range of {
		if set := c.DB.AllowedPlace.Query().Where(p).AllX(c.System()); len(set) > 0 {
			has := slices.ContainsFunc(set, func(p *ent.AllowedPlace) bool { return p.AddressID == *site })
			sets = append(sets, map[bool]string{false: "0", true: "1"}[has])
		}
	}
	want.places = placeSets(strings.Join(sets, ","))
}

// addSets gives a user sets of sites of every kind, and exemptions, at random.
func (c *crowd) addSets(t *testing.T, u *ent.User, s *ent.Shift) {
	sites := c.DB.Address.Query().Where(address.CompanyID(u.CompanyID)).AllX(c.System())
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		title := db.Designation.Create().SetCompanyID(u.CompanyID).SetName(u.Email).SaveX(ctx)
		db.UserDesignation.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDesignationID(title.ID).ExecX(ctx)
		above := db.Business.Create().SetCompanyID(u.CompanyID).SetName("above").SaveX(ctx)
		db.Business.UpdateOneID(*u.BusinessID).SetParentID(above.ID).ExecX(ctx)
		for _, site := range sites {
			for _, link := range []func(*ent.AllowedPlaceCreate){
				func(p *ent.AllowedPlaceCreate) { p.SetOf("user").SetUserID(u.ID) },
				func(p *ent.AllowedPlaceCreate) { p.SetOf("shift").SetShiftID(s.ID) },
				func(p *ent.AllowedPlaceCreate) { p.SetOf("designation").SetDesignationID(title.ID) },
				func(p *ent.AllowedPlaceCreate) { p.SetOf("business").SetBusinessID(above.ID) },
				func(p *ent.AllowedPlaceCreate) { p.SetOf("business").SetBusinessID(*u.BusinessID) },
			} {
				if c.random.IntN(5) == 0 {
					create := db.AllowedPlace.Create().SetCompanyID(u.CompanyID).SetAddressID(site.ID)
					link(create)
					create.ExecX(ctx)
				}
			}
		}
		for _, rule := range []exemption.Rule{"face", "geofence", "speed"} {
			if c.random.IntN(2) == 0 {
				db.Exemption.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRule(rule).SetEndsOn(fmt.Sprintf("2026-03-%02d", 5+c.random.IntN(9))).ExecX(ctx)
			}
		}
		c.addLeave(ctx, db, u)
		return nil
	})
}

// addLeave gives a user leave of every kind, and perhaps a decision about overtime.
func (c *crowd) addLeave(ctx context.Context, db *ent.Client, u *ent.User) {
	kind := db.LeaveType.Create().SetCompanyID(u.CompanyID).SetName(u.Email).SaveX(ctx)
	for day := range 9 {
		for range c.random.IntN(3) {
			date := fmt.Sprintf("2026-03-%02d", 5+day)
			create := db.Leave.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetLeaveTypeID(kind.ID).SetStartsOn("2026-03-04").SetEndsOn("2026-03-14").
				SetDates([]string{date}).SetState([]leave.State{"approved", "approved", "pending"}[c.random.IntN(3)]).SetWorkFromHome(c.random.IntN(4) == 0).
				SetReason("x").SetCreatedAt(apptest.Now).SetExpiresAt(apptest.Now)
			if c.random.IntN(4) == 0 {
				create.SetFromTime("08:00").SetToTime("09:00")
			} else {
				create.SetHalf(c.random.IntN(2) == 0)
			}
			create.ExecX(ctx)
		}
	}
	if c.random.IntN(2) == 0 {
		db.OvertimeApproval.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDate(fmt.Sprintf("2026-02-%02d", 20+c.random.IntN(9))).SetApproved(true).SetSeconds(60).
			SetDecidedBy(u.ID).SetDecidedAt(apptest.Now).ExecX(ctx)
	}
}

// shared reports whether others who signed in on the viewer's device used it on a
// date, whoever sees that.
func (c *crowd) shared(me *viewer.Viewer, date string) bool {
	var others []int
	for _, s := range c.DB.Session.Query().Where(session.DeviceID(me.DeviceID), session.CompanyID(me.CompanyID), session.UserIDNEQ(me.UserID)).AllX(c.System()) {
		others = append(others, s.UserID)
	}
	return c.DB.Attendance.Query().Where(attendance.UserIDIn(others...), attendance.WorkDate(date),
		attendance.Or(attendance.ClockedInDeviceID(me.DeviceID), attendance.ClockedOutDeviceID(me.DeviceID))).ExistX(c.System())
}

// TestLoadReadsWhatEntReads compares the statement of load with the same questions
// asked through ent, for random events of many viewers.
func TestLoadReadsWhatEntReads(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(2) {
		c := newCrowd(t, seed)
		for range 4 {
			for _, me := range c.viewers {
				ctx := viewer.NewContext(ent.NewContext(t.Context(), c.DB), me)
				for _, kind := range []clockKind{clockIn, clockOut} {
					got := c.event(me)
					want := c.want(t, ctx, got, kind)
					if err := got.load(ctx, kind); err != nil {
						t.Fatal(err)
					}
					for _, part := range []struct {
						name      string
						want, got any
						some      bool
					}{
						{"site", want.site, got.site, want.site != nil},
						{"open attendance", want.current, got.current, want.current != nil},
						{"occurrence", want.occurrence, got.occurrence, want.occurrence != nil},
						{"user", want.person, got.person, want.person != nil},
						{"overlap", want.overlaps, got.overlaps, want.overlaps},
						{"shared device", want.shared, got.shared, want.shared},
						{"holiday", want.holiday, got.holiday, want.holiday},
						{"leave", want.onLeave, got.onLeave, want.onLeave},
						{"overtime", want.overtime, got.overtime, want.overtime},
						{"face", want.hasFace, got.hasFace, want.hasFace},
						{"ended", want.ended, got.ended, want.ended},
						{"previous", want.previous, got.previous, want.previous != nil},
						{"sets", want.places, got.places, want.places != ""},
						{"exemptions", want.exempt, got.exempt, len(want.exempt) > 0},
					} {
						if d := diff.Diff(part.want, part.got, sameRows); d != "" {
							t.Fatalf("viewer %+v, event %+v, clock-in %v: %s (-want +got):\n%s", me, got, kind, part.name, d)
						}
						seen[fmt.Sprint(part.name, " ", part.some)]++
					}
				}
			}
		}
	}
	if len(seen) != 27 { // everybody sees the users of their company
		t.Errorf("compared %v, want some and none of each", seen)
	}
}

// TestStatementsReadOneUser has SQLite, which knows nothing of how many rows there are, plan
// the statements: what grows with the company is read by the user.
func TestStatementsReadOneUser(t *testing.T) {
	c := newCrowd(t, 1)
	me := c.viewers[0]
	var texts []string
	ctx := viewer.NewContext(ent.NewContext(t.Context(), c.DB), me)
	ctx = database.RecordStatements(ctx, func(_ context.Context, text string) { texts = append(texts, text) })
	for _, kind := range []clockKind{clockIn, clockOut} {
		if err := c.event(me).load(ctx, kind); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.readRoster(ctx, me); err != nil {
		t.Fatal(err)
	}
	searched := 0
	growing, byUser := regexp.MustCompile(`INDEX (attendance|employeeshift|leave|session)_`), regexp.MustCompile(`user_id=|device_id=|face_digest=`)
	for _, text := range texts {
		rows, err := c.DB.QueryContext(viewer.System(t.Context()), "EXPLAIN QUERY PLAN "+text, make([]any, strings.Count(text, "?"))...)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var step string
			if err := rows.Scan(new(int), new(int), new(int), &step); err != nil {
				t.Fatal(err)
			}
			if !growing.MatchString(step) {
				continue
			}
			searched++
			if !byUser.MatchString(step) {
				t.Errorf("%s", step)
			}
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if searched < 14 {
		t.Errorf("%d searches", searched)
	}
}

// rosterOf reads through ent what readRoster reads. Attendances are those that the
// viewer sees; one's own occurrences everybody sees.
func (c *crowd) rosterOf(ctx context.Context, me *viewer.Viewer) *roster {
	today := shift.DateOf(c.Now(), time.UTC)
	from, to := string(today.AddDays(-2)), string(today.AddDays(2))
	own := ctx
	if me.Scope("shift", "read") == viewer.None {
		own = c.System()
	}
	f := &roster{occurrences: c.DB.EmployeeShift.Query().
		Where(employeeshift.UserID(me.UserID), employeeshift.DateGTE(from), employeeshift.DateLTE(to)).
		Order(ent.Asc(employeeshift.FieldStartAt, employeeshift.FieldID)).AllX(own)}
	if open, err := c.DB.Attendance.Query().Where(attendance.UserID(me.UserID), attendance.OpenMarker(1)).Only(ctx); err == nil {
		from = min(from, open.WorkDate)
	}
	f.attendances = c.DB.Attendance.Query().Where(attendance.UserID(me.UserID), attendance.WorkDateGTE(from), attendance.WorkDateLTE(to)).
		WithEmployeeShift().Order(ent.Asc(attendance.FieldClockedInAt, attendance.FieldID)).AllX(ctx)
	for _, h := range c.DB.Holiday.Query().Where(holiday.DateGTE(string(today.AddDays(-2))), holiday.DateLTE(to)).AllX(ctx) {
		f.holidays = append(f.holidays, dayoff.Holiday{Date: shift.Date(h.Date), Place: h.Place, Half: h.Half})
	}
	found, err := leaves.Approved(ctx, me.CompanyID, []int{me.UserID}, timesheet.Period{From: today.AddDays(-2), To: shift.Date(to)})
	if err != nil {
		panic(err)
	}
	f.leave = found[me.UserID]
	u := c.DB.User.GetX(c.System(), me.UserID)
	f.bounds = timesheet.Bounds{Joined: shift.Date(text(u.JoinedOn)), Left: shift.Date(text(u.LeftOn))}
	if state, err := c.DB.ClockState.Query().Where(clockstate.UserID(me.UserID)).Only(c.System()); err == nil {
		f.until, f.zone = text(state.PlannedUntil), text(state.Timezone)
	}
	return f
}

// read keeps of rows of ent what readRoster reads.
func (f *roster) read() *roster {
	out := &roster{until: f.until, zone: f.zone, holidays: f.holidays, leave: f.leave, bounds: f.bounds}
	for _, o := range f.occurrences {
		out.occurrences = append(out.occurrences, readOccurrence(o))
	}
	for _, a := range f.attendances {
		row := &ent.Attendance{
			ID: a.ID, EmployeeShiftID: a.EmployeeShiftID, AddressID: a.AddressID, WorkDate: a.WorkDate, OpenMarker: a.OpenMarker,
			NeedsConfirmation: a.NeedsConfirmation, FaceMatched: a.FaceMatched, ClockedInAt: a.ClockedInAt, ClockedOutAt: a.ClockedOutAt,
		}
		row.Edges.EmployeeShift = readOccurrence(a.Edges.EmployeeShift)
		out.attendances = append(out.attendances, row)
	}
	return out
}

// text returns what p points to; "" for nil.
func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

func readOccurrence(o *ent.EmployeeShift) *ent.EmployeeShift {
	return &ent.EmployeeShift{
		ID: o.ID, Name: o.Name, Date: o.Date, StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom,
		ClockInUntil: o.ClockInUntil, Breaks: o.Breaks, BreakSeconds: o.BreakSeconds,
		BreakMinutes: o.BreakMinutes, BreakAfterMinutes: o.BreakAfterMinutes, LateGraceMinutes: o.LateGraceMinutes,
		EarlyGraceMinutes: o.EarlyGraceMinutes, HalfDayBelowMinutes: o.HalfDayBelowMinutes, AbsentBelowMinutes: o.AbsentBelowMinutes,
		WorkingHours: o.WorkingHours, Timezone: o.Timezone, EvaluatedAt: o.EvaluatedAt,
	}
}

// TestReadRosterReadsWhatEntReads compares the statement of readRoster with the same
// questions asked through ent.
func TestReadRosterReadsWhatEntReads(t *testing.T) {
	older := 0
	for seed := range uint64(2) {
		c := newCrowd(t, 10+seed)
		for _, me := range c.viewers {
			ctx := viewer.NewContext(ent.NewContext(t.Context(), c.DB), me)
			got, err := c.readRoster(ctx, me)
			if err != nil {
				t.Fatal(err)
			}
			want := c.rosterOf(ctx, me).read()
			if !slices.IsSortedFunc(got.attendances, func(a, b *ent.Attendance) int { return a.ClockedInAt.Compare(b.ClockedInAt) }) {
				t.Error("attendances are not in order")
			}
			if n := len(want.attendances); n > 0 && want.attendances[0].WorkDate == "2026-03-05" {
				older++
			}
			for i, a := range want.attendances {
				if i < len(got.attendances) {
					if d := diff.Diff(a.Edges.EmployeeShift, got.attendances[i].Edges.EmployeeShift, sameRows); d != "" {
						t.Errorf("viewer %+v: occurrence of an attendance (-want +got):\n%s", me, d)
					}
				}
			}
			if d := diff.Diff(want, got, sameRows, diff.AllowUnexported(roster{})); d != "" {
				t.Fatalf("viewer %+v (-want +got):\n%s", me, d)
			}
		}
	}
	if older == 0 {
		t.Error("nobody has an open attendance that is older than the window")
	}
}
