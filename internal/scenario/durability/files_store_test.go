package durability

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	entJob "workforce/ent/job"
	"workforce/internal/app/apptest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// mark is the name of the object that says whose a store is.
const mark = "installation"

// A fileStore is a store of files that a test looks into.
type fileStore struct {
	url     string                               // in the form of --files
	objects func(t *testing.T) map[string]string // all that it holds, by name
	remove  func(t *testing.T, name string)
	age     func(t *testing.T) // makes all that it holds two days old
}

// eachStore runs a test on each kind of database, with a folder and with a bucket.
func eachStore(t *testing.T, test func(t *testing.T, database string, store fileStore)) {
	t.Run("folder", func(t *testing.T) {
		testdb.Each(t, func(t *testing.T, database string) { test(t, database, newFolder(t)) })
	})
	t.Run("bucket", func(t *testing.T) {
		testdb.Each(t, func(t *testing.T, database string) {
			b := harness.NewBucket(t, time.Now().Add(-48*time.Hour))
			test(t, database, fileStore{b.URL, b.Objects, b.Delete, func(*testing.T) {}})
		})
	})
}

func newFolder(t *testing.T) fileStore {
	t.Helper()
	dir := t.TempDir()
	read := func(t *testing.T) map[string]string {
		t.Helper()
		all := map[string]string{}
		err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(filepath.Join(dir, name))
			all[name] = string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	return fileStore{
		url: "file:" + dir, objects: read,
		remove: func(t *testing.T, name string) {
			t.Helper()
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		},
		age: func(t *testing.T) {
			t.Helper()
			at := time.Now().Add(-48 * time.Hour)
			for name := range read(t) {
				if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
					t.Fatal(err)
				}
			}
		},
	}
}

// TestAnotherDatabase starts servers with other databases beside a store of old objects,
// with its mark and without: each is refused, and leaves every object where it is. The
// store's own starts with it, marks it again, and leaves every object too.
func TestAnotherDatabase(t *testing.T) {
	eachStore(t, func(t *testing.T, database string, store fileStore) {
		first := harness.New(t, database, func(c *server.Config) { c.Files = store.url })
		first.SignIn(t, "budi", "budi@demo.test")
		const set = `mutation($input:SetAvatarInput!){setAvatar(input:$input){image}}`
		picture := harness.Picture(t, 40, 30, color.White)
		input := map[string]any{"input": map[string]any{"image": nil}}
		if _, err := first.AskUpload(t, "budi", set, input, "input.image", picture); err != nil {
			t.Fatal(err)
		}
		first.Rest()
		marked := store.objects(t)
		if len(marked) < 3 || marked[mark] == "" {
			t.Fatalf("the store holds %d objects, want the mark, the demo's and budi's", len(marked))
		}
		others := []string{"sqlite:" + filepath.Join(t.TempDir(), "mistyped.db"), another(t, database)}
		own := server.Config{Database: database, Files: store.url, SecretKeyFile: harness.KeyFile(t, database)}
		for _, want := range []string{
			" belongs to another database (its mark is " + strings.TrimSpace(marked[mark]),
			" has files and no mark, and this database names none of them",
		} {
			store.age(t)
			before := store.objects(t)
			for _, empty := range others {
				wrong := own
				wrong.Database = empty
				err := startAndSweep(t, wrong)
				if err == nil || !strings.HasPrefix(err.Error(), "--files: "+store.url+want) {
					t.Errorf("%s: %v, want a refusal: %s", empty, err, want)
				}
				if after := store.objects(t); !maps.Equal(before, after) {
					t.Errorf("%s: %d objects of %d are where they were", empty, same(before, after), len(before))
				}
			}
			if err := startAndSweep(t, own); err != nil {
				t.Error(err)
			}
			if after := store.objects(t); !maps.Equal(marked, after) {
				t.Errorf("the store's own database: %d objects of %d are where they were", same(marked, after), len(marked))
			}
			store.remove(t, mark) // as a release before this one left it
		}
	})
}

