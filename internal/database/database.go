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

// Open returns a pool of connections to the database of a URL, and its dialect
// in ent's spelling:
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
// the driver has to say goes to log at debug level, nil is silent. No error and
// no log line holds the password.
func Open(raw string, log *slog.Logger) (*sql.DB, string, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	scheme, rest, _ := strings.Cut(raw, ":")
	switch scheme {
	case "sqlite":
		db, err := openSQLite(rest)
		return db, dialect.SQLite, err
	case "mysql":
		db, err := openMySQL(raw, log)
		return db, dialect.MySQL, err
	}
	return nil, "", errors.New("database: the URL begins neither with sqlite: nor with mysql://")
}

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
