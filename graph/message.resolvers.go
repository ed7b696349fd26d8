package graph

import (
	"context"
	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/graph/connection"
)

func (r *queryResolver) Message(ctx context.Context, id int) (*ent.Message, error) {
	return connection.One(ctx, ent.FromContext(ctx).Message.Query().Where(entMessage.ID(id)))
}
