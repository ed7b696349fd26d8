package roster

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"workforce/ent"
	"workforce/ent/plannedday"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/organization"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/worktime"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// maxWeeksApart is how many weeks lie between a week and the one that it is copied into at most.
const maxWeeksApart = 53

// A weekCopy is a week of people that is copied into another, whose people are locked.
type weekCopy struct {
	today, from, to shift.Date // first days of the weeks
	people          []person
	source          map[int][]*model.RosterShift
	stored          map[int][]scheduling.Stored // of the week to plan
	off             *worktime.DaysOff           // of that week
	plans           map[int]*scheduling.Person
	table           *scheduling.Timetable
	rows            map[personDate]*ent.PlannedDay // of that week
}

// A personDate is a date of somebody.
type personDate struct {
	user int
	date shift.Date
}

// CopyWeek plans for people in a week what they are planned for in another, in a number of
// statements that does not grow with them.
func (s *Service) CopyWeek(ctx context.Context, in model.CopyWeekInput) (*model.CopiedWeek, error) {
	out := &model.CopiedWeek{Skipped: []*model.SkippedDay{}}
	c, err := s.checkCopy(ctx, in)
	if err != nil {
		return nil, err
	}
	ids, err := copiedPeople(ctx, in.UserIds.Value())
	if err != nil || len(ids) == 0 {
		return out, err
	}
	company := viewer.From(ctx).CompanyID
	if err := scheduling.Lock(viewer.System(ctx), company, ids); err != nil {
		return nil, err
	}
	if err := s.readCopy(viewer.System(ctx), viewer.From(ctx), c, ids); err != nil {
		return nil, err
	}
	days := map[personDate][]int{}
	slices.SortFunc(c.people, func(a, b person) int { return cmp.Compare(a.ID, b.ID) })
	for i := range c.people {
		who := &c.people[i]
		planned, stay := c.copying(who).Days()
		for d, shifts := range planned {
			days[personDate{who.ID, d}] = shifts
		}
		for _, d := range slices.Sorted(slices.Values(sortedKeys(stay))) {
			reason := model.SkippedDayReason(stay[d])
			out.Skipped = append(out.Skipped, &model.SkippedDay{UserID: who.ID, Date: string(d), Reason: reason})
		}
	}
	out.Copied = len(days)
	return out, s.writeCopy(ctx, c, days)
}

// checkCopy returns the weeks of a request, or its faults.
func (s *Service) checkCopy(ctx context.Context, in model.CopyWeekInput) (*weekCopy, error) {
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	if ids := in.UserIds.Value(); ids != nil && len(ids) == 0 {
		faults.Add("userIds", errs.Required, nil)
	} else if len(ids) > maxPeople {
		faults.Add("userIds", errs.TooMany, errs.Meta{"max": maxPeople})
	}
	first := func(d shift.Date) shift.Date { return d.WeekFrom(setting.FirstWeekday.Of(viewer.From(ctx).Settings)) }
	soonest, last := first(today), first(today.AddDays(planAhead-6))
	c := &weekCopy{today: today}
	earliest, latest := soonest.AddDays(-7*maxWeeksApart), last.AddDays(7*maxWeeksApart+6)
	if in.From < string(earliest) || in.From > string(latest) {
		faults.Add("from", errs.OutOfRange, errs.Meta{"min": string(earliest), "max": string(latest)})
		return nil, faults.Err()
	}
	c.from = first(shift.Date(in.From))
	soonest, last = max(soonest, c.from.AddDays(-7*maxWeeksApart)), min(last, c.from.AddDays(7*maxWeeksApart)).AddDays(6)
	if in.To < string(soonest) || in.To > string(last) {
		faults.Add("to", errs.OutOfRange, errs.Meta{"min": string(soonest), "max": string(last)})
	} else if c.to = first(shift.Date(in.To)); c.to == c.from {
		faults.Add("to", errs.SameAs, errs.Meta{"other": "from"})
	}
	return c, faults.Err()
}

