// Package migration brings a database to the schema that the program needs.
//
// The steps are SQL files in goose's format, a folder for each dialect, and a
// table in goose's format says which were applied. A lease row lets one of several
// instances work at a time; the others wait. Whatever stops a migration half
// way, the next run goes on where it stopped: SQLite keeps a file as a whole or
// nothing of it, and for MySQL, which commits every change of a table, the
// lease row counts the statements. So a file that was ever run anywhere keeps
// its statements; only one that the database refused may be corrected, in place.
// Statements that change rows must bear being run twice.
package migration

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"ariga.io/atlas/sql/migrate"

	"workforce/internal/database"
)

//go:embed sqlite mysql
var files embed.FS

// A Migration is one step of the schema.
type Migration struct {
	Version   int64
	Name      string    // of its file, as 00001_init.sql
	SQL       string    // what it runs
	AppliedAt time.Time // UTC; zero while pending

	statements []string // of SQL, where it is being applied
}

// Up applies the pending migrations of a database. Of instances that start at
// once one applies them; the others return once nothing is pending. Up waits as
// long as ctx lasts.
func Up(ctx context.Context, db *database.DB) error {
	s, err := open(db.Writer, db.Dialect, files)
	if err != nil {
		return err
	}
	return s.up(ctx)
}

// Status lists all migrations by version. It writes nothing.
func Status(ctx context.Context, db *database.DB) ([]Migration, error) {
	s, err := open(db.Reader, db.Dialect, files)
	if err != nil {
		return nil, err
	}
	return s.status(ctx)
}

// Pending lists the migrations that Up would apply. A schema that is newer than
// the program is an error. Pending writes nothing.
func Pending(ctx context.Context, db *database.DB) ([]Migration, error) {
	all, err := Status(ctx, db)
	return pending(all), err
}

// Plan returns the SQL that Up would run, with a comment before each file, which says too which
// accounts clash; it is empty when nothing is pending. Plan writes nothing.
func Plan(ctx context.Context, db *database.DB) (string, error) {
	todo, err := Pending(ctx, db)
	var b strings.Builder
	for _, m := range todo {
		about := ""
		if m.Version == versionKeys && todo[0].Version > 1 { // else there are no rows
			if about, err = notes(ctx, db.Reader); err != nil {
				return "", err
			}
		}
		fmt.Fprintf(&b, "-- %s\n%s%s\n", m.Name, about, m.SQL)
	}
	return b.String(), err
}

func pending(all []Migration) []Migration {
	return slices.DeleteFunc(all, func(m Migration) bool { return !m.AppliedAt.IsZero() })
}

// A schema is a database with the migrations for it.
type schema struct {
	db    *sql.DB
	known []Migration // by version; none is applied
	engine
	restoring bool // it is what marked the database
}

// open reads the migrations in the dialect's folder of fsys.
func open(db *sql.DB, dialect string, fsys fs.FS) (*schema, error) {
	e, folder := engineOf(dialect)
	if folder == "" {
		return nil, fmt.Errorf("migration: no migrations for dialect %q", dialect)
	}
	known, err := read(fsys, folder)
	if err != nil {
		return nil, fmt.Errorf("migration: %w", err)
	}
	return &schema{db: db, known: known, engine: e}, nil
}

// read returns the migrations in a folder, by version.
func read(fsys fs.FS, folder string) ([]Migration, error) {
	entries, err := fs.ReadDir(fsys, folder)
	if err != nil {
		return nil, err
	}
	var all []Migration
	for _, e := range entries {
		text, err := fs.ReadFile(fsys, folder+"/"+e.Name())
		if err != nil {
			return nil, err
		}
		m, err := parse(e.Name(), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", folder, e.Name(), err)
		}
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b Migration) int { return cmp.Compare(a.Version, b.Version) })
	for i := 1; i < len(all); i++ {
		if all[i].Version == all[i-1].Version {
			return nil, fmt.Errorf("%s: two files have version %d", folder, all[i].Version)
		}
	}
	return all, nil
}

// parse reads a file in goose's format; it reads only Up and Down.
func parse(name, text string) (Migration, error) {
	number, _, _ := strings.Cut(name, "_")
	version, err := strconv.ParseInt(number, 10, 64)
	if err != nil || version < 1 || path.Ext(name) != ".sql" {
		return Migration{}, errors.New("not named like 00001_init.sql")
	}
	head, body, ok := strings.Cut(text, "-- +goose Up\n")
	up, down, _ := strings.Cut(body, "-- +goose Down\n")
	if !ok || strings.Contains(head+up+down, "+goose") {
		return Migration{}, errors.New("not of the form: -- +goose Up, statements, -- +goose Down, statements")
	}
	return Migration{Version: version, Name: name, SQL: strings.TrimSpace(up) + "\n"}, nil
}

// split sets the statements of a migration that is to be applied. To split all of them would
// take a tenth of a start.
func (m *Migration) split() error {
	found, err := migrate.Stmts(m.SQL)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Name, err)
	}
	for _, s := range found {
		m.statements = append(m.statements, s.Text)
	}
	return nil
}

// status lists all migrations by version. A version in the database that the
// program does not know is an error.
func (s *schema) status(ctx context.Context) ([]Migration, error) {
	applied, err := s.applied(ctx)
	if err != nil {
		return nil, fmt.Errorf("migration: %w", err)
	}
	all := slices.Clone(s.known)
	for i, m := range all {
		all[i].AppliedAt = applied[m.Version]
		delete(applied, m.Version)
	}
	for version := range applied {
		return nil, fmt.Errorf("migration: the database has migration %d, which this program does not know: use a newer one", version)
	}
	return all, nil
}

// applied returns when each version was applied.
func (s *schema) applied(ctx context.Context) (map[int64]time.Time, error) {
	if marked, err := s.marked(ctx); err != nil || marked && !s.restoring {
		return nil, cmp.Or(err, ErrRestoring)
	}
	var made int
	if err := s.db.QueryRowContext(ctx, s.madeQuery, versionTable).Scan(&made); err != nil || made == 0 {
		return nil, err
	}
	rows, err := s.db.QueryContext(ctx, "SELECT version_id, tstamp FROM "+versionTable+" WHERE version_id > 0 AND is_applied")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	at := map[int64]time.Time{}
	for rows.Next() {
		var version int64
		var t time.Time
		if err := rows.Scan(&version, &t); err != nil {
			return nil, err
		}
		at[version] = t.UTC()
	}
	return at, rows.Err()
}
