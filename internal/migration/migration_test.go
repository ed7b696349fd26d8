package migration

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"ariga.io/atlas/sql/migrate"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// pool opens the database of a URL, as one instance would.
func pool(t *testing.T, url string) *database.DB {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// instance opens the database of a URL with the migrations of fsys.
func instance(t *testing.T, url string, fsys fs.FS) *schema {
	t.Helper()
	db := pool(t, url)
	s, err := open(db.Writer, db.Dialect, fsys)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// numbered returns migrations 1, 2, … of both dialects.
func numbered(up ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i, statements := range up {
		for _, folder := range []string{"sqlite", "mysql"} {
			fsys[fmt.Sprintf("%s/%05d_step.sql", folder, i+1)] = &fstest.MapFile{
				Data: []byte("-- +goose Up\n" + statements + "\n\n-- +goose Down\nno;\n")}
		}
	}
	return fsys
}

func exec(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// number returns the one number that a query answers.
func number(t *testing.T, db *sql.DB, query string) int {
	t.Helper()
	var n int
	if err := db.QueryRow(query).Scan(&n); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

// settings asks every idle connection of a pool for one of its settings.
func settings(t *testing.T, db *sql.DB, query string) []int {
	t.Helper()
	answers := make([]int, db.Stats().Idle)
	if len(answers) == 0 {
		t.Error("no idle connection")
	}
	for i := range answers {
		c, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.QueryRowContext(t.Context(), query).Scan(&answers[i]); err != nil {
			t.Fatal(err)
		}
	}
	return answers
}

func fails(t *testing.T, err error, with string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), with) {
		t.Fatalf("got %v, want an error with %q", err, with)
	}
}

// TestLifecycle takes the program's own migrations from an empty database to
// the last one.
func TestLifecycle(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := pool(t, url)
		ctx := t.Context()
		before, err := Pending(ctx, db)
		if err != nil || len(before) == 0 || before[0].Name != "00001_init.sql" || before[0].Version != 1 {
			t.Fatalf("pending = %v, %v", before, err)
		}
		plan, err := Plan(ctx, db)
		if err != nil || !strings.HasPrefix(plan, "-- 00001_init.sql\n") || !strings.Contains(plan, "CREATE TABLE `users`") {
			t.Errorf("plan = %.99s…, %v", plan, err)
		}
		start := time.Now().Add(-time.Second).Truncate(time.Second)
		for range 2 {
			if err := Up(ctx, db); err != nil {
				t.Fatal(err)
			}
		}
		all, err := Status(ctx, db)
		if err != nil || len(all) != len(before) {
			t.Fatalf("status = %v, %v", all, err)
		}
		for _, m := range all {
			if m.AppliedAt.Before(start) || m.AppliedAt.After(time.Now()) || m.AppliedAt.Location() != time.UTC {
				t.Errorf("%s applied at %v, want now, in UTC", m.Name, m.AppliedAt)
			}
		}
		if rows := number(t, db.Writer, "SELECT COUNT(*) FROM goose_db_version"); rows != 1+len(all) {
			t.Errorf("%d versions, want %d", rows, 1+len(all))
		}
		if plan, err := Plan(ctx, db); plan != "" || err != nil {
			t.Errorf("plan = %q, %v", plan, err)
		}
	})
}

