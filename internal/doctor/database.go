package doctor

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect"

	"workforce/internal/database"
	"workforce/internal/migration"
)

// clockAlarm is by how much the clocks may differ.
const clockAlarm = 2 * time.Minute

// An installation is what the database knows of the key and the file store.
type installation struct {
	read        bool
	fingerprint string // of the secret key; "" in a new database
	id          string // that the mark of the file store repeats; "" in a new database
}

// facts are what a MySQL server or a SQLite file says of itself.
type facts struct {
	variables map[string]string // of the connection, in small letters
	status    map[string]string // wsrep_… of a node of Galera
	at        time.Time         // its clock
	trip      time.Duration     // that asking for the time took
}

// database examines the database, and reads what it knows of key and files. A SQLite file that is not
// there is not created.
func (s Subject) database(parent context.Context) ([]Result, installation) {
	ctx, cancel := context.WithTimeout(parent, limit)
	defer cancel()
	if err := database.CheckExists(s.Database); err != nil {
		found := strings.TrimPrefix(err.Error(), "database: ")
		advice := "serve creates it too; if there should be one, correct --database"
		if s.Unset {
			found = "no setting names a database, and there is no " + strings.TrimPrefix(s.Database, "sqlite:")
			advice = "name the file of the settings by --config or WORKFORCE_CONFIG; serve without settings creates the database"
		}
		return []Result{warning("database", found, advice)}, installation{}
	}
	db, err := database.Open(s.Database, nil)
	if err != nil {
		return []Result{unreachable(err)}, installation{}
	}
	defer db.Close()
	f, err := readFacts(ctx, db, s.Now)
	if err != nil {
		return []Result{unreachable(err)}, installation{}
	}
	results := []Result{s.version(f, db.Dialect), s.schema(ctx, db)}
	if db.Dialect == dialect.SQLite {
		results = append(results, s.sqlite(f)...)
	} else {
		results = append(results, isolation(f), durability(f), galera(f), clock(f, s.Now()))
	}
	return results, readInstallation(ctx, db)
}

func unreachable(err error) Result {
	return failure("database", "it cannot be used: "+strings.TrimPrefix(err.Error(), "database: "),
		"see that it runs and is reached from here, and that --database has its user, password and name")
}

// readFacts asks a database for all that is judged.
func readFacts(ctx context.Context, db *database.DB, now func() time.Time) (facts, error) {
	f := facts{variables: map[string]string{}, status: map[string]string{}}
	if db.Dialect == dialect.SQLite {
		for name, query := range map[string]string{
			"version": "SELECT sqlite_version()", "synchronous": "PRAGMA synchronous", "journal_mode": "PRAGMA journal_mode",
		} {
			var value string
			if err := db.Reader.QueryRowContext(ctx, query).Scan(&value); err != nil {
				return f, err
			}
			f.variables[name] = value
		}
		return f, nil
	}
	conn, err := db.Reader.Conn(ctx)
	if err != nil {
		return f, err
	}
	defer conn.Close()
	sent := now()
	var at string
	if err := conn.QueryRowContext(ctx, "SELECT CAST(UTC_TIMESTAMP(6) AS CHAR)").Scan(&at); err != nil {
		return f, err
	}
	f.trip = now().Sub(sent)
	if f.at, err = time.Parse("2006-01-02 15:04:05.999999", at); err != nil {
		return f, err
	}
	return f, errors.Join(
		pairs(ctx, conn, f.variables, "SHOW SESSION VARIABLES WHERE Variable_name IN ('version', 'version_comment', "+
			"'transaction_isolation', 'tx_isolation', 'innodb_flush_log_at_trx_commit', 'log_bin', 'sync_binlog', 'wsrep_on')"),
		pairs(ctx, conn, f.status, "SHOW STATUS LIKE 'wsrep\\_%'"))
}

// pairs reads rows of a name and a value.
func pairs(ctx context.Context, conn *sql.Conn, into map[string]string, query string) error {
	rows, err := conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		into[strings.ToLower(name)] = value
	}
	return rows.Err()
}

// readInstallation reads what the database knows; nothing where it has no tables yet.
func readInstallation(ctx context.Context, db *database.DB) installation {
	known := installation{read: true}
	for name, to := range map[string]*string{"secret-key": &known.fingerprint, "installation": &known.id} {
		err := db.Reader.QueryRowContext(ctx, "SELECT value FROM settings WHERE name = ?", name).Scan(to)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return installation{}
		}
	}
	return known
}

var versions = regexp.MustCompile(`^(\d+)\.(\d+)`)