// TestInstallationsAtOnce starts ten instances each of two installations on one empty store at
// the same time: those of one are served, all others are refused.
func TestInstallationsAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, database string, store fileStore) {
		databases := []string{database, another(t, database)}
		for _, d := range databases { // 20 migrations at once would be another test
			s, err := server.OpenStore(t.Context(), d, true, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
		const instances = 10
		var all sync.WaitGroup
		var served [2]atomic.Int32
		for i := range 2 * instances {
			all.Go(func() {
				of := i % 2
				key := harness.KeyFile(t, databases[of])
				err := startServer(t, server.Config{Database: databases[of], Files: store.url, SecretKeyFile: key}, nil)
				if err == nil {
					served[of].Add(1)
				} else if !strings.Contains(err.Error(), " belongs to another database ") {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if a, b := served[0].Load(), served[1].Load(); a+b != instances || a*b != 0 {
			t.Errorf("%d and %d instances are served, want all of one installation", a, b)
		}
	})
}

// TestSweepsAtOnce has three instances sweep a store at once, again and again. All objects
// without a row are set aside, one whose row is there is restored, and no sweep fails.
func TestSweepsAtOnce(t *testing.T) {
	eachStore(t, func(t *testing.T, database string, store fileStore) {
		first := harness.New(t, database, func(c *server.Config) { c.Files = store.url })
		first.Rest()
		ctx := viewer.System(t.Context())
		named := first.Store.Ent.File.Query().FirstX(ctx).Name
		before := store.objects(t)
		const orphans = 40
		for i := range orphans {
			if err := first.Blobs.Put(ctx, fmt.Sprintf("1/%032x.png", i), strings.NewReader("orphan")); err != nil {
				t.Fatal(err)
			}
		}
		store.age(t)
		if err := first.Blobs.SetAside(ctx, named); err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 3 {
			c := server.Config{Database: database, Files: store.url, SecretKeyFile: harness.KeyFile(t, database)}
			all.Go(func() {
				err := startServer(t, c, func(s *server.Server) error { return s.Services.Files.Sweep(ctx) })
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		after := store.objects(t)
		for name, text := range before {
			if after[name] != text {
				t.Errorf("%s is not where it was", name)
			}
		}
		// The next sweep deletes those of the bucket, where all is two days old.
		if n := len(after) - len(before); strings.HasPrefix(store.url, "file:") && n != orphans {
			t.Errorf("%d objects are set aside, want %d", n, orphans)
		}
		for name := range after {
			if _, known := before[name]; !known && !strings.HasPrefix(name, "orphans/") {
				t.Errorf("%s has no row", name)
			}
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

// startServer starts a server, which does something, and closes it.
func startServer(t *testing.T, c server.Config, do func(*server.Server) error) error {
	c.Addr, c.PublicURL, c.Migrate, c.PasswordWork = "127.0.0.1:0", "http://wf.test", true, apptest.PasswordWork
	c.Now = func() time.Time { return harness.Morning.UTC() } // or the demo's report would be old
	srv, err := server.New(t.Context(), c, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	if do != nil {
		err = do(srv)
	}
	return errors.Join(err, srv.Store.Close())
}

// startAndSweep starts a server, which runs its jobs until it has swept its store, and
// stops it.
func startAndSweep(t *testing.T, c server.Config) error {
	t.Helper()
	return startServer(t, c, func(srv *server.Server) error {
		ctx, stop := context.WithCancel(viewer.System(t.Context()))
		var running sync.WaitGroup
		defer running.Wait()
		defer stop()
		began, now := time.Now(), srv.Services.Now()
		// It may have been swept within the hour.
		if err := srv.Store.Ent.Job.Update().Where(entJob.Kind("files")).SetRunAt(now).Exec(ctx); err != nil {
			return err
		}
		running.Go(func() { srv.Services.Jobs.Run(ctx) })
		for time.Since(began) < time.Minute {
			if srv.Store.Ent.Job.Query().Where(entJob.Kind("files"), entJob.RunAtGT(now)).ExistX(ctx) {
				return nil
			}
			time.Sleep(10 * time.Millisecond)
		}
		return errors.New("no sweep within a minute")
	})
}
