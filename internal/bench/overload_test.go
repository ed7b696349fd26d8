package bench

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/internal/sealed"
	"workforce/internal/server"
)

// What overload measures.
const (
	fewClients   = 128
	manyClients  = 3000
	inTime       = time.Second // an answer that takes longer does not count
	overloadPart = 4 * time.Second
	settle       = 2 * time.Second // of each load, before it is measured
)

// BenchmarkOverload drives a server of its own process with more than it can do: 30 %
// clock-ins and clock-outs, 70 % of Attendance Today, each client somebody else on a
// connection of their own. Closed loop: a client sends its next request when it has
// the answer to the last one, and after 503 again when Retry-After says, or, where it is
// impatient, at once. Open loop: requests come at a fixed rate, and those refused do not
// come back. It is part of make bench, as the workload overload.
func BenchmarkOverload(b *testing.B) {
	if wanted := regexp.MustCompile("^(" + *benchWorkloads + ")$"); *benchWorkloads != "" && !wanted.MatchString("overload") {
		b.Skip("not among the workloads")
	}
	var lines []string
	for name := range strings.SplitSeq(*benchDatabases, ",") {
		b.Run(name, func(b *testing.B) {
			fmt.Println() // ends the line that names the benchmark
			lines = append(lines, newOverload(b, name).rounds(b)...)
		})
	}
	fmt.Println()
	for _, line := range lines {
		fmt.Println(line)
	}
}

// An overload is a server and its clients.
type overload struct {
	database   string
	addr       string
	pid, dbPID int
	clients    []*client

	mu     sync.Mutex
	probed time.Duration // slowest answer of /healthz and /readyz since the last look
	failed error         // first failure of a client or probe
}

func newOverload(b *testing.B, name string) *overload {
	b.Helper()
	c := &comparison{database: name}
	at, keyFile := c.openDatabase(b), filepath.Join(b.TempDir(), "secret.key")
	srv, err := server.New(b.Context(), benchConfig(at, keyFile), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	keys, err := sealed.Load(keyFile)
	if err != nil {
		b.Fatal(err)
	}
	crew := fillCrew(b, srv.Store, keys[0], manyClients)
	if err := srv.Store.Close(); err != nil {
		b.Fatal(err)
	}
	o := &overload{database: name, dbPID: c.databasePID}
	o.addr, o.pid = startAlone(b, at, keyFile)
	face, _ := json.Marshal(benchFace(1)) // finite numbers
	for i, caller := range crew.callers {
		o.clients = append(o.clients, &client{
			token: caller.token, random: mathrand.New(mathrand.NewPCG(uint64(i), 1)),
			event: fmt.Sprintf(`{"addressId":%d,"employeeShiftId":%d,"latitude":"-6.200100","longitude":"106.816700","accuracy":12.5,"faceLandmark":%s}`,
				crew.site, caller.occurrences[len(caller.occurrences)-1], face),
		})
	}
	return o
}

// A client sends the requests of one person.
type client struct {
	*rawConn
	token, event string
	in           bool // clocked in
	random       *mathrand.Rand
}

// dial opens the client's connection, again where there is one: the server closes
// those that send nothing for a while.
func (c *client) dial(addr string) error {
	if c.rawConn != nil {
		_ = c.Close() // the next one matters
	}
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return err
	}
	c.rawConn = &rawConn{Conn: conn, in: bufio.NewReaderSize(conn, 4<<10)}
	return nil
}

// next renders a request; done is to be called when it was served.
func (c *client) next() (request []byte, done func()) {
	if c.random.IntN(10) >= 3 {
		return render("GET", "/attendance/today", c.token, ""), func() {}
	}
	path := "/attendance/clockIn"
	if c.in {
		path = "/attendance/clockOut"
	}
	return render("POST", path, c.token, c.event, "X-Req-Id: "+rand.Text()), func() { c.in = !c.in }
}

// A tally counts what came of requests.
type tally struct {
	good, late, refused, lost atomic.Int64 // lost: no client was free to send it
}

// send sends a request, and returns how long to wait before it is sent again; 0
// where it was served.
func (c *client) send(request []byte, t *tally) (again time.Duration, err error) {
	began := time.Now()
	status, retry, err := c.exchange(request)
	switch {
	case err != nil:
		return 0, err
	case status == http.StatusServiceUnavailable:
		t.refused.Add(1)
		return max(retry, time.Second), nil
	case status != http.StatusOK:
		return 0, fmt.Errorf("status %d for %.40s", status, request)
	case time.Since(began) > inTime:
		t.late.Add(1)
	default:
		t.good.Add(1)
	}
	return 0, nil
}

