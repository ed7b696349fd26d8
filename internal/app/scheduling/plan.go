package scheduling

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/fallbackshift"
	"workforce/ent/plannedday"
	"workforce/ent/rotationassignment"
	entShift "workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/shiftversion"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A Person is somebody with what plans their shifts.
type Person struct {
	ID   int
	Zone string // of their work site, an IANA name; "" for the company's
	Plan shift.Plan
}

// A Timetable knows when the shifts of a company take place.
type Timetable struct {
	Company string             // its zone
	Shifts  map[int]*ent.Shift // by id
	former  map[int][]Version  // of each shift, the latest first
	known   map[Timed]shift.Occurrence
}

// Timed names an occurrence, in the zone of a person's work site.
type Timed struct {
	Shift int
	Date  shift.Date
	Zone  string
}

// A Version is the working time of a shift from a date on.
type Version struct {
	From                    shift.Date
	Number                  int
	Zone                    *string // IANA name
	Start, End              string
	Opens, Closes           int
	Late, Early             *int
	HalfDay, Absent         int
	Breaks                  []string
	BreakMinutes, BreaksDue int
	Hours                   string
}

// Present is the version that a shift shows.
func Present(s *ent.Shift) Version {
	return Version{
		shift.Date(s.AppliesFrom), s.Version, s.Timezone, s.StartTime, s.EndTime, s.OpensBeforeMinutes, s.ClosesAfterMinutes,
		s.LateGraceMinutes, s.EarlyGraceMinutes, s.HalfDayBelowMinutes, s.AbsentBelowMinutes, s.Breaks, s.BreakMinutes, s.BreakAfterMinutes,
		string(s.WorkingHours),
	}
}

// former is a version that a shift had.
func former(s *ent.ShiftVersion) Version {
	return Version{
		shift.Date(s.AppliesFrom), s.Version, s.Timezone, s.StartTime, s.EndTime, s.OpensBeforeMinutes, s.ClosesAfterMinutes,
		s.LateGraceMinutes, s.EarlyGraceMinutes, s.HalfDayBelowMinutes, s.AbsentBelowMinutes, s.Breaks, s.BreakMinutes, s.BreakAfterMinutes,
		string(s.WorkingHours),
	}
}

// Time returns the working time in a zone.
func (v Version) Time(zone *time.Location) shift.Shift {
	return shift.Shift{
		Start: shift.Clock(v.Start), End: shift.Clock(v.End), Zone: zone, OpensBefore: v.Opens, ClosesAfter: v.Closes, Breaks: Breaks(v.Breaks),
	}
}

// Breaks reads breaks as they are stored, each as 12:00-13:00.
func Breaks(stored []string) []shift.Break {
	out := make([]shift.Break, len(stored))
	for i, text := range stored {
		from, to, _ := strings.Cut(text, "-")
		out[i] = shift.Break{Start: shift.Clock(from), End: shift.Clock(to)}
	}
	return out
}

// Version returns the version of a shift that holds on a date; dates before the first
// have the first.
func (t *Timetable) Version(id int, d shift.Date) Version {
	v := Present(t.Shifts[id])
	for _, before := range t.former[id] {
		if d >= v.From {
			break
		}
		v = before
	}
	return v
}

// zone returns the zone of a version for somebody: its own, else their work site's, else
// the company's (rule SH-18).
func (t *Timetable) zone(v Version, site string) *time.Location {
	var own string
	if v.Zone != nil {
		own = *v.Zone
	}
	return shift.ZoneNamed(own, site, t.Company)
}

// At returns when shifts take place for somebody.
func (t *Timetable) At(site string) func(id int, d shift.Date) shift.Occurrence {
	return func(id int, d shift.Date) shift.Occurrence {
		key := Timed{id, d, site}
		o, ok := t.known[key]
		if !ok {
			v := t.Version(id, d)
			o = v.Time(t.zone(v, site)).On(d)
			o.BreakSeconds += v.BreakMinutes * 60
			t.known[key] = o
		}
		return o
	}
}

