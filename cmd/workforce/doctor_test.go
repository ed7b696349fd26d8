package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDoctor examines an installation that was never started, then one with faults. It creates
// nothing, and shows no secret.
func TestDoctor(t *testing.T) {
	dir := t.TempDir()
	flags := []string{
		"--database=sqlite:" + filepath.Join(dir, "w.db"), "--files=file:" + filepath.Join(dir, "files"),
		"--secret-key-file=" + filepath.Join(dir, "secret.key"),
	}
	out, err := command(t, nil, append([]string{"doctor"}, flags...)...)
	if err != "" || !strings.HasPrefix(out, "ok       settings ") || !strings.Contains(out, "\nwarning  database ") ||
		strings.Contains(out, "failure") {
		t.Errorf("printed\n%s%s", out, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("it created %v, %v", left, err)
	}
	t.Chdir(dir)
	want := "no setting names a database, and there is no data/workforce.db; " +
		"name the file of the settings by --config or WORKFORCE_CONFIG"
	if out, _ := command(t, nil, "doctor"); !strings.Contains(out, want) {
		t.Errorf("without settings:\n%s", out)
	}
	out, err = command(t, nil, append([]string{"doctor", "--json", "--smtp-url=smtp://u:hidden@127.0.0.1:1",
		"--mail-from=a@b.test", "--sms-url=http://127.0.0.1:1/hidden", "--sms-secret=hidden", "--access-life=0s",
	}, flags...)...)
	var told struct {
		Status string
		Checks []struct{ Check, Status, Found, Advice string }
	}
	if failed := json.Unmarshal([]byte(out), &told); failed != nil {
		t.Fatalf("%s: %v", out, failed)
	}
	var failures []string
	for _, c := range told.Checks {
		if c.Status == "failure" {
			failures = append(failures, c.Check)
		}
	}
	if told.Status != "failure" || strings.Join(failures, " ") != "settings mail gateway" ||
		err != "3 of 8 checks failed" {
		t.Errorf("%s, %q, %s", told.Status, failures, err)
	}
	if strings.Contains(out+err, "hidden") {
		t.Errorf("a secret is shown: %s%s", out, err)
	}
}

// TestHealthcheck asks servers that live, fail, and are not there.
func TestHealthcheck(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz", "/below/healthz":
		case "/moved/healthz":
			http.Redirect(w, r, "/healthz", http.StatusFound)
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer srv.Close()
	addr := strings.TrimPrefix(srv.URL, "http://")
	for _, tt := range []struct{ arg, want string }{
		{"--addr=" + addr, ""}, {"--addr=" + strings.TrimPrefix(addr, "127.0.0.1"), ""},
		{"--addr=0.0.0.0" + strings.TrimPrefix(addr, "127.0.0.1"), ""},
		{"--url=" + srv.URL, ""}, {"--url=" + srv.URL + "/below/", ""},
		{"--url=" + srv.URL + "/other", srv.URL + "/other/healthz answers 503"},
		{"--url=" + srv.URL + "/moved", srv.URL + "/moved/healthz answers 302"},
		{"--addr=127.0.0.1:1", "http://127.0.0.1:1/healthz: dial tcp 127.0.0.1:1: connect: connection refused"},
		{"--addr=8080", `--addr: "8080" is no address such as 127.0.0.1:8080`},
		{"--url=api.example.com", "--url must begin with http:// or https:// and name a host"},
	} {
		if out, err := command(t, nil, "healthcheck", tt.arg); out != "" || err != tt.want {
			t.Errorf("%s: %q, %q, want %q", tt.arg, out, err, tt.want)
		}
	}
	encrypted := httptest.NewTLSServer(http.NotFoundHandler())
	defer encrypted.Close()
	addr = strings.TrimPrefix(encrypted.URL, "https://")
	for _, arg := range []string{"--tls-cert=cert.pem", "--tls-domain=api.example.com"} {
		want := encrypted.URL + "/healthz answers 404"
		if out, err := command(t, nil, "healthcheck", "--addr="+addr, arg); out != "" || err != want {
			t.Errorf("%s: %q, %q, want %q", arg, out, err, want)
		}
	}
	if _, err := command(t, nil, "healthcheck", "--url="+encrypted.URL); !strings.Contains(err, "certificate") {
		t.Errorf("a certificate of nobody is trusted: %q", err)
	}
	if got, err := (&healthCmd{Addr: "[::]:80"}).address(); err != nil || got != "http://[::1]:80/healthz" {
		t.Errorf("all addresses of IPv6: %s, %v", got, err)
	}
}

// TestExitStatus tells apart what failed and what was not understood.
func TestExitStatus(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want int
	}{
		{[]string{"version"}, 0},
		{[]string{"healthcheck", "--addr=127.0.0.1:1"}, 1},
		{[]string{"healthcheck", "--nothing"}, 2},
		{[]string{"user", "recover"}, 2}, {[]string{"nothing"}, 2},
	} {
		var out strings.Builder
		err := run(context.Background(), tt.args, streams{strings.NewReader(""), &out, &out})
		if got := exitStatus(err); got != tt.want {
			t.Errorf("%v: %d, want %d: %v", tt.args, got, tt.want, err)
		}
	}
}