// TestDown undoes the first migration, and the last, with the second part of its file.
func TestDown(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, files)
		all := s.known
		for _, n := range []int{1, len(all)} {
			s.known = all[:n]
			if err := s.up(t.Context()); err != nil {
				t.Fatal(err)
			}
			of := s.known[n-1]
			kind, _, _ := strings.Cut(url, ":")
			file, err := files.ReadFile(kind + "/" + of.Name) // the folders are named as the URLs begin
			if err != nil {
				t.Fatal(err)
			}
			_, down, _ := strings.Cut(string(file), "-- +goose Down\n")
			statements, err := migrate.Stmts(down)
			if err != nil || len(statements) == 0 {
				t.Fatalf("%d statements, %v", len(statements), err)
			}
			for _, statement := range statements {
				exec(t, s.db, statement.Text)
			}
			exec(t, s.db, fmt.Sprintf("DELETE FROM goose_db_version WHERE version_id = %d", of.Version))
			if left := number(t, s.db, strings.ReplaceAll(s.madeQuery, "?", "'users'")); left != 0 && n == 1 {
				t.Error("users is still there")
			}
			if err := s.up(t.Context()); err != nil {
				t.Fatalf("up again: %v", err)
			}
			number(t, s.db, "SELECT COUNT(*) FROM users")
		}
	})
}

// TestDatabaseOfGoose finds the first of two migrations applied by goose, which
// earlier releases used, and applies the second alone.
func TestDatabaseOfGoose(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tables := map[string]string{
		"sqlite3": `CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL,
			is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now')))`,
		"mysql": `CREATE TABLE goose_db_version (id serial NOT NULL, version_id bigint NOT NULL,
			is_applied boolean NOT NULL, tstamp timestamp NULL default now(), PRIMARY KEY (id))`,
	}
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, numbered("no;", "CREATE TABLE b (id INT PRIMARY KEY);"))
		exec(t, s.db, tables[pool(t, url).Dialect])
		exec(t, s.db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (0, 1)")
		exec(t, s.db, "INSERT INTO goose_db_version (version_id, is_applied, tstamp) VALUES (1, 1, '2026-01-02 03:04:05')")
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		all, err := s.status(t.Context())
		if err != nil || len(all) != 2 || !all[0].AppliedAt.Equal(at) || all[1].AppliedAt.IsZero() {
			t.Errorf("status = %v, %v, want the first at %v and the second now", all, err, at)
		}
	})
}

func TestReadingWritesNothing(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, numbered("CREATE TABLE a (id INT PRIMARY KEY);"))
		if _, err := s.status(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{versionTable, "migration_lease", "a"} {
			if made := number(t, s.db, strings.ReplaceAll(s.madeQuery, "?", "'"+table+"'")); made != 0 {
				t.Errorf("made %s", table)
			}
		}
	})
}

// TestTables holds for the tables of a server whose defaults are others.
func TestTables(t *testing.T) {
	db := pool(t, testdb.MySQL(t))
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if odd := number(t, db.Writer, `SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()
		AND NOT (table_collation = 'utf8mb4_bin' AND engine = 'InnoDB')`); odd != 0 {
		t.Errorf("%d tables are not InnoDB with utf8mb4_bin", odd)
	}
	if odd := number(t, db.Writer, `SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE()
		AND collation_name IS NOT NULL AND collation_name <> 'utf8mb4_bin'`); odd != 0 {
		t.Errorf("%d columns are not utf8mb4_bin", odd)
	}
	if odd := number(t, db.Writer, `SELECT COUNT(*) FROM information_schema.referential_constraints
		WHERE constraint_schema = DATABASE() AND delete_rule NOT IN ('NO ACTION', 'RESTRICT')`); odd != 0 {
		t.Errorf("%d foreign keys change rows", odd)
	}
}