// A loader reads what plans the shifts of people of a company from a date on.
type loader struct {
	company *ent.Company
	ids     []int
	first   shift.Date
	people  map[int]*Person
	users   map[int]*ent.User
	parents map[int]int // of the businesses, once they are read
}

// Load reads what plans the shifts of people of a company for dates from first on, in a
// number of statements that does not grow with them. The context is the system's.
func Load(
	ctx context.Context, companyID int, ids []int, first shift.Date,
) (_ map[int]*Person, _ *Timetable, err error) {
	defer errs.Step(&err, "scheduling: load plans")
	company, err := ent.FromContext(ctx).Company.Get(ctx, companyID)
	if err != nil {
		return nil, nil, err
	}
	l := &loader{company: company, ids: ids, first: first, people: map[int]*Person{}}
	for _, id := range ids {
		l.people[id] = &Person{ID: id, Plan: shift.Plan{Days: map[shift.Date][]int{}, WeeklyOffs: setting.WeeklyOffs.Of(company.Settings)}}
	}
	for _, step := range []func(context.Context) error{l.assignments, l.rotations, l.days, l.workplaces, l.fallbacks} {
		if err := step(ctx); err != nil {
			return nil, nil, err
		}
	}
	table, err := l.timetable(ctx)
	return l.people, table, err
}

func (l *loader) assignments(ctx context.Context) error {
	rows, err := ent.FromContext(ctx).ShiftAssignment.Query().
		Where(shiftassignment.UserIDIn(l.ids...), shiftassignment.Or(shiftassignment.EndsOnIsNil(), shiftassignment.EndsOnGTE(string(l.first)))).
		Order(ent.Asc(shiftassignment.FieldID)).All(ctx)
	for _, a := range rows {
		p := &l.people[a.UserID].Plan
		p.Assignments = append(p.Assignments, Assigned(a))
	}
	return err
}

// Assigned returns what an assignment plans.
func Assigned(a *ent.ShiftAssignment) shift.Assigned {
	days := shift.Assignment{StartsOn: shift.Date(a.StartsOn), Weekdays: a.Weekdays, EveryWeeks: a.EveryWeeks}
	if a.EndsOn != nil {
		days.EndsOn = shift.Date(*a.EndsOn)
	}
	return shift.Assigned{ID: a.ID, Shift: a.ShiftID, Assignment: days}
}

func (l *loader) rotations(ctx context.Context) error {
	rows, err := ent.FromContext(ctx).RotationAssignment.Query().
		Where(rotationassignment.UserIDIn(l.ids...), rotationassignment.Or(rotationassignment.EndsOnIsNil(), rotationassignment.EndsOnGTE(string(l.first)))).
		Order(ent.Asc(rotationassignment.FieldStartsOn, rotationassignment.FieldID)).WithRotation().All(ctx)
	for _, r := range rows {
		p := &l.people[r.UserID].Plan
		p.Rotations = append(p.Rotations, Rotating(r, r.Edges.Rotation.Days))
	}
	return err
}

// Rotating returns what a rotation plans for somebody.
func Rotating(r *ent.RotationAssignment, days []int) shift.Rotation {
	out := shift.Rotation{StartsOn: shift.Date(r.StartsOn), FirstDay: r.FirstDay, Days: days}
	if r.EndsOn != nil {
		out.EndsOn = shift.Date(*r.EndsOn)
	}
	return out
}

func (l *loader) days(ctx context.Context) error {
	rows, err := ent.FromContext(ctx).PlannedDay.Query().
		Where(plannedday.UserIDIn(l.ids...), plannedday.DateGTE(string(l.first))).All(ctx)
	for _, d := range rows {
		l.people[d.UserID].Plan.Days[shift.Date(d.Date)] = d.ShiftIds
	}
	return err
}

