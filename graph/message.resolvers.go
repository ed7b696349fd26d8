package graph

import (
	"context"
	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/graph/connection"
)

func (r *mutationResolver) SendMessageAgain(ctx context.Context, id int) (*ent.Message, error) {
	sent, err := r.Messages.Again(ctx, id)
	if err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Message.Query().Where(entMessage.ID(sent)))
}

func (r *queryResolver) Message(ctx context.Context, id int) (*ent.Message, error) {
	return connection.One(ctx, ent.FromContext(ctx).Message.Query().Where(entMessage.ID(id)))
}
