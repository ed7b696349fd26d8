package testdb

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestNothingSurvivesAKilledTest(t *testing.T) {
	if _, err := exec.LookPath(mariadbd()); err != nil {
		require(t, errNotInstalled)
	}
	self := exec.Command(os.Args[0])
	self.Env = append(os.Environ(), "TESTDB_CHILD=1")
	out, err := self.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 4096)
	n, err := out.Read(line)
	_ = self.Process.Kill()
	_ = self.Wait() // killed
	folder, text, ok := strings.Cut(strings.TrimSpace(string(line[:n])), " ")
	pid, convErr := strconv.Atoi(text)
	if err != nil || !ok || convErr != nil {
		t.Fatalf("the child said %q, %v", line[:n], err)
	}

	deadline := time.Now().Add(10 * time.Second)
	for alive(pid) && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	if alive(pid) {
		t.Errorf("mariadbd %d outlived its test process", pid)
	}
	sweep(filepath.Dir(folder))
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("after a sweep, stat folder = %v, want not exist", err)
	}
}

// alive reports whether a process runs; one that only waits for its parent's
// notice does not.
func alive(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}