// workplaces finds the zone of the site where each person works: that of the nearest
// business from theirs upwards that has an address with a zone of its own.
func (l *loader) workplaces(ctx context.Context) error {
	sites, err := ent.FromContext(ctx).Address.Query().
		Where(address.CompanyID(l.company.ID), address.Active(true), address.TimezoneNotNil(), address.BusinessIDNotNil()).
		Order(ent.Desc(address.FieldSortName, address.FieldID)).All(ctx)
	if err != nil || len(sites) == 0 {
		return err
	}
	zones := map[int]string{} // the first by name
	for _, a := range sites {
		zones[*a.BusinessID] = *a.Timezone
	}
	if err := l.readUsers(ctx); err != nil {
		return err
	}
	zoneOf := nearest(l, zones)
	for id, u := range l.users {
		l.people[id].Zone = zoneOf(u.BusinessID)
	}
	return nil
}

// readUsers reads the people and the tree of businesses, once.
func (l *loader) readUsers(ctx context.Context) error {
	if l.users != nil {
		return nil
	}
	users, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(l.ids...)).All(ctx)
	if err != nil {
		return err
	}
	l.users, l.parents = map[int]*ent.User{}, map[int]int{}
	for _, u := range users {
		l.users[u.ID] = u
	}
	rows, err := ent.FromContext(ctx).Business.Query().
		Where(business.CompanyID(l.company.ID), business.ParentIDNotNil()).Select(business.FieldID, business.FieldParentID).All(ctx)
	for _, b := range rows {
		l.parents[b.ID] = *b.ParentID
	}
	return err
}

// nearest returns a function of what the nearest business has, from one upwards. It goes
// through each business once, however many people ask.
func nearest[T any](l *loader, has map[int]T) func(id *int) T {
	known := maps.Clone(has)
	return func(id *int) (found T) {
		if id == nil {
			return found
		}
		var passed []int
		for b, ok := *id, true; ok && len(passed) <= len(l.parents); b, ok = l.parents[b] {
			if v, has := known[b]; has {
				found = v
				break
			}
			passed = append(passed, b)
		}
		for _, b := range passed {
			known[b] = found
		}
		return found
	}
}

