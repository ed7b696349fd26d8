package roster

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/employeeshift"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/dayoff"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/plan"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A Week says which part of a week's roster is wanted.
type Week struct {
	Date        *string // one of the week; nil for today
	BusinessID  *int
	Page, Limit *int
}

const (
	shownPeople = 50 // where no limit is given
	maxShown    = 1000
)

// Week returns what people work in a week, by name, in a number of statements that does
// not grow with them.
func (s *Service) Week(ctx context.Context, of Week) (*model.Roster, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	offset, limit, err := of.page()
	if err != nil {
		return nil, err
	}
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return nil, err
	}
	day := today
	if of.Date != nil {
		day = shift.Date(*of.Date)
	}
	first := day.WeekFrom(setting.FirstWeekday.Of(me.Settings))
	out := &model.Roster{StartsOn: string(first), EndsOn: string(first.AddDays(6)), People: []*model.RosterPerson{}}
	q, err := s.seen(ctx, me, of.BusinessID)
	if err != nil {
		return nil, err
	}
	if out.TotalCount, err = q.Clone().Count(ctx); err != nil || out.TotalCount <= offset {
		return out, err
	}
	users, err := q.Order(ent.Asc(user.FieldSortName, user.FieldID)).Offset(offset).Limit(limit).
		Select(user.FieldID, user.FieldName, user.FieldJoinedOn, user.FieldLeftOn).All(ctx)
	if err != nil {
		return nil, err
	}
	return out, s.fill(viewer.System(ctx), me, out, users, first)
}

// page returns where the part begins and how long it is.
func (w Week) page() (offset, limit int, err error) {
	limit = shownPeople
	var faults errs.Faults
	if w.Limit != nil {
		if limit = *w.Limit; limit < 1 || limit > maxShown {
			faults.Add("limit", errs.OutOfRange, errs.Meta{"min": 1, "max": maxShown})
		}
	}
	if w.Page != nil {
		if *w.Page < 1 || *w.Page > 1_000_000 {
			faults.Add("page", errs.OutOfRange, errs.Meta{"min": 1, "max": 1_000_000})
		}
		offset = (*w.Page - 1) * limit
	}
	return offset, limit, faults.Err()
}

// seen returns a query of the active people whose shifts the viewer reads, of a business
// and below it where one is given.
func (s *Service) seen(ctx context.Context, me *viewer.Viewer, businessID *int) (*ent.UserQuery, error) {
	q := ent.FromContext(ctx).User.Query().Where(organization.Active)
	switch me.Scope("shift", "read") {
	case viewer.All:
	case viewer.Team:
		q.Where(user.Or(user.ID(me.UserID), database.OneOf(user.FieldBusinessID, me.Businesses)))
	default:
		q.Where(user.ID(me.UserID))
	}
	if businessID == nil {
		return q, nil
	}
	found, err := ent.FromContext(ctx).Business.Query().Where(business.ID(*businessID)).Exist(ctx)
	if err := input.Referenced("businessId", found, err); err != nil {
		return nil, err
	}
	return q.Where(organization.WorksBelow(*businessID)), nil
}

// fill adds the weeks of people: the stored occurrences of those for whom they are made, and
// what is planned for the others.
func (s *Service) fill(ctx context.Context, me *viewer.Viewer, out *model.Roster, users []*ent.User, first shift.Date) error {
	ids := make([]int, len(users))
	for i, u := range users {
		ids[i] = u.ID
	}
	last := first.AddDays(6)
	made, unmade, err := plan.Made(ctx, ids, last.AddDays(1))
	if err != nil {
		return err
	}
	weeks, err := storedWeeks(ctx, made, first, last)
	if err == nil {
		err = s.plannedWeeks(ctx, me.CompanyID, unmade, first, last, weeks)
	}
	if err != nil {
		return err
	}
	var named []int
	for _, list := range weeks {
		for _, e := range list {
			named = append(named, e.Shift)
		}
	}
	shifts, err := plan.ShiftsByID(ctx, named)
	if err != nil {
		return err
	}
	off, err := dayoff.Read(ctx, dayoff.Company{ID: me.CompanyID, Settings: me.Settings}, ids, timesheet.Period{From: first, To: last})
	if err != nil {
		return err
	}
	for _, u := range users {
		out.People = append(out.People, &model.RosterPerson{UserID: u.ID, Name: u.Name, Shifts: show(weeks[u.ID], u, shifts, off, first, last)})
	}
	return nil
}

