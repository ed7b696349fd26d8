package faults

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// traced are the system calls that a trace has.
const traced = "read,write,pwrite64,pwritev,pwritev2,io_submit,recvfrom,sendto,fsync,fdatasync"

// trace runs strace on a process while do runs, and returns its lines: the thread,
// then the call, in which file descriptors bear their paths. The test is skipped where
// processes may not be traced, but not in CI.
func trace(t *testing.T, pid int, do func()) []string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "trace")
	cmd := exec.Command("strace", "-f", "-y", "-s", "40", "-e", "trace="+traced, "-e", "signal=none", "-o", out, "-p", strconv.Itoa(pid))
	said, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		untraceable(t, err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, _ := bufio.NewReader(said).ReadString('\n')
	if !strings.Contains(line, "attached") {
		untraceable(t, fmt.Errorf("strace: %s", line))
	}
	go io.Copy(io.Discard, said)
	do()
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // interrupted
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

func untraceable(t *testing.T, err error) {
	t.Helper()
	if os.Getenv("CI") == "" {
		t.Skipf("SKIPPED, the order of syncs was not tested: %v", err)
	}
	t.Fatal(err)
}

// A call is a system call of a trace, at its end where it took place in two lines.
type call struct {
	thread, name, file string
	data               string // what was read or written, as far as the trace has it
	ok                 bool   // it succeeded, and took place
}

var callLine = regexp.MustCompile(`^(\d+) +(\w+)\((?:\d+<(.*?)>)?(?:, "(.*?)")?`)

// calls reads a trace. A call that another thread interrupts comes twice: begun, with
// ok false, and at its end.
func calls(lines []string) []call {
	var all []call
	begun := map[string]call{} // by thread
	for _, line := range lines {
		ok := !strings.HasSuffix(line, "<unfinished ...>") && !strings.Contains(line, " = -1 ") && !strings.Contains(line, "(INJECTED)")
		if thread, rest, found := strings.Cut(line, " <... "); found && strings.Contains(rest, " resumed>") {
			thread = strings.TrimSpace(thread)
			c := begun[thread]
			c.ok = ok
			if _, data, found := strings.Cut(rest, `"`); found && c.data == "" {
				c.data, _, _ = strings.Cut(data, `"`)
			}
			all = append(all, c)
			continue
		}
		m := callLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		c := call{m[1], m[2], m[3], m[4], ok}
		begun[c.thread] = c
		all = append(all, c)
	}
	return all
}

func (c call) syncs(file string) bool {
	return c.ok && (c.name == "fsync" || c.name == "fdatasync") && strings.HasSuffix(c.file, file)
}

// An order says what must happen between a request and its answer, which are calls on
// one file: the log is synced, and where alone is set, not written to after that.
type order struct {
	request  string // what is read has it
	response string // what is written begins with it
	log      string // end of the file's name
	alone    bool   // nobody else writes to the log
}

// early returns how many answers there were, and how many of them came before the log
// was synced.
func (o order) early(all []call) (answers, early int) {
	synced := map[string]bool{} // since a request that waits for its answer, by file
	setAll := func(to bool) {
		for file := range synced {
			synced[file] = to
		}
	}
	for _, c := range all {
		switch {
		case c.syncs(o.log):
			setAll(true)
		case strings.HasSuffix(c.file, o.log):
			if o.alone && c.name != "read" {
				setAll(false)
			}
		case c.ok && (c.name == "read" || c.name == "recvfrom") && strings.Contains(c.data, o.request):
			synced[c.file] = false
		case (c.name == "write" || c.name == "sendto") && strings.HasPrefix(c.data, o.response):
			if done, found := synced[c.file]; found {
				delete(synced, c.file)
				if answers++; !done {
					early++
				}
			}
		}
	}
	return answers, early
}

// TestOrder looks at traces made up.
func TestOrder(t *testing.T) {
	const in, out = `1 read(9<TCP:[a]>, "POST /x HTTP"..., 4096) = 99`, `1 write(9<TCP:[a]>, "HTTP/1.1 200 OK"..., 99) = 99`
	for _, tt := range []struct {
		name, lines string
		early       int
	}{
		{"synced", in + "\n2 pwrite64(7</d/x.db-wal>, \"\"..., 24, 0) = 24\n2 fdatasync(7</d/x.db-wal>) = 0\n" + out, 0},
		{"synced by another thread", in + "\n2 fsync(7</d/x.db-wal> <unfinished ...>\n3 read(1</y>, \"\", 1) = 0\n2 <... fsync resumed>) = 0\n" + out, 0},
		{"not synced", in + "\n2 pwrite64(7</d/x.db-wal>, \"\"..., 24, 0) = 24\n" + out, 1},
		{"synced before", "2 fsync(7</d/x.db-wal>) = 0\n" + in + "\n" + out, 1},
		{"synced after", in + "\n" + out + "\n2 fsync(7</d/x.db-wal>) = 0", 1},
		{"the sync still runs", in + "\n2 fsync(7</d/x.db-wal> <unfinished ...>\n" + out + "\n2 <... fsync resumed>) = 0", 1},
		{"the sync failed", in + "\n2 fsync(7</d/x.db-wal>) = -1 EIO (Input/output error)\n" + out, 1},
		{"the sync did not take place", in + "\n2 fsync(7</d/x.db-wal>) = 0 (INJECTED)\n" + out, 1},
		{"written again after the sync", in + "\n2 fsync(7</d/x.db-wal>) = 0\n2 pwrite64(7</d/x.db-wal>, \"\"..., 24, 0) = 24\n" + out, 1},
		{"another file", in + "\n2 fsync(7</d/x.db>) = 0\n" + out, 1},
	} {
		answers, early := order{"/x HTTP", "HTTP/1.1 200", "-wal", true}.early(calls(strings.Split(tt.lines, "\n")))
		if answers != 1 || early != tt.early {
			t.Errorf("%s: %d answers, %d early; want 1 and %d", tt.name, answers, early, tt.early)
		}
	}
}

// tracedDatabase names the database of the server that TestTracedServer is to be, and
// tracedPragma a statement for its writer.
const (
	tracedDatabase = "WORKFORCE_TEST_TRACED"
	tracedPragma   = "WORKFORCE_TEST_PRAGMA"
)

// moving gives a server of the harness a clock that goes on.
func moving(c *server.Config) {
	began := time.Now()
	c.Now = func() time.Time { return harness.Morning.Add(time.Since(began)).UTC().Truncate(time.Microsecond) }
}

// TestTracedServer is, in a process of its own, the server that is traced.
func TestTracedServer(t *testing.T) {
	url := os.Getenv(tracedDatabase)
	if url == "" {
		return // this is the test's own process
	}
	s := harness.New(t, url, moving)
	if _, err := s.Store.DB.Writer.Exec(os.Getenv(tracedPragma)); err != nil {
		t.Fatal(err)
	}
	fmt.Println("URL", s.URL)
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent is gone
}

// startTraced starts TestTracedServer and returns its process id and URL.
func startTraced(t *testing.T, url, pragma string) (int, string) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestTracedServer$")
	child.Env = append(os.Environ(), tracedDatabase+"="+url, tracedPragma+"="+pragma)
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	t.Cleanup(func() { _ = errors.Join(stdin.Close(), child.Wait()) })
	var said []string
	for lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "URL "); ok {
			go io.Copy(io.Discard, out)
			return child.Process.Pid, url
		}
		said = append(said, lines.Text())
	}
	t.Fatalf("the server did not start:\n%s", strings.Join(said, "\n"))
	return 0, ""
}

