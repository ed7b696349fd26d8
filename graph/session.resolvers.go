package graph

import (
	"context"
	"workforce/ent"
	"workforce/ent/session"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

func (r *mutationResolver) RevokeSession(ctx context.Context, id int) (*ent.Session, error) {
	db := ent.FromContext(ctx)
	s, err := db.Session.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := r.revokeSessions(ctx, s); err != nil {
		return nil, err
	}
	left, err := db.Session.Query().Where(session.ID(id), session.RevokedAtIsNil()).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if left {
		return nil, errs.New(errs.Forbidden, nil)
	}
	return only(ctx, db.Session.Query().Where(session.ID(id)))
}

func (r *mutationResolver) RevokeAllSessions(ctx context.Context, userID *int, keepCurrent bool) ([]*ent.Session, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	of := me.UserID
	if userID != nil {
		of = *userID
	}
	if err := mayEndSessions(ctx, me, of); err != nil {
		return nil, err
	}
	live, err := liveSessions(ctx, of)
	if err != nil {
		return nil, err
	}
	if keepCurrent {
		live = without(live, me.SessionID)
	}
	if err := r.revokeSessions(ctx, live...); err != nil {
		return nil, err
	}
	return sessionsOf(ctx, live)
}

func (r *queryResolver) Session(ctx context.Context, id int) (*ent.Session, error) {
	return only(ctx, ent.FromContext(ctx).Session.Query().Where(session.ID(id)))
}