// copiedPeople returns the people of a list, in order, or everybody whose shifts the viewer plans
// where there is none. It is NOT_FOUND or FORBIDDEN for one whom they may not plan.
func copiedPeople(ctx context.Context, named []int) ([]int, error) {
	ids := scheduling.Sorted(named...)
	if named == nil {
		me := viewer.From(ctx)
		q := ent.FromContext(ctx).User.Query().Where(organization.Active, worktime.InScope(me, max(me.Scope("shift",
			"write"), viewer.Team)))
		var err error
		if ids, err = q.Order(ent.Asc(user.FieldID)).Limit(maxPeople + 1).IDs(ctx); err != nil {
			return nil, err
		}
		if len(ids) > maxPeople {
			return nil, errs.Because("userIds", errs.TooMany, errs.Meta{"max": maxPeople})
		}
	}
	allowed, err := scheduling.Writable(ctx, ids)
	if err != nil {
		return nil, err
	}
	if named == nil {
		return slices.DeleteFunc(ids, func(id int) bool { return allowed[id] == nil }), nil
	}
	refused, err := refuse(ctx, ids, allowed)
	if err != nil {
		return nil, err
	}
	var code errs.Code
	for _, g := range refused {
		if code = errs.CodeOf(g.err); code == errs.NotFound {
			break
		}
	}
	switch {
	case len(refused) == 0:
		return ids, nil
	case code == errs.NotFound:
		return nil, errs.Field(errs.NotFound, "userIds", nil)
	}
	return nil, errs.New(errs.Forbidden, nil)
}

// readCopy reads what copying needs of people. The context is the system's.
func (s *Service) readCopy(ctx context.Context, me *viewer.Viewer, c *weekCopy, ids []int) (err error) {
	if c.people, err = readPeople(ctx, ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...))); err != nil {
		return err
	}
	source := timesheet.Period{From: c.from, To: c.from.AddDays(6)}
	if c.source, err = s.weeksOf(ctx, me.CompanyID, c.people, source); err != nil {
		return err
	}
	if c.stored, err = scheduling.ReadStored(ctx, ids, c.to, c.to.AddDays(6)); err != nil {
		return err
	}
	if c.plans, c.table, err = scheduling.Load(ctx, me.CompanyID, ids, c.to.AddDays(-3)); err != nil {
		return err
	}
	var shifts []int
	for _, list := range c.source {
		for _, o := range list {
			shifts = append(shifts, o.ShiftID)
		}
	}
	if err := c.table.Add(ctx, scheduling.Sorted(shifts...)...); err != nil {
		return err
	}
	of := worktime.Company{ID: me.CompanyID, Settings: me.Settings}
	if c.off, err = worktime.ReadDaysOff(ctx, of, ids, timesheet.Period{From: c.to, To: c.to.AddDays(6)}); err != nil {
		return err
	}
	rows, err := c.readRows(ctx, ids)
	c.rows = rows
	return err
}

// readRows reads the planned days of people in the week that is to be planned.
func (c *weekCopy) readRows(ctx context.Context, ids []int) (map[personDate]*ent.PlannedDay, error) {
	list, err := ent.FromContext(ctx).PlannedDay.Query().
		Where(plannedday.UserIDIn(ids...), plannedday.DateGTE(string(c.to)),
			plannedday.DateLTE(string(c.to.AddDays(6)))).All(ctx)
	rows := make(map[personDate]*ent.PlannedDay, len(list))
	for _, d := range list {
		rows[personDate{d.UserID, shift.Date(d.Date)}] = d
	}
	return rows, err
}

