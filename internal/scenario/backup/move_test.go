package backup

import (
	"bytes"
	"context"
	"encoding/json"
	"image/color"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/apikey"
	"workforce/ent/attendance"
	"workforce/ent/device"
	"workforce/ent/job"
	"workforce/ent/message"
	"workforce/ent/session"
	"workforce/internal/apitest"
	"workforce/internal/backup"
	"workforce/internal/database"
	"workforce/internal/migration"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// kinds make an empty database of each kind.
var kinds = map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL}

// settingsOf are those of the server of a database.
func settingsOf(t *testing.T, url string, clock *harness.Clock) server.Config {
	return server.Config{
		Now: clock.Now, Files: "file:" + filesOf(t, url), SecretKeyFile: harness.KeyFile(t, url), Program: "1.2.3 test",
	}
}

func filesOf(t *testing.T, url string) string {
	return strings.TrimSuffix(harness.KeyFile(t, url), ".key") + ".files"
}

// write backs a server up, and returns the file.
func write(t *testing.T, s *harness.Server, url string, q server.BackupRequest) (string, backup.Manifest) {
	t.Helper()
	var file bytes.Buffer
	m, err := s.Store.Backup(t.Context(), settingsOf(t, url, s.Clock), &file, q)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "backup")
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, m
}

// keyOf reads the secret key of a database's servers.
func keyOf(t *testing.T, url string) []byte {
	t.Helper()
	key, err := os.ReadFile(harness.KeyFile(t, url))
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// restore restores a file into a database, with a secret key.
func restore(t *testing.T, path string, key []byte, to string,
	change ...func(*server.RestoreRequest)) (server.Restored, error) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.WriteFile(harness.KeyFile(t, to), key, 0o600); err != nil {
		t.Fatal(err)
	}
	q := server.RestoreRequest{From: f, Database: to, Files: "file:" + filesOf(t, to),
		SecretKeyFile: harness.KeyFile(t, to)}
	for _, c := range change {
		c(&q)
	}
	return server.Restore(t.Context(), q, func() time.Time { return harness.Morning.UTC() })
}

// rowsOf reads all rows of all tables, each as text, without what backup and restore know of them.
func rowsOf(t *testing.T, url string) map[string][]string {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return harness.Rows(t, db.Reader, db.Dialect)
}

