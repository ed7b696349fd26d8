package demo

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/internal/app/scheduling"
	"workforce/internal/geofence"
	"workforce/internal/shift"
)

// planToday makes today's occurrences of those who work every day. It is the first step that
// makes any: so their ids are the same in every demo, and examples of requests can name them.
func (f *filler) planToday(ctx context.Context) error {
	var planned []*ent.EmployeeShift
	for i, p := range f.people {
		if p.days == 7 {
			a := f.assignments[f.users[i].ID]
			planned = append(planned, scheduling.NewOccurrence(a, f.shifts[p.shift], f.zone, f.today()))
		}
	}
	return scheduling.Store(ent.NewContext(ctx, f.db), planned, nil)
}

// addAttendance makes the occurrences of the past days, and a closed entry
// for most of them.
func (f *filler) addAttendance(ctx context.Context) error {
	for day := firstDate(f); day < f.today(); day = day.AddDays(1) {
		occurrences, err := f.addOccurrences(ctx, day, f.users)
		if err != nil {
			return err
		}
		if err := f.addEntries(ctx, f.entries(occurrences)); err != nil {
			return err
		}
	}
	return nil
}

// addOccurrences makes the occurrences of users that start on day, and returns those that there
// are on day by user.
func (f *filler) addOccurrences(
	ctx context.Context, day shift.Date, users []*ent.User,
) (map[int]*ent.EmployeeShift, error) {
	var planned []*ent.EmployeeShift
	for i, p := range f.people {
		if !slices.Contains(users, f.users[i]) {
			continue
		}
		a := f.assignments[f.users[i].ID]
		rule := shift.Assignment{StartsOn: shift.Date(a.StartsOn), Weekdays: a.Weekdays, EveryWeeks: a.EveryWeeks}
		if rule.Covers(day) {
			planned = append(planned, scheduling.NewOccurrence(a, f.shifts[p.shift], f.zone, day))
		}
	}
	if err := scheduling.Store(ent.NewContext(ctx, f.db), planned, nil); err != nil {
		return nil, err
	}
	made, err := f.db.EmployeeShift.Query().
		Where(employeeshift.CompanyID(f.company.ID), employeeshift.Date(string(day))).
		All(ctx)
	byUser := make(map[int]*ent.EmployeeShift, len(made))
	for _, o := range made {
		byUser[o.UserID] = o
	}
	return byUser, err
}

// pattern returns the shift of a name, in the company's zone.
func (f *filler) pattern(name string) shiftData {
	i := slices.IndexFunc(f.companyData.shifts, func(s shiftData) bool { return s.name == name })
	s := f.companyData.shifts[i]
	s.hours.Zone = f.zone
	return s
}

// An entry is one worked interval of one person at a site.
type entry struct {
	occurrence        *ent.EmployeeShift
	site              *ent.Address
	in, out           time.Time // out is zero of who is still at work
	inPoint, outPoint geofence.Point
}

// entries returns the worked intervals of one day. One person in twelve has none, but who forgets
// to clock out; nor has anyone who would still be at work now, so that every entry is closed.
func (f *filler) entries(occurrences map[int]*ent.EmployeeShift) (list []entry) {
	for i, u := range f.users {
		o := occurrences[u.ID]
		if o == nil {
			continue
		}
		e, away := f.entry(f.people[i], o), f.random.IntN(12) == 0
		forgets := slices.Contains(forgetful, f.people[i].email)
		if (!away || forgets) && !e.out.After(f.now) {
			list = append(list, e)
		}
	}
	return list
}

// entry returns when and where a person came and went: up to 25 minutes early or
// 10 late, and home from 5 minutes early to 45 late.
func (f *filler) entry(p personData, o *ent.EmployeeShift) entry {
	s := f.pattern(p.shift)
	usual := shift.Shift{Start: s.from, End: s.until, Zone: f.zone}.On(shift.Date(o.Date))
	site := f.site(p)
	return entry{
		occurrence: o,
		site:       site,
		in:         usual.StartAt.Add(between(f.random, -25, 10)).UTC(),
		out:        usual.EndAt.Add(between(f.random, -5, 45)).UTC(),
		inPoint:    near(f.random, site),
		outPoint:   near(f.random, site),
	}
}

