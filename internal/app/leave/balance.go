package leave

import (
	"context"
	"fmt"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A use is what somebody took of an allowance, in minutes.
type use struct{ approved, pending int }

// A yearKey names a type in a calendar year.
type yearKey struct{ leaveType, year int }

// uses returns what a person took of types in years, in one statement. What waits counts
// until it expires.
func (s *Service) uses(ctx context.Context, me *viewer.Viewer, userID int, types []int, first, last int) (map[yearKey]use, error) {
	rows, err := ent.FromContext(ctx).Leave.Query().
		Where(entLeave.CompanyID(me.CompanyID), entLeave.UserID(userID), entLeave.LeaveTypeIDIn(types...),
			entLeave.EndsOnGTE(fmt.Sprintf("%04d-01-01", first)), entLeave.StartsOnLTE(fmt.Sprintf("%04d-12-31", last)),
			entLeave.Or(entLeave.StateEQ(entLeave.StateApproved), entLeave.And(entLeave.StateEQ(entLeave.StatePending), entLeave.ExpiresAtGT(s.Now())))).
		All(viewer.System(ctx))
	day, found := setting.LeaveDayMinutes.Of(me.Settings), map[yearKey]use{}
	for _, r := range rows {
		l := worktime.NewLeave(r)
		for year := first; year <= last; year++ {
			k := yearKey{r.LeaveTypeID, year}
			u := found[k]
			if r.State == entLeave.StateApproved {
				u.approved += l.Minutes(year, day)
			} else {
				u.pending += l.Minutes(year, day)
			}
			found[k] = u
		}
	}
	return found, err
}

// checkBalance refuses leave that takes more than is left of the allowance of a year. The
// viewer's row is locked.
func (s *Service) checkBalance(ctx context.Context, me *viewer.Viewer, t *ent.LeaveType, l timesheet.Leave) error {
	if t.YearlyAllowance == nil {
		return nil
	}
	years := l.Years()
	used, err := s.uses(ctx, me, me.UserID, []int{t.ID}, years[0], years[len(years)-1])
	if err != nil {
		return err
	}
	day := setting.LeaveDayMinutes.Of(me.Settings)
	for _, year := range years {
		u := used[yearKey{t.ID, year}]
		left := s.left(me, t, u)
		if l.Minutes(year, day) > left {
			return errs.Conflicts(errs.AllowanceExceeded, "endsOn", errs.Meta{"year": year, "remainingDays": daysOf(left, day)})
		}
	}
	return nil
}

// left returns how many minutes of the allowance of a type are left; less than none where leave was
// counted anew.
func (s *Service) left(me *viewer.Viewer, t *ent.LeaveType, u use) int {
	return minutesOf(*t.YearlyAllowance, setting.LeaveDayMinutes.Of(me.Settings)) - u.approved - u.pending
}

// minutesOf returns days, by halves, in minutes.
func minutesOf(days float64, day int) int { return int(days*2) * day / 2 }

// daysOf returns minutes in days.
func daysOf(minutes, day int) float64 { return float64(minutes) / float64(day) }

// Balances returns what is left of a person's allowances of a year, by name of the type, in
// a bounded number of statements.
func (s *Service) Balances(ctx context.Context, userID, year *int) ([]*model.LeaveBalance, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	of, err := input.Person(me, "userId", userID)
	if err != nil {
		return nil, err
	}
	in := timesheet.LeaveYear(s.Desk.Plans.Today(shift.ZoneNamed(me.Timezone)))
	if year != nil {
		if in = *year; in < 1 || in > 9998 {
			return nil, errs.Because("year", errs.OutOfRange, errs.Meta{"min": 1, "max": 9998})
		}
	}
	if of != me.Self() {
		if of, err = readable(ctx, me, of); err != nil {
			return nil, err
		}
	}
	types, err := ent.FromContext(ctx).LeaveType.Query().Where(leavetype.YearlyAllowanceNotNil()).
		Order(ent.Asc(leavetype.FieldSortName, leavetype.FieldID)).All(ctx)
	if err != nil || len(types) == 0 {
		return []*model.LeaveBalance{}, err
	}
	var ids []int
	for _, t := range types {
		ids = append(ids, t.ID)
	}
	used, err := s.uses(ctx, me, of, ids, in, in)
	day, out := setting.LeaveDayMinutes.Of(me.Settings), make([]*model.LeaveBalance, len(types))
	for i, t := range types {
		u := used[yearKey{t.ID, in}]
		out[i] = &model.LeaveBalance{
			LeaveType: t, Year: in, Allowance: *t.YearlyAllowance, Used: daysOf(u.approved, day), Pending: daysOf(u.pending, day),
			Remaining: daysOf(s.left(me, t, u), day),
		}
	}
	return out, err
}

// readable returns the id of a person whose leave the viewer reads.
func readable(ctx context.Context, me *viewer.Viewer, id int) (int, error) {
	reads, err := ent.FromContext(ctx).User.Query().Where(user.ID(id), worktime.InScope(me, me.Scope(resource,
		"read"))).Exist(ctx)
	if err == nil && !reads {
		err = errs.Field(errs.NotFound, "userId", nil)
	}
	return id, err
}