// exchange sends a request and returns the status of the answer and its Retry-After.
func (c *client) exchange(request []byte) (status int, retry time.Duration, err error) {
	if _, err := c.Write(request); err != nil {
		return 0, 0, err
	}
	line, err := c.rawConn.in.ReadSlice('\n')
	if err != nil || len(line) < 12 {
		return 0, 0, fmt.Errorf("no answer: %q, %w", line, err)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, err
	}
	length := -1
	for {
		line, err := c.rawConn.in.ReadSlice('\n')
		if err != nil {
			return 0, 0, err
		}
		name, value, _ := bytes.Cut(bytes.TrimSpace(line), []byte(": "))
		switch string(name) {
		case "":
			if length < 0 {
				return 0, 0, errors.New("an answer without its length")
			}
			_, err = c.rawConn.in.Discard(length)
			return status, retry, err
		case "Content-Length":
			length, err = strconv.Atoi(string(value))
		case "Retry-After":
			var seconds int
			seconds, err = strconv.Atoi(string(value))
			retry = time.Duration(seconds) * time.Second
		}
		if err != nil {
			return 0, 0, err
		}
	}
}

// closed runs the closed loop of some clients until ctx ends. Those that are impatient try again
// at once what was refused.
func (o *overload) closed(ctx context.Context, clients int, impatient bool, t *tally) {
	var all sync.WaitGroup
	for _, c := range o.clients[:clients] {
		all.Go(func() {
			if err := c.dial(o.addr); err != nil {
				o.fail(err)
				return
			}
			for ctx.Err() == nil {
				request, done := c.next()
				for {
					again, err := c.send(request, t)
					if err != nil {
						o.fail(err)
						return
					}
					if again == 0 {
						break
					}
					if impatient {
						again = 0
					}
					select {
					case <-ctx.Done():
						return
					case <-time.After(again):
					}
				}
				done()
			}
		})
	}
	all.Wait()
}

// open sends requests at a rate per second until ctx ends, each by a client that is
// free.
func (o *overload) open(ctx context.Context, rate float64, t *tally) {
	free, due := make(chan *client, len(o.clients)), make(chan *client)
	var all sync.WaitGroup
	for _, c := range o.clients {
		all.Go(func() {
			if err := c.dial(o.addr); err != nil {
				o.fail(err)
				return
			}
			free <- c
			for c := range due {
				request, done := c.next()
				again, err := c.send(request, t)
				if err != nil {
					o.fail(err)
					continue
				}
				if again == 0 {
					done()
				}
				free <- c
			}
		})
	}
	for began, sent := time.Now(), 0; ctx.Err() == nil; {
		for ; float64(sent) < rate*time.Since(began).Seconds(); sent++ {
			select {
			case c := <-free:
				due <- c
			default:
				t.lost.Add(1)
			}
		}
		time.Sleep(time.Millisecond)
	}
	close(due)
	all.Wait()
}

// A loadFigures is what a load came to.
type loadFigures struct {
	good, late, refused, lost float64 // per second
	cpu                       float64 // seconds per second, of the server and its database
	health                    time.Duration
}

// measure runs a load and measures its middle part.
func (o *overload) measure(b *testing.B, run func(ctx context.Context, t *tally)) loadFigures {
	b.Helper()
	ctx, stop := context.WithCancel(b.Context())
	var t tally
	var running sync.WaitGroup
	running.Go(func() { run(ctx, &t) })
	running.Go(func() { o.probe(ctx) })
	time.Sleep(settle)
	o.slowest()
	began, cpu := time.Now(), cpuOf(o.pid)+cpuOf(o.dbPID)
	counts := [...]*atomic.Int64{&t.good, &t.late, &t.refused, &t.lost}
	var before, after [len(counts)]int64
	for i, n := range counts {
		before[i] = n.Load()
	}
	time.Sleep(overloadPart)
	for i, n := range counts {
		after[i] = n.Load()
	}
	elapsed := time.Since(began).Seconds()
	f := loadFigures{cpu: (cpuOf(o.pid) + cpuOf(o.dbPID) - cpu).Seconds() / elapsed, health: o.slowest()}
	for i, into := range [...]*float64{&f.good, &f.late, &f.refused, &f.lost} {
		*into = float64(after[i]-before[i]) / elapsed
	}
	stop()
	running.Wait()
	return f
}

// probe reads what a process of its own measures of /healthz and /readyz, until ctx
// ends: beside the clients it would wait for its turn among their goroutines.
func (o *overload) probe(ctx context.Context) {
	cmd := exec.CommandContext(ctx, os.Args[0])
	cmd.Env = append(os.Environ(), aloneProbe+"="+o.addr)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		o.fail(err)
		return
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		took, err := time.ParseDuration(lines.Text())
		if err != nil {
			o.fail(err)
		}
		o.mu.Lock()
		o.probed = max(o.probed, took)
		o.mu.Unlock()
	}
	if err := cmd.Wait(); ctx.Err() == nil {
		o.fail(fmt.Errorf("the probe: %w", err))
	}
}

