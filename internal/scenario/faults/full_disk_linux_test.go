package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"workforce/internal/scenario/harness"
)

// smallDisk returns the folder of an empty disk of a size such as 16k.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size="+size); err != nil {
		untraceable(t, fmt.Errorf("mount: %w", err))
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// full runs the binary on a disk that is full once a thread has written so many pages of SQLite.
func (w *world) full(t *testing.T, pages int, args ...string) (printed string, failed error) {
	t.Helper()
	trace := []string{"-f", "-qq", "-o", os.DevNull, "-e", "trace=pwrite64", "-e", "signal=none",
		"-e", fmt.Sprintf("inject=pwrite64:error=ENOSPC:when=%d+", pages)}
	cmd := exec.Command("strace", append(append(trace, w.binary), args...)...)
	cmd.Dir, cmd.Env = w.folder, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + w.folder}
	out, err := cmd.CombinedOutput()
	if strings.Contains(string(out), "strace:") {
		untraceable(t, fmt.Errorf("%s", out))
	}
	return string(out), err
}

// TestFullDisk has the disk be full while a backup is written, which leaves no file, and while one is
// restored, which leaves the database marked: the next restore has all of it.
func TestFullDisk(t *testing.T) {
	if _, err := exec.LookPath("strace"); err != nil {
		t.Skip("SKIPPED, backups on full disks were not tested (Debian: as root .ci/need strace): ", err)
	}
	t.Parallel()
	source := "sqlite:" + filepath.Join(t.TempDir(), "source.db")
	w := newWorld(t, harness.Build(t), source)
	w.startAll(t)
	w.servers[0].kill()
	backup := []string{"backup", "--database=" + source, "--files=file:data/files", "--secret-key-file=" + w.keyFile(),
		"--output=all.backup"}
	small := smallDisk(t, "16k")
	out, err := w.command(t, limit, append(backup[:len(backup)-1:len(backup)-1], "--output="+small+"/all.backup")...)
	if err == nil || !strings.Contains(out, "no space left") {
		t.Errorf("a backup on a full disk: %v, %s", err, out)
	}
	if left := entries(t, small); left != "" {
		t.Errorf("it left %s", left)
	}
	w.must(t, backup...)
	marked := 0
	var target string
	for n, pages := range []int{1, 30, 100, 300} {
		target = "sqlite:" + filepath.Join(t.TempDir(), "target.db")
		restore := []string{"restore", "all.backup", "--database=" + target, fmt.Sprint("--files=file:moved", n),
			"--secret-key-file=" + w.keyFile()}
		out, err := w.full(t, pages, restore...)
		if err == nil { // no thread wrote so many
			continue
		}
		if !strings.Contains(out, "full") && !strings.Contains(out, "disk I/O error") {
			t.Errorf("a restore on a disk that was full after %d pages: %v, %s", pages, err, out)
		}
		if out, err := w.command(t, limit, "migrate", "status", "--database="+target); err != nil &&
			!strings.Contains(out, "pending") { // which it was before
			if !strings.Contains(out, "did not finish") {
				t.Errorf("after %d pages: %s", pages, out)
			}
			marked++
		}
		endLease(t, target)
		w.must(t, restore...)
	}
	if marked == 0 {
		t.Error("no restore was stopped half way")
	}
	out = w.must(t, "user", "list", "--json", "--database="+target)
	if want := w.must(t, "user", "list", "--json", "--database="+source); out != want {
		t.Errorf("users\n%s\nwant\n%s", out, want)
	}
}

// entries lists a folder.
func entries(t *testing.T, folder string) string {
	t.Helper()
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}
