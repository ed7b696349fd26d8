package auth

import (
	"cmp"
	"context"
	"fmt"

	"workforce/ent"
	"workforce/ent/session"
	entToken "workforce/ent/token"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// Logout ends the session of the access or refresh token. The device stays
// registered.
func (s *Service) Logout(ctx context.Context) (*model.Logout, error) {
	c := credential.From(ctx, token.Access)
	if c.Reason != credential.Valid && c.Reason != credential.Expired {
		c = credential.From(ctx, token.Refresh)
	}
	ended, err := s.sessions.end(viewer.System(ctx), c.Session.ID)
	if err == nil && !ended { // another request ended it at the same instant
		err = credential.Unauthenticated(c.Kind, credential.Revoked)
	}
	if err == nil {
		err = s.Audit.Record(ctx, ofSession(audit.LoggedOut, c.Session))
	}
	return &model.Logout{LoggedOut: true}, err
}

// AccessToken returns a token pair for a verified user token. The pair before it
// is revoked.
func (s *Service) AccessToken(ctx context.Context) (*model.TokenPair, error) {
	session := credential.From(ctx, token.User).Session
	if err := sameDevice(ctx, session); err != nil {
		return nil, err
	}
	if !session.Verified {
		return nil, unverified(viewer.System(ctx), s.Trust, session)
	}
	return s.sessions.replacePair(viewer.System(ctx), session.ID, credential.From(ctx, token.User).Viewer.Settings)
}

// unverified returns why a session has no tokens yet: the code is missing, or somebody
// has to approve the device.
func unverified(ctx context.Context, trusts *trust.Service, session credential.Session) error {
	waiting, err := trusts.Waiting(ctx, session)
	if err == nil && waiting != nil {
		err = trust.ErrWaiting()
	}
	return cmp.Or(err, error(errs.New(errs.VerificationRequired, nil)))
}

// RefreshToken spends a refresh token and returns the next pair. A misused token
// ends its session.
func (s *Service) RefreshToken(ctx context.Context) (*model.TokenPair, error) {
	c := credential.From(ctx, token.Refresh)
	ctx = viewer.System(ctx)
	if err := sameDevice(ctx, c.Session); err != nil {
		return nil, s.sessions.endFamily(ctx, c.Session, err)
	}
	pair, err := s.sessions.nextPair(ctx, c.Session.ID, c.Token, c.Viewer.Settings)
	if err != nil {
		return nil, err
	}
	if pair == nil {
		return nil, s.sessions.endFamily(ctx, c.Session, credential.Unauthenticated(token.Refresh, credential.Revoked))
	}
	return pair, nil
}

// TokenInfo returns what the request's access token stands for.
func (s *Service) TokenInfo(ctx context.Context) (*model.TokenInfo, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	c := credential.From(ctx, token.Access)
	return &model.TokenInfo{
		Active: true, UserID: me.UserID, CompanyID: me.CompanyID, DeviceID: c.Device.DeviceID,
		IssuedAt: c.Token.IssuedAt, ExpiresAt: c.Token.ExpiresAt, Permissions: me.Permissions,
	}, nil
}

// sameDevice refuses a device token, where one is sent, that is not of the
// session's device.
func sameDevice(ctx context.Context, s credential.Session) error {
	c := credential.From(ctx, token.Device)
	switch {
	case c.Reason == credential.Missing, c.Bearer:
		return nil
	case c.Reason != credential.Valid:
		return c.Err()
	case c.Device.ID != s.DeviceID:
		return credential.Unauthenticated(token.Device, credential.Invalid)
	}
	return nil
}

// endFamily ends a session because a refresh token was misused, and returns the
// error of the misuse.
func (ss *sessions) endFamily(ctx context.Context, session credential.Session, misuse error) error {
	err := tx.Run(ctx, ss.DB, func(ctx context.Context) error {
		ended, err := ss.end(ctx, session.ID)
		if err != nil || !ended {
			return err
		}
		return ss.Audit.Record(ctx, ofSession(audit.RefreshReused, session))
	})
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return misuse
}

// replacePair gives a session its next token pair; the one before is revoked. The first
// pair ends the user's other sessions where the company wants a single one.
func (ss *sessions) replacePair(ctx context.Context, id int, v setting.Values) (*model.TokenPair, error) {
	db, now := ent.FromContext(ctx), ss.Now()
	n, err := db.Session.Update().Where(session.ID(id), session.RevokedAtIsNil()).AddGeneration(1).Save(ctx)
	if err != nil {
		return nil, err
	}
	if n == 0 { // ended meanwhile
		return nil, credential.Unauthenticated(token.User, credential.Revoked)
	}
	s, err := db.Session.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if s.EndsAt == nil {
		if s, err = s.Update().SetEndsAt(now.Add(ss.lifetimes(v).Session)).Save(ctx); err != nil {
			return nil, err
		}
		if err := ss.endOthers(ctx, s, v); err != nil {
			return nil, err
		}
	}
	err = db.Token.Update().
		Where(entToken.SessionID(id), entToken.KindNEQ(entToken.KindUser), entToken.RevokedAtIsNil()).SetRevokedAt(now).Exec(ctx)
	if err != nil {
		return nil, err
	}
	return ss.issuePair(ctx, s, v)
}

// nextPair spends a refresh token, or gives again what it gave before. It is nil
// where the token is good for neither.
func (ss *sessions) nextPair(ctx context.Context, session int, t credential.Token, v setting.Values) (pair *model.TokenPair, err error) {
	err = tx.Run(ctx, ss.DB, func(ctx context.Context) (err error) {
		var won bool
		if pair, won, err = ss.rotate(ctx, session, t, v); err != nil || won {
			return err
		}
		pair, err = ss.successor(ctx, t.ID)
		return err
	})
	return pair, err
}
