package harness

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"workforce/internal/server"
)

// template holds what the first server of the test process made of an empty SQLite
// database: it, its key and its files. Those after it begin with a copy, since to migrate
// and fill a database takes longer than most tests.
var template struct {
	sync.Mutex
	database, key []byte
	files         fstest.MapFS
}

// start starts a server. One with the usual settings, on a SQLite file that does not exist
// yet, begins with a copy of the template, or becomes it.
func start(t *testing.T, s server.Config, log *slog.Logger, usual bool) (*server.Server, error) {
	t.Helper()
	path, isFile := strings.CutPrefix(s.Database, "sqlite:")
	if _, err := os.Stat(path); !usual || !isFile || !errors.Is(err, fs.ErrNotExist) {
		return server.New(t.Context(), s, log)
	}
	files := strings.TrimPrefix(s.Files, "file:")
	template.Lock()
	if template.database == nil {
		defer template.Unlock()
		srv, err := server.New(t.Context(), s, log)
		if err != nil {
			return nil, err
		}
		return srv, makeTemplate(t, srv, s.SecretKeyFile, files)
	}
	template.Unlock()
	err := errors.Join(
		os.WriteFile(path, template.database, 0o600),
		os.WriteFile(s.SecretKeyFile, template.key, 0o600),
		os.CopyFS(files, template.files))
	if err != nil {
		return nil, err
	}
	return server.New(t.Context(), s, log)
}

// makeTemplate copies what a server has that was just started.
func makeTemplate(t *testing.T, srv *server.Server, key, files string) (err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "template.db")
	if _, err := srv.Store.DB.Writer.ExecContext(t.Context(), "VACUUM INTO ?", path); err != nil {
		return err
	}
	template.files = fstest.MapFS{}
	err = fs.WalkDir(os.DirFS(files), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(files, name))
		template.files[name] = &fstest.MapFile{Data: data, Mode: 0o600}
		return err
	})
	if err != nil {
		return err
	}
	if template.key, err = os.ReadFile(key); err != nil {
		return err
	}
	template.database, err = os.ReadFile(path)
	return err
}
