package graph

import (
	"context"
	"fmt"
	"strconv"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/devicetrust"
	"workforce/ent/message"
	"workforce/ent/onetimecode"
	"workforce/ent/session"
	enttoken "workforce/ent/token"
	"workforce/ent/user"
	"workforce/graph/identity"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/token"
)

// loginSecret returns the password of a sign-in, or what is wrong with its
// members.
func (r *Resolver) loginSecret(ctx context.Context, input model.LoginInput) (string, error) {
	var faults errs.Faults
	if input.Username == "" {
		faults.Add("username", errs.Required, nil)
	}
	return r.secret(ctx, faults, "password", input.Password)
}

// resetSecret returns the password of a reset, or what is wrong with its
// members.
func (r *Resolver) resetSecret(ctx context.Context, input model.ResetPasswordInput) (string, error) {
	var faults errs.Faults
	if input.ID == "" {
		faults.Add("id", errs.Required, nil)
	}
	if input.Otp == "" {
		faults.Add("otp", errs.Required, nil)
	}
	return r.secret(ctx, faults, "password", input.Password)
}

// accountOf finds the active user whom a typed name belongs to; nil for nobody.
func (r *Resolver) accountOf(ctx context.Context, kind contact.Kind, key string) (*ent.User, error) {
	q := ent.FromContext(ctx).User.Query().Where(user.Active(true))
	switch kind {
	case contact.Email:
		q.Where(user.EmailKey(key))
	case contact.Phone:
		q.Where(user.Phone(key))
	default:
		return nil, nil
	}
	u, err := q.Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return u, err
}

// hashOf returns the stored hash of a user's password; "" for nobody, and for
// somebody without one, which takes as long to verify as any other.
func hashOf(u *ent.User) string {
	if u == nil || u.PasswordHash == nil {
		return ""
	}
	return *u.PasswordHash
}

// names returns what a user's password may not be.
func names(u *ent.User) []string {
	own := []string{u.Name, u.Email}
	if u.Phone != nil {
		own = append(own, *u.Phone)
	}
	return own
}

// signIn begins a session for a user who gave the right password, and sends a
// code where the user does not trust the device.
func (r *Resolver) signIn(ctx context.Context, q codeRequest) (*model.Login, error) {
	var out *model.Login
	begin := func(ctx context.Context) error {
		trusted, err := trusts(ctx, q.user.ID, q.device)
		if err != nil {
			return err
		}
		t, s, err := r.startSession(ctx, q.user, q.device, trusted)
		if err != nil {
			return err
		}
		if err := r.note(ctx, ofSession(loginSucceeded, identity.SessionOf(s))); err != nil {
			return err
		}
		out = &model.Login{UserToken: t.Text(), Verified: trusted}
		if !trusted {
			if out.Verification, err = r.loginCodeSent(ctx, q); err != nil {
				return err
			}
		}
		out.User, err = r.profile(ctx, q.user.ID, trusted)
		return err
	}
	err := r.inTx(ctx, begin)
	if ent.IsConstraintError(err) { // another request sent a code at the same instant: now it is found
		err = r.inTx(ctx, begin)
	}
	return out, err
}

// trusts reports whether a user trusts a device.
func trusts(ctx context.Context, user, device int) (bool, error) {
	return ent.FromContext(ctx).DeviceTrust.Query().
		Where(devicetrust.UserID(user), devicetrust.DeviceID(device), devicetrust.RevokedAtIsNil()).Exist(ctx)
}

// profile returns a user's profile, with the face only where the device is
// known to be theirs.
func (r *Resolver) profile(ctx context.Context, id int, trusted bool) (*model.Profile, error) {
	if trusted {
		return r.fullProfileOf(ctx, id)
	}
	return profileOf(ctx, id)
}

// loginCodeSent sends a code, or where the last is too recent or there were too
// many, tells how long the last is good for.
func (r *Resolver) loginCodeSent(ctx context.Context, q codeRequest) (*model.CodeSent, error) {
	channel, _ := reach(q.user, q.channel())
	sent := &model.CodeSent{Channel: channel, Destination: masked(q.user, channel)}
	st, err := r.codeState(ctx, q)
	if err != nil {
		return nil, err
	}
	if st.wait > 0 {
		if st.live != nil {
			sent.ExpiresIn = r.secondsTo(st.live.ExpiresAt)
		}
		return sent, nil
	}
	if err := r.count(ctx, "code", r.Limits.Codes); err != nil {
		return nil, err
	}
	code, err := r.sendCode(ctx, q)
	if err != nil {
		return nil, err
	}
	sent.ExpiresIn = r.secondsTo(code.ExpiresAt)
	return sent, nil
}

