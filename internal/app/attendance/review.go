package attendance

import (
	"context"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// Review accepts or rejects the pending ends of an attendance, or one of them. It changes no
// times. Of decisions at the same time one counts; CONFLICT if nothing is pending.
func (s *Service) Review(ctx context.Context, id int, in model.ReviewAttendanceInput) error {
	a, err := ent.FromContext(ctx).Attendance.Query().Where(entAttendance.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	u, err := approvable(ctx, a.UserID)
	if err != nil {
		return err
	}
	var faults errs.Faults
	if checkNote(&faults, in.Note.Value()); len(faults) > 0 {
		return faults.Err()
	}
	ends := pendingEnds(a, in.End.Value())
	if len(ends) == 0 {
		return errs.Conflicts(errs.NotPending, "", nil)
	}
	for _, end := range ends {
		if err := s.decide(ctx, a, end, in); err != nil {
			return err
		}
		if !in.Accept {
			if err := s.notifyRejected(ctx, u, a, end, in.Note.Value()); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReviewMany accepts or rejects all pending ends of many attendances, and answers for each.
func (s *Service) ReviewMany(ctx context.Context, in model.ReviewAttendancesInput) ([]*model.Decided, error) {
	return tx.Each(ctx, in.Ids, in.Note.Value(), func(ctx context.Context, id int) error {
		return s.Review(ctx, id, model.ReviewAttendanceInput{Accept: in.Accept, Note: in.Note})
	})
}

// pendingEnds returns the ends of an attendance that wait for a decision: one end alone, or both
// for nil.
func pendingEnds(a *ent.Attendance, only *model.ClockEnd) (ends []model.ClockEnd) {
	pending := map[model.ClockEnd]bool{
		model.ClockEndIn:  a.ClockedInReview == entAttendance.ClockedInReviewPending,
		model.ClockEndOut: a.ClockedOutReview == entAttendance.ClockedOutReviewPending,
	}
	for _, end := range model.AllClockEnd {
		if pending[end] && (only == nil || *only == end) {
			ends = append(ends, end)
		}
	}
	return ends
}

// decide writes the decision about one end, while it is pending.
func (s *Service) decide(
	ctx context.Context, a *ent.Attendance, end model.ClockEnd, in model.ReviewAttendanceInput,
) error {
	by, state := viewer.From(ctx).UserID, "rejected"
	if in.Accept {
		state = "accepted"
	}
	update := ent.FromContext(ctx).Attendance.Update().Where(entAttendance.ID(a.ID))
	if end == model.ClockEndIn {
		update.Where(entAttendance.ClockedInReviewEQ(entAttendance.ClockedInReviewPending)).
			SetClockedInReview(entAttendance.ClockedInReview(state)).SetClockedInReviewerID(by).
			SetClockedInReviewedAt(s.Now()).ClearClockedInReviewNote().SetNillableClockedInReviewNote(in.Note.Value())
	} else {
		update.Where(entAttendance.ClockedOutReviewEQ(entAttendance.ClockedOutReviewPending)).
			SetClockedOutReview(entAttendance.ClockedOutReview(state)).SetClockedOutReviewerID(by).
			SetClockedOutReviewedAt(s.Now()).ClearClockedOutReviewNote().SetNillableClockedOutReviewNote(in.Note.Value())
	}
	n, err := update.Save(viewer.System(ctx))
	if err != nil {
		return err
	}
	if n == 0 { // somebody else has decided
		return errs.Conflicts(errs.NotPending, "", nil)
	}
	return s.Audit.Record(ctx, audit.Event{
		Action: audit.EventReviewed, Company: a.CompanyID, Subject: ent.TypeAttendance, ID: a.ID, Actor: by,
		Facts: map[string]any{"end": end, "review": state},
	})
}

// notifyRejected notifies the employee that an end was rejected, with the note.
func (s *Service) notifyRejected(
	ctx context.Context, u *ent.User, a *ent.Attendance, end model.ClockEnd, note *string,
) error {
	kind, at, zone := message.InRejected, a.ClockedInAt, a.ClockedInZone
	if end == model.ClockEndOut {
		kind, at, zone = message.OutRejected, *a.ClockedOutAt, *a.ClockedOutZone
	}
	facts := message.Facts{Event: at.In(shift.ZoneNamed(zone))}
	if note != nil {
		facts.Note = *note
	}
	return s.Notify.Notify(ctx, u, kind, facts)
}