// storedWeeks returns the occurrences of people from the day before a week to the day after.
func storedWeeks(ctx context.Context, ids []int, first, last shift.Date) (map[int][]weekEntry, error) {
	weeks := map[int][]weekEntry{}
	if len(ids) == 0 {
		return weeks, nil
	}
	rows, err := ent.FromContext(ctx).EmployeeShift.Query().
		Where(employeeshift.UserIDIn(ids...), employeeshift.DateGTE(string(first.AddDays(-1))), employeeshift.DateLTE(string(last.AddDays(1)))).
		Order(ent.Asc(employeeshift.FieldStartAt)).
		Select(employeeshift.FieldID, employeeshift.FieldUserID, employeeshift.FieldShiftID, employeeshift.FieldDate, employeeshift.FieldStartAt,
			employeeshift.FieldEndAt, employeeshift.FieldTimezone, employeeshift.FieldOrigin).All(ctx)
	for _, o := range rows {
		weeks[o.UserID] = append(weeks[o.UserID], storedEntry(plan.Stored{EmployeeShift: o}))
	}
	return weeks, err
}

// storedEntry returns a stored occurrence, its times in its zone.
func storedEntry(o plan.Stored) weekEntry {
	local, zone := plan.Stay(o), shift.ZoneNamed(o.Timezone)
	local.StartAt, local.EndAt = local.StartAt.In(zone), local.EndAt.In(zone)
	return weekEntry{shift.Planned{Entry: shift.Entry{Shift: o.ShiftID, Origin: shift.Origin(o.Origin)}, Occurrence: local}, o.ID}
}

// plannedWeeks adds the occurrences that people will have to weeks.
func (s *Service) plannedWeeks(ctx context.Context, company int, ids []int, first, last shift.Date, weeks map[int][]weekEntry) error {
	if len(ids) == 0 {
		return nil
	}
	people, table, err := plan.Load(ctx, company, ids, first.AddDays(-2))
	if err != nil {
		return err
	}
	stored, err := plan.ReadStored(ctx, ids, first.AddDays(-2), last.AddDays(2))
	if err != nil {
		return err
	}
	var named []int
	for _, list := range stored {
		for _, o := range list {
			named = append(named, o.ShiftID)
		}
	}
	if err := table.Add(ctx, named...); err != nil {
		return err
	}
	for _, id := range ids {
		weeks[id] = week(people[id], table, stored[id], first, last, s.Plans.Now())
	}
	return nil
}

// A weekEntry is an occurrence of a week; id is 0 where it is not made yet.
type weekEntry struct {
	shift.Planned
	id int
}

// week returns the occurrences that a person will have: the stored ones, as they would
// follow the plan now.
func week(p *plan.Person, t *plan.Timetable, stored []plan.Stored, first, last shift.Date, now time.Time) []weekEntry {
	write, drop := plan.Follow(p, t, stored, first.AddDays(-1), last.AddDays(1), now)
	ids := map[plan.Timed]int{}
	var all []weekEntry
	for _, o := range stored {
		key := plan.Timed{Shift: o.ShiftID, Date: shift.Date(o.Date)}
		ids[key] = o.ID
		changed := slices.ContainsFunc(write, func(w shift.Planned) bool { return w.Shift == o.ShiftID && w.Date == key.Date })
		if !changed && !slices.Contains(drop, o.ID) {
			all = append(all, storedEntry(o))
		}
	}
	for _, w := range write {
		all = append(all, weekEntry{w, ids[plan.Timed{Shift: w.Shift, Date: w.Date}]})
	}
	slices.SortFunc(all, func(a, b weekEntry) int { return a.StartAt.Compare(b.StartAt) })
	return all
}

// show returns the entries of a week with what they clash with.
func show(entries []weekEntry, u *ent.User, shifts map[int]*ent.Shift, off *dayoff.Table, first, last shift.Date) []*model.RosterShift {
	list := []*model.RosterShift{}
	for i, e := range entries {
		if e.Date < first || e.Date > last {
			continue
		}
		row := &model.RosterShift{
			ShiftID: e.Shift, Name: shifts[e.Shift].Name, Colour: shifts[e.Shift].Colour, Date: string(e.Date),
			StartAt: e.StartAt, EndAt: e.EndAt, Origin: employeeshift.Origin(e.Origin), Clashes: []model.RosterClash{},
		}
		if e.id != 0 {
			row.EmployeeShiftID = &e.id
		}
		overlaps := func(other weekEntry) bool { return e.Overlaps(other.Occurrence) }
		if slices.ContainsFunc(entries[:i], overlaps) || slices.ContainsFunc(entries[i+1:], overlaps) {
			row.Clashes = append(row.Clashes, model.RosterClashOverlap)
		}
		if u.JoinedOn != nil && string(e.Date) < *u.JoinedOn || u.LeftOn != nil && string(e.Date) > *u.LeftOn {
			row.Clashes = append(row.Clashes, model.RosterClashEmployment)
		}
		free := off.Of(u.ID, e.Date, off.Site(u.ID), e.StartAt.Location())
		if free.Holiday == timesheet.Whole {
			row.Clashes = append(row.Clashes, model.RosterClashHoliday)
		}
		if free.Leave == timesheet.Whole {
			row.Clashes = append(row.Clashes, model.RosterClashLeave)
		}
		list = append(list, row)
	}
	return list
}
