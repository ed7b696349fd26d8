package faults

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/database"
	"workforce/internal/scenario/harness"
)

// paste runs the shell lines of docs/operations.md that contain some text in the folder of a
// world, with its folder for backups.
func (w *world) paste(t *testing.T, text string) {
	t.Helper()
	lines := harness.ShellBlock(t, "docs/operations.md", text)
	harness.Paste(t, w.folder, filepath.Dir(w.binary), strings.ReplaceAll(lines, "/backup/", w.folder+"/backup/"))
}

// keys returns the keys of effects, in order.
func keys(t *testing.T, url string) (all []string) {
	t.Helper()
	rows, err := rowsOf(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		all = append(all, r.kind+" "+r.key)
	}
	slices.Sort(all)
	return all
}

// TestBackupAndRestore backs a SQLite file up under writes as the manual says, kills the server later, and
// restores as the manual says: what is there is the backup, and nothing of what was written since.
func TestBackupAndRestore(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("SKIPPED, backup and restore were not tested (Debian: as root .ci/need sqlite3): ", err)
	}
	t.Parallel()
	w := newWorld(t, harness.Build(t), "sqlite:data/workforce.db")
	file, backup := filepath.Join(w.folder, "data/workforce.db"), filepath.Join(w.folder, "backup/workforce.db")
	if err := os.Mkdir(filepath.Dir(backup), 0o700); err != nil {
		t.Fatal(err)
	}
	w.startAll(t)
	l := w.load(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	l.start(ctx)
	l.more(t, 100)

	acknowledged, start := l.acknowledged(), time.Now()
	w.paste(t, "VACUUM INTO")
	took, meanwhile := time.Since(start), l.acknowledged()-acknowledged
	t.Logf("a backup in %v, %d requests meanwhile", took, meanwhile)
	if took > 20*time.Second {
		t.Errorf("the backup took %v", took)
	}
	copied, err := database.Open("sqlite:"+backup, nil)
	if err != nil {
		t.Fatal(err)
	}
	var found string
	if err := copied.Reader.QueryRow("PRAGMA integrity_check").Scan(&found); err != nil || found != "ok" {
		t.Errorf("the backup: %s, %v", found, err)
	}
	if err := copied.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(backup); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want it for its owner alone", info.Mode(), err)
	}
	want := keys(t, "sqlite:"+backup)
	if len(want) == 0 {
		t.Fatal("the backup has no effects")
	}

	l.more(t, 100)
	stop()
	l.running.Wait() // they would wait for the server
	w.servers[0].kill()
	if info, err := os.Stat(file + "-wal"); err != nil || info.Size() == 0 {
		t.Fatalf("the killed server left no -wal: %v", err)
	}
	w.paste(t, "rm -f data/workforce.db-wal")
	w.startAll(t)
	if got := keys(t, "sqlite:"+file); !slices.Equal(got, want) {
		t.Errorf("%d effects are restored, want %d of the backup", len(got), len(want))
	}
	p := l.people[0]
	p.get(t, l.urls[0], "POST", "/graphql", `{"query":"mutation{createRole(input:{name:\"restored\",permissions:[]}){id}}"}`, nil)
	if text := w.servers[0].log.String(); strings.Contains(text, "malformed") {
		t.Errorf("log: %s", tail(text))
	}
}
