package testdb

import (
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/internal/database"
)

func TestMain(m *testing.M) {
	if os.Getenv("TESTDB_CHILD") == "1" {
		child()
	}
	os.Exit(Main(m))
}

func open(t *testing.T, url string) *sql.DB {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db.Writer
}

func exec1(t *testing.T, db *sql.DB, statement string) {
	t.Helper()
	if _, err := db.Exec(statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func TestEachGivesEmptyDatabases(t *testing.T) {
	for range 2 { // the same table twice: the second database is another
		var urls []string
		Each(t, func(t *testing.T, url string) {
			exec1(t, open(t, url), "CREATE TABLE note (id INT)")
			urls = append(urls, url)
		})
		if len(urls) != 2 || !strings.HasPrefix(urls[0], "sqlite:") || !strings.HasPrefix(urls[1], "mysql://test:") {
			t.Errorf("urls = %q, want one of SQLite and one of MySQL", urls)
		}
	}
}

func TestMySQLDropsTheDatabase(t *testing.T) {
	var url string
	t.Run("test", func(t *testing.T) {
		url = MySQL(t)
		exec1(t, open(t, url), "CREATE TABLE note (id INT)")
	})
	if err := open(t, url).Ping(); err == nil || !strings.Contains(err.Error(), "Unknown database") {
		t.Errorf("after the test, ping = %v, want unknown database", err)
	}
}

func TestServerStopsAndStarts(t *testing.T) {
	s := Start(t)
	url := s.Database(t)
	db := open(t, url)
	exec1(t, db, "CREATE TABLE note (id INT)")
	exec1(t, db, "INSERT INTO note VALUES (7)")

	s.Stop(t)
	if err := db.Ping(); !database.Away(err) {
		t.Errorf("while stopped, ping = %v, want an error that is Away", err)
	}

	s.Start(t)
	var id int
	if err := db.QueryRow("SELECT id FROM note").Scan(&id); err != nil || id != 7 {
		t.Errorf("after the start, the row is %d, %v, want 7", id, err)
	}
}

func TestRemoveLeavesNothing(t *testing.T) {
	var s *Server
	if !t.Run("test", func(t *testing.T) { s = Start(t) }) {
		return
	}
	if s.running() {
		t.Error("the server still runs")
	}
	if _, err := os.Stat(s.folder); !os.IsNotExist(err) {
		t.Errorf("stat folder = %v, want not exist", err)
	}
}

func TestStartFailureShowsTheLog(t *testing.T) {
	s := Start(t)
	s.stop()
	if err := os.RemoveAll(s.path("data")); err != nil {
		t.Fatal(err)
	}
	if err := s.start(); err == nil || !strings.Contains(err.Error(), "data") {
		t.Errorf("start without data = %v, want the server's own words", err)
	}
}

// child stands for a test process that is killed: it says where its server is
// and waits for its end.
func child() {
	s, err := newServer()
	if err != nil {
		os.Stdout.WriteString(err.Error() + "\n")
		os.Exit(1)
	}
	pid, _ := os.ReadFile(s.path("pid"))
	os.Stdout.WriteString(s.folder + " " + strings.TrimSpace(string(pid)) + "\n")
	time.Sleep(time.Minute)
	os.Exit(1)
}

func TestSweepSparesTheLiving(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, folderPrefix+strconv.Itoa(os.Getpid())+"-1")
	other := filepath.Join(dir, folderPrefix+"x-1")
	for _, folder := range []string{mine, other} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sweep(dir)
	for _, folder := range []string{mine, other} {
		if _, err := os.Stat(folder); err != nil {
			t.Error(err)
		}
	}
}

func TestRequire(t *testing.T) {
	tests := []struct {
		name, ci, skip string
		err            error
		skipped        bool
		failed         bool
	}{
		{"installed", "", "", nil, false, false},
		{"missing", "", "", errNotInstalled, false, true},
		{"missing, skip", "", "1", errNotInstalled, true, false},
		{"missing, skip in CI", "true", "1", errNotInstalled, false, true},
		{"broken, skip", "", "1", os.ErrPermission, false, true},
		{"no Galera", "", "", errNoGalera, true, false},
		{"no Galera in CI", "true", "1", errNoGalera, false, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Setenv("CI", tt.ci)
			t.Setenv("SKIP_MYSQL", tt.skip)
			r := &recorder{TB: t}
			done := make(chan struct{})
			go func() { defer close(done); require(r, tt.err) }()
			<-done
			if r.skipped != tt.skipped || r.failed != tt.failed {
				t.Errorf("skipped %v, failed %v, want %v, %v", r.skipped, r.failed, tt.skipped, tt.failed)
			}
		})
	}
}

// recorder notes how a test ended.
type recorder struct {
	testing.TB
	skipped, failed bool
}

func (r *recorder) Helper()      {}
func (r *recorder) Skip(...any)  { r.skipped = true; runtime.Goexit() }
func (r *recorder) Fatal(...any) { r.failed = true; runtime.Goexit() }
