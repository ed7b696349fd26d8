// Package database opens the database that a URL names, and says what its
// errors ask for.
package database

import (
	"database/sql"
	"errors"
	"log/slog"
	"net/url"
	"strings"

	"entgo.io/ent/dialect"
)

// A DB is an open database. SQLite has one writer at a time: there, Writer is a
// pool of one connection, and Reader a pool of connections that refuse to write.
// On MySQL both are the same pool.
//
// Whoever holds the only connection of Writer (a transaction, rows that are not
// closed) and asks Writer for another one waits until its context ends. Through
// Driver such a wait is bounded.
type DB struct {
	Writer  *sql.DB // transactions, and all that changes rows
	Reader  *sql.DB // queries outside of transactions
	Dialect string  // in ent's spelling

	durations *durations

	space   space
	damage  damage // of a SQLite file
	suspect bool   // the SQLite file may be malformed: CheckFile tells
}

// Open opens the database of a URL:
//
//	sqlite:PATH                                a file, made with its folder when missing
//	mysql://USER:PASSWORD@HOST:PORT/NAME       MySQL, MariaDB and what speaks their protocol
//	mysql://USER:PASSWORD@/NAME?socket=PATH    the same over a Unix socket
//
// USER, PASSWORD and NAME are percent-encoded; PATH is taken as it stands. The
// port is 3306 unless given. ?tls= takes true, false, preferred or skip-verify;
// certificates are checked against the system's, which SSL_CERT_FILE replaces.
//
// Open does not connect: a database that is away shows at the first use. What
// the driver has to say goes to log at debug level, and at level error that a SQLite file
// is malformed; nil is silent. No error and
// no log line holds the password.
func Open(raw string, log *slog.Logger) (*DB, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	scheme, rest, _ := strings.Cut(raw, ":")
	switch scheme {
	case "sqlite":
		return openSQLite(rest, log)
	case "mysql":
		db := &DB{Dialect: dialect.MySQL, durations: newDurations(dialect.MySQL)}
		pool, err := openMySQL(raw, log, db)
		if err != nil {
			return nil, err
		}
		db.Writer, db.Reader = pool, pool
		return db, nil
	}
	return nil, errURL
}

// Check returns nil, or the error of a URL that Open would not take.
func Check(raw string) error {
	if path, ok := strings.CutPrefix(raw, "sqlite:"); ok {
		return checkPath(path)
	}
	if !strings.HasPrefix(raw, "mysql:") {
		return errURL
	}
	_, err := mysqlConfig(raw)
	return err
}

var errURL = errors.New("database: the URL begins neither with sqlite: nor with mysql://")

// Close closes both pools, the writer last: SQLite's last connection merges the
// write-ahead log into the file.
func (db *DB) Close() error { return errors.Join(db.Reader.Close(), db.Writer.Close()) }

// Redact returns a database URL fit to be shown: xxxxx stands for the password,
// and *** for everything of a URL that Open would not take.
func Redact(raw string) string {
	if strings.HasPrefix(raw, "sqlite:") {
		return raw
	}
	scheme, _, _ := strings.Cut(raw, ":")
	if _, err := mysqlConfig(raw); scheme != "mysql" || err != nil {
		return "***"
	}
	u, err := url.Parse(raw)
	if err != nil {
		return "***"
	}
	return u.Redacted()
}
