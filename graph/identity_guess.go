package graph

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/ratewindow"
	"workforce/internal/password"
)

// guessesKept is how long failed sign-ins slow the next ones down.
const guessesKept = 24 * time.Hour

// guesses are the failed sign-ins that are counted together: those of all who
// type one name, known or not, on devices that its user does not trust; and
// apart from them, those on each device that is trusted.
type guesses struct {
	user   *ent.User // nil for nobody
	device int
	key    []byte
	count  int
	last   time.Time
}

// guesses returns those at a name on a device. A nil user stands for nobody.
func (r *Resolver) guesses(ctx context.Context, name string, u *ent.User, d *ent.Device) (guesses, error) {
	key, err := r.guessKey(ctx, name, u, d)
	if err != nil {
		return guesses{}, err
	}
	rows, err := ent.FromContext(ctx).RateWindow.Query().
		Where(ratewindow.Key(key), ratewindow.StartsAtGT(r.Now().Add(-guessesKept))).
		Order(ent.Asc(ratewindow.FieldStartsAt)).All(ctx)
	g := guesses{user: u, device: d.ID, key: key}
	for _, row := range rows {
		g.count, g.last = g.count+row.Count, row.StartsAt
	}
	return g, err
}

func (r *Resolver) guessKey(ctx context.Context, name string, u *ent.User, d *ent.Device) ([]byte, error) {
	mac := hmac.New(sha256.New, r.keys.rates)
	mac.Write([]byte("guess\x00" + name))
	if u == nil {
		return mac.Sum(nil), nil
	}
	trusted, err := trusts(ctx, u.ID, d.ID)
	if trusted {
		mac.Write([]byte("\x00" + strconv.Itoa(d.ID)))
	}
	return mac.Sum(nil), err
}

// slowDown refuses with RATE_LIMITED a sign-in that comes too soon after those
// that failed, and counts it as one of them.
func (r *Resolver) slowDown(ctx context.Context, g guesses) error {
	if r.Now().Sub(g.last) >= password.Delay(g.count) {
		return nil
	}
	if err := r.noteGuess(ctx, g, loginThrottled); err != nil {
		return err
	}
	return tooMany(password.Delay(g.count+1), nil)
}

// noteGuess counts a failed sign-in, and puts it down in the audit of somebody's
// account.
func (r *Resolver) noteGuess(ctx context.Context, g guesses, action string) error {
	return r.inTx(ctx, func(ctx context.Context) error {
		err := rateRow{g.key, r.Now()}.add(ctx)
		if err != nil || g.user == nil {
			return err
		}
		e := ofUser(action, g.user, g.device)
		if action == loginThrottled {
			return r.noteOnce(ctx, e)
		}
		return r.note(ctx, e)
	})
}

// forgetGuesses clears the guesses before a sign-in that succeeds.
func (r *Resolver) forgetGuesses(ctx context.Context, g guesses) error {
	if g.count == 0 {
		return nil
	}
	_, err := ent.FromContext(ctx).RateWindow.Delete().Where(ratewindow.Key(g.key)).Exec(ctx)
	return err
}
