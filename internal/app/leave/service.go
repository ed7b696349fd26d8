// Package leave is the use cases of leave: its types, requests of people not to work or to
// work at home, and what is left of their allowances.
package leave

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	row "workforce/ent/leave"
	"workforce/internal/app/approval"
	"workforce/internal/app/day"
	"workforce/internal/app/job"
	"workforce/internal/app/overtime"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// resource is that of the permissions of leave.
const resource = "leave"

// A Service knows the leave of people. Its methods are safe for concurrent use.
type Service struct {
	Now  func() time.Time // UTC, to the microsecond
	Desk *approval.Desk
	Days *day.Service // finds results of shifts
}

// leaveChanged does what follows where the approved leave of a person changed for dates:
// approvals of overtime go, and the results of past occurrences are found anew.
func (s *Service) leaveChanged(ctx context.Context, l *ent.Leave) error {
	var dates []shift.Date
	for _, d := range l.Dates {
		dates = append(dates, shift.Date(d))
	}
	if err := overtime.Reset(ctx, viewer.From(ctx), l.UserID, dates...); err != nil {
		return err
	}
	evaluated, err := ent.FromContext(ctx).EmployeeShift.Query().
		Where(employeeshift.CompanyID(l.CompanyID), employeeshift.UserID(l.UserID), employeeshift.DateIn(l.Dates...), employeeshift.EvaluatedAtNotNil()).
		IDs(viewer.System(ctx))
	if err != nil {
		return err
	}
	_, err = s.Days.Recompute(ctx, l.CompanyID, evaluated...)
	return err
}

// expireEvery is how often requests end that nobody decided in time.
const expireEvery = 5 * time.Minute

// Expiring is the periodic job that ends requests that nobody decided in time.
func (s *Service) Expiring() job.Kind {
	return job.Kind{Name: "leaves", Every: expireEvery, Run: func(ctx context.Context, r *job.Run) error {
		return r.Commit(ctx, func(ctx context.Context) error {
			return ent.FromContext(ctx).Leave.Update().Where(row.StateEQ(row.StatePending), row.ExpiresAtLTE(s.Now())).
				SetState(row.StateExpired).SetDecidedAt(s.Now()).Exec(ctx)
		})
	}}
}