// probeAlone asks /healthz and /readyz, as a load balancer does, and prints how long
// each answer took, until one fails or the process is killed.
func probeAlone(addr string) error {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: 5 * time.Second}
	for {
		for _, path := range []string{"/healthz", "/readyz"} {
			began := time.Now()
			resp, err := client.Get("http://" + addr + path)
			fmt.Println(time.Since(began))
			if err != nil {
				return err
			}
			_ = resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				return fmt.Errorf("%s: %s", path, resp.Status)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// fail records a failure.
func (o *overload) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failed = cmp.Or(o.failed, err)
}

// slowest returns the slowest probe since the last call.
func (o *overload) slowest() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	slow := o.probed
	o.probed = 0
	return slow
}

// rounds measures all loads so many times, and returns the lines of the medians.
func (o *overload) rounds(b *testing.B) []string {
	var crowd, flood, impatience, health []float64
	for range *benchRounds {
		few := o.measure(b, func(ctx context.Context, t *tally) { o.closed(ctx, fewClients, false, t) })
		o.print("few", few)
		many := o.measure(b, func(ctx context.Context, t *tally) { o.closed(ctx, manyClients, false, t) })
		o.print("many", many)
		peak := max(few.good, many.good)
		open := o.measure(b, func(ctx context.Context, t *tally) { o.open(ctx, 3*peak, t) })
		o.print("open", open)
		again := o.measure(b, func(ctx context.Context, t *tally) { o.closed(ctx, manyClients, true, t) })
		o.print("impatient", again)
		best := few
		if many.good > few.good {
			best = many
		}
		crowd = append(crowd, many.good/few.good)
		flood = append(flood, (open.good/open.cpu)/(best.good/best.cpu))
		impatience = append(impatience, again.good/peak)
		health = append(health, max(many.health, open.health, again.health).Seconds()*1000)
	}
	if o.failed != nil {
		b.Errorf("first failure: %v", o.failed)
	}
	return []string{
		fmt.Sprintf("overload %s: answers within %v at %d clients over those at %d: %.2f", o.database, inTime, manyClients, fewClients, median(crowd)),
		fmt.Sprintf("overload %s: at three times the peak, answers in time per CPU second over the peak's: %.2f", o.database, median(flood)),
		fmt.Sprintf("overload %s: answers in time at %d clients that try again at once over the peak: %.2f",
			o.database, manyClients, median(impatience)),
		fmt.Sprintf("overload %s: slowest answer of /healthz and /readyz meanwhile: %.0f ms", o.database, median(health)),
	}
}

// print prints a load in the form that benchstat reads.
func (o *overload) print(name string, f loadFigures) {
	fmt.Printf("BenchmarkOverload/%s/%s 1 %.0f good/s %.0f late/s %.0f refused/s %.0f lost/s %.2f cpus %.0f good/cpu-s %.0f health-ms\n",
		o.database, name, f.good, f.late, f.refused, f.lost, f.cpu, f.good/f.cpu, f.health.Seconds()*1000)
}

func median(v []float64) float64 {
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// The environment that makes the test's binary a server, a probe of one, or a balancer.
const (
	aloneProbe    = "WORKFORCE_BENCH_PROBE"
	aloneDatabase = "WORKFORCE_BENCH_DATABASE"
	aloneKey      = "WORKFORCE_BENCH_KEY"
	aloneBroker   = "WORKFORCE_BENCH_BROKER"
	aloneCache    = "WORKFORCE_BENCH_CACHE" // bytes
	aloneBalancer = "WORKFORCE_BENCH_BALANCER"
)

// startAlone starts the server in a process of its own, with more environment.
func startAlone(b *testing.B, at, keyFile string, more ...string) (addr string, pid int) {
	b.Helper()
	return startSelf(b, append(more, aloneDatabase+"="+at, aloneKey+"="+keyFile)...)
}

// startSelf starts this binary as a process that prints the address that it listens on.
func startSelf(b *testing.B, env ...string) (addr string, pid int) {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // killed
	})
	addr, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(addr), cmd.Process.Pid
}

// serveAlone serves a database until the process is killed, as serve does.
func serveAlone(at, keyFile string) error {
	server.TuneCollector()
	s := benchConfig(at, keyFile)
	s.Broker = os.Getenv(aloneBroker)
	if bytes, err := strconv.ParseInt(os.Getenv(aloneCache), 10, 64); err == nil {
		s.Cache = server.ByteSize(bytes)
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	log, _, err := server.NewLog(s, null)
	if err != nil {
		return err
	}
	srv, err := server.New(context.Background(), s, log)
	if err != nil {
		return err
	}
	listener, err := server.Listen(s.Addr)
	if err != nil {
		return err
	}
	return srv.Serve(context.Background(), listener, func(string) { fmt.Println(listener.Addr()) })
}