// masked is how somebody who gave the password is shown where a channel reaches
// them.
func masked(u *ent.User, c message.Channel) string {
	if c == message.ChannelEmail {
		return contact.MaskEmail(u.EmailKey)
	}
	return contact.MaskPhone(addressBy(u, c))
}

// askReset answers a forgotten password: with a code for an account that
// exists, and alike for one that does not.
func (r *Resolver) askReset(ctx context.Context, q codeRequest) (*model.PasswordResetRequest, error) {
	var code *ent.OneTimeCode
	err := r.inTx(ctx, func(ctx context.Context) error {
		st, err := r.codeState(ctx, q)
		if err != nil {
			return err
		}
		if st.wait > 0 {
			return tooMany(st.wait, nil)
		}
		if err := r.count(ctx, "code", r.Limits.Codes); err != nil {
			return err
		}
		code, err = r.sendCode(ctx, q)
		return err
	})
	if ent.IsConstraintError(err) { // another request sent one at the same instant
		err = tooMany(codeGap, nil)
	}
	if err != nil {
		return nil, err
	}
	return &model.PasswordResetRequest{
		ID: *code.RequestID, Channel: q.channel(), Destination: contact.Mask(q.kind, q.typed), ExpiresIn: r.secondsTo(code.ExpiresAt),
	}, nil
}

// resetCode finds the code that a reset is about: by the request's id, or the
// newest of the user with that id. It must have been asked for on the device.
// Nil stands for none.
func (r *Resolver) resetCode(ctx context.Context, id string, device int) (*ent.OneTimeCode, error) {
	q := ent.FromContext(ctx).OneTimeCode.Query().
		Where(onetimecode.PurposeEQ(onetimecode.PurposeReset), onetimecode.DeviceID(device))
	if len(id) == 15 {
		q.Where(onetimecode.RequestID(id))
	} else {
		n, err := strconv.ParseInt(id, 10, 32)
		if err != nil {
			return nil, nil
		}
		q.Where(onetimecode.UserID(int(n)))
	}
	return newest(ctx, q)
}

// loginCode finds the newest code that was sent for signing in on the session's
// device. Nil stands for none.
func (r *Resolver) loginCode(ctx context.Context, s identity.Session) (*ent.OneTimeCode, error) {
	return newest(ctx, ent.FromContext(ctx).OneTimeCode.Query().Where(
		onetimecode.PurposeEQ(onetimecode.PurposeLogin), onetimecode.UserID(s.UserID), onetimecode.DeviceID(s.DeviceID)))
}

func newest(ctx context.Context, q *ent.OneTimeCodeQuery) (*ent.OneTimeCode, error) {
	c, err := q.Order(ent.Desc(onetimecode.FieldID)).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return c, err
}

// ownerOf returns the user whom a code that was guessed right is for. It is
// OTP_INVALID for an account that does not exist, or not any more.
func ownerOf(ctx context.Context, code *ent.OneTimeCode) (*ent.User, error) {
	if code.UserID == nil {
		return nil, errs.Field(errs.OTPInvalid, "otp", nil)
	}
	u, err := ent.FromContext(ctx).User.Get(ctx, *code.UserID)
	if err == nil && !u.Active {
		err = errs.Field(errs.OTPInvalid, "otp", nil)
	}
	return u, err
}

// checkNew refuses a password that may not be chosen. The try at the code is not
// counted then, so that the code stays good for a better one.
func (r *Resolver) checkNew(ctx context.Context, code *ent.OneTimeCode, u *ent.User, text string) error {
	refused := r.checkChosen(ctx, "password", text, u)
	if refused == nil {
		return nil
	}
	if err := r.giveBackTry(ctx, code); err != nil {
		return err
	}
	return refused
}

