package attendance

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// maxUnpaired is how many refused events are kept of a person's date.
const maxUnpaired = 200

// keepUnpaired keeps an event that was recorded offline, and refused because it lies within
// a closed attendance, or because one lies between it and the clock-in that it would end,
// with that attendance, whose review is pending then. However often the phone sends it
// again, it will never be accepted.
func (s *Service) keepUnpaired(ctx context.Context, e *clockEvent, kind clockKind, refusal error) {
	if e == nil || e.source != "offline" || e.occurrence == nil || cmp.Or(checkRecordedAt(e), checkLock(e, e.occurrence.Date)) != nil {
		return
	}
	event, code := verdict.Event{End: "in", At: e.at}, errs.CodeOf(refusal)
	switch {
	case kind == clockIn && code == errs.Conflict:
	case kind == clockOut && (code == errs.NotClockedIn || code == errs.Conflict):
		event.End = "out"
	default:
		return
	}
	after := e.at // when the attendance within which it lies ends
	if kind == clockOut && code == errs.Conflict {
		after = e.current.ClockedInAt
	}
	s.Audit.AfterRollback(ctx, func(ctx context.Context) error {
		return tx.Run(ctx, s.Audit.DB, func(ctx context.Context) error { return keepWith(ctx, e, event, after) })
	})
}

// keepWith adds a refused event to the latest attendance that began before it and ended
// after a time, unless it is there.
func keepWith(ctx context.Context, e *clockEvent, event verdict.Event, after time.Time) error {
	if err := e.lock(ctx); err != nil {
		return err
	}
	all := ent.FromContext(ctx).Attendance.Query().Where(attendance.CompanyID(e.me.CompanyID), attendance.UserID(e.me.UserID))
	a, err := all.Clone().Where(attendance.ClockedInAtLTE(event.At), attendance.ClockedOutAtGT(after)).
		Order(ent.Desc(attendance.FieldClockedInAt), ent.Asc(attendance.FieldID)).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil || slices.ContainsFunc(a.ClockedOutVerdict.Unpaired, event.Equal) {
		return err
	}
	kept, err := all.Where(attendance.WorkDate(a.WorkDate)).Select(attendance.FieldClockedOutVerdict).All(ctx)
	n := 0
	for _, other := range kept {
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
	return ent.FromContext(ctx).Attendance.Update().Where(attendance.ID(a.ID)).SetClockedOutVerdict(judged).SetClockedOutFlags(flags).
		SetClockedOutReview(attendance.ClockedOutReviewPending).Exec(viewer.System(ctx))
}