// events is how many clock events are traced.
const events = 10

// clockInAndOut sends clock events to the server at a URL, which has the database of s.
func clockInAndOut(t *testing.T, s *harness.Server, url string) {
	t.Helper()
	c := apitest.Dial(t, url)
	c.Vars = s.Vars
	for n := range events / 2 {
		c.Run(t, []apitest.Scenario{
			harness.Under(harness.ClockIn("budi"), fmt.Sprint(t.Name(), "-in-", n)),
			harness.Under(harness.ClockOut("budi"), fmt.Sprint(t.Name(), "-out-", n)),
		})
	}
}

// ready signs budi in on a server of the test's own process.
func ready(t *testing.T, url string) *harness.Server {
	t.Helper()
	s := harness.New(t, url, moving)
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveShift(t, "budi")
	s.SaveSites(t, "budi")
	return s
}

// TestSyncBeforeAnswerSQLite traces a server: between each request that writes and its
// answer it syncs SQLite's log, and with syncing off it does not, which shows.
func TestSyncBeforeAnswerSQLite(t *testing.T) {
	for _, tt := range []struct {
		synchronous string
		early       int
	}{{"FULL", 0}, {"OFF", events}} {
		t.Run(tt.synchronous, func(t *testing.T) {
			url := testdb.SQLite(t)
			s := ready(t, url)
			pid, at := startTraced(t, url, "PRAGMA synchronous = "+tt.synchronous)
			lines := trace(t, pid, func() { clockInAndOut(t, s, at) })
			answers, early := order{"/attendance/clock", "HTTP/1.1 200", "-wal", true}.early(calls(lines))
			if answers != events || early != tt.early {
				t.Errorf("%d answers, %d before the log was synced; want %d and %d", answers, early, events, tt.early)
			}
		})
	}
}

// TestSyncBeforeAnswerMySQL traces the database server: between each COMMIT and its
// answer it syncs the redo log, and with syncing off it does not, which shows.
func TestSyncBeforeAnswerMySQL(t *testing.T) {
	db := testdb.Start(t, "--innodb-flush-log-at-trx-commit=1")
	at := db.Database(t)
	s := ready(t, at)
	u, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, flush := range []string{"1", "2", "0"} {
		t.Run("flush "+flush, func(t *testing.T) {
			pool, err := database.Open(u.String(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			if _, err := pool.Writer.Exec("SET GLOBAL innodb_flush_log_at_trx_commit = " + flush); err != nil {
				t.Fatal(err)
			}
			lines := trace(t, db.PID(), func() { clockInAndOut(t, s, s.URL) })
			commits, early := order{request: "COMMIT", log: "ib_logfile0"}.early(calls(lines))
			if commits < events || flush == "1" && early > 0 || flush != "1" && early < commits/2 {
				t.Errorf("%d commits, %d answered before the log was synced", commits, early)
			}
		})
	}
}
