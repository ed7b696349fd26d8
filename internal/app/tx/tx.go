// Package tx runs short transactions, again when the database gives one up.
package tx

import (
	"context"
	"math/rand/v2"
	"time"

	"workforce/ent"
	"workforce/internal/database"
)

// Tries is how often a transaction is run that the database gives up.
const Tries = 5

// limit is how long Run takes at most where its caller has no deadline: a step that hangs
// is rolled back, and what it locks is free again.
const limit = time.Minute

// Run runs step in a transaction of its own, and again, with fresh reads, when
// the database gives it up: at most Tries times within the deadline of ctx, or within a
// minute where it has none. It does not run again after a commit that may have taken place.
// Within step, ent.FromContext is the transaction's client. db must not be the
// client of a transaction.
func Run(ctx context.Context, db *ent.Client, step func(context.Context) error) error {
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	for try := 1; ; try++ {
		committed, err := once(ctx, db, step)
		if err == nil || try == Tries || !database.Retryable(err) || committed && !database.Undone(err) || !Pause(ctx, try) {
			return err
		}
	}
}

// With is Run with the transaction's client.
func With(ctx context.Context, db *ent.Client, step func(*ent.Client) error) error {
	return Run(ctx, db, func(ctx context.Context) error { return step(ent.FromContext(ctx)) })
}

// once runs step once; committed says that it came as far as the commit.
func once(ctx context.Context, db *ent.Client, step func(context.Context) error) (committed bool, err error) {
	ctx, tx, err := db.OpenTx(ctx)
	if err != nil {
		return false, err
	}
	defer func() {
		if p := recover(); p != nil {
			_ = tx.Rollback() // the panic tells more
			panic(p)
		}
	}()
	if err := step(ctx); err != nil {
		_ = tx.Rollback() // err tells more
		return false, err
	}
	return true, tx.Commit()
}

// Pause waits before another try: up to 10 ms, doubled with each try, at
// random. It reports false when ctx ends first.
func Pause(ctx context.Context, try int) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(rand.N(10 * time.Millisecond << try)):
		return true
	}
}
