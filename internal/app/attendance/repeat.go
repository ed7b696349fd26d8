package attendance

import (
	"context"
	"slices"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/internal/app/plan"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// repeatsClockIn reports whether the event was recorded already: for the open
// attendance's occurrence at most the company's repeatSeconds from its clock-in, or recorded at the
// same instant.
func (e *clockEvent) repeatsClockIn(ctx context.Context) (bool, error) {
	if repeatsOpen(e.current, e.shiftID, e.at, repeatWithin(e)) {
		return true, nil
	}
	if e.recordedAt == nil {
		return false, nil
	}
	return ent.FromContext(ctx).Attendance.Query().Where(attendance.UserID(e.me.UserID), attendance.EmployeeShiftID(e.shiftID),
		attendance.ClockedInRecordedAt(*e.recordedAt)).Exist(ctx)
}

// repeatWithin returns how far apart the same event is taken for a repeat.
func repeatWithin(e *clockEvent) time.Duration {
	return time.Duration(setting.RepeatSeconds.Of(e.me.Settings)) * time.Second
}

// repeatsOpen reports whether a clock-in for an occurrence repeats the one of the open
// attendance; nil for none. Their own times decide, not when they were received.
func repeatsOpen(open *ent.Attendance, occurrenceID int, at time.Time, within time.Duration) bool {
	return open != nil && open.EmployeeShiftID == occurrenceID && at.Sub(open.ClockedInAt).Abs() <= within
}

// repeatsClockOut reports whether the event was recorded already. A clock-out that was
// recorded at the same instant is at most offlineAfter later than that.
func (e *clockEvent) repeatsClockOut(ctx context.Context) (bool, error) {
	first, last := e.at, e.at
	if r := e.recordedAt; r != nil && r.Before(first) {
		first = *r
	} else if r != nil && r.After(last) {
		last = *r
	}
	within := repeatWithin(e)
	near, err := ent.FromContext(ctx).Attendance.Query().
		Where(attendance.CompanyID(e.me.CompanyID), attendance.UserID(e.me.UserID),
			attendance.ClockedOutAtGTE(first.Add(-within)), attendance.ClockedOutAtLTE(last.Add(offlineAfter)),
			attendance.ClockedOutSourceNEQ(attendance.ClockedOutSourceAuto)). // what the rules closed was no clock-out
		Select(attendance.FieldEmployeeShiftID, attendance.FieldClockedOutAt, attendance.FieldClockedOutRecordedAt, attendance.FieldClockedOutFlags).
		All(ctx)
	return slices.ContainsFunc(near, e.repeatsClosed), err
}

// repeatsClosed reports whether a clock-out repeats the one of a closed attendance: of
// the occurrence that it names, at most the company's repeatSeconds from it or recorded at the same
// instant. While a younger entry of the occurrence is open, a clock-out after its start
// ends that one, and only the same recording repeats.
func (e *clockEvent) repeatsClosed(a *ent.Attendance) bool {
	if a.EmployeeShiftID != e.shiftID && !slices.Contains(a.ClockedOutFlags, verdict.OtherShift) {
		return false
	}
	if e.recordedAt != nil && a.ClockedOutRecordedAt != nil && a.ClockedOutRecordedAt.Equal(*e.recordedAt) {
		return true
	}
	endsOpen := e.current != nil && e.current.EmployeeShiftID == e.shiftID && !e.at.Before(e.current.ClockedInAt)
	return !endsOpen && e.at.Sub(*a.ClockedOutAt).Abs() <= repeatWithin(e)
}

// closeForgotten closes an open attendance whose window has ended, to be confirmed: when
// the rule says, and no later than the clock-in. Any other open one is ALREADY_CLOCKED_IN.
func (e *clockEvent) closeForgotten(ctx context.Context) error {
	c := e.current
	if c == nil {
		return nil
	}
	o, err := ent.FromContext(ctx).EmployeeShift.Get(viewer.System(ctx), c.EmployeeShiftID)
	if err != nil {
		return err
	}
	if !windowOf(o).Over(e.now) {
		return errs.New(errs.AlreadyClockedIn, sinceOf(c))
	}
	latest := e.now
	if r := e.recordedAt; r != nil && r.Before(latest) && r.After(c.ClockedInAt) {
		latest = *r
	}
	out, err := e.Days.CloseForgotten(ctx, e.me.CompanyID, e.me.UserID, latest)
	if err == nil && !c.ClockedInAt.After(e.at) && out.After(e.at) {
		e.overlaps = true
	}
	return err
}

// sinceOf returns what an error tells of the open attendance.
func sinceOf(open *ent.Attendance) errs.Meta {
	since := errs.Time{Time: open.ClockedInAt.In(plan.ZoneNamed(open.ClockedInZone))}
	return errs.Meta{"since": since, "employeeShiftId": strconv.Itoa(open.EmployeeShiftID)}
}
