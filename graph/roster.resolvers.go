package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/fallbackshift"
	"workforce/ent/plannedday"
	"workforce/ent/rotation"
	"workforce/ent/rotationassignment"
	entShift "workforce/ent/shift"
	"workforce/ent/shiftassignment"
	"workforce/ent/shiftswap"
	"workforce/graph/connection"
	"workforce/graph/generated"
	"workforce/graph/model"
	"workforce/internal/app/roster"
)

func (r *assignedShiftResolver) ConcernedLeaves(ctx context.Context, obj *model.AssignedShift) ([]*ent.Leave, error) {
	return concernedLeavesOf(ctx, obj.UserID)
}

func (r *copiedWeekResolver) ConcernedLeaves(ctx context.Context, obj *model.CopiedWeek) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *fallbackShiftResolver) ConcernedLeaves(ctx context.Context, obj *ent.FallbackShift) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *mutationResolver) CreateShift(ctx context.Context, input model.CreateShiftInput) (*ent.Shift, error) {
	s, err := r.Roster.CreateShift(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Shift.Query().Where(entShift.ID(s.ID)))
}

func (r *mutationResolver) UpdateShift(ctx context.Context, id int, input model.UpdateShiftInput) (*ent.Shift, error) {
	if err := r.Roster.UpdateShift(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Shift.Query().Where(entShift.ID(id)))
}

func (r *mutationResolver) DeleteShift(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Roster.DeleteShift(ctx, id)
}

func (r *mutationResolver) AssignShift(ctx context.Context, input model.AssignShiftInput) (*ent.ShiftAssignment, error) {
	id, err := r.Roster.AssignShift(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).ShiftAssignment.Query().Where(shiftassignment.ID(id)))
}

func (r *mutationResolver) AssignShifts(ctx context.Context, input model.AssignShiftsInput) ([]*model.AssignedShift, error) {
	return r.Roster.AssignShifts(ctx, input)
}

func (r *mutationResolver) UpdateShiftAssignment(ctx context.Context, id int, input model.UpdateShiftAssignmentInput) (*ent.ShiftAssignment, error) {
	if err := r.Roster.UpdateAssignment(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).ShiftAssignment.Query().Where(shiftassignment.ID(id)))
}

func (r *mutationResolver) SplitShiftAssignment(ctx context.Context, id int, input model.SplitShiftAssignmentInput) (*ent.ShiftAssignment, error) {
	second, err := r.Roster.SplitAssignment(ctx, id, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).ShiftAssignment.Query().Where(shiftassignment.ID(second)))
}

func (r *mutationResolver) DeleteShiftAssignment(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Roster.DeleteAssignment(ctx, id)
}

func (r *mutationResolver) CreateRotation(ctx context.Context, input model.RotationInput) (*ent.Rotation, error) {
	rot, err := r.Roster.CreateRotation(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Rotation.Query().Where(rotation.ID(rot.ID)))
}

func (r *mutationResolver) UpdateRotation(ctx context.Context, id int, input model.RotationInput) (*ent.Rotation, error) {
	if err := r.Roster.UpdateRotation(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Rotation.Query().Where(rotation.ID(id)))
}

func (r *mutationResolver) DeleteRotation(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Roster.DeleteRotation(ctx, id)
}

func (r *mutationResolver) AssignRotation(ctx context.Context, input model.AssignRotationInput) ([]*model.AssignedShift, error) {
	return r.Roster.AssignRotation(ctx, input)
}

func (r *mutationResolver) EndRotation(ctx context.Context, id int, input model.EndRotationInput) (*ent.RotationAssignment, error) {
	if err := r.Roster.EndRotation(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).RotationAssignment.Query().Where(rotationassignment.ID(id)))
}

func (r *mutationResolver) SetFallbackShift(ctx context.Context, input model.FallbackShiftInput) (*ent.FallbackShift, error) {
	id, err := r.Roster.SetFallback(ctx, input)
	if err != nil || id == 0 {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).FallbackShift.Query().Where(fallbackshift.ID(id)))
}

func (r *mutationResolver) PlanDay(ctx context.Context, input model.PlanDayInput) (*ent.PlannedDay, error) {
	id, err := r.Roster.PlanDay(ctx, input)
	if err != nil || id == 0 {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).PlannedDay.Query().Where(plannedday.ID(id)))
}

func (r *mutationResolver) CopyWeek(ctx context.Context, input model.CopyWeekInput) (*model.CopiedWeek, error) {
	return r.Roster.CopyWeek(ctx, input)
}

func (r *mutationResolver) SwapShifts(ctx context.Context, input model.SwapShiftsInput) (*model.Swapped, error) {
	days, err := r.Roster.SwapShifts(ctx, input)
	return &model.Swapped{Days: days}, err
}

