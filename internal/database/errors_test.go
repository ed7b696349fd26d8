package database

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-sql-driver/mysql"
)

// TestClasses tells of errors whether the transaction may run again (retryable),
// whether a commit that answered so kept nothing (undone), whether the database
// takes no work (away), and whether it has no space (full).
func TestClasses(t *testing.T) {
	classes := []struct {
		name  string
		holds func(error) bool
	}{{"retryable", Retryable}, {"undone", Undone}, {"away", Away}, {"full", full}}
	number := func(n uint16) error { return &mysql.MySQLError{Number: n, Message: "x"} }
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	dialTimeout := &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}
	tests := []struct {
		name string
		err  error
		want string // what holds of it
	}{
		{"nil", nil, ""},
		{"any", errors.New("x"), ""},
		{"no rows", sql.ErrNoRows, ""},
		{"tx done", sql.ErrTxDone, "undone"},
		{"deadlock", number(1213), "retryable undone"},
		{"lock wait timeout", number(1205), "retryable"},
		{"row changed", number(1020), "retryable undone"},
		{"node not ready", number(1047), "retryable"},
		{"commit refused", number(1180), "retryable"},
		{"TiDB write conflict", number(9007), "retryable undone"},
		{"SQLite writer busy", errWriterBusy, "retryable"},
		{"SQLite file malformed", errMalformed, "undone away"},
		{"TiDB commit conflict", number(8022), "retryable undone"},
		{"TiDB schema changed", number(8028), "retryable undone"},
		{"duplicate key", number(1062), ""},
		{"syntax", number(1064), ""},
		{"access denied", number(1045), ""},
		{"too many connections", number(1040), "away"},
		{"expired certificate", &tls.CertificateVerificationError{Err: x509.CertificateInvalidError{Reason: x509.Expired}},
			"away"},
		{"shutdown", number(1053), "away"},
		{"killed", number(1927), "away"},
		{"read-only option", number(1290), "away"},
		{"read-only mode", number(1836), "away"},
		{"gone away", number(2006), "away"},
		{"lost connection", number(2013), "away"},
		{"read-only transaction", number(1792), "away"},
		{"proxy without a server", number(2003), "away"},
		{"disk full", number(1021), "away full"},
		{"table full", number(1114), "away full"},
		{"a file cannot be written", number(1026), "away full"},
		{"errcode 28", number(3), "away full"},
		{"storage engine", number(1030), "away full"},
		{"bad connection", driver.ErrBadConn, "away"},
		{"invalid connection", mysql.ErrInvalidConn, "away"},
		{"EOF", io.EOF, "away"},
		{"unexpected EOF", io.ErrUnexpectedEOF, "away"},
		{"refused", refused, "away"},
		{"dial timeout", dialTimeout, "away"},
		{"login timeout", os.ErrDeadlineExceeded, "away"},
		{"caller's deadline", context.DeadlineExceeded, ""},
		{"caller gone", context.Canceled, ""},
		{"caller gone, connection dropped", errors.Join(context.Canceled, mysql.ErrInvalidConn), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wrapped := fmt.Errorf("save: %w", fmt.Errorf("commit: %w", tt.err))
			for _, err := range []error{tt.err, wrapped, errors.Join(errors.New("rollback"), wrapped)} {
				var is []string
				for _, class := range classes {
					if class.holds(err) {
						is = append(is, class.name)
					}
				}
				if got := strings.Join(is, " "); got != tt.want {
					t.Errorf("%v is %q, want %q", err, got, tt.want)
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
