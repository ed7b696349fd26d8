package live

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// ask runs a client that asks for operations by their hashes, to its end, and has somebody clock in
// once it has subscribed. It returns the lines that the client printed, those of events sorted.
func ask(t *testing.T, s *harness.Server, folder, program, person string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", filepath.Join(folder, program), s.URL+"/graphql", s.Vars["admin.access"])
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	subscribed := 0
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		if line := scanner.Text(); line != "subscribed" {
			lines = append(lines, line)
			continue
		}
		subscribed = len(lines)
		clock(t, s, harness.ClockIn(person))
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%s: %v", program, err)
	}
	slices.Sort(lines[subscribed:])
	return lines
}

// TestNamedOperations has Apollo Client and urql ask for operations by their hashes, as their links do,
// of a server that keeps the texts and of one that does not. Over SSE, urql does not try again with the text.
func TestNamedOperations(t *testing.T) {
	t.Parallel() // it waits
	folder := installClients(t)
	kept := newServer(t, "sqlite:"+t.TempDir()+"/kept.db")
	off := newServer(t, "sqlite:"+t.TempDir()+"/off.db", func(c *server.Config) { c.PersistedQueries = false })
	for _, test := range []struct {
		s               *harness.Server
		program, person string
		want            string
	}{
		{kept, "apollo.mjs", "budi", `first: POST hash, POST text hash: "admin@demo.test"
again: POST hash: "admin@demo.test"
another client: POST hash: "admin@demo.test"
by GET: GET hash: "admin@demo.test"
a write: POST hash, POST text hash: "en"
the write again: POST hash: "en"
news: : "string"`},
		{kept, "urql.mjs", "admin", `first: GET hash, GET text hash: "admin@demo.test"
again: GET hash: "admin@demo.test"
another client: GET hash: "admin@demo.test"
by GET: GET hash: "admin@demo.test"
a write: POST hash, POST text hash: "en"
the write again: POST hash: "en"
news over SSE: "string"
news over WebSocket: "string"`},
		{off, "apollo.mjs", "budi", `first: POST hash, POST text: "admin@demo.test"
again: POST text: "admin@demo.test"
another client: POST hash, POST text: "admin@demo.test"
by GET: GET hash, POST text: "admin@demo.test"
a write: POST text: "en"
the write again: POST hash, POST text: "en"
news: : "string"`},
		{off, "urql.mjs", "admin", `first: GET hash, GET text: "admin@demo.test"
again: POST text: "admin@demo.test"
another client: GET hash, GET text: "admin@demo.test"
by GET: GET hash, GET text: "admin@demo.test"
a write: POST hash, POST text: "en"
the write again: POST text: "en"
news over SSE: "[GraphQL] PersistedQueryNotSupported"
news over WebSocket: "string"`},
	} {
		got := strings.Join(ask(t, test.s, folder, test.program, test.person), "\n")
		if got != test.want {
			t.Errorf("%s printed\n%s\nwant\n%s", test.program, got, test.want)
		}
	}
}
