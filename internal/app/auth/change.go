package auth

import (
	"context"

	"workforce/ent"
	"workforce/ent/session"
	entToken "workforce/ent/token"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// ChangePassword replaces the viewer's password, given the old one. Their other
// sessions end.
func (s *Service) ChangePassword(ctx context.Context, in model.ChangePasswordInput) (*model.PasswordChange, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	before, after, err := s.Passwords.readChange(ctx, in)
	if err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	u, err := ent.FromContext(ctx).User.Get(ctx, me.UserID)
	if err != nil {
		return nil, err
	}
	c := credential.From(ctx, token.Access)
	if err := s.verifyCurrent(ctx, u, c.Device.ID, before); err != nil {
		return nil, err
	}
	if err := s.Passwords.CheckNew(ctx, "newPassword", after, u); err != nil {
		return nil, err
	}
	hash, err := s.Hasher.Hash(ctx, after)
	if err != nil {
		return nil, err
	}
	err = tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.applyNew(ctx, c.Session, u, hash) })
	return &model.PasswordChange{Changed: true}, err
}

// readChange reads the old and the new password.
func (p *Passwords) readChange(ctx context.Context, input model.ChangePasswordInput) (before, after string, err error) {
	var faults errs.Faults
	before, err = p.Read(ctx, nil, "oldPassword", input.OldPassword)
	if err != nil {
		if faults = errs.As(err).Faults; len(faults) == 0 {
			return "", "", err
		}
	}
	after, err = p.Read(ctx, faults, "newPassword", input.NewPassword)
	return before, after, err
}

// verifyCurrent refuses a text that is not a user's password with
// VALIDATION_FAILED, which counts as a failed sign-in with their e-mail address.
func (s *Service) verifyCurrent(ctx context.Context, u *ent.User, device int, text string) error {
	a, err := s.attempts.begin(ctx, u.EmailKey, u, device)
	if err != nil {
		return err
	}
	ok, err := s.attempts.verify(ctx, a, hashOf(u), text)
	if err == nil && !ok {
		err = s.attempts.recordFailure(ctx, a, errs.Because("oldPassword", errs.WrongSecret, nil))
	}
	return err
}

// applyNew gives a user the password that they chose in their current session, and
// ends their other sessions and the current one's user token.
func (s *Service) applyNew(ctx context.Context, current credential.Session, u *ent.User, hash string) error {
	if err := s.Passwords.replace(ctx, u, hash); err != nil {
		return err
	}
	db := ent.FromContext(ctx)
	live, err := db.Session.Query().Where(session.ID(current.ID), session.RevokedAtIsNil()).Exist(ctx)
	if err != nil {
		return err
	}
	if !live { // ended while the hashes ran
		return credential.Unauthenticated(token.Access, credential.Revoked)
	}
	if err := s.Audit.Record(ctx, ofUser(audit.PasswordChanged, u, current.DeviceID)); err != nil {
		return err
	}
	err = db.Token.Update().Where(entToken.SessionID(current.ID), entToken.KindEQ(entToken.KindUser), entToken.RevokedAtIsNil()).
		SetRevokedAt(s.Now()).Exec(ctx)
	if err != nil {
		return err
	}
	return db.Session.Update().
		Where(session.UserID(u.ID), session.IDNEQ(current.ID), session.RevokedAtIsNil()).SetRevokedAt(s.Now()).Exec(ctx)
}
