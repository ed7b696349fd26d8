package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect/sql/sqlgraph"
)

// A guardedConn is a connection whose transactions are committed whole or not at all.
//
// A database may roll a transaction back by itself, say so in one error, and run what
// follows outside of any transaction. So after an error other than a violated constraint
// nothing more is sent, and the transaction cannot be committed. After a commit or a
// rollback that failed, the pool closes the connection: its transaction may still be open
// (a Galera node without a majority refuses both), and the next transaction of the
// connection would commit what it left.
//
// It also records when the database had no space.
type guardedConn struct {
	conn
	space     *space
	durations *durations // nil measures nothing
	inTx      bool
	failed    error // of the transaction that is open
	broken    bool
}

// errFailed is returned by the commit of a transaction in which an error occurred.
var errFailed = errors.New("database: rolled back, since a statement failed")

// errSkipped is returned for arguments that the driver does not send as text. Left to
// database/sql, it would prepare the statement, and close it in the transaction.
var errSkipped = errors.New("database: the arguments do not fit the statement")

// BeginTx implements driver.ConnBeginTx.
func (c *guardedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.conn.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	c.inTx, c.failed = true, nil
	return guardedTx{tx, c, ctx}, nil
}

// ExecContext implements driver.ExecerContext.
func (c *guardedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if c.failed != nil {
		return nil, c.failed
	}
	result, err := c.conn.ExecContext(ctx, query, args)
	return result, c.watch(err)
}

// QueryContext implements driver.QueryerContext.
func (c *guardedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if c.failed != nil {
		return nil, c.failed
	}
	rows, err := c.conn.QueryContext(ctx, query, args)
	if err = c.watch(err); err != nil {
		return nil, err
	}
	if c.inTx {
		rows = guardedRows{rows, c}
	}
	return rows, nil
}

// PrepareContext implements driver.ConnPrepareContext. Nobody outside of the cache prepares.
func (c *guardedConn) PrepareContext(context.Context, string) (driver.Stmt, error) {
	return nil, errSkipped
}

// watch returns the error of a statement, and keeps one that ends the transaction.
func (c *guardedConn) watch(err error) error {
	if err == nil {
		return nil
	}
	if err == driver.ErrSkip { // as database/sql compares it
		err = errSkipped
	}
	c.space.record(err)
	if c.inTx && !sqlgraph.IsConstraintError(err) {
		c.failed = err
	}
	return err
}

// IsValid implements driver.Validator.
func (c *guardedConn) IsValid() bool { return !c.broken && c.conn.IsValid() }

// guardedRows are rows that are read in a transaction of a guardedConn.
type guardedRows struct {
	driver.Rows
	conn *guardedConn
}

// Next implements driver.Rows.
func (r guardedRows) Next(values []driver.Value) error {
	err := r.Rows.Next(values)
	if err == nil || err == io.EOF { // as database/sql compares it
		return err
	}
	return r.conn.watch(err)
}

// Close implements driver.Rows. It reads what was not read: the error of a transaction that
// was lost may stand behind the only row that somebody wanted, who ignores that of Close.
func (r guardedRows) Close() error { return r.conn.watch(r.Rows.Close()) }

// A guardedTx is a transaction of a guardedConn.
type guardedTx struct {
	driver.Tx
	conn *guardedConn
	ctx  context.Context // in which it began: its commit is a part of that work
}

// Commit implements driver.Tx.
func (t guardedTx) Commit() error {
	if failed := t.conn.failed; failed != nil {
		return errors.Join(errFailed, failed, t.Rollback())
	}
	timed := t.conn.durations.begin(t.ctx, kindCommit, "")
	err := t.Tx.Commit()
	timed.end(err)
	return t.ended(err)
}

// Rollback implements driver.Tx.
func (t guardedTx) Rollback() error { return t.ended(t.Tx.Rollback()) }

func (t guardedTx) ended(err error) error {
	t.conn.inTx, t.conn.failed = false, nil
	t.conn.broken = t.conn.broken || err != nil
	t.conn.space.record(err)
	return err
}

// fullFor is how long a database counts as full after it had no space.
const fullFor = 5 * time.Second

// A space knows when a database last had no space for what was written.
type space struct{ lacked atomic.Pointer[time.Time] }

func (s *space) record(err error) {
	if err != nil && full(err) {
		now := time.Now()
		s.lacked.Store(&now)
	}
}

// Full reports whether the database had no space for something that this process
// wrote in the last 5 s.
func (db *DB) Full() bool {
	last := db.space.lacked.Load()
	return last != nil && time.Since(*last) < fullFor
}
