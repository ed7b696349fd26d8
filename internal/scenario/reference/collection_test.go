package reference

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

var update = flag.Bool("update", false, "write the recorded answers anew")

const (
	answersFile = "../../../rest/operations/answers.json"
	publicURL   = "http://127.0.0.1:8080"
)

// A recorded operation is a request of the collection and its answer.
type recorded struct {
	Parameters map[string]string `json:"parameters,omitempty"`
	Body       any               `json:"body,omitempty"`
	Answer     any               `json:"answer,omitempty"`
}

// TestCollection runs docs/postman.json from the first request to the last, with a code from the
// log, on a demo at a fixed time. The answers are the examples of openapi.json.
func TestCollection(t *testing.T) {
	s := harness.New(t, testdb.SQLite(t), func(c *server.Config) { c.PublicURL = publicURL })
	log := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for _, text := range s.Log.Messages("admin@demo.test") {
			fmt.Fprintf(w, "text=%q\n", text)
		}
	}))
	t.Cleanup(log.Close)
	proxied := httptest.NewServer(later(t, s))
	t.Cleanup(proxied.Close)
	export := newman(t, "baseUrl="+proxied.URL, "log="+log.URL)
	var got bytes.Buffer
	e := json.NewEncoder(&got)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(record(t, export)); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(answersFile, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(answersFile)
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%s is stale (%v): look at what -update changes\n%s", answersFile, err, harness.Difference(lines(got.Bytes()), lines(want)))
	}
}

// newman runs the collection with variables, and returns the file with what was sent and answered.
func newman(t *testing.T, variables ...string) (export string) {
	t.Helper()
	export = filepath.Join(t.TempDir(), "run.json")
	args := []string{"run", absolute(t, "postman.json"), "--working-dir", absolute(t, ""),
		"--reporters", "cli,json", "--reporter-json-export", export, "--color", "off"}
	for _, v := range variables {
		args = append(args, "--env-var", v)
	}
	if out, err := run(t, "newman", args...); err != nil {
		t.Fatalf("newman: %v\n%s", err, out)
	}
	return export
}

// TestCollectionTwice runs the collection twice by the README's lines, on what make run starts
// with a gateway's secret.
func TestCollectionTwice(t *testing.T) {
	makefile, err := os.ReadFile("../../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^\tgo run ./cmd/workforce (serve.*)$`).FindSubmatch(makefile)
	if line == nil {
		t.Fatal("make run starts no server")
	}
	dir, addr := t.TempDir(), harness.FreeAddr(t)
	var said harness.Buffer
	cmd := exec.CommandContext(t.Context(), harness.Build(t), append(strings.Fields(string(line[1])), "--sms-secret", "s3cret")...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &said, &said
	cmd.Env = append(os.Environ(), "WORKFORCE_ADDR="+addr)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Wait() }) // it was interrupted
	said.Written.Wait(func() bool { return strings.Contains(said.String(), "Workforce on ") })
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := regexp.MustCompile("(?s)```sh\n([^`]*newman.*?)```").FindSubmatch(readme)
	if lines == nil {
		t.Fatal("the README does not run the collection")
	}
	if err := os.Symlink(absolute(t, ""), filepath.Join(dir, "docs")); err != nil {
		t.Fatal(err)
	}
	install(t)
	_, port, _ := strings.Cut(harness.FreeAddr(t), ":")
	harness.Paste(t, dir, "", "trap 'kill $!' EXIT\n"+strings.NewReplacer(
		"npx newman@6.2.2 run", filepath.Join(folder, "node_modules", ".bin", "newman")+
			" run --iteration-count 2 --env-var smsSecret=s3cret --env-var baseUrl=http://"+addr,
		"8081", port,
	).Replace(string(lines[1])))
}

// later passes requests on to a server, each 10 seconds after the one before, but for those
// that ask again how far a report is.
func later(t *testing.T, s *harness.Server) http.Handler {
	t.Helper()
	to, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/task/report" {
			s.Clock.Advance(10 * time.Second)
		}
		proxy.ServeHTTP(w, r)
	})
}

