package durability

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// TestKilledServerLosesNothing kills a server in the midst of clock events. What
// it acknowledged is there after a new start, once, and what it did not answer
// can be sent again.
func TestKilledServerLosesNothing(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "workforce")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "workforce/cmd/workforce").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	testdb.Each(t, func(t *testing.T, database string) {
		folder := t.TempDir()
		first := startProcess(t, binary, folder, database, harness.Morning)
		people := []string{"budi", "admin", "agus", "ayu", "maya", "siti"}
		workers := make([]*worker, len(people))
		for i, name := range people {
			workers[i] = first.worker(t, name)
		}
		first.killDuring(t, workers)

		second := startProcess(t, binary, folder, database, harness.Morning.Add(5*time.Minute))
		for _, w := range workers {
			w.client = second.Client
			w.settle(t)
		}
	})
}

// A process is a server that runs as a process of its own.
type process struct {
	*apitest.Client
	cmd *exec.Cmd
	log *lockedBuffer
}

// startProcess starts the server, which ends with the test.
func startProcess(t *testing.T, binary, folder, database string, clock time.Time) *process {
	t.Helper()
	cmd := exec.Command(binary, "serve", "--demo", "--clock", clock.Format(time.RFC3339), "--log-format", "text", "--addr", "127.0.0.1:0",
		"--database", database, "--secret-key-file", filepath.Join(folder, "secret.key"))
	cmd.Dir = folder
	p := &process{cmd: cmd, log: &lockedBuffer{}}
	cmd.Stderr = p.log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatalf("the server did not start:\n%s", p.log)
	}
	_, url, _ := strings.Cut(lines.Text(), "Workforce on ")
	go io.Copy(io.Discard, out)
	p.Client = apitest.Dial(t, url)
	return p
}

// kill ends the process as a crash would. It may have ended already.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// A worker clocks in and out, over and over.
type worker struct {
	name   string
	client *apitest.Client
	token  string
	in     string // body of clock-ins
	out    string

	sent     int          // events
	answered atomic.Int64 // of them
	progress *harness.Signal
}

// worker signs somebody in, whose code is found in the log.
func (p *process) worker(t *testing.T, name string) *worker {
	t.Helper()
	w := &worker{name: name, client: p.Client, progress: &harness.Signal{}}
	device := w.get(t, "POST", "/device/register", `{"deviceId":"`+name+`","platform":"android"}`, nil)["deviceToken"]
	h := map[string]string{"X-Device-Token": device.(string)}
	h["x-User-Token"] = w.get(t, "POST", "/user/login", `{"username":"`+name+`@demo.test","password":"`+demo.Password+`"}`, h)["userToken"].(string)
	w.get(t, "POST", "/authorize/verify", `{"otp":"`+codeIn(t, p.log, name+"@demo.test")+`"}`, h)
	w.token = w.get(t, "GET", "/authorize/access-token", "", h)["accessToken"].(string)
	shift := w.get(t, "GET", "/attendance/today", "", nil)["shift"].(map[string]any)["employeeShiftId"]
	sites := w.get(t, "POST", "/graphql", `{"query":"{ allowedLocations { addressId name } }"}`, nil)["data"].(map[string]any)["allowedLocations"].([]any)
	w.in = fmt.Sprintf(`{"addressId":%q,"employeeShiftId":%q,"latitude":"-6.2","longitude":"106.816666"}`, sites[2].(map[string]any)["addressId"], shift)
	w.out = fmt.Sprintf(`{"employeeShiftId":%q,"latitude":"-6.2","longitude":"106.816666"}`, shift)
	return w
}

// codeIn waits for a message to an address in a log and returns its code.
func codeIn(t *testing.T, log *lockedBuffer, address string) string {
	t.Helper()
	line := regexp.MustCompile(`msg=message .*to=` + regexp.QuoteMeta(address) + ` .*text="(\d{6}) `)
	var found []string
	if !log.written.Wait(func() bool { found = line.FindStringSubmatch(log.String()); return found != nil }) {
		t.Fatalf("no code for %s", address)
	}
	return found[1]
}

// get sends a request that succeeds and returns the answer.
func (w *worker) get(t *testing.T, method, path, body string, header map[string]string) map[string]any {
	t.Helper()
	status, text, err := w.send(t.Context(), method, path, body, header)
	answer := map[string]any{}
	if err != nil || status != 200 || json.Unmarshal(text, &answer) != nil {
		t.Fatalf("%s: %s %s: %d %s %v", w.name, method, path, status, text, err)
	}
	return answer
}

func (w *worker) send(ctx context.Context, method, path, body string, header map[string]string) (int, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, w.client.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if w.token != "" {
		req.Header.Set("Authorization", "Bearer "+w.token)
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := w.client.HTTP.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, text, err
}

// event sends the nth clock event, counted from 1: odd ones are clock-ins.
func (w *worker) event(ctx context.Context, n int) (int, []byte, error) {
	path, body := "/attendance/clockIn", w.in
	if n%2 == 0 {
		path, body = "/attendance/clockOut", w.out
	}
	return w.send(ctx, "POST", path, body, map[string]string{"X-Req-Id": fmt.Sprint(w.name, "-", n)})
}

// killDuring has workers send events until the process is killed in their
// midst. The last event of each may or may not have taken place.
func (p *process) killDuring(t *testing.T, workers []*worker) {
	t.Helper()
	var running sync.WaitGroup
	for _, w := range workers {
		running.Go(func() {
			for {
				w.sent++
				status, text, err := w.event(t.Context(), w.sent)
				if err != nil {
					return // killed
				}
				if status != 200 {
					t.Errorf("%s, event %d: %d %s", w.name, w.sent, status, text)
					w.progress.Notify()
					return
				}
				w.answered.Add(1)
				w.progress.Notify()
			}
		})
	}
	for _, w := range workers {
		w.progress.Wait(func() bool { return w.answered.Load() >= 10 || t.Failed() })
	}
	p.kill()
	running.Wait()
}

// settle compares what is there with what was acknowledged, sends the event that
// was not again, and compares anew.
func (w *worker) settle(t *testing.T) {
	t.Helper()
	acknowledged := int(w.answered.Load())
	if acknowledged < 10 || w.sent != acknowledged+1 {
		t.Fatalf("%s: %d events of %d were acknowledged", w.name, acknowledged, w.sent)
	}
	if n := w.events(t); n != acknowledged && n != w.sent {
		t.Errorf("%s: %d events are there, %d were acknowledged", w.name, n, acknowledged)
	}
	if status, text, err := w.event(t.Context(), w.sent); err != nil || status != 200 {
		t.Errorf("%s: the last event again: %d %s %v", w.name, status, text, err)
	}
	if n := w.events(t); n != w.sent {
		t.Errorf("%s: %d events are there, want %d", w.name, n, w.sent)
	}
}

// events counts the clock events of today.
func (w *worker) events(t *testing.T) int {
	t.Helper()
	n := 0
	for _, e := range w.get(t, "GET", "/attendance/today", "", nil)["entries"].([]any) {
		n++
		if e.(map[string]any)["clockOutAt"] != nil {
			n++
		}
	}
	return n
}
