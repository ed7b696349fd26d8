package auth

import (
	"context"
	"crypto/rand"
	"time"

	"workforce/ent"
	"workforce/ent/devicetrust"
	"workforce/ent/onetimecode"
	"workforce/internal/app/tx"
)

// firstLife is how long the code of a first sign-in is valid.
const firstLife = 24 * time.Hour

// A FirstCode stands for the code that is sent at the first sign-in of an owner, who is
// created before anything can send one.
type FirstCode struct {
	Code    string // six digits
	Expires time.Time
}

// NewFirstCode returns a code that verifies a user token of a user who trusts no device
// yet, on any device, once. The transaction of ctx stores its digest; the context is
// the system's.
func (s *Service) NewFirstCode(ctx context.Context, u *ent.User) (FirstCode, error) {
	text, err := newOTP(rand.Reader)
	if err != nil {
		return FirstCode{}, err
	}
	now, account := s.Now(), s.codes.digests(u, "")[0]
	digest := otpDigest(s.codes.key.Key(), binding(onetimecode.PurposeFirst, account, 0), text)
	return FirstCode{text, now.Add(firstLife)}, ent.FromContext(ctx).OneTimeCode.Create().
		SetPurpose(onetimecode.PurposeFirst).SetAccount(account).SetUserID(u.ID).SetDeviceID(0).
		SetDigest(digest[:]).SetCreatedAt(now).SetExpiresAt(now.Add(firstLife)).Exec(ctx)
}

// first returns the code of a user's first sign-in; nil where there is none that
// may be tried, or where they trust a device already.
func (s *codes) first(ctx context.Context, userID int) (*ent.OneTimeCode, error) {
	db := ent.FromContext(ctx)
	code, err := newest(ctx, db.OneTimeCode.Query().Where(
		onetimecode.UserID(userID), onetimecode.PurposeEQ(onetimecode.PurposeFirst), onetimecode.DeviceID(0),
		onetimecode.LiveNotNil(), onetimecode.AttemptsLT(codeTries), onetimecode.ExpiresAtGT(s.Now())))
	if err != nil || code == nil {
		return nil, err
	}
	trusts, err := db.DeviceTrust.Query().Where(devicetrust.UserID(userID)).Exist(ctx)
	if err != nil || trusts {
		return nil, err
	}
	return code, nil
}

// tryFirst uses the code of a user's first sign-in up, given right, and runs then in the
// same transaction. It reports false for another code, which counts as a try at this one
// too.
func (s *codes) tryFirst(ctx context.Context, userID int, typed string, then func(context.Context) error) (right bool, err error) {
	code, err := s.first(ctx, userID)
	if err != nil || code == nil {
		return false, err
	}
	err = tx.Run(ctx, s.DB, func(ctx context.Context) error {
		n, err := ent.FromContext(ctx).OneTimeCode.Update().
			Where(onetimecode.ID(code.ID), onetimecode.AttemptsLT(codeTries), onetimecode.LiveNotNil()).
			AddAttempts(1).Save(ctx)
		if err != nil || n == 0 {
			return err
		}
		right = s.isRight(code, typed)
		if !right {
			return nil
		}
		if err := s.use(ctx, code); err != nil {
			return err
		}
		return then(ctx)
	})
	return right && err == nil, err
}
