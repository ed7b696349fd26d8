package graph

import (
	"context"
	"fmt"
	"workforce/ent"
	"workforce/graph/model"
)

func (r *mutationResolver) DecideOvertime(ctx context.Context, input model.DecideOvertimeInput) ([]*model.DecidedOvertime, error) {
	panic(fmt.Errorf("not implemented: DecideOvertime - decideOvertime"))
}

func (r *queryResolver) OvertimeApproval(ctx context.Context, id int) (*ent.OvertimeApproval, error) {
	panic(fmt.Errorf("not implemented: OvertimeApproval - overtimeApproval"))
}
