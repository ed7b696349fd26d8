package server

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"workforce/internal/testdb"
)

// TestInstallationAtOnce has instances that start at once agree on one id.
func TestInstallationAtOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s, err := OpenStore(t.Context(), url, true, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		var all sync.WaitGroup
		ids := make([]string, 20)
		for i := range ids {
			all.Go(func() {
				var err error
				if ids[i], err = s.installation(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, id := range ids {
			if id != ids[0] || len(id) != 32 {
				t.Errorf("ids %q, want one of 32 characters", ids)
				break
			}
		}
	})
}

// TestForeignFiles refuses the folder of another database with a sentence that says what
// to do, in servers and in exports.
func TestForeignFiles(t *testing.T) {
	dir := t.TempDir()
	config := func(name string) Config {
		return Config{
			Database: "sqlite:" + filepath.Join(dir, name), Migrate: true,
			SecretKeyFile: filepath.Join(dir, "secret.key"), Files: "file:" + filepath.Join(dir, "files"),
		}
	}
	open := func(name string) (*Store, error) {
		srv, err := New(t.Context(), config(name), slog.New(slog.DiscardHandler))
		if err != nil {
			return nil, err
		}
		t.Cleanup(func() { _ = srv.Store.Close() })
		return srv.Store, nil
	}
	one, err := open("one.db")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := one.installation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "files", "installation")); err != nil || string(text) != ours+"\n" {
		t.Errorf("the mark is %q, %v; want %s", text, err, ours)
	}
	if _, err := one.Exports(t.Context(), config("one.db"), false); err != nil {
		t.Error(err)
	}
	other, err := OpenStore(t.Context(), config("two.db").Database, true, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	const remedy = "; start with the --database and --files that belong together, or name an empty folder or bucket"
	flag := "--files: " + config("").Files
	refusal := flag + " belongs to another database (its mark is " + ours + ", the id of this database is "
	_, err = other.Exports(t.Context(), config("two.db"), false)
	if err == nil || err.Error() != refusal+"not set)"+remedy {
		t.Errorf("an export: %v", err)
	}
	theirs, err := other.installation(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open("two.db"); err == nil || err.Error() != refusal+theirs+")"+remedy {
		t.Errorf("a server: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "files", "installation")); err != nil {
		t.Fatal(err)
	}
	if _, err := other.Exports(t.Context(), config("two.db"), false); err != nil {
		t.Errorf("an export, without a mark: %v", err)
	}
	object := filepath.Join(dir, "files", "1", strings.Repeat("0", 32)+".png")
	if err := os.MkdirAll(filepath.Dir(object), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(object, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = open("two.db")
	if err == nil || err.Error() != flag+" has files and no mark, and this database names none of them"+remedy {
		t.Errorf("a server, without a mark: %v", err)
	}
}