// fallbacks finds the shift of each person for dates that nothing else plans: their own,
// else that of the first of their designations by name, else that of the nearest
// business.
func (l *loader) fallbacks(ctx context.Context) error {
	db := ent.FromContext(ctx)
	rows, err := db.FallbackShift.Query().Where(fallbackshift.CompanyID(l.company.ID), fallbackshift.HasShiftWith(entShift.Active(true))).All(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	if err := l.readUsers(ctx); err != nil {
		return err
	}
	own, byDesignation, byBusiness := map[int]int{}, map[int]int{}, map[int]int{}
	for _, f := range rows {
		switch {
		case f.UserID != nil:
			own[*f.UserID] = f.ShiftID
		case f.DesignationID != nil:
			byDesignation[*f.DesignationID] = f.ShiftID
		default:
			byBusiness[*f.BusinessID] = f.ShiftID
		}
	}
	held, err := db.UserDesignation.Query().Where(userdesignation.UserIDIn(l.ids...)).
		Order(userdesignation.ByDesignationField(designation.FieldSortName), ent.Asc(userdesignation.FieldDesignationID)).All(ctx)
	if err != nil {
		return err
	}
	first := map[int]int{} // by user
	for _, h := range held {
		if id, ok := byDesignation[h.DesignationID]; ok && first[h.UserID] == 0 {
			first[h.UserID] = id
		}
	}
	shiftOf := nearest(l, byBusiness)
	for id, u := range l.users {
		l.people[id].Plan.Fallback = cmp.Or(own[id], first[id], shiftOf(u.BusinessID))
	}
	return l.weeklyOffs(ctx)
}

// weeklyOffs finds the days on which fallback shifts do not count for each person: those
// of the address of their latest attendance; before the first, those of the nearest
// business from theirs upwards that has an address with days of its own. Others have the
// company's (rule SH-23).
func (l *loader) weeklyOffs(ctx context.Context) error {
	sites, err := ent.FromContext(ctx).Address.Query().
		Where(address.CompanyID(l.company.ID), address.WeeklyOffsNotNil()).
		Order(ent.Desc(address.FieldSortName, address.FieldID)).All(ctx)
	if err != nil || len(sites) == 0 {
		return err
	}
	bySite, byBusiness := map[int][]int{}, map[int][]int{} // the first by name
	for _, a := range sites {
		bySite[a.ID] = a.WeeklyOffs
		if a.Active && a.BusinessID != nil {
			byBusiness[*a.BusinessID] = a.WeeklyOffs
		}
	}
	latest, err := l.latestSites(ctx)
	offsOf := nearest(l, byBusiness)
	for id, u := range l.users {
		days := offsOf(u.BusinessID)
		if site, attended := latest[id]; attended {
			days = bySite[site]
		}
		if days != nil {
			l.people[id].Plan.WeeklyOffs = days
		}
	}
	return err
}

// latestSites returns the address of the latest attendance of each person who has one.
func (l *loader) latestSites(ctx context.Context) (map[int]int, error) {
	q := policysql.New(ctx)
	q.Add("SELECT u.id, (SELECT x.address_id FROM attendances x WHERE x.company_id = ? AND x.user_id = u.id ORDER BY x.work_date DESC, x.id DESC LIMIT 1) FROM users u WHERE u.id IN (NULL", l.company.ID)
	for id := range l.users {
		q.Add(", ?", id)
	}
	q.Add(")")
	latest := map[int]int{}
	err := q.Each(func(scan policysql.Scan) error {
		var id, site int
		err := scan(&id, policysql.Optional(&site))
		if site != 0 {
			latest[id] = site
		}
		return err
	})
	return latest, err
}

// timetable reads the shifts that the plans name. Planned days and rotations name them
// without a key: one that was deleted meanwhile counts as none.
func (l *loader) timetable(ctx context.Context) (*Timetable, error) {
	var ids []int
	for _, p := range l.people {
		ids = append(ids, p.Plan.Fallback)
		for _, a := range p.Plan.Assignments {
			ids = append(ids, a.Shift)
		}
		for _, r := range p.Plan.Rotations {
			ids = append(ids, r.Days...)
		}
		for _, d := range p.Plan.Days {
			ids = append(ids, d...)
		}
	}
	t := &Timetable{Company: l.company.Timezone, Shifts: map[int]*ent.Shift{}, former: map[int][]Version{}, known: map[Timed]shift.Occurrence{}}
	if err := t.Add(ctx, ids...); err != nil {
		return nil, err
	}
	gone := func(id int) bool { return t.Shifts[id] == nil }
	for _, p := range l.people {
		for d, shifts := range p.Plan.Days {
			p.Plan.Days[d] = slices.DeleteFunc(shifts, gone)
		}
		for i, r := range p.Plan.Rotations {
			p.Plan.Rotations[i].Days = slices.Clone(r.Days)
			for j, id := range r.Days {
				if gone(id) {
					p.Plan.Rotations[i].Days[j] = 0
				}
			}
		}
	}
	return t, nil
}

// Add adds shifts that the timetable does not have. An id that is 0 is none.
func (t *Timetable) Add(ctx context.Context, ids ...int) (err error) {
	defer errs.Step(&err, "scheduling: add an assignment")
	ids = slices.DeleteFunc(Sorted(ids...), func(id int) bool { return id == 0 || t.Shifts[id] != nil })
	if len(ids) == 0 {
		return nil
	}
	ctx = viewer.System(ctx)
	rows, err := ent.FromContext(ctx).Shift.Query().Where(entShift.IDIn(ids...)).All(ctx)
	if err != nil {
		return err
	}
	edited := false
	for _, s := range rows {
		t.Shifts[s.ID] = s
		edited = edited || s.Version > 1
	}
	if !edited {
		return nil
	}
	versions, err := ent.FromContext(ctx).ShiftVersion.Query().Where(shiftversion.ShiftIDIn(ids...)).
		Order(ent.Desc(shiftversion.FieldAppliesFrom)).All(ctx)
	for _, v := range versions {
		t.former[v.ShiftID] = append(t.former[v.ShiftID], former(v))
	}
	return err
}
