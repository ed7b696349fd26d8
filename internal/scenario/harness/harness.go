// Package harness starts whole servers for tests and has what the scenarios of
// several domains share: requests, answers and problems.
package harness

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/admission"
	"workforce/internal/apitest"
	"workforce/internal/app/apptest"
	"workforce/internal/app/job"
	"workforce/internal/app/tx"
	"workforce/internal/demo"
	"workforce/internal/password"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// Morning is when the tests' servers start: a Tuesday, 09:00 in Jakarta.
var Morning = time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("WIB", 7*3600))

// A Server is a whole server with the demo companies, reached over HTTP,
// whose clock only moves when told to.
type Server struct {
	*apitest.Client
	*server.Server
	Clock *Clock
	Log   *Log

	// Rest ends what the server does besides answering requests, such as sending messages.
	Rest func()

	observer *observer
}

// A Clock is the server's clock.
type Clock struct {
	mu      sync.Mutex
	t       time.Time
	changed func() // called after each change
}

// Now returns the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

// Set moves the clock to a time, in either direction. The server looks at once for
// messages that are due.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	c.t = t.UTC()
	c.mu.Unlock()
	if c.changed != nil {
		c.changed()
	}
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) { c.Set(c.Now().Add(d)) }

// A Log is the server's log; it keeps the messages that were sent to it.
type Log struct {
	slog.Handler
	signal *Signal // notified of each line

	mu    sync.Mutex
	codes map[string][]string // texts that begin with a code, by address
	texts map[string][]string // all others
	lines []string
}

func newLog(signal *Signal) *Log {
	return &Log{signal: signal, codes: map[string][]string{}, texts: map[string][]string{}}
}

// Handle implements slog.Handler.
func (l *Log) Handle(_ context.Context, r slog.Record) error {
	defer l.signal.Notify()
	l.mu.Lock()
	defer l.mu.Unlock()
	attrs := map[string]string{}
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		attrs[a.Key] = a.Value.String()
		if r.Message != "message" || a.Key != "text" {
			line += fmt.Sprintf(" %s=%v", a.Key, a.Value)
		}
		return true
	})
	l.lines = append(l.lines, line)
	if r.Message == "message" {
		kept := l.texts
		if strings.TrimLeft(attrs["text"], "0123456789") != attrs["text"] {
			kept = l.codes
		}
		kept[attrs["to"]] = append(kept[attrs["to"]], attrs["text"])
	}
	return nil
}

// Enabled implements slog.Handler.
func (l *Log) Enabled(context.Context, slog.Level) bool { return true }

// WithAttrs implements slog.Handler.
func (l *Log) WithAttrs([]slog.Attr) slog.Handler { return l }

// WithGroup implements slog.Handler.
func (l *Log) WithGroup(string) slog.Handler { return l }

// Lines returns all that was logged, without the texts of messages.
func (l *Log) Lines() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

// Messages returns the texts with codes sent to an address, the oldest first.
func (l *Log) Messages(to string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.codes[to]...)
}

// Notices returns the texts without codes sent to an address, the oldest first.
func (l *Log) Notices(to string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.texts[to]...)
}

// Code waits for the nth code sent to an address and returns it.
func (l *Log) Code(t testing.TB, to string, nth int) string {
	t.Helper()
	return l.nth(t, to, nth, l.Messages)[:6]
}

// Notice waits for the nth text without a code sent to an address and returns it.
func (l *Log) Notice(t testing.TB, to string, nth int) string {
	t.Helper()
	return l.nth(t, to, nth, l.Notices)
}

func (l *Log) nth(t testing.TB, to string, nth int, sent func(string) []string) string {
	t.Helper()
	if !l.signal.Wait(func() bool { return len(sent(to)) >= nth }) {
		t.Fatalf("no message number %d to %s; log:\n%s", nth, to, l.Lines())
	}
	return sent(to)[nth-1]
}

// StandardWork has a server hash passwords as those in use do, for tests of how long it takes.
func StandardWork(c *server.Config) { c.PasswordWork = password.Standard }