// TestManyAtOnce starts four instances on an empty database. The second
// migration leaves a row each time it runs.
func TestManyAtOnce(t *testing.T) {
	fsys := numbered(
		"CREATE TABLE a (n INT NOT NULL);\nCREATE TABLE b (n INT NOT NULL);",
		"INSERT INTO a VALUES (1);",
		"ALTER TABLE b ADD COLUMN m INT NULL;")
	testdb.Each(t, func(t *testing.T, url string) {
		var all sync.WaitGroup
		for range 4 {
			s := instance(t, url, fsys)
			all.Go(func() {
				if err := s.up(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		db := pool(t, url)
		if rows := number(t, db.Writer, "SELECT COUNT(*) FROM a"); rows != 1 {
			t.Errorf("ran %d times, want once", rows)
		}
		if free := number(t, db.Writer, "SELECT COUNT(*) FROM migration_lease WHERE holder = '' AND version = 0"); free != 1 {
			t.Error("the lease was not given back")
		}
	})
}

// held makes the bookkeeping's tables, and another instance hold the lease for
// some seconds more.
func held(t *testing.T, s *schema, seconds int, p progress) {
	t.Helper()
	for _, statement := range s.tables {
		exec(t, s.db, statement)
	}
	exec(t, s.db, fmt.Sprintf("UPDATE migration_lease SET holder = 'other', expires_at = %s + %d, version = %d, begun = %d, done = %d",
		s.now, seconds, p.version, p.begun, p.done))
}

func TestDeadHolder(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, numbered("CREATE TABLE a (id INT PRIMARY KEY);"))
		held(t, s, 2, progress{})
		start := time.Now()
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(start); waited < time.Second {
			t.Errorf("took a lease over that had %v to go", 2*time.Second-waited)
		}
		number(t, s.db, "SELECT COUNT(*) FROM a")
	})
}

func TestLiveHolder(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, numbered("CREATE TABLE a (id INT PRIMARY KEY);"))
		held(t, s, 3600, progress{})
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		if err := s.up(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the deadline", err)
		}
		exec(t, s.db, "INSERT INTO goose_db_version (version_id, is_applied) VALUES (1, 1)")
		if err := s.up(t.Context()); err != nil {
			t.Errorf("nothing to do, yet %v", err)
		}
	})
}

// TestLostLease has another instance take the lease while a migration runs.
func TestLostLease(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, numbered("CREATE TABLE a (id INT PRIMARY KEY);\nCREATE TABLE b (id INT PRIMARY KEY);"))
		held(t, s, -1, progress{})
		l := newLease(s.db, s.now)
		if ok, err := l.claim(t.Context()); !ok {
			t.Fatalf("claim = %v, %v", ok, err)
		}
		if err := l.renew(t.Context(), s.db); err != nil {
			t.Fatal(err)
		}
		if err := l.renew(t.Context(), s.db); err != nil {
			t.Errorf("renewed within a second: %v", err)
		}
		if ok, err := newLease(s.db, s.now).claim(t.Context()); ok || err != nil {
			t.Errorf("second claim = %v, %v", ok, err)
		}
		held(t, s, 3600, progress{})
		if err := l.hold(t.Context(), s.run); !errors.Is(err, errLost) {
			t.Errorf("got %v, want %v", err, errLost)
		}
		if made := number(t, s.db, strings.ReplaceAll(s.madeQuery, "?", "'a'")); made != 0 {
			t.Error("worked without the lease")
		}
		if other := number(t, s.db, "SELECT COUNT(*) FROM migration_lease WHERE holder = 'other'"); other != 1 {
			t.Error("gave back a lease that was another's")
		}
	})
}

// TestRefusedStatement corrects the second of three statements.
func TestRefusedStatement(t *testing.T) {
	const create = "CREATE TABLE a (n INT NOT NULL);\n"
	const last = "CREATE TABLE b (n INT NOT NULL);"
	testdb.Each(t, func(t *testing.T, url string) {
		wrong := instance(t, url, numbered(create+"INSERT INTO a VALUES (NULL);\n"+last))
		for range 2 {
			fails(t, wrong.up(t.Context()), "00001_step.sql, statement 2: ")
		}
		if todo, err := wrong.status(t.Context()); err != nil || len(pending(todo)) != 1 {
			t.Fatalf("status = %v, %v", todo, err)
		}
		right := instance(t, url, numbered(create+"INSERT INTO a VALUES (1);\n"+last))
		if err := right.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		if rows := number(t, right.db, "SELECT (SELECT COUNT(*) FROM a) + (SELECT COUNT(*) FROM b)"); rows != 1 {
			t.Errorf("%d rows, want 1", rows)
		}
	})
}

