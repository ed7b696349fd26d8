package database

import (
	"context"
	"crypto/tls"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"os"

	"github.com/go-sql-driver/mysql"
	"modernc.org/sqlite"
	sqlitecode "modernc.org/sqlite/lib"
)

// Retryable reports whether err means that the database gave a transaction up,
// and that the same transaction, run again as a whole with fresh reads, may
// succeed. After a commit it does not tell whether anything was kept; Undone does.
func Retryable(err error) bool {
	switch mysqlNumber(err) {
	case 1205, // lock wait timeout
		1047, // Galera node not ready
		1180: // commit refused
		return true
	}
	return conflict(err) || errors.Is(err, errWriterBusy)
}

// Undone reports whether err, returned by a commit, means that the transaction was
// rolled back. After any other error the commit may have taken place: a Galera
// node that lost its majority answers 1047 to a commit that the others may keep.
func Undone(err error) bool {
	return conflict(err) || sqliteCode(err) == sqlitecode.SQLITE_FULL || errors.Is(err, errFailed) || errors.Is(err, errMalformed) ||
		errors.Is(err, sql.ErrTxDone) // the context of the transaction ended before the commit
}

// unpreparable reports whether err, returned by PREPARE, says that the server does not
// prepare this text, and nothing about the transaction.
func unpreparable(err error) bool {
	switch mysqlNumber(err) {
	case 1295, // not supported in the prepared statement protocol
		1461, // the server has as many prepared statements as it takes
		1615: // to be prepared again
		return true
	}
	return false
}

// conflict reports whether a transaction was rolled back in favour of another one.
func conflict(err error) bool {
	switch mysqlNumber(err) {
	case 1213, // deadlock; Galera: another node's transaction came first
		1020,             // row changed since it was read
		8022, 8028, 9007: // TiDB: commit conflict, schema changed, write conflict
		return true
	}
	code := sqliteCode(err)
	return code == sqlitecode.SQLITE_BUSY || code == sqlitecode.SQLITE_LOCKED
}

// Away reports whether err, returned by a database operation, means that the
// database cannot be reached or takes no work for the moment, for lack of space
// or since its file is malformed, too. The caller's own deadline or cancellation is not Away, except while a
// connection is being made.
func Away(err error) bool {
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok { // expired, for instance
		return true
	}
	if n := mysqlNumber(err); n != 0 {
		return awayNumber(n) || full(err)
	}
	switch sqliteCode(err) {
	case sqlitecode.SQLITE_FULL, sqlitecode.SQLITE_IOERR, sqlitecode.SQLITE_CANTOPEN,
		sqlitecode.SQLITE_CORRUPT, sqlitecode.SQLITE_NOTADB:
		return true
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	for _, target := range []error{
		driver.ErrBadConn, mysql.ErrInvalidConn, io.EOF, io.ErrUnexpectedEOF, os.ErrDeadlineExceeded, errMalformed,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// awayNumber lists the errors with which a server, or a proxy before it, turns
// work away.
func awayNumber(n uint16) bool {
	switch n {
	case 1040, 1203, // too many connections
		1053, 1927, // shutting down, connection killed
		1290, 1792, 1836, // read-only
		2002, 2003, 2006, 2013: // a proxy lost its server
		return true
	}
	return false
}

// full reports whether the database had no space for what was to be written.
func full(err error) bool {
	switch mysqlNumber(err) {
	case 3, 1026, // error writing a file
		1021, // disk full
		1030, // error of the storage engine, which has no other number for it
		1114: // table is full
		return true
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch e.Code() {
	case sqlitecode.SQLITE_FULL, sqlitecode.SQLITE_IOERR_WRITE, sqlitecode.SQLITE_IOERR_SHMSIZE:
		return true
	}
	return false
}

// mysqlNumber returns the number of an error that a MySQL server answered; 0 for
// any other.
func mysqlNumber(err error) uint16 {
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return e.Number
	}
	return 0
}

// sqliteCode returns the primary code of an error of SQLite; 0 for any other.
func sqliteCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff // the extended codes share the low byte
	}
	return 0
}
