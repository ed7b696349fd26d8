package database

import (
	"context"
	"database/sql/driver"
	"sync/atomic"
)

type statementsKey struct{}

// statements is what a context says of the statements that are sent with it.
type statements struct {
	n          *atomic.Int32                 // their number; nil if nobody counts
	record     func(context.Context, string) // nil if nobody records
	unprepared bool                          // MySQL and MariaDB do not prepare them
}

// with returns a context of which change changed what it says.
func with(ctx context.Context, change func(*statements)) context.Context {
	s, _ := ctx.Value(statementsKey{}).(statements)
	change(&s)
	return context.WithValue(ctx, statementsKey{}, s)
}

// CountStatements returns a context in which each statement that is sent to the
// database adds one to n.
func CountStatements(ctx context.Context, n *atomic.Int32) context.Context {
	return with(ctx, func(s *statements) { s.n = n })
}

// RecordStatements returns a context in which record is called with the context and the
// text of each statement that is sent to the database.
func RecordStatements(ctx context.Context, record func(ctx context.Context, text string)) context.Context {
	return with(ctx, func(s *statements) { s.record = record })
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

// A countedConn counts statements in the counter of their context, measures them, and refuses text that
// is none. What a driver does not run by itself, database/sql prepares.
type countedConn struct {
	conn
	durations *durations // nil measures nothing
}

func (c countedConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	t := c.durations.begin(ctx, kindBegin, "")
	tx, err := c.conn.BeginTx(ctx, opts)
	t.end(err)
	return tx, err
}

func (c countedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := checkText(args); err != nil {
		return nil, err
	}
	t := c.durations.begin(ctx, kindOf(query), query)
	result, err := c.conn.ExecContext(ctx, query, args)
	t.end(err)
	count(ctx, query, err)
	return result, err
}

func (c countedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := checkText(args); err != nil {
		return nil, err
	}
	t := c.durations.begin(ctx, kindOf(query), query)
	rows, err := c.conn.QueryContext(ctx, query, args)
	rows = t.read(rows, err)
	count(ctx, query, err)
	return rows, err
}

func (c countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	stmt, err := c.conn.PrepareContext(ctx, query)
	count(ctx, query, err)
	return stmt, err
}

func count(ctx context.Context, text string, err error) {
	c, ok := ctx.Value(statementsKey{}).(statements)
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
