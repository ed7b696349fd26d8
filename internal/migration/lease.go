package migration

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// leaseLife is how long a holder that has died keeps the lease. It renews the
// lease three times in that time.
const leaseLife = 30 * time.Second

// A lease is a run's claim on the one row of migration_lease. The database's
// clock alone decides when it runs out. holder is empty while
// nobody has it.
type lease struct {
	db     *sql.DB
	now    string // SQL for the time in seconds
	holder string
}

func newLease(db *sql.DB, now string) *lease { return &lease{db, now, rand.Text()} }

// progress is how far the migration under way has come, in statements. begun is
// one more than done while a statement runs, also after the
// process died before it knew the result. Only MySQL needs that.
type progress struct {
	version     int64 // 0 when no migration is under way
	begun, done int
}

// conn is what the lease needs of a connection, a pool or a transaction.
type conn interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// claim takes the lease if it is free or has run out, and reports whether.
func (l *lease) claim(ctx context.Context) (bool, error) {
	return l.update(ctx, l.db, "holder = ?, "+lifeSet, "(holder IN ('', ?) OR expires_at <= NOW)", l.holder, l.holder)
}

// renew makes the lease last again. It is errLost once somebody else has it.
func (l *lease) renew(ctx context.Context, c conn) error {
	return l.own(l.update(ctx, c, lifeSet, "holder = ?", l.holder))
}

// record renews the lease and keeps how far the migration has come.
func (l *lease) record(ctx context.Context, c conn, p progress) error {
	return l.own(l.update(ctx, c, "version = ?, begun = ?, done = ?, "+lifeSet, "holder = ?",
		p.version, p.begun, p.done, l.holder))
}

// finish forgets the progress, since the table of versions has it all.
func (l *lease) finish(ctx context.Context) error { return l.record(ctx, l.db, progress{}) }

// release gives the lease back.
func (l *lease) release(ctx context.Context) error {
	return l.own(l.update(ctx, l.db, "holder = '', renewals = renewals + 1", "holder = ?", l.holder))
}

// progress reads how far the migration under way has come.
func (l *lease) progress(ctx context.Context, c conn) (p progress, err error) {
	err = c.QueryRowContext(ctx, "SELECT version, begun, done FROM migration_lease WHERE id = 1").
		Scan(&p.version, &p.begun, &p.done)
	return p, err
}

// lifeSet renews the lease. renewals is how often it was taken, renewed and given back.
var lifeSet = fmt.Sprintf("expires_at = NOW + %d, renewals = renewals + 1", leaseLife/time.Second)

// update changes the row where it meets a condition, and reports whether it did. On
// Galera, whatever the other instance sends may abort it.
func (l *lease) update(ctx context.Context, c conn, set, where string, args ...any) (bool, error) {
	statement := "UPDATE migration_lease SET " + set + " WHERE id = 1 AND " + where
	res, err := retried(ctx, c, strings.ReplaceAll(statement, "NOW", l.now), args...)
	if err != nil {
		return false, fmt.Errorf("migration: lease: %w", err)
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func (l *lease) own(mine bool, err error) error {
	if err == nil && !mine {
		return errLost
	}
	return err
}

// hold works while it renews the lease, then gives it back. Work ends early when
// the lease is lost.
func (l *lease) hold(ctx context.Context, work func(context.Context, *lease) error) error {
	working, stop := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() { stop(l.keep(working)) })
	err := work(working, l)
	if err == nil {
		err = l.finish(working)
	}
	stop(nil)
	renewing.Wait()
	if cause := context.Cause(working); errors.Is(cause, errLost) && !errors.Is(err, errLost) {
		err = errors.Join(err, cause)
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseLife/6)
	defer cancel()
	_ = l.release(last) // else it runs out
	return err
}

// keep renews the lease until ctx ends or the lease is lost. A renewal that
// fails otherwise is tried again: while SQLite is being written to, nobody else
// can claim the lease either.
func (l *lease) keep(ctx context.Context) error {
	for sleep(ctx, leaseLife/3) == nil {
		if err := l.renew(ctx, l.db); errors.Is(err, errLost) {
			return err
		}
	}
	return nil
}
