package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"modernc.org/sqlite"
)

// sqliteReaders is how many connections read a SQLite file. One more writes.
const sqliteReaders = 16

// sqliteWait is how long a writer waits for the other writers of this process
// and then, for as long again, for those of other processes.
const sqliteWait = 10 * time.Second

// sqliteParams are the settings of every connection: sqliteWait for a lock;
// readers beside the writer; durable commits; a transaction takes the write
// lock when it begins, so that it never fails half way; times in UTC, in a text
// form that sorts by time.
const sqliteParams = "_journal_mode=WAL&_foreign_keys=on&_synchronous=FULL" +
	"&_txlock=immediate&_time_format=sqlite&_timezone=UTC"

// checkpoints has the writer copy what was committed into the database's own file after
// 16 MB, in place of 4: pages that are written again and again are copied once.
const checkpoints = "&_pragma=wal_autocheckpoint(4000)"

func checkPath(path string) error {
	if path == "" || strings.HasPrefix(path, "//") {
		return errors.New("database: write sqlite:PATH, with a relative or an absolute path")
	}
	return nil
}

// CheckExists returns an error for a SQLite file that is not there and that Open would
// create. It tells nothing of other databases.
func CheckExists(raw string) error {
	path, ok := strings.CutPrefix(raw, "sqlite:")
	if !ok {
		return nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("database: there is no database %s; workforce migrate up creates one", path)
	case err != nil:
		return fmt.Errorf("database: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("database: %s is not a file", path)
	}
	return nil
}

// openSQLite opens the file at path, which is taken literally. A new file, and with
// it the files that SQLite makes beside it, is for its owner alone.
func openSQLite(path string, log *slog.Logger) (*DB, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	if err := createPrivate(path); err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	mark := path + "-malformed"
	db := &DB{Dialect: dialect.SQLite, durations: newDurations("sqlite"), suspect: isSuspect(path, mark)}
	db.damage.log, db.damage.mark = log, mark
	if db.Writer, err = sqlitePool(path, 1, sqliteParams+checkpoints, db); err != nil {
		return nil, err
	}
	if db.Reader, err = sqlitePool(path, sqliteReaders, sqliteParams+"&_query_only=on", db); err != nil {
		return nil, errors.Join(err, db.Writer.Close())
	}
	return db, nil
}

// createPrivate creates an empty file of mode 0600, unless there is one. SQLite gives
// its -wal and -shm files the mode of the database.
func createPrivate(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// sqlitePool returns a pool of size connections, all of them kept open.
func sqlitePool(path string, size int, params string, db *DB) (*sql.DB, error) {
	params = fmt.Sprintf("_busy_timeout=%d&%s", sqliteWait.Milliseconds(), params)
	file := url.URL{Scheme: "file", Path: path, RawQuery: params}
	connector, err := sqlite.NewConnector(file.String())
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	pool := sql.OpenDB(sqliteConnector{connector, db})
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	return pool, nil
}

// sqliteConnector makes connections that cache and count statements, that are
// closed when a transaction could not be ended, and that do not write to a malformed file.
type sqliteConnector struct {
	driver.Connector
	db *DB
}

func (c sqliteConnector) Connect(ctx context.Context) (driver.Conn, error) {
	made, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	counted := countedConn{newStmtConn(made.(conn), false), c.db.durations}
	return &guardedConn{conn: damageConn{counted, &c.db.damage}, space: &c.db.space, durations: c.db.durations}, nil
}
