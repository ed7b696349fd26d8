package database

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// errWriterBusy is Retryable, as SQLite's own SQLITE_BUSY is.
var errWriterBusy = errors.New("another transaction kept the database for too long")

// Driver returns ent's driver for the database. On SQLite it sends transactions
// and statements that write to Writer, and queries outside of transactions to
// Reader. A write that waits for Writer longer than 10 s fails with an error that
// is Retryable; reads do not wait for writes.
func (db *DB) Driver() dialect.Driver {
	if db.Dialect != dialect.SQLite {
		return entsql.OpenDB(db.Dialect, db.Writer)
	}
	return newSplitDriver(db, sqliteWait)
}

// A splitDriver divides the work between the two pools of a SQLite database.
type splitDriver struct {
	*entsql.Driver // single statements, by splitPool
	pools          splitPool
	db             *DB
}

func newSplitDriver(db *DB, wait time.Duration) *splitDriver {
	pools := splitPool{db.Reader, db.Writer, wait}
	return &splitDriver{entsql.NewDriver(db.Dialect, entsql.Conn{ExecQuerier: pools}), pools, db}
}

// DB returns the pool for queries.
func (d *splitDriver) DB() *sql.DB { return d.db.Reader }

// Close closes both pools.
func (d *splitDriver) Close() error { return d.db.Close() }

// Tx begins a transaction that may write.
func (d *splitDriver) Tx(ctx context.Context) (dialect.Tx, error) { return d.BeginTx(ctx, nil) }

// BeginTx begins a transaction, of the readers if it only reads.
func (d *splitDriver) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	if opts != nil && opts.ReadOnly {
		return entsql.OpenDB(d.db.Dialect, d.db.Reader).BeginTx(ctx, opts)
	}
	c, err := d.pools.writeConn(ctx)
	if err != nil {
		return nil, err
	}
	tx, err := c.BeginTx(ctx, opts)
	if err != nil {
		_ = c.Close() // err tells more
		return nil, err
	}
	go c.Close() // waits for the end of the transaction
	return &entsql.Tx{Conn: entsql.Conn{ExecQuerier: tx}, Tx: tx}, nil
}

// A splitPool runs single statements, outside of transactions.
type splitPool struct {
	reader, writer *sql.DB
	wait           time.Duration // longest wait for the writer's connection
}

// ExecContext implements entsql.ExecQuerier.
func (p splitPool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	c, err := p.writeConn(ctx)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.ExecContext(ctx, query, args...)
}

// QueryContext implements entsql.ExecQuerier.
func (p splitPool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if !writes(query) {
		return p.reader.QueryContext(ctx, query, args...)
	}
	c, err := p.writeConn(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := c.QueryContext(ctx, query, args...)
	if err != nil {
		_ = c.Close() // err tells more
		return nil, err
	}
	go c.Close() // waits until the rows are closed
	return rows, nil
}

// writeConn returns the writer's connection as soon as it is free.
func (p splitPool) writeConn(ctx context.Context) (*sql.Conn, error) {
	waiting, cancel := context.WithTimeout(ctx, p.wait)
	defer cancel()
	c, err := p.writer.Conn(waiting)
	if err != nil && waiting.Err() != nil && ctx.Err() == nil {
		return nil, errWriterBusy
	}
	return c, err
}

// writes reports whether a query changes rows and returns some, as ent's
// INSERT … RETURNING does. A reader refuses one that is not found here.
func writes(query string) bool {
	verb, _, _ := strings.Cut(query, " ")
	switch strings.ToUpper(verb) {
	case "INSERT", "REPLACE", "UPDATE", "DELETE":
		return true
	}
	return false
}
