package faults

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// command runs the binary in the folder of a world, until it ends or a time is over, when it is killed.
func (w *world) command(t *testing.T, killAfter time.Duration, args ...string) (printed string, failed error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), killAfter)
	defer cancel()
	cmd := exec.CommandContext(ctx, w.binary, args...)
	cmd.Dir, cmd.Env = w.folder, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.folder}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// must runs the binary, which must succeed.
func (w *world) must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := w.command(t, limit, args...)
	if err != nil {
		t.Fatalf("%s: %v\n%s", args[0], err, out)
	}
	return out
}

// keyFile is that of the servers of a world.
func (w *world) keyFile() string { return filepath.Join(w.folder, "secret.key") }

// asked returns the keys of the requests that were begun, or of those that were acknowledged.
func (l *ledger) asked(acknowledged bool) (keys []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, e := range l.entries {
		if !acknowledged || slices.ContainsFunc(e.answers, answer.acknowledged) {
			keys = append(keys, e.kind+" "+key)
		}
	}
	return keys
}

// empty returns an empty database of the other kind than a URL's.
func empty(t *testing.T, url string) string {
	if strings.HasPrefix(url, "sqlite:") {
		return testdb.MySQL(t)
	}
	return "sqlite:" + filepath.Join(t.TempDir(), "moved.db")
}

// TestMoveUnderLoad backs an installation up under writes and restores it into a database of the other
// kind: what was acknowledged before is there, what was asked for later is not, and people go on.
func TestMoveUnderLoad(t *testing.T) {
	t.Parallel()
	binary := harness.Build(t)
	testdb.Each(t, func(t *testing.T, source string) {
		w := newWorld(t, binary, source)
		w.startAll(t)
		l := w.load(t)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		l.start(ctx)
		l.more(t, 60)
		before := l.asked(true)
		w.must(t, "backup", "--database="+source, "--files=file:data/files", "--secret-key-file="+w.keyFile(),
			"--output=all.backup")
		until := l.asked(false)
		l.more(t, 30)
		stop()
		l.running.Wait()
		w.servers[0].kill()

		target := empty(t, source)
		w.must(t, "backup", "verify", "all.backup", "--secret-key-file="+w.keyFile())
		w.must(t, "restore", "all.backup", "--database="+target, "--files=file:moved", "--secret-key-file="+w.keyFile())
		got := keys(t, target)
		if lost := without(before, got); len(lost) > 0 {
			t.Errorf("acknowledged before the backup, and not in it: %v", lost)
		}
		if later := without(got, until); len(later) > 0 {
			t.Errorf("asked for after the backup, and in it: %v", later)
		}
		if len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Error("a request has two effects")
		}
		w.servers[0].database, w.flags = target, []string{"--files=file:moved"}
		w.startAll(t)
		l = w.load(t)
		ctx, stop = context.WithCancel(t.Context())
		defer stop()
		l.start(ctx)
		l.more(t, 20)
		stop()
		l.running.Wait()
	})
}

// endLease has the lease of a killed restore be over, as half a minute later.
func endLease(t *testing.T, url string) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, _ = db.Writer.Exec("UPDATE migration_lease SET expires_at = 0") // there may be none yet
}

