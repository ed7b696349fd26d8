package auth

import (
	"context"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/onetimecode"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/textform"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// ForgotPassword sends a one-time code for a new password. The answer is the same
// whether the account exists or not.
func (s *Service) ForgotPassword(ctx context.Context, in model.ForgotPasswordInput) (*model.PasswordResetRequest, error) {
	login := textform.ReadLogin(in.Username, s.Country)
	if login.Kind == textform.Unknown {
		return nil, errs.Because("username", errs.BadFormat, errs.Meta{"expected": "name@example.com, +62811123789"})
	}
	ctx = viewer.System(ctx)
	u, key, err := accountOf(ctx, login, s.Now())
	if err != nil {
		return nil, err
	}
	return s.askReset(ctx, codeRequest{
		purpose: onetimecode.PurposeReset, user: u, device: credential.From(ctx, token.Device).Device.ID, kind: login.Kind, typed: key,
	})
}

// ResetPassword sets a new password with a one-time code, and ends every session
// of the user.
func (s *Service) ResetPassword(ctx context.Context, in model.ResetPasswordInput) (*model.Profile, error) {
	typed, text, err := s.Passwords.readReset(ctx, in)
	if err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	code, err := resetCode(ctx, in.ID, credential.From(ctx, token.Device).Device.ID)
	if err != nil {
		return nil, err
	}
	if err := s.codes.try(ctx, code, typed, func(context.Context) error { return nil }); err != nil {
		return nil, err
	}
	u, err := ownerOf(ctx, code, s.Now())
	if err != nil {
		return nil, err
	}
	if err := s.checkReset(ctx, code, u, text); err != nil {
		return nil, err
	}
	hash, err := s.Hasher.Hash(ctx, text)
	if err != nil {
		return nil, err
	}
	if err := tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.setPassword(ctx, code, u, hash) }); err != nil {
		return nil, err
	}
	return s.Profiles.Of(ctx, u.ID, true)
}

// readReset returns the code and the password of a reset, or all faults of its
// members.
func (p *Passwords) readReset(ctx context.Context, in model.ResetPasswordInput) (code, text string, err error) {
	var faults errs.Faults
	if in.ID == "" {
		faults.Add("id", errs.Required, nil)
	}
	code, wrong := ReadCode(in.Otp)
	text, err = p.Read(ctx, append(faults, wrong...), "password", in.Password)
	return code, text, err
}

// askReset answers a forgotten password: with a code for an account that exists, and
// alike for one that does not, or that was sent as many as it may be by its other
// name.
func (s *Service) askReset(ctx context.Context, q codeRequest) (*model.PasswordResetRequest, error) {
	var code *ent.OneTimeCode
	err := tx.Run(ctx, s.DB, func(ctx context.Context) error {
		st, err := s.codes.lock(ctx, q)
		if err != nil {
			return err
		}
		if st.wait > 0 {
			return ratelimit.TooMany(st.wait, st.limit)
		}
		if err := s.Limiter.Count(ctx, ratelimit.Code); err != nil {
			return err
		}
		to := q
		if st.full {
			to.user = nil
		}
		if code, err = s.codes.send(ctx, to); err != nil {
			return err
		}
		return s.record(ctx, audit.PasswordForgot, to.user, q.device)
	})
	if err != nil {
		return nil, err
	}
	return &model.PasswordResetRequest{
		ID: *code.RequestID, Channel: q.channel(), Destination: contact.Mask(q.kind, q.typed), ExpiresIn: s.sessions.secondsTo(code.ExpiresAt),
	}, nil
}

// resetCode returns the code of a reset: by the request's id, or the newest of the
// user with that id, if they trust the device. It must have been asked for on the
// device. Nil stands for none.
func resetCode(ctx context.Context, id string, device int) (*ent.OneTimeCode, error) {
	q := ent.FromContext(ctx).OneTimeCode.Query().
		Where(onetimecode.PurposeEQ(onetimecode.PurposeReset), onetimecode.DeviceID(device))
	if len(id) == 15 {
		q.Where(onetimecode.RequestID(id))
	} else {
		n, err := strconv.ParseInt(id, 10, 32)
		if err != nil {
			return nil, nil
		}
		if trusted, err := trust.Trusts(ctx, int(n), device); err != nil || !trusted {
			return nil, err
		}
		q.Where(onetimecode.UserID(int(n)))
	}
	return newest(ctx, q)
}

// ownerOf returns the user whom a code that was guessed right is for. It is
// OTP_INVALID where they may not sign in any more.
func ownerOf(ctx context.Context, code *ent.OneTimeCode, now time.Time) (*ent.User, error) {
	u, err := ent.FromContext(ctx).User.Get(ctx, *code.UserID)
	if err != nil {
		return nil, err
	}
	may, err := maySignIn(ctx, u, now)
	if err == nil && !may {
		err = errs.Field(errs.OTPInvalid, "otp", nil)
	}
	return u, err
}

// checkReset refuses a password that may not be chosen. The try at the code is not
// counted then, so that the code stays good for a better one.
func (s *Service) checkReset(ctx context.Context, code *ent.OneTimeCode, u *ent.User, text string) error {
	refused := s.Passwords.CheckNew(ctx, "password", text, u)
	if refused == nil {
		return nil
	}
	if err := s.codes.giveBackTry(ctx, code); err != nil {
		return err
	}
	return refused
}

// setPassword uses a code up for a new password of the user whom it is for, and
// ends every session of theirs. Trusted devices stay so.
func (s *Service) setPassword(ctx context.Context, code *ent.OneTimeCode, u *ent.User, hash string) error {
	if err := s.codes.use(ctx, code); err != nil {
		return err
	}
	if err := s.Passwords.replace(ctx, u, hash); err != nil {
		return err
	}
	if err := s.Audit.Record(ctx, ofUser(audit.PasswordReset, u, code.DeviceID)); err != nil {
		return err
	}
	return EndSessions(ctx, s.Now(), u.ID)
}
