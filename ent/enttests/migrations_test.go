package enttests

import (
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	atlasmigrate "ariga.io/atlas/sql/migrate"
	atlasmysql "ariga.io/atlas/sql/mysql"
	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"

	"workforce/ent/migrate"
	"workforce/internal/database"
	"workforce/internal/migration"
	"workforce/internal/testdb"
)

// With -new=NAME, TestMigrations writes the migration that ent/schema needs.
// With -first too, it writes the whole schema as the only migration, in place
// of all that there are: right only as long as nothing is released.
var (
	newMigration   = flag.String("new", "", "name of the migration to write, as add_leave")
	firstMigration = flag.Bool("first", false, "with -new: in place of all migrations")
)

// stillWritten are tables that instances of the release before write. A migration of
// the next release drops them.
var stillWritten = []string{"rate_windows"}

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// TestMigrations fails where the migrations do not make what ent/schema says.
func TestMigrations(t *testing.T) {
	changes := map[string][]*atlasmigrate.Change{} // by dialect
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if !*firstMigration {
			if err := migration.Up(t.Context(), db); err != nil {
				t.Fatal(err)
			}
		}
		changes[db.Dialect] = unmigrated(t, db.Writer, db.Dialect)
		if *newMigration != "" {
			return
		}
		for _, c := range changes[db.Dialect] {
			t.Errorf("make migration NAME=… writes what is missing: %s", c.Cmd)
		}
	})
	if *newMigration != "" && !t.Failed() {
		writeMigration(t, changes)
	}
}

// unmigrated returns what a database needs to have the schema of ent/schema.
func unmigrated(t *testing.T, db *sql.DB, name string) []*atlasmigrate.Change {
	t.Helper()
	var plan planTaker
	m, err := schema.NewMigrate(entsql.OpenDB(name, db),
		schema.WithDir(&atlasmigrate.MemDir{}), schema.WithFormatter(&plan), schema.WithIndent("  "),
		schema.WithDropColumn(true), schema.WithDropIndex(true), schema.WithDiffHook(withEngine(name)))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.NamedDiff(t.Context(), "", migrate.Tables...); err != nil {
		t.Fatal(err)
	}
	// What runs a migration sees to SQLite's foreign keys itself.
	changes := slices.DeleteFunc(plan.changes, func(c *atlasmigrate.Change) bool {
		return strings.HasPrefix(c.Cmd, "PRAGMA foreign_keys")
	})
	return append(changes, leftTables(t, db, name)...)
}

// A planTaker keeps the changes of a plan and formats nothing.
type planTaker struct{ changes []*atlasmigrate.Change }

func (p *planTaker) Format(plan *atlasmigrate.Plan) ([]atlasmigrate.File, error) {
	p.changes = plan.Changes
	return nil, nil
}

// withEngine has MySQL's new tables name their engine.
func withEngine(name string) schema.DiffHook {
	return func(next schema.Differ) schema.Differ {
		return schema.DiffFunc(func(current, desired *atlas.Schema) ([]atlas.Change, error) {
			changes, err := next.Diff(current, desired)
			for _, c := range changes {
				if add, ok := c.(*atlas.AddTable); ok && name == dialect.MySQL {
					add.T.AddAttrs(&atlasmysql.Engine{V: atlasmysql.EngineInnoDB})
				}
			}
			return changes, err
		})
	}
}

