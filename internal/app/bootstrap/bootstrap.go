// Package bootstrap creates the first company and its owner with a link that is used
// once.
package bootstrap

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"

	"workforce/ent"
	"workforce/ent/setuplink"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/password"
	"workforce/internal/viewer"
)

// Life is how long a link is valid.
const Life = time.Hour

// A Service creates the first company. Its methods are safe for concurrent use.
type Service struct {
	DB     *ent.Client
	Now    func() time.Time // UTC, to the microsecond
	Hasher *password.Hasher
	Auth   *auth.Service
	Audit  *audit.Recorder
}

// NewToken returns a random token of 256 bits.
func NewToken() string {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	return base64.RawURLEncoding.EncodeToString(secret)
}

var linkUpsert = database.Upsert{
	Table: setuplink.Table,
	Columns: []string{
		setuplink.FieldTokenHash, setuplink.FieldCreatedAt, setuplink.FieldExpiresAt,
	},
	Key: []string{setuplink.FieldTokenHash}, Replace: []string{setuplink.FieldExpiresAt},
}

// Offer makes a token valid for Life, and reports whether it did: not where there is a
// company already.
func (s *Service) Offer(ctx context.Context, token string) (offered bool, err error) {
	err = tx.Run(viewer.System(ctx), s.DB, func(ctx context.Context) error {
		db, now := ent.FromContext(ctx), s.Now()
		if err := lock(ctx, now); err != nil {
			return err
		}
		exists, err := db.Company.Query().Exist(ctx)
		if offered = !exists; err != nil || exists {
			return err
		}
		return linkUpsert.Exec(ctx, db, digest(token), now, now.Add(Life))
	})
	return offered && err == nil, err
}

// Check returns CONFLICT where there is a company already, and NOT_FOUND unless a token
// is valid: known and not expired.
func (s *Service) Check(ctx context.Context, token string) error {
	exists, err := s.DB.Company.Query().Exist(viewer.System(ctx))
	if err != nil {
		return err
	}
	if exists {
		return errs.Conflicts(errs.Duplicate, "", nil)
	}
	valid, err := s.DB.SetupLink.Query().Where(setuplink.TokenHash(digest(token)), setuplink.ClosedAtIsNil(), setuplink.ExpiresAtGT(s.Now())).
		Exist(viewer.System(ctx))
	if err == nil && !valid {
		err = errs.New(errs.NotFound, nil)
	}
	return err
}

// Create creates the first company and its owner, and returns the code of the owner's
// first sign-in. The token is used up. CONFLICT and NOT_FOUND as Check;
// VALIDATION_FAILED with all faults, and PASSWORD_WEAK, leave it valid.
func (s *Service) Create(ctx context.Context, token string, f Founding) (auth.FirstCode, error) {
	if err := s.Check(ctx, token); err != nil {
		return auth.FirstCode{}, err
	}
	if err := f.check(); err != nil {
		return auth.FirstCode{}, err
	}
	hash, err := s.Hasher.Hash(ctx, f.Password)
	if err != nil {
		return auth.FirstCode{}, err
	}
	var code auth.FirstCode
	err = tx.Run(viewer.System(ctx), s.DB, func(ctx context.Context) error {
		if err := s.claim(ctx, token); err != nil {
			return err
		}
		code, err = s.createCompany(ctx, f, hash)
		return err
	})
	return code, err
}

// claim uses a token up, and closes all links. Of several requests at once, one
// succeeds; the others get CONFLICT.
func (s *Service) claim(ctx context.Context, token string) error {
	now := s.Now()
	if err := lock(ctx, now); err != nil {
		return err
	}
	exists, err := ent.FromContext(ctx).Company.Query().Exist(ctx)
	if err != nil {
		return err
	}
	if exists {
		return errs.Conflicts(errs.Duplicate, "", nil)
	}
	n, err := ent.FromContext(ctx).SetupLink.Update().
		Where(setuplink.TokenHash(digest(token)), setuplink.ClosedAtIsNil(), setuplink.ExpiresAtGT(now)).SetClosedAt(now).Save(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		return errs.New(errs.NotFound, nil)
	}
	return Close(ctx, now)
}

// Close ends all links because a company is created, in the transaction that creates
// it. The context is the system's.
func Close(ctx context.Context, now time.Time) error {
	if err := lock(ctx, now); err != nil {
		return err
	}
	return ent.FromContext(ctx).SetupLink.Update().Where(setuplink.ClosedAtIsNil()).SetClosedAt(now).Exec(ctx)
}

// lock has transactions that offer a link, or create a company, run one after the
// other: a link that is offered meanwhile would outlive the creation.
func lock(ctx context.Context, now time.Time) error {
	return ratelimit.Lock(ctx, digest("first company"), now)
}

// createCompany creates the company and its owner, in a transaction.
func (s *Service) createCompany(ctx context.Context, f Founding, hash string) (auth.FirstCode, error) {
	db, now := ent.FromContext(ctx), s.Now()
	company, err := organization.CreateCompany(ctx, db, now, f.CompanyName, f.Timezone, f.Locale)
	if err != nil {
		return auth.FirstCode{}, err
	}
	owner := f.owner()
	owner.PasswordHash = hash
	users, err := people.CreateUsers(ctx, db, company, now, owner)
	if err != nil {
		return auth.FirstCode{}, err
	}
	if err := s.record(ctx, company, users[0]); err != nil {
		return auth.FirstCode{}, err
	}
	return s.Auth.NewFirstCode(ctx, users[0])
}

// record records the creation in the audit. The actor is nobody: there was none yet.
func (s *Service) record(ctx context.Context, c *ent.Company, owner *ent.User) error {
	return s.Audit.Record(ctx, audit.Event{
		Action: "company.created", Company: c.ID, Subject: ent.TypeCompany, ID: c.ID,
		Facts: map[string]any{"name": c.Name, "timezone": c.Timezone, "locale": c.Locale},
	}, audit.Event{
		Action: "user.created", Company: c.ID, Subject: ent.TypeUser, ID: owner.ID,
		Facts: map[string]any{"name": owner.Name, "email": owner.Email, "role": viewer.Owner},
	})
}

func digest(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}
