package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workforce/internal/certificate/certtest"
	"workforce/internal/database"
	"workforce/internal/migration"
	"workforce/internal/sealed"
	"workforce/internal/testdb"
)

var noon = time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC)

// healthy is a server on SQLite with all that it needs, in a folder of its own.
func healthy(t *testing.T, url string) (Subject, string) {
	t.Helper()
	dir := t.TempDir()
	key, err := sealed.Create(filepath.Join(dir, "secret.key"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "files"), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = migration.Up(t.Context(), db)
	for name, value := range map[string]string{"secret-key": key.Fingerprint(), "installation": strings.Repeat("a", 32)} {
		if err == nil {
			_, err = db.Writer.ExecContext(t.Context(), "INSERT INTO settings (name, value) VALUES (?, ?)", name, value)
		}
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/healthz" {
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(web.Close)
	return Subject{
		Database: url, Migrate: true, Files: "file:" + filepath.Join(dir, "files"),
		KeyFile: filepath.Join(dir, "secret.key"), PublicURL: web.URL,
		Mail:    func(context.Context) error { return nil },
		Gateway: func(context.Context) (int, error) { return http.StatusMethodNotAllowed, nil }, Secure: true,
		Now: time.Now, Client: web.Client(), Disk: func(string) (uint64, error) { return 50 << 30, nil },
	}, dir
}

// find returns the result of a check; the zero one where it was not run.
func find(results []Result, check string) Result {
	for _, r := range results {
		if r.Check == check {
			return r
		}
	}
	return Result{}
}

// TestHealthy examines servers that have all that they need: nothing is found, and nothing left behind.
func TestHealthy(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s, dir := healthy(t, url)
		results := Examine(t.Context(), s)
		var names []string
		for _, r := range results {
			names = append(names, r.Check)
			durable := r.Check == "durability" && strings.HasPrefix(url, "mysql:") // servers of tests do not sync
			if r.Status != OK && !durable || r.Status == OK && (r.Found == "" || r.Advice != "") {
				t.Errorf("%+v", r)
			}
		}
		want := "settings database schema database file durability files mail gateway key public URL disk"
		if strings.HasPrefix(url, "mysql:") {
			want = "settings database schema isolation durability galera clock files mail gateway key public URL disk"
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("checks %s, want %s", got, want)
		}
		if left, err := os.ReadDir(filepath.Join(dir, "files")); err != nil || len(left) > 0 {
			t.Errorf("%v is left in the store, %v", left, err)
		}
	})
}

// withCertificate has a subject use a certificate for the host of its public URL, which ends after a time.
func withCertificate(t *testing.T, s *Subject, dir string, life time.Duration) {
	t.Helper()
	now := time.Now()
	s.TLSCert, s.TLSKey = certtest.Files(t, dir, now.Add(min(0, 2*life)-time.Hour), now.Add(life), "127.0.0.1")
}

// TestCertificate finds nothing wrong with a certificate that is valid for long enough.
func TestCertificate(t *testing.T) {
	s, dir := healthy(t, testdb.SQLite(t))
	withCertificate(t, &s, dir, 14*24*time.Hour+time.Minute)
	if r := find(Examine(t.Context(), s), "certificate"); r.Status != OK {
		t.Errorf("%+v", r)
	}
}