// leftTables drops the tables that are no entity's any more, which ent does not
// look for.
func leftTables(t *testing.T, db *sql.DB, name string) []*atlasmigrate.Change {
	t.Helper()
	query := "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
	if name == dialect.SQLite {
		query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
	}
	keep := append([]string{"goose_db_version", "migration_lease"}, stillWritten...)
	for _, table := range migrate.Tables {
		keep = append(keep, table.Name)
	}
	rows, err := db.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var changes []*atlasmigrate.Change
	for rows.Next() {
		var table string
		if err := rows.Scan(&table); err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(keep, table) {
			changes = append(changes, &atlasmigrate.Change{Cmd: "DROP TABLE `" + table + "`"})
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return changes
}

// writeMigration writes one file for each dialect, even where one has nothing
// to do, so that versions mean the same on both.
func writeMigration(t *testing.T, changes map[string][]*atlasmigrate.Change) {
	t.Helper()
	folders := map[string]string{
		dialect.SQLite: "../../internal/migration/sqlite",
		dialect.MySQL:  "../../internal/migration/mysql",
	}
	switch {
	case !regexp.MustCompile(`^[a-z0-9_]+$`).MatchString(*newMigration):
		t.Fatalf("-new=%s: use lower-case letters, digits and _", *newMigration)
	case len(changes) < len(folders):
		t.Fatal("a migration needs both databases")
	case len(changes[dialect.SQLite])+len(changes[dialect.MySQL]) == 0:
		t.Fatal("there is nothing to migrate")
	}
	version := 1
	for _, folder := range folders {
		if *firstMigration {
			removeMigrations(t, folder)
		}
		version = max(version, lastVersion(t, folder)+1)
	}
	for name, folder := range folders {
		file := filepath.Join(folder, fmt.Sprintf("%05d_%s.sql", version, *newMigration))
		if err := os.WriteFile(file, []byte(gooseText(changes[name])), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func removeMigrations(t *testing.T, folder string) {
	t.Helper()
	for _, file := range migrationFiles(t, folder) {
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
}

// lastVersion returns the highest version in a folder, 0 when it is empty.
func lastVersion(t *testing.T, folder string) int {
	t.Helper()
	last := 0
	for _, file := range migrationFiles(t, folder) {
		number, _, _ := strings.Cut(filepath.Base(file), "_")
		version, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		last = max(last, version)
	}
	return last
}

func migrationFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// gooseText returns changes in goose's format. What cannot be undone has a Down
// that fails, rather than one that does half of it.
func gooseText(changes []*atlasmigrate.Change) string {
	var up, down string
	for _, c := range changes {
		up += gooseStatements("", c.Comment, c.Cmd)
	}
	for _, c := range slices.Backward(changes) {
		back, err := c.ReverseStmts()
		if err != nil || len(back) == 0 {
			down = gooseStatements("", "This cannot be undone: restore a backup.", "SELECT * FROM cannot_be_undone")
			break
		}
		down += gooseStatements("reverse: ", c.Comment, back...)
	}
	return "-- +goose Up\n" + up + "\n-- +goose Down\n" + down
}

func gooseStatements(prefix, comment string, commands ...string) string {
	s := strings.Join(commands, ";\n") + ";\n"
	if comment != "" {
		s = "-- " + prefix + comment + "\n" + s
	}
	return s
}

func TestGooseText(t *testing.T) {
	add := &atlasmigrate.Change{Cmd: "CREATE TABLE a", Comment: "create a", Reverse: "DROP TABLE a"}
	move := &atlasmigrate.Change{Cmd: "ALTER TABLE b", Reverse: []string{"ALTER 2", "ALTER 1"}}
	drop := &atlasmigrate.Change{Cmd: "DROP TABLE c"}
	tests := []struct {
		name    string
		changes []*atlasmigrate.Change
		want    string
	}{
		{"undone backwards", []*atlasmigrate.Change{add, move},
			"-- +goose Up\n-- create a\nCREATE TABLE a;\nALTER TABLE b;\n\n" +
				"-- +goose Down\nALTER 2;\nALTER 1;\n-- reverse: create a\nDROP TABLE a;\n"},
		{"not undone at all", []*atlasmigrate.Change{drop, add},
			"-- +goose Up\nDROP TABLE c;\n-- create a\nCREATE TABLE a;\n\n" +
				"-- +goose Down\n-- This cannot be undone: restore a backup.\nSELECT * FROM cannot_be_undone;\n"},
		{"nothing on this dialect", nil, "-- +goose Up\n\n-- +goose Down\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := gooseText(tt.changes); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestRemovedByTheHundred finds an index for each reference to an occurrence of a shift:
// when a plan changes, many go at once, and SQLite would read a whole table for each.
func TestRemovedByTheHundred(t *testing.T) {
	checked := 0
	for _, table := range migrate.Tables {
		for _, key := range table.ForeignKeys {
			if key.RefTable != migrate.EmployeeShiftsTable {
				continue
			}
			checked++
			column := key.Columns[0]
			indexed := column.Unique || slices.ContainsFunc(table.Indexes, func(i *schema.Index) bool { return i.Columns[0] == column })
			if !indexed {
				t.Errorf("%s: no index begins with %s", table.Name, column.Name)
			}
		}
	}
	if checked < 3 {
		t.Errorf("%d references, want at least 3", checked)
	}
}
