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
	entAttendance "workforce/ent/attendance"
	"workforce/ent/designation"
	"workforce/ent/employeeshift"
	entExemption "workforce/ent/exemption"
	"workforce/ent/facegallery"
	"workforce/ent/facetemplate"
	"workforce/ent/holiday"
	entLeave "workforce/ent/leave"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	"workforce/ent/predicate"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/internal/app/approval"
	"workforce/internal/app/apptest"
	"workforce/internal/app/worktime"
	"workforce/internal/database"
	"workforce/internal/geofence"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

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
func newCrowd(t *testing.T, url string, seed uint64) *crowd {
	c := &crowd{world: newWorldOn(t, url), random: rand.New(rand.NewPCG(seed, 0))}
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
			gallery := db.FaceGallery.Create().SetCompanyID(company.ID).SetUserID(u.ID).SetVersion(1 + c.random.IntN(2))
			if c.random.IntN(2) == 0 {
				gallery.SetSealed("y")
			}
			if err := gallery.Exec(ctx); err != nil {
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
		switch c.random.IntN(4) {
		case 0:
			a.SetFaceDigest(digestOf(c.random.IntN(2)))
		case 1:
			a.SetClockedOutFaceDigest(digestOf(c.random.IntN(2)))
		}
		if out != "" && c.random.IntN(2) == 0 {
			a.SetClockedOutLatitude(c.random.Float64()).SetClockedOutLongitude(c.random.Float64()).SetClockedOutAccuracy(c.random.Float64())
		}
		if c.random.IntN(2) == 0 {
			a.SetClockedOutDeviceID(1 + c.random.IntN(devices))
		}
	})
}

// request returns a random event of a viewer.
func (c *crowd) request(me *viewer.Viewer, kind clockKind) *request {
	r := &request{me: me, kind: kind, shiftID: c.occurrences[c.random.IntN(len(c.occurrences))].ID}
	if c.random.IntN(3) > 0 {
		own := slices.DeleteFunc(slices.Clone(c.occurrences), func(o *ent.EmployeeShift) bool { return o.UserID != me.UserID })
		r.shiftID = own[c.random.IntN(len(own))].ID
	}
	if kind == clockIn || c.random.IntN(3) > 0 {
		r.addressID = ptr(1 + c.random.IntN(len(c.sites)+2))
	}
	r.receivedAt = jakarta(fmt.Sprintf("2026-03-%02d 09:%02d", 5+c.random.IntN(7), c.random.IntN(60)))
	return r
}

