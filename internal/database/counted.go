package database

import (
	"context"
	"database/sql/driver"
	"sync/atomic"
)

type counterKey struct{}

// A counter hears of the statements of a context.
type counter struct {
	n      *atomic.Int32                 // their number; nil if nobody counts
	record func(context.Context, string) // nil if nobody records
}

// CountStatements returns a context in which each statement that is sent to the
// database adds one to n.
func CountStatements(ctx context.Context, n *atomic.Int32) context.Context {
	c, _ := ctx.Value(counterKey{}).(counter)
	c.n = n
	return context.WithValue(ctx, counterKey{}, c)
}

// RecordStatements returns a context in which record is called with the context and the
// text of each statement that is sent to the database.
func RecordStatements(ctx context.Context, record func(ctx context.Context, text string)) context.Context {
	c, _ := ctx.Value(counterKey{}).(counter)
	c.record = record
	return context.WithValue(ctx, counterKey{}, c)
}

// conn is what the connections of both drivers can do and database/sql uses.
type conn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// A countedConn counts statements in the counter of their context. What a driver
// does not run by itself, database/sql prepares.
type countedConn struct{ conn }

func (c countedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.conn.ExecContext(ctx, query, args)
	count(ctx, query, err)
	return result, err
}

func (c countedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.conn.QueryContext(ctx, query, args)
	count(ctx, query, err)
	return rows, err
}

func (c countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	stmt, err := c.conn.PrepareContext(ctx, query)
	count(ctx, query, err)
	return stmt, err
}

func count(ctx context.Context, text string, err error) {
	c, ok := ctx.Value(counterKey{}).(counter)
	if !ok || err == driver.ErrSkip { // as database/sql compares it
		return
	}
	if c.n != nil {
		c.n.Add(1)
	}
	if c.record != nil {
		c.record(ctx, text)
	}
}

// A mysqlConn also says which values it takes.
type mysqlConn struct {
	*guardedConn
	driver.NamedValueChecker
}
