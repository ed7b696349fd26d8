package backup

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"workforce/internal/database"
)

// hold is for how long objects stay without being renewed.
var hold = database.Lease{Column: "lease_until", Life: 2 * time.Minute}

var errHold = errors.New("the hold on the file store was lost: the database did not answer for minutes")

// holdObjects works while no object of the file store is deleted.
func holdObjects(ctx context.Context, db *database.DB, work func(context.Context) error) error {
	holder, end := rand.Text(), hold.End(db.Dialect)
	_, err := db.Writer.ExecContext(ctx, "INSERT INTO object_holds (holder, lease_until) VALUES (?, "+end+")", holder)
	if err != nil {
		return err
	}
	renew := func(ctx context.Context) error {
		done, err := db.Writer.ExecContext(ctx, "UPDATE object_holds SET lease_until = "+end+
			" WHERE holder = ? AND lease_until > "+hold.Present(db.Dialect), holder)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, errHold)
		}
		return nil
	}
	working, stop := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(hold.Life / 4)
		defer tick.Stop()
		for {
			select {
			case <-working.Done():
				return
			case <-tick.C:
			}
			if err := renew(working); errors.Is(err, errHold) {
				stop(err)
			}
		}
	}()
	err = work(working)
	if cause := context.Cause(working); err != nil && errors.Is(cause, errHold) {
		err = cause
	}
	stop(nil)
	<-ended
	if err == nil { // it was in force until now
		err = renew(ctx)
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	_, _ = db.Writer.ExecContext(last, "DELETE FROM object_holds WHERE holder = ?", holder) // else it runs out
	return err
}
