package leave

import (
	"context"
	"slices"
	"strconv"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/ent/user"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/worktime"
	"workforce/internal/audittrail"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// rechargedPeople is of how many people leave is counted anew in one transaction.
const rechargedPeople = 20

// Recharging are the jobs that count the dates of leave anew after holidays, weekly offs or shifts
// changed. One that is stopped may run again: what is right already is neither written nor told.
func (s *Service) Recharging() job.Kind {
	return job.Kind{Name: scheduling.Recharging, Run: func(ctx context.Context, r *job.Run) error {
		var of scheduling.Recharge
		if err := r.Payload(&of); err != nil {
			return err
		}
		ctx = audittrail.NewContext(ctx, audittrail.Trail{ActorID: r.CreatedBy, Now: s.Now})
		for last := 0; ; {
			ids, err := ent.FromContext(ctx).Leave.Query().
				Where(append(of.Leaves(r.Company, s.Now()), sql.FieldGT(entLeave.FieldUserID, last))...).
				Order(ent.Asc(entLeave.FieldUserID)).Limit(rechargedPeople).Unique(true).Select(entLeave.FieldUserID).Ints(ctx)
			if err != nil || len(ids) == 0 {
				return err
			}
			err = r.Commit(ctx, func(ctx context.Context) error { return s.recharge(ctx, r.Company, ids, of) })
			if err != nil {
				return err
			}
			last = ids[len(ids)-1]
		}
	}}
}

// recharge counts dates of the leave of people anew, in a transaction. The context is the system's.
func (s *Service) recharge(ctx context.Context, companyID int, ids []int, of scheduling.Recharge) error {
	company, err := ent.FromContext(ctx).Company.Get(ctx, companyID)
	if err != nil {
		return err
	}
	if err := scheduling.Lock(ctx, companyID, ids); err != nil {
		return err
	}
	leaves, err := s.leavesOf(ctx, companyID, ids, of)
	if err != nil || len(leaves) == 0 {
		return err
	}
	p := timesheet.Period{From: of.From, To: of.From}
	for _, l := range leaves {
		p.To = max(p.To, shift.Date(l.EndsOn))
	}
	spans, err := readSpans(ctx, worktime.Company{ID: companyID, Settings: company.Settings}, ids, p)
	if err != nil {
		return err
	}
	// What follows asks for the company of who looks.
	owner := viewer.NewContext(ctx, &viewer.Viewer{
		CompanyID: companyID, Timezone: company.Timezone, Settings: company.Settings, Owner: true,
	})
	for _, l := range leaves {
		span := spans[l.UserID]
		anew := timesheet.Period{From: max(of.From, s.Desk.Plans.Today(span.zone)), To: p.To}
		if of.To != "" {
			anew.To = of.To
		}
		if err := s.recount(owner, l, leaves, span, anew); err != nil {
			return err
		}
	}
	return nil
}

// leavesOf returns the waiting and approved leave of people from the first date on, by id, as it is
// now that their rows are locked.
func (s *Service) leavesOf(
	ctx context.Context, companyID int, ids []int, of scheduling.Recharge,
) ([]*ent.Leave, error) {
	of.Users, of.To = ids, ""
	return ent.FromContext(ctx).Leave.Query().Where(of.Leaves(companyID, s.Now())...).
		Order(ent.Asc(entLeave.FieldID)).All(ctx)
}

// recount counts dates of a leave anew beside the others of all, and tells of it where that changes
// them.
func (s *Service) recount(
	ctx context.Context, l *ent.Leave, all []*ent.Leave, span *span, anew timesheet.Period,
) error {
	var others []timesheet.Leave
	for _, o := range all {
		if o.UserID == l.UserID && o.ID != l.ID {
			others = append(others, worktime.NewLeave(o))
		}
	}
	asked := timesheet.Period{From: shift.Date(l.StartsOn), To: shift.Date(l.EndsOn)}
	free := func(d shift.Date) bool { return !l.IncludeHolidays && span.idle(d) }
	was := l.Dates
	dates := texts(worktime.NewLeave(l).Recount(asked, anew, free, others, span.zone))
	if slices.Equal(dates, was) {
		return nil
	}
	l.Dates = dates
	var skipped, changed []string
	for _, d := range texts(asked.Dates()) {
		had, has := slices.Contains(was, d), slices.Contains(dates, d)
		if !has {
			skipped = append(skipped, d)
		}
		if had != has {
			changed = append(changed, d)
		}
	}
	err := ent.FromContext(ctx).Leave.UpdateOneID(l.ID).SetDates(dates).SetSkipped(skipped).Exec(viewer.System(ctx))
	if err != nil {
		return err
	}
	if l.State == entLeave.StateApproved {
		of := *l
		of.Dates = changed
		if err := s.leaveChanged(ctx, &of); err != nil {
			return err
		}
	}
	return s.tellRecount(ctx, l, len(was))
}

// tellRecount tells the person of a leave, and who approved it or else is to decide, that it takes
// other dates. before is how many it took.
func (s *Service) tellRecount(ctx context.Context, l *ent.Leave, before int) error {
	short, err := s.overdrawn(ctx, l)
	if err != nil {
		return err
	}
	notice := scheduling.Notice{
		Date: l.StartsOn, Days: strconv.Itoa(len(l.Dates)), DaysBefore: strconv.Itoa(before), Short: short,
	}
	if err := s.Desk.Plans.Tell(ctx, message.LeaveRecounted, notice, l.UserID); err != nil {
		return err
	}
	if l.DecidedBy != nil {
		active, err := ent.FromContext(ctx).User.Query().Where(user.ID(*l.DecidedBy), user.Active(true)).
			Exist(viewer.System(ctx))
		if err != nil {
			return err
		}
		if active {
			notice.About = l.UserID
			return s.Desk.Plans.Tell(ctx, message.TeamLeaveRecounted, notice, *l.DecidedBy)
		}
	}
	return s.Desk.AskWith(ctx, message.TeamLeaveRecounted, l.UserID, notice)
}

// overdrawn returns the first year of a leave whose allowance it overdraws, as text; "" for none.
func (s *Service) overdrawn(ctx context.Context, l *ent.Leave) (string, error) {
	t, err := ent.FromContext(ctx).LeaveType.Get(viewer.System(ctx), l.LeaveTypeID)
	if err != nil || t.YearlyAllowance == nil {
		return "", err
	}
	years := worktime.NewLeave(l).Years()
	if len(years) == 0 {
		return "", nil
	}
	me := viewer.From(ctx)
	used, err := s.uses(ctx, me, l.UserID, []int{t.ID}, years[0], years[len(years)-1])
	for _, year := range years {
		if u := used[yearKey{t.ID, year}]; s.left(me, t, u) < 0 {
			return strconv.Itoa(year), err
		}
	}
	return "", err
}
