package graph

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/graph/identity"
	"workforce/internal/errs"
	"workforce/internal/plan"
	"workforce/internal/viewer"
)

// covers reports whether a scope of the viewer's covers a user of their company.
func covers(me *viewer.Viewer, s viewer.Scope, u *ent.User) bool {
	switch {
	case s == viewer.All, s >= viewer.Own && u.ID == me.UserID:
		return true
	}
	return s == viewer.Team && u.BusinessID != nil && slices.Contains(me.Businesses, *u.BusinessID)
}

// mayEndSessions is NOT_FOUND for a user whom the caller does not see, and
// FORBIDDEN for one whose sessions they may not end.
func mayEndSessions(ctx context.Context, me *viewer.Viewer, id int) error {
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).Only(ctx)
	if err := referred("userId", !ent.IsNotFound(err), ignoreNotFound(err)); err != nil {
		return err
	}
	if !covers(me, me.Scope("session", "write"), u) {
		return errs.New(errs.Forbidden, nil)
	}
	return nil
}

// liveSessions returns the sessions of a user that nobody ended, the oldest
// first.
func liveSessions(ctx context.Context, of int) ([]*ent.Session, error) {
	return ent.FromContext(ctx).Session.Query().
		Where(session.UserID(of), session.RevokedAtIsNil()).Order(ent.Asc(session.FieldID)).All(system(ctx))
}

func without(all []*ent.Session, id int) []*ent.Session {
	return slices.DeleteFunc(all, func(s *ent.Session) bool { return s.ID == id })
}

// revokeSessions ends those of some sessions that the viewer may change. Of two
// that end one at once, both are put down.
func (r *Resolver) revokeSessions(ctx context.Context, all ...*ent.Session) error {
	db := ent.FromContext(ctx)
	live, err := db.Session.Query().Where(session.IDIn(idsOf(all)...), session.RevokedAtIsNil()).All(ctx)
	if err != nil {
		return err
	}
	n, err := db.Session.Update().Where(session.IDIn(idsOf(live)...), session.RevokedAtIsNil()).SetRevokedAt(r.Now()).Save(ctx)
	if err != nil || n == 0 {
		return err
	}
	events := make([]event, len(live))
	for i, s := range live {
		events[i] = ofSession(sessionRevoked, identity.SessionOf(s))
	}
	return r.note(ctx, events...)
}

// sessionsOf returns sessions as they are now, with what is selected.
func sessionsOf(ctx context.Context, all []*ent.Session) ([]*ent.Session, error) {
	q, err := ent.FromContext(ctx).Session.Query().Where(session.IDIn(idsOf(all)...)).CollectFields(plan.Merged(ctx))
	if err != nil {
		return nil, err
	}
	return q.Order(ent.Asc(session.FieldID)).All(ctx)
}

func idsOf(all []*ent.Session) []int {
	ids := make([]int, len(all))
	for i, s := range all {
		ids[i] = s.ID
	}
	return ids
}