// copying is the week of one person.
func (c *weekCopy) copying(who *person) shift.Copying {
	p := c.plans[who.ID]
	want := map[shift.Date][]int{}
	for _, o := range c.source[who.ID] {
		if n := shift.Date(o.Date).Days(c.from); n >= 0 && n < 7 {
			want[c.to.AddDays(n)] = append(want[c.to.AddDays(n)], o.ShiftID)
		}
	}
	return shift.Copying{
		Plan: p.Plan, First: c.to, Want: want, At: c.table.At(p.Zone),
		Stays: func(d shift.Date) string { return string(c.stays(who, d, want[d])) },
	}
}

// stays returns why a date of a person is not planned; "" for no reason.
func (c *weekCopy) stays(who *person, d shift.Date, shifts []int) model.SkippedDayReason {
	site := c.off.Site(who.ID)
	free := c.off.For(who.ID, d, site, shift.ZoneNamed(c.plans[who.ID].Zone, c.table.Company))
	worked := func(o scheduling.Stored) bool { return o.Date == string(d) && (o.Attended || o.Named) }
	switch {
	case d < c.today:
		return model.SkippedDayReasonPast
	case who.JoinedOn != nil && string(d) < *who.JoinedOn || who.LeftOn != nil && string(d) > *who.LeftOn:
		return model.SkippedDayReasonEmployment
	case slices.ContainsFunc(c.stored[who.ID], worked):
		return model.SkippedDayReasonWorked
	case free.Holiday == timesheet.Whole:
		return model.SkippedDayReasonHoliday
	case free.Leave == timesheet.Whole:
		return model.SkippedDayReasonLeave
	case slices.ContainsFunc(shifts, func(id int) bool { return !c.table.Shifts[id].Active }):
		return model.SkippedDayReasonArchived
	}
	return ""
}

// planUpsert writes the shifts of planned days.
var planUpsert = database.Upsert{
	Table:   plannedday.Table,
	Columns: []string{plannedday.FieldCompanyID, plannedday.FieldUserID, plannedday.FieldDate, plannedday.FieldShiftIds},
	Key:     []string{plannedday.FieldUserID, plannedday.FieldDate},
	Replace: []string{plannedday.FieldShiftIds},
}

// writeCopy plans days of people, has their occurrences follow, and tells them.
func (s *Service) writeCopy(ctx context.Context, c *weekCopy, days map[personDate][]int) error {
	if len(days) == 0 {
		return nil
	}
	company, sys := viewer.From(ctx).CompanyID, viewer.System(ctx)
	keys := sortedKeys(days)
	slices.SortFunc(keys, func(a, b personDate) int { return cmp.Or(a.user-b.user, cmp.Compare(a.date, b.date)) })
	var people []int
	for part := range slices.Chunk(keys, scheduling.Written) {
		var cells []any
		for _, k := range part {
			shifts, err := json.Marshal(days[k])
			if err != nil {
				return err
			}
			people, cells = append(people, k.user), append(cells, company, k.user, string(k.date), shifts)
		}
		if err := planUpsert.Exec(sys, ent.FromContext(sys), cells...); err != nil {
			return err
		}
	}
	people = scheduling.Sorted(people...)
	made, err := c.readRows(sys, people)
	if err != nil {
		return err
	}
	events := make([]audit.Event, len(keys))
	for i, k := range keys {
		facts := map[string]any{"user_id": k.user, "date": string(k.date), "shift_ids": days[k]}
		events[i] = audit.Event{
			Action: "planned_day.created", Company: company, Subject: ent.TypePlannedDay, ID: made[k].ID, Facts: facts,
		}
		if c.rows[k] != nil {
			events[i].Action = "planned_day.updated"
			facts["former_shift_ids"] = c.rows[k].ShiftIds
		}
	}
	for part := range slices.Chunk(events, scheduling.Written) {
		if err := s.Plans.Audit.Record(ctx, part...); err != nil {
			return err
		}
	}
	if err := s.Plans.Outdate(ctx, company, people...); err != nil {
		return err
	}
	return s.Plans.Tell(ctx, message.ShiftsChanged, scheduling.Notice{}, people...)
}
