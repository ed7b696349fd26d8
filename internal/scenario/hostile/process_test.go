package hostile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
)

// A process is a server that runs the built command.
type process struct {
	cmd         *exec.Cmd
	addr, admin string
	log         string // file

	allocatedBefore int // bytes, since the start
}

var onURL = regexp.MustCompile(`Workforce on http://(\S+)\n`)

// start starts a server on a database, which ends with the test or with stop. Somebody may
// take its second port first: then another is tried.
func start(t *testing.T, bin, database, key string) *process {
	t.Helper()
	for tries := 1; ; tries++ {
		p, banner := begin(t, bin, database, key)
		if p.addr != "" {
			return p
		}
		if tries == 5 || !strings.Contains(p.logged(), "address already in use") {
			t.Fatalf("it does not start: %s%s", banner, p.logged())
		}
	}
}

// begin starts a server; without an address, it did not start.
func begin(t *testing.T, bin, database, key string) (p *process, banner string) {
	t.Helper()
	dir := t.TempDir()
	p = &process{log: filepath.Join(dir, "log"), admin: harness.FreeAddr(t)}
	log, err := os.Create(p.log)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	p.cmd = exec.Command(bin, "serve", "--addr=127.0.0.1:0", "--admin-addr="+p.admin, "--database="+database, "--secret-key-file="+key,
		"--demo", "--introspection=false", "--trusted-proxies=127.0.0.1", "--clock="+harness.Morning.Format(time.RFC3339))
	p.cmd.Dir, p.cmd.Env, p.cmd.Stderr = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}, log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.stop() })
	lines := bufio.NewReader(out)
	for p.addr == "" {
		line, err := lines.ReadString('\n')
		if banner += line; err != nil {
			p.stop()
			return p, banner
		}
		if m := onURL.FindStringSubmatch(line); m != nil {
			p.addr = m[1]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // ends with the process
	return p, banner
}

// stop ends the process, once.
func (p *process) stop() {
	if p.cmd.ProcessState == nil {
		_ = p.cmd.Process.Kill() // it may have ended
		_ = p.cmd.Wait()         // killed
	}
}

func (p *process) logged() string {
	text, _ := os.ReadFile(p.log)
	return string(text)
}

// A cost is what a request took.
type cost struct {
	cpu       time.Duration
	allocated int // bytes, whether or not they were in use at once
	peak      int // bytes, of the process's memory over that before
}

func (c cost) String() string {
	return fmt.Sprintf("%v of CPU, %.1f MiB allocated, %.1f MiB at once", c.cpu.Round(time.Millisecond), mib(c.allocated), mib(c.peak))
}

func mib(bytes int) float64 { return float64(bytes) / (1 << 20) }

// measure returns what the process spends on f.
func (p *process) measure(t *testing.T, f func()) cost {
	t.Helper()
	p.write(t, "clear_refs", "5") // the peak is now what is in use
	if p.allocatedBefore == 0 {
		p.allocatedBefore = p.allocated(t)
	}
	memory, cpu := p.memory(t), p.cpu(t)
	f()
	spent := p.cpu(t) - cpu
	for range 500 { // collecting garbage goes on after the answer
		time.Sleep(time.Millisecond)
		before := spent
		if spent = p.cpu(t) - cpu; spent-before < 100*time.Microsecond {
			break
		}
	}
	peak, allocated := p.memory(t)-memory, p.allocated(t)
	more := allocated - p.allocatedBefore
	p.allocatedBefore = allocated
	return cost{spent, more, peak}
}

// cpu is the CPU time of all threads.
func (p *process) cpu(t *testing.T) (total time.Duration) {
	t.Helper()
	files, err := filepath.Glob(p.file("task/*/schedstat"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the server is gone: %v\n%s", err, p.logged())
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // the thread ended
		}
		running, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.Atoi(running)
		total += time.Duration(n)
	}
	return total
}

var highWater = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// memory is the most memory that was in use since clear_refs was written.
func (p *process) memory(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(p.file("status"))
	m := highWater.FindSubmatch(text)
	if err != nil || m == nil {
		t.Fatalf("the server is gone: %v\n%s", err, p.logged())
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n << 10
}

// allocated is how many bytes were allocated since the start.
func (p *process) allocated(t *testing.T) int {
	t.Helper()
	resp, err := http.Get("http://" + p.admin + "/metrics")
	if err != nil {
		t.Fatalf("the server is gone: %v\n%s", err, p.logged())
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(text, []byte("\ngo_memstats_alloc_bytes_total "))
	value, _, _ := bytes.Cut(rest, []byte("\n"))
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		t.Fatalf("no count of allocated bytes: %v", err)
	}
	return int(n)
}

func (p *process) file(name string) string {
	return filepath.Join("/proc", strconv.Itoa(p.cmd.Process.Pid), name)
}

func (p *process) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(p.file(name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