// TestFaults spoils one thing at a time. Each is found by the check that is about it, with advice.
func TestFaults(t *testing.T) {
	refused := errors.New("connection refused")
	for _, tt := range []struct {
		name, check string
		want        Status
		found       string // part of what is said
		spoil       func(t *testing.T, s *Subject, dir string)
	}{
		{"a flag", "settings", Failure, "--access-life", func(_ *testing.T, s *Subject, _ string) {
			s.Settings = errors.New("--access-life must be at least 1s")
		}},
		{"no database yet", "database", Warning, "there is no database", func(t *testing.T, s *Subject, dir string) {
			s.Database = "sqlite:" + filepath.Join(dir, "none.db")
		}},
		{"no settings", "database", Warning, "no setting names a database", func(_ *testing.T, s *Subject, dir string) {
			s.Database, s.Unset = "sqlite:"+filepath.Join(dir, "none.db"), true
		}},
		{"no database server", "database", Failure, "refused", func(_ *testing.T, s *Subject, _ string) {
			s.Database = "mysql://u:hidden@127.0.0.1:1/w"
		}},
		{"an old schema", "schema", Warning, "pending", func(t *testing.T, s *Subject, _ string) { undo(t, s.Database) }},
		{"an old schema, --no-migrate", "schema", Failure, "pending", func(t *testing.T, s *Subject, _ string) {
			undo(t, s.Database)
			s.Migrate = false
		}},
		{"a file that others read", "database file", Warning, "-rw-r-----", func(t *testing.T, s *Subject, _ string) {
			chmod(t, strings.TrimPrefix(s.Database, "sqlite:"), 0o640)
		}},
		{"a malformed file", "durability", Failure, "malformed", func(t *testing.T, s *Subject, _ string) {
			write(t, strings.TrimPrefix(s.Database, "sqlite:")+"-malformed", "page 7")
		}},
		{"no folder", "files", Warning, "there is no folder", func(_ *testing.T, s *Subject, dir string) {
			s.Files = "file:" + dir + "/none"
		}},
		{"a file for a folder", "files", Failure, "not a directory", func(t *testing.T, s *Subject, dir string) {
			write(t, dir+"/flat", "")
			s.Files = "file:" + dir + "/flat"
		}},
		{"another's files", "files", Failure, "another database", func(t *testing.T, s *Subject, dir string) {
			write(t, dir+"/files/installation", strings.Repeat("b", 32)+"\n")
		}},
		{"a bucket without a region", "files", Failure, "region", func(t *testing.T, s *Subject, _ string) {
			t.Setenv("AWS_REGION", "")
			s.Files = "s3://bucket?endpoint=http://127.0.0.1:1"
		}},
		{"no mail server", "mail", Failure, "refused", func(_ *testing.T, s *Subject, _ string) {
			s.Mail = func(context.Context) error { return refused }
		}},
		{"nothing that sends", "mail", Warning, "reach nobody", func(_ *testing.T, s *Subject, _ string) {
			s.Mail, s.Gateway = nil, nil
		}},
		{"no gateway", "gateway", Failure, "refused", func(_ *testing.T, s *Subject, _ string) {
			s.Gateway = func(context.Context) (int, error) { return 0, refused }
		}},
		{"a gateway that fails", "gateway", Failure, "502", func(_ *testing.T, s *Subject, _ string) {
			s.Gateway = func(context.Context) (int, error) { return 502, nil }
		}},
		{"a gateway over HTTP", "gateway", Warning, "without encryption", func(_ *testing.T, s *Subject, _ string) {
			s.Secure = false
		}},
		{"a key that others read", "key", Warning, "-rw-r--r--", func(t *testing.T, s *Subject, _ string) {
			chmod(t, s.KeyFile, 0o644)
		}},
		{"no key", "key", Failure, "no such file", func(_ *testing.T, s *Subject, dir string) { s.KeyFile = dir + "/none" }},
		{"a file that is no key", "key", Failure, "32 bytes", func(t *testing.T, s *Subject, _ string) {
			write(t, s.KeyFile, "x")
		}},
		{"another's key", "key", Failure, "not the key of this database", func(t *testing.T, s *Subject, dir string) {
			s.KeyFile = dir + "/other.key"
			if _, err := sealed.Create(s.KeyFile); err != nil {
				t.Fatal(err)
			}
		}},
		{"no public URL", "public URL", Warning, "not set", func(_ *testing.T, s *Subject, _ string) { s.PublicURL = "" }},
		{"a public URL over HTTP", "public URL", Failure, "not encrypted", func(_ *testing.T, s *Subject, _ string) {
			s.PublicURL = "http://wf.test"
		}},
		{"nobody there", "public URL", Warning, "nothing answers", func(_ *testing.T, s *Subject, _ string) {
			s.PublicURL = "http://127.0.0.1:1"
		}},
		{"another server there", "public URL", Failure, "404", func(_ *testing.T, s *Subject, _ string) {
			s.PublicURL += "/elsewhere"
		}},
		{"a certificate of nobody", "public URL", Failure, "certificate", func(t *testing.T, s *Subject, _ string) {
			web := httptest.NewTLSServer(http.NotFoundHandler())
			t.Cleanup(web.Close)
			s.PublicURL, s.Client = web.URL, &http.Client{}
		}},
		{"no certificate", "public URL", Failure, "no certificate has been issued", func(t *testing.T, s *Subject, _ string) {
			web := httptest.NewUnstartedServer(http.NotFoundHandler())
			web.Config.ErrorLog = log.New(io.Discard, "", 0)
			none := &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return nil, refused }}
			web.TLS = &tls.Config{GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return none, nil }}
			web.StartTLS()
			t.Cleanup(web.Close)
			s.PublicURL, s.Client, s.Issued = web.URL, &http.Client{}, true
		}},
		{"little space", "disk", Warning, "500 MiB", func(_ *testing.T, s *Subject, _ string) {
			s.Disk = func(string) (uint64, error) { return 500 << 20, nil }
		}},
		{"half of a certificate", "certificate", Failure, "private key", func(t *testing.T, s *Subject, dir string) {
			withCertificate(t, s, dir, 90*24*time.Hour)
			s.TLSKey = s.TLSCert
		}},
		{"a certificate that has ended", "certificate", Failure, "ended at", func(t *testing.T, s *Subject, dir string) {
			withCertificate(t, s, dir, -time.Hour)
		}},
		{"a certificate of tomorrow", "certificate", Failure, "is valid from", func(t *testing.T, s *Subject, dir string) {
			withCertificate(t, s, dir, 90*24*time.Hour)
			s.Now = func() time.Time { return time.Now().AddDate(0, 0, -1) }
		}},
		{"a certificate near its end", "certificate", Warning, "is valid until", func(t *testing.T, s *Subject, dir string) {
			withCertificate(t, s, dir, 14*24*time.Hour)
		}},
		{"a certificate of another name", "certificate", Warning, "not for localhost", func(t *testing.T, s *Subject, dir string) {
			withCertificate(t, s, dir, 90*24*time.Hour)
			s.PublicURL = strings.Replace(s.PublicURL, "127.0.0.1", "localhost", 1)
		}},
		{"no space for files", "disk", Failure, "files", func(_ *testing.T, s *Subject, _ string) {
			s.Disk = func(path string) (uint64, error) {
				if strings.HasSuffix(path, "files") {
					return 1 << 20, nil
				}
				return 50 << 30, nil
			}
		}},
		{"a system that does not tell", "disk", Warning, "cannot be told", func(_ *testing.T, s *Subject, _ string) {
			s.Disk = func(string) (uint64, error) { return 0, errors.ErrUnsupported }
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, dir := healthy(t, testdb.SQLite(t))
			tt.spoil(t, &s, dir)
			results := Examine(t.Context(), s)
			r := find(results, tt.check)
			if r.Status != tt.want || !strings.Contains(r.Found, tt.found) || r.Advice == "" {
				t.Errorf("%+v, want %s and %q", r, tt.want, tt.found)
			}
			if got := Worst(results); got != tt.want {
				t.Errorf("in all %s: %+v", got, results)
			}
			for _, r := range results {
				if strings.Contains(r.Found+r.Advice, "hidden") {
					t.Errorf("%+v shows a secret", r)
				}
			}
		})
	}
}

