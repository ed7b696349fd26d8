package graph

import (
	"context"
	"workforce/ent"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	"workforce/graph/connection"
	"workforce/graph/model"
)

func (r *mutationResolver) DecideOvertime(ctx context.Context, input model.DecideOvertimeInput) ([]*model.DecidedOvertime, error) {
	return r.Overtime.Decide(ctx, input)
}

func (r *overtimeApprovalResolver) Decider(ctx context.Context, obj *ent.OvertimeApproval) (*ent.User, error) {
	return decider(ctx, entOvertimeApproval.Table, &obj.DecidedBy)
}

func (r *queryResolver) OvertimeApproval(ctx context.Context, id int) (*ent.OvertimeApproval, error) {
	return connection.One(ctx, ent.FromContext(ctx).OvertimeApproval.Query().Where(entOvertimeApproval.ID(id)))
}
