package faults

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"workforce/internal/database"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
)

// A world is the servers of one database and what they share.
type world struct {
	binary, folder string
	flags          []string // of all servers, besides those that each has
	env            []string // of all servers, besides the path
	began          time.Time
	servers        []*process
}

func newWorld(t *testing.T, binary string, databases ...string) *world {
	t.Helper()
	w := &world{binary: binary, folder: t.TempDir(), began: time.Now()}
	for _, d := range databases {
		p := &process{world: w, database: d, addr: harness.FreeAddr(t), log: &harness.Buffer{}}
		t.Cleanup(p.kill)
		w.servers = append(w.servers, p)
	}
	return w
}

// now is the time of the servers: at first Tuesday, 09:00 in Jakarta.
func (w *world) now() time.Time { return harness.Morning.Add(time.Since(w.began)) }

func (w *world) urls() []string {
	var all []string
	for _, p := range w.servers {
		all = append(all, p.url())
	}
	return all
}

// A process is a server that runs as a process of its own, at one address.
type process struct {
	world          *world
	database, addr string
	cmd            *exec.Cmd
	ended          chan struct{}
	log            *harness.Buffer // of all its runs
}

func (p *process) url() string { return "http://" + p.addr }

// start starts the server, without waiting for it.
func (p *process) start(t *testing.T) {
	t.Helper()
	p.cmd = exec.Command(p.world.binary, "serve", "--demo", "--clock", p.world.now().Format(time.RFC3339Nano), "--log-format=text",
		"--access-life=24h", "--addr="+p.addr, "--database="+p.database, "--secret-key-file="+filepath.Join(p.world.folder, "secret.key"))
	p.cmd.Args = append(p.cmd.Args, p.world.flags...)
	p.cmd.Dir, p.cmd.Env = p.world.folder, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + p.world.folder},
		p.world.env...)
	p.cmd.Stderr = p.log
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.ended = make(chan struct{})
	go func(cmd *exec.Cmd, ended chan struct{}) {
		defer close(ended)
		_ = cmd.Wait() // killed, as a rule; the log tells
	}(p.cmd, p.ended)
}

// kill ends the process as a crash would.
func (p *process) kill() {
	if p.cmd != nil {
		_ = p.cmd.Process.Kill() // it may have ended
		<-p.ended
	}
}

