package attendance

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/verdict"
	"workforce/internal/viewer"
)

// maxUnpaired is how many refused events are kept with an attendance.
const maxUnpaired = 20

// keepUnpaired keeps an event that was recorded offline, and refused because it lies within
// a closed attendance, with that attendance, whose review is pending then. However often
// the phone sends it again, it will never be accepted.
func (s *Service) keepUnpaired(ctx context.Context, e *clockEvent, kind clockKind, refusal error) {
	if e == nil || e.source != "offline" || e.occurrence == nil || checkRecordedAt(e, e.occurrence.Date) != nil {
		return
	}
	event := verdict.Event{End: "in", At: e.at}
	switch code := errs.CodeOf(refusal); {
	case kind == clockIn && code == errs.Conflict:
	case kind == clockOut && code == errs.NotClockedIn:
		event.End = "out"
	default:
		return
	}
	s.Audit.AfterRollback(ctx, func(ctx context.Context) error {
		return tx.Run(ctx, s.Audit.DB, func(ctx context.Context) error { return keepWith(ctx, e, event) })
	})
}

// keepWith adds a refused event to the closed attendance within which it lies, unless it is
// there.
func keepWith(ctx context.Context, e *clockEvent, event verdict.Event) error {
	if err := e.lock(ctx); err != nil {
		return err
	}
	a, err := ent.FromContext(ctx).Attendance.Query().Where(attendance.CompanyID(e.me.CompanyID), attendance.UserID(e.me.UserID),
		attendance.ClockedInAtLTE(event.At), attendance.ClockedOutAtGT(event.At)).Order(ent.Asc(attendance.FieldID)).First(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil || slices.ContainsFunc(a.ClockedOutVerdict.Unpaired, event.Equal) || len(a.ClockedOutVerdict.Unpaired) >= maxUnpaired {
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
