package migration

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"workforce/internal/database"
)

// pause is how long to wait before looking again at what others hold.
const pause = 250 * time.Millisecond

// up applies what is pending as soon as nobody else does.
func (s *schema) up(ctx context.Context) error {
	for {
		done, err := s.try(ctx)
		if done || err != nil && !database.Retryable(err) {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return fmt.Errorf("migration: waiting for another instance: %w", err)
		}
	}
}

// try applies what is pending. It reports false when another instance holds the
// lease, and when the database was too busy to say.
func (s *schema) try(ctx context.Context) (done bool, err error) {
	all, err := s.status(ctx)
	if err != nil || len(pending(all)) == 0 {
		return err == nil, err
	}
	if err := s.prepare(ctx); err != nil {
		return false, fmt.Errorf("migration: %w", err)
	}
	l := newLease(s.db, s.now)
	if claimed, err := l.claim(ctx); !claimed {
		return false, err
	}
	if err := l.hold(ctx, s.run); err != nil {
		return true, fmt.Errorf("migration: %w", err)
	}
	return true, nil
}

// prepare makes the bookkeeping's tables unless the lease, the last of them, is
// there: on Galera, any CREATE TABLE aborts what other instances do in the table.
func (s *schema) prepare(ctx context.Context) error {
	var made int
	err := s.db.QueryRowContext(ctx, s.madeQuery, "migration_lease").Scan(&made)
	if err == nil && made > 0 {
		err = s.db.QueryRowContext(ctx, "SELECT COUNT(*) FROM migration_lease").Scan(&made)
	}
	if err != nil || made > 0 {
		return err
	}
	for _, statement := range s.tables {
		if _, err := s.db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// run applies what is pending, by version.
func (s *schema) run(ctx context.Context, l *lease) error {
	applied, err := s.applied(ctx)
	if err != nil {
		return err
	}
	var last int64
	for version := range applied {
		last = max(last, version)
	}
	if err := s.checkTables(ctx, l, applied); err != nil {
		return err
	}
	for _, m := range s.known {
		if _, ok := applied[m.Version]; ok {
			continue
		}
		if m.Version < last {
			return fmt.Errorf("missing (out-of-order) migration: %s is below version %d, which is applied", m.Name, last)
		}
		if err := m.split(); err != nil {
			return err
		}
		if err := s.step(ctx, l, m); err != nil {
			return err
		}
	}
	return nil
}

// createTable matches a statement that makes a table, whose name is its group.
var createTable = regexp.MustCompile("^CREATE TABLE [`\"]?(\\w+)")

// checkTables is an error where tables that pending migrations make exist already: an older
// backup was restored over a newer schema. What a migration that was interrupted made is its
// own. It changes nothing.
func (s *schema) checkTables(ctx context.Context, l *lease, applied map[int64]time.Time) error {
	p, err := l.progress(ctx, s.db)
	if err != nil {
		return err
	}
	var there []string
	for _, m := range s.known {
		if _, ok := applied[m.Version]; ok {
			continue
		}
		if err := m.split(); err != nil {
			return err
		}
		for at, statement := range m.statements {
			made := createTable.FindStringSubmatch(statement)
			if made == nil || m.Version == p.version && at < p.begun {
				continue
			}
			var found int
			if err := s.db.QueryRowContext(ctx, s.madeQuery, made[1]).Scan(&found); err != nil {
				return err
			}
			if found > 0 {
				there = append(there, made[1])
			}
		}
	}
	if len(there) == 0 {
		return nil
	}
	return fmt.Errorf("tables that pending migrations make exist already: %s. "+
		"An older backup was probably restored over a newer schema. "+
		"Nothing was changed: restore the backup into an empty database and use that one", strings.Join(there, ", "))
}

// step runs what is left of one migration and records its version. Its
// connection is thrown away, since its settings would surprise others.
func (s *schema) step(ctx context.Context, l *lease, m Migration) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer discard(conn)
	p, err := l.progress(ctx, conn)
	if err != nil {
		return err
	}
	if p.version != m.Version {
		p = progress{version: m.Version}
	}
	if p.done > len(m.statements) {
		return fmt.Errorf("%s has fewer statements than were run already", m.Name)
	}
	if err := s.apply(ctx, conn, l, m, p); err != nil {
		return err
	}
	_, err = retried(ctx, conn, "INSERT INTO "+versionTable+" (version_id, is_applied) VALUES (?, ?)", m.Version, true)
	return err
}

// discard closes a connection for good instead of giving it back.
func discard(conn *sql.Conn) {
	_ = conn.Raw(func(any) error { return driver.ErrBadConn })
}

// failed says which statement, counted from 0, err is about.
func failed(m Migration, i int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s, statement %d: %w", m.Name, i+1, err)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// errLost ends work whose lease has run out and was taken over.
var errLost = errors.New("another instance has taken over")
