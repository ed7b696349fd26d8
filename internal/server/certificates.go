package server

import (
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"strings"
	"time"

	"golang.org/x/crypto/acme/autocert"

	"workforce/ent"
	entCertificate "workforce/ent/certificate"
	"workforce/internal/app/tx"
	"workforce/internal/certificate"
	"workforce/internal/database"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// ordering is the lease of the instance that orders a certificate.
var ordering = database.Lease{Column: entCertificate.FieldLeaseUntil, Life: 2 * time.Minute}

const (
	// orderPoll is how often an instance looks whether another one's order has been filled.
	orderPoll = 500 * time.Millisecond
	// challengeLife is how long an answer to a CA's challenge is of use.
	challengeLife = time.Hour
	// renewBefore is how long before its end a certificate is renewed: at a third of its life, as
	// autocert does, if that is less.
	renewBefore = 30 * 24 * time.Hour
)

// A certificateCache is autocert's cache in the database, sealed. Of the instances that share the database one
// orders a certificate, and the others wait for it.
type certificateCache struct {
	db     *ent.Client
	sealer *sealed.Sealer
	now    func() time.Time
	log    *slog.Logger
	holder string // a random name of this instance
}

func newCertificateCache(
	db *ent.Client, keys *sealed.Ring, now func() time.Time, log *slog.Logger,
) *certificateCache {
	return &certificateCache{
		db: db, sealer: keys.Sealer("certificates"), now: now, log: log, holder: rand.Text(),
	}
}

// isCertificate reports whether a name of autocert's is that of a certificate, and not of the account's key or of
// an answer to a challenge.
func isCertificate(name string) bool { return !strings.ContainsAny(name, "+_") }

// Get implements autocert.Cache. Autocert orders a certificate that is missing, has ended or is due for renewal:
// Get returns such a one when this instance may order, and waits while another one does.
func (c *certificateCache) Get(ctx context.Context, name string) ([]byte, error) {
	for mine := false; ; {
		data, err := c.Stored(ctx, name)
		if mine || !isCertificate(name) || err == nil && c.isFresh(data) || err != nil && err != autocert.ErrCacheMiss {
			return data, err
		}
		if mine, err = c.claim(ctx, name); err != nil {
			return nil, err
		}
		if mine {
			continue // another one's order may have been filled meanwhile
		}
		select {
		case <-ctx.Done():
			return nil, errors.New("another instance orders the certificate: " + ctx.Err().Error())
		case <-time.After(orderPoll):
		}
	}
}

// isFresh reports whether a certificate is not due for renewal.
func (c *certificateCache) isFresh(data []byte) bool {
	pair, err := certificate.Parse(data)
	if err != nil {
		return false
	}
	before := min(pair.Leaf.NotAfter.Sub(pair.Leaf.NotBefore)/3, renewBefore)
	return pair.Leaf.NotAfter.Sub(c.now()) > before
}

// Stored returns a row at once. What cannot be opened is taken for missing: it can be had anew.
func (c *certificateCache) Stored(ctx context.Context, name string) ([]byte, error) {
	row, err := c.db.Certificate.Query().Where(entCertificate.Name(name)).Only(viewer.System(ctx))
	if ent.IsNotFound(err) || err == nil && row.Sealed == nil {
		return nil, autocert.ErrCacheMiss
	}
	if err != nil {
		return nil, err
	}
	data, err := c.sealer.Open(*row.Sealed, name)
	if err != nil {
		c.log.WarnContext(ctx, "a stored certificate cannot be read",
			"name", name, "error", err)
		return nil, autocert.ErrCacheMiss
	}
	return data, nil
}

var (
	certificateColumns = []string{
		entCertificate.FieldName, entCertificate.FieldSealed, entCertificate.FieldHolder, entCertificate.FieldLeaseUntil,
		entCertificate.FieldExpiresAt, entCertificate.FieldUpdatedAt,
	}
	certificateUpsert = database.Upsert{
		Table: entCertificate.Table, Columns: certificateColumns, Key: certificateColumns[:1],
		Replace: certificateColumns[1:],
	}
	claimUpsert = database.Upsert{Table: entCertificate.Table, Columns: certificateColumns, Key: certificateColumns[:1]}
)

// Put implements autocert.Cache. It ends the claim of who ordered.
func (c *certificateCache) Put(ctx context.Context, name string, data []byte) error {
	text, err := c.sealer.Seal(data, name)
	if err != nil {
		return err
	}
	now := c.now().UTC().Truncate(time.Microsecond)
	var expires *time.Time
	if pair, err := certificate.Parse(data); err == nil && isCertificate(name) {
		expires = new(pair.Leaf.NotAfter.UTC())
	} else if strings.HasSuffix(name, "+token") || strings.HasSuffix(name, "+http-01") {
		expires = new(now.Add(challengeLife))
	}
	return tx.Run(viewer.System(ctx), c.db, func(ctx context.Context) error {
		return certificateUpsert.Exec(ctx, ent.FromContext(ctx), name, text, nil, nil, expires, now)
	})
}

// Delete implements autocert.Cache.
func (c *certificateCache) Delete(ctx context.Context, name string) error {
	return tx.Run(viewer.System(ctx), c.db, func(ctx context.Context) error {
		_, err := ent.FromContext(ctx).Certificate.Delete().Where(entCertificate.Name(name)).Exec(ctx)
		return err
	})
}

// claim reports whether this instance may order a certificate from now on, for the life of a lease.
func (c *certificateCache) claim(ctx context.Context, name string) (bool, error) {
	n, now := 0, c.now().UTC().Truncate(time.Microsecond)
	err := tx.Run(viewer.System(ctx), c.db, func(ctx context.Context) (err error) {
		db := ent.FromContext(ctx)
		if err := claimUpsert.Exec(ctx, db, name, nil, nil, nil, now.Add(challengeLife), now); err != nil {
			return err
		}
		n, err = db.Certificate.Update().
			Where(entCertificate.Name(name), entCertificate.Or(
				entCertificate.LeaseUntilIsNil(), entCertificate.Holder(c.holder), ordering.Over)).
			SetHolder(c.holder).Modify(ordering.Renew).Save(ctx)
		return err
	})
	return n > 0, err
}

// Release ends the claims of this instance, which stops: another one, or this machine's next, may order at once.
func (c *certificateCache) Release(ctx context.Context) error {
	return tx.Run(viewer.System(ctx), c.db, func(ctx context.Context) error {
		return ent.FromContext(ctx).Certificate.Update().Where(entCertificate.Holder(c.holder)).
			ClearHolder().ClearLeaseUntil().Exec(ctx)
	})
}