// TestDiedHalfWay goes on after an instance that died on MySQL while a
// statement ran, of which nobody knows whether it was kept.
func TestDiedHalfWay(t *testing.T) {
	const file = `
		CREATE TABLE a (id INT PRIMARY KEY, n INT);
		CREATE TABLE b (id INT PRIMARY KEY, a INT);
		ALTER TABLE b ADD CONSTRAINT b_a FOREIGN KEY (a) REFERENCES a (id);
		ALTER TABLE a ADD COLUMN m INT NULL;
		CREATE INDEX a_n ON a (n);
		ALTER TABLE a DROP COLUMN n;
		DROP TABLE b;`
	parsed, err := parse("1_x.sql", "-- +goose Up\n"+file)
	if err := errors.Join(err, parsed.split()); err != nil {
		t.Fatal(err)
	}
	for done := range parsed.statements {
		for _, kept := range []bool{true, false} {
			t.Run(fmt.Sprintf("%d kept %v", done+1, kept), func(t *testing.T) {
				s := instance(t, testdb.MySQL(t), numbered(file))
				ran := parsed.statements[:done]
				if kept {
					ran = parsed.statements[:done+1]
				}
				for _, statement := range ran {
					exec(t, s.db, statement)
				}
				held(t, s, -1, progress{1, done + 1, done})
				if err := s.up(t.Context()); err != nil {
					t.Fatal(err)
				}
				number(t, s.db, "SELECT COUNT(m) FROM a")
			})
		}
	}
}

// TestInterrupted ends the program's own migrations again and again, each time
// after a little longer.
func TestInterrupted(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := pool(t, url)
		err, runs := errors.New("not yet run"), 0
		for wait := 5 * time.Millisecond; err != nil; wait += wait / 4 {
			deadline := time.Now().Add(wait)
			ctx, cancel := context.WithDeadline(t.Context(), deadline)
			err = Up(ctx, db)
			if err != nil && time.Now().Before(deadline) { // ctx itself may be told a moment later
				t.Fatalf("run %d: %v", runs, err)
			}
			cancel()
			runs++
		}
		whole := pool(t, sibling(t, url))
		if err := Up(t.Context(), whole); err != nil {
			t.Fatal(err)
		}
		if got, want := parts(t, db.Writer, db.Dialect), parts(t, whole.Writer, db.Dialect); got != want {
			t.Errorf("%d columns, indexes and foreign keys, want %d", got, want)
		}
		t.Logf("%d runs", runs)
	})
}

// sibling returns the URL of another empty database of the same kind.
func sibling(t *testing.T, url string) string {
	if strings.HasPrefix(url, "sqlite:") {
		return testdb.SQLite(t)
	}
	return testdb.MySQL(t)
}

// parts counts what a schema is made of.
func parts(t *testing.T, db *sql.DB, dialect string) int {
	t.Helper()
	if dialect == "sqlite3" {
		return number(t, db, "SELECT COUNT(*) FROM sqlite_master")
	}
	return number(t, db, `SELECT (SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE())
		+ (SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = DATABASE())
		+ (SELECT COUNT(*) FROM information_schema.referential_constraints WHERE constraint_schema = DATABASE())`)
}

// TestForeignTable has a table in the way that no migration made: it may not
// pass for one that a dead instance made.
func TestForeignTable(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, numbered("CREATE TABLE a (id INT PRIMARY KEY);"))
		exec(t, s.db, "CREATE TABLE a (other INT)")
		for range 2 {
			fails(t, s.up(t.Context()), "exist already: a. ")
		}
	})
}

