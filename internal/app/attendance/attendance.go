// Package attendance holds the use cases of clocking in and out: the events, their review and
// confirmation, and exemptions from the rules.
package attendance

import (
	"context"
	"fmt"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	"workforce/internal/app/live"
	"workforce/internal/app/notify"
	"workforce/internal/app/results"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/sealed"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A Service records clock events. Its methods are safe for concurrent use.
type Service struct {
	Now     func() time.Time // UTC, to the microsecond
	Faces   *sealed.Sealer   // of face templates
	FaceKey *sealed.Derived  // of the digests of faces
	Notify  *notify.Service
	Audit   *audit.Recorder
	Work    *worktime.Service // finds today's occurrences
	Desk    *approval.Desk
	Days    *results.Service // closes forgotten attendances, and finds results of shifts
	Live    *live.Service    // may be nil
	// StopTimers stops the timers of the viewer that began before an instant.
	StopTimers func(ctx context.Context, me *viewer.Viewer, at time.Time) error
}

// ClockIn opens the viewer's attendance for one of their occurrences and returns its id; 0 if the
// request repeats one that was recorded already.
func (s *Service) ClockIn(ctx context.Context, in model.ClockInInput) (opened int, err error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	r, err := s.readClockIn(ctx, me, in)
	if err != nil {
		s.recordRefused(ctx, me, nil, err)
		return 0, err
	}
	var f facts
	opened, err = s.clockIn(ctx, r, &f)
	if err != nil {
		s.recordRefused(ctx, me, f.occurrence, err)
		s.keepUnpaired(ctx, r, &f, err)
	}
	return opened, err
}

// clockIn loads the facts of a clock-in, judges it, and writes the attendance.
func (s *Service) clockIn(ctx context.Context, r *request, f *facts) (opened int, err error) {
	if err := s.matchSite(ctx, r); err != nil {
		return 0, err
	}
	if err := s.begin(ctx, r, f); err != nil {
		return 0, err
	}
	repeat, err := s.repeatsClockIn(ctx, r, f.open)
	if err != nil || repeat {
		return 0, err
	}
	if err := s.closeForgotten(ctx, r, f.open); err != nil {
		return 0, err
	}
	if err := s.load(ctx, r, f); err != nil {
		return 0, err
	}
	d, err := judgeClockIn(r, f)
	if err != nil {
		return 0, err
	}
	opened, err = s.open(ctx, r, f, d)
	if err != nil {
		return 0, err
	}
	if f.onLeave {
		if err := s.Desk.Ask(ctx, message.WorksOnLeave, r.me.UserID, f.occurrence.Date); err != nil {
			return 0, err
		}
	}
	if f.occurrence.Evaluated { // the event comes late
		if err := results.Outdate(ctx, f.occurrence.ID); err != nil {
			return 0, fmt.Errorf("outdate the result: %w", err)
		}
	}
	return opened, resetOvertime(ctx, r, f, f.occurrence.Date)
}

// recordRefused records in the audit that a clock-in was refused, for which of the viewer's
// occurrences, nil for none, and why. Malformed members and failures of the server are no
// refusals.
func (s *Service) recordRefused(ctx context.Context, me *viewer.Viewer, o *occurrence, err error) {
	code := errs.CodeOf(err)
	if code == errs.Internal || code == errs.Invalid {
		return
	}
	event := audit.Event{
		Action: audit.ClockInRefused, Company: me.CompanyID, Subject: ent.TypeUser, ID: me.UserID,
		Facts: map[string]any{"code": code},
	}
	if o != nil {
		event.Subject, event.ID = ent.TypeEmployeeShift, o.ID
	}
	s.Audit.RecordRefused(ctx, event)
}

// ClockOut closes the viewer's open attendance, unless the request repeats one that was recorded
// already.
func (s *Service) ClockOut(ctx context.Context, in model.ClockOutInput) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	r, err := s.readClockOut(ctx, me, in)
	if err != nil {
		return err
	}
	var f facts
	err = s.clockOut(ctx, r, &f)
	if err != nil {
		s.keepUnpaired(ctx, r, &f, err)
	}
	return err
}

// clockOut loads the facts of a clock-out, judges it, and closes the attendance.
func (s *Service) clockOut(ctx context.Context, r *request, f *facts) error {
	if err := s.begin(ctx, r, f); err != nil {
		return err
	}
	repeat, err := s.repeatsClockOut(ctx, r, f.open)
	if err != nil || repeat {
		return err
	}
	if err := s.load(ctx, r, f); err != nil {
		return err
	}
	d, err := judgeClockOut(r, f)
	if err != nil {
		return err
	}
	if err := s.close(ctx, r, f, d); err != nil {
		return err
	}
	if f.timers > 0 {
		if err := s.StopTimers(ctx, r.me, r.at()); err != nil {
			return err
		}
	}
	return resetOvertime(ctx, r, f, f.open.WorkDate)
}

// resetOvertime takes back decisions about overtime that the event changes.
func resetOvertime(ctx context.Context, r *request, f *facts, date string) error {
	if !f.overtime {
		return nil
	}
	if err := approval.ResetOvertime(ctx, r.me, r.me.UserID, shift.Date(date)); err != nil {
		return fmt.Errorf("reset overtime: %w", err)
	}
	return nil
}
