package durability

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// A binary is the built command.
type binary string

// TestProcess runs the command as people do.
func TestProcess(t *testing.T) {
	bin := binary(harness.Build(t))
	for name, test := range map[string]func(*testing.T, binary, string){
		"banner": banner, "JSON logs": jsonLogs, "start again": startAgain, "starts soon": startsSoon,
		"refused starts": refusedStarts, "first company": firstCompany,
		"stop": stopping, "restarts under load": restarts,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testdb.Each(t, func(t *testing.T, database string) { test(t, bin, database) })
		})
	}
	t.Run("refused settings", func(t *testing.T) { refusedSettings(t, bin) })
	t.Run("operations", func(t *testing.T) { operations(t, bin) })
	t.Run("configuration", func(t *testing.T) { configuration(t, bin) })
	t.Run("listeners", func(t *testing.T) { listeners(t, bin) })
}

// command returns a run of the binary in a folder, with nothing in its
// environment but what is given.
func (b binary) command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(string(b), args...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	return cmd
}

// run runs the command to its end, and returns what it printed.
func (b binary) run(t *testing.T, dir, input string, args ...string) (out, errOut string, code int) {
	t.Helper()
	cmd := b.command(dir, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &stdout, &stderr
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// A serving is a server that runs.
type serving struct {
	cmd    *exec.Cmd
	url    string
	banner string
	log    *harness.Buffer
	ended  chan struct{}
}

var onURL = regexp.MustCompile(`Workforce on (http://\S+)\n`)

// launch starts a server, which ends with the test. It tells where it is on out, the
// standard output, or in its log.
func (b binary) launch(t *testing.T, dir string, args ...string) (p *serving, out *harness.Buffer) {
	t.Helper()
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--addr") }) {
		args = append(args, "--addr=127.0.0.1:0")
	}
	p = &serving{log: &harness.Buffer{}, ended: make(chan struct{})}
	p.cmd, out = b.command(dir, append([]string{"serve"}, args...)...), &harness.Buffer{}
	p.cmd.Stdout, p.cmd.Stderr = out, p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { // the state tells how it ended
		defer p.log.Written.Notify()
		defer out.Written.Notify()
		defer close(p.ended)
		_ = p.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.ended
	})
	return p, out
}

// serve starts a server with a banner, which ends with the test, and waits until it is there.
func (b binary) serve(t *testing.T, dir string, args ...string) *serving {
	t.Helper()
	p, out := b.launch(t, dir, append([]string{"--log-format=text"}, args...)...)
	last := "/metrics\n\n"
	if slices.Contains(args, "--demo") {
		last = "/user; echo\n\n"
	}
	out.Written.Wait(func() bool { return strings.Contains(out.String(), last) || p.hasEnded() }) // a link to set it up may follow
	p.banner = out.String()
	m := onURL.FindStringSubmatch(p.banner)
	if m == nil || !strings.Contains(p.banner, last) {
		t.Fatalf("it does not start, ended: %v, banner %q, log: %s", p.hasEnded(), p.banner, p.log)
	}
	p.url = m[1]
	return p
}

func (p *serving) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// wait waits until the server has ended, and returns its exit code.
func (p *serving) wait(t *testing.T) int {
	t.Helper()
	if !p.log.Written.Wait(p.hasEnded) {
		t.Fatalf("it does not stop: %s", p.log)
	}
	return p.cmd.ProcessState.ExitCode()
}

// stop tells a server to stop, and returns its exit code.
func (p *serving) stop(t *testing.T) int {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	return p.wait(t)
}

// try runs the shell lines of the banner, in order, and returns the names of the
// people that come out.
func (p *serving) try(t *testing.T) []string {
	t.Helper()
	_, lines, ok := strings.Cut(p.banner, "these lines work in order:\n\n")
	lines = strings.TrimSpace(lines)
	if !ok || strings.Count(lines, "\n") != 4 {
		t.Fatalf("the banner has no five lines: %s", p.banner)
	}
	text := strings.TrimSpace(harness.Paste(t, p.cmd.Dir, "", lines))
	var people []struct{ Name string }
	if err := json.Unmarshal([]byte(text[strings.LastIndex(text, "\n")+1:]), &people); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var names []string
	for _, e := range people {
		names = append(names, e.Name)
	}
	return names
}

