package attendance

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// repeatsClockIn reports whether the event was recorded already: for the open attendance's
// occurrence at most the company's repeatSeconds from its clock-in, or recorded at the same
// instant.
func (s *Service) repeatsClockIn(ctx context.Context, r *request, open *openAttendance) (bool, error) {
	if r.repeatsOpen(open) {
		return true, nil
	}
	if r.recordedAt == nil {
		return false, nil
	}
	repeat, err := ent.FromContext(ctx).Attendance.Query().
		Where(entAttendance.UserID(r.me.UserID), entAttendance.EmployeeShiftID(r.shiftID),
			entAttendance.ClockedInRecordedAt(*r.recordedAt)).Exist(ctx)
	if err != nil {
		return false, fmt.Errorf("look for the same recording: %w", err)
	}
	return repeat, nil
}

// repeatWithin returns how far apart the same event is taken for a repeat.
func (r *request) repeatWithin() time.Duration {
	return time.Duration(setting.RepeatSeconds.Of(r.me.Settings)) * time.Second
}

// repeatsOpen reports whether a clock-in repeats the one of the open attendance; nil for none.
// Their own times decide, not when they were received.
func (r *request) repeatsOpen(open *openAttendance) bool {
	return open != nil && open.ShiftID == r.shiftID && r.at().Sub(open.ClockedInAt).Abs() <= r.repeatWithin()
}

// repeatsClockOut reports whether the event was recorded already. A clock-out that was recorded at
// the same instant is at most offlineAfter later than that.
func (s *Service) repeatsClockOut(ctx context.Context, r *request, open *openAttendance) (bool, error) {
	first, last := r.at(), r.at()
	if at := r.recordedAt; at != nil && at.Before(first) {
		first = *at
	} else if at != nil && at.After(last) {
		last = *at
	}
	near, err := ent.FromContext(ctx).Attendance.Query().
		Where(entAttendance.CompanyID(r.me.CompanyID), entAttendance.UserID(r.me.UserID),
			entAttendance.ClockedOutAtGTE(first.Add(-r.repeatWithin())), entAttendance.ClockedOutAtLTE(last.Add(offlineAfter)),
			entAttendance.ClockedOutSourceNEQ(entAttendance.ClockedOutSourceAuto)). // what the rules closed was no clock-out
		Select(entAttendance.FieldEmployeeShiftID, entAttendance.FieldClockedOutAt, entAttendance.FieldClockedOutRecordedAt,
			entAttendance.FieldClockedOutFlags).
		All(ctx)
	if err != nil {
		return false, fmt.Errorf("look for clock-outs nearby: %w", err)
	}
	return slices.ContainsFunc(near, func(a *ent.Attendance) bool { return r.repeatsClosed(a, open) }), nil
}

// repeatsClosed reports whether a clock-out repeats the one of a closed attendance: of the
// occurrence that it names, at most the company's repeatSeconds from it or recorded at the same
// instant. While a younger entry of the occurrence is open, a clock-out after its start ends that
// one, and only the same recording repeats.
func (r *request) repeatsClosed(a *ent.Attendance, open *openAttendance) bool {
	if a.EmployeeShiftID != r.shiftID && !slices.Contains(a.ClockedOutFlags, verdict.OtherShift) {
		return false
	}
	if r.recordedAt != nil && a.ClockedOutRecordedAt != nil && a.ClockedOutRecordedAt.Equal(*r.recordedAt) {
		return true
	}
	endsOpen := open != nil && open.ShiftID == r.shiftID && !r.at().Before(open.ClockedInAt)
	return !endsOpen && r.at().Sub(*a.ClockedOutAt).Abs() <= r.repeatWithin()
}

// closeForgotten closes an open attendance whose window has ended, to be confirmed: when the rule
// says, and no later than the clock-in. Any other open one is ALREADY_CLOCKED_IN.
func (s *Service) closeForgotten(ctx context.Context, r *request, open *openAttendance) error {
	if open == nil {
		return nil
	}
	o, err := ent.FromContext(ctx).EmployeeShift.Get(viewer.System(ctx), open.ShiftID)
	if err != nil {
		return fmt.Errorf("read the occurrence of the open attendance: %w", err)
	}
	if !(shift.Occurrence{ClockInUntil: o.ClockInUntil}).Over(r.receivedAt) {
		return errs.New(errs.AlreadyClockedIn, open.since())
	}
	latest := r.receivedAt
	if at := r.recordedAt; at != nil && at.Before(latest) && at.After(open.ClockedInAt) {
		latest = *at
	}
	return s.Days.CloseForgotten(ctx, r.me.CompanyID, r.me.UserID, latest)
}

// since returns what an error tells of the open attendance.
func (o *openAttendance) since() errs.Meta {
	at := errs.Time{Time: o.ClockedInAt.In(shift.ZoneNamed(o.Zone))}
	return errs.Meta{"since": at, "employeeShiftId": strconv.Itoa(o.ShiftID)}
}
