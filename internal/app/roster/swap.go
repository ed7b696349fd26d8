package roster

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftswap"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// maxNote is how many characters a note has.
const maxNote = 250

// RequestSwap asks for another shift than one of the viewer's, and returns the request's
// id.
func (s *Service) RequestSwap(ctx context.Context, in model.RequestShiftSwapInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	var faults errs.Faults
	note := input.Line(&faults, "note", in.Note.Value(), maxNote)
	other, wanted := in.WithEmployeeShiftID.Value(), in.ShiftID.Value()
	switch {
	case other == nil && wanted == nil:
		faults.Add("withEmployeeShiftId", errs.Required, nil)
	case other != nil && wanted != nil:
		faults.Add("shiftId", errs.Excludes, errs.Meta{"other": "withEmployeeShiftId"})
	}
	if err := faults.Err(); err != nil {
		return 0, err
	}
	own, err := s.upcoming(ctx, "employeeShiftId", in.EmployeeShiftID, &me.UserID)
	if err != nil {
		return 0, err
	}
	if err := s.unlocked(ctx, "employeeShiftId", me.UserID, shift.Date(own.Date)); err != nil {
		return 0, err
	}
	create := ent.FromContext(ctx).ShiftSwap.Create().SetCompanyID(me.CompanyID).SetUserID(me.UserID).
		SetDate(own.Date).SetShiftID(own.ShiftID).SetCreatedAt(s.Plans.Now()).SetExpiresAt(own.StartAt)
	if note != "" {
		create.SetNote(note)
	}
	if wanted != nil {
		return s.requestChange(ctx, create, own, *wanted)
	}
	return s.requestExchange(ctx, create, own, *other)
}

// requestChange asks for another shift on the date: a manager approves it.
func (s *Service) requestChange(ctx context.Context, create *ent.ShiftSwapCreate, own *ent.EmployeeShift, wanted int) (int, error) {
	if err := scheduling.Assignable(ctx, "shiftId", wanted); err != nil {
		return 0, err
	}
	if wanted == own.ShiftID {
		return 0, errs.Because("shiftId", errs.SameAs, errs.Meta{"other": "employeeShiftId"})
	}
	id, err := saveSwap(ctx, create.SetWantedDate(own.Date).SetWantedShiftID(wanted).SetState(shiftswap.StateAgreed))
	if err != nil {
		return 0, err
	}
	return id, s.tellManagers(ctx, own.UserID, own.Date)
}

// requestExchange asks for a colleague's shift: they agree first.
func (s *Service) requestExchange(ctx context.Context, create *ent.ShiftSwapCreate, own *ent.EmployeeShift, other int) (int, error) {
	theirs, err := s.upcoming(ctx, "withEmployeeShiftId", other, nil)
	if err != nil {
		return 0, err
	}
	if theirs.UserID == own.UserID {
		return 0, errs.Because("withEmployeeShiftId", errs.SameAs, errs.Meta{"other": "employeeShiftId"})
	}
	if err := s.unlocked(ctx, "withEmployeeShiftId", own.UserID, shift.Date(theirs.Date)); err != nil {
		return 0, err
	}
	if theirs.StartAt.Before(own.StartAt) {
		create.SetExpiresAt(theirs.StartAt)
	}
	id, err := saveSwap(ctx, create.SetColleagueID(theirs.UserID).SetWantedDate(theirs.Date).SetWantedShiftID(theirs.ShiftID))
	if err != nil {
		return 0, err
	}
	return id, s.Plans.Tell(ctx, message.SwapAsked, scheduling.Notice{Date: theirs.Date, About: own.UserID}, theirs.UserID)
}

func saveSwap(ctx context.Context, create *ent.ShiftSwapCreate) (int, error) {
	swap, err := create.Save(viewer.System(ctx))
	if ent.IsConstraintError(err) {
		return 0, errs.Conflicts(errs.AlreadyRequested, "employeeShiftId", nil)
	}
	if err != nil {
		return 0, err
	}
	return swap.ID, nil
}

// upcoming returns an occurrence of the viewer's company that has not started, of one user
// where one is given, else of anybody who is active; colleagues see each other's that far.
func (s *Service) upcoming(ctx context.Context, field string, id int, of *int) (*ent.EmployeeShift, error) {
	q := ent.FromContext(ctx).EmployeeShift.Query().Where(employeeshift.ID(id), employeeshift.CompanyID(viewer.From(ctx).CompanyID))
	if of != nil {
		q.Where(employeeshift.UserID(*of))
	} else {
		q.Where(employeeshift.HasUserWith(user.Active(true))) // else nobody answers
	}
	o, err := q.Only(viewer.System(ctx))
	switch {
	case ent.IsNotFound(err):
		return nil, errs.Field(errs.NotFound, field, nil)
	case err == nil && !s.Plans.Now().Before(o.StartAt):
		since := errs.Time{Time: o.StartAt.In(shift.ZoneNamed(o.Timezone))}
		return nil, errs.Conflicts(errs.TooLate, field, errs.Meta{"since": since})
	}
	return o, err
}

// tellManagers asks the nearest manager of a person to decide.
func (s *Service) tellManagers(ctx context.Context, userID int, date string) error {
	u, err := ent.FromContext(ctx).User.Get(ctx, userID)
	if err != nil {
		return err
	}
	managers, err := s.Managers(ctx)
	if err != nil {
		return err
	}
	for nearest := range managers.Chain(u) {
		return s.Plans.Tell(ctx, message.SwapAsked, scheduling.Notice{Date: date, About: userID}, nearest)
	}
	return nil
}