// TestKilledRestore kills restores at any time. The database is then as it was, or marked, or restored;
// the next restore ends with all of the backup.
func TestKilledRestore(t *testing.T) {
	t.Parallel()
	binary := harness.Build(t)
	testdb.Each(t, func(t *testing.T, target string) {
		source := "sqlite:" + filepath.Join(t.TempDir(), "source.db")
		w := newWorld(t, binary, source)
		w.startAll(t)
		w.servers[0].kill()
		w.must(t, "backup", "--database="+source, "--files=file:data/files", "--secret-key-file="+w.keyFile(),
			"--output=all.backup")
		restore := func(to, files string) []string {
			return []string{"restore", "all.backup", "--database=" + to, "--files=file:" + files, "--secret-key-file=" +
				w.keyFile()}
		}
		began := time.Now()
		w.must(t, restore("sqlite:"+filepath.Join(t.TempDir(), "whole.db"), "whole")...)
		whole := time.Since(began)
		states := map[string]int{}
		times(t, func(t *testing.T, n int) {
			for i := range 6 {
				endLease(t, target)
				if out, err := w.command(t, whole*time.Duration(i+1)/7, restore(target, fmt.Sprint("moved", n))...); err == nil {
					states["restored"]++
					break
				} else if !strings.Contains(err.Error(), "killed") {
					t.Fatalf("%v: %s", err, out)
				}
				out, err := w.command(t, limit, "migrate", "status", "--database="+target)
				switch {
				case err == nil || strings.Contains(out, "pending"):
					states["as it was"]++
				case strings.Contains(out, "did not finish"):
					states["marked"]++
				default:
					t.Fatal(out)
				}
			}
			if states["restored"] == 0 {
				endLease(t, target)
				w.must(t, restore(target, fmt.Sprint("moved", n))...)
			}
			out := w.must(t, "user", "list", "--json", "--database="+target)
			if want := w.must(t, "user", "list", "--json", "--database="+source); out != want {
				t.Errorf("users\n%s\nwant\n%s", out, want)
			}
			if *long > 0 {
				target, states["restored"] = "sqlite:"+filepath.Join(t.TempDir(), fmt.Sprint(n, ".db")), 0
			}
		})
		if states["marked"] == 0 {
			t.Errorf("no restore was killed half way: %v", states)
		}
		t.Log(states)
	})
}

// acknowledged copies what was acknowledged so far, by kind.
func (s *sharing) acknowledged() map[string][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	copied := map[string][]string{}
	for kind, list := range s.told {
		copied[kind] = slices.Clone(list)
	}
	return copied
}

// texts reads one column of a database.
func texts(t *testing.T, url, query string) (all []string) {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Reader.Query(query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestKilledBackup kills backups at any time: no file is there, nobody notices, and the next one succeeds.
func TestKilledBackup(t *testing.T) {
	if *long == 0 {
		t.Skip("for make faults, since leases of killed backups take their time")
	}
	binary := harness.Build(t)
	testdb.Each(t, func(t *testing.T, source string) {
		w := newWorld(t, binary, source)
		w.during(t, source, func(l *load) {
			backup := []string{"backup", "--database=" + source, "--files=file:data/files", "--secret-key-file=" + w.keyFile()}
			began := time.Now()
			w.must(t, append(backup, "--output=whole.backup")...)
			whole := time.Since(began)
			for i := range 6 {
				endLease(t, source)
				out, err := w.command(t, whole*time.Duration(i+1)/12, append(backup, "--output=all.backup")...)
				if err == nil {
					t.Fatalf("it was not killed: %s", out)
				}
				if _, err := os.Stat(filepath.Join(w.folder, "all.backup")); err == nil {
					t.Fatal("a backup that was killed has its name")
				}
			}
			l.more(t, 20)
			endLease(t, source)
			w.must(t, append(backup, "--output=all.backup")...)
			w.must(t, "backup", "verify", "all.backup", "--secret-key-file="+w.keyFile())
		})
	})
}

// TestKilledScheduledBackup kills a server again and again while it writes its first scheduled backup. Only
// whole backups have a name, and there is one in the end.
func TestKilledScheduledBackup(t *testing.T) {
	if *long == 0 {
		t.Skip("for make faults, since the leases of killed jobs take their time")
	}
	binary := harness.Build(t)
	testdb.Each(t, func(t *testing.T, source string) {
		w := newWorld(t, binary, source)
		w.startAll(t)
		w.servers[0].kill()
		w.flags = []string{"--backup-to=backups", "--backup-every=1h", "--backup-keep=2"}
		for i := range 8 {
			w.startAll(t)
			time.Sleep(time.Duration(i*40) * time.Millisecond)
			w.servers[0].kill()
		}
		w.startAll(t)
		var made []string
		for deadline := time.Now().Add(limit); len(made) == 0; time.Sleep(100 * time.Millisecond) {
			made, _ = filepath.Glob(filepath.Join(w.folder, "backups", "workforce-*.tar.zst"))
			if time.Now().After(deadline) {
				t.Fatalf("no backup; log: %s", tail(w.servers[0].log.String()))
			}
		}
		for _, name := range made {
			w.must(t, "backup", "verify", name, "--secret-key-file="+w.keyFile())
		}
	})
}
