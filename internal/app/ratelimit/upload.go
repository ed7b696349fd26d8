package ratelimit

import (
	"context"
	"strconv"
	"time"

	"workforce/ent"
	"workforce/ent/ratelog"
	"workforce/internal/app/tx"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

const (
	day  = 24 * time.Hour
	kibi = 1 << 10
)

// Upload counts the bytes of a file that the viewer uploads, in a transaction of its
// own, whatever becomes of the file. It refuses it with RATE_LIMITED where it and what
// they uploaded in the day before are more than the setting uploadMegabytes. It must
// not be called in a transaction.
func (l *Limiter) Upload(ctx context.Context, db *ent.Client, bytes int) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	mac := l.mac()
	mac.Write([]byte("upload\x00" + strconv.Itoa(me.Principal())))
	key, megabytes, size := mac.Sum(nil), setting.UploadMegabytes.Of(me.Settings), (bytes+kibi-1)/kibi
	sys := viewer.System(ctx)
	return tx.With(sys, db, func(db *ent.Client) error {
		ctx := ent.NewContext(sys, db)
		log, err := l.lock(ctx, key, day)
		if err != nil {
			return err
		}
		now := l.Now()
		if wait := log.wait(now, size, megabytes*kibi, day); wait > 0 {
			return TooMany(wait, megabytes)
		}
		return db.RateLog.Update().Where(ratelog.Key(key)).SetEvents(log.add(now, size).bytes()).Exec(ctx)
	})
}
