package database

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
)

// sqliteConns is how many connections a SQLite pool has. One of them writes at
// a time, the others read beside it; more writers than this queue in the pool,
// first come first served, rather than on the file's lock, which is a lottery.
const sqliteConns = 8

// sqliteParams are the settings of every connection: wait 10 s for a lock;
// readers beside the writer; durable commits; a transaction takes the write
// lock when it begins, so that it never fails half way; times in UTC, in a text
// form that sorts by time.
const sqliteParams = "_busy_timeout=10000&_journal_mode=WAL&_foreign_keys=on&_synchronous=FULL" +
	"&_txlock=immediate&_time_format=sqlite&_timezone=UTC"

// openSQLite opens the file at path, which is taken literally.
func openSQLite(path string) (*sql.DB, error) {
	if path == "" || strings.HasPrefix(path, "//") {
		return nil, errors.New("database: write sqlite:PATH, with a relative or an absolute path")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	file := url.URL{Scheme: "file", Path: path, RawQuery: sqliteParams}
	connector, err := sqlite.NewConnector(file.String())
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(sqliteConns)
	db.SetMaxIdleConns(sqliteConns)
	return db, nil
}
