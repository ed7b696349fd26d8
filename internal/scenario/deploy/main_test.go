// Package deploy tries what operators install: the image, the unit of systemd and the parts of the
// composed installation.
package deploy

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// folder is that of what operators install.
const folder = "../../../deploy"

// limit is how long anything may take to begin or to end.
const limit = time.Minute

// installed reports whether a program is there. In CI it must be.
func installed(t *testing.T, program, need string) bool {
	t.Helper()
	if _, err := exec.LookPath(program); err == nil {
		return true
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("no %s (Debian: as root .ci/need %s)", program, need)
	}
	t.Skipf("SKIPPED: no %s (Debian: as root .ci/need %s)", program, need)
	return false
}

// output runs a program, which must succeed.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", name, args, err, out, said.String())
	}
	return string(out)
}

// start runs a program until the test ends, and returns its log.
func start(t *testing.T, cmd *exec.Cmd) *harness.Buffer {
	t.Helper()
	log := &harness.Buffer{}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
		case <-time.After(limit):
			_ = cmd.Process.Kill()
			t.Error("it did not end")
		}
	})
	return log
}

// ask sends a request, and returns the status and the body.
func ask(t *testing.T, method, url, body string, header map[string]string) (int, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// await waits until a server is ready.
func await(t *testing.T, url string, log *harness.Buffer) {
	t.Helper()
	for deadline := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		status, said := ask(t, "GET", url+"/readyz", "", nil)
		if status == http.StatusOK {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("not ready: %d %s\n%s", status, said, log.String())
		}
	}
}

// read returns the text of a file of the folder.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestUnit has systemd examine the unit.
func TestUnit(t *testing.T) {
	if !installed(t, "systemd-analyze", "systemd") {
		return
	}
	program := harness.Build(t)
	unit := strings.ReplaceAll(read(t, "workforce.service"), "/usr/local/bin/workforce ", program+" ")
	path := filepath.Join(t.TempDir(), "workforce.service")
	if err := os.WriteFile(path, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", path).CombinedOutput()
	if err != nil || len(said) > 0 {
		t.Errorf("%v\n%s", err, said)
	}
	out := output(t, "systemd-analyze", "security", "--offline=yes", "--no-pager", "--threshold=20", path)
	if !strings.Contains(out, "exposure level") {
		t.Error(out)
	}
}
