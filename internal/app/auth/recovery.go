package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"time"

	"workforce/ent"
	"workforce/ent/predicate"
	"workforce/ent/recoverylink"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// recoveryLife is how long a link is valid with which a person sets another password.
const recoveryLife = 24 * time.Hour

// A Recovery stands for the link with which a person sets another password.
type Recovery struct {
	Token   string // 256 bits, in letters, digits, - and _
	Expires time.Time
}

// ErrMayNotSignIn is the error of a link for a person who is deactivated or not employed.
var ErrMayNotSignIn = errors.New("the person may not sign in")

// NewRecovery makes a link for a user, once, and voids the one before. It records that in the
// audit. The transaction of ctx stores its digest; the context is the system's.
func NewRecovery(ctx context.Context, r *audit.Recorder, u *ent.User) (Recovery, error) {
	now, links := r.Now(), ent.FromContext(ctx).RecoveryLink
	may, err := maySignIn(ctx, u, now)
	if err == nil && !may {
		err = ErrMayNotSignIn
	}
	if err != nil {
		return Recovery{}, err
	}
	var secret [32]byte
	rand.Read(secret[:]) // never fails
	made := Recovery{base64.RawURLEncoding.EncodeToString(secret[:]), now.Add(recoveryLife)}
	err = links.Update().Where(recoverylink.UserID(u.ID), recoverylink.LiveNotNil()).ClearLive().Exec(ctx)
	if err != nil {
		return Recovery{}, err
	}
	err = links.Create().SetTokenHash(recoveryDigest(made.Token)).SetUserID(u.ID).
		SetCreatedAt(now).SetExpiresAt(made.Expires).Exec(ctx)
	if err != nil {
		return Recovery{}, err
	}
	return made, r.Record(ctx, audit.Event{
		Action: audit.RecoveryMade, Company: u.CompanyID, Subject: ent.TypeUser, ID: u.ID,
		Facts: map[string]any{"by": "operator", "expires_at": made.Expires},
	})
}

func recoveryDigest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// RecoverAccount sets the password of the person whom a link was made for, trusts the request's
// device and ends their sessions. The link is used up. NOT_FOUND for a link that is unknown, used,
// void or expired, and for one of a person who may not sign in any more; it counts as a failed
// sign-in. VALIDATION_FAILED and PASSWORD_WEAK leave the link valid.
func (s *Service) RecoverAccount(ctx context.Context, in model.RecoverAccountInput) (*model.AccountRecovery, error) {
	var faults errs.Faults
	if in.Token == "" {
		faults.Add("token", errs.Required, nil)
	}
	text, err := s.Passwords.Read(ctx, faults, "password", in.Password)
	if err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	link, u, err := s.findRecovery(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	if err := s.Passwords.CheckNew(ctx, "password", text, u); err != nil {
		return nil, err
	}
	hash, err := s.Hasher.Hash(ctx, text)
	if err != nil {
		return nil, err
	}
	device := credential.From(ctx, token.Device).Device.ID
	err = tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.recover(ctx, link, u, device, hash) })
	return &model.AccountRecovery{Recovered: true}, err
}

// findRecovery returns the valid link with a token, and its user.
func (s *Service) findRecovery(ctx context.Context, text string) (*ent.RecoveryLink, *ent.User, error) {
	at := s.Now()
	count := func(ctx context.Context) error { return s.Limiter.Count(ctx, ratelimit.Failure) }
	if err := tx.Run(ctx, s.DB, count); err != nil {
		return nil, nil, err
	}
	db := ent.FromContext(ctx)
	link, err := db.RecoveryLink.Query().Where(recoverylink.TokenHash(recoveryDigest(text)), validRecovery(at)).Only(ctx)
	if ent.IsNotFound(err) {
		err = errs.New(errs.NotFound, nil)
	}
	if err != nil {
		return nil, nil, err
	}
	u, err := db.User.Get(ctx, link.UserID)
	if err != nil {
		return nil, nil, err
	}
	may, err := maySignIn(ctx, u, at)
	if err == nil && !may {
		err = errs.New(errs.NotFound, nil)
	}
	if err != nil {
		return nil, nil, err
	}
	takeBack := func(ctx context.Context) error { return s.Limiter.TakeBack(ctx, ratelimit.Failure, at) }
	return link, u, tx.Run(ctx, s.DB, takeBack)
}

// recover uses a link up, in a transaction. Of several requests at once, one succeeds.
func (s *Service) recover(ctx context.Context, link *ent.RecoveryLink, u *ent.User, device int, hash string) error {
	db, now := ent.FromContext(ctx), s.Now()
	n, err := db.RecoveryLink.Update().Where(recoverylink.ID(link.ID), validRecovery(now)).
		ClearLive().SetUsedAt(now).Save(ctx)
	if err == nil && n == 0 {
		err = errs.New(errs.NotFound, nil)
	}
	if err != nil {
		return err
	}
	if err := s.Passwords.replace(ctx, u, hash); err != nil {
		return err
	}
	company, err := db.Company.Get(ctx, u.CompanyID)
	if err != nil {
		return err
	}
	on := credential.Session{CompanyID: u.CompanyID, UserID: u.ID, DeviceID: device}
	if err := s.Trust.NotifyNew(ctx, on); err != nil {
		return err
	}
	if err := s.Trust.Trust(ctx, u.CompanyID, u.ID, device, company.Settings); err != nil {
		return err
	}
	used := ofUser(audit.PasswordRecovered, u, device)
	used.Actor = u.ID
	if err := s.Audit.Record(ctx, used); err != nil {
		return err
	}
	return EndSessions(ctx, now, u.ID)
}

// validRecovery matches links that may be used.
func validRecovery(now time.Time) predicate.RecoveryLink {
	return recoverylink.And(recoverylink.LiveNotNil(), recoverylink.ExpiresAtGT(now))
}
