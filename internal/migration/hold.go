package migration

import (
	"context"
	"errors"
	"fmt"

	"workforce/internal/database"
)

// errPending is returned where the schema is older than the program.
var errPending = errors.New("migrations are pending: run workforce migrate up")

// Hold works while no migration does, on a schema that is the program's, whose version it
// gives to work. Migrations wait. work's context ends if the lease is lost.
func Hold(ctx context.Context, db *database.DB, work func(ctx context.Context, version int64) error) error {
	s, err := open(db.Writer, db.Dialect, files)
	if err != nil {
		return err
	}
	all, err := s.status(ctx)
	if err != nil {
		return err
	}
	if len(pending(all)) > 0 {
		return errPending
	}
	l := newLease(s.db, s.now)
	if err := l.await(ctx, nil); err != nil {
		return err
	}
	return l.hold(ctx, func(ctx context.Context, _ *lease) error { return work(ctx, s.newest()) })
}

// newest returns the version of the newest migration.
func (s *schema) newest() int64 { return s.known[len(s.known)-1].Version }

// await takes the lease as soon as nobody has it, and tells that it waits, unless waiting is nil.
func (l *lease) await(ctx context.Context, waiting func()) error {
	for first := true; ; first = false {
		claimed, err := l.claim(ctx)
		if claimed || err != nil && !database.Retryable(err) {
			return err
		}
		if first && waiting != nil {
			waiting()
		}
		if err := sleep(ctx, pause); err != nil {
			return fmt.Errorf("migration: waiting for another instance: %w", err)
		}
	}
}
