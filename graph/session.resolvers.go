package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/session"
	"workforce/graph/connection"
)

func (r *mutationResolver) RevokeSession(ctx context.Context, id int) (*ent.Session, error) {
	if err := r.Auth.RevokeSession(ctx, id); err != nil {
		return nil, err
	}
	return connection.One(ctx, ent.FromContext(ctx).Session.Query().Where(session.ID(id)))
}

func (r *mutationResolver) RevokeAllSessions(ctx context.Context, userID *int, keepCurrent bool) ([]*ent.Session, error) {
	ended, err := r.Auth.RevokeAllSessions(ctx, userID, keepCurrent)
	if err != nil {
		return nil, err
	}
	return connection.All(ctx, ent.FromContext(ctx).Session.Query().Where(session.IDIn(ended...)).Order(ent.Asc(session.FieldID)))
}

func (r *queryResolver) Session(ctx context.Context, id int) (*ent.Session, error) {
	return connection.One(ctx, ent.FromContext(ctx).Session.Query().Where(session.ID(id)))
}
