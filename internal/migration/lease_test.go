package migration

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/go-sql-driver/mysql"
)

// givenUp is a connection whose first statements the database gives up.
type givenUp struct {
	err        error
	times, ran int
}

func (c *givenUp) ExecContext(context.Context, string, ...any) (sql.Result, error) {
	if c.ran++; c.ran <= c.times {
		return nil, c.err
	}
	return oneRow{}, nil
}

func (c *givenUp) QueryRowContext(context.Context, string, ...any) *sql.Row { return nil }

type oneRow struct{ sql.Result }

func (oneRow) RowsAffected() (int64, error) { return 1, nil }

// TestLeaseIsTriedAgain holds for what Galera aborts because of another instance.
func TestLeaseIsTriedAgain(t *testing.T) {
	deadlock, syntax := &mysql.MySQLError{Number: 1213}, &mysql.MySQLError{Number: 1064}
	for _, tt := range []struct {
		name string
		conn givenUp
		want error
		ran  int
	}{
		{"twice given up", givenUp{err: deadlock, times: 2}, nil, 3},
		{"always given up", givenUp{err: deadlock, times: 1000}, deadlock, lockTries},
		{"refused", givenUp{err: syntax, times: 1}, syntax, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // the pauses take no time
				l := newLease(nil, "NOW()")
				err := l.record(t.Context(), &tt.conn, progress{version: 1})
				if !errors.Is(err, tt.want) || tt.conn.ran != tt.ran {
					t.Errorf("%v after %d tries, want %v after %d", err, tt.conn.ran, tt.want, tt.ran)
				}
			})
		})
	}
}

// TestPrepareOnce makes the bookkeeping's tables, and then leaves them alone.
func TestPrepareOnce(t *testing.T) {
	s := instance(t, "sqlite:"+t.TempDir()+"/x.db", numbered("CREATE TABLE a (id INT);"))
	if err := s.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	exec(t, s.db, "DROP TABLE "+versionTable)
	if err := s.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := number(t, s.db, "SELECT COUNT(*) FROM sqlite_master WHERE name = '"+versionTable+"'"); n != 0 {
		t.Error("the tables were made again")
	}
	exec(t, s.db, "DELETE FROM migration_lease") // as after a crash in between
	if err := s.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := number(t, s.db, "SELECT COUNT(*) FROM migration_lease"); n != 1 {
		t.Errorf("%d leases, want 1", n)
	}
}
