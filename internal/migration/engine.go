package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/go-sql-driver/mysql"

	"workforce/internal/database"
)

// versionTable has a row for each version that was applied. Its name and columns
// are those of goose, so that goose can read the databases and the files too.
const versionTable = "goose_db_version"

// leaseTable has the one row of the lease.
const leaseTable = "migration_lease"

// An engine is what the dialects differ in.
type engine struct {
	now       string   // SQL for the time in seconds
	madeQuery string   // counts the tables of a name
	allQuery  string   // lists the names of tables
	insertNew string   // begins an INSERT that leaves the row of a key as it is
	keysOff   string   // has a connection check no foreign keys
	tables    []string // make the bookkeeping's tables where they are missing

	// apply runs a migration's statements from p on, on a connection of its own.
	apply func(ctx context.Context, c *sql.Conn, l *lease, m Migration, p progress) error
}

// engineOf returns the engine of a dialect and the folder of its files.
func engineOf(dialect string) (engine, string) {
	switch dialect {
	case "sqlite3":
		return sqliteEngine, "sqlite"
	case "mysql":
		return mysqlEngine, "mysql"
	}
	return engine{}, ""
}

var sqliteEngine = engine{
	now:       "unixepoch()",
	madeQuery: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?",
	allQuery:  "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'",
	insertNew: "INSERT OR IGNORE",
	keysOff:   "PRAGMA foreign_keys = OFF",
	tables: []string{
		`CREATE TABLE IF NOT EXISTS ` + versionTable + ` (
			id INTEGER PRIMARY KEY AUTOINCREMENT,
			version_id INTEGER NOT NULL UNIQUE,
			is_applied INTEGER NOT NULL,
			tstamp TIMESTAMP DEFAULT (datetime('now')))`,
		`INSERT OR IGNORE INTO ` + versionTable + ` (version_id, is_applied) VALUES (0, 1)`,
		`CREATE TABLE IF NOT EXISTS migration_lease (
			id INTEGER PRIMARY KEY,
			holder TEXT NOT NULL,
			expires_at INTEGER NOT NULL,
			renewals INTEGER NOT NULL,
			version INTEGER NOT NULL,
			begun INTEGER NOT NULL,
			done INTEGER NOT NULL)`,
		`INSERT OR IGNORE INTO migration_lease VALUES (1, '', 0, 0, 0, 0, 0)`,
	},
	apply: applySQLite,
}

var mysqlEngine = engine{
	now:       "UNIX_TIMESTAMP()",
	madeQuery: "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?",
	allQuery:  "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()",
	insertNew: "INSERT IGNORE",
	keysOff:   "SET foreign_key_checks = 0",
	tables: []string{
		`CREATE TABLE IF NOT EXISTS ` + versionTable + ` (
			id BIGINT PRIMARY KEY AUTO_INCREMENT,
			version_id BIGINT NOT NULL UNIQUE,
			is_applied BOOLEAN NOT NULL,
			tstamp DATETIME DEFAULT CURRENT_TIMESTAMP
		) ENGINE InnoDB CHARSET utf8mb4 COLLATE utf8mb4_bin`,
		`INSERT IGNORE INTO ` + versionTable + ` (version_id, is_applied) VALUES (0, TRUE)`,
		`CREATE TABLE IF NOT EXISTS migration_lease (
			id INT PRIMARY KEY,
			holder VARCHAR(64) NOT NULL,
			expires_at BIGINT NOT NULL,
			renewals BIGINT NOT NULL,
			version BIGINT NOT NULL,
			begun INT NOT NULL,
			done INT NOT NULL
		) ENGINE InnoDB CHARSET utf8mb4 COLLATE utf8mb4_bin`,
		`INSERT IGNORE INTO migration_lease VALUES (1, '', 0, 0, 0, 0, 0)`,
	},
	apply: applyMySQL,
}

