package clients

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// limit is how long anything may take to begin or to end.
const limit = time.Minute

// blocks returns the blocks of shell lines of a document, whose path is that from the module's folder.
func blocks(t *testing.T, document string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../..", document))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		all = append(all, m[1])
	}
	return all
}

// with replaces parts of lines, each of which must be there.
func with(t *testing.T, lines string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(lines, pairs[i]) {
			t.Fatalf("no %q in\n%s", pairs[i], lines)
		}
		lines = strings.Replace(lines, pairs[i], pairs[i+1], 1)
	}
	return lines
}

// planned returns the commands that make would run for what lines of the shell tell it to make, by name.
func planned(t *testing.T, lines string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^make (\w+)`).FindAllStringSubmatch(lines, -1) {
		out, err := exec.Command("make", "-C", "../../..", "--no-print-directory", "-n", m[1]).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		all[m[1]] = string(out)
	}
	return all
}

// serve runs shell lines that end in a server, in a folder, until the test ends, and returns the server's
// address once it is ready.
func serve(t *testing.T, dir, addr, lines string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	log := &harness.Buffer{}
	cmd := exec.CommandContext(ctx, "bash", "-euc", lines)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) } // the server too
	cmd.WaitDelay = limit
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	t.Cleanup(func() { cancel(); <-ended })
	for deadline := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get("http://" + addr + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return "http://" + addr
			}
		}
		select {
		case <-ended:
			t.Fatalf("it ended\n%s", log)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("not ready\n%s", log)
		}
	}
}

// run serves the demo in a folder of its own as make run does, but elsewhere.
func run(t *testing.T, bin, first string) (dir, url string) {
	t.Helper()
	addr, make := harness.FreeAddr(t), planned(t, first)
	if !strings.Contains(make["test"], "go test") {
		t.Errorf("make test would run %s", make["test"])
	}
	_, command, _ := strings.Cut(make["run"], "go run ./cmd/workforce ")
	if command == "" {
		t.Fatalf("make run would run %s", make["run"])
	}
	dir = t.TempDir()
	return dir, serve(t, dir, addr, bin+" "+strings.TrimSpace(command)+" --addr "+addr)
}

// TestReadme pastes the lines of the README and of the introduction, in their order. Addresses are others.
func TestReadme(t *testing.T) {
	bin, readme, introduction := harness.Build(t), blocks(t, "README.md"), blocks(t, "docs/introduction.md")
	if len(readme) != 4 || len(introduction) != 1 { // the one about Postman is pasted where newman is installed
		t.Fatalf("%d and %d blocks, 4 and 1 are known", len(readme), len(introduction))
	}
	t.Run("sign in", func(t *testing.T) {
		t.Parallel()
		dir, url := run(t, bin, readme[0])
		lines := with(t, readme[1], "B=http://127.0.0.1:8080\n", "B="+url+"\n") + `echo; echo "$DEVICE $USER_TOKEN $ACCESS"`
		out := strings.TrimSpace(harness.Paste(t, dir, "", lines))
		want := regexp.MustCompile(`^\{"verified":true[^\n]*\}\[\{"id":\d+,[^\n]*\]\nwfd_[\w-]+ wfu_[\w-]+ wfa_[\w-]+$`)
		if !want.MatchString(out) {
			t.Errorf("the lines print %s", out)
		}
		for _, e := range harness.Everybody {
			if !strings.Contains(out, `"name":"`+e+`"`) {
				t.Errorf("%s is not listed: %s", e, out)
			}
		}
	})
	t.Run("introduction", func(t *testing.T) {
		t.Parallel()
		dir, url := run(t, bin, readme[0])
		lines := with(t, introduction[0], "B=http://127.0.0.1:8080\n", "B="+url+"\n")
		if out := harness.Paste(t, dir, "", lines); out != `{"verified":true}{"clockedIn":true}` {
			t.Errorf("the lines print %s", out)
		}
	})
	t.Run("production", func(t *testing.T) {
		t.Parallel()
		production(t, bin, readme[3])
	})
}

// production runs the server as a company would, whose database and gateway are here.
func production(t *testing.T, bin, lines string) {
	if build := planned(t, lines)["build"]; !strings.Contains(build, " -o bin/workforce ./cmd/workforce\n") {
		t.Errorf("make build would run %s", build)
	}
	gateway := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(gateway.Close)
	dir, addr := t.TempDir(), harness.FreeAddr(t)
	if err := os.Mkdir(filepath.Join(dir, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(bin, filepath.Join(dir, "bin", "workforce")); err != nil {
		t.Fatal(err)
	}
	serve(t, dir, addr, with(t, lines, "make build ", "true ",
		"mysql://workforce:secret@db.internal:3306/workforce?tls=true", testdb.MySQL(t),
		"0.0.0.0:8080", addr, "--sms-url …", "--sms-url "+gateway.URL, "--sms-secret …", "--sms-secret secret"))
	link, err := os.ReadFile(filepath.Join(dir, "data", "setup-link"))
	if err != nil || !strings.HasPrefix(string(link), "https://api.contoh.id/setup") {
		t.Errorf("the link that creates the first company is %.60q, %v", link, err)
	}
}
