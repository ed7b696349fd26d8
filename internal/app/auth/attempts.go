package auth

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/loginthrottle"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth/trust"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/password"
	"workforce/internal/sealed"
)

// attempts counts login attempts and delays those that follow failures.
type attempts struct {
	Deps
	key *sealed.Derived // of the digests of what is counted
}

// An attempt is one try at a password. Attempts with one name are counted
// together on all devices that its user does not trust, and by device on those
// that they do trust.
type attempt struct {
	user         *ent.User // nil for nobody
	device       int
	key          []byte
	at           time.Time
	failures     int       // with this one
	blockedUntil time.Time // before this one
}

// blocked reports whether the attempt comes too soon after others.
func (a *attempt) blocked() bool { return a.at.Before(a.blockedUntil) }

// begin counts an attempt as failed before the password is looked at, so that
// parallel attempts are counted too. RATE_LIMITED where earlier failures with the
// name are too recent, or too many from the network address. A nil user stands for
// nobody.
func (as *attempts) begin(ctx context.Context, name string, u *ent.User, device int) (attempt, error) {
	key, err := as.keyOf(ctx, name, u, device)
	if err != nil {
		return attempt{}, err
	}
	a := attempt{user: u, device: device, key: key, at: as.Now()}
	err = tx.Run(ctx, as.DB, func(ctx context.Context) error { return as.count(ctx, &a) })
	if err == nil && a.blocked() {
		err = ratelimit.TooMany(password.Delay(a.failures), 1)
	}
	return a, err
}

// keyOf returns the digest under which an attempt is counted. A typed name never
// has the key of a trusted device.
func (as *attempts) keyOf(ctx context.Context, name string, u *ent.User, device int) ([]byte, error) {
	trusted, err := trust.Trusts(ctx, idOf(u), device)
	if err != nil {
		return nil, err
	}
	where := 0
	if trusted {
		where = device
	}
	mac := hmac.New(sha256.New, as.key.Key())
	mac.Write([]byte("guess\x00" + strconv.Itoa(where) + "\x00" + name))
	return mac.Sum(nil), nil
}

// idOf returns the id of a user; 0 for nobody.
func idOf(u *ent.User) int {
	if u == nil {
		return 0
	}
	return u.ID
}

// auditGap is how often refused attempts with one name are recorded in the audit.
const auditGap = time.Minute

// count counts the attempt for its name and, unless it is blocked, for the network
// address.
func (as *attempts) count(ctx context.Context, a *attempt) error {
	row, err := a.lock(ctx)
	if err != nil {
		return err
	}
	a.failures, a.blockedUntil = row.Failures, row.BlockedUntil
	update := ent.FromContext(ctx).LoginThrottle.Update().Where(loginthrottle.Key(a.key)).
		SetBlockedUntil(a.at.Add(password.Delay(a.failures)))
	record := a.blocked() && (row.AuditedAt == nil || a.at.Sub(*row.AuditedAt) >= auditGap)
	if record {
		update.SetAuditedAt(a.at)
	}
	if err := update.Exec(ctx); err != nil {
		return err
	}
	switch {
	case record:
		return as.record(ctx, audit.LoginThrottled, a.user, a.device)
	case a.blocked():
		return nil
	}
	return as.Limiter.Count(ctx, ratelimit.Failure)
}

var failureUpsert = database.Upsert{
	Table: loginthrottle.Table,
	Columns: []string{
		loginthrottle.FieldKey, loginthrottle.FieldFailures, loginthrottle.FieldUpdatedAt, loginthrottle.FieldBlockedUntil,
	},
	Key:     []string{loginthrottle.FieldKey},
	Add:     []string{loginthrottle.FieldFailures},
	Replace: []string{loginthrottle.FieldUpdatedAt},
}

// lock adds the attempt to the row of its name and returns it. The write comes
// first, so that the row is locked.
func (a *attempt) lock(ctx context.Context) (*ent.LoginThrottle, error) {
	db := ent.FromContext(ctx)
	if err := failureUpsert.Exec(ctx, db, a.key, 1, a.at, a.at); err != nil {
		return nil, err
	}
	return db.LoginThrottle.Query().Where(loginthrottle.Key(a.key)).Only(ctx)
}

// verify reports whether a password is that of a hash. It takes the attempt back
// where that could not be found out, and clears the count of the name where it is. A hash
// of an outdated form is replaced then.
func (as *attempts) verify(ctx context.Context, a attempt, hash, text string) (bool, error) {
	ok, outdated, err := as.Hasher.Verify(ctx, hash, text)
	switch {
	case err != nil:
		return false, cmp.Or(as.takeBack(context.WithoutCancel(ctx), a, a.undo), err)
	case outdated:
		err = as.rehash(ctx, a.user, text)
	}
	if ok && err == nil {
		err = as.takeBack(ctx, a, a.clear)
	}
	return ok, err
}

// rehash stores the hash of a user's password in the form that new ones have, unless the
// password was changed since u was read.
func (as *attempts) rehash(ctx context.Context, u *ent.User, text string) error {
	hash, err := as.Hasher.Hash(ctx, text)
	if err != nil {
		return err
	}
	n, err := ent.FromContext(ctx).User.Update().Where(user.ID(u.ID), hasPassword(u)).SetPasswordHash(hash).Save(ctx)
	if n > 0 {
		u.PasswordHash = &hash
	}
	return err
}

// takeBack changes the row of an attempt's name, and takes the attempt out of those
// of the network address.
func (as *attempts) takeBack(ctx context.Context, a attempt, change func(context.Context) error) error {
	return tx.Run(ctx, as.DB, func(ctx context.Context) error {
		if err := change(ctx); err != nil {
			return err
		}
		return as.Limiter.TakeBack(ctx, ratelimit.Failure, a.at)
	})
}

// undo takes the attempt back unless others followed.
func (a *attempt) undo(ctx context.Context) error {
	return ent.FromContext(ctx).LoginThrottle.Update().Where(loginthrottle.Key(a.key), loginthrottle.Failures(a.failures)).
		SetFailures(a.failures - 1).SetBlockedUntil(a.blockedUntil).Exec(ctx)
}

// clear forgets the failures with the attempt's name.
func (a *attempt) clear(ctx context.Context) error {
	_, err := ent.FromContext(ctx).LoginThrottle.Delete().Where(loginthrottle.Key(a.key)).Exec(ctx)
	return err
}

// recordFailure records a failed attempt in the audit of the account, and returns
// refusal.
func (as *attempts) recordFailure(ctx context.Context, a attempt, refusal error) error {
	if err := as.record(ctx, audit.LoginFailed, a.user, a.device); err != nil {
		return err
	}
	return refusal
}
