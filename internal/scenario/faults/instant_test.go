package faults

import (
	"context"
	"database/sql"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"workforce/internal/backup"
	"workforce/internal/blob"
	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/sealed"
	"workforce/internal/testdb"
)

// An instant is the state of a database that a backup has: all its rows, by table.
type instant map[string][]string

// backUp writes all.backup in the folder of a world, and reads the rows of the same instant: nobody
// writes from when one of both begins to read until the other has.
func (w *world) backUp(t *testing.T, source string) instant {
	t.Helper()
	open := func() *database.DB {
		db, err := database.Open(source, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return db
	}
	own, db := open(), open()
	db.Reader.SetMaxOpenConns(1)
	taken, err := db.Reader.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	fixed, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- w.writeBackup(t.Context(), db, sync.OnceFunc(func() { close(fixed) })) }()
	for deadline := time.Now().Add(limit); db.Reader.Stats().WaitCount == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the backup does not begin to read")
		}
	}
	unlock := lock(t, own)
	read, err := own.Reader.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Rollback() }()
	harness.Column(t, read, "SELECT name FROM settings")
	taken.Close()
	select {
	case <-fixed:
	case err := <-done:
		t.Fatal("the backup ended: ", err)
	}
	unlock()
	rows := harness.Rows(t, read, own.Dialect)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return rows
}

// writeBackup writes all.backup, and calls fixed once it has begun to read.
func (w *world) writeBackup(ctx context.Context, db *database.DB, fixed func()) error {
	keys, err := sealed.Load(w.keyFile())
	if err != nil {
		return err
	}
	store, err := blob.Open(ctx, "file:"+filepath.Join(w.folder, "data/files"), blob.Config{Now: time.Now})
	if err != nil {
		return err
	}
	to, err := os.Create(filepath.Join(w.folder, "all.backup"))
	if err != nil {
		return err
	}
	defer to.Close()
	now := func() time.Time { fixed(); return time.Now() }
	_, err = backup.Write(ctx, to, backup.Source{DB: db, Objects: store, Key: keys[0], Now: now, Program: "test"})
	return err
}

// lock has everybody who writes wait until unlock.
func lock(t *testing.T, db *database.DB) (unlock func()) {
	t.Helper()
	conn, err := db.Writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "BEGIN IMMEDIATE", "ROLLBACK"
	if db.Dialect == dialect.MySQL {
		begin, end = "FLUSH TABLES WITH READ LOCK", "UNLOCK TABLES"
	}
	if _, err := conn.ExecContext(t.Context(), begin); err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := conn.ExecContext(t.Context(), end); err != nil {
			t.Error(err)
		}
		conn.Close()
	}
}

// left are the tables whose rows are of the work of instances, which no backup has.
var left = []string{
	"goose_db_version", "migration_lease", "login_throttles", "rate_logs", "setup_links", "recovery_links",
	"object_holds", "instances", "widget_tokens", "certificates",
}

// running are the columns of a job that say who runs it.
var running = regexp.MustCompile(`(lease_owner|lease_until|state):\S+( \S+ \+0000 UTC)?`)

// check compares a database that keeps sessions and goes on with jobs and messages with the instant.
func (i instant) check(t *testing.T, url string) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	got, compared := harness.Rows(t, db.Reader, db.Dialect), 0
	for table, want := range i {
		switch {
		case slices.Contains(left, table):
			continue
		case table == "settings": // the new installation has an id of its own
			continue
		case table == "audit_events": // the restore is one more of each company
			got[table] = slices.DeleteFunc(got[table], func(row string) bool {
				return strings.Contains(row, "company.restored")
			})
		case table == "idempotency_claims":
			want = slices.DeleteFunc(want, func(row string) bool { return strings.Contains(row, " outcome:NULL ") })
		case table == "jobs":
			for _, rows := range [][]string{want, got[table]} {
				for i, row := range rows {
					rows[i] = running.ReplaceAllString(row, "")
				}
				slices.Sort(rows)
			}
		}
		compared += len(want)
		if !slices.Equal(got[table], want) {
			t.Errorf("%s: %s", table, harness.Difference(got[table], want))
		}
	}
	t.Logf("%d rows are those of the instant", compared)
}

// TestMoveUnderFullLoad backs an installation up under clock events, tickets, timers, leave, reports and
// pictures, and restores it into both kinds of database: all rows and files are those of the instant.
func TestMoveUnderFullLoad(t *testing.T) {
	if *long == 0 {
		t.Skip("for make faults, which has the time")
	}
	binary := harness.Build(t)
	testdb.Each(t, func(t *testing.T, source string) {
		w := newWorld(t, binary, source)
		w.startAll(t)
		s := w.share(t)
		s.urls = []string{s.urls[0], s.urls[0]}
		painter := newPerson("manager@demo.test")
		w.signIn(t, painter, "painter")
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var running sync.WaitGroup
		running.Go(func() { s.run(ctx) })
		var pictures atomic.Int64
		running.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				shade := color.RGBA{byte(n), byte(n >> 8), 90, 255}
				body, kind := harness.Upload(t, `mutation($input:SetAvatarInput!){setAvatar(input:$input){id}}`,
					map[string]any{"input": map[string]any{"image": nil}}, "input.image", harness.Picture(t, 64, 64, shade))
				if a := painter.ask(s.urls[0], "POST", "/graphql", body,
					map[string]string{"Content-Type": kind}); a.acknowledged() {
					pictures.Add(1)
				}
			}
		})
		time.Sleep(max(5*time.Second, *long/20))
		before := s.acknowledged()
		then := w.backUp(t, source)
		time.Sleep(2 * time.Second)
		stop()
		running.Wait()
		w.servers[0].kill()
		if pictures.Load() == 0 {
			t.Error("there are no pictures")
		}
		t.Logf("acknowledged %s, %d pictures", s.counts(), pictures.Load())

		for kind, empty := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
			t.Run("into "+kind, func(t *testing.T) {
				target := empty(t)
				w.must(t, "restore", "all.backup", "--database="+target, "--files=file:"+kind,
					"--secret-key-file="+w.keyFile(), "--keep-sessions", "--resume")
				then.check(t, target)
				w.checkMoved(t, target, kind, before)
			})
		}
	})
}

// checkMoved looks for what was acknowledged before, and for the files, byte by byte.
func (w *world) checkMoved(t *testing.T, target, folder string, before map[string][]string) {
	t.Helper()
	for kind, query := range map[string]string{
		"ticket": "SELECT CONCAT(number, ' ', subject) FROM tickets WHERE subject LIKE 'shared %'",
		"timer":  "SELECT id FROM time_entries", "leave": "SELECT id FROM leaves WHERE reason = 'shared'",
		"report": "SELECT id FROM reports",
	} {
		rows := texts(t, target, query)
		if lost := without(before[kind], rows); len(before[kind]) == 0 || len(lost) > 0 {
			t.Errorf("%s: of %d acknowledged before the backup, it has not %v", kind, len(before[kind]), lost)
		}
	}
	files := texts(t, target, "SELECT name FROM files WHERE digest IS NOT NULL AND pending_since IS NULL")
	for _, name := range files {
		got, err := os.ReadFile(filepath.Join(w.folder, folder, name))
		if err != nil {
			t.Error(err)
			continue
		}
		want, err := os.ReadFile(filepath.Join(w.folder, "data/files", name))
		if err != nil && !os.IsNotExist(err) { // replaced since
			t.Error(err)
		} else if err == nil && string(got) != string(want) {
			t.Errorf("%s: other bytes", name)
		}
	}
	if len(files) == 0 {
		t.Error("there are no files")
	}
}
