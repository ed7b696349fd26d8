package auth

import (
	"cmp"
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/company"
	entMessage "workforce/ent/message"
	"workforce/ent/onetimecode"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/notify"
	"workforce/internal/app/policysql"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/textform"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// Login begins a session on the request's device for a user name and a password.
// INVALID_CREDENTIALS for an unknown user and a wrong password alike.
func (s *Service) Login(ctx context.Context, in model.LoginInput) (*model.Login, error) {
	var faults errs.Faults
	if in.Username == "" {
		faults.Add("username", errs.Required, nil)
	}
	text, err := s.Passwords.Read(ctx, faults, "password", in.Password)
	if err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	login := textform.ReadLogin(in.Username, s.Country)
	u, key, err := accountOf(ctx, login, s.Now())
	if err != nil {
		return nil, err
	}
	device := credential.From(ctx, token.Device).Device.ID
	a, err := s.attempts.begin(ctx, cmp.Or(key, in.Username), u, device)
	if err != nil {
		return nil, err
	}
	ok, err := s.attempts.verify(ctx, a, hashOf(u), text)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, s.attempts.recordFailure(ctx, a, errs.New(errs.InvalidCredentials, nil))
	}
	return s.signIn(ctx, codeRequest{
		purpose: onetimecode.PurposeLogin, user: u, device: device, kind: login.Kind, typed: key,
	})
}

// Verify trusts the request's device for the user of the user token, whom a
// one-time code was sent. A user token that was verified already is verified whatever
// the code: the answer may have been lost.
func (s *Service) Verify(ctx context.Context, in model.VerifyInput) (*model.Verification, error) {
	device, session := credential.From(ctx, token.Device).Device, credential.From(ctx, token.User).Session
	if session.DeviceID != device.ID {
		return nil, credential.Unauthenticated(token.User, credential.Invalid)
	}
	verified := &model.Verification{Verified: true}
	if session.Verified {
		return verified, nil
	}
	typed, faults := ReadCode(in.Otp)
	if len(faults) > 0 {
		return nil, faults.Err()
	}
	ctx = viewer.System(ctx)
	waiting, err := s.Trust.Waiting(ctx, session)
	switch {
	case err != nil:
		return nil, err
	case waiting != nil:
		return nil, trust.ErrWaiting()
	}
	settings := credential.From(ctx, token.User).Viewer.Settings
	err = s.redeem(ctx, session, settings, typed)
	if errs.Is(err, errs.OTPInvalid) || errs.Is(err, errs.OTPExhausted) { // another request may have used the code
		row, lost := ent.FromContext(ctx).Session.Get(ctx, session.ID)
		switch {
		case lost != nil:
			return nil, lost
		case row.VerifiedAt != nil:
			return verified, nil
		}
	}
	if err == nil || errs.Is(err, errs.OTPInvalid) {
		if waiting, lost := s.Trust.Waiting(ctx, session); lost != nil || waiting != nil {
			return nil, cmp.Or(lost, trust.ErrWaiting())
		}
	}
	return verified, err
}

// redeem uses the code of a session up, given right, and records that its user trusts
// the device, or asks for an approval where the company wants one. The code of a first
// sign-in is as good as one that was sent.
func (s *Service) redeem(ctx context.Context, session credential.Session, settings setting.Values, typed string) error {
	then := func(ctx context.Context) error { return s.trust(ctx, session, settings) }
	if first, err := s.codes.tryFirst(ctx, session.UserID, typed, then); err != nil || first {
		return err
	}
	code, err := loginCode(ctx, session)
	if err != nil {
		return err
	}
	return s.codes.try(ctx, code, typed, func(ctx context.Context) error {
		if err := s.codes.use(ctx, code); err != nil {
			return err
		}
		return then(ctx)
	})
}

// accountOf returns the user with a typed name who may sign in, nil for nobody, and the key
// that stands for the name: that of the account which has one of its keys. For nobody it takes
// the same statements.
func accountOf(ctx context.Context, login textform.Login, now time.Time) (u *ent.User, key string, err error) {
	key = login.Key()
	q := ent.FromContext(ctx).User.Query()
	switch login.Kind {
	case textform.Email:
		q.Where(user.EmailKeyIn(login.Keys...))
	case textform.Phone:
		q.Where(user.Phone(key))
	default:
		return nil, "", nil
	}
	found, err := q.All(ctx)
	if err != nil {
		return nil, "", err
	}
	for _, one := range found {
		if u == nil || one.EmailKey == login.Keys[0] {
			u = one
		}
	}
	if u != nil && login.Kind == textform.Email {
		key = u.EmailKey
	}
	may, err := maySignIn(ctx, u, now)
	if err != nil || !may {
		return nil, key, err
	}
	return u, key, nil
}

