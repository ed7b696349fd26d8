// Package leave is the use cases of leave: its types, requests of people not to work or to
// work at home, and what is left of their allowances.
package leave

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	entLeave "workforce/ent/leave"
	"workforce/internal/app/approval"
	"workforce/internal/app/job"
	"workforce/internal/app/results"
	"workforce/internal/app/worktime"
	"workforce/internal/revision"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// resource is that of the permissions of leave.
const resource = "leave"

// A Service knows the leave of people. Its methods are safe for concurrent use.
type Service struct {
	Now  func() time.Time // UTC, to the microsecond
	Desk *approval.Desk
	Days *results.Service // finds results of shifts
}

// leaveChanged does what follows where the approved leave of a person changed for dates:
// approvals of overtime go, and the results of past occurrences are found anew.
func (s *Service) leaveChanged(ctx context.Context, l *ent.Leave) error {
	dates, evaluated, err := touched(ctx, l)
	if err != nil {
		return err
	}
	if err := approval.ResetOvertime(ctx, viewer.From(ctx), l.UserID, dates...); err != nil {
		return err
	}
	_, err = s.Days.Recompute(ctx, l.CompanyID, evaluated...)
	return err
}

// touched returns the dates whose work a leave changes: its own and, for hours, those whose
// shift goes on after midnight into them; and the occurrences of these that have a result.
func touched(ctx context.Context, l *ent.Leave) (dates []shift.Date, evaluated []int, err error) {
	leave, asked := worktime.NewLeave(l), slices.Clone(l.Dates)
	for _, d := range leave.Dates {
		dates = append(dates, d)
		if leave.Hours() {
			asked = append(asked, string(d.AddDays(-1)), string(d.AddDays(1)))
		}
	}
	list, err := ent.FromContext(ctx).EmployeeShift.Query().
		Where(employeeshift.CompanyID(l.CompanyID), employeeshift.UserID(l.UserID), employeeshift.DateIn(asked...)).All(viewer.System(ctx))
	for _, o := range list {
		date := shift.Date(o.Date)
		if !leave.On(date) {
			var off timesheet.Off
			timesheet.FreeByLeave(&off, []timesheet.Leave{leave}, date, shift.ZoneNamed(o.Timezone))
			if !slices.ContainsFunc(off.LeaveTimes, func(i shift.Interval) bool {
				return revision.Overlap(i, shift.Interval{Start: o.StartAt, End: o.EndAt})
			}) {
				continue
			}
			dates = append(dates, date)
		}
		if o.EvaluatedAt != nil {
			evaluated = append(evaluated, o.ID)
		}
	}
	return dates, evaluated, err
}

// expireEvery is how often requests end that nobody decided in time.
const expireEvery = 5 * time.Minute

// Expiring is the periodic job that ends requests that nobody decided in time.
func (s *Service) Expiring() job.Kind {
	return job.Kind{Name: "leaves", Every: expireEvery, Run: func(ctx context.Context, r *job.Run) error {
		return r.Commit(ctx, func(ctx context.Context) error {
			return ent.FromContext(ctx).Leave.Update().Where(entLeave.StateEQ(entLeave.StatePending), entLeave.ExpiresAtLTE(s.Now())).
				SetState(entLeave.StateExpired).SetDecidedAt(s.Now()).Exec(ctx)
		})
	}}
}