// want reads through ent what is read for an event.
func (c *crowd) want(t *testing.T, ctx context.Context, r *request) *facts {
	want, me := &facts{}, r.me
	attendances := c.DB.Attendance.Query().Where(entAttendance.UserID(me.UserID))
	if a := only[ent.Attendance](t)(attendances.Clone().Where(entAttendance.OpenMarker(1)).Only(ctx)); a != nil {
		want.open = &openAttendance{
			ID: a.ID, ShiftID: a.EmployeeShiftID, AddressID: a.AddressID, WorkDate: a.WorkDate, ClockedInAt: a.ClockedInAt,
			Source: string(a.ClockedInSource), Zone: a.ClockedInZone, Latitude: a.ClockedInLatitude, Longitude: a.ClockedInLongitude,
			Accuracy: a.ClockedInAccuracy, DeviceID: a.ClockedInDeviceID, Verdict: a.ClockedInVerdict,
		}
	}
	siteID := r.addressID
	if siteID == nil && want.open != nil {
		siteID = &want.open.AddressID
	}
	if siteID != nil {
		if a := only[ent.Address](t)(c.DB.Address.Query().Where(address.ID(*siteID)).Only(ctx)); a != nil {
			want.site = &site{
				ID: a.ID, Name: a.Name, Latitude: a.Latitude, Longitude: a.Longitude, Radius: a.Radius, Points: a.Points,
				Policies: a.Policies, Active: a.Active,
			}
		}
	}
	o := only[ent.EmployeeShift](t)(c.DB.EmployeeShift.Query().Where(employeeshift.ID(r.shiftID), employeeshift.UserID(me.UserID)).Only(ctx))
	if o != nil {
		want.occurrence = &occurrence{
			ID: o.ID, Date: o.Date, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil, Timezone: o.Timezone, Evaluated: o.EvaluatedAt != nil,
		}
	}
	if u := only[ent.User](t)(c.DB.User.Query().Where(user.ID(me.UserID)).Only(ctx)); u != nil {
		want.person = &person{ID: u.ID, JoinedOn: text(u.JoinedOn), LeftOn: text(u.LeftOn), Policies: u.Policies}
	}
	want.hasFace = c.DB.FaceTemplate.Query().Where(facetemplate.UserID(me.UserID), facetemplate.InForce(1)).ExistX(ctx)
	if want.site != nil {
		want.allowed = c.sets(me, want.site.ID, o)
	}
	for _, x := range c.DB.Exemption.Query().Where(entExemption.UserID(me.UserID)).AllX(c.System()) {
		want.exemptions = append(want.exemptions, exemptionOf(x))
	}
	if r.kind == clockIn && want.site != nil && want.occurrence != nil {
		c.wantClockIn(t, ctx, r, want)
	}
	if r.kind == clockOut && want.open != nil {
		want.overlaps = attendances.Clone().Where(entAttendance.ClockedOutAtGT(want.open.ClockedInAt), entAttendance.ClockedInAtLT(r.at()),
			entAttendance.IDNEQ(want.open.ID)).ExistX(ctx)
		want.ended = want.open.ShiftID != r.shiftID && attendances.Clone().
			Where(entAttendance.EmployeeShiftID(r.shiftID), entAttendance.ClockedInAtLT(want.open.ClockedInAt)).ExistX(ctx)
		want.overtime = c.overtimeDecided(r)
	}
	return want
}

// wantClockIn reads through ent what the rules ask about a clock-in.
func (c *crowd) wantClockIn(t *testing.T, ctx context.Context, r *request, want *facts) {
	attendances, date := c.DB.Attendance.Query().Where(entAttendance.UserID(r.me.UserID)), want.occurrence.Date
	want.overtime = c.overtimeDecided(r)
	later := attendances.Clone().Where(entAttendance.ClockedOutAtGT(r.at()))
	if r.offline() {
		later.Where(entAttendance.ClockedInAtLTE(r.at()))
	}
	want.overlaps = later.ExistX(ctx)
	last := only[ent.Attendance](t)(attendances.Where(entAttendance.ClockedOutAtLTE(r.at()), entAttendance.ClockedOutLatitudeNotNil()).
		Order(ent.Desc(entAttendance.FieldClockedOutAt)).First(ctx))
	if last != nil {
		want.last = &fix{
			Latitude: *last.ClockedOutLatitude, Longitude: *last.ClockedOutLongitude, Accuracy: last.ClockedOutAccuracy, At: *last.ClockedOutAt,
		}
	}
	want.holiday = c.DB.Holiday.Query().Where(holiday.Date(date), holiday.Half(false), holiday.PlaceIn(0, want.site.ID)).ExistX(ctx)
	want.shared = c.shared(r.me, date)
	var off timesheet.Off
	for _, l := range c.DB.Leave.Query().Where(entLeave.UserID(r.me.UserID), entLeave.StateEQ(entLeave.StateApproved)).AllX(c.System()) {
		timesheet.FreeByLeave(&off, []timesheet.Leave{worktime.NewLeave(l)}, shift.Date(date), time.UTC)
	}
	want.onLeave = off.Leave == timesheet.Whole
}

// overtimeDecided reports whether overtime that an event may change was decided.
func (c *crowd) overtimeDecided(r *request) bool {
	from := shift.DateOf(r.at(), time.UTC).AddDays(-approval.OvertimeBefore)
	return c.DB.OvertimeApproval.Query().Where(entOvertimeApproval.UserID(r.me.UserID), entOvertimeApproval.DateGTE(string(from))).ExistX(c.System())
}