// version judges the version of the server.
func (s Subject) version(f facts, kind string) Result {
	version := f.variables["version"]
	if kind == dialect.SQLite {
		return fine("database", "SQLite "+version)
	}
	name, major, minor := "MySQL", 8, 0
	if strings.Contains(version, "MariaDB") {
		name, major, minor = "MariaDB", 10, 6
	}
	parts := versions.FindStringSubmatch(version)
	if parts == nil {
		return warning("database", "its version is "+version, "MySQL 8, MariaDB 10.6 and later are supported")
	}
	has, _ := strconv.Atoi(parts[1])
	of, _ := strconv.Atoi(parts[2])
	if has < major || has == major && of < minor {
		return failure("database", name+" "+version+" is too old", fmt.Sprintf("upgrade it to %d.%d or later", major, minor))
	}
	return fine("database", name+" "+version)
}

// schema judges which migrations are pending.
func (s Subject) schema(ctx context.Context, db *database.DB) Result {
	pending, err := migration.Pending(ctx, db)
	switch {
	case errors.Is(err, migration.ErrRestoring):
		return failure("schema", "a restore into this database did not finish",
			"run workforce restore again with the same --database and --files")
	case err != nil:
		return failure("schema", err.Error(), "run the release that this database was last used with, or a later one")
	case len(pending) == 0:
		return fine("schema", "no migration is pending")
	case s.Migrate:
		return warning("schema", fmt.Sprintf("%d migrations are pending", len(pending)),
			"serve applies them; make a backup first, and see workforce migrate plan")
	}
	return failure("schema", fmt.Sprintf("%d migrations are pending, and --no-migrate is set", len(pending)),
		"run workforce migrate up")
}

// sqlite judges a file: whether its commits are synced, and it was found whole, and is its owner's alone.
func (s Subject) sqlite(f facts) []Result {
	path := strings.TrimPrefix(s.Database, "sqlite:")
	durable := fine("durability", "commits are synced to the disk")
	if n, err := strconv.Atoi(f.variables["synchronous"]); err != nil || n < 2 || f.variables["journal_mode"] != "wal" {
		durable = failure("durability",
			"synchronous is "+f.variables["synchronous"]+", journal_mode "+f.variables["journal_mode"],
			"put the file on a local disk, where SQLite can use WAL")
	}
	if _, err := os.Stat(path + "-malformed"); err == nil {
		durable = failure("durability", "the file was found malformed",
			"stop the server, keep a copy, and restore the last backup")
	}
	private := fine("database file", path+" is for its owner alone")
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		private = warning("database file", fmt.Sprintf("%s has mode %v", path, info.Mode().Perm()), "run chmod 600 "+path)
	}
	return []Result{private, durable}
}

// isolation judges the transactions of a connection, which sets READ COMMITTED itself.
func isolation(f facts) Result {
	level := f.variables["transaction_isolation"]
	if level == "" {
		level = f.variables["tx_isolation"]
	}
	if level != "READ-COMMITTED" {
		return failure("isolation", "connections have "+level+", although each asks for READ COMMITTED",
			"see whether a proxy before the database changes or shares connections")
	}
	return fine("isolation", "READ COMMITTED")
}

// durability judges what the server loses with its power.
func durability(f facts) Result {
	var lost []string
	if v := f.variables["innodb_flush_log_at_trx_commit"]; v != "" && v != "1" {
		lost = append(lost, "innodb_flush_log_at_trx_commit is "+v)
	}
	if v := f.variables["sync_binlog"]; f.variables["log_bin"] == "ON" && v != "1" {
		lost = append(lost, "sync_binlog is "+v)
	}
	if len(lost) > 0 {
		return warning("durability", strings.Join(lost, ", ")+": a loss of power loses acknowledged events",
			"set them to 1 on the database's machine")
	}
	return fine("durability", "commits are synced to the disk")
}

// galera judges a node of a cluster.
func galera(f facts) Result {
	if f.variables["wsrep_on"] != "ON" {
		return fine("galera", "the server is no node of Galera")
	}
	size, _ := strconv.Atoi(f.status["wsrep_cluster_size"])
	found := fmt.Sprintf("a cluster of %d, this node is %s", size, f.status["wsrep_local_state_comment"])
	switch {
	case f.status["wsrep_ready"] != "ON" || f.status["wsrep_cluster_status"] != "Primary":
		return failure("galera", found+", and has no majority", "see that the other nodes run and are reached")
	case size < 3 || size%2 == 0:
		return warning("galera", found,
			"run three nodes, or five: an even number stops where one fails or the network parts them")
	}
	return fine("galera", found)
}

// clock compares the clock of this machine with the database's.
func clock(f facts, now time.Time) Result {
	ahead := now.Add(-f.trip / 2).Sub(f.at)
	found := fmt.Sprintf("this machine is %v ahead of the database", ahead.Round(time.Millisecond))
	if ahead < 0 {
		found = fmt.Sprintf("this machine is %v behind the database", (-ahead).Round(time.Millisecond))
	}
	if ahead.Abs() > clockAlarm {
		return warning("clock", found, "set up NTP on both machines; commands other than serve use this machine's clock")
	}
	return fine("clock", found)
}
