// Package testdb gives tests fresh databases: SQLite files, and databases on a
// private MariaDB server that the test process starts when it first needs one.
//
// A package whose tests use MariaDB has
//
//	func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
//
// Without a mariadbd binary such tests fail. SKIP_MYSQL=1 skips them instead,
// but not where CI is set.
package testdb

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// shared is the server that all tests of the process use but those that stop
// one. Main stops it.
var shared struct {
	sync.Mutex
	main   bool // Main runs
	server *Server
	err    error // of starting the server, kept so that it is tried only once
}

// Main runs a package's tests, stops the shared server and returns the code to
// exit with.
func Main(m *testing.M) int {
	shared.main = true
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.remove(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	return code
}

// Each runs test once on each kind of database, as subtests "sqlite" and
// "mysql". The URL is of an empty database, in the form of --database.
func Each(t *testing.T, test func(t *testing.T, url string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("mysql", func(t *testing.T) { test(t, MySQL(t)) })
}

// SQLite returns the URL of a SQLite file that does not exist yet and goes away
// with the test.
func SQLite(t testing.TB) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "test.db")
}

// MySQL returns the URL of an empty database on the shared server. It is dropped
// at the end of the test.
func MySQL(t testing.TB) string {
	t.Helper()
	s, err := sharedServer()
	require(t, err)
	return s.Database(t)
}

func sharedServer() (*Server, error) {
	shared.Lock()
	defer shared.Unlock()
	if !shared.main {
		return nil, errors.New("testdb: the package's TestMain does not call testdb.Main")
	}
	if shared.server == nil && shared.err == nil {
		shared.server, shared.err = newServer()
	}
	return shared.server, shared.err
}

// require ends the test unless a server could be started.
func require(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errNotInstalled) && os.Getenv("SKIP_MYSQL") == "1" && os.Getenv("CI") == "" {
		t.Skip("SKIPPED, not tested on MySQL: SKIP_MYSQL=1 and no mariadbd binary")
	}
	if errors.Is(err, errNoGalera) && os.Getenv("CI") == "" {
		t.Skip("SKIPPED, not tested on Galera: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
