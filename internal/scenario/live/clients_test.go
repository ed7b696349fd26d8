package live

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
)

// installClients returns a folder with the npm clients. It needs the registry of npm, or
// its cache.
func installClients(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join("testdata", "clients"))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline")
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Skip("SKIPPED, not tested with npm's clients (Debian: as root .ci/need node): ", err)
	}
	return folder
}

// A nodeClient is a program in testdata/clients.
type nodeClient struct {
	t     *testing.T
	lines *bufio.Scanner
}

// runNode starts a program, which subscribes and prints what it gets.
func runNode(t *testing.T, program, url, token, query, count string) *nodeClient {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "node", program, url, token, query, count)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return &nodeClient{t, bufio.NewScanner(out)}
}

// want reads lines that contain texts.
func (c *nodeClient) want(texts ...string) {
	c.t.Helper()
	for _, text := range texts {
		if !c.lines.Scan() || !strings.Contains(c.lines.Text(), text) {
			c.t.Fatalf("printed %q, want %q", c.lines.Text(), text)
		}
	}
}

// TestClients has the clients graphql-ws and graphql-sse subscribe, be refused, and be
// ended.
func TestClients(t *testing.T) {
	t.Parallel() // it waits
	s := newServer(t, "sqlite:"+t.TempDir()+"/test.db")
	folder, token := installClients(t), s.Vars["admin.access"]
	ws, sse := strings.Replace(s.URL, "http", "ws", 1)+"/graphql", s.URL+"/graphql/stream"

	first, second := runNode(t, folder+"/ws.mjs", ws, token, changed, "2"), runNode(t, folder+"/sse.mjs", sse, token, changed, "2")
	first.want("connected")
	second.want("connected")
	time.Sleep(time.Second) // graphql-ws does not tell when it has subscribed
	clock(t, s, harness.ClockIn("budi"), harness.ClockIn("admin"))
	for _, c := range []*nodeClient{first, second} {
		c.want(`"email":"budi@demo.test"`, `"email":"admin@demo.test"`, "done")
	}

	runNode(t, folder+"/ws.mjs", ws, "wfa_bad", changed, "1").want("closed 4403 Forbidden")
	runNode(t, folder+"/sse.mjs", sse, "wfa_bad", changed, "1").want("failed 401")
	refused := runNode(t, folder+"/ws.mjs", ws, token, "subscription { nothing }", "1")
	refused.want("connected", "refused [{")

	ended, completed := runNode(t, folder+"/ws.mjs", ws, token, changed, "1"), runNode(t, folder+"/sse.mjs", sse, token, changed, "1")
	ended.want("connected")
	completed.want("connected")
	time.Sleep(time.Second)
	s.GraphQL(t, s.HeaderOf("admin"), `mutation { logout { loggedOut } }`, nil, nil)
	ended.want("closed 4401 Unauthorized")
	completed.want("done")
}
