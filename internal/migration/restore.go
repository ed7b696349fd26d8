package migration

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"workforce/internal/database"
)

// markTable is there from the begin of a restore until its end, and holds the id of the
// restore. No migration makes it.
const markTable = "restore_mark"

// ErrRestoring is returned for a database into which a restore did not finish.
var ErrRestoring = errors.New("a restore into this database did not finish: " +
	"run workforce restore again, which begins anew")

// A Restore fills an empty database. What fails or is killed half way leaves the database
// marked: everything but another Restore refuses it with ErrRestoring, and that one first
// removes what the one before wrote.
type Restore struct {
	Version int64 // of the schema that the rows are of
	// Check refuses what Fill could not write to, before anything is written; not where a restore is
	// begun again.
	Check func(ctx context.Context) error
	// Fill writes the rows, into tables of that schema without rows. id names the restore:
	// 32 hexadecimal digits, the same where it is begun again, which again tells.
	Fill func(ctx context.Context, id string, again bool) error
	// Finish does what is left once the schema is the program's.
	Finish func(ctx context.Context, id string) error
	// Waiting is told where another restore, which may have been killed, has the database.
	Waiting func()
}

// Run restores. It fails, and changes nothing, where the schema is newer than the program, and
// where the database has tables of which a restore made none.
func (r Restore) Run(ctx context.Context,
	db *database.DB) error {
	s, err := open(db.Writer, db.Dialect, files)
	if err != nil {
		return err
	}
	if r.Version > s.newest() {
		return fmt.Errorf("its schema has version %d, this program knows versions up to %d: use a newer one", r.Version,
			s.newest())
	}
	s.restoring = true
	id, again, err := s.mark(ctx, r.Check)
	if err != nil {
		return err
	}
	if err := s.prepare(ctx); err != nil {
		return err
	}
	// A restore that was killed keeps the lease for so long.
	waiting, cancel := context.WithTimeoutCause(ctx, leaseLife+leaseLife/2,
		errors.New("another restore into this database is running"))
	defer cancel()
	l := newLease(s.db, s.now)
	if err := l.await(waiting, r.Waiting); err != nil {
		return err
	}
	return l.hold(ctx, func(ctx context.Context, l *lease) error { return r.run(ctx, s, l, id, again) })
}

// run restores under the lease.
func (r Restore) run(ctx context.Context, s *schema, l *lease, id string, again bool) error {
	made, err := s.made(ctx, s.db)
	if err != nil {
		return err
	}
	if len(made) > 0 && !again { // somebody was faster
		_, err := s.db.ExecContext(ctx, "DROP TABLE "+markTable)
		return errors.Join(notEmpty(made), err)
	}
	if err := s.empty(ctx, l); err != nil {
		return err
	}
	old := *s
	old.known = slices.DeleteFunc(slices.Clone(s.known), func(m Migration) bool { return m.Version > r.Version })
	if err := old.run(ctx, l); err != nil {
		return err
	}
	if err := r.Fill(ctx, id, again); err != nil {
		return err
	}
	if err := s.run(ctx, l); err != nil {
		return err
	}
	if err := r.Finish(ctx, id); err != nil {
		return err
	}
	_, err = s.db.ExecContext(ctx, "DROP TABLE "+markTable)
	return err
}

// mark makes the table that says that a restore has begun, and returns the id of the restore.
// again tells that another one did not finish.
func (s *schema) mark(ctx context.Context, check func(context.Context) error) (id string, again bool, err error) {
	again, err = s.marked(ctx)
	if err != nil {
		return "", false, err
	}
	if !again {
		made, err := s.made(ctx, s.db)
		if err == nil && len(made) > 0 {
			err = notEmpty(made)
		}
		if err == nil {
			err = check(ctx)
		}
		if err == nil {
			_, err = s.db.ExecContext(ctx, "CREATE TABLE "+markTable+" (one INT PRIMARY KEY, id VARCHAR(32) NOT NULL)")
		}
		if err != nil {
			return "", false, err
		}
	}
	random := make([]byte, 16)
	_, _ = rand.Read(random) // never fails
	_, err = s.db.ExecContext(ctx, s.insertNew+" INTO "+markTable+" VALUES (1, ?)", hex.EncodeToString(random))
	if err != nil {
		return "", false, err
	}
	err = s.db.QueryRowContext(ctx, "SELECT id FROM "+markTable).Scan(&id)
	return id, again, err
}

// marked reports whether a restore has begun and not finished.
func (s *schema) marked(ctx context.Context) (bool, error) {
	var n int
	err := s.db.QueryRowContext(ctx, s.madeQuery, markTable).Scan(&n)
	return n > 0, err
}

// A querier is a pool or a connection.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// made returns the names of the tables that are there, but for those of the bookkeeping.
func (s *schema) made(ctx context.Context, c querier) (names []string, err error) {
	rows, err := c.QueryContext(ctx, s.allQuery)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if !slices.Contains([]string{versionTable, leaseTable, markTable}, name) {
			names = append(names, name)
		}
	}
	return names, rows.Err()
}

func notEmpty(tables []string) error {
	return fmt.Errorf("the database is not empty, it has tables such as %s: restore writes into an empty database only",
		tables[0])
}

// empty removes what a restore that did not finish wrote.
func (s *schema) empty(ctx context.Context, l *lease) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer discard(conn)
	if _, err := conn.ExecContext(ctx, s.keysOff); err != nil {
		return err
	}
	made, err := s.made(ctx, conn)
	if err != nil {
		return err
	}
	for _, name := range made {
		if _, err := conn.ExecContext(ctx, "DROP TABLE `"+name+"`"); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, "DELETE FROM "+versionTable+" WHERE version_id > 0"); err != nil {
		return err
	}
	return l.record(ctx, conn, progress{})
}
