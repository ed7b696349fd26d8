package backup

import (
	"bytes"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"workforce/ent/job"
	"workforce/internal/backup"
	"workforce/internal/scenario/harness"
	"workforce/internal/sealed"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestScheduled has the server write backups, keep the newest two, and tell owners of the last.
func TestScheduled(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		folder := t.TempDir()
		foreign := filepath.Join(folder, "workforce-ffffffff-20200101T000000Z.tar.zst")
		if err := os.WriteFile(foreign, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s := harness.New(t, database, func(c *server.Config) {
			c.BackupTo, c.BackupEvery, c.BackupKeep = folder, 24*time.Hour, 2
		})
		var made []string
		for day := range 4 {
			if day > 0 {
				s.Clock.Advance(24 * time.Hour)
			}
			stamp := s.Clock.Now().UTC().Format("20060102T150405Z")
			made = append(made, awaitFile(t, folder, stamp))
			awaitNext(t, s)
		}
		tellsLast(t, s)
		left := names(t, folder)
		want := slices.Concat([]string{filepath.Base(foreign)}, made[2:])
		slices.Sort(want)
		if !slices.Equal(left, want) {
			t.Errorf("files %q, want %q", left, want)
		}
		f, err := os.Open(filepath.Join(folder, made[3]))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if info, err := f.Stat(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
		keys, err := sealed.Load(harness.KeyFile(t, database))
		if err != nil {
			t.Fatal(err)
		}
		m, err := backup.Verify(f, backup.Keyring{Keys: keys})
		if err != nil || m.Rows() == 0 {
			t.Errorf("%d rows, %v", m.Rows(), err)
		}
	})
}

func names(t *testing.T, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// awaitFile waits for the backup of an instant, and returns its name.
func awaitFile(t *testing.T, folder, stamp string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		for _, name := range names(t, folder) {
			if strings.HasSuffix(name, stamp+".tar.zst") {
				return name
			}
		}
	}
	t.Fatalf("no backup of %s; there are %q", stamp, names(t, folder))
	return ""
}

// awaitNext waits until the job waits for its next time.
func awaitNext(t *testing.T, s *harness.Server) {
	t.Helper()
	next := s.Store.Ent.Job.Query().Where(job.Name("backup"), job.StateEQ(job.StateQueued), job.RunAtGT(s.Clock.Now()))
	ctx, deadline := viewer.System(t.Context()), time.Now().Add(time.Minute)
	for ; !next.Clone().ExistX(ctx); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the job did not end; log:\n%s", s.Log.Lines())
		}
	}
}

// tellsLast has owners and alarms be told of the last backup, and nobody else.
func tellsLast(t *testing.T, s *harness.Server) {
	t.Helper()
	s.SignIn(t, "admin", "admin@demo.test")
	s.SignIn(t, "manager", "manager@demo.test")
	at := s.Clock.Now().UTC()
	want := `{"lastBackup":"` + at.Truncate(time.Second).Format(time.RFC3339)[:17]
	if a := s.AskGraphQL(t, s.HeaderOf("admin"), `{lastBackup}`, nil); !strings.HasPrefix(string(a.Data), want) {
		t.Errorf("%s, want %s", a.Data, want)
	}
	s.Says(t, "manager", `{lastBackup}`, `{"lastBackup":null}`)
	metrics := httptest.NewRecorder()
	s.Admin.ServeHTTP(metrics, httptest.NewRequest("GET", "/metrics", nil))
	if text := metrics.Body.String(); !strings.Contains(text, "\nworkforce_backup_age_seconds ") {
		t.Error("no metric of the age")
	}
}

