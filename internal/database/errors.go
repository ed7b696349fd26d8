package database

import (
	"context"
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
// succeed. It holds for a failed commit too: nothing was kept.
func Retryable(err error) bool {
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch e.Number {
		case 1213, // deadlock
			1205,             // lock wait timeout
			1020,             // row changed since it was read
			1047,             // Galera node not ready
			1180,             // commit refused
			8022, 8028, 9007: // TiDB: commit conflict, schema changed, write conflict
			return true
		}
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		switch e.Code() & 0xff { // the extended codes share the low byte
		case sqlitecode.SQLITE_BUSY, sqlitecode.SQLITE_LOCKED:
			return true
		}
	}
	return errors.Is(err, errWriterBusy)
}

// Away reports whether err, returned by a database operation, means that the
// database cannot be reached or takes no work for the moment. After a commit it
// leaves open whether the commit took place. The caller's own deadline or
// cancellation is not Away, except while a connection is being made.
func Away(err error) bool {
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return true
	}
	if e, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return awayNumber(e.Number)
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	for _, target := range []error{
		driver.ErrBadConn, mysql.ErrInvalidConn, io.EOF, io.ErrUnexpectedEOF, os.ErrDeadlineExceeded,
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
