package roster

import (
	"cmp"
	"context"
	stdsql "database/sql"
	"slices"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/policysql"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/worktime"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A Week says which part of the roster of a week, or of several, is wanted.
type Week struct {
	Date        *string // one of the first week; nil for today
	Weeks       *int    // nil for one
	BusinessID  *int
	Page, Limit *int
}

const (
	shownPeople = 50 // where no limit is given
	maxShown    = 1000
	maxWeeks    = 4
)

// Week returns what people work in some weeks, by name, in a number of statements that does
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
	weeks := 1
	if of.Weeks != nil {
		weeks = *of.Weeks
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
	p := timesheet.Period{From: first, To: first.AddDays(7*weeks - 1)}
	out := &model.Roster{StartsOn: string(p.From), EndsOn: string(p.To), People: []*model.RosterPerson{}}
	q, err := s.visiblePeople(ctx, me, of.BusinessID)
	if err != nil {
		return nil, err
	}
	if out.TotalCount, err = q.Clone().Count(database.Unprepared(ctx)); err != nil || out.TotalCount <= offset {
		return out, err
	}
	people, err := readPeople(ctx, q.Offset(offset).Limit(limit))
	if err != nil {
		return nil, err
	}
	return out, s.fill(ctx, me, out, people, p)
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
	if w.Weeks != nil && (*w.Weeks < 1 || *w.Weeks > maxWeeks) {
		faults.Add("weeks", errs.OutOfRange, errs.Meta{"min": 1, "max": maxWeeks})
	}
	return offset, limit, faults.Err()
}

// visiblePeople returns the active people whose shifts the viewer reads, of a business
// and below it where one is given.
func (s *Service) visiblePeople(ctx context.Context, me *viewer.Viewer, businessID *int) (*ent.UserQuery, error) {
	q := ent.FromContext(ctx).User.Query().Where(organization.Active, worktime.InScope(me, me.Scope("shift", "read")))
	if businessID == nil {
		return q, nil
	}
	found, err := ent.FromContext(ctx).Business.Query().Where(business.ID(*businessID)).Exist(ctx)
	if err := input.Referenced("businessId", found, err); err != nil {
		return nil, err
	}
	return q.Where(organization.WorksBelow(*businessID)), nil
}

// A person is what is read of somebody.
type person struct {
	ID           int
	Name         string
	JoinedOn     *string `sql:"joined_on"`
	LeftOn       *string `sql:"left_on"`
	PlannedUntil *string `sql:"planned_until"`
}

// readPeople reads people by name.
func readPeople(ctx context.Context, q *ent.UserQuery) (people []person, err error) {
	err = q.Order(ent.Asc(user.FieldSortName, user.FieldID)).
		Select(user.FieldID, user.FieldName, user.FieldJoinedOn, user.FieldLeftOn).
		Modify(func(s *sql.Selector) {
			c := sql.Table(clockstate.Table)
			s.LeftJoin(c).On(s.C(user.FieldID), c.C(clockstate.FieldUserID)).AppendSelect(c.C(clockstate.FieldPlannedUntil))
		}).Scan(ctx, &people)
	return people, err
}

// fill adds the weeks of people: their shifts, leave and holidays.
func (s *Service) fill(
	ctx context.Context, me *viewer.Viewer, out *model.Roster, people []person, p timesheet.Period,
) error {
	sys, ids := viewer.System(ctx), make([]int, len(people))
	for i, who := range people {
		ids[i] = who.ID
	}
	weeks, err := s.weeksOf(sys, me.CompanyID, people, p)
	if err != nil {
		return err
	}
	off, err := worktime.ReadDaysOff(sys, worktime.Company{ID: me.CompanyID, Settings: me.Settings}, ids, p)
	if err != nil {
		return err
	}
	leaves, err := s.leavesOf(ctx, me.CompanyID, ids, p)
	if err != nil {
		return err
	}
	all, holidays := make([]model.RosterPerson, len(people)), map[int][]*model.RosterHoliday{}
	out.People = make([]*model.RosterPerson, len(people))
	for i := range people {
		who, site := &people[i], off.Site(people[i].ID)
		if holidays[site] == nil {
			holidays[site] = holidaysAt(off, site, p)
		}
		all[i] = model.RosterPerson{
			UserID: who.ID, Name: who.Name, Shifts: show(weeks[who.ID], who, off, out),
			Leaves: leaves[who.ID], Holidays: holidays[site],
		}
		for _, o := range all[i].Shifts {
			all[i].Hours += o.Seconds
		}
		if all[i].Leaves == nil {
			all[i].Leaves = []*model.RosterLeave{}
		}
		out.People[i] = &all[i]
	}
	return nil
}

// weeksOf returns what people work from the day before a period to the day after: the stored
// occurrences of those for whom they are made, and what is planned for the others. The context
// is the system's.
func (s *Service) weeksOf(
	ctx context.Context, company int, people []person, p timesheet.Period,
) (map[int][]*model.RosterShift, error) {
	var made, unmade []int
	until := string(p.To.AddDays(1))
	for _, who := range people {
		if who.PlannedUntil != nil && *who.PlannedUntil >= until {
			made = append(made, who.ID)
		} else {
			unmade = append(unmade, who.ID)
		}
	}
	weeks, err := storedWeeks(ctx, made, p.From, p.To)
	if err == nil {
		err = s.plannedWeeks(ctx, company, unmade, p.From, p.To, weeks)
	}
	return weeks, err
}

// An entry is an occurrence of a week.
type entry struct {
	model.RosterShift
	id int // of EmployeeShiftID
}

// ofOccurrence returns the entry of an occurrence that exists.
func (e *entry) ofOccurrence(id int) *model.RosterShift {
	e.id = id
	e.EmployeeShiftID = &e.id
	return &e.RosterShift
}

// storedWeeks returns the occurrences of people from the day before a week to the day after.
// All that an occurrence shows besides its id is one column, which many rows share.
func storedWeeks(ctx context.Context, ids []int, first, last shift.Date) (map[int][]*model.RosterShift, error) {
	weeks := make(map[int][]*model.RosterShift, len(ids))
	if len(ids) == 0 {
		return weeks, nil
	}
	q := policysql.New(ctx)
	q.Add(`SELECT o.user_id, o.id, CONCAT_WS('|', o.date, o.start_at, o.end_at, o.timezone, o.origin,
		o.shift_id, o.break_seconds, COALESCE(s.colour, ''), s.name)
FROM employee_shifts o JOIN shifts s ON s.id = o.shift_id WHERE o.date BETWEEN ? AND ? AND `, string(first.AddDays(-1)), string(last.AddDays(1)))
	q.In("o.user_id", ids)
	var user, id int
	var text stdsql.RawBytes
	into := []any{policysql.Optional(&user), policysql.Optional(&id), &text}
	known := map[string]*model.RosterShift{}
	var block []entry // of several people
	err := q.Each(func(scan policysql.Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		shown := known[string(text)]
		if shown == nil {
			var err error
			if shown, err = shownOf(string(text)); err != nil {
				return err
			}
			known[string(text)] = shown
		}
		if len(block) == 0 {
			block = make([]entry, 128)
		}
		e := &block[0]
		block = block[1:]
		e.RosterShift = *shown
		of := weeks[user]
		if of == nil {
			of = make([]*model.RosterShift, 0, 9)
		}
		weeks[user] = append(of, e.ofOccurrence(id))
		return nil
	})
	return weeks, err
}

// shownOf returns what a text of the statement shows.
func shownOf(text string) (*model.RosterShift, error) {
	part := strings.SplitN(text, "|", 9)
	zone := shift.ZoneNamed(part[3])
	start, err := instant(part[1], zone)
	if err != nil {
		return nil, err
	}
	end, err := instant(part[2], zone)
	if err != nil {
		return nil, err
	}
	id, err := strconv.Atoi(part[5])
	if err != nil {
		return nil, err
	}
	breaks, err := strconv.Atoi(part[6])
	shown := &model.RosterShift{
		ShiftID: id, Name: part[8], Date: part[0], StartAt: start, EndAt: end, Seconds: working(start, end, breaks),
		Origin: employeeshift.Origin(part[4]), Clashes: []model.RosterClash{},
	}
	if part[7] != "" {
		shown.Colour = &part[7]
	}
	return shown, err
}

// working returns the seconds of a shift without its breaks.
func working(start, end time.Time, breaks int) int {
	return max(int(end.Sub(start)/time.Second)-breaks, 0)
}

// instant reads an instant as the databases write it, in UTC: SQLite's says so.
func instant(text string, zone *time.Location) (time.Time, error) {
	at, err := time.Parse(time.DateTime, strings.TrimSuffix(text, "+00:00"))
	return at.In(zone), err
}

// plannedWeeks adds the occurrences that people will have to weeks.
func (s *Service) plannedWeeks(ctx context.Context, company int, ids []int, first, last shift.Date, weeks map[int][]*model.RosterShift) error {
	if len(ids) == 0 {
		return nil
	}
	people, table, err := scheduling.Load(ctx, company, ids, first.AddDays(-2))
	if err != nil {
		return err
	}
	stored, err := scheduling.ReadStored(ctx, ids, first.AddDays(-2), last.AddDays(2))
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

// week returns the occurrences that a person will have: the stored ones, as they would
// follow the plan now.
func week(p *scheduling.Person, t *scheduling.Timetable, stored []scheduling.Stored, first, last shift.Date, now time.Time) []*model.RosterShift {
	write, drop := scheduling.Follow(p, t, stored, first.AddDays(-1), last.AddDays(1), now)
	ids := map[scheduling.Timed]int{}
	var all []*model.RosterShift
	for _, o := range stored {
		key := scheduling.Timed{Shift: o.ShiftID, Date: shift.Date(o.Date)}
		ids[key] = o.ID
		changed := slices.ContainsFunc(write, func(w shift.Planned) bool { return w.Shift == o.ShiftID && w.Date == key.Date })
		if !changed && !slices.Contains(drop, o.ID) {
			zone := shift.ZoneNamed(o.Timezone)
			made := entryOf(t.Shifts[o.ShiftID], key.Date, o.StartAt.In(zone), o.EndAt.In(zone), o.Origin)
			made.Seconds = working(o.StartAt, o.EndAt, o.BreakSeconds)
			all = append(all, made.ofOccurrence(o.ID))
		}
	}
	for _, w := range write {
		e := entryOf(t.Shifts[w.Shift], w.Date, w.StartAt, w.EndAt, employeeshift.Origin(w.Origin))
		e.Seconds = working(w.StartAt, w.EndAt, w.BreakSeconds)
		if id := ids[scheduling.Timed{Shift: w.Shift, Date: w.Date}]; id != 0 {
			e.ofOccurrence(id)
		}
		all = append(all, &e.RosterShift)
	}
	return all
}

func entryOf(s *ent.Shift, d shift.Date, start, end time.Time, origin employeeshift.Origin) *entry {
	return &entry{RosterShift: model.RosterShift{
		ShiftID: s.ID, Name: s.Name, Colour: s.Colour, Date: string(d), StartAt: start, EndAt: end, Origin: origin, Clashes: []model.RosterClash{},
	}}
}

// show returns the occurrences of a week, of some from the day before to the day after, with
// what they clash with.
func show(list []*model.RosterShift, p *person, off *worktime.DaysOff, of *model.Roster) []*model.RosterShift {
	slices.SortFunc(list, func(a, b *model.RosterShift) int { return cmp.Or(a.StartAt.Compare(b.StartAt), a.ShiftID-b.ShiftID) })
	markOverlaps(list)
	list = slices.DeleteFunc(list, func(s *model.RosterShift) bool { return s.Date < of.StartsOn || s.Date > of.EndsOn })
	for _, s := range list {
		if p.JoinedOn != nil && s.Date < *p.JoinedOn || p.LeftOn != nil && s.Date > *p.LeftOn {
			s.Clashes = append(s.Clashes, model.RosterClashEmployment)
		}
		free := off.For(p.ID, shift.Date(s.Date), off.Site(p.ID), s.StartAt.Location())
		if free.Holiday == timesheet.Whole {
			s.Clashes = append(s.Clashes, model.RosterClashHoliday)
		}
		if free.Leave == timesheet.Whole {
			s.Clashes = append(s.Clashes, model.RosterClashLeave)
		}
	}
	if list == nil {
		list = []*model.RosterShift{}
	}
	return list
}

// markOverlaps marks the occurrences, by start, at the time of which there is another.
func markOverlaps(list []*model.RosterShift) {
	overlap := []model.RosterClash{model.RosterClashOverlap}
	for i, s := range list {
		for _, later := range list[i+1:] {
			if !later.StartAt.Before(s.EndAt) {
				break
			}
			if s.StartAt.Before(later.EndAt) {
				s.Clashes, later.Clashes = overlap[:1:1], overlap[:1:1]
			}
		}
	}
}