// TestBucket has three instances keep backups in a bucket: one of them writes each.
func TestBucket(t *testing.T) {
	bucket := harness.NewBucket(t, time.Now())
	identity, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	database, clock := testdb.MySQL(t), &harness.Clock{}
	clock.Set(harness.Morning)
	var all []*harness.Server
	for range 3 {
		all = append(all, harness.New(t, database, func(c *server.Config) {
			c.Now, c.BackupTo, c.BackupEvery, c.BackupKeep = clock.Now, bucket.URL, time.Hour, 2
			c.BackupRecipient = identity.Recipient().String()
		}))
	}
	stamps := map[string]int{}
	for hour := range 4 {
		if hour > 0 {
			clock.Advance(time.Hour)
		}
		stamp := clock.Now().UTC().Format("20060102T150405Z") + ".tar.zst.age"
		for deadline := time.Now().Add(time.Minute); stamps[stamp] == 0; time.Sleep(20 * time.Millisecond) {
			for name := range bucket.Objects(t) {
				if strings.HasSuffix(name, stamp) {
					stamps[stamp]++
				}
			}
			if time.Now().After(deadline) {
				t.Fatalf("no backup %s; log:\n%s", stamp, all[0].Log.Lines())
			}
			for _, s := range all {
				s.Services.Jobs.WakeUp()
			}
		}
		all[0].Clock = clock
		awaitNext(t, all[0])
	}
	objects := bucket.Objects(t)
	if len(objects) != 2 {
		t.Errorf("%d backups are kept, want 2", len(objects))
	}
	keys, err := sealed.Load(harness.KeyFile(t, database))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range objects {
		opening := backup.Keyring{Keys: keys, Identities: []age.Identity{identity}}
		if _, err := backup.Verify(strings.NewReader(text), opening); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := all[0].Store.Ent.Job.Query().Where(job.Kind("backup")).CountX(viewer.System(t.Context())); n != 1 {
		t.Errorf("%d jobs", n)
	}
}

// TestFirstAfterRestore has a restored installation back itself up at its first start, although the one before
// was not due yet.
func TestFirstAfterRestore(t *testing.T) {
	testdb.Each(t, func(t *testing.T, target string) {
		source := testdb.SQLite(t)
		every := func(folder string) func(c *server.Config) {
			return func(c *server.Config) { c.BackupTo, c.BackupEvery, c.BackupKeep = folder, 24*time.Hour, 2 }
		}
		before, folder := t.TempDir(), t.TempDir()
		s := harness.New(t, source, every(before))
		stamp := s.Clock.Now().UTC().Format("20060102T150405Z")
		awaitFile(t, before, stamp)
		awaitNext(t, s)
		path, _ := write(t, s, source, server.BackupRequest{})
		if _, err := restore(t, path, keyOf(t, source), target); err != nil {
			t.Fatal(err)
		}
		restored := harness.New(t, target, every(folder))
		awaitFile(t, folder, stamp)
		awaitNext(t, restored)
		tellsLast(t, restored)
	})
}

// TestNoBackup tells owners and alarms that there is none.
func TestNoBackup(t *testing.T) {
	harness.OnSQLite(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "admin", "admin@demo.test")
		s.Says(t, "admin", `{lastBackup}`, `{"lastBackup":null}`)
		metrics := httptest.NewRecorder()
		s.Admin.ServeHTTP(metrics, httptest.NewRequest("GET", "/metrics", nil))
		if text := metrics.Body.String(); !strings.Contains(text, "\nworkforce_backup_age_seconds +Inf\n") {
			t.Error("the age is not infinite")
		}
	})
}

// TestFilesInBuckets moves the files of an installation from a bucket to another one.
func TestFilesInBuckets(t *testing.T) {
	source, target := testdb.SQLite(t), testdb.SQLite(t)
	from, to := harness.NewBucket(t, time.Now()), harness.NewBucket(t, time.Now())
	s := harness.New(t, source, func(c *server.Config) { c.Files = from.URL })
	fill(t, s)
	s.Rest()
	settings := settingsOf(t, source, s.Clock)
	settings.Files = from.URL
	var file bytes.Buffer
	if m, err := s.Store.Backup(t.Context(), settings, &file, server.BackupRequest{}); err != nil || m.Files.Count == 0 {
		t.Fatalf("%+v %v", m.Files, err)
	}
	path := filepath.Join(t.TempDir(), "backup")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := restore(t, path, keyOf(t, source), target, func(q *server.RestoreRequest) { q.Files = to.URL })
	if err != nil {
		t.Fatal(err)
	}
	got, want := to.Objects(t), from.Objects(t)
	delete(got, "installation") // the mark, which is another one
	delete(want, "installation")
	if len(want) == 0 || !maps.Equal(got, want) {
		t.Errorf("%d objects, want %d", len(got), len(want))
	}
	_, err = restore(t, path, keyOf(t, source), testdb.SQLite(t), func(q *server.RestoreRequest) { q.Files = to.URL })
	if err == nil || !strings.Contains(err.Error(), "--files") {
		t.Errorf("into a bucket with objects: %v", err)
	}
}