// ready returns what /readyz answers; 0 for nothing.
func (p *process) ready() int {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "GET", p.url()+"/readyz", nil)
	if err != nil {
		return 0
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// limit is how long the tests wait for what must happen.
const limit = 90 * time.Second

// await waits until /readyz answers a status.
func (p *process) await(t *testing.T, status int) {
	t.Helper()
	for deadline := time.Now().Add(limit); p.ready() != status; time.Sleep(20 * time.Millisecond) {
		select {
		case <-p.ended:
			t.Fatalf("the server at %s ended: %.5000s", database.Redact(p.database), p.log)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("/readyz at %s does not answer %d but %d: %s", database.Redact(p.database), status, p.ready(), tail(p.log.String()))
		}
	}
}

// tail returns the end of a log.
func tail(text string) string { return text[max(0, len(text)-3000):] }

// startAll starts the servers at once and waits until they are ready.
func (w *world) startAll(t *testing.T) {
	t.Helper()
	for _, p := range w.servers {
		p.start(t)
	}
	for _, p := range w.servers {
		p.await(t, 200)
	}
}

// employees have a shift on the servers' day, for which they have not clocked in. The sharing
// person is not among them, since those events would be taken for theirs.
var employees = []string{"budi", "agus", "ayu", "maya", "siti", "fitri", "asep", "eko", "nur", "cecep"}

// load signs people in, the first of whom makes roles and users.
func (w *world) load(t *testing.T) *load {
	t.Helper()
	l := &load{
		ledger: newLedger(), urls: w.urls(), clock: w.now,
		patience: limit, pause: 50 * time.Millisecond, settle: time.Second,
	}
	for _, name := range append([]string{"admin"}, employees...) {
		p := newPerson(name + "@demo.test")
		w.signIn(t, p, name)
		if name != "admin" {
			p.chooseShift(t, l.urls[0])
		}
		l.people = append(l.people, p)
	}
	return l
}

// chooseShift has a person clock in for their shift of today at a site of theirs.
func (p *person) chooseShift(t *testing.T, url string) {
	t.Helper()
	shift := p.get(t, url, "GET", "/attendance/today", "", nil)["shift"].(map[string]any)["employeeShiftId"]
	sites := p.get(t, url, "POST", "/graphql", `{"query":"{ allowedLocations { addressId name } }"}`, nil)["data"].(map[string]any)["allowedLocations"].([]any)
	p.shift, p.site = shift.(string), sites[2].(map[string]any)["addressId"].(string)
}

// signIn signs somebody in on the first server. Either may send the code.
func (w *world) signIn(t *testing.T, p *person, device string) {
	t.Helper()
	url := w.servers[0].url()
	before := map[*process]int{} // bytes of the logs, which have earlier codes
	for _, s := range w.servers {
		before[s] = len(s.log.String())
	}
	h := map[string]string{}
	h["X-Device-Token"] = p.get(t, url, "POST", "/device/register", `{"deviceId":"`+device+`","platform":"android"}`, nil)["deviceToken"].(string)
	h["x-User-Token"] = p.get(t, url, "POST", "/user/login", `{"username":"`+p.email+`","password":"`+demo.Password+`"}`, h)["userToken"].(string)
	line := regexp.MustCompile(`msg=message .*to=` + regexp.QuoteMeta(p.email) + ` .*text="(\d{6}) `)
	var code string
	for deadline := time.Now().Add(limit); code == ""; time.Sleep(10 * time.Millisecond) {
		for _, s := range w.servers {
			if found := line.FindStringSubmatch(s.log.String()[before[s]:]); found != nil {
				code = found[1]
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("no code for %s", p.email)
		}
	}
	p.get(t, url, "POST", "/authorize/verify", `{"otp":"`+code+`"}`, h)
	p.token = p.get(t, url, "GET", "/authorize/access-token", "", h)["accessToken"].(string)
}

// more waits until so many requests more are acknowledged.
func (l *load) more(t *testing.T, n int) {
	t.Helper()
	for until, deadline := l.acknowledged()+n, time.Now().Add(limit); l.acknowledged() < until; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d requests are acknowledged, want %d", l.acknowledged(), until)
		}
	}
}

// check compares everything with the rows of a database.
func (l *load) check(t *testing.T, url string) {
	t.Helper()
	rows, err := rowsOf(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	found := l.problems(rows)
	for _, p := range found[:min(len(found), 20)] {
		t.Error(p)
	}
	if len(found) > 20 {
		t.Errorf("and %d more", len(found)-20)
	}
	t.Logf("%d requests were acknowledged, %d reads compared, %d rows are there", l.acknowledged(), l.reads, len(rows))
}

// rowsOf reads the effects of all requests.
func rowsOf(ctx context.Context, url string) (all []row, err error) {
	db, err := database.Open(url, nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	for kind, query := range map[string]string{
		clockIn:  "SELECT a.clocked_in_note, u.email, a.clocked_in_recorded_at FROM attendances a JOIN users u ON u.id = a.user_id WHERE a.clocked_in_note LIKE 'fault-%'",
		clockOut: "SELECT a.clocked_out_note, u.email, a.clocked_out_recorded_at FROM attendances a JOIN users u ON u.id = a.user_id WHERE a.clocked_out_note LIKE 'fault-%'",
		newRole:  "SELECT name, 'admin@demo.test', NULL FROM roles WHERE name LIKE 'fault-%'",
		newUser:  "SELECT name, 'admin@demo.test', NULL FROM users WHERE name LIKE 'fault-%'",
	} {
		rows, err := db.Reader.QueryContext(ctx, query)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			one, at := row{kind: kind}, (*time.Time)(nil)
			if err := rows.Scan(&one.key, &one.who, &at); err != nil {
				return nil, errors.Join(err, rows.Close())
			}
			if at != nil {
				one.at = *at
			}
			all = append(all, one)
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Fields(query)[1], err)
		}
	}
	return all, nil
}
