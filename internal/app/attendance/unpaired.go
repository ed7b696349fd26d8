package attendance

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// maxUnpaired is how many refused events are kept of a person's date.
const maxUnpaired = 200

// keepUnpaired attaches a refused offline event to the closed attendance it overlaps, and marks
// that attendance for review. A clock-out overlaps an attendance that lies between it and the
// clock-in that it would end. However often the phone sends the event again, it will never be
// accepted.
func (s *Service) keepUnpaired(ctx context.Context, r *request, f *facts, refusal error) {
	if !r.offline() || f.occurrence == nil {
		return
	}
	if cmp.Or(r.checkRecordedAt(f.occurrence.zone()), r.checkLock(f.occurrence.Date)) != nil {
		return
	}
	event, code := verdict.Event{End: "in", At: r.at()}, errs.CodeOf(refusal)
	switch {
	case r.kind == clockIn && code == errs.Conflict:
	case r.kind == clockOut && (code == errs.NotClockedIn || code == errs.Conflict):
		event.End = "out"
	default:
		return
	}
	after := r.at() // when the attendance that it overlaps ends
	if r.kind == clockOut && code == errs.Conflict {
		after = f.open.ClockedInAt
	}
	s.Audit.AfterRollback(ctx, func(ctx context.Context) error {
		return tx.Run(ctx, s.Audit.DB, func(ctx context.Context) error { return attach(ctx, r.me, event, after) })
	})
}

// attach adds a refused event of the user to the latest attendance that began before it and ended
// after a time, unless it is there.
func attach(ctx context.Context, me *viewer.Viewer, event verdict.Event, after time.Time) error {
	if err := lock(ctx, me); err != nil {
		return err
	}
	all := ent.FromContext(ctx).Attendance.Query().
		Where(entAttendance.CompanyID(me.CompanyID), entAttendance.UserID(me.UserID))
	a, err := all.Clone().Where(entAttendance.ClockedInAtLTE(event.At), entAttendance.ClockedOutAtGT(after)).
		Order(ent.Desc(entAttendance.FieldClockedInAt), ent.Asc(entAttendance.FieldID)).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil || slices.ContainsFunc(a.ClockedOutVerdict.Unpaired, event.Equal) {
		return err
	}
	sameDate, err := all.Where(entAttendance.WorkDate(a.WorkDate)).Select(entAttendance.FieldClockedOutVerdict).All(ctx)
	n := 0
	for _, other := range sameDate {
		n += len(other.ClockedOutVerdict.Unpaired)
	}
	if err != nil || n >= maxUnpaired {
		return err
	}
	judged, flags := a.ClockedOutVerdict, a.ClockedOutFlags
	judged.Unpaired = append(judged.Unpaired, event)
	if !slices.Contains(flags, verdict.Unpaired) {
		flags = append(flags, verdict.Unpaired)
	}
	return ent.FromContext(ctx).Attendance.Update().Where(entAttendance.ID(a.ID)).
		SetClockedOutVerdict(judged).SetClockedOutFlags(flags).
		SetClockedOutReview(entAttendance.ClockedOutReviewPending).Exec(viewer.System(ctx))
}