// undo has the last migration be pending, as for an older release.
func undo(t *testing.T, url string) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err == nil {
		_, err = db.Writer.ExecContext(t.Context(),
			"DELETE FROM goose_db_version WHERE version_id = (SELECT MAX(version_id) FROM goose_db_version)")
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestServers judges what MySQL, MariaDB and Galera say of themselves.
func TestServers(t *testing.T) {
	healthy := func() facts {
		return facts{
			variables: map[string]string{
				"version": "10.11.6-MariaDB", "tx_isolation": "READ-COMMITTED", "innodb_flush_log_at_trx_commit": "1",
				"log_bin": "ON", "sync_binlog": "1", "wsrep_on": "ON",
			},
			status: map[string]string{
				"wsrep_ready": "ON", "wsrep_cluster_status": "Primary", "wsrep_cluster_size": "3",
				"wsrep_local_state_comment": "Synced",
			},
			at: noon,
		}
	}
	for _, tt := range []struct {
		name  string
		spoil func(f *facts)
		want  string // the checks that found something, with their status
	}{
		{"as it should be", func(*facts) {}, ""},
		{"MySQL 8", func(f *facts) {
			f.variables = map[string]string{"version": "8.0.36", "transaction_isolation": "READ-COMMITTED"}
		}, ""},
		{"an old MariaDB", func(f *facts) { f.variables["version"] = "10.5.9-MariaDB" }, "database failure"},
		{"MySQL 5.7", func(f *facts) { f.variables["version"] = "5.7.44" }, "database failure"},
		{"a version that tells nothing", func(f *facts) { f.variables["version"] = "head" }, "database warning"},
		{"REPEATABLE READ", func(f *facts) { f.variables["tx_isolation"] = "REPEATABLE-READ" }, "isolation failure"},
		{"logs that are not flushed", func(f *facts) {
			f.variables["innodb_flush_log_at_trx_commit"] = "2"
		}, "durability warning"},
		{"a binary log that is not synced", func(f *facts) { f.variables["sync_binlog"] = "0" }, "durability warning"},
		{"no binary log", func(f *facts) { f.variables["sync_binlog"], f.variables["log_bin"] = "0", "OFF" }, ""},
		{"a node that is not ready", func(f *facts) { f.status["wsrep_ready"] = "OFF" }, "galera failure"},
		{"a node without majority", func(f *facts) { f.status["wsrep_cluster_status"] = "non-Primary" }, "galera failure"},
		{"two nodes", func(f *facts) { f.status["wsrep_cluster_size"] = "2" }, "galera warning"},
		{"four nodes", func(f *facts) { f.status["wsrep_cluster_size"] = "4" }, "galera warning"},
		{"no cluster", func(f *facts) { f.variables["wsrep_on"] = "OFF"; f.status = nil }, ""},
		{"a clock two minutes behind", func(f *facts) { f.at = noon.Add(2 * time.Minute) }, ""},
		{"a clock that is behind", func(f *facts) { f.at = noon.Add(2*time.Minute + time.Second) }, "clock warning"},
		{"a clock that is ahead", func(f *facts) { f.at = noon.Add(-2*time.Minute - time.Second) }, "clock warning"},
		{"a slow answer", func(f *facts) { f.at, f.trip = noon.Add(-2*time.Minute-time.Second), 4*time.Second }, ""},
	} {
		f := healthy()
		tt.spoil(&f)
		var got []string
		for _, r := range []Result{Subject{}.version(f, "mysql"), isolation(f), durability(f), galera(f), clock(f, noon)} {
			if r.Status != OK {
				got = append(got, r.Check+" "+string(r.Status))
			}
			if r.Found == "" || (r.Advice == "") != (r.Status == OK) {
				t.Errorf("%s: %+v", tt.name, r)
			}
		}
		if strings.Join(got, ", ") != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestPrint writes one line for each result, whatever it found.
func TestPrint(t *testing.T) {
	var out strings.Builder
	err := Print(&out, []Result{
		{"settings", Failure, "--addr is wrong\n--cache is wrong", "correct them"},
		{Check: "mail", Status: OK, Found: "answers"},
	})
	want := "failure  settings       --addr is wrong; --cache is wrong; correct them\nok       mail           answers\n"
	if err != nil || out.String() != want {
		t.Errorf("%q, %v; want %q", out.String(), err, want)
	}
}

// TestFree asks for the space of this machine, and of a folder that is not there.
func TestFree(t *testing.T) {
	if free, err := Free(t.TempDir()); err != nil || free == 0 {
		t.Errorf("%d, %v", free, err)
	}
	if _, err := Free(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there has space")
	}
}
