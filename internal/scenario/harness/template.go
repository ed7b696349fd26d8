package harness

import (
	"errors"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"workforce/internal/server"
	"workforce/internal/testdb"
)

// A template is what a server made for an empty database. Others begin with a copy of it,
// since to migrate and fill a database takes longer than most tests.
type template struct {
	key      []byte
	files    fstest.MapFS
	database []byte // of SQLite; testdb has MariaDB's
}

var templates = struct {
	sync.Mutex
	sqlite  *template
	mariadb map[string]template // by host
}{mariadb: map[string]template{}}

// start starts a server. One with the usual settings, on an empty database, begins with a
// copy of the template if there is one by now.
func start(t *testing.T, s server.Config, log *slog.Logger, usual bool) (*server.Server, error) {
	t.Helper()
	run := func() (*server.Server, error) { return server.New(t.Context(), s, log) }
	path, isFile := strings.CutPrefix(s.Database, "sqlite:")
	switch {
	case !usual:
		return run()
	case isFile:
		return startOnFile(t, s, path, run)
	}
	return startOnMariaDB(s, run)
}

// startOnFile runs a server on a SQLite file, which becomes the template if it is the first.
func startOnFile(t *testing.T, s server.Config, path string, run func() (*server.Server, error)) (*server.Server, error) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return run()
	}
	templates.Lock()
	if kept := templates.sqlite; kept != nil {
		templates.Unlock()
		if err := errors.Join(os.WriteFile(path, kept.database, 0o600), kept.restore(s)); err != nil {
			return nil, err
		}
		return run()
	}
	defer templates.Unlock() // others wait for it
	srv, err := run()
	if err != nil {
		return nil, err
	}
	copied := path + ".template" // beside the file, whose folder goes even if this process is killed
	if _, err := srv.Store.DB.Writer.ExecContext(t.Context(), "VACUUM INTO ?", copied); err != nil {
		return nil, err
	}
	kept, err := keep(s)
	if err != nil {
		return nil, err
	}
	if kept.database, err = os.ReadFile(copied); err != nil {
		return nil, err
	}
	templates.sqlite = &kept
	return srv, os.Remove(copied)
}

// startOnMariaDB runs a server on a database that testdb may have a copy for.
func startOnMariaDB(s server.Config, run func() (*server.Server, error)) (srv *server.Server, err error) {
	at, err := url.Parse(s.Database)
	if err != nil {
		return nil, err
	}
	copied, err := testdb.Fill(s.Database, "demo", func(isTemplate bool) (err error) {
		if srv, err = run(); err != nil || !isTemplate {
			return err
		}
		kept, err := keep(s)
		templates.Lock()
		defer templates.Unlock()
		templates.mariadb[at.Host] = kept
		return err
	})
	if err != nil || !copied {
		return srv, err
	}
	templates.Lock()
	kept := templates.mariadb[at.Host]
	templates.Unlock()
	if err := kept.restore(s); err != nil {
		return nil, err
	}
	return run()
}

// keep reads what a server has beside its database.
func keep(s server.Config) (kept template, err error) {
	folder := strings.TrimPrefix(s.Files, "file:")
	kept.files = fstest.MapFS{}
	err = fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(folder, name))
		kept.files[name] = &fstest.MapFile{Data: data, Mode: 0o600}
		return err
	})
	if err == nil {
		kept.key, err = os.ReadFile(s.SecretKeyFile)
	}
	return kept, err
}

// restore writes what a server has beside its database.
func (k template) restore(s server.Config) error {
	return errors.Join(os.WriteFile(s.SecretKeyFile, k.key, 0o600), os.CopyFS(strings.TrimPrefix(s.Files, "file:"), k.files))
}
