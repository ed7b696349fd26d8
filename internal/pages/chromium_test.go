package pages

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// A tab is a page in a headless Chromium, spoken to over the pipe variant of
// the DevTools protocol: JSON messages, each ended by a zero byte.
type tab struct {
	t        *testing.T
	in       *os.File
	out      *bufio.Reader
	session  string
	lastID   int
	requests []string // every URL asked for, by the page and by its workers
	workers  []string // URLs of the workers started
	console  []string // warnings, errors and uncaught exceptions
}

// A command is what goes to the browser.
type command struct {
	ID      int    `json:"id"`
	Session string `json:"sessionId,omitempty"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

// A message is what comes from it: the answer to the command of that ID, or an
// event, whose ID is zero.
type message struct {
	ID            int
	Result, Error json.RawMessage
	Method        string
	Params        json.RawMessage
}

// chromium returns the path of the browser; .ci/need knows the same names. Without
// one the test is skipped, and fails in CI.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	const missing = "NOT TESTED IN A BROWSER: chromium is missing; install it (Debian: apt-get install chromium)"
	if os.Getenv("CI") != "" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// openTab starts a browser that ends with the test.
func openTab(t *testing.T) *tab {
	t.Helper()
	path := chromium(t)
	profile, err := os.MkdirTemp("", "chromium")
	if err != nil {
		t.Fatal(err)
	}
	theirIn, in := pipe(t)
	out, theirOut := pipe(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--remote-debugging-pipe", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-extensions", "--disable-sync", "--disable-breakpad", "--window-size=1440,900",
		"--user-data-dir="+profile, "about:blank")
	cmd.Env = append(os.Environ(), "HOME="+profile, "XDG_CONFIG_HOME="+profile, "XDG_CACHE_HOME="+profile)
	cmd.ExtraFiles = []*os.File{theirIn, theirOut} // file descriptors 3 and 4, as Chromium has it
	cmd.Stderr = io.Discard                        // through a pipe, so that Wait waits for the helper processes too
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirIn.Close()
	_ = theirOut.Close()
	b := &tab{t: t, in: in, out: bufio.NewReader(out)}
	t.Cleanup(func() {
		b.session = ""
		b.send("", "Browser.close", nil)
		_ = cmd.Wait()
		cancel()
		_ = os.RemoveAll(profile)
	})
	b.attach()
	return b
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close(); _ = w.Close() })
	return r, w
}

// attach opens the tab and starts watching what it does.
func (b *tab) attach() {
	b.t.Helper()
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	b.watch(b.session)
	b.call("Page.enable", nil, nil)
	b.call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": `window.refused = [];
		addEventListener("securitypolicyviolation", e => refused.push(e.effectiveDirective + " " + e.blockedURI))`}, nil)
}

// watch asks for the requests and complaints of a page or worker, and for the
// workers it starts, which wait until they are watched too.
func (b *tab) watch(session string) {
	b.send(session, "Network.enable", nil)
	b.send(session, "Runtime.enable", nil)
	b.send(session, "Log.enable", nil)
	b.send(session, "Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
	b.send(session, "Runtime.runIfWaitingForDebugger", nil)
}

func (b *tab) send(session, method string, params any) int {
	b.t.Helper()
	b.lastID++
	if params == nil {
		params = struct{}{}
	}
	line, err := json.Marshal(command{b.lastID, session, method, params})
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.in.Write(append(line, 0)); err != nil {
		b.t.Errorf("%s: %v", method, err)
	}
	return b.lastID
}

// call sends a command, notes what happens until its answer, and decodes that
// into result unless result is nil.
func (b *tab) call(method string, params, result any) {
	b.t.Helper()
	id := b.send(b.session, method, params)
	for {
		line, err := b.out.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: the browser went away: %v", method, err)
		}
		var m message
		if err := json.Unmarshal(line[:len(line)-1], &m); err != nil {
			b.t.Fatal(err)
		}
		if m.ID != id {
			b.note(m)
			continue
		}
		if m.Error != nil {
			b.t.Fatalf("%s: %s", method, m.Error)
		}
		if result != nil {
			if err := json.Unmarshal(m.Result, result); err != nil {
				b.t.Fatal(err)
			}
		}
		return
	}
}

// note keeps the events that the tests ask about.
func (b *tab) note(m message) {
	b.t.Helper()
	var p struct {
		SessionID  string
		TargetInfo struct{ Type, URL string }
		Request    struct{ URL string }
		Type       string
		Args       []struct{ Value any }
		Entry      struct{ Level, Text string }
	}
	if m.ID != 0 || json.Unmarshal(m.Params, &p) != nil {
		return // an answer nobody waits for, or an event of another form
	}
	switch m.Method {
	case "Target.attachedToTarget":
		if p.TargetInfo.Type == "worker" {
			b.workers = append(b.workers, p.TargetInfo.URL)
		}
		if p.SessionID != b.session {
			b.watch(p.SessionID)
		}
	case "Network.requestWillBeSent":
		b.requests = append(b.requests, p.Request.URL)
	case "Network.webSocketCreated":
		b.requests = append(b.requests, string(m.Params))
	case "Runtime.consoleAPICalled":
		if (p.Type == "error" || p.Type == "warning") && len(p.Args) > 0 {
			b.console = append(b.console, string(m.Params))
		}
	case "Runtime.exceptionThrown":
		b.console = append(b.console, string(m.Params))
	case "Log.entryAdded":
		if p.Entry.Level == "error" {
			b.console = append(b.console, string(m.Params))
		}
	}
}

// eval returns the value of a JavaScript expression in the page.
func (b *tab) eval(expression string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		return errors.New(string(r.ExceptionDetails))
	}
	return r.Result.Value
}

// until waits for a JavaScript expression to be true.
func (b *tab) until(expression string) {
	b.t.Helper()
	var got any
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if got = b.eval(expression); got == true {
			return
		}
	}
	b.screenshot("failed")
	b.t.Fatalf("%s = %v after 30 s\nconsole:\n%s\npage:\n%.2000s", expression, got,
		strings.Join(b.console, "\n"), b.eval("document.body.innerText"))
}

// screenshot writes a picture of the page where SCREENSHOTS names a folder.
func (b *tab) screenshot(name string) {
	b.t.Helper()
	dir := os.Getenv("SCREENSHOTS")
	if dir == "" {
		return
	}
	var shot struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &shot)
	picture, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/"+strings.ReplaceAll(b.t.Name(), "/", "-")+"-"+name+".png", picture, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
