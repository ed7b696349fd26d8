package graph

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/idempotencyclaim"
	"workforce/ent/loginthrottle"
	"workforce/ent/onetimecode"
	"workforce/ent/passwordkey"
	"workforce/ent/ratewindow"
	"workforce/ent/requestrecord"
	enttoken "workforce/ent/token"
	"workforce/internal/viewer"
)

// cleanEvery is how often what has served its time is deleted. Any number of
// instances may do it at once.
const cleanEvery = time.Hour

// Clean deletes what has served its time, until ctx ends: tokens a day after
// they expired, codes after the day for which they count, records of requests,
// claims of keys, rate windows, guesses at passwords, and password keys that
// nothing is accepted for any more.
func (r *Resolver) Clean(ctx context.Context) {
	ctx = viewer.System(ent.NewContext(ctx, r.DB))
	every := time.NewTicker(cleanEvery)
	defer every.Stop()
	for {
		if err := r.clean(ctx); err != nil && ctx.Err() == nil {
			r.Log.WarnContext(ctx, "cleaning", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-every.C:
		}
	}
}

func (r *Resolver) clean(ctx context.Context) error {
	day := r.Now().Add(-24 * time.Hour)
	if _, err := r.DB.Token.Delete().Where(enttoken.ExpiresAtLT(day)).Exec(ctx); err != nil {
		return err
	}
	if _, err := r.DB.OneTimeCode.Delete().Where(onetimecode.CreatedAtLT(day), onetimecode.ExpiresAtLT(day)).Exec(ctx); err != nil {
		return err
	}
	if _, err := r.DB.RequestRecord.Delete().Where(requestrecord.CreatedAtLT(day)).Exec(ctx); err != nil {
		return err
	}
	if _, err := r.DB.IdempotencyClaim.Delete().Where(idempotencyclaim.CreatedAtLT(day)).Exec(ctx); err != nil {
		return err
	}
	if _, err := r.DB.LoginThrottle.Delete().Where(loginthrottle.UpdatedAtLT(day)).Exec(ctx); err != nil {
		return err
	}
	if _, err := r.DB.PasswordKey.Delete().Where(passwordkey.AcceptedUntilLT(day)).Exec(ctx); err != nil {
		return err
	}
	_, err := r.DB.RateWindow.Delete().Where(ratewindow.StartsAtLT(day)).Exec(ctx)
	return err
}