func (r *mutationResolver) RequestShiftSwap(ctx context.Context, input model.RequestShiftSwapInput) (*ent.ShiftSwap, error) {
	id, err := r.Roster.RequestSwap(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).ShiftSwap.Query().Where(shiftswap.ID(id)))
}

func (r *mutationResolver) DecideShiftSwap(ctx context.Context, id int, input model.DecideShiftSwapInput) (*ent.ShiftSwap, error) {
	if err := r.Roster.DecideSwap(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).ShiftSwap.Query().Where(shiftswap.ID(id)))
}

func (r *mutationResolver) DecideShiftSwaps(ctx context.Context, input model.DecideShiftSwapsInput) ([]*model.Decided, error) {
	return r.Roster.DecideSwaps(ctx, input)
}

func (r *mutationResolver) CancelShiftSwap(ctx context.Context, id int) (*ent.ShiftSwap, error) {
	if err := r.Roster.CancelSwap(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).ShiftSwap.Query().Where(shiftswap.ID(id)))
}

func (r *plannedDayResolver) Shifts(ctx context.Context, obj *ent.PlannedDay) ([]*ent.Shift, error) {
	return roster.DayShifts(ctx, obj)
}

func (r *plannedDayResolver) ConcernedLeaves(ctx context.Context, obj *ent.PlannedDay) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *queryResolver) Rotation(ctx context.Context, id int) (*ent.Rotation, error) {
	return connection.One(ctx, ent.FromContext(ctx).Rotation.Query().Where(rotation.ID(id)))
}

func (r *queryResolver) RotationAssignment(ctx context.Context, id int) (*ent.RotationAssignment, error) {
	return connection.One(ctx, ent.FromContext(ctx).RotationAssignment.Query().Where(rotationassignment.ID(id)))
}

func (r *queryResolver) FallbackShift(ctx context.Context, id int) (*ent.FallbackShift, error) {
	return connection.One(ctx, ent.FromContext(ctx).FallbackShift.Query().Where(fallbackshift.ID(id)))
}

func (r *queryResolver) PlannedDay(ctx context.Context, id int) (*ent.PlannedDay, error) {
	return connection.One(ctx, ent.FromContext(ctx).PlannedDay.Query().Where(plannedday.ID(id)))
}

func (r *queryResolver) ShiftSwap(ctx context.Context, id int) (*ent.ShiftSwap, error) {
	return connection.One(ctx, ent.FromContext(ctx).ShiftSwap.Query().Where(shiftswap.ID(id)))
}

func (r *queryResolver) Roster(ctx context.Context, week *string, weeks *int, businessID *int, page *int, limit *int) (*model.Roster, error) {
	return r.Resolver.Roster.Week(ctx, roster.Week{
		Date: week, Weeks: weeks, BusinessID: businessID, Page: page, Limit: limit,
	})
}

func (r *rotationResolver) Days(ctx context.Context, obj *ent.Rotation) ([]*ent.Shift, error) {
	return roster.Shifts(ctx, obj)
}

func (r *rotationResolver) ConcernedLeaves(ctx context.Context, obj *ent.Rotation) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *rotationAssignmentResolver) ConcernedLeaves(ctx context.Context, obj *ent.RotationAssignment) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *shiftResolver) Breaks(ctx context.Context, obj *ent.Shift) ([]*model.ShiftBreak, error) {
	return roster.ShownBreaks(obj.Breaks), nil
}

func (r *shiftResolver) FormerVersions(ctx context.Context, obj *ent.Shift) ([]*ent.ShiftVersion, error) {
	return roster.FormerVersions(ctx, obj)
}

func (r *shiftAssignmentResolver) ConcernedLeaves(ctx context.Context, obj *ent.ShiftAssignment) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *shiftSwapResolver) Decider(ctx context.Context, obj *ent.ShiftSwap) (*ent.User, error) {
	return decider(ctx, shiftswap.Table, obj.DecidedBy)
}

func (r *shiftVersionResolver) Breaks(ctx context.Context, obj *ent.ShiftVersion) ([]*model.ShiftBreak, error) {
	return roster.ShownBreaks(obj.Breaks), nil
}

func (r *swappedResolver) ConcernedLeaves(ctx context.Context, obj *model.Swapped) ([]*ent.Leave, error) {
	return concernedLeaves(ctx)
}

func (r *Resolver) AssignedShift() generated.AssignedShiftResolver { return &assignedShiftResolver{r} }

func (r *Resolver) CopiedWeek() generated.CopiedWeekResolver { return &copiedWeekResolver{r} }

func (r *Resolver) Swapped() generated.SwappedResolver { return &swappedResolver{r} }

type (
	assignedShiftResolver struct{ *Resolver }
	copiedWeekResolver    struct{ *Resolver }
	swappedResolver       struct{ *Resolver }
)