// New starts a server on a database, which is filled with the demo
// companies unless it was. Servers without changed settings may begin with copies of one
// database, and then have its key, tokens' secrets and files: two installations that
// are to be apart need a setting of their own.
func New(t *testing.T, database string, change ...func(*server.Config)) *Server {
	t.Helper()
	clock := &Clock{}
	clock.Set(Morning)
	s := server.Config{
		Now: clock.Now, PasswordWork: apptest.PasswordWork,
		Addr: "127.0.0.1:0", PublicURL: "http://wf.test", Database: database, Migrate: true,
		SecretKeyFile: KeyFile(t, database), Files: "file:" + filesFolder(t, database), Playground: true, Docs: true, PersistedQueries: true, Country: "ID", Cache: 64 << 20, Demo: true, Clock: &Morning,
	}
	for _, c := range change {
		c(&s)
	}
	log := newLog(signalOf(database))
	srv, err := start(t, s, s.Tracer.Log(slog.New(log)), len(change) == 0)
	if err != nil {
		t.Fatal(err)
	}
	lanes := srv.Executor.Lanes
	for _, lane := range []*admission.Lane{lanes.Queries, lanes.Mutations, lanes.Own} {
		lane.Wait = time.Minute // on a busy machine nothing is to be refused
	}
	BoundTransactions(t, srv.Store.Ent)
	watchCommits(srv.Store.Ent, log.signal)
	clock.changed = func() { srv.Services.Notify.WakeUp(); srv.Services.Jobs.WakeUp() }
	// Clean cleans and RunDays closes when a test wants it; occurrences are made when somebody
	// asks for a day. The jobs themselves, which are not periodic here, never run: their
	// commits would come between those of requests.
	of := srv.Services
	for _, k := range append(of.Days.Kinds(), of.Tasks.CopyJob(), of.Entries.Watching(), of.Tickets.AlertJob(), of.Reports.Asking(), of.Reports.Watching()) {
		k.Name, k.Every = k.Name+" now", 0
		of.Jobs.Add(k)
	}
	for _, name := range []string{"recurring_tasks", "cleaning", "occurrences", "shift_swaps", "forgotten_attendances", "shift_results", "corrections", "leaves", "timers", "tickets", "report_schedules", "report_watch"} {
		srv.Services.Jobs.Add(job.Kind{Name: name, Run: func(context.Context, *job.Run) error { return nil }})
	}
	jobs, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); srv.Services.Jobs.Run(jobs) }()
	rest := func() { stop(); <-done }
	t.Cleanup(func() {
		rest()
		if err := srv.Store.Close(); err != nil {
			t.Error(err)
		}
	})
	seen := new(observer)
	all := &Server{Client: apitest.Serve(t, seen.around(srv.Handler)), Server: srv, Clock: clock, Log: log, Rest: rest, observer: seen}
	t.Cleanup(func() { keepsSecrets(t, all) })
	return all
}

// Clean deletes the rows that are not needed any more, which the server's job would.
func Clean(t *testing.T, s *Server) {
	t.Helper()
	if err := ent.Clean(viewer.System(t.Context()), s.Store.Ent, s.Clock.Now()); err != nil {
		t.Fatal(err)
	}
}

// RunDays closes forgotten attendances and finds the results of shifts, as the server's jobs
// would.
func RunDays(t *testing.T, s *Server) {
	t.Helper()
	runJobs(t, s, "forgotten_attendances now", "shift_results now")
}

// CopyTasks copies the recurring tasks that are due, as the server's job would.
func CopyTasks(t *testing.T, s *Server) {
	t.Helper()
	runJobs(t, s, "recurring_tasks now")
}

// RunTimers looks for timers that run long, as the server's job would.
func RunTimers(t *testing.T, s *Server) {
	t.Helper()
	runJobs(t, s, "timers now")
}

// RunTickets tells of tickets that wait for long, as the server's job would.
func RunTickets(t *testing.T, s *Server) {
	t.Helper()
	runJobs(t, s, "tickets now")
}

// RunReports asks for the reports that are due, and ends those whose jobs died, as the server's
// jobs would.
func RunReports(t *testing.T, s *Server) {
	t.Helper()
	runJobs(t, s, "report_schedules now", "report_watch now")
}

