package timesheets

import (
	"context"
	"fmt"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/worktime"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/setting"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A Filter says whose timesheet is wanted, and how. Without people and business it is that
// of everybody whose attendance the viewer reads.
type Filter struct {
	UserIDs    []int // nil for none named
	BusinessID *int
	From, To   *period.Bound // nil members stand for this week
	By         model.TimesheetUnit
	Rounding   *model.TimesheetRounding
	Page       Page
}

// Widget returns the working time of a person, the viewer for nil, by day. NOT_FOUND on
// userId.
func (s *Service) Widget(ctx context.Context, userID *int, from, to *period.Bound) (*model.TimesheetWidget, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.period(ctx, me, from, to)
	if err != nil {
		return nil, err
	}
	if userID == nil && me.Widget != 0 {
		userID = &me.Widget
	}
	id, err := input.Person(me, "userId", userID)
	if err != nil {
		return nil, err
	}
	if me.Widget != 0 && id != me.Widget {
		return nil, errs.Field(errs.NotFound, "userId", nil)
	}
	q, err := named(ctx, me, "userId", []int{id})
	if err != nil {
		return nil, err
	}
	out := &model.TimesheetWidget{From: string(p.From), To: string(p.To), Days: []*model.TimesheetDay{}}
	if p.empty {
		return out, nil
	}
	users, err := list(ctx, q)
	if err != nil {
		return nil, err
	}
	booked, err := s.Booked(ctx, me, id, p.Period)
	if err != nil {
		return nil, err
	}
	err = s.each(ctx, me, users, p.Period, timesheet.Rounding{}, func(_ *worktime.Employee, days []timesheet.Day) {
		for _, d := range days {
			day := &model.TimesheetDay{
				Date: string(d.Date), Status: model.DayStatus(d.Status), TaskSeconds: booked[d.Date],
				WorkedSeconds: seconds(d.Worked), ClosedSeconds: seconds(d.Closed), LateSeconds: seconds(d.Late),
			}
			out.WorkedSeconds += day.WorkedSeconds
			out.ClosedSeconds += day.ClosedSeconds
			out.TaskSeconds += day.TaskSeconds
			out.Days = append(out.Days, day)
		}
	})
	return out, err
}

// Timesheet returns the working time of people by name. NOT_FOUND on userIds for one whom
// the viewer does not read, or on businessId; VALIDATION_FAILED on limit where the page
// would have more than 50,000 days of people.
func (s *Service) Timesheet(ctx context.Context, f Filter) (*model.Timesheet, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	p, err := s.period(ctx, me, f.From, f.To)
	if err != nil {
		return nil, err
	}
	round, offset, limit, err := f.read(len(p.Dates()))
	if err != nil {
		return nil, err
	}
	q, err := f.people(ctx, me, p.Period)
	if err != nil {
		return nil, err
	}
	out := &model.Timesheet{From: string(p.From), To: string(p.To), Total: newPart(p.Period), People: []*model.TimesheetPerson{}}
	if out.TotalCount, err = q.Clone().Count(database.Unprepared(ctx)); err != nil || out.TotalCount <= offset {
		return out, err
	}
	users, err := list(ctx, q.Offset(offset).Limit(limit))
	if err != nil {
		return nil, err
	}
	units := partsOf(p, f.By, setting.FirstWeekday.Of(me.Settings))
	err = s.each(ctx, me, users, p.Period, round, func(u *worktime.Employee, days []timesheet.Day) {
		person := &model.TimesheetPerson{UserID: u.ID, Name: u.Name, Total: newPart(p.Period), Parts: make([]*model.TimesheetPart, len(units))}
		sums := make([]model.TimesheetPart, len(units))
		for i, unit := range units {
			person.Parts[i] = &sums[i]
			sums[i].From, sums[i].To = string(unit.From), string(unit.To)
			for _, d := range days[unit.From.Days(p.From) : unit.To.Days(p.From)+1] {
				add(&sums[i], d)
				if f.By == model.TimesheetUnitDay {
					sums[i].Status = new(model.DayStatus(d.Status))
				}
			}
			merge(person.Total, &sums[i])
		}
		merge(out.Total, person.Total)
		out.People = append(out.People, person)
	})
	return out, err
}

// read returns the rounding and the page of a filter, of a period of some days.
func (f Filter) read(days int) (round timesheet.Rounding, offset, limit int, err error) {
	var faults errs.Faults
	offset, limit = f.Page.read(&faults)
	round = input.Rounding(&faults, f.Rounding)
	if most := maxPersonDays / max(days, 1); len(faults) == 0 && limit > most {
		faults.Add("limit", errs.OutOfRange, errs.Meta{"min": 1, "max": most})
	}
	return round, offset, limit, faults.Err()
}

// people returns a query of whom the timesheet is about.
func (f Filter) people(ctx context.Context, me *viewer.Viewer, p timesheet.Period) (*ent.UserQuery, error) {
	if f.UserIDs == nil {
		q, err := all(ctx, me, f.BusinessID)
		if err != nil {
			return nil, err
		}
		return q.Where(activeOrWorked(me, p)), nil
	}
	if f.BusinessID != nil {
		return nil, errs.Because("businessId", errs.Excludes, errs.Meta{"other": "userIds"})
	}
	return named(ctx, me, "userIds", f.UserIDs)
}

// partsOf returns the units of a period. The first and the last may be cut off.
func partsOf(p dates, by model.TimesheetUnit, firstWeekday int) (units []timesheet.Period) {
	if p.empty {
		return nil
	}
	for from := p.From; from <= p.To; {
		unit := timesheet.Period{From: from, To: from}
		switch by {
		case model.TimesheetUnitWeek:
			unit = timesheet.Week(from, firstWeekday)
		case model.TimesheetUnitMonth:
			unit = timesheet.Month(from)
		case model.TimesheetUnitPeriod:
			unit = p.Period
		}
		unit = timesheet.Period{From: from, To: min(unit.To, p.To)}
		units = append(units, unit)
		from = unit.To.AddDays(1)
	}
	return units
}

// Days calls show with the days of people, whoever reads them, as their timesheets have them
// for a viewer of their company.
func (s *Service) Days(ctx context.Context, me *viewer.Viewer, ids []int, p timesheet.Period, show func(user int, days []timesheet.Day)) error {
	users, err := list(viewer.System(ctx), ent.FromContext(ctx).User.Query().Where(user.CompanyID(me.CompanyID), user.IDIn(ids...)))
	if err != nil {
		return err
	}
	return s.each(viewer.System(ctx), me, users, p, timesheet.Rounding{}, func(u *worktime.Employee, days []timesheet.Day) { show(u.ID, days) })
}

// each calls show with the days of people, one after the other.
func (s *Service) each(ctx context.Context, me *viewer.Viewer, users []worktime.Employee, p timesheet.Period, round timesheet.Rounding, show func(*worktime.Employee, []timesheet.Day)) error {
	policy := timesheet.PolicyOf(me.Settings)
	people, err := worktime.ReadPeople(ctx, worktime.Company{ID: me.CompanyID, Settings: me.Settings}, users, reach(p, policy))
	if err != nil {
		return err
	}
	all := timesheet.NewSheets(round, p, policy, s.Now())
	var expected []timesheet.Record
	for i, person := range people {
		if i%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		expected = person.Expected(expected[:0])
		show(&person.Employee, all.Of(expected, person.Off))
		person.Works = nil
	}
	return nil
}

// reach returns the dates whose work a period may show: of shifts that go on into it, and
// of whole weeks where overtime is counted by week.
func reach(p timesheet.Period, policy timesheet.Policy) timesheet.Period {
	if policy.WeeklyAfter > 0 {
		p.From, p.To = timesheet.Week(p.From, policy.FirstWeekday).From, timesheet.Week(p.To, policy.FirstWeekday).To
	}
	p.From = p.From.AddDays(-2) // a clock-in is on the next date at the latest, and is closed 16 hours later
	return p
}

// newPart returns the empty sums of a period.
func newPart(p timesheet.Period) *model.TimesheetPart {
	return &model.TimesheetPart{From: string(p.From), To: string(p.To)}
}

// add adds a day.
func add(to *model.TimesheetPart, d timesheet.Day) {
	to.WorkedSeconds += seconds(d.Worked)
	to.ClosedSeconds += seconds(d.Closed)
	to.ExpectedSeconds += seconds(d.Expected)
	to.BalanceSeconds += seconds(d.Balance)
	to.LateSeconds += seconds(d.Late)
	to.EarlySeconds += seconds(d.Early)
	to.OvertimeSeconds += seconds(d.Overtime)
	to.EstimatedOvertimeSeconds += seconds(d.Estimate)
	to.NightSeconds += seconds(d.Night)
	to.LeaveTakenDays += float64(d.Leave) / float64(timesheet.Whole)
	to.LeaveSeconds += seconds(d.Freed)
	count(&to.LateDays, d.Late > 0)
	count(&to.EarlyDays, d.Early > 0)
	count(&to.OffDays, d.Off)
	*daysOf(to, d.Status)++
}

func count(n *int, is bool) {
	if is {
		*n++
	}
}

// daysOf returns the number of days with a status.
func daysOf(p *model.TimesheetPart, s timesheet.Status) *int {
	switch s {
	case timesheet.NeedsConfirmation:
		return &p.UnconfirmedDays
	case timesheet.Present:
		return &p.PresentDays
	case timesheet.WorkFromHome:
		return &p.WorkFromHomeDays
	case timesheet.HalfDay:
		return &p.HalfDays
	case timesheet.Absent:
		return &p.AbsentDays
	case timesheet.OnLeave:
		return &p.LeaveDays
	case timesheet.Holiday:
		return &p.Holidays
	case timesheet.WeeklyOff:
		return &p.WeeklyOffs
	case timesheet.NoStatus:
		return &p.OtherDays
	}
	panic(fmt.Sprintf("timesheets: status %q", s))
}

// figures returns the numbers of a part, in a fixed order.
func figures(p *model.TimesheetPart) [22]*int {
	return [...]*int{
		&p.WorkedSeconds, &p.ClosedSeconds, &p.ExpectedSeconds, &p.BalanceSeconds, &p.LateSeconds, &p.EarlySeconds,
		&p.OvertimeSeconds, &p.EstimatedOvertimeSeconds, &p.NightSeconds, &p.LateDays, &p.EarlyDays, &p.OffDays,
		&p.PresentDays, &p.WorkFromHomeDays, &p.HalfDays, &p.AbsentDays, &p.LeaveDays, &p.Holidays, &p.WeeklyOffs,
		&p.UnconfirmedDays, &p.OtherDays, &p.LeaveSeconds,
	}
}

// merge adds the sums of a part.
func merge(to, from *model.TimesheetPart) {
	to.LeaveTakenDays += from.LeaveTakenDays
	into, add := figures(to), figures(from)
	for i := range into {
		*into[i] += *add[i]
	}
}
