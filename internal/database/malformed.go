package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync/atomic"

	sqlitecode "modernc.org/sqlite/lib"
)

// errMalformed is the error of a write to a SQLite file that was found malformed. It is Away.
var errMalformed = errors.New("the database file is malformed: nothing is written to it")

// A damage knows whether a SQLite file was found malformed. What is written to such a file may be
// lost, or damage more of it.
type damage struct {
	log   *slog.Logger
	mark  string // file that has the next process check the database file too
	found atomic.Bool
}

// record takes note of an error by which SQLite says that the file is malformed.
func (d *damage) record(err error) {
	switch sqliteCode(err) {
	case sqlitecode.SQLITE_CORRUPT, sqlitecode.SQLITE_NOTADB:
		d.report(err.Error())
	}
}

// report stops all writing to the file. It logs and marks that once.
func (d *damage) report(what string) {
	if d.found.CompareAndSwap(false, true) {
		d.log.Error("the database file is malformed: nothing is written any more; stop the server and restore a backup",
			"found", what)
		_ = os.WriteFile(d.mark, []byte(what+"\n"), 0o600) // without it the next process finds out later
	}
}

// refused returns errMalformed once the file was found malformed.
func (d *damage) refused() error {
	if d.found.Load() {
		return errMalformed
	}
	return nil
}

// Malformed reports whether a SQLite file was found malformed. Nothing is written to it then.
func (db *DB) Malformed() bool { return db.damage.found.Load() }

// CheckFile reads all of a SQLite file whose last process did not close it, or found it malformed, and
// finds out whether it is. It may run beside readers and writers: a gigabyte takes some seconds. It ends
// with ctx.
func (db *DB) CheckFile(ctx context.Context) error {
	if !db.suspect {
		return nil
	}
	var found string
	err := db.Reader.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
	switch {
	case db.Malformed(): // this statement, or another one, has said so
		return nil
	case err != nil:
		return err
	case found != "ok":
		db.damage.report(found)
		return nil
	}
	if err := os.Remove(db.damage.mark); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// isSuspect reports whether the last process that had a SQLite file open ended without closing it, or
// found it malformed. The last connection that is closed removes the write-ahead log.
func isSuspect(path, mark string) bool {
	wal, err := os.Stat(path + "-wal")
	_, unmarked := os.Stat(mark)
	return err == nil && wal.Size() > 0 || unmarked == nil
}

// A damageConn is a connection to a SQLite file that may be malformed.
type damageConn struct {
	conn
	damage *damage
}

// BeginTx implements driver.ConnBeginTx.
func (c damageConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if err := c.damage.refused(); err != nil && !opts.ReadOnly {
		return nil, err
	}
	tx, err := c.conn.BeginTx(ctx, opts)
	if c.damage.record(err); err != nil {
		return nil, err
	}
	return damageTx{tx, c.damage}, nil
}

// ExecContext implements driver.ExecerContext.
func (c damageConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := c.damage.refused(); err != nil {
		return nil, err
	}
	result, err := c.conn.ExecContext(ctx, query, args)
	c.damage.record(err)
	return result, err
}

// QueryContext implements driver.QueryerContext.
func (c damageConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := c.damage.refused(); err != nil && writes(query) {
		return nil, err
	}
	rows, err := c.conn.QueryContext(ctx, query, args)
	if c.damage.record(err); err != nil {
		return nil, err
	}
	return damageRows{rows, c.damage}, nil
}

// A damageTx is a transaction of a damageConn.
type damageTx struct {
	driver.Tx
	damage *damage
}

// Commit implements driver.Tx. What was written before the file was found malformed is rolled back.
func (t damageTx) Commit() error {
	if err := t.damage.refused(); err != nil {
		return errors.Join(err, t.Tx.Rollback())
	}
	err := t.Tx.Commit()
	t.damage.record(err)
	return err
}

// damageRows are rows of a damageConn.
type damageRows struct {
	driver.Rows
	damage *damage
}

// Next implements driver.Rows.
func (r damageRows) Next(values []driver.Value) error {
	err := r.Rows.Next(values)
	if err != nil && err != io.EOF { // as database/sql compares it
		r.damage.record(err)
	}
	return err
}