// TestRestoredOver migrates a database that an older backup was restored over: a table of a later
// migration is there. Nothing is changed, and the error says what to do.
func TestRestoredOver(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		steps := []string{
			"CREATE TABLE a (id INT PRIMARY KEY);", "CREATE TABLE d (id INT PRIMARY KEY);",
			"CREATE TABLE b (id INT PRIMARY KEY);\nCREATE TABLE `c` (id INT PRIMARY KEY);",
		}
		if err := instance(t, url, numbered(steps[0])).up(t.Context()); err != nil {
			t.Fatal(err)
		}
		s := instance(t, url, numbered(steps...))
		exec(t, s.db, "CREATE TABLE b (id INT PRIMARY KEY)")
		exec(t, s.db, "CREATE TABLE c (id INT PRIMARY KEY)")
		for range 2 {
			fails(t, s.up(t.Context()), "tables that pending migrations make exist already: b, c. An older backup was probably "+
				"restored over a newer schema. Nothing was changed: restore the backup into an empty database")
		}
		if n := number(t, s.db, strings.ReplaceAll(s.madeQuery, "?", "'d'")); n != 0 {
			t.Error("the migration before was applied")
		}
		s.known = instance(t, url, files).known // with comments, as the program's own are
		exec(t, s.db, "CREATE TABLE tickets (id INT PRIMARY KEY)")
		fails(t, s.up(t.Context()), "exist already: tickets. ")
	})
}

// TestCompanyLogo gives companies without a logo the picture of one, and keeps the others'.
func TestCompanyLogo(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, files)
		all := s.known
		s.known = slices.DeleteFunc(slices.Clone(all), func(m Migration) bool { return m.Version >= 30 })
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, logo := range []string{"images/avatar.png", "https://acme.test/logo.png"} {
			exec(t, s.db, fmt.Sprintf("INSERT INTO companies (id, name, logo, timezone, created_at) "+
				"VALUES (%d, 'Acme', '%s', 'UTC', '2026-01-01')", i+1, logo))
		}
		s.known = all
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"images/company.png", "https://acme.test/logo.png"} {
			var got string
			err := s.db.QueryRow(fmt.Sprintf("SELECT logo FROM companies WHERE id = %d", i+1)).Scan(&got)
			if err != nil || got != want {
				t.Errorf("company %d: %q, %v, want %q", i+1, got, err, want)
			}
		}
	})
}

// TestRolesOfDevelopers takes developer.write from the roles that no owner gave it.
func TestRolesOfDevelopers(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, files)
		all := s.known
		s.known = slices.DeleteFunc(slices.Clone(all), func(m Migration) bool { return m.Version >= 36 })
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		exec(t, s.db, "INSERT INTO companies (id, name, logo, timezone, created_at) "+
			"VALUES (1, 'Acme', 'x', 'UTC', '2026-01-01')")
		exec(t, s.db, "INSERT INTO roles (id, company_id, name, sort_name, builtin) VALUES (1, 1, 'owner', 'owner', 'owner')")
		for _, name := range []string{"1", "2"} { // the first is an owner
			exec(t, s.db, "INSERT INTO users (id, company_id, name, sort_name, email, email_key, mobile_number, created_at) "+
				"VALUES ("+name+", 1, 'x', 'x', '"+name+"', '"+name+"', '', '2026-01-01')")
		}
		exec(t, s.db, "INSERT INTO user_roles (company_id, user_id, role_id) VALUES (1, 1, 1)")
		tests := []struct{ permissions, actor, want string }{
			{`["developer.write.all"]`, "1", `["developer.write.all"]`},
			{`["developer.write.all"]`, "2", `[]`},
			{`["developer.write.all"]`, "NULL", `[]`},
			{`["developer.read.all","developer.write.all","task.read.own"]`, "2", `["developer.read.all","task.read.own"]`},
			{`["developer.write.all","task.read.own"]`, "2", `["task.read.own"]`},
			{`["audit.read.all","developer.write.own","developer.write.team"]`, "2", `["audit.read.all"]`},
			{`["task.read.own"]`, "2", `["task.read.own"]`},
		}
		for i, test := range tests {
			exec(t, s.db, fmt.Sprintf("INSERT INTO roles (id, company_id, name, sort_name, custom_permissions) "+
				"VALUES (%d, 1, '%[1]d', '%[1]d', '%[2]s')",
				i+10, test.permissions))
			exec(t, s.db, fmt.Sprintf("INSERT INTO audit_events "+
				"(company_id, action, subject_type, subject_id, at, address, request_id, actor_id, after) "+
				"VALUES (1, 'role.created', 'Role', %d, '2026-01-01', '', '', %s, '{\"custom_permissions\":%s}')",
				i+10, test.actor, test.permissions))
		}
		s.known = all
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i, test := range tests {
			var got string
			err := s.db.QueryRow(fmt.Sprintf("SELECT custom_permissions FROM roles WHERE id = %d", i+10)).Scan(&got)
			if err != nil || got != test.want {
				t.Errorf("%s by %s: %s, %v, want %s", test.permissions, test.actor, got, err, test.want)
			}
		}
	})
}