// sets reads which sets a site is in for somebody and an occurrence, nil for none, whoever sees the
// sets.
func (c *crowd) sets(me *viewer.Viewer, siteID int, o *ent.EmployeeShift) (sets siteSets) {
	chain := []int{}
	for next := c.DB.User.GetX(c.System(), me.UserID).BusinessID; next != nil; next = c.DB.Business.GetX(c.System(), *next).ParentID {
		chain = append(chain, *next)
	}
	contains := func(p predicate.AllowedPlace) *bool {
		set := c.DB.AllowedPlace.Query().Where(p).AllX(c.System())
		if len(set) == 0 {
			return nil
		}
		return ptr(slices.ContainsFunc(set, func(p *ent.AllowedPlace) bool { return p.AddressID == siteID }))
	}
	sets.Person = contains(allowedplace.UserID(me.UserID))
	if o != nil {
		sets.Shift = contains(allowedplace.ShiftID(o.ShiftID))
	}
	sets.Designation = contains(allowedplace.HasDesignationWith(designation.HasUsersWith(user.ID(me.UserID))))
	sets.Business = contains(allowedplace.BusinessIDIn(chain...))
	return sets
}

// exemptionOf returns an exemption of ent.
func exemptionOf(x *ent.Exemption) exemption {
	return exemption{Rule: string(x.Rule), EndsOn: x.EndsOn}
}

// text returns what p points to; "" for nil.
func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
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
		for _, rule := range []entExemption.Rule{"face", "geofence", "speed"} {
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
				SetDates([]string{date}).SetState([]entLeave.State{"approved", "approved", "pending"}[c.random.IntN(3)]).SetWorkFromHome(c.random.IntN(4) == 0).
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
	return c.DB.Attendance.Query().Where(entAttendance.UserIDIn(others...), entAttendance.WorkDate(date),
		entAttendance.Or(entAttendance.ClockedInDeviceID(me.DeviceID), entAttendance.ClockedOutDeviceID(me.DeviceID))).ExistX(c.System())
}

// TestFactsAreWhatEntReads compares the statements of facts with the same questions asked through
// ent, for random events of many viewers, on both databases.
func TestFactsAreWhatEntReads(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		seen := map[string]int{}
		for seed := range uint64(2) {
			if seed > 0 {
				url = testdb.SQLite(t)
			}
			c := newCrowd(t, url, seed)
			for range 4 {
				for _, me := range c.viewers {
					for _, kind := range []clockKind{clockIn, clockOut} {
						c.compare(t, c.request(me, kind), seen)
					}
				}
			}
		}
		if len(seen) != 27 { // everybody sees the users of their company
			t.Errorf("compared %v, want some and none of each", seen)
		}
	})
}

// compare compares the facts of an event with what ent reads, and counts what there was.
func (c *crowd) compare(t *testing.T, r *request, seen map[string]int) {
	t.Helper()
	ctx := viewer.NewContext(ent.NewContext(t.Context(), c.DB), r.me)
	want, got := c.want(t, ctx, r), &facts{}
	if err := readEvent(ctx, r, got); err != nil {
		t.Fatal(err)
	}
	if r.kind == clockOut || got.site != nil && got.occurrence != nil {
		if err := c.load(ctx, r, got); err != nil {
			t.Fatal(err)
		}
	}
	byRule := func(a, b exemption) int { return strings.Compare(a.Rule, b.Rule) }
	slices.SortFunc(want.exemptions, byRule)
	slices.SortFunc(got.exemptions, byRule)
	if got.site == nil {
		got.allowed = siteSets{}
	}
	for _, part := range []struct {
		name      string
		want, got any
		some      bool
	}{
		{"site", want.site, got.site, want.site != nil},
		{"open attendance", want.open, got.open, want.open != nil},
		{"occurrence", want.occurrence, got.occurrence, want.occurrence != nil},
		{"user", want.person, got.person, want.person != nil},
		{"overlap", want.overlaps, got.overlaps, want.overlaps},
		{"shared device", want.shared, got.shared, want.shared},
		{"holiday", want.holiday, got.holiday, want.holiday},
		{"leave", want.onLeave, got.onLeave, want.onLeave},
		{"overtime", want.overtime, got.overtime, want.overtime},
		{"face", want.hasFace, got.hasFace, want.hasFace},
		{"ended", want.ended, got.ended, want.ended},
		{"last fix", want.last, got.last, want.last != nil},
		{"sets", want.allowed, got.allowed, want.allowed != siteSets{}},
		{"exemptions", want.exemptions, got.exemptions, len(want.exemptions) > 0},
	} {
		if d := diff.Diff(part.want, part.got, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("viewer %+v, event %+v: %s (-want +got):\n%s", r.me, r, part.name, d)
		}
		seen[fmt.Sprint(part.name, " ", part.some)]++
	}
}

