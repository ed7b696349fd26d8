package durability

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// logLine is a line of a JSON log, as far as the tests read it.
type logLine struct{ Msg, URL, Metrics, File string }

// launchJSON starts a server that logs JSON, waits for its line that begins with text, and
// checks that it writes JSON lines alone.
func (b binary) launchJSON(t *testing.T, dir, text string, args ...string) (*serving, map[string]logLine) {
	t.Helper()
	p, out := b.launch(t, dir, args...)
	p.log.Written.Wait(func() bool {
		_, after, ok := strings.Cut(p.log.String(), `"msg":"`+text)
		return ok && strings.Contains(after, "\n") || p.hasEnded()
	})
	found := map[string]logLine{}
	for line := range strings.Lines(out.String() + p.log.String()) {
		var l logLine
		if err := json.Unmarshal([]byte(line), &l); err != nil && strings.HasSuffix(line, "\n") {
			t.Errorf("%v in the line %s", err, line)
		}
		found[l.Msg] = l
	}
	if found["serving"].URL == "" {
		t.Fatalf("it does not start, ended: %v, log: %s", p.hasEnded(), p.log)
	}
	return p, found
}

// jsonLogs creates the first company of a server that logs JSON: its link is in a file,
// which is there as long as the link is of use.
func jsonLogs(t *testing.T, bin binary, database string) {
	const offer = "there is no company: open the link in the file within an hour to create it"
	dir := t.TempDir()
	args := []string{"--database=" + database, "--secret-key-file=keys/secret.key", "--admin-addr=127.0.0.1:0"}
	file := filepath.Join(dir, "keys/setup-link")
	leave := func() { // what somebody may read, of an earlier start
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("http://127.0.0.1/setup?token=old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	leave()
	p, lines := bin.launchJSON(t, dir, offer, append(args, "--log-format=json")...)
	if got := lines[offer].File; got != file {
		t.Errorf("the log names %q, want %s", got, file)
	}
	if status, body := fetch(t, lines["serving"].Metrics); status != http.StatusOK {
		t.Errorf("metrics at %q: %d %.200s", lines["serving"].Metrics, status, body)
	}
	text, err := os.ReadFile(file)
	if info, statErr := os.Stat(file); err != nil || statErr != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v, %v; want 0600", info.Mode(), err, statErr)
	}
	link := strings.TrimSuffix(string(text), "\n")
	at, token, ok := strings.Cut(link, "/setup?token=")
	if status, body := fetch(t, link); !ok || at != lines["serving"].URL || status != http.StatusOK {
		t.Fatalf("the link %q: %d %.200s", link, status, body)
	}
	if strings.Contains(p.log.String(), token) {
		t.Errorf("the token is in the log: %s", p.log)
	}
	resp, err := http.PostForm(at+"/setup", url.Values{
		"token": {token}, "companyName": {"PT Contoh"}, "timezone": {"Asia/Jakarta"}, "locale": {"id"},
		"name": {"Sri Wahyuni"}, "email": {"sri@contoh.id"}, "password": {"correct horse battery"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _ = resp.Body.Close(); resp.StatusCode != http.StatusOK {
		t.Fatalf("the form answers %d", resp.StatusCode)
	}
	gone := func(when string) {
		if left, err := filepath.Glob(filepath.Join(dir, "keys/*setup-link*")); err != nil || len(left) > 0 {
			t.Errorf("%s: %q, %v", when, left, err)
		}
	}
	gone("after the company was created")
	if code := p.stop(t); code != 0 {
		t.Errorf("exit code %d: %s", code, p.log)
	}
	leave()
	_, lines = bin.launchJSON(t, dir, "serving", args...) // by default too, where nobody sits at a terminal
	gone("at a start with a company")
	if lines[offer].Msg != "" {
		t.Errorf("a link is offered: %v", lines)
	}
}
