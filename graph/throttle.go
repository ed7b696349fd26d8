package graph

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/loginthrottle"
	"workforce/internal/errs"
	"workforce/internal/password"
)

// A guess is a try at a password. Those of all who type one name, known or not,
// on devices that its user does not trust are counted together; and apart from
// them, those on each device that is trusted.
type guess struct {
	user   *ent.User // nil for nobody
	device int
	key    []byte
	count  int       // failures with this one
	before time.Time // until when guesses were refused before this one
}

// guess counts a try at a password as one that fails, before the password is
// looked at: of many at once, none slips through. It is RATE_LIMITED where the
// ones before are too recent. A nil user stands for nobody.
func (r *Resolver) guess(ctx context.Context, name string, u *ent.User, device int) (guess, error) {
	key, err := r.guessKey(ctx, name, u, device)
	if err != nil {
		return guess{}, err
	}
	now := r.Now()
	g := guess{user: u, device: device, key: key}
	err = r.inTx(ctx, func(ctx context.Context) error {
		if err := g.add(ctx, now); err != nil || u == nil || !now.Before(g.before) {
			return err
		}
		return r.noteOnce(ctx, ofUser(loginThrottled, u, device))
	})
	if err == nil && now.Before(g.before) {
		err = tooMany(password.Delay(g.count), nil)
	}
	return g, err
}

// guessKey names what is counted together. No name that is typed is read as one
// with a trusted device.
func (r *Resolver) guessKey(ctx context.Context, name string, u *ent.User, device int) ([]byte, error) {
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
	mac := hmac.New(sha256.New, r.keys.rates)
	mac.Write([]byte("guess\x00" + strconv.Itoa(where) + "\x00" + name))
	return mac.Sum(nil), nil
}

// add counts the guess. Writing first holds the row against others.
func (g *guess) add(ctx context.Context, now time.Time) error {
	db := ent.FromContext(ctx).LoginThrottle
	err := db.Create().SetKey(g.key).SetFailures(1).SetBlockedUntil(now).SetUpdatedAt(now).
		OnConflictColumns(loginthrottle.FieldKey).
		Update(func(u *ent.LoginThrottleUpsert) { u.AddFailures(1).SetUpdatedAt(now) }).Exec(ctx)
	if err != nil {
		return err
	}
	row, err := db.Query().Where(loginthrottle.Key(g.key)).Only(ctx)
	if err != nil {
		return err
	}
	g.count, g.before = row.Failures, row.BlockedUntil
	return row.Update().SetBlockedUntil(now.Add(password.Delay(g.count))).Exec(ctx)
}

// verify reports whether a password is the one of a hash. It takes the guess back
// where that was not found out, and clears all of them where it is.
func (r *Resolver) verify(ctx context.Context, g guess, hash, text string) (bool, error) {
	ok, err := r.Passwords.Verify(ctx, hash, text)
	db := ent.FromContext(ctx).LoginThrottle
	switch {
	case err != nil:
		undo := db.Update().Where(loginthrottle.Key(g.key), loginthrottle.Failures(g.count)).
			SetFailures(g.count - 1).SetBlockedUntil(g.before)
		if err := undo.Exec(context.WithoutCancel(ctx)); err != nil {
			return false, err
		}
	case ok:
		_, err = db.Delete().Where(loginthrottle.Key(g.key)).Exec(ctx)
	}
	return ok, err
}

// wrongGuess puts a failed guess down in the audit of somebody's account and
// counts it among those of the address, in one transaction, as for nobody. It
// returns refusal.
func (r *Resolver) wrongGuess(ctx context.Context, g guess, refusal error) error {
	err := r.inTx(ctx, func(ctx context.Context) error {
		if g.user != nil {
			if err := r.note(ctx, ofUser(loginFailed, g.user, g.device)); err != nil {
				return err
			}
		}
		err := r.count(ctx, "failure", r.Limits.Failures)
		if errs.Is(err, errs.RateLimited) {
			return nil // the next one is told
		}
		return err
	})
	if err != nil {
		return err
	}
	return refusal
}
