package auth

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/loginthrottle"
	"workforce/internal/app/audit"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/password"
)

// attempts counts login attempts and delays those that follow failures.
type attempts struct {
	Deps
	key []byte // of the digests of what is counted
}

// An attempt is one try at a password. Attempts with one name are counted
// together on all devices that its user does not trust, and by device on those
// that they do trust.
type attempt struct {
	user         *ent.User // nil for nobody
	device       int
	key          []byte
	failures     int       // with this one
	blockedUntil time.Time // before this one
}

// begin counts an attempt as failed before the password is looked at, so that
// parallel attempts are counted too. RATE_LIMITED where earlier failures are too
// recent. A nil user stands for nobody.
func (as *attempts) begin(ctx context.Context, name string, u *ent.User, device int) (attempt, error) {
	key, err := as.keyOf(ctx, name, u, device)
	if err != nil {
		return attempt{}, err
	}
	now := as.Now()
	a := attempt{user: u, device: device, key: key}
	err = tx.Run(ctx, as.DB, func(ctx context.Context) error {
		if err := a.add(ctx, now); err != nil || u == nil || !now.Before(a.blockedUntil) {
			return err
		}
		return as.Audit.RecordOnce(ctx, ofUser(audit.LoginThrottled, u, device))
	})
	if err == nil && now.Before(a.blockedUntil) {
		err = ratelimit.TooMany(password.Delay(a.failures), nil)
	}
	return a, err
}

// keyOf returns the digest under which an attempt is counted. A typed name never
// has the key of a trusted device.
func (as *attempts) keyOf(ctx context.Context, name string, u *ent.User, device int) ([]byte, error) {
	trusted := false
	if u != nil {
		var err error
		if trusted, err = trusts(ctx, u.ID, device); err != nil {
			return nil, err
		}
	}
	where := 0
	if trusted {
		where = device
	}
	mac := hmac.New(sha256.New, as.key)
	mac.Write([]byte("guess\x00" + strconv.Itoa(where) + "\x00" + name))
	return mac.Sum(nil), nil
}

// add counts the attempt. The write comes first, so that the row is locked.
func (a *attempt) add(ctx context.Context, now time.Time) error {
	db := ent.FromContext(ctx).LoginThrottle
	err := db.Create().SetKey(a.key).SetFailures(1).SetBlockedUntil(now).SetUpdatedAt(now).
		OnConflictColumns(loginthrottle.FieldKey).
		Update(func(u *ent.LoginThrottleUpsert) { u.AddFailures(1).SetUpdatedAt(now) }).Exec(ctx)
	if err != nil {
		return err
	}
	row, err := db.Query().Where(loginthrottle.Key(a.key)).Only(ctx)
	if err != nil {
		return err
	}
	a.failures, a.blockedUntil = row.Failures, row.BlockedUntil
	return row.Update().SetBlockedUntil(now.Add(password.Delay(a.failures))).Exec(ctx)
}

// verify reports whether a password is that of a hash. It takes the attempt back
// where that could not be found out, and clears the count where it is.
func (as *attempts) verify(ctx context.Context, a attempt, hash, text string) (bool, error) {
	ok, err := as.Hasher.Verify(ctx, hash, text)
	db := ent.FromContext(ctx).LoginThrottle
	switch {
	case err != nil:
		undo := db.Update().Where(loginthrottle.Key(a.key), loginthrottle.Failures(a.failures)).
			SetFailures(a.failures - 1).SetBlockedUntil(a.blockedUntil)
		if err := undo.Exec(context.WithoutCancel(ctx)); err != nil {
			return false, err
		}
	case ok:
		_, err = db.Delete().Where(loginthrottle.Key(a.key)).Exec(ctx)
	}
	return ok, err
}

// recordFailure records a failed attempt in the audit of the account and counts it
// for the network address, in one transaction, as for an unknown name. It returns
// refusal.
func (as *attempts) recordFailure(ctx context.Context, a attempt, refusal error) error {
	err := tx.Run(ctx, as.DB, func(ctx context.Context) error {
		if a.user != nil {
			if err := as.Audit.Record(ctx, ofUser(audit.LoginFailed, a.user, a.device)); err != nil {
				return err
			}
		}
		err := as.Limiter.Count(ctx, ratelimit.Failure)
		if errs.Is(err, errs.RateLimited) {
			return nil // the next attempt is refused
		}
		return err
	})
	if err != nil {
		return err
	}
	return refusal
}
