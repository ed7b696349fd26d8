package leave

import (
	"context"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// Request asks for leave of the viewer's, and returns the request's id.
func (s *Service) Request(ctx context.Context, in model.RequestLeaveInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	var faults errs.Faults
	period := checkPeriod(&faults, in.StartsOn, in.EndsOn)
	reason := input.Required(&faults, "reason", &in.Reason, tx.MaxNote)
	l := checkParts(&faults, in)
	if err := faults.Err(); err != nil {
		return 0, err
	}
	t, err := ent.FromContext(ctx).LeaveType.Query().Where(leavetype.ID(in.TypeID)).Only(ctx)
	if ent.IsNotFound(err) {
		return 0, errs.Field(errs.NotFound, "typeId", nil)
	}
	if err != nil {
		return 0, err
	}
	if err := checkType(t, l); err != nil {
		return 0, err
	}
	l.WorkFromHome = t.WorkFromHome
	if err := scheduling.Lock(viewer.System(ctx), me.CompanyID, []int{me.UserID}); err != nil {
		return 0, err
	}
	skipped, err := s.apply(ctx, me, &l, period, input.Value(in.IncludeHolidays.Value()))
	if err != nil {
		return 0, err
	}
	if err := s.checkBalance(ctx, me, t, l); err != nil {
		return 0, err
	}
	create := ent.FromContext(ctx).Leave.Create().SetCompanyID(me.CompanyID).SetUserID(me.UserID).SetLeaveTypeID(t.ID).
		SetWorkFromHome(t.WorkFromHome).SetStartsOn(in.StartsOn).SetEndsOn(in.EndsOn).SetHalf(l.Half).
		SetIncludeHolidays(input.Value(in.IncludeHolidays.Value())).SetDates(texts(l.Dates)).SetSkipped(texts(skipped)).
		SetReason(reason).SetCreatedAt(s.Now()).SetExpiresAt(s.Desk.ExpiresAt(ctx))
	if l.Hours() {
		create.SetFromTime(string(l.From)).SetToTime(string(l.To))
	}
	made, err := create.Save(viewer.System(ctx))
	if err != nil {
		return 0, err
	}
	return made.ID, s.Desk.Ask(ctx, message.LeaveAsked, me.UserID, in.StartsOn)
}

// checkParts reads how much of each date a request takes.
func checkParts(faults *errs.Faults, in model.RequestLeaveInput) (l timesheet.Leave) {
	l.Half = input.Value(in.Half.Value())
	from, to := in.FromTime.Value(), in.ToTime.Value()
	switch {
	case from != nil && to == nil:
		faults.Add("fromTime", errs.Needs, errs.Meta{"other": "toTime"})
	case from == nil && to != nil:
		faults.Add("toTime", errs.Needs, errs.Meta{"other": "fromTime"})
	case from != nil && l.Half:
		faults.Add("half", errs.Excludes, errs.Meta{"other": "fromTime"})
	}
	for _, of := range []struct {
		field string
		text  *string
		into  *shift.Clock
	}{{"fromTime", from, &l.From}, {"toTime", to, &l.To}} {
		if of.text == nil {
			continue
		}
		c, ok := shift.ParseClock(*of.text)
		if !ok {
			faults.Add(of.field, errs.BadFormat, errs.Meta{"expected": "08:00"})
		}
		*of.into = c
	}
	if l.Hours() && l.From == l.To {
		faults.Add("toTime", errs.SameAs, errs.Meta{"other": "fromTime"})
	}
	return l
}

// checkType refuses a type that is archived, and parts of a day that it does not have.
func checkType(t *ent.LeaveType, l timesheet.Leave) error {
	switch {
	case !t.Active:
		return errs.Conflicts(errs.Archived, "typeId", nil)
	case l.Hours() && (t.Unit != leavetype.UnitHour || t.WorkFromHome):
		return errs.Because("fromTime", errs.Excludes, errs.Meta{"other": "typeId"})
	case l.Half && (t.Unit == leavetype.UnitDay || t.WorkFromHome):
		return errs.Because("half", errs.Excludes, errs.Meta{"other": "typeId"})
	}
	return nil
}

// apply sets the dates of a leave, and returns those of the period to which it does not
// apply. The viewer's row is locked.
func (s *Service) apply(ctx context.Context, me *viewer.Viewer, l *timesheet.Leave, p timesheet.Period, holidays bool) (skipped []shift.Date, err error) {
	span, err := s.readSpan(ctx, me, p)
	if err != nil {
		return nil, err
	}
	l.Dates, skipped = span.dates(holidays)
	if len(l.Dates) == 0 {
		return nil, errs.Conflicts(errs.NoDays, "startsOn", nil)
	}
	today := s.Desk.Plans.Today(shift.ZoneNamed(me.Timezone))
	if err := approval.CheckLock(ctx, resource, nil, today, "startsOn", l.Dates...); err != nil {
		return nil, err
	}
	waiting, err := ent.FromContext(ctx).Leave.Query().
		Where(entLeave.CompanyID(me.CompanyID), entLeave.UserID(me.UserID), entLeave.StateEQ(entLeave.StatePending), entLeave.ExpiresAtGT(s.Now()),
			entLeave.EndsOnGTE(string(p.From)), entLeave.StartsOnLTE(string(p.To))).All(viewer.System(ctx))
	if err != nil {
		return nil, err
	}
	others := span.approved
	for _, w := range waiting {
		others = append(others, worktime.NewLeave(w))
	}
	if d, clashes := l.Clash(others, span.zone); clashes {
		return nil, errs.Conflicts(errs.Overlap, "startsOn", errs.Meta{"date": string(d)})
	}
	return skipped, nil
}