// setPassword uses a code up for a new password of the user whom it is for, and
// ends every session of theirs. Trusted devices stay so.
func (r *Resolver) setPassword(ctx context.Context, code *ent.OneTimeCode, u *ent.User, hash string) error {
	if err := r.useCode(ctx, code); err != nil {
		return err
	}
	if err := r.replacePassword(ctx, u, hash); err != nil {
		return err
	}
	if err := r.note(ctx, ofUser(passwordReset, u, code.DeviceID)); err != nil {
		return err
	}
	return r.endSessions(ctx, u.ID)
}

// trust notes that the session's user holds its device.
func (r *Resolver) trust(ctx context.Context, s identity.Session) error {
	if err := r.tellNewDevice(ctx, s); err != nil {
		return err
	}
	if err := r.note(ctx, ofSession(loginVerified, s)); err != nil {
		return err
	}
	db, now := ent.FromContext(ctx), r.Now()
	if err := db.Session.UpdateOneID(s.ID).SetVerifiedAt(now).Exec(ctx); err != nil {
		return err
	}
	return db.DeviceTrust.Create().SetCompanyID(s.CompanyID).SetUserID(s.UserID).SetDeviceID(s.DeviceID).SetTrustedAt(now).
		OnConflict(sql.ConflictColumns(devicetrust.FieldUserID, devicetrust.FieldDeviceID)).
		Update(func(u *ent.DeviceTrustUpsert) { u.SetTrustedAt(now).ClearRevokedAt() }).Exec(ctx)
}

// sameDevice refuses a device token, where one is sent, that is not the
// session's device's.
func (r *Resolver) sameDevice(ctx context.Context, s identity.Session) error {
	text := request.From(ctx).Header.Get(headers[token.Device])
	if text == "" {
		return nil
	}
	sent := identity.Parse(token.Device, text)
	known, err := identity.Read(ctx, ent.FromContext(ctx), []identity.Sent{sent})
	if err != nil {
		return err
	}
	c, err := r.judge(ctx, sent, known[sent.Hash])
	if err != nil {
		return err
	}
	if c.reason == valid && c.Device.ID != s.DeviceID {
		c.reason = invalid
	}
	if c.reason != valid {
		return c.err()
	}
	return nil
}

// replacePair gives a session its next token pair; the one before is revoked.
func (r *Resolver) replacePair(ctx context.Context, id int) (*model.TokenPair, error) {
	db, now := ent.FromContext(ctx), r.Now()
	n, err := db.Session.Update().Where(session.ID(id), session.RevokedAtIsNil()).AddGeneration(1).Save(ctx)
	if err != nil {
		return nil, err
	}
	if n == 0 { // ended meanwhile
		return nil, errs.New(errs.Unauthenticated, errs.Meta{"token": "user", "reason": revoked})
	}
	s, err := db.Session.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if s.EndsAt == nil {
		if s, err = s.Update().SetEndsAt(now.Add(r.Lifetimes.Session)).Save(ctx); err != nil {
			return nil, err
		}
	}
	err = db.Token.Update().
		Where(enttoken.SessionID(id), enttoken.KindNEQ(enttoken.KindUser), enttoken.RevokedAtIsNil()).SetRevokedAt(now).Exec(ctx)
	if err != nil {
		return nil, err
	}
	return r.issuePair(ctx, s)
}

// nextPair spends a refresh token, or gives again what it gave before. It is nil
// where the token is good for neither.
func (r *Resolver) nextPair(ctx context.Context, session int, t identity.Token) (pair *model.TokenPair, err error) {
	err = r.inTx(ctx, func(ctx context.Context) (err error) {
		var won bool
		if pair, won, err = r.rotate(ctx, session, t); err != nil || won {
			return err
		}
		pair, err = r.successor(ctx, t.ID)
		return err
	})
	return pair, err
}

// endFamily ends a session because a refresh token was misused, and returns the
// error of the misuse.
func (r *Resolver) endFamily(ctx context.Context, s identity.Session, misuse error) error {
	err := r.inTx(ctx, func(ctx context.Context) error {
		ended, err := r.endSession(ctx, s.ID)
		if err != nil || !ended {
			return err
		}
		return r.note(ctx, ofSession(refreshReused, s))
	})
	if err != nil {
		return fmt.Errorf("end session: %w", err)
	}
	return misuse
}