// TestKilledBeforeBookkeeping finds a migration whose statements all ran but
// whose version was not recorded.
func TestKilledBeforeBookkeeping(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, numbered("CREATE TABLE a (id INT PRIMARY KEY);"))
		exec(t, s.db, "CREATE TABLE a (id INT PRIMARY KEY)")
		held(t, s, -1, progress{1, 1, 1})
		if err := s.up(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

// TestRebuiltTable changes a table of SQLite in the only way there is, while
// other rows refer to its.
func TestRebuiltTable(t *testing.T) {
	const make = `CREATE TABLE a (id INT PRIMARY KEY);
		CREATE TABLE b (a INT REFERENCES a (id));
		INSERT INTO a VALUES (1);
		INSERT INTO b VALUES (1);`
	const rebuild = `CREATE TABLE new_a (id INT PRIMARY KEY, n INT);
		INSERT INTO new_a SELECT id, NULL FROM a%s;
		DROP TABLE a;
		ALTER TABLE new_a RENAME TO a;`
	url := testdb.SQLite(t)
	fails(t, instance(t, url, numbered(make, fmt.Sprintf(rebuild, " WHERE id > 1"))).up(t.Context()),
		"a row of b refers to a row of a that does not exist")
	s := instance(t, url, numbered(make, fmt.Sprintf(rebuild, "")))
	if err := s.up(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, on := range settings(t, s.db, "PRAGMA foreign_keys") {
		if on != 1 {
			t.Error("a connection was left without foreign keys")
		}
	}
}

// TestBusyTable has a transaction in the way of a change, which must wait
// without keeping its lock for ever, and not change the settings of others.
func TestBusyTable(t *testing.T) {
	s := instance(t, testdb.MySQL(t), numbered("ALTER TABLE a ADD COLUMN m INT NULL;"))
	exec(t, s.db, "CREATE TABLE a (n INT) ENGINE InnoDB")
	tx, err := s.db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.Exec("INSERT INTO a VALUES (1)"); err != nil {
		t.Fatal(err)
	}
	free := time.AfterFunc(2500*time.Millisecond, func() { tx.Commit() })
	defer free.Stop()
	start := time.Now()
	if err := s.up(t.Context()); err != nil {
		t.Fatal(err)
	}
	if waited := time.Since(start); waited < lockWait*time.Second {
		t.Errorf("waited %v", waited)
	}
	for _, wait := range settings(t, s.db, "SELECT @@lock_wait_timeout") {
		if wait == lockWait {
			t.Error("a connection was left with the migration's lock_wait_timeout")
		}
	}
}

func TestNewerSchema(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		first, second := "CREATE TABLE a (id INT PRIMARY KEY);", "CREATE TABLE b (id INT PRIMARY KEY);"
		if err := instance(t, url, numbered(first, second)).up(t.Context()); err != nil {
			t.Fatal(err)
		}
		old := instance(t, url, numbered(first))
		_, err := old.status(t.Context())
		fails(t, err, "migration 2, which this program does not know")
		fails(t, old.up(t.Context()), "migration 2, which this program does not know")
	})
}

