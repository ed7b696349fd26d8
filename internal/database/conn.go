package database

import (
	"context"
	"database/sql/driver"
	"sync/atomic"
	"time"
)

// A guardedConn is a connection that the pool closes once a commit or a rollback on
// it has failed. Its transaction may still be open then (a Galera node without a
// majority refuses both), and the next transaction of the connection would commit
// what it left. It also records when the database had no space.
type guardedConn struct {
	conn
	space  *space
	broken bool
}

// BeginTx implements driver.ConnBeginTx.
func (c *guardedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	tx, err := c.conn.BeginTx(ctx, opts)
	if err != nil {
		return nil, err
	}
	return guardedTx{tx, c}, nil
}

// ExecContext implements driver.ExecerContext.
func (c *guardedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.conn.ExecContext(ctx, query, args)
	c.space.record(err)
	return result, err
}

// QueryContext implements driver.QueryerContext.
func (c *guardedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.conn.QueryContext(ctx, query, args)
	if c.space.record(err); err != nil {
		return nil, err
	}
	return readDirectly(ctx, rows), nil
}

// IsValid implements driver.Validator.
func (c *guardedConn) IsValid() bool { return !c.broken && c.conn.IsValid() }

// A guardedTx is a transaction of a guardedConn.
type guardedTx struct {
	driver.Tx
	conn *guardedConn
}

// Commit implements driver.Tx.
func (t guardedTx) Commit() error { return t.ended(t.Tx.Commit()) }

// Rollback implements driver.Tx.
func (t guardedTx) Rollback() error { return t.ended(t.Tx.Rollback()) }

func (t guardedTx) ended(err error) error {
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
