package graph

import (
	"context"
	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/live"
)

func (r *queryResolver) InboxCount(ctx context.Context) (*model.InboxCount, error) {
	return r.Desk.Inbox(ctx)
}

func (r *queryResolver) OvertimeWaiting(ctx context.Context, limit *int) ([]*ent.ShiftResult, error) {
	return r.Desk.OvertimeWaiting(ctx, limit)
}

func (r *subscriptionResolver) InboxChanged(ctx context.Context) (<-chan *model.InboxCount, error) {
	return live.Rows[*model.InboxCount](ctx), nil
}