// maySignIn reports whether a user is active and employed, by their company's days.
// Nobody is not.
func maySignIn(ctx context.Context, u *ent.User, now time.Time) (bool, error) {
	of := 0
	if u != nil {
		of = u.CompanyID
	}
	c, err := ent.FromContext(ctx).Company.Query().Where(company.ID(of)).Only(ctx)
	if err != nil {
		return false, policysql.IgnoreNotFound(err)
	}
	zone, err := shift.Zone(c.Timezone)
	return err == nil && u.Active && shift.EmploymentBetween(u.JoinedOn, u.LeftOn, zone).Contains(now), err
}

// hashOf returns the stored hash of a user's password; "" for nobody and for a
// user without one, which takes as long to verify as any other.
func hashOf(u *ent.User) string {
	if u == nil || u.PasswordHash == nil {
		return ""
	}
	return *u.PasswordHash
}

// signIn begins a session for a user who gave the right password, and sends a
// code where the user does not trust the device.
func (s *Service) signIn(ctx context.Context, q codeRequest) (*model.Login, error) {
	var out *model.Login
	begin := func(ctx context.Context) error {
		trusted, err := trust.Trusts(ctx, q.user.ID, q.device)
		if err != nil {
			return err
		}
		if err := s.devices.recordFirstUse(ctx, q.user, q.device); err != nil {
			return err
		}
		t, session, err := s.sessions.start(ctx, q.user, q.device, trusted)
		if err != nil {
			return err
		}
		if err := s.Audit.Record(ctx, ofSession(audit.LoginSucceeded, credential.SessionOf(session))); err != nil {
			return err
		}
		out = &model.Login{UserToken: t.Text(), Verified: trusted}
		if !trusted {
			if out.Verification, err = s.sendLoginCode(ctx, q); err != nil {
				return err
			}
		}
		out.User, err = s.Profiles.Of(ctx, q.user.ID, trusted)
		return err
	}
	return out, tx.Run(ctx, s.DB, begin)
}

// sendLoginCode sends a code. Where the last one is too recent, or there were too
// many, it sends none and returns how long the last one is valid.
func (s *Service) sendLoginCode(ctx context.Context, q codeRequest) (*model.CodeSent, error) {
	channel, _ := notify.Reach(q.user, q.channel())
	sent := &model.CodeSent{Channel: channel, Destination: masked(q.user, channel)}
	st, err := s.codes.lock(ctx, q)
	if err != nil {
		return nil, err
	}
	if st.wait > 0 || st.full {
		if st.live != nil {
			sent.ExpiresIn = s.sessions.secondsTo(st.live.ExpiresAt)
		}
		return sent, nil
	}
	if err := s.Limiter.Count(ctx, ratelimit.Code); err != nil {
		return nil, err
	}
	code, err := s.codes.send(ctx, q)
	if err != nil {
		return nil, err
	}
	sent.ExpiresIn = s.sessions.secondsTo(code.ExpiresAt)
	return sent, nil
}

// masked returns the masked address of a user on a channel.
func masked(u *ent.User, c entMessage.Channel) string {
	if c == entMessage.ChannelEmail {
		return contact.MaskEmail(u.EmailKey)
	}
	return contact.MaskPhone(notify.Address(u, c))
}

// trust records that the user of a session trusts its device, unless that must be
// approved first.
func (s *Service) trust(ctx context.Context, session credential.Session, settings setting.Values) error {
	if waits, err := s.Trust.Request(ctx, session, settings); err != nil || waits {
		return err
	}
	if err := s.Trust.NotifyNew(ctx, session); err != nil {
		return err
	}
	if err := s.Audit.Record(ctx, ofSession(audit.LoginVerified, session)); err != nil {
		return err
	}
	if err := ent.FromContext(ctx).Session.UpdateOneID(session.ID).SetVerifiedAt(s.Now()).Exec(ctx); err != nil {
		return err
	}
	return s.Trust.Trust(ctx, session.CompanyID, session.UserID, session.DeviceID, settings)
}

// loginCode returns the newest code that was sent for signing in on the session's
// device; nil for none.
func loginCode(ctx context.Context, s credential.Session) (*ent.OneTimeCode, error) {
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
