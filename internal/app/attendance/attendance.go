// Package attendance holds the use cases of clocking in and out and of the day that
// follows from it.
package attendance

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	days "workforce/internal/app/day"
	"workforce/internal/app/live"
	"workforce/internal/app/notify"
	"workforce/internal/app/overtime"
	"workforce/internal/app/plan"
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
	FaceKey []byte           // of the digests of faces
	Notify  *notify.Service
	Audit   *audit.Recorder
	Plans   *plan.Planner // makes occurrences
	Desk    *approval.Desk
	Days    *days.Service // closes forgotten attendances, and finds results of shifts
	Live    *live.Service // may be nil
	// StopTimers stops the timers of the viewer that began before an instant.
	StopTimers func(ctx context.Context, me *viewer.Viewer, at time.Time) error
}

// ClockIn opens the viewer's attendance for one of their occurrences and returns
// its id; 0 where the request repeats one that was recorded already.
func (s *Service) ClockIn(ctx context.Context, in model.ClockInInput) (opened int, err error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	e, err := s.readClockIn(ctx, me, in)
	if err == nil {
		err = e.matchSite(ctx)
	}
	if err == nil {
		opened, err = s.clockIn(ctx, e)
	}
	if err != nil {
		s.recordRefused(ctx, me, e, err)
		s.keepUnpaired(ctx, e, clockIn, err)
	}
	return opened, err
}

func (s *Service) clockIn(ctx context.Context, e *clockEvent) (opened int, err error) {
	if err := e.begin(ctx, clockIn); err != nil {
		return 0, err
	}
	repeat, err := e.repeatsClockIn(ctx)
	if err != nil || repeat {
		return 0, err
	}
	if err := e.closeForgotten(ctx); err != nil {
		return 0, err
	}
	if err := e.checkClockIn(); err != nil {
		return 0, err
	}
	id, err := e.open(ctx)
	if err != nil {
		return 0, err
	}
	if e.onLeave {
		if err := e.Desk.Ask(ctx, message.WorksOnLeave, e.me.UserID, e.occurrence.Date); err != nil {
			return 0, err
		}
	}
	if e.occurrence.EvaluatedAt != nil { // the event comes late
		if err := days.Outdate(ctx, e.occurrence.ID); err != nil {
			return 0, err
		}
	}
	return id, e.resetOvertime(ctx, e.occurrence.Date)
}

// recordRefused records in the audit that a clock-in was refused, for which of the
// viewer's occurrences and why. Malformed members and failures of the server are no
// refusals.
func (s *Service) recordRefused(ctx context.Context, me *viewer.Viewer, e *clockEvent, err error) {
	code := errs.CodeOf(err)
	if code == errs.Internal || code == errs.Invalid {
		return
	}
	event := audit.Event{
		Action: audit.ClockInRefused, Company: me.CompanyID, Subject: ent.TypeUser, ID: me.UserID, Facts: map[string]any{"code": code},
	}
	if e != nil && e.occurrence != nil {
		event.Subject, event.ID = ent.TypeEmployeeShift, e.occurrence.ID
	}
	s.Audit.RecordRefused(ctx, event)
}

// ClockOut closes the viewer's open attendance, unless the request repeats one that
// was recorded already.
func (s *Service) ClockOut(ctx context.Context, in model.ClockOutInput) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	e, err := s.readClockOut(ctx, me, in)
	if err == nil {
		err = s.clockOut(ctx, e)
	}
	if err != nil {
		s.keepUnpaired(ctx, e, clockOut, err)
	}
	return err
}

func (s *Service) clockOut(ctx context.Context, e *clockEvent) error {
	if err := e.begin(ctx, clockOut); err != nil {
		return err
	}
	repeat, err := e.repeatsClockOut(ctx)
	if err != nil || repeat {
		return err
	}
	if err := e.checkClockOut(); err != nil {
		return err
	}
	if err := e.close(ctx); err != nil {
		return err
	}
	if e.timers > 0 {
		if err := e.StopTimers(ctx, e.me, e.at); err != nil {
			return err
		}
	}
	return e.resetOvertime(ctx, e.current.WorkDate)
}

// resetOvertime takes back decisions about overtime that the event changes.
func (e *clockEvent) resetOvertime(ctx context.Context, date string) error {
	if !e.overtime {
		return nil
	}
	return overtime.Reset(ctx, e.me, e.me.UserID, shift.Date(date))
}

// Today returns the viewer's attendance of today.
func (s *Service) Today(ctx context.Context) (*model.AttendanceToday, error) {
	day, err := s.today(ctx)
	if err != nil {
		return nil, err
	}
	if err := day.complete(ctx, viewer.From(ctx)); err != nil {
		return nil, err
	}
	return day.attendance(), nil
}

// ShiftsToday returns the viewer's occurrences of today.
func (s *Service) ShiftsToday(ctx context.Context) ([]*model.ShiftToday, error) {
	day, err := s.today(ctx)
	if err != nil {
		return nil, err
	}
	return day.shifts(), nil
}