// applySQLite runs the whole migration in one transaction, in which the lease
// is renewed too. Foreign keys are off, which they can only be from outside a
// transaction: SQLite changes a table by making another in its place. They are
// checked before the commit instead.
func applySQLite(ctx context.Context, c *sql.Conn, l *lease, m Migration, p progress) error {
	all := len(m.statements)
	if p.done == all {
		return nil // only the version is not recorded yet
	}
	if _, err := c.ExecContext(ctx, "PRAGMA foreign_keys = OFF"); err != nil {
		return err
	}
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := l.record(ctx, tx, progress{m.Version, all, all}); err != nil {
		return err
	}
	for i, statement := range m.statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return failed(m, i, err)
		}
	}
	if err := derive(ctx, m.Version, tx, func(f func(writer) error) error { return f(tx) }); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	if err := errors.Join(orphan(ctx, tx), assume(ctx, tx)); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	return tx.Commit()
}

// orphan is an error when a row refers to one that does not exist.
func orphan(ctx context.Context, tx *sql.Tx) error {
	var table, parent string
	err := tx.QueryRowContext(ctx, `SELECT "table", "parent" FROM pragma_foreign_key_check LIMIT 1`).Scan(&table, &parent)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("a row of %s refers to a row of %s that does not exist", table, parent)
}

// A change of a table waits lockWait, in seconds, for the transactions that use
// it. Meanwhile others queue behind the change, so it then lets them pass and
// comes back, lockTries times.
const (
	lockWait  = 2
	lockTries = 30
)

// applyMySQL runs the statements that are left, one by one. Each is recorded as
// begun before it runs, which renews the lease too.
func applyMySQL(ctx context.Context, c *sql.Conn, l *lease, m Migration, p progress) error {
	if _, err := c.ExecContext(ctx, fmt.Sprintf("SET SESSION lock_wait_timeout = %d", lockWait)); err != nil {
		return err
	}
	for i := p.done; i < len(m.statements); i++ {
		doubtful := p.begun > i
		p.begun, p.done = i+1, i
		if err := l.record(ctx, c, p); err != nil {
			return err
		}
		_, err := retried(ctx, c, m.statements[i])
		if doubtful && madeBefore(err) {
			err = nil
		}
		if refused(err) {
			p.begun = i
			_ = l.record(ctx, c, p) // else the statement remains in doubt
		}
		if err != nil {
			return failed(m, i, err)
		}
	}
	if err := derive(ctx, m.Version, c, func(f func(writer) error) error { return committed(ctx, c, f) }); err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	p.begun, p.done = len(m.statements), len(m.statements)
	return l.record(ctx, c, p)
}

// committed runs f in a transaction, and again after a lock conflict with others.
func committed(ctx context.Context, c *sql.Conn, f func(writer) error) error {
	for try := 1; ; try++ {
		err := inTransaction(ctx, c, f)
		if !database.Retryable(err) || try == lockTries {
			return err
		}
		if err := sleep(ctx, pause); err != nil {
			return err
		}
	}
}

func inTransaction(ctx context.Context, c *sql.Conn, f func(writer) error) error {
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// retried runs a statement, and again after a lock conflict with others.
func retried(ctx context.Context, c conn, statement string, args ...any) (sql.Result, error) {
	for try := 1; ; try++ {
		res, err := c.ExecContext(ctx, statement, args...)
		if !database.Retryable(err) || try == lockTries {
			return res, err
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// refused reports whether the server said that it did not run a statement.
// Any other error leaves that open.
func refused(err error) bool {
	_, answered := errors.AsType[*mysql.MySQLError](err)
	return answered && !database.Away(err)
}

// madeBefore reports whether err says that what a statement makes is there, or
// what it drops is not.
func madeBefore(err error) bool {
	e, ok := errors.AsType[*mysql.MySQLError](err)
	if !ok {
		return false
	}
	switch e.Number {
	case 1050, 1051, // table exists, is missing
		1060, 1061, 1091, // column exists, index exists, either is missing
		1826: // foreign key exists
		return true
	case 1005: // the same on MariaDB, among others
		return strings.Contains(e.Message, "errno: 121")
	}
	return false
}
