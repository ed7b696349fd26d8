package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-sql-driver/mysql"
)

// A fakeConn is a connection whose transactions end with the given errors.
type fakeConn struct {
	conn             // nothing else is called
	commit, rollback error
	open, closed     bool // a transaction; the connection
}

func (c *fakeConn) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	c.open = true
	return c, nil
}
func (c *fakeConn) Commit() error                      { return c.end(c.commit) }
func (c *fakeConn) Rollback() error                    { return c.end(c.rollback) }
func (c *fakeConn) Close() error                       { c.closed = true; return nil }
func (c *fakeConn) IsValid() bool                      { return true }
func (c *fakeConn) ResetSession(context.Context) error { return nil }

func (c *fakeConn) end(err error) error {
	c.open = err != nil
	return err
}

// A fakeConnector makes one connection after the other.
type fakeConnector struct {
	driver.Connector
	conns []*fakeConn
	made  int
	space space
}

func (c *fakeConnector) Connect(context.Context) (driver.Conn, error) {
	c.made++
	return &guardedConn{conn: countedConn{conn: c.conns[c.made-1]}, space: &c.space}, nil
}

// TestBrokenTransactionEndsConnection closes a connection whose transaction could
// not be ended, instead of using it again.
func TestBrokenTransactionEndsConnection(t *testing.T) {
	refused := &mysql.MySQLError{Number: 1047, Message: "WSREP has not yet prepared node for application use"}
	commit := func(_ context.CancelFunc, tx *sql.Tx) error { return tx.Commit() }
	rollback := func(_ context.CancelFunc, tx *sql.Tx) error { return tx.Rollback() }
	tests := []struct {
		name   string
		conn   fakeConn
		end    func(context.CancelFunc, *sql.Tx) error
		closed bool
	}{
		{"commit", fakeConn{}, commit, false},
		{"rollback", fakeConn{}, rollback, false},
		{"commit refused", fakeConn{commit: refused}, commit, true},
		{"rollback refused", fakeConn{rollback: refused}, rollback, true},
		{"rollback refused when the context ends", fakeConn{rollback: refused}, func(cancel context.CancelFunc, tx *sql.Tx) error {
			cancel()
			synctest.Wait()
			return tx.Commit()
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &fakeConnector{conns: []*fakeConn{&tt.conn, {}}}
				db := sql.OpenDB(c)
				defer db.Close()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				tx, err := db.BeginTx(ctx, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := tt.end(cancel, tx); (err != nil) != tt.closed {
					t.Errorf("ended with %v", err)
				}
				if tt.conn.closed != tt.closed {
					t.Errorf("closed: %v, want %v", tt.conn.closed, tt.closed)
				}
				if tx, err = db.Begin(); err != nil {
					t.Fatal(err)
				}
				defer tx.Rollback()
				if n := map[bool]int{false: 1, true: 2}[tt.closed]; c.made != n {
					t.Errorf("%d connections, want %d", c.made, n)
				}
			})
		})
	}
}

// TestFull fills a SQLite file: the database counts as full for 5 s.
func TestFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	synctest.Test(t, func(t *testing.T) { // the 5 s take no time
		d := newSplitDriver(open(t, "sqlite:"+path), time.Minute)
		must(t, d.db.Writer, "CREATE TABLE n (v INT)")
		if must(t, d.db.Writer, "CREATE TABLE big (v TEXT)"); d.db.Full() {
			t.Error("an empty database is full")
		}
		must(t, d.db.Writer, "PRAGMA max_page_count = 4")
		add := func(n int) error {
			_, err := value(t.Context(), d, "INSERT INTO big (v) VALUES (zeroblob(?)) RETURNING length(v)", n)
			return err
		}
		if err := add(1 << 16); !Away(err) || Retryable(err) || !d.db.Full() {
			t.Errorf("insert: %v, full %v; want Away and full", err, d.db.Full())
		}
		if err := write(t.Context(), d); err != nil {
			t.Errorf("a row that has space: %v", err)
		}
		if time.Sleep(5*time.Second - 1); !d.db.Full() {
			t.Error("not full any more within 5 s")
		}
		if time.Sleep(time.Nanosecond); d.db.Full() {
			t.Error("full after 5 s")
		}
		must(t, d.db.Writer, "PRAGMA max_page_count = 1000")
		if err := add(1 << 16); err != nil || d.db.Full() {
			t.Errorf("with space again: %v, full %v", err, d.db.Full())
		}
	})
}

// TestFullAtCommit records that a commit had no space.
func TestFullAtCommit(t *testing.T) {
	full := &mysql.MySQLError{Number: 1021, Message: "Disk full"}
	c := &fakeConnector{conns: []*fakeConn{{commit: full}}}
	db := sql.OpenDB(c)
	defer db.Close()
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); !errors.Is(err, full) || c.space.lacked.Load() == nil {
		t.Errorf("commit: %v, recorded %v", err, c.space.lacked.Load())
	}
}