// execution is one request of a run of newman.
type execution struct {
	Item    struct{ ID, Name string }
	Request struct {
		Method string
		URL    struct {
			Path  []string
			Query []struct{ Key, Value string }
		}
		Body struct{ Raw string }
	}
	Response struct {
		Code   int
		Header []struct{ Key, Value string }
		Stream struct{ Data []octet }
	}
}

// An octet is a byte in a JSON list of numbers; encoding/json reads base64 for []byte.
type octet = uint16

// record returns the requests of a run and their answers by operation: of several requests of
// one, the last, since what was asked for again is done by then.
func record(t *testing.T, export string) map[string]recorded {
	t.Helper()
	text, err := os.ReadFile(export)
	if err != nil {
		t.Fatal(err)
	}
	var run struct {
		Run struct{ Executions []execution }
	}
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	api, err := server.LoadAPI("")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]recorded{}
	for _, e := range api.Endpoints() {
		for _, x := range run.Run.Executions {
			if x.Item.ID == e.Operation && x.Response.Code == http.StatusOK {
				all[e.Operation] = x.record(t, e.Path)
			}
		}
		if _, ok := all[e.Operation]; !ok {
			t.Errorf("%s is not in the collection", e.Operation)
		}
	}
	return all
}

func (x execution) record(t *testing.T, path string) recorded {
	t.Helper()
	r := recorded{Parameters: map[string]string{}}
	for i, part := range strings.Split(path, "/")[1:] {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			r.Parameters[strings.TrimSuffix(name, "}")] = x.Request.URL.Path[i]
		}
	}
	for _, q := range x.Request.URL.Query {
		r.Parameters[q.Key] = q.Value
	}
	if x.Request.Body.Raw != "" {
		r.Body = plain(t, x.Item.ID, []byte(x.Request.Body.Raw), math.MaxInt)
	}
	for _, h := range x.Response.Header {
		if h.Key == "Content-Type" && strings.HasPrefix(h.Value, "application/json") {
			body := make([]byte, len(x.Response.Stream.Data))
			for i, b := range x.Response.Stream.Data {
				body[i] = byte(b)
			}
			r.Answer = plain(t, x.Item.ID, body, 2)
		}
	}
	return r
}

// masks are texts in place of those that are random, by operation and member or by member.
var masks = map[string]string{
	"deviceToken": "wfd_9bJ2kX7cVt4LqZ1nRw6yHs3mPd5fGaEu", "userToken": "wfu_2mKx9pVd4sTn7cLz1qRb6yHw3jFg8aEu",
	"accessToken": "wfa_3kT9vQ2nWzYc7RbX1mLp5sDh8fGj4aEu", "refreshToken": "wfr_6hW1pD8sNc3VxZ5tKb9yLq2mRf7jGaEu",
	"EncryptionKeys.n": "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAt",
	"Encrypt.value":    "eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiMSJ9.Zm9v.YmFy.YmF6.cXV4",
	"otp":              "123456", "password": "demo-password", "newPassword": "new-demo-password",
	"ForgotPassword.id": "123456789012345", "ResetPassword.id": "123456789012345", "ResetPassword.password": "new-demo-password",
}

var random = regexp.MustCompile(`WF[0-9a-f]{16}|[0-9a-f]{32}|[0-9A-Za-z_-]{40,}`)

// plain reads JSON of an operation, with masks in place of what is random, and so many items of
// lists at most.
func plain(t *testing.T, operation string, text []byte, most int) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		t.Fatalf("%s: %v in %s", operation, err, text)
	}
	var walk func(name string, value any) any
	walk = func(name string, value any) any {
		switch value := value.(type) {
		case map[string]any:
			for name, member := range value {
				value[name] = walk(name, member)
			}
		case []any:
			value = value[:min(len(value), most)]
			for i, item := range value {
				value[i] = walk(name, item)
			}
			return value
		case string:
			mask := cmp.Or(masks[operation+"."+name], masks[name])
			return cmp.Or(mask, random.ReplaceAllString(value, "0123456789abcdef0123456789abcdef"))
		}
		return value
	}
	return walk("", value)
}

func lines(text []byte) []string { return strings.Split(string(text), "\n") }