// banner follows what serve prints for those who try it.
func banner(t *testing.T, bin binary, database string) {
	p := bin.serve(t, t.TempDir(), "--demo", "--database="+database)
	if names := p.try(t); !slices.Equal(names, harness.Everybody) {
		t.Errorf("the last line lists %q", names)
	}
	p.answersBanner(t, "/app/", "/playground", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics")
	message := regexp.MustCompile(`msg=message id=\S+ channel=email to=admin@demo\.test text="\d{6} [^"]+"`)
	if !message.MatchString(p.log.String()) {
		t.Errorf("no line %s in the log:\n%s", message, p.log)
	}
	_, metrics := fetch(t, p.url+"/metrics")
	for _, want := range []string{`http_requests_total{code="200",method="post",route="POST /user/login"} 1`, "go_goroutines", "process_open_fds", `go_sql_open_connections{db_name="workforce"}`} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in /metrics", want)
		}
	}
}

var addresses = regexp.MustCompile(`http://[^\s'"]+`)

// answersBanner checks that the banner names addresses with these paths, before steps and
// links, and no others, and that each answers.
func (p *serving) answersBanner(t *testing.T, paths ...string) {
	t.Helper()
	var named []string
	for _, address := range addresses.FindAllString(strings.SplitN(p.banner, "\n\n", 3)[1], -1) {
		if status, body := fetch(t, address); status != 200 {
			t.Errorf("%s: %d %.200s", address, status, body)
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		named = append(named, u.Path)
	}
	if !slices.Equal(named, paths) {
		t.Errorf("the banner names %q, want %q: %s", named, paths, p.banner)
	}
}

// fetch gets a URL.
func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// startAgain starts a server on data that the demo filled.
func startAgain(t *testing.T, bin binary, database string) {
	dir := t.TempDir()
	first := bin.serve(t, dir, "--demo", "--database="+database)
	if code := first.stop(t); code != 0 {
		t.Fatalf("exit code %d: %s", code, first.log)
	}
	if names := bin.serve(t, dir, "--demo", "--database="+database).try(t); !slices.Equal(names, harness.Everybody) {
		t.Errorf("after the second start: %q", names)
	}
	if _, text, code := bin.run(t, dir, "", "serve", "--addr=127.0.0.1:0", "--database="+database, "--secret-key-file=other.key"); code != 1 || !strings.Contains(text, "--secret-key-file: ") {
		t.Errorf("without its secret key: %d %s", code, text)
	}
	if _, err := os.Stat(filepath.Join(dir, "other.key")); err == nil {
		t.Error("a key was made for a database that has one")
	}
	if err := os.WriteFile(filepath.Join(dir, "wrong.key"), bytes.Repeat([]byte("k"), 32), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, text, code := bin.run(t, dir, "", "serve", "--addr=127.0.0.1:0", "--database="+database, "--secret-key-file=wrong.key"); code != 1 || !strings.Contains(text, "--secret-key-file: ") {
		t.Errorf("with another secret key: %d %s", code, text)
	}
}

// refusedStarts are those that the state of the database forbids.
func refusedStarts(t *testing.T, bin binary, database string) {
	dir := t.TempDir()
	if _, text, code := bin.run(t, dir, "", "serve", "--addr=127.0.0.1:0", "--no-migrate", "--database="+database); code != 1 || !strings.Contains(text, "migrations are pending") {
		t.Errorf("an empty database without migrations: %d %s", code, text)
	}
	if _, text, code := bin.run(t, dir, "", "serve", "--addr=127.0.0.1:0", "--migrate=false", "--database="+database); code != 1 || !strings.Contains(text, "migrations are pending") {
		t.Errorf("an empty database with --migrate=false: %d %s", code, text)
	}
	if out, text, code := bin.run(t, dir, "", "migrate", "up", "--database="+database); code != 0 {
		t.Fatalf("migrate up: %d %s %s", code, out, text)
	}
	if out, _, code := bin.run(t, dir, "", "migrate", "status", "--database="+database); code != 0 || !strings.Contains(out, "init") || strings.Contains(out, "pending") {
		t.Errorf("migrate status: %d %s", code, out)
	}
	if out, text, code := bin.run(t, dir, "", "company", "create", "--name=Acme", "--timezone=Asia/Jakarta", "--database="+database); code != 0 {
		t.Fatalf("company create: %d %s %s", code, out, text)
	}
	if _, text, code := bin.run(t, dir, "", "serve", "--demo", "--addr=127.0.0.1:0", "--database="+database); code != 1 || !strings.Contains(text, "other than the demo's") {
		t.Errorf("the demo beside another company: %d %s", code, text)
	}
	p := bin.serve(t, dir, "--no-migrate", "--database="+database)
	if status, _ := fetch(t, p.url+"/readyz"); status != 200 {
		t.Errorf("/readyz of a migrated database: %d", status)
	}
}

// refusedSettings are those that contradict each other, or mean nothing.
func refusedSettings(t *testing.T, bin binary) {
	for _, tt := range []struct{ args, want string }{
		{"--clock=2026-03-10T09:00:00+07:00", "--clock"},
		{"--sms-url=http://127.0.0.1:9", "--sms-secret"},
		{"--cors-origins=app.example.com", "--cors-origins"},
		{"--trusted-proxies=proxy", "--trusted-proxies"},
		{"--min-app-version=symbian=1", "--min-app-version"},
		{"--log-format=xml", "--log-format"},
		{"--database=oracle:x", "sqlite:"},
		{"--operations=nowhere", "nowhere"},
		{"--fonts=nowhere", "--fonts: open nowhere"},
		{"--nonsense", "--nonsense"},
	} {
		t.Run(tt.args, func(t *testing.T) {
			dir := t.TempDir()
			_, text, code := bin.run(t, dir, "", "serve", "--addr=127.0.0.1:0", tt.args)
			if code == 0 || !strings.Contains(text, tt.want) || strings.Contains(text, "goroutine") {
				t.Errorf("exit code %d, %s; want it to say %s", code, text, tt.want)
			}
		})
	}
}

// firstCompany sets an installation up without the demo.
func firstCompany(t *testing.T, bin binary, database string) {
	dir := t.TempDir()
	at := "--database=" + database
	if _, text, code := bin.run(t, dir, "", "migrate", "up", at); code != 0 {
		t.Fatalf("migrate up: %d %s", code, text)
	}
	id, text, code := bin.run(t, dir, "", "company", "create", "--name=Acme", "--timezone=Europe/Berlin", "--locale=en", at)
	if code != 0 {
		t.Fatalf("company create: %d %s", code, text)
	}
	user := func(input string, args ...string) (string, string, int) {
		return bin.run(t, dir, input, append([]string{"user", "create", "--company=" + strings.TrimSpace(id), at}, args...)...)
	}
	if _, text, code = user("correct horse battery\n", "--name=Ada", "--email=Ada@acme.test", "--role=owner", "--password"); code != 0 {
		t.Fatalf("user create: %d %s", code, text)
	}
	for name, args := range map[string][]string{
		"somebody's address": {"--name=Ada", "--email=ada@ACME.test"},
		"an unknown role":    {"--name=Bob", "--email=bob@acme.test", "--role=king"},
		"no address":         {"--name=Bob", "--email=bob"},
		"a weak password":    {"--name=Bob", "--email=bob@acme.test", "--password"},
	} {
		if _, text, code := user("password\n", args...); code != 1 || text == "" {
			t.Errorf("%s: %d %s", name, code, text)
		}
	}
	p := bin.serve(t, dir, at)
	device := post(t, p.url+"/device/register", nil, `{"deviceId":"x","platform":"web"}`, 200)
	with := map[string]string{"X-Device-Token": device["deviceToken"].(string)}
	login := post(t, p.url+"/user/login", with, `{"username":"ada@acme.test","password":"correct horse battery"}`, 200)
	if login["verified"] != false || login["user"].(map[string]any)["name"] != "Ada" {
		t.Errorf("login: %v", login)
	}
	post(t, p.url+"/user/login", with, `{"username":"bob@acme.test","password":"password"}`, 401)
	if log := p.log.String(); strings.Contains(log, "text=") {
		t.Errorf("the log shows a code without --demo: %s", log)
	}
}

// post sends JSON and returns the object that is answered.
func post(t *testing.T, url string, header map[string]string, body string, status int) map[string]any {
	t.Helper()
	req, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != status {
		t.Fatalf("POST %s: %d %v %v", url, resp.StatusCode, answer, err)
	}
	return answer
}

// stopping stops a server while it reads a request.
func stopping(t *testing.T, bin binary, database string) {
	p := bin.serve(t, t.TempDir(), "--database="+database)
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"deviceId":"slow","platform":"web"}`
	fmt.Fprintf(conn, "POST /device/register HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body[:10])
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	unready(t, p)
	fmt.Fprint(conn, body[10:])
	answer, err := io.ReadAll(conn)
	if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 200 OK\r\n")) || !bytes.Contains(answer, []byte("deviceToken")) {
		t.Errorf("the request in flight: %v\n%s", err, answer)
	}
	if code := p.wait(t); code != 0 {
		t.Errorf("exit code %d: %s", code, p.log)
	}
}

// unready waits for /readyz to tell that the server stops.
func unready(t *testing.T, p *serving) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		status, body := fetch(t, p.url+"/readyz")
		if status == 503 && strings.Contains(body, `"code":"UNAVAILABLE"`) {
			return
		}
		if status != 200 {
			t.Fatalf("/readyz: %d %s", status, body)
		}
	}
	t.Fatal("/readyz says that a server is ready which was told to stop")
}

// restarts stops and starts a server on one port while clients rotate the tokens
// of their devices. Each token that was given must be good for the next one:
// then no device is made but the first of each client.
func restarts(t *testing.T, bin binary, database string) {
	const clients, times = len(rotations{}.count), 3
	dir, addr := t.TempDir(), harness.FreeAddr(t)
	start := func() *serving { return bin.serve(t, dir, "--addr="+addr, "--database="+database) }
	p := start()
	done := make(chan struct{})
	var rotated rotations
	failed := make([]error, clients)
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() { failed[i] = rotate(p.url, i, &rotated, done) })
	}
	for range times {
		rotated.waitMore(t)
		if code := p.stop(t); code != 0 {
			t.Errorf("exit code %d: %s", code, p.log)
		}
		p = start()
	}
	rotated.waitMore(t)
	close(done)
	all.Wait()
	for i := range clients {
		if failed[i] != nil {
			t.Errorf("client %d: %d answers, then %v", i, rotated.count[i].Load(), failed[i])
		}
	}
	if code := p.stop(t); code != 0 {
		t.Errorf("exit code %d: %s", code, p.log)
	}
	if got := countDevices(t, dir, database); got != clients {
		t.Errorf("%d devices, want %d: a token that was given was lost", got, clients)
	}
}

// rotations counts the tokens that clients were given.
type rotations struct {
	count [4]atomic.Int64
	given harness.Signal
}

// waitMore waits until each client was given five tokens more.
func (r *rotations) waitMore(t *testing.T) {
	t.Helper()
	for i := range r.count {
		until := r.count[i].Load() + 5
		if !r.given.Wait(func() bool { return r.count[i].Load() >= until }) {
			t.Fatalf("client %d was given %d tokens, want %d", i, r.count[i].Load(), until)
		}
	}
}

// rotate registers a device and then changes its token for the next one until
// done. Only a connection that nobody accepted is tried again: one that was
// refused, or a new one that was reset while it waited in the system's line.
func rotate(url string, nth int, rotated *rotations, done <-chan struct{}) error {
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	token := ""
	for {
		select {
		case <-done:
			return nil
		default:
		}
		next, err := rotateOnce(client, url, fmt.Sprintf("client %d", nth), token)
		if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" || errors.Is(err, errUnaccepted) {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		if err != nil {
			return err
		}
		token = next
		rotated.count[nth].Add(1)
		rotated.given.Notify()
	}
}

var errUnaccepted = errors.New("reset before it was accepted")

func rotateOnce(client *http.Client, url, name, token string) (string, error) {
	req, err := http.NewRequest("POST", url+"/device/register", strings.NewReader(`{"deviceId":"`+name+`","platform":"web"}`))
	if err != nil {
		return "", err
	}
	req.Header.Set("X-Device-Token", token)
	reused := false
	req = req.WithContext(httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(c httptrace.GotConnInfo) { reused = c.Reused },
	}))
	resp, err := client.Do(req)
	if errors.Is(err, syscall.ECONNRESET) && !reused {
		return "", errUnaccepted
	}
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	var answer struct{ DeviceToken string }
	if err == nil {
		err = json.Unmarshal(body, &answer)
	}
	if err == nil && answer.DeviceToken == "" {
		err = fmt.Errorf("%d %s", resp.StatusCode, body)
	}
	return answer.DeviceToken, err
}

// countDevices looks into the database of a server that has stopped.
func countDevices(t *testing.T, dir, url string) (n int) {
	t.Helper()
	s, err := server.OpenStore(t.Context(), url, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.DB.Reader.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM devices").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// operations checks operators' folders, and serves one.
func operations(t *testing.T, bin binary) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("good/users/get-users-list.graphql", `query Names @endpoint(method: GET, path: "/user") { employees { nodes @body { name } } }`)
	write("good/users/token-info.graphql", "")
	write("good/mine/who.graphql", `"Who calls." query Who @endpoint(method: GET, path: "/who") { viewer { name } }`)
	if out, text, code := bin.run(t, dir, "", "operations", "check", "good"); code != 0 || !strings.Contains(out, "good") {
		t.Errorf("a good folder: %d %s %s", code, out, text)
	}
	p := bin.serve(t, dir, "--demo", "--operations=good")
	if names := p.try(t); !slices.Equal(names, harness.Everybody) {
		t.Errorf("replaced: %q", names)
	}
	for path, want := range map[string]int{"/who": 401, "/user": 401, "/user/token-info": 404, "/user/profile": 401} {
		if status, body := fetch(t, p.url+path); status != want {
			t.Errorf("%s: %d %s, want %d", path, status, body, want)
		}
	}

	write("bad/a.graphql", "query A @endpoint(method: GET, path: \"/a\") {\n  nosuch\n}")
	write("bad/b.graphql", `query B @endpoint(method: GET, path: "/user") { viewer { name } }`)
	write("bad/sub/c.graphql", "query {")
	for _, args := range [][]string{{"operations", "check", "bad"}, {"serve", "--addr=127.0.0.1:0", "--operations=bad"}} {
		_, text, code := bin.run(t, dir, "", args...)
		for _, want := range []string{`a\.graphql:2:3: `, `b\.graphql:1:\d+`, `sub/c\.graphql:1:\d+: `} {
			if code != 1 || !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("%s: %d, no %s in\n%s", args[0], code, want, text)
			}
		}
	}
	if _, text, code := bin.run(t, dir, "", "operations", "check", "nowhere"); code == 0 || !strings.Contains(text, "nowhere") {
		t.Errorf("no folder: %d %s", code, text)
	}
}

// configuration is told by flags and by the environment, and shown without
// secrets.
func configuration(t *testing.T, bin binary) {
	dir := t.TempDir()
	cmd := bin.command(dir, "config", "print", "--log-level=warn")
	cmd.Env = append(cmd.Env,
		"WORKFORCE_DATABASE=mysql://wf:hidden-one@db.example:3306/wf", "WORKFORCE_SMS_URL=https://sms.example/send",
		"WORKFORCE_SMS_SECRET=hidden-two", "WORKFORCE_MIN_APP_VERSION=android=2.0.0", "WORKFORCE_COUNTRY=MY", "WORKFORCE_LOG_LEVEL=debug",
		"WORKFORCE_PUBLIC_URL=https://wf.example", "WORKFORCE_PLAYGROUND=false", "WORKFORCE_SHUTDOWN_TIMEOUT=5s")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(out), "\n")
	for _, want := range []string{
		"COUNTRY=MY", "LOG_LEVEL=warn", "PUBLIC_URL=https://wf.example", "PLAYGROUND=false", "MIN_APP_VERSION=android=2.0.0", "DOCS=true", "SHUTDOWN_TIMEOUT=5s",
	} {
		if !slices.Contains(lines, "WORKFORCE_"+want) {
			t.Errorf("no line %s in\n%s", want, out)
		}
	}
	if bytes.Contains(out, []byte("hidden")) || !bytes.Contains(out, []byte("db.example")) {
		t.Errorf("secrets are shown: %s", out)
	}
	if text, _, code := bin.run(t, dir, "", "version"); code != 0 || !strings.HasPrefix(text, "workforce ") {
		t.Errorf("version: %d %s", code, text)
	}
	if text, _, code := bin.run(t, dir, "", "--help"); code != 0 || !strings.Contains(text, "serve") {
		t.Errorf("--help: %d %s", code, text)
	}
}

// listeners bound what clients send, and keep metrics apart.
func listeners(t *testing.T, bin binary) {
	admin := harness.FreeAddr(t)
	p := bin.serve(t, t.TempDir(), "--admin-addr="+admin, "--no-docs", "--no-playground")
	p.answersBanner(t, "/app/", "/openapi.json", "/healthz", "/readyz", "/metrics")
	for url, want := range map[string]int{
		p.url + "/metrics": 404, p.url + "/debug/pprof/": 404, p.url + "/docs": 404, p.url + "/playground": 404, p.url + "/healthz": 200,
		"http://" + admin + "/metrics": 200, "http://" + admin + "/debug/pprof/cmdline": 200, "http://" + admin + "/user": 404,
	} {
		if status, body := fetch(t, url); status != want {
			t.Errorf("%s: %d, want %d: %.200s", url, status, want, body)
		}
	}
	// On a connection that is used again, net/http has up to 4 KiB of the next
	// request before it begins to count.
	for size, want := range map[int]int{31 << 10: 401, 37 << 10: 431, 64 << 10: 431} {
		req, err := http.NewRequest("GET", p.url+"/user", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Large", strings.Repeat("x", size))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatalf("%v; log:\n%s", err, p.log)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("headers of %d bytes: %d, want %d", size, resp.StatusCode, want)
		}
	}
	if _, text, code := bin.run(t, t.TempDir(), "", "serve", "--addr="+strings.TrimPrefix(p.url, "http://")); code != 1 || !strings.Contains(text, "in use") {
		t.Errorf("a port that is taken: %d %s", code, text)
	}
}

// TestOutage takes the database away from a server, and gives it back.
func TestOutage(t *testing.T) {
	db := testdb.Start(t)
	s := harness.New(t, db.Database(t))
	s.SignIn(t, "budi", "budi@demo.test")
	shift := s.ShiftToday(t, "budi")
	var site struct {
		AllowedLocations []struct{ AddressID, Name string }
	}
	s.GraphQL(t, s.HeaderOf("budi"), `{allowedLocations{addressId name}}`, nil, &site)
	at := slices.IndexFunc(site.AllowedLocations, func(l struct{ AddressID, Name string }) bool { return l.Name == "Kantor Pusat" })
	clockIn := fmt.Sprintf(`{"addressId":%q,"employeeShiftId":%q,"latitude":"-6.200000","longitude":"106.816666"}`, site.AllowedLocations[at].AddressID, shift)
	if _, body := s.Send(t, "POST", "/attendance/clockIn", clockIn, s.HeaderOf("budi")); string(body) != `{"clockedIn":true}` {
		t.Fatalf("clock in: %s", body)
	}

	db.Stop(t)
	clockOut := fmt.Sprintf(`{"employeeShiftId":%q,"latitude":"-6.200000","longitude":"106.816666"}`, shift)
	for _, tt := range []struct{ method, path, body string }{
		{"GET", "/user", ""},
		{"POST", "/attendance/clockOut", clockOut},
		{"POST", "/device/register", `{"deviceId":"x","platform":"web"}`},
		{"POST", "/graphql", `{"query":"{viewer{id}}"}`},
		{"POST", "/graphql", `{"query":"mutation{registerDevice(input:{deviceId:\"x\",platform:web}){deviceToken}}"}`},
	} {
		resp, body := s.Send(t, tt.method, tt.path, tt.body, s.HeaderOf("budi"))
		if resp.StatusCode != 503 || resp.Header.Get("Retry-After") == "" || !bytes.Contains(body, []byte(`"code":"UNAVAILABLE"`)) {
			t.Errorf("%s %s: %d Retry-After %q %s", tt.method, tt.path+tt.body, resp.StatusCode, resp.Header.Get("Retry-After"), body)
		}
	}
	if resp, body := s.Send(t, "GET", "/healthz", "", nil); resp.StatusCode != 200 {
		t.Errorf("/healthz: %d %s", resp.StatusCode, body)
	}
	if resp, body := s.Send(t, "GET", "/readyz", "", nil); resp.StatusCode != 503 {
		t.Errorf("/readyz: %d %s", resp.StatusCode, body)
	}

	db.Start(t)
	var today struct{ AttendanceToday struct{ ClockedIn bool } }
	s.GraphQL(t, s.HeaderOf("budi"), `{attendanceToday{clockedIn}}`, nil, &today)
	if !today.AttendanceToday.ClockedIn {
		t.Error("a clock-in that was acknowledged is lost")
	}
	s.Clock.Advance(5 * time.Minute)
	if _, body := s.Send(t, "POST", "/attendance/clockOut", clockOut, s.HeaderOf("budi")); string(body) != `{"clockedOut":true}` {
		t.Errorf("clock out: %s", body)
	}
}