// TestMissedMigration refuses to apply a migration below one that was applied.
func TestMissedMigration(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		fsys := numbered("CREATE TABLE a (id INT PRIMARY KEY);", "CREATE TABLE b (id INT PRIMARY KEY);")
		late := fstest.MapFS{}
		for name, file := range fsys {
			if strings.Contains(name, "00002") {
				late[name] = file
			}
		}
		if err := instance(t, url, late).up(t.Context()); err != nil {
			t.Fatal(err)
		}
		fails(t, instance(t, url, fsys).up(t.Context()), "missing (out-of-order) migration")
	})
}

func TestCancelled(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := instance(t, url, numbered("CREATE TABLE a (id INT PRIMARY KEY);"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := s.up(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, file, text string
		want             []string // nil means refused
	}{
		{"two statements", "00012_a.sql", "-- +goose Up\n-- why\nCREATE TABLE a (\n  b TEXT DEFAULT ';'\n);\nDROP TABLE c;\n\n-- +goose Down\nDROP TABLE a;\n",
			[]string{"CREATE TABLE a (\n  b TEXT DEFAULT ';'\n);", "DROP TABLE c;"}},
		{"nothing to do", "00012_a.sql", "-- +goose Up\n\n-- +goose Down\n", []string{}},
		{"no Down", "00012_a.sql", "-- +goose Up\nDROP TABLE c;\n", []string{"DROP TABLE c;"}},
		{"no Up", "00012_a.sql", "DROP TABLE c;\n", nil},
		{"Down first", "00012_a.sql", "-- +goose Down\nDROP TABLE c;\n-- +goose Up\n", nil},
		{"outside a transaction", "00012_a.sql", "-- +goose NO TRANSACTION\n-- +goose Up\nDROP TABLE c;\n", nil},
		{"no number", "a.sql", "-- +goose Up\nDROP TABLE c;\n", nil},
		{"no SQL file", "00012_a.txt", "-- +goose Up\nDROP TABLE c;\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, err := parse(tt.file, tt.text)
			if tt.want == nil {
				if err == nil {
					t.Errorf("took %q", m.SQL)
				}
				return
			}
			if err = errors.Join(err, m.split()); err != nil || m.Version != 12 || m.Name != tt.file || !slices.Equal(m.statements, tt.want) {
				t.Errorf("got %d %q %q, %v, want %q", m.Version, m.Name, m.statements, err, tt.want)
			}
		})
	}
}

func TestOpen(t *testing.T) {
	step := &fstest.MapFile{Data: []byte("-- +goose Up\nDROP TABLE c;\n")}
	tests := []struct {
		name, dialect string
		fsys          fstest.MapFS
		want          string
	}{
		{"unknown dialect", "postgres", nil, `no migrations for dialect "postgres"`},
		{"no folder", "mysql", fstest.MapFS{"sqlite/1_a.sql": step}, "mysql"},
		{"one version twice", "mysql", fstest.MapFS{"mysql/1_a.sql": step, "mysql/00001_b.sql": step}, "two files have version 1"},
		{"bad file", "sqlite3", fstest.MapFS{"sqlite/1_a.sql": {Data: []byte("DROP")}}, "sqlite/1_a.sql: not of the form"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := open(nil, tt.dialect, tt.fsys)
			fails(t, err, tt.want)
		})
	}
}

// TestSameVersions keeps the dialects in step.
func TestSameVersions(t *testing.T) {
	var names [2][]string
	for i, folder := range []string{"sqlite", "mysql"} {
		all, err := read(files, folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			names[i] = append(names[i], m.Name)
		}
	}
	if !slices.Equal(names[0], names[1]) {
		t.Errorf("sqlite has %q, mysql %q", names[0], names[1])
	}
}