// filesIn reads all files of a folder but its mark.
func filesIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "installation" {
			return err
		}
		text, err := os.ReadFile(path)
		all[strings.TrimPrefix(path, folder+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// changed are the tables that are not the same after a restore.
var changed = []string{
	"goose_db_version", "migration_lease", "login_throttles", "rate_logs",
	"setup_links", "recovery_links", "object_holds", "instances", "widget_tokens",
	"jobs", "messages", "sessions", "tokens", "api_keys", "settings", "audit_events",
}

// fill has people do what leaves rows of many kinds, faces, files, sessions and messages.
func fill(t *testing.T, s *harness.Server) {
	t.Helper()
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "admin", "admin@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Run(t, []apitest.Scenario{harness.ClockIn("budi", "faceLandmark", harness.Face(1, 1), "note", `"halo \"é😀"`)})
	picture := harness.Picture(t, 64, 64, color.RGBA{200, 10, 10, 255})
	a, err := s.AskUpload(t, "budi", `mutation($input:SetAvatarInput!){setAvatar(input:$input){id}}`,
		map[string]any{"input": map[string]any{"image": nil}}, "input.image", picture)
	if err != nil || a.Status != 200 || strings.Contains(a.Body, "errors") {
		t.Fatal(a, err)
	}
	s.Says(t, "admin", `mutation{createApiKey(input:{name:"payroll",permissions:["user.read.all"]}){apiKey{name}}}`,
		`{"createApiKey":{"apiKey":{"name":"payroll"}}}`)
}

// TestMove moves an installation from each kind of database to each: all rows and files are there,
// and people work with it under the old secret key.
func TestMove(t *testing.T) {
	for from, make1 := range kinds {
		t.Run(from, func(t *testing.T) {
			source := make1(t)
			s := harness.New(t, source)
			fill(t, s)
			s.Rest()
			path, m := write(t, s, source, server.BackupRequest{})
			if m.Files.Count == 0 || m.Incomplete() != nil {
				t.Fatalf("%+v", m.Files)
			}
			key := keyOf(t, source)
			want, wantFiles := rowsOf(t, source), filesIn(t, filesOf(t, source))
			for to, make2 := range kinds {
				t.Run(to, func(t *testing.T) {
					target := make2(t)
					done, err := restore(t, path, key, target)
					if err != nil {
						t.Fatal(err)
					}
					if len(done.Owners) != 2 {
						t.Errorf("owners %v", done.Owners)
					}
					got := rowsOf(t, target)
					for _, table := range slices.Sorted(maps.Keys(want)) {
						if !slices.Contains(changed, table) && !slices.Equal(got[table], want[table]) {
							t.Errorf("%s: %s", table, harness.Difference(got[table], want[table]))
						}
					}
					if len(got) != len(want) {
						t.Errorf("%d tables, want %d", len(got), len(want))
					}
					if gotFiles := filesIn(t, filesOf(t, target)); !maps.Equal(gotFiles, wantFiles) {
						t.Errorf("%d files, want %d", len(gotFiles), len(wantFiles))
					}
					works(t, harness.New(t, target), m.Instant)
				})
			}
		})
	}
}

// works has people go on in a restored installation.
func works(t *testing.T, s *harness.Server, instant time.Time) {
	t.Helper()
	ctx := viewer.System(t.Context())
	if n := s.Store.Ent.Session.Query().Where(session.RevokedAtIsNil()).CountX(ctx); n != 0 {
		t.Errorf("%d sessions go on", n)
	}
	if n := s.Store.Ent.APIKey.Query().Where(apikey.RevokedAtIsNil()).CountX(ctx); n != 0 {
		t.Errorf("%d API keys are in force", n)
	}
	if n := s.Store.Ent.Message.Query().Where(message.StatusEQ(message.StatusQueued)).CountX(ctx); n != 0 {
		t.Errorf("%d messages are queued", n)
	}
	if n := s.Store.Ent.Job.Query().Where(job.StateEQ(job.StateRunning)).CountX(ctx); n != 0 {
		t.Errorf("%d jobs run", n)
	}
	highest := s.Store.Ent.Device.Query().Order(ent.Desc(device.FieldID)).FirstX(ctx).ID
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "admin", "admin@demo.test")
	newest := s.Store.Ent.Device.Query().Order(ent.Desc(device.FieldID)).FirstX(ctx).ID
	if newest-highest < 100_000 {
		t.Errorf("the id of a new device is %d, after %d", newest, highest)
	}
	s.SaveSites(t, "budi")
	s.Clock.Advance(8 * time.Hour)
	s.SignIn(t, "budi2", "budi@demo.test")
	s.Run(t, []apitest.Scenario{
		{Name: "the shift", Path: "/attendance/today", Header: harness.Bearer("budi2"),
			Save: map[string]string{"budi2.shift": "/shift/employeeShiftId"}},
		harness.ClockOut("budi2", "faceLandmark", harness.Face(1, 2)),
	})
	if a := s.Attendances(t, "budi@demo.test"); a[len(a)-1].ClockedOutFaceVerdict !=
		attendance.ClockedOutFaceVerdictMatch {
		t.Errorf("the face of %v", a[len(a)-1])
	}
	var own struct{ Image string }
	if _, text := s.Send(t, "GET", "/user/profile", "", s.HeaderOf("budi2")); json.Unmarshal(text, &own) != nil ||
		own.Image == "" {
		t.Fatalf("budi: %s", text)
	}
	resp, _ := s.Send(t, "GET", strings.TrimPrefix(own.Image, "http://wf.test"), "", nil)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("the picture %q: %d %s", own.Image, resp.StatusCode, resp.Header.Get("Content-Type"))
	}
	s.SignIn(t, "admin2", "admin@demo.test")
	s.Says(t, "admin2", `{auditEvents(first:1,where:{action:"company.restored"}){edges{node{action actor{name}}}}}`,
		`{"auditEvents":{"edges":[{"node":{"action":"company.restored","actor":null}}]}}`)
}

// TestResume sends the messages and runs the jobs that were queued, and leaves people signed in, where
// that was asked for.
func TestResume(t *testing.T) {
	testdb.Each(t, func(t *testing.T, target string) {
		source := testdb.SQLite(t)
		s := harness.New(t, source)
		budi := s.SignIn(t, "budi", "budi@demo.test")
		s.SignIn(t, "admin", "admin@demo.test")
		s.Rest()
		s.Says(t, "admin", `mutation{createUser(input:{name:"Invited",email:"invited@demo.test"}){name}}`,
			`{"createUser":{"name":"Invited"}}`)
		path, _ := write(t, s, source, server.BackupRequest{})
		_, err := restore(t, path, keyOf(t, source), target,
			func(q *server.RestoreRequest) { q.Resume, q.KeepSessions = true, true })
		if err != nil {
			t.Fatal(err)
		}
		moved := harness.New(t, target)
		moved.Log.Notice(t, "invited@demo.test", 1)
		if resp, text := moved.Send(t, "GET", "/user", "",
			map[string]string{"Authorization": "Bearer " + budi.Access}); resp.StatusCode != 200 {
			t.Errorf("budi is signed out: %d %s", resp.StatusCode, text)
		}
	})
}

// TestMarked has a restore fail half way: everything but another restore refuses the database, and
// that one begins anew. What is not empty is refused and stays as it is.
func TestMarked(t *testing.T) {
	source := testdb.SQLite(t)
	s := harness.New(t, source)
	fill(t, s)
	s.Rest()
	path, _ := write(t, s, source, server.BackupRequest{})
	key := keyOf(t, source)
	for kind, empty := range kinds {
		t.Run(kind, func(t *testing.T) {
			target := empty(t)
			if err := os.WriteFile(harness.KeyFile(t, target), key, 0o600); err != nil {
				t.Fatal(err)
			}
			want := rowsOf(t, source)
			for _, after := range []int{0, 20, 400} { // rows
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				f, err := os.Open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				_, err = server.Restore(ctx, server.RestoreRequest{
					From: f, Database: target, Files: "file:" + filesOf(t, target), SecretKeyFile: harness.KeyFile(t, target),
					Progress: func(rows, _ int) {
						if rows > after {
							cancel()
						}
					},
				}, time.Now)
				if err == nil {
					t.Fatal("a restore that was stopped says that it succeeded")
				}
				for _, migrate := range []bool{true, false} {
					store, err := server.OpenStore(t.Context(), target, migrate, nil)
					if err == nil || !strings.Contains(err.Error(), migration.ErrRestoring.Error()) {
						t.Errorf("a marked database: %v", err)
					}
					if store != nil {
						store.Close()
					}
				}
			}
			if _, err := restore(t, path, key, target); err != nil {
				t.Fatal(err)
			}
			got := rowsOf(t, target)
			for table := range want {
				if !slices.Contains(changed, table) && !slices.Equal(got[table], want[table]) {
					t.Errorf("%s: %s", table, harness.Difference(got[table], want[table]))
				}
			}
			before := rowsOf(t, target)
			_, err := restore(t, path, key, target)
			if err == nil || !strings.Contains(err.Error(), "not empty") {
				t.Errorf("a database with rows: %v", err)
			}
			if after := rowsOf(t, target); !maps.EqualFunc(before, after, slices.Equal) {
				t.Error("a refused restore changed the database")
			}
		})
	}
}

// TestForeignStore restores nothing beside the files of others.
func TestForeignStore(t *testing.T) {
	source := testdb.SQLite(t)
	s := harness.New(t, source)
	s.Rest()
	path, _ := write(t, s, source, server.BackupRequest{})
	key := keyOf(t, source)
	target := testdb.SQLite(t)
	folder := t.TempDir()
	if err := os.MkdirAll(filepath.Join(folder, "7"), 0o700); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(folder, "7/0123456789abcdef0123456789abcdef.png")
	if err := os.WriteFile(name, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := restore(t, path, key, target, func(q *server.RestoreRequest) { q.Files = "file:" + folder })
	if err == nil || !strings.Contains(err.Error(), "--files must name an empty folder or bucket") {
		t.Errorf("a store with files: %v", err)
	}
	if got := filesIn(t, folder); len(got) != 1 || got["7/0123456789abcdef0123456789abcdef.png"] != "kept" {
		t.Errorf("%v", got)
	}
	if _, err := restore(t, path, key, target); err != nil { // into the marked database, and a folder of its own
		t.Error(err)
	}
}
