package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/message"
	"workforce/graph/connection"
)

func (r *queryResolver) Message(ctx context.Context, id int) (*ent.Message, error) {
	return connection.One(ctx, ent.FromContext(ctx).Message.Query().Where(message.ID(id)))
}