// site is where a person works.
func (f *filler) site(p personData) *ent.Address { return f.workplaces[p.unit] }

// between returns a time between two numbers of minutes, to the second.
func between(r *rand.Rand, from, to int) time.Duration {
	return time.Duration(from*60+r.IntN((to-from)*60)) * time.Second
}

// near returns a position within some 65 metres of a site near the equator, to
// six decimals.
func near(r *rand.Rand, site *ent.Address) geofence.Point {
	const reach = 0.0004 // degrees, 45 metres
	about := func(degrees float64) float64 {
		return math.Round((degrees+reach*(2*r.Float64()-1))*1e6) / 1e6
	}
	return geofence.Point{Lat: about(site.Latitude), Lng: about(site.Longitude)}
}

// addEntries stores the entries of one day. Each is inserted as the open one of its
// user, as a clock-in would, and closed at once unless they are still at work.
func (f *filler) addEntries(ctx context.Context, list []entry) error {
	err := f.db.Attendance.MapCreateBulk(list, func(a *ent.AttendanceCreate, i int) {
		f.describe(a, list[i])
	}).Exec(ctx)
	if err != nil {
		return err
	}
	err = f.db.Attendance.Update().
		Where(entAttendance.CompanyID(f.company.ID), entAttendance.OpenMarkerNotNil(),
			entAttendance.ClockedOutAtNotNil()).
		ClearOpenMarker().
		Exec(ctx)
	if err != nil {
		return err
	}
	by := map[int][]int{} // users by the number of their events
	for _, e := range list {
		n := 2
		if e.out.IsZero() {
			n = 1
		}
		by[n] = append(by[n], e.occurrence.UserID)
	}
	for n, users := range by {
		if err := f.db.ClockState.Update().Where(clockstate.UserIDIn(users...)).AddEvents(n).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// describe fills the row of an entry.
func (f *filler) describe(a *ent.AttendanceCreate, e entry) {
	f.describeIn(a, e)
	if !e.out.IsZero() {
		f.describeOut(a, e)
	}
}

// describeIn fills what a clock-in writes.
func (f *filler) describeIn(a *ent.AttendanceCreate, e entry) {
	center := geofence.Point{Lat: e.site.Latitude, Lng: e.site.Longitude}
	inLocal, inOffset := shift.Wall(e.in, f.zone)
	a.SetCompanyID(f.company.ID).
		SetUserID(e.occurrence.UserID).
		SetEmployeeShiftID(e.occurrence.ID).
		SetAddressID(e.site.ID).
		SetWorkDate(e.occurrence.Date).
		SetClockedInAt(e.in).
		SetClockedInReceivedAt(e.in).
		SetClockedInLocal(inLocal).
		SetClockedInOffset(inOffset).
		SetClockedInZone(f.zone.String()).
		SetClockedInLatitude(e.inPoint.Lat).
		SetClockedInLongitude(e.inPoint.Lng).
		SetClockedInDistance(int(geofence.Distance(center, e.inPoint))).
		SetClockedInSource(entAttendance.ClockedInSourceApp).
		SetClockedInGeofence(entAttendance.ClockedInGeofenceInside)
}

// describeOut fills what a clock-out writes.
func (f *filler) describeOut(a *ent.AttendanceCreate, e entry) {
	center := geofence.Point{Lat: e.site.Latitude, Lng: e.site.Longitude}
	outLocal, outOffset := shift.Wall(e.out, f.zone)
	a.SetClockedOutAt(e.out).
		SetClockedOutReceivedAt(e.out).
		SetClockedOutLocal(outLocal).
		SetClockedOutOffset(outOffset).
		SetClockedOutZone(f.zone.String()).
		SetClockedOutLatitude(e.outPoint.Lat).
		SetClockedOutLongitude(e.outPoint.Lng).
		SetClockedOutDistance(int(geofence.Distance(center, e.outPoint))).
		SetClockedOutSource(entAttendance.ClockedOutSourceApp).
		SetClockedOutGeofence(entAttendance.ClockedOutGeofenceInside)
}
