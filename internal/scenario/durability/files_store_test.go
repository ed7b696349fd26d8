package durability

import (
	"context"
	"image/color"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workforce/ent/job"
	"workforce/internal/app/apptest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// A fileStore is a store of files that a test looks into.
type fileStore struct {
	url     string                               // in the form of --files
	objects func(t *testing.T) map[string]string // all that it holds, by name
	age     func(t *testing.T, by time.Duration) // makes all that it holds older
}

// eachStore runs a test on each kind of database, with a folder and with a bucket.
func eachStore(t *testing.T, test func(t *testing.T, database string, store fileStore)) {
	testdb.Each(t, func(t *testing.T, database string) {
		t.Run("folder", func(t *testing.T) { test(t, database, folderStore(t)) })
	})
	testdb.Each(t, func(t *testing.T, database string) {
		t.Run("bucket", func(t *testing.T) {
			b := harness.NewBucket(t, time.Now().Add(-48*time.Hour))
			test(t, database, fileStore{b.URL, b.Objects, func(*testing.T, time.Duration) {}})
		})
	})
}

func folderStore(t *testing.T) fileStore {
	dir := filepath.Join(t.TempDir(), "files")
	walk := func(t *testing.T, each func(name string)) {
		t.Helper()
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				each(name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return fileStore{
		url: "file:" + dir,
		objects: func(t *testing.T) map[string]string {
			all := map[string]string{}
			walk(t, func(name string) {
				text, err := os.ReadFile(filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				all[name] = string(text)
			})
			return all
		},
		age: func(t *testing.T, by time.Duration) {
			walk(t, func(name string) {
				at := time.Now().Add(-by)
				if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
					t.Fatal(err)
				}
			})
		},
	}
}

// TestAnotherDatabase starts servers with other databases beside a store of old objects:
// each is refused, and leaves every object where it is. The one that the store belongs to
// starts again and leaves them too.
func TestAnotherDatabase(t *testing.T) {
	eachStore(t, func(t *testing.T, database string, store fileStore) {
		first := harness.New(t, database, func(c *server.Config) { c.Files = store.url })
		first.SignIn(t, "budi", "budi@demo.test")
		const set = `mutation($input:SetAvatarInput!){setAvatar(input:$input){image}}`
		picture := harness.Picture(t, 40, 30, color.White)
		if _, err := first.AskUpload(t, "budi", set, map[string]any{"input": map[string]any{"image": nil}}, "input.image", picture); err != nil {
			t.Fatal(err)
		}
		first.Rest()
		store.age(t, 48*time.Hour)
		before := store.objects(t)
		if len(before) < 2 {
			t.Fatalf("the store holds %d objects, want the demo's and budi's", len(before))
		}
		for _, empty := range []string{"sqlite:" + filepath.Join(t.TempDir(), "mistyped.db"), another(t, database)} {
			err := startAndSweep(t, server.Config{Database: empty, Files: store.url, SecretKeyFile: harness.KeyFile(t, database)})
			if err == nil || !strings.Contains(err.Error(), "--files: "+store.url+" belongs to another database") {
				t.Errorf("%s: %v, want a refusal", empty, err)
			}
			if after := store.objects(t); !maps.Equal(before, after) {
				t.Errorf("%s: %d objects of %d are where they were", empty, same(before, after), len(before))
			}
		}
		if err := startAndSweep(t, server.Config{Database: database, Files: store.url, SecretKeyFile: harness.KeyFile(t, database)}); err != nil {
			t.Error(err)
		}
		if after := store.objects(t); !maps.Equal(before, after) {
			t.Errorf("the store's own database: %d objects of %d are where they were", same(before, after), len(before))
		}
	})
}

// another returns a new database of the kind of database.
func another(t *testing.T, database string) string {
	t.Helper()
	if strings.HasPrefix(database, "sqlite:") {
		return testdb.SQLite(t)
	}
	return testdb.MySQL(t)
}

// same counts the objects that two stores have alike.
func same(a, b map[string]string) (n int) {
	for name, text := range a {
		if other, ok := b[name]; ok && other == text {
			n++
		}
	}
	return n
}

// startAndSweep starts a server, which runs its jobs until it has swept its store, and
// stops it. It returns the error of the start.
func startAndSweep(t *testing.T, c server.Config) error {
	t.Helper()
	c.Addr, c.PublicURL, c.Migrate, c.PasswordWork = "127.0.0.1:0", "http://wf.test", true, apptest.PasswordWork
	srv, err := server.New(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(viewer.System(t.Context()))
	done := make(chan struct{})
	began := time.Now().Add(-time.Second)
	go func() { defer close(done); srv.Services.Jobs.Run(ctx) }()
	for swept := false; !swept; time.Sleep(10 * time.Millisecond) {
		swept = srv.Store.Ent.Job.Query().Where(job.Kind("files"), job.RunAtGT(began.Add(time.Minute))).ExistX(ctx)
		if time.Since(began) > time.Minute {
			t.Error("no sweep within a minute")
			break
		}
	}
	stop()
	<-done
	if err := srv.Store.Close(); err != nil {
		t.Error(err)
	}
	return nil
}
