package leave

import (
	"context"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// Decide approves or refuses a leave.
func (s *Service) Decide(ctx context.Context, id int, in model.DecideInput) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	var faults errs.Faults
	note := input.Line(&faults, "note", in.Note.Value(), tx.MaxNote)
	if err := faults.Err(); err != nil {
		return err
	}
	l, err := ent.FromContext(ctx).Leave.Query().Where(entLeave.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	u, err := approval.One(ctx, l.UserID, resource)
	if err != nil {
		return err
	}
	if l, err = s.locked(ctx, me, l); err != nil {
		return err
	}
	if err := s.Desk.Past(string(l.State), l.ExpiresAt); err != nil {
		return err
	}
	if err := s.unlocked(ctx, u, l); err != nil {
		return err
	}
	state, kind := entLeave.StateRefused, message.LeaveRefused
	if in.Approve {
		state, kind = entLeave.StateApproved, message.LeaveApproved
	}
	update := ent.FromContext(ctx).Leave.UpdateOneID(id).SetState(state).SetDecidedBy(me.UserID).SetDecidedAt(s.Now())
	if note != "" {
		update.SetDecisionNote(note)
	}
	if err := update.Exec(viewer.System(ctx)); err != nil {
		return err
	}
	if in.Approve {
		if err := s.leaveChanged(ctx, l); err != nil {
			return err
		}
	}
	return s.Desk.Tell(ctx, kind, l.UserID, l.StartsOn, note)
}

// DecideMany approves or refuses many leaves, and answers for each.
func (s *Service) DecideMany(ctx context.Context, in model.DecideLeavesInput) ([]*model.Decided, error) {
	return tx.Each(ctx, in.Ids, in.Note.Value(), func(ctx context.Context, id int) error {
		return s.Decide(ctx, id, model.DecideInput{Approve: in.Approve, Note: in.Note})
	})
}

// locked locks the row of the person of a leave, and reads the leave again.
func (s *Service) locked(ctx context.Context, me *viewer.Viewer, l *ent.Leave) (*ent.Leave, error) {
	if err := scheduling.Lock(viewer.System(ctx), me.CompanyID, []int{l.UserID}); err != nil {
		return nil, err
	}
	return ent.FromContext(ctx).Leave.Query().Where(entLeave.ID(l.ID)).Only(ctx)
}

// unlocked refuses to change leave of dates that are locked; u is nil for the viewer.
func (s *Service) unlocked(ctx context.Context, u *ent.User, l *ent.Leave) error {
	dates, _, err := touched(ctx, l)
	if err != nil {
		return err
	}
	return approval.CheckLock(ctx, resource, u, s.Desk.Plans.Today(shift.ZoneNamed(viewer.From(ctx).Timezone)), "", dates...)
}

// Cancel takes a leave back: the person one that waits or was approved, who decides one
// that was approved.
func (s *Service) Cancel(ctx context.Context, id int) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	l, err := ent.FromContext(ctx).Leave.Query().Where(entLeave.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	var u *ent.User
	if l.UserID != me.UserID {
		if u, err = approval.One(ctx, l.UserID, resource); err != nil {
			return err
		}
	}
	if l, err = s.locked(ctx, me, l); err != nil {
		return err
	}
	if l.State == entLeave.StatePending && u != nil { // who decides refuses it
		return errs.New(errs.Forbidden, nil)
	}
	approved := l.State == entLeave.StateApproved
	if !approved {
		if err := s.Desk.Past(string(l.State), l.ExpiresAt); err != nil {
			return err
		}
	}
	if err := s.unlocked(ctx, u, l); err != nil {
		return err
	}
	err = ent.FromContext(ctx).Leave.UpdateOneID(id).SetState(entLeave.StateCancelled).
		SetDecidedBy(me.UserID).SetDecidedAt(s.Now()).Exec(viewer.System(ctx))
	if err != nil || !approved {
		return err
	}
	return s.leaveChanged(ctx, l)
}