func runJobs(t *testing.T, s *Server, names ...string) {
	t.Helper()
	ctx := viewer.System(t.Context())
	for _, name := range names {
		var id int
		err := tx.Run(ctx, s.Store.Ent, func(ctx context.Context) (err error) {
			id, err = s.Services.Jobs.Enqueue(ctx, job.Request{Kind: name})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for {
			j := s.Store.Ent.Job.GetX(ctx, id)
			if j.FinishedAt != nil {
				if j.ErrorCode != nil {
					t.Fatalf("%s: %v", name, j)
				}
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// secrets are what neither log nor metrics may hold, whatever a test did:
// tokens, the demo's password, sealed passwords, and the demo's exact positions
// (106.816666ms is a duration).
var secrets = regexp.MustCompile(`wf[adrukw]_[A-Za-z0-9_-]{20,}|` + demo.Password +
	`|eyJ[A-Za-z0-9_-]{20,}\.|-6\.20000|106\.81666\d*([^\dm]|$)`)

// paths are those of requests, in which no endpoint has a secret: a random one may.
var paths = regexp.MustCompile(`path=\S*`)

// keepsSecrets fails the test if the server's log or metrics hold a secret.
func keepsSecrets(t *testing.T, s *Server) {
	t.Helper()
	metrics := httptest.NewRecorder()
	s.Admin.ServeHTTP(metrics, httptest.NewRequest("GET", "/metrics", nil))
	if metrics.Code != http.StatusOK {
		t.Errorf("/metrics answered %d", metrics.Code)
	}
	for _, text := range []string{s.Log.Lines(), metrics.Body.String()} {
		if found := secrets.FindString(paths.ReplaceAllString(text, "")); found != "" {
			t.Errorf("a secret in log or metrics: %.12s…", found)
		}
	}
}

// KeyFile names the secret key's file of a database: the same for every server
// on it.
func KeyFile(t *testing.T, database string) string {
	name := "workforce-test-" + strings.Trim(strings.Map(func(r rune) rune {
		if r == '/' || r == ':' || r == '@' || r == '?' {
			return '-'
		}
		return r
	}, redacted(database)), "-") + ".key"
	path := filepath.Join(os.TempDir(), name)
	t.Cleanup(func() { _ = os.Remove(path) }) // another server of the test may have
	return path
}

// filesFolder names the folder of a database's files: the same for every server on it.
func filesFolder(t *testing.T, database string) string {
	folder := strings.TrimSuffix(KeyFile(t, database), ".key") + ".files"
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

func redacted(database string) string {
	if u, err := url.Parse(database); err == nil && u.User != nil {
		return u.Host + u.Path
	}
	return database
}

// Uncached disables the response cache.
func Uncached(s *server.Config) { s.Cache = 0 }

// A Group is a list of scenarios that run one after another on a server of their
// own.
type Group struct {
	Name   string
	Run    func(t *testing.T, s *Server)
	SQLite bool // tried on SQLite alone, since what it tries does not depend on how rows are kept
}

// OnSQLite runs a test of what does not depend on how rows are kept.
func OnSQLite(t *testing.T, test func(t *testing.T, s *Server), change ...func(*server.Config)) {
	t.Helper()
	test(t, New(t, testdb.SQLite(t), change...))
}

// Each runs a test with a server of its own on each kind of database.
func Each(t *testing.T, test func(t *testing.T, s *Server), change ...func(*server.Config)) {
	t.Helper()
	testdb.Each(t, func(t *testing.T, database string) { test(t, New(t, database, change...)) })
}

// A Phone is a registered device with somebody signed in on it. Its tokens are
// kept in the client's Vars too, under its name: {{budi.access}}.
type Phone struct {
	Device, User, Access, Refresh string
}

// SignIn registers a device, signs somebody in on it and verifies it. The
// tokens are kept in Vars as name.device, name.user, name.access and
// name.refresh.
func (s *Server) SignIn(t *testing.T, name, email string) Phone {
	t.Helper()
	s.Must(t, []apitest.Scenario{
		{Name: name + " registers", Method: "POST", Path: "/device/register",
			Body: `{"deviceId":"` + name + `","platform":"android"}`, Status: 200,
			Want: `{"deviceToken":"<token wfd>"}`, Save: map[string]string{name + ".device": "/deviceToken"}},
	})
	return s.SignInOn(t, name, email, s.Vars[name+".device"])
}

// SignInOn signs somebody in on a registered device that they do not trust yet,
// as SignIn does.
func (s *Server) SignInOn(t *testing.T, name, email, device string) Phone {
	t.Helper()
	s.Vars[name+".device"] = device
	sent := len(s.Log.Messages(email))
	s.Must(t, []apitest.Scenario{
		{Name: name + " logs in", Method: "POST", Path: "/user/login",
			Header: map[string]string{"X-Device-Token": "{{" + name + ".device}}"},
			Body:   `{"username":"` + email + `","password":"` + demo.Password + `"}`, Status: 200,
			Want: `"<any>"`, Save: map[string]string{name + ".user": "/userToken"}},
	})
	s.Vars["code"] = s.Log.Code(t, email, sent+1)
	s.Must(t, []apitest.Scenario{
		{Name: name + " verifies", Method: "POST", Path: "/authorize/verify",
			Header: map[string]string{"X-Device-Token": "{{" + name + ".device}}", "x-User-Token": "{{" + name + ".user}}"},
			Body:   `{"otp":"{{code}}"}`, Status: 200, Want: `{"verified":true}`},
		{Name: name + " gets tokens", Path: "/authorize/access-token",
			Header: map[string]string{"x-User-Token": "{{" + name + ".user}}"}, Status: 200, Want: `"<any>"`,
			Save: map[string]string{name + ".access": "/accessToken", name + ".refresh": "/refreshToken"}},
	})
	return Phone{s.Vars[name+".device"], s.Vars[name+".user"], s.Vars[name+".access"], s.Vars[name+".refresh"]}
}

// Send sends one request and returns its answer.
func (s *Server) Send(t *testing.T, method, path, body string, header map[string]string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequest(method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := s.HTTP.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, answer
}
