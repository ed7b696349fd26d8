package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/message"
)

func (r *queryResolver) Message(ctx context.Context, id int) (*ent.Message, error) {
	return only(ctx, ent.FromContext(ctx).Message.Query().Where(message.ID(id)))
}
