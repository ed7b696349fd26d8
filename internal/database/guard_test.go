package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"slices"
	"testing"

	"github.com/go-sql-driver/mysql"
	"modernc.org/sqlite"
)

// A scriptedConn answers each text with the error that its script has for it, and keeps
type scriptedConn struct {
	conn   // nothing else is called
	errs   map[string]error
	sent   []string
	closed bool
}

func (c *scriptedConn) send(text string) error {
	c.sent = append(c.sent, text)
	return c.errs[text]
}

func (c *scriptedConn) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) { return c, nil }
func (c *scriptedConn) Commit() error                                                { return c.send("COMMIT") }
func (c *scriptedConn) Rollback() error                                              { return c.send("ROLLBACK") }
func (c *scriptedConn) Close() error                                                 { c.closed = true; return nil }
func (c *scriptedConn) IsValid() bool                                                { return true }
func (c *scriptedConn) ResetSession(context.Context) error                           { return nil }

func (c *scriptedConn) ExecContext(_ context.Context, text string, _ []driver.NamedValue) (driver.Result, error) {
	return driver.RowsAffected(1), c.send(text)
}

func (c *scriptedConn) QueryContext(_ context.Context, text string, _ []driver.NamedValue) (driver.Rows, error) {
	if err := c.send(text); err != nil {
		return nil, err
	}
	return endingRows{c.errs["rows of "+text], c.errs["end of "+text]}, nil
}

func (c *scriptedConn) PrepareContext(_ context.Context, text string) (driver.Stmt, error) {
	if err := c.send("PREPARE " + text); err != nil {
		return nil, err
	}
	return scriptedStmt{conn: c, text: text}, nil
}

// endingRows are no rows, the error at which they end, and that of their closing.
type endingRows struct{ err, closed error }

func (endingRows) Columns() []string { return []string{"v"} }
func (r endingRows) Close() error    { return r.closed }
func (r endingRows) Next([]driver.Value) error {
	if r.err != nil {
		return r.err
	}
	return io.EOF
}

type scriptedStmt struct {
	driver.Stmt
	conn *scriptedConn
	text string
}

func (s scriptedStmt) Close() error { return s.conn.send("CLOSE " + s.text) }
func (s scriptedStmt) ExecContext(context.Context, []driver.NamedValue) (driver.Result, error) {
	return driver.RowsAffected(1), s.conn.send("EXECUTE " + s.text)
}

type oneConnector struct {
	driver.Connector
	conn driver.Conn
}

func (c oneConnector) Connect(context.Context) (driver.Conn, error) { return c.conn, nil }

// TestFailedTransaction sends nothing after an error that may have ended the transaction,
// and commits nothing.
func TestFailedTransaction(t *testing.T) {
	lost := &mysql.MySQLError{Number: 1213, Message: "Deadlock found"}
	taken := &mysql.MySQLError{Number: 1062, Message: "Error 1062: Duplicate entry"}
	tests := []struct {
		name string
		errs map[string]error
		want error // of the commit
		sent []string
	}{
		{"no error", nil, nil, []string{"A", "B", "COMMIT"}},
		{"a key is taken", map[string]error{"A": taken}, nil, []string{"A", "B", "COMMIT"}},
		{"lost to another", map[string]error{"A": lost}, lost, []string{"A", "ROLLBACK"}},
		{"lost in a query", map[string]error{"B": lost}, lost, []string{"A", "B", "ROLLBACK"}},
		{"lost between rows", map[string]error{"rows of B": lost}, lost, []string{"A", "B", "ROLLBACK"}},
		{"lost behind the rows that were read", map[string]error{"end of B": lost}, lost, []string{"A", "B", "ROLLBACK"}},
		{"arguments that do not fit", map[string]error{"A": driver.ErrSkip}, errSkipped, []string{"A", "ROLLBACK"}},
		{"out of time", map[string]error{"A": context.DeadlineExceeded}, context.DeadlineExceeded, []string{"A", "ROLLBACK"}},
		{"SQLite rolled back", map[string]error{"A": &sqlite.Error{}}, errFailed, []string{"A", "ROLLBACK"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			conn := &scriptedConn{errs: tt.errs}
			db := sql.OpenDB(oneConnector{conn: &guardedConn{conn: countedConn{conn: conn}, space: &space{}}})
			defer db.Close()
			tx, err := db.Begin()
			if err != nil {
				t.Fatal(err)
			}
			_, _ = tx.Exec("A") // callers may not look at an error
			_ = readAll(tx, "B")
			err = tx.Commit()
			if (tt.want == nil) != (err == nil) || !errors.Is(err, tt.want) || err != nil && !Undone(err) {
				t.Errorf("commit: %v, undone %v; want %v", err, Undone(err), tt.want)
			}
			if !slices.Equal(conn.sent, tt.sent) {
				t.Errorf("sent %q, want %q", conn.sent, tt.sent)
			}
			conn.sent, conn.errs = nil, nil
			if _, err := db.Exec("C"); err != nil || !slices.Equal(conn.sent, []string{"C"}) {
				t.Errorf("afterwards: %v, sent %q", err, conn.sent)
			}
		})
	}
}

func readAll(tx *sql.Tx, text string) error {
	rows, err := tx.Query(text)
	if err != nil {
		return err
	}
	for rows.Next() {
	}
	return errors.Join(rows.Err(), rows.Close())
}

// TestPrepareFails sends a text that the server does not prepare as it is, and nothing
// after another error of PREPARE.
func TestPrepareFails(t *testing.T) {
	for number, sent := range map[uint16]bool{
		1295: true, 1461: true, 1615: true, // not this text, too many, again
		1213: false, 1205: false, 1047: false, 1064: false, 1317: false, 1927: false,
	} {
		err := &mysql.MySQLError{Number: number}
		inner := &scriptedConn{errs: map[string]error{"PREPARE A": err}}
		c := &guardedConn{conn: countedConn{conn: newStmtConn(inner, true)}, space: &space{}}
		var last error
		for range prepareAfter {
			_, last = c.ExecContext(t.Context(), "A", nil)
		}
		if (last == nil) != sent || !sent && !errors.Is(last, err) {
			t.Errorf("%d: %v, want it sent as text: %v", number, last, sent)
		}
		want := []string{"A", "A", "PREPARE A"}
		if sent {
			want = append(want, "A")
		}
		if !slices.Equal(inner.sent, want) {
			t.Errorf("%d: sent %q, want %q", number, inner.sent, want)
		}
	}
}
