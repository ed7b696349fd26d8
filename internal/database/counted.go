package database

import (
	"context"
	"database/sql/driver"
	"sync/atomic"
)

type counterKey struct{}

// CountStatements returns a context in which each statement that is sent to the
// database adds one to n.
func CountStatements(ctx context.Context, n *atomic.Int32) context.Context {
	return context.WithValue(ctx, counterKey{}, n)
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
	count(ctx, err)
	return result, err
}

func (c countedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.conn.QueryContext(ctx, query, args)
	count(ctx, err)
	return rows, err
}

func (c countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	stmt, err := c.conn.PrepareContext(ctx, query)
	count(ctx, err)
	return stmt, err
}

func count(ctx context.Context, err error) {
	n, ok := ctx.Value(counterKey{}).(*atomic.Int32)
	if ok && err != driver.ErrSkip { // as database/sql compares it
		n.Add(1)
	}
}

// A mysqlConn also says which values it takes.
type mysqlConn struct {
	*guardedConn
	driver.NamedValueChecker
}
