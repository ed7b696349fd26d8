package graph

import (
	"context"
	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	"workforce/graph/connection"
	"workforce/graph/model"
	"workforce/internal/app/leave"
)

func (r *leaveResolver) Decider(ctx context.Context, obj *ent.Leave) (*ent.User, error) {
	return decider(ctx, entLeave.Table, obj.DecidedBy)
}

func (r *mutationResolver) CreateLeaveType(ctx context.Context, input model.CreateLeaveTypeInput) (*ent.LeaveType, error) {
	t, err := r.Leaves.CreateType(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).LeaveType.Query().Where(leavetype.ID(t.ID)))
}

func (r *mutationResolver) UpdateLeaveType(ctx context.Context, id int, input model.UpdateLeaveTypeInput) (*ent.LeaveType, error) {
	if err := r.Leaves.UpdateType(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).LeaveType.Query().Where(leavetype.ID(id)))
}

func (r *mutationResolver) DeleteLeaveType(ctx context.Context, id int) (*model.Deletion, error) {
	return &model.Deletion{Deleted: true}, r.Leaves.DeleteType(ctx, id)
}

func (r *mutationResolver) RequestLeave(ctx context.Context, input model.RequestLeaveInput) (*ent.Leave, error) {
	id, err := r.Leaves.Request(ctx, input)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Leave.Query().Where(entLeave.ID(id)))
}

func (r *mutationResolver) DecideLeave(ctx context.Context, id int, input model.DecideInput) (*ent.Leave, error) {
	if err := r.Leaves.Decide(ctx, id, input); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Leave.Query().Where(entLeave.ID(id)))
}

func (r *mutationResolver) DecideLeaves(ctx context.Context, input model.DecideLeavesInput) ([]*model.Decided, error) {
	return r.Leaves.DecideMany(ctx, input)
}

func (r *mutationResolver) CancelLeave(ctx context.Context, id int) (*ent.Leave, error) {
	if err := r.Leaves.Cancel(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Leave.Query().Where(entLeave.ID(id)))
}

func (r *queryResolver) LeaveType(ctx context.Context, id int) (*ent.LeaveType, error) {
	return connection.One(ctx, ent.FromContext(ctx).LeaveType.Query().Where(leavetype.ID(id)))
}

func (r *queryResolver) Leave(ctx context.Context, id int) (*ent.Leave, error) {
	return connection.One(ctx, ent.FromContext(ctx).Leave.Query().Where(entLeave.ID(id)))
}

func (r *queryResolver) LeaveBalances(ctx context.Context, userID *int, year *int) ([]*model.LeaveBalance, error) {
	return r.Resolver.Leaves.Balances(ctx, userID, year)
}

func (r *queryResolver) LeavePreview(ctx context.Context, startsOn string, endsOn string, includeHolidays *bool) (*model.LeavePreview, error) {
	return r.Resolver.Leaves.Preview(ctx, leave.Preview{
		StartsOn: startsOn, EndsOn: endsOn, IncludeHolidays: includeHolidays != nil && *includeHolidays,
	})
}

func (r *queryResolver) Away(ctx context.Context, from string, to string, userID *int) ([]*model.Away, error) {
	return r.Resolver.Leaves.Away(ctx, from, to, userID)
}
