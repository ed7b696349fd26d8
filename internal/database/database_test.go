package database

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
)

func TestOpenRefuses(t *testing.T) {
	const want = "database: "
	tests := []struct{ name, url string }{
		{"empty", ""},
		{"other scheme", "postgres://u:hidden@h/db"},
		{"driver's own form", "u:hidden@tcp(h:3306)/db"},
		{"sqlite without path", "sqlite:"},
		{"sqlite with authority", "sqlite://data/hidden.db"},
		{"no user", "mysql://h/db"},
		{"no host", "mysql://u:hidden@/db"},
		{"no database", "mysql://u:hidden@h"},
		{"path", "mysql://u:hidden@h/db/x"},
		{"unknown parameter", "mysql://u:hidden@h/db?parseTime=false"},
		{"unknown tls", "mysql://u:hidden@h/db?tls=maybe"},
		{"percent in the password", "mysql://u:hidden%zz@h/db"},
		{"slash in the password", "mysql://u:hidden/x@h/db"},
		{"slash after a number", "mysql://u:12/hidden@h/db"},
		{"question mark in the password", "mysql://u:12?hidden@h/db"},
		{"hash in the password", "mysql://u:12#hidden@h/db"},
		{"space in the password", "mysql://u:hid den@h/db"},
		{"port", "mysql://u:x@h:hidden/db"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Open(tt.url, nil)
			if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("Open(%q) = %v, want an error that begins with %q and hides the password", tt.url, err, want)
			}
			if s := Redact(tt.url); tt.name != "sqlite with authority" && strings.Contains(s, "hidden") {
				t.Errorf("Redact(%q) = %q", tt.url, s)
			}
		})
	}
}

func TestRedact(t *testing.T) {
	tests := []struct{ url, want string }{
		{"sqlite:data/a:b@c.db", "sqlite:data/a:b@c.db"},
		{"mysql://u:p%40w@h:3306/db?tls=true", "mysql://u:xxxxx@h:3306/db?tls=true"},
		{"mysql://u:p@w@h/db", "mysql://u:xxxxx@h/db"},
		{"mysql://u:@h/db", "mysql://u:xxxxx@h/db"},
		{"mysql://u@h:3306/db", "mysql://u@h:3306/db"},
		{"mysql://u:pw", "***"},
		{"redis://u:pw@h", "***"},
		{"pw", "***"},
	}
	for _, tt := range tests {
		if got := Redact(tt.url); got != tt.want {
			t.Errorf("Redact(%q) = %q, want %q", tt.url, got, tt.want)
		}
	}
}

func TestMySQLConfig(t *testing.T) {
	tests := []struct{ url, user, password, net, addr, name string }{
		{"mysql://u:p@h/db", "u", "p", "tcp", "h:3306", "db"},
		{"mysql://u%40x:p%2F%3F%23%25@h:4000/my%20db", "u@x", "p/?#%", "tcp", "h:4000", "my db"},
		{"mysql://u:p@[::1]/db", "u", "p", "tcp", "[::1]:3306", "db"},
		{"mysql://u@/db?socket=/run/my.sock", "u", "", "unix", "/run/my.sock", "db"},
	}
	for _, tt := range tests {
		cfg, err := mysqlConfig(tt.url)
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		got := [...]string{cfg.User, cfg.Passwd, cfg.Net, cfg.Addr, cfg.DBName}
		if want := [...]string{tt.user, tt.password, tt.net, tt.addr, tt.name}; got != want {
			t.Errorf("%s: got %q, want %q", tt.url, got, want)
		}
	}
}

func TestSQLiteMakesItsFolderAndTakesAnyName(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, path := range []string{"data/x/workforce.db", ":memory:", "a b?mode=ro#c%20&_txlock=x.db"} {
		db, err := Open("sqlite:"+path, nil)
		if err != nil || db.Dialect != dialect.SQLite {
			t.Fatalf("%s: %v, %v", path, db, err)
		}
		defer db.Close()
		if _, err := db.Writer.Exec("CREATE TABLE t (id INT)"); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Stat("data"); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("data: %v, %v, want mode 0700", info.Mode(), err)
	}
}

func TestSQLiteSettings(t *testing.T) {
	db := open(t, "sqlite:"+filepath.Join(t.TempDir(), "x.db"))
	var conns []*sql.Conn
	for _, pool := range []*sql.DB{db.Writer, db.Reader, db.Reader} { // every connection, not only the first
		c, err := pool.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, c)
	}
	for _, c := range conns {
		for pragma, want := range map[string]string{
			"busy_timeout": "10000", "journal_mode": "wal", "foreign_keys": "1", "synchronous": "2",
		} {
			var got string
			if err := c.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got); err != nil || got != want {
				t.Errorf("%s = %q, %v, want %q", pragma, got, err, want)
			}
		}
		c.Close()
	}
	var pages int
	if err := db.Writer.QueryRow("PRAGMA wal_autocheckpoint").Scan(&pages); err != nil || pages != 4000 {
		t.Errorf("the writer copies its log after %d pages, %v", pages, err)
	}
}

// TestUnreachable proves that a server that is not there, or says nothing, is
// Away and leaves the password out.
func TestUnreachable(t *testing.T) {
	silent := listen(t)
	closed := listen(t)
	closed.Close()
	for name, addr := range map[string]string{"refused": closed.Addr().String(), "silent": silent.Addr().String()} {
		t.Run(name, func(t *testing.T) {
			db := open(t, "mysql://u:hidden@"+addr+"/db")
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			err := db.Reader.PingContext(ctx)
			if err == nil || strings.Contains(err.Error(), "hidden") {
				t.Errorf("ping = %v", err)
			}
			if name == "refused" && !Away(err) {
				t.Errorf("ping = %v, want Away", err)
			}
			if name == "silent" && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("ping = %v, want the caller's deadline", err)
			}
		})
	}
}

// TestSQLiteFilesArePrivate makes a database, whatever the umask: its owner alone
// reads it and the files beside it. The mode of an existing file is left.
func TestSQLiteFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "sub", "workforce.db")
	write := func() {
		t.Helper()
		db, err := Open("sqlite:"+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		if _, err := db.Writer.Exec("CREATE TABLE IF NOT EXISTS t (a INTEGER)"); err != nil {
			t.Fatal(err)
		}
	}
	write()
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v, want 0600", name, info, err)
		}
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	write()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("an existing file: %v %v, want 0640", info, err)
	}
}
