package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
)

func TestRetryableAndAway(t *testing.T) {
	number := func(n uint16) error { return &mysql.MySQLError{Number: n, Message: "x"} }
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	dialTimeout := &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}
	tests := []struct {
		name            string
		err             error
		retryable, away bool
	}{
		{"nil", nil, false, false},
		{"any", errors.New("x"), false, false},
		{"no rows", sql.ErrNoRows, false, false},
		{"tx done", sql.ErrTxDone, false, false},
		{"deadlock", number(1213), true, false},
		{"lock wait timeout", number(1205), true, false},
		{"row changed", number(1020), true, false},
		{"node not ready", number(1047), true, false},
		{"commit refused", number(1180), true, false},
		{"TiDB write conflict", number(9007), true, false},
		{"SQLite writer busy", errWriterBusy, true, false},
		{"duplicate key", number(1062), false, false},
		{"syntax", number(1064), false, false},
		{"access denied", number(1045), false, false},
		{"too many connections", number(1040), false, true},
		{"shutdown", number(1053), false, true},
		{"killed", number(1927), false, true},
		{"read-only option", number(1290), false, true},
		{"read-only mode", number(1836), false, true},
		{"gone away", number(2006), false, true},
		{"lost connection", number(2013), false, true},
		{"bad connection", driver.ErrBadConn, false, true},
		{"invalid connection", mysql.ErrInvalidConn, false, true},
		{"EOF", io.EOF, false, true},
		{"unexpected EOF", io.ErrUnexpectedEOF, false, true},
		{"refused", refused, false, true},
		{"dial timeout", dialTimeout, false, true},
		{"login timeout", os.ErrDeadlineExceeded, false, true},
		{"caller's deadline", context.DeadlineExceeded, false, false},
		{"caller gone", context.Canceled, false, false},
		{"caller gone, connection dropped", errors.Join(context.Canceled, mysql.ErrInvalidConn), false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wrapped := fmt.Errorf("save: %w", fmt.Errorf("commit: %w", tt.err))
			for _, err := range []error{tt.err, wrapped, errors.Join(errors.New("rollback"), wrapped)} {
				if got := Retryable(err); got != tt.retryable {
					t.Errorf("Retryable(%v) = %v, want %v", err, got, tt.retryable)
				}
				if got := Away(err); got != tt.away {
					t.Errorf("Away(%v) = %v, want %v", err, got, tt.away)
				}
			}
		})
	}
}

// TestSQLiteLocks makes SQLite refuse: a writer while another writes, and a
// reader that wants to write after the database has changed.
func TestSQLiteLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	a, b := open(t, "sqlite:"+path).Writer, open(t, "sqlite:"+path).Writer
	must(t, a, "CREATE TABLE n (v INT)")
	must(t, b, "PRAGMA busy_timeout = 1")

	tx, err := a.Begin()
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Begin()
	if !Retryable(err) || Away(err) {
		t.Errorf("second writer: %v, want Retryable", err)
	}
	_ = tx.Rollback()

	tx, err = b.BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	var n int
	if err := tx.QueryRow("SELECT COUNT(*) FROM n").Scan(&n); err != nil {
		t.Fatal(err)
	}
	must(t, a, "INSERT INTO n VALUES (1)")
	if _, err = tx.Exec("INSERT INTO n VALUES (2)"); !Retryable(err) { // SQLITE_BUSY_SNAPSHOT
		t.Errorf("stale reader writes: %v, want Retryable", err)
	}
}

func TestSQLiteConstraintIsFinal(t *testing.T) {
	db := open(t, "sqlite:"+filepath.Join(t.TempDir(), "x.db")).Writer
	must(t, db, "CREATE TABLE n (v INT PRIMARY KEY)")
	must(t, db, "INSERT INTO n VALUES (1)")
	if _, err := db.Exec("INSERT INTO n VALUES (1)"); err == nil || Retryable(err) || Away(err) {
		t.Errorf("duplicate = %v, want an error that is neither Retryable nor Away", err)
	}
}

func open(t *testing.T, url string) *DB {
	t.Helper()
	db, err := Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func must(t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.Exec(statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}
