package graph

import (
	"context"
	"fmt"
	"workforce/ent"
	"workforce/graph/model"
)

func (r *mutationResolver) CreateLeaveType(ctx context.Context, input model.CreateLeaveTypeInput) (*ent.LeaveType, error) {
	panic(fmt.Errorf("not implemented: CreateLeaveType - createLeaveType"))
}

func (r *mutationResolver) UpdateLeaveType(ctx context.Context, id int, input model.UpdateLeaveTypeInput) (*ent.LeaveType, error) {
	panic(fmt.Errorf("not implemented: UpdateLeaveType - updateLeaveType"))
}

func (r *mutationResolver) DeleteLeaveType(ctx context.Context, id int) (*model.Deletion, error) {
	panic(fmt.Errorf("not implemented: DeleteLeaveType - deleteLeaveType"))
}

func (r *mutationResolver) RequestLeave(ctx context.Context, input model.RequestLeaveInput) (*ent.Leave, error) {
	panic(fmt.Errorf("not implemented: RequestLeave - requestLeave"))
}

func (r *mutationResolver) DecideLeave(ctx context.Context, id int, input model.DecideInput) (*ent.Leave, error) {
	panic(fmt.Errorf("not implemented: DecideLeave - decideLeave"))
}

func (r *mutationResolver) CancelLeave(ctx context.Context, id int) (*ent.Leave, error) {
	panic(fmt.Errorf("not implemented: CancelLeave - cancelLeave"))
}

func (r *queryResolver) LeaveType(ctx context.Context, id int) (*ent.LeaveType, error) {
	panic(fmt.Errorf("not implemented: LeaveType - leaveType"))
}

func (r *queryResolver) Leave(ctx context.Context, id int) (*ent.Leave, error) {
	panic(fmt.Errorf("not implemented: Leave - leave"))
}

func (r *queryResolver) LeaveBalances(ctx context.Context, userID *int, year *int) ([]*model.LeaveBalance, error) {
	panic(fmt.Errorf("not implemented: LeaveBalances - leaveBalances"))
}

func (r *queryResolver) LeavePreview(ctx context.Context, startsOn string, endsOn string, includeHolidays *bool) (*model.LeavePreview, error) {
	panic(fmt.Errorf("not implemented: LeavePreview - leavePreview"))
}
