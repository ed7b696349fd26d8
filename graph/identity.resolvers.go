package graph

import (
	"cmp"
	"context"
	"workforce/ent"
	"workforce/ent/onetimecode"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

func (r *mutationResolver) Login(ctx context.Context, input model.LoginInput) (*model.Login, error) {
	text, err := r.loginSecret(ctx, input)
	if err != nil {
		return nil, err
	}
	ctx = system(ctx)
	if err := r.full(ctx, "failure", r.Limits.Failures); err != nil {
		return nil, err
	}
	kind, key := contact.Username(input.Username, r.Country)
	u, err := r.accountOf(ctx, kind, key)
	if err != nil {
		return nil, err
	}
	device := claimOf(ctx, token.Device).Device.ID
	g, err := r.guess(ctx, cmp.Or(key, input.Username), u, device)
	if err != nil {
		return nil, err
	}
	ok, err := r.verify(ctx, g, hashOf(u), text)
	if err != nil {
		return nil, err
	}
	if !ok { // the same for an unknown user and a wrong password
		return nil, r.wrongGuess(ctx, g, errs.New(errs.InvalidCredentials, nil))
	}
	return r.signIn(ctx, codeRequest{
		purpose: onetimecode.PurposeLogin, user: u, device: device, kind: kind, typed: key,
	})
}

func (r *mutationResolver) Logout(ctx context.Context) (*model.Logout, error) {
	c := claimOf(ctx, token.Access)
	if c.reason != valid && c.reason != expired {
		c = claimOf(ctx, token.Refresh)
	}
	ended, err := r.endSession(system(ctx), c.Session.ID)
	if err == nil && !ended { // another request ended it at the same instant
		err = errs.New(errs.Unauthenticated, errs.Meta{"token": c.kind.Name(), "reason": revoked})
	}
	if err == nil {
		err = r.note(ctx, ofSession(loggedOut, c.Session))
	}
	return &model.Logout{LoggedOut: true}, err
}

func (r *mutationResolver) ForgotPassword(ctx context.Context, input model.ForgotPasswordInput) (*model.PasswordResetRequest, error) {
	kind, key := contact.Username(input.Username, r.Country)
	if kind == contact.Unknown {
		return nil, errs.Because("username", errs.BadFormat, errs.Meta{"expected": "name@example.com, +62811123789"})
	}
	ctx = system(ctx)
	u, err := r.accountOf(ctx, kind, key)
	if err != nil {
		return nil, err
	}
	return r.askReset(ctx, codeRequest{
		purpose: onetimecode.PurposeReset, user: u, device: claimOf(ctx, token.Device).Device.ID, kind: kind, typed: key,
	})
}

func (r *mutationResolver) ResetPassword(ctx context.Context, input model.ResetPasswordInput) (*model.Profile, error) {
	text, err := r.resetSecret(ctx, input)
	if err != nil {
		return nil, err
	}
	ctx = system(ctx)
	code, err := r.resetCode(ctx, input.ID, claimOf(ctx, token.Device).Device.ID)
	if err != nil {
		return nil, err
	}
	if err := r.tryCode(ctx, code, input.Otp); err != nil {
		return nil, err
	}
	u, err := ownerOf(ctx, code)
	if err != nil {
		return nil, err
	}
	if err := r.checkNew(ctx, code, u, text); err != nil {
		return nil, err
	}
	hash, err := r.Passwords.Hash(ctx, text)
	if err != nil {
		return nil, err
	}
	if err := r.inTx(ctx, func(ctx context.Context) error { return r.setPassword(ctx, code, u, hash) }); err != nil {
		return nil, err
	}
	return r.fullProfileOf(ctx, u.ID)
}

func (r *mutationResolver) Verify(ctx context.Context, input model.VerifyInput) (*model.Verification, error) {
	device, session := claimOf(ctx, token.Device).Device, claimOf(ctx, token.User).Session
	if session.DeviceID != device.ID {
		return nil, errs.New(errs.Unauthenticated, errs.Meta{"token": "user", "reason": invalid})
	}
	if input.Otp == "" {
		return nil, errs.Because("otp", errs.Required, nil)
	}
	ctx = system(ctx)
	code, err := r.loginCode(ctx, session)
	if err != nil {
		return nil, err
	}
	if err := r.tryCode(ctx, code, input.Otp); err != nil {
		return nil, err
	}
	err = r.inTx(ctx, func(ctx context.Context) error {
		if err := r.useCode(ctx, code); err != nil {
			return err
		}
		return r.trust(ctx, session)
	})
	return &model.Verification{Verified: true}, err
}

func (r *mutationResolver) AccessToken(ctx context.Context) (*model.TokenPair, error) {
	session := claimOf(ctx, token.User).Session
	ctx = system(ctx)
	if err := r.sameDevice(ctx, session); err != nil {
		return nil, err
	}
	if !session.Verified {
		return nil, errs.New(errs.VerificationRequired, nil)
	}
	return r.replacePair(ctx, session.ID)
}

func (r *mutationResolver) RefreshToken(ctx context.Context) (*model.TokenPair, error) {
	c := claimOf(ctx, token.Refresh)
	ctx = system(ctx)
	if err := r.sameDevice(ctx, c.Session); err != nil {
		return nil, r.endFamily(ctx, c.Session, err)
	}
	pair, err := r.nextPair(ctx, c.Session.ID, c.Token)
	if err != nil {
		return nil, err
	}
	if pair == nil {
		reused := errs.New(errs.Unauthenticated, errs.Meta{"token": "refresh", "reason": revoked})
		return nil, r.endFamily(ctx, c.Session, reused)
	}
	return pair, nil
}

func (r *queryResolver) Profile(ctx context.Context) (*model.Profile, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	return r.fullProfileOf(ctx, me.UserID)
}

func (r *queryResolver) TokenInfo(ctx context.Context) (*model.TokenInfo, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	c := claimOf(ctx, token.Access)
	return &model.TokenInfo{
		Active: true, UserID: me.UserID, CompanyID: me.CompanyID, DeviceID: c.Device.DeviceID,
		IssuedAt: c.Token.IssuedAt, ExpiresAt: c.Token.ExpiresAt, Permissions: me.Permissions,
	}, nil
}

func (r *queryResolver) Viewer(ctx context.Context) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	return only(ctx, ent.FromContext(ctx).User.Query().Where(user.ID(me.UserID)))
}