// DecideSwap answers a request, as the colleague or as somebody who assigns the shifts of
// who asks.
func (s *Service) DecideSwap(ctx context.Context, id int, in model.DecideShiftSwapInput) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	var faults errs.Faults
	note := input.Line(&faults, "note", in.Note.Value(), maxNote)
	if err := faults.Err(); err != nil {
		return err
	}
	swap, err := ent.FromContext(ctx).ShiftSwap.Query().Where(shiftswap.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if swap.UserID == me.UserID {
		return errs.New(errs.Forbidden, nil)
	}
	isColleague := swap.ColleagueID != nil && *swap.ColleagueID == me.UserID
	if isColleague && swap.State == shiftswap.StateAsked {
		return s.answer(ctx, swap, in.Approve, note)
	}
	err = scheduling.MayChange(ctx, swap.UserID)
	if isColleague && swap.State != shiftswap.StateAgreed && errs.Is(err, errs.Forbidden) { // it has ended
		err = errs.Conflicts(errs.NotPending, "", errs.Meta{"state": string(swap.State)})
	}
	if err != nil {
		return err
	}
	return s.decide(ctx, swap, in.Approve, note)
}

// DecideSwaps answers many requests, and answers for each.
func (s *Service) DecideSwaps(ctx context.Context, in model.DecideShiftSwapsInput) ([]*model.Decided, error) {
	return tx.Each(ctx, in.Ids, in.Note.Value(), func(ctx context.Context, id int) error {
		return s.DecideSwap(ctx, id, model.DecideShiftSwapInput{Approve: in.Approve, Note: in.Note})
	})
}

// answer is what the colleague says.
func (s *Service) answer(ctx context.Context, swap *ent.ShiftSwap, agrees bool, note string) error {
	if !agrees {
		return s.end(ctx, swap, shiftswap.StateRefused, note)
	}
	if err := s.move(ctx, swap, shiftswap.StateAgreed, func(*ent.ShiftSwapUpdate) {}); err != nil {
		return err
	}
	return s.tellManagers(ctx, swap.UserID, swap.Date)
}

// decide is what a manager says. To approve one that the colleague has not agreed to is
// CONFLICT.
func (s *Service) decide(ctx context.Context, swap *ent.ShiftSwap, approve bool, note string) error {
	if !approve {
		return s.end(ctx, swap, shiftswap.StateRefused, note)
	}
	if swap.State == shiftswap.StateAsked { // move refuses one that has ended
		return errs.Conflicts(errs.State, "", errs.Meta{"state": string(swap.State)})
	}
	if err := s.end(ctx, swap, shiftswap.StateApproved, note); err != nil {
		return err
	}
	gives := exchange{swap.UserID, shift.Date(swap.Date), swap.ShiftID}
	gets := exchange{0, shift.Date(swap.WantedDate), swap.WantedShiftID}
	if swap.ColleagueID != nil {
		gets.user = *swap.ColleagueID
	}
	_, err := s.swap(ctx, gives, gets, "id") // the colleague agreed: the approval covers both
	return err
}

// end ends a request and tells who asked.
func (s *Service) end(ctx context.Context, swap *ent.ShiftSwap, state shiftswap.State, note string) error {
	me := viewer.From(ctx).UserID
	err := s.move(ctx, swap, state, func(u *ent.ShiftSwapUpdate) {
		u.ClearPending().SetDecidedBy(me).SetDecidedAt(s.Plans.Now())
		if note != "" {
			u.SetDecisionNote(note)
		}
	})
	if err != nil {
		return err
	}
	kind := message.SwapRefused
	if state == shiftswap.StateApproved {
		kind = message.SwapApproved
	}
	return s.Plans.Tell(ctx, kind, scheduling.Notice{Date: swap.Date}, swap.UserID)
}

// move changes the state of a request that waits and that nobody else has changed
// meanwhile, or is CONFLICT.
func (s *Service) move(ctx context.Context, swap *ent.ShiftSwap, state shiftswap.State, set func(*ent.ShiftSwapUpdate)) error {
	u := ent.FromContext(ctx).ShiftSwap.Update().
		Where(shiftswap.ID(swap.ID), shiftswap.StateEQ(swap.State), shiftswap.PendingNotNil(), shiftswap.ExpiresAtGT(s.Plans.Now())).
		SetState(state)
	set(u)
	n, err := u.Save(viewer.System(ctx))
	if err != nil || n > 0 {
		return err
	}
	reason := errs.ChangedMeanwhile
	if swap.Pending == nil {
		reason = errs.NotPending
	} else if !s.Plans.Now().Before(swap.ExpiresAt) {
		reason = errs.TooLate
	}
	return errs.Conflicts(reason, "", errs.Meta{"state": string(swap.State)})
}

// CancelSwap takes a request of the viewer's back.
func (s *Service) CancelSwap(ctx context.Context, id int) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	swap, err := ent.FromContext(ctx).ShiftSwap.Query().Where(shiftswap.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if swap.UserID != me.UserID {
		return errs.New(errs.Forbidden, nil)
	}
	return s.move(ctx, swap, shiftswap.StateCancelled, func(u *ent.ShiftSwapUpdate) {
		u.ClearPending().SetDecidedAt(s.Plans.Now())
	})
}

// Expiring is the periodic job that ends requests that nobody decided in time.
func (s *Service) Expiring() job.Kind {
	return job.Kind{Name: "shift_swaps", Every: 5 * time.Minute, Run: func(ctx context.Context, r *job.Run) error {
		return r.Commit(ctx, func(ctx context.Context) error {
			return ent.FromContext(ctx).ShiftSwap.Update().Where(shiftswap.PendingNotNil(), shiftswap.ExpiresAtLTE(s.Plans.Now())).
				SetState(shiftswap.StateExpired).ClearPending().SetDecidedAt(s.Plans.Now()).Exec(ctx)
		})
	}}
}
