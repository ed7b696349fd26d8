package auth

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/session"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// RevokeSession ends a session. FORBIDDEN where the viewer sees it and may not end
// it.
func (s *Service) RevokeSession(ctx context.Context, id int) error {
	db := ent.FromContext(ctx)
	found, err := db.Session.Get(ctx, id)
	if err != nil {
		return err
	}
	if err := s.sessions.revoke(ctx, found); err != nil {
		return err
	}
	left, err := db.Session.Query().Where(session.ID(id), session.RevokedAtIsNil()).Exist(ctx)
	if err == nil && left {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// RevokeAllSessions ends the sessions of a user, the viewer's own for nil, and
// returns their ids. keepCurrent leaves the one that the request belongs to.
func (s *Service) RevokeAllSessions(ctx context.Context, userID *int, keepCurrent bool) ([]int, error) {
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
	return idsOf(live), s.sessions.revoke(ctx, live...)
}

// EndSessions ends all sessions of users, and with them their tokens.
func EndSessions(ctx context.Context, now time.Time, users ...int) error {
	return ent.FromContext(ctx).Session.Update().
		Where(session.UserIDIn(users...), session.RevokedAtIsNil()).SetRevokedAt(now).Exec(ctx)
}

// mayEndSessions returns NOT_FOUND for a user whom the viewer does not see, and
// FORBIDDEN for one whose sessions they may not end.
func mayEndSessions(ctx context.Context, me *viewer.Viewer, id int) error {
	u, err := ent.FromContext(ctx).User.Query().Where(user.ID(id)).Only(ctx)
	if err := input.Referenced("userId", !ent.IsNotFound(err), policysql.IgnoreNotFound(err)); err != nil {
		return err
	}
	if !me.Reaches(me.Scope("session", "write"), u.ID, u.BusinessID) {
		return errs.New(errs.Forbidden, nil)
	}
	if me.Owner || u.ID == me.UserID {
		return nil
	}
	owner, err := ent.FromContext(ctx).User.Query().Where(user.ID(id), trust.Owns).Exist(ctx)
	if err == nil && owner {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// liveSessions returns the sessions of a user that were not ended, the oldest
// first.
func liveSessions(ctx context.Context, of int) ([]*ent.Session, error) {
	return ent.FromContext(ctx).Session.Query().
		Where(session.UserID(of), session.RevokedAtIsNil()).Order(ent.Asc(session.FieldID)).All(viewer.System(ctx))
}

func without(all []*ent.Session, id int) []*ent.Session {
	return slices.DeleteFunc(all, func(s *ent.Session) bool { return s.ID == id })
}

// revoke ends those of some sessions that the viewer may change. Where two requests
// end one at once, both are recorded.
func (ss *sessions) revoke(ctx context.Context, all ...*ent.Session) error {
	db := ent.FromContext(ctx)
	live, err := db.Session.Query().Where(session.IDIn(idsOf(all)...), session.RevokedAtIsNil()).All(ctx)
	if err != nil {
		return err
	}
	n, err := db.Session.Update().Where(session.IDIn(idsOf(live)...), session.RevokedAtIsNil()).SetRevokedAt(ss.Now()).
		Save(ctx)
	if err != nil || n == 0 {
		return err
	}
	events := make([]audit.Event, len(live))
	for i, session := range live {
		events[i] = ofSession(audit.SessionRevoked, credential.SessionOf(session))
	}
	return ss.Audit.Record(ctx, events...)
}

func idsOf(all []*ent.Session) []int {
	ids := make([]int, len(all))
	for i, s := range all {
		ids[i] = s.ID
	}
	return ids
}