// TestFaceIsWhatEntReads compares the statement of faces with the same questions asked through ent.
func TestFaceIsWhatEntReads(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		c, seen := newCrowd(t, url, 5), map[string]int{}
		for i, me := range c.viewers {
			ctx := viewer.NewContext(ent.NewContext(t.Context(), c.DB), me)
			r := &request{me: me, digests: [][]byte{digestOf(9), digestOf(i % 3)}}
			var want sealedFace
			if f := only[ent.FaceTemplate](t)(c.DB.FaceTemplate.Query().Where(facetemplate.UserID(me.UserID), facetemplate.InForce(1)).Only(ctx)); f != nil {
				want.Version, want.Template = f.Version, f.Sealed
			}
			if g := only[ent.FaceGallery](t)(c.DB.FaceGallery.Query().Where(facegallery.UserID(me.UserID)).Only(ctx)); g != nil {
				want.GalleryVersion, want.Gallery = g.Version, text(g.Sealed)
				if want.Version == g.Version && g.Sealed != nil {
					want.Template = ""
				}
			}
			want.Replayed = c.DB.Attendance.Query().Where(entAttendance.CompanyID(me.CompanyID), entAttendance.Or(
				entAttendance.FaceDigest(r.digests[1]), entAttendance.ClockedOutFaceDigest(r.digests[1]))).ExistX(c.System())
			got, err := readSealedFace(ctx, r)
			if err != nil || got != want {
				t.Errorf("viewer %+v: %+v %v, want %+v", me, got, err, want)
			}
			seen[fmt.Sprint(want.Version > 0, want.Template != "", want.GalleryVersion, want.Replayed)]++
		}
		if len(seen) < 6 {
			t.Errorf("compared %v, want more kinds", seen)
		}
	})
}

// digestOf returns the digest of an array of landmarks.
func digestOf(n int) []byte { return []byte(fmt.Sprintf("%032d", n)) }

// TestStatementsReadOneUser has SQLite, which knows nothing of how many rows there are, plan the
// statements: what grows with the company is read by the user.
func TestStatementsReadOneUser(t *testing.T) {
	c := newCrowd(t, testdb.SQLite(t), 1)
	me := c.viewers[0]
	var texts []string
	ctx := viewer.NewContext(ent.NewContext(t.Context(), c.DB), me)
	ctx = database.RecordStatements(ctx, func(_ context.Context, text string) { texts = append(texts, text) })
	for _, kind := range []clockKind{clockIn, clockOut} {
		r := c.request(me, kind)
		r.digests = [][]byte{digestOf(0)}
		if _, err := readSealedFace(ctx, r); err != nil {
			t.Fatal(err)
		}
		f := &facts{occurrence: &occurrence{}, site: &site{}, open: &openAttendance{}}
		if err := c.load(ctx, r, f); err != nil {
			t.Fatal(err)
		}
		if err := readEvent(ctx, r, f); err != nil {
			t.Fatal(err)
		}
	}
	searched := 0
	growing, byUser := regexp.MustCompile(`INDEX (attendance|employeeshift|leave|session)_`), regexp.MustCompile(`user_id=|device_id=|face_digest=`)
	for _, text := range texts {
		plan, err := c.DB.QueryContext(viewer.System(t.Context()), "EXPLAIN QUERY PLAN "+text, make([]any, strings.Count(text, "?"))...)
		if err != nil {
			t.Fatal(err)
		}
		for plan.Next() {
			var step string
			if err := plan.Scan(new(int), new(int), new(int), &step); err != nil {
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
		if err := errors.Join(plan.Err(), plan.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if searched < 12 {
		t.Errorf("%d searches", searched)
	}
}
