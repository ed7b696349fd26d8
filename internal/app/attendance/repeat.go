package attendance

import (
	"context"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// repeatsClockIn reports whether the event was recorded already: for the same
// occurrence within 120 seconds, or recorded at the same instant.
func (e *clockEvent) repeatsClockIn(ctx context.Context) (bool, error) {
	if repeatsOpen(e.current, e.shiftID, e.now) {
		return true, nil
	}
	if e.recordedAt == nil {
		return false, nil
	}
	return e.entries(ctx).Where(attendance.ClockedInRecordedAt(*e.recordedAt)).Exist(ctx)
}

// repeatsOpen reports whether a clock-in for an occurrence, received now, repeats
// the one of the open attendance; nil for none.
func repeatsOpen(open *ent.Attendance, occurrenceID int, now time.Time) bool {
	return open != nil && open.EmployeeShiftID == occurrenceID && now.Sub(open.ClockedInReceivedAt) <= repeatWithin
}

// repeatsClockOut reports whether the event was recorded already, as
// repeatsClockIn does.
func (e *clockEvent) repeatsClockOut(ctx context.Context) (bool, error) {
	again := attendance.ClockedOutReceivedAtGTE(e.now.Add(-repeatWithin))
	if e.recordedAt != nil {
		again = attendance.Or(again, attendance.ClockedOutRecordedAt(*e.recordedAt))
	}
	if e.current != nil && e.current.EmployeeShiftID == e.shiftID { // a younger entry is open: only the same recording repeats
		if e.recordedAt == nil {
			return false, nil
		}
		again = attendance.ClockedOutRecordedAt(*e.recordedAt)
	}
	byUser := attendance.ClockedOutSourceNEQ(attendance.ClockedOutSourceAuto) // what the rules closed was no clock-out
	return e.entries(ctx).Where(byUser, again).Exist(ctx)
}

// entries are those of the event's occurrence.
func (e *clockEvent) entries(ctx context.Context) *ent.AttendanceQuery {
	return ent.FromContext(ctx).Attendance.Query().
		Where(attendance.UserID(e.me.UserID), attendance.EmployeeShiftID(e.shiftID))
}

// closeForgotten closes an open attendance whose window has ended, to be
// confirmed. Any other open one is ALREADY_CLOCKED_IN.
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
		since := c.ClockedInAt.In(zoneOf(o)).Format(time.RFC3339)
		return errs.New(errs.AlreadyClockedIn, errs.Meta{"since": since, "employeeShiftId": strconv.Itoa(c.EmployeeShiftID)})
	}
	before, err := e.workedBefore(ctx, o)
	if err != nil {
		return err
	}
	out := endOfForgotten(c.ClockedInAt, o, before, e.now, e.recordedAt)
	local, offset := shift.Wall(out, zoneOf(o))
	if !c.ClockedInAt.After(e.at) && out.After(e.at) {
		e.overlaps = true
	}
	return e.end(ctx, ent.FromContext(ctx).Attendance.Update().SetNeedsConfirmation(true).
		SetClockedOutAt(out).SetClockedOutReceivedAt(e.now).SetClockedOutSource(attendance.ClockedOutSourceAuto).
		SetClockedOutLocal(local).SetClockedOutOffset(offset).SetClockedOutZone(o.Timezone))
}

// endOfForgotten returns the end of a forgotten attendance that began at in: when
// the expected hours of its occurrence and a tolerance are worked. before is what was
// worked for the occurrence earlier. The end is no later than now and than next, the
// recorded time of the clock-in after it; a nil next is now.
func endOfForgotten(in time.Time, o *ent.EmployeeShift, before time.Duration, now time.Time, next *time.Time) time.Time {
	latest := now
	if next != nil && next.Before(latest) && next.After(in) {
		latest = *next
	}
	expected := o.EndAt.Sub(o.StartAt) - time.Duration(o.BreakSeconds)*time.Second
	if out := timesheet.CloseAt(in, expected, before, breaksOf(o)); out.Before(latest) {
		return out
	}
	return latest
}

// workedBefore returns what was worked in closed entries of the same occurrence.
func (e *clockEvent) workedBefore(ctx context.Context, o *ent.EmployeeShift) (time.Duration, error) {
	rows, err := ent.FromContext(ctx).Attendance.Query().
		Where(attendance.UserID(e.me.UserID), attendance.EmployeeShiftID(o.ID), attendance.ClockedOutAtNotNil()).All(ctx)
	return timesheet.Worked(intervals(rows, e.now), breaksOf(o)), err
}

// intervals returns the worked intervals of attendances, an open one until now.
func intervals(rows []*ent.Attendance, now time.Time) []shift.Interval {
	out := make([]shift.Interval, len(rows))
	for i, a := range rows {
		out[i] = shift.Interval{Start: a.ClockedInAt, End: now}
		if a.ClockedOutAt != nil {
			out[i].End = *a.ClockedOutAt
		}
	}
	return out
}
