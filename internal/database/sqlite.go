package database

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
)

// sqliteConns is how many connections a SQLite pool has. Writers that wait for
// their turn hold one each, so there are more than would ever read at once.
const sqliteConns = 16

// sqliteWait is how long a writer waits for the others.
const sqliteWait = 10 * time.Second

// sqliteParams are the settings of every connection: sqliteWait for a lock;
// readers beside the writer; durable commits; a transaction takes the write
// lock when it begins, so that it never fails half way; times in UTC, in a text
// form that sorts by time.
const sqliteParams = "_journal_mode=WAL&_foreign_keys=on&_synchronous=FULL" +
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
	params := fmt.Sprintf("_busy_timeout=%d&%s", sqliteWait.Milliseconds(), sqliteParams)
	file := url.URL{Scheme: "file", Path: path, RawQuery: params}
	connector, err := sqlite.NewConnector(file.String())
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	db := sql.OpenDB(turns{connector, make(chan struct{}, 1), sqliteWait})
	db.SetMaxOpenConns(sqliteConns)
	db.SetMaxIdleConns(sqliteConns)
	return db, nil
}
