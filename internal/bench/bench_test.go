package bench

import (
	"bytes"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"workforce/internal/database"
	"workforce/internal/sealed"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// What make bench compares, and how long.
var (
	benchRounds    = flag.Int("rounds", 5, "of make bench: how often everything is measured")
	benchWorkloads = flag.String("workloads", "", "of make bench: pattern of the workloads; all when empty")
	benchDatabases = flag.String("databases", "sqlite,mysql", "of make bench")
	benchLoads     = flag.String("concurrency", "8,32", "of make bench: connections at once")
	benchServers   = flag.String("servers", "ours,floor", "of make bench")
	benchSlice     = flag.Duration("slice", time.Second, "of make bench: how long each measurement takes at least")
	benchShare     = flag.Float64("share", 0.1, "of make bench-scale: share of a core that each server process may use; 0 for no limit")
)

// BenchmarkServers measures the whole server, and compares lists, pages, today and the clock-in
// with a server that was written by hand, the floor. Both run in this process, on the same
// database, and are reached over the loopback interface. It is run by make bench.
func BenchmarkServers(b *testing.B) {
	if b.N > 1 {
		b.Fatal("run with -benchtime 1x")
	}
	server.TuneCollector() // as the command does
	var ratios []string
	for name := range strings.SplitSeq(*benchDatabases, ",") {
		b.Run(name, func(b *testing.B) {
			fmt.Println() // ends the line that names the benchmark
			c := newComparison(b, name)
			c.compareBodies(b)
			for round := range *benchRounds {
				c.round(b, round)
			}
			ratios = append(ratios, c.ratios()...)
		})
	}
	fmt.Println()
	for _, line := range ratios {
		fmt.Println(line)
	}
}

// A comparison is the servers on one database.
type comparison struct {
	database    string // sqlite or mysql
	databasePID int    // 0 for SQLite
	targets     []*target
	cached      *target // the server as it is with its cache on
	workloads   []*workload
	jobs        []jobWork
	loads       []int
	speeds      map[speedKey]float64 // requests per second
	costs       map[speedKey]float64 // CPU time per request, of the database too
	peaks       map[speedKey]float64 // most bytes held in any round, which the key leaves out
}

// A speedKey names one measurement.
type speedKey struct {
	round    int
	workload string
	load     int
	target   string
}

// A target is one of the servers.
type target struct{ name, addr string }

// A workload is requests of one kind.
type workload struct {
	name   string
	set    *requestSet
	writes writeWork // nil for one that reads
	cached bool      // of the server with its cache on
	floor  bool      // the floor answers it too
}

func newComparison(b *testing.B, name string) *comparison {
	b.Helper()
	c := &comparison{database: name, speeds: map[speedKey]float64{}, costs: map[speedKey]float64{}, peaks: map[speedKey]float64{}}
	for n := range strings.SplitSeq(*benchLoads, ",") {
		load, err := strconv.Atoi(n)
		if err != nil {
			b.Fatal(err)
		}
		c.loads = append(c.loads, load)
	}
	at, keyFile := c.openDatabase(b), filepath.Join(b.TempDir(), "secret.key")
	srv, addr := serveOurs(b, at, keyFile, 0)
	c.rest(b, srv.Store.DB.Writer)
	_, cached := serveOurs(b, at, keyFile, benchCache)
	c.rest(b, srv.Store.DB.Writer)
	keys, err := sealed.Load(keyFile)
	if err != nil {
		b.Fatal(err)
	}
	data := fillBench(b, srv.Store, keys[0])
	c.cached = &target{"ours", cached}
	pool := srv.Store.DB.Reader.Stats().MaxOpenConnections
	c.targets = []*target{
		{"ours", addr},
		{"floor", serveFloor(b, handPool(b, at, pool), keys[0])},
	}
	wanted := regexp.MustCompile("^(" + *benchWorkloads + ")$")
	for _, w := range benchWork(b, data, srv.Store.DB.Writer) {
		if *benchWorkloads == "" || wanted.MatchString(w.name) {
			c.workloads = append(c.workloads, w)
		}
	}
	writer := srv.Store.DB.Writer
	for _, w := range []jobWork{newPlanWork(writer, srv.Store.Ent, data.planned.id), newNightWork(writer, srv.Store.Ent, data.large.id)} {
		if *benchWorkloads == "" || wanted.MatchString(w.name()) {
			c.jobs = append(c.jobs, w)
		}
	}
	return c
}

// rest waits until the periodic jobs of a server that has begun have found nothing to do, and lets
// them rest while there is data: what they write is measured by itself. A server that begins has
// jobs that rest run at their next time.
func (c *comparison) rest(b *testing.B, db *sql.DB) {
	b.Helper()
	for left := 1; left > 0; time.Sleep(20 * time.Millisecond) {
		now := time.Now().UTC()
		err := db.QueryRow("SELECT COUNT(*) + (SELECT COUNT(*) = 0 FROM jobs) FROM jobs WHERE state = 'running' OR state = 'queued' AND (run_at <= ? OR run_at > ?)",
			now, now.AddDate(0, 0, 2)).Scan(&left)
		if err != nil {
			b.Fatal(err)
		}
	}
	if _, err := db.Exec("UPDATE jobs SET run_at = ?", time.Now().UTC().AddDate(1, 0, 0)); err != nil {
		b.Fatal(err)
	}
}

// openDatabase makes an empty database and returns its URL. MariaDB flushes
// each commit, and has the memory that its own defaults give it.
func (c *comparison) openDatabase(b *testing.B) string {
	b.Helper()
	if c.database == "sqlite" {
		return testdb.SQLite(b)
	}
	at := testdb.Start(b).Database(b)
	opened, err := database.Open(at, nil)
	if err != nil {
		b.Fatal(err)
	}
	defer opened.Close()
	db := opened.Writer
	for _, statement := range []string{
		"SET GLOBAL innodb_flush_log_at_trx_commit = 1", "SET GLOBAL innodb_buffer_pool_size = 134217728",
	} {
		if _, err := db.Exec(statement); err != nil {
			b.Fatal(err)
		}
	}
	var file string
	if err := db.QueryRow("SELECT @@pid_file").Scan(&file); err != nil {
		b.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	c.databasePID, _ = strconv.Atoi(strings.TrimSpace(string(text))) // 0: its CPU is not told
	return at
}

// benchCache is the memory of the cache, in bytes, where it is on: the default.
const benchCache = 64 << 20

// benchConfig is the settings of a server, its cache off.
func benchConfig(at, keyFile string) server.Config {
	return server.Config{
		Addr: "127.0.0.1:0", PublicURL: "http://bench.test", Database: at, Migrate: true, SecretKeyFile: keyFile,
		LogLevel: slog.LevelInfo, LogFormat: "json", Playground: true, Docs: true, Country: "ID", ShutdownTimeout: 5 * time.Second,
	}
}

// serveOurs runs what serve runs, with its log in JSON to nowhere, and returns
// its address.
func serveOurs(b *testing.B, at, keyFile string, cache server.ByteSize) (*server.Server, string) {
	b.Helper()
	s := benchConfig(at, keyFile)
	s.Cache = cache
	log, _, err := server.NewLog(s, io.Discard)
	if err != nil {
		b.Fatal(err)
	}
	srv, err := server.New(b.Context(), s, log)
	if err != nil {
		b.Fatal(err)
	}
	listener, err := server.Listen(s.Addr)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- srv.Serve(ctx, listener, func(string) {}) }()
	b.Cleanup(func() {
		stop()
		<-done // idle connections may outlast the time
		_ = srv.Store.Close()
	})
	return srv, listener.Addr().String()
}

// handPool opens a pool as large as the server's own, with the settings that
// are best for prepared statements.
func handPool(b *testing.B, at string, size int) *sql.DB {
	b.Helper()
	var db *sql.DB
	var err error
	if path, ok := strings.CutPrefix(at, "sqlite:"); ok {
		db, err = sql.Open("sqlite", "file:"+path+"?_busy_timeout=10000&_journal_mode=WAL&_foreign_keys=on&_synchronous=FULL"+
			"&_txlock=immediate&_time_format=sqlite&_timezone=UTC")
	} else if u, _ := url.Parse(at); u != nil {
		password, _ := u.User.Password()
		cfg := mysql.NewConfig()
		cfg.User, cfg.Passwd, cfg.Net, cfg.Addr, cfg.DBName = u.User.Username(), password, "tcp", u.Host, u.Path[1:]
		cfg.ParseTime, cfg.InterpolateParams, cfg.Collation = true, true, "utf8mb4_bin"
		cfg.Params = map[string]string{"tx_isolation": "'READ-COMMITTED'", "time_zone": "'+00:00'", "sql_mode": "'TRADITIONAL'"}
		db, err = sql.Open("mysql", cfg.FormatDSN())
	}
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	b.Cleanup(func() { _ = db.Close() })
	return db
}

// serveFloor runs the floor and returns its address.
func serveFloor(b *testing.B, db *sql.DB, key sealed.Key) string {
	b.Helper()
	handler, err := newFloor(db, key)
	if err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	srv := &http.Server{Handler: handler}
	go func() { _ = srv.Serve(listener) }() // until it is closed
	b.Cleanup(func() { _ = srv.Close() })
	return listener.Addr().String()
}

// benchWork returns the workloads.
func benchWork(b testing.TB, d *benchData, db *sql.DB) []*workload {
	b.Helper()
	get := func(path string) func(benchCaller) []byte {
		return func(c benchCaller) []byte { return render("GET", path, c.token, "") }
	}
	post := func(body string) func(benchCaller) []byte {
		return func(c benchCaller) []byte { return render("POST", "/graphql", c.token, body) }
	}
	clock, err := newClockWork(db, d.crew)
	if err != nil {
		b.Fatal(err)
	}
	timers, err := newTimerWork(db, d.timers)
	if err != nil {
		b.Fatal(err)
	}
	return []*workload{
		{name: "list-1000", floor: true, set: each(d.small.callers[:8], get("/user"))},
		{name: "list-10000", floor: true, set: each(d.large.callers, get("/user"))},
		{name: "page-50", floor: true, set: each(d.small.callers[:8], pageOf(1000))},
		{name: "page-50-of-10000", floor: true, set: each(d.large.callers, pageOf(10_000))},
		{name: "profile", set: each(d.small.callers, get("/user/profile"))},
		{name: "today", floor: true, set: each(d.small.callers, get("/attendance/today"))},
		{name: "clock-in", floor: true, set: clock.set, writes: clock},
		{name: "graphql-list", set: each(d.small.callers[:8], post(operation("Employees", employeesQuery)))},
		{name: "list-1000-cached", cached: true, floor: true, set: each(d.small.callers[:8], get("/user"))},
		{name: "page-50-cached", cached: true, floor: true, set: each(d.small.callers[:8], pageOf(1000))},
		{name: "roster", set: each(d.team.callers[:8], post(operation("Roster", rosterQuery)))},
		{name: "timesheet-month", set: each(d.months.callers[:8], post(monthOf(time.Now(), d.zone)))},
		{name: "summary", set: each(d.months.callers[:8], post(operation("Summary", summaryQuery)))},
		{name: "tasks-50", set: each(d.works.callers[:8], tasksOf(workTasks))},
		{name: "grouping-month", set: each(d.works.callers[:8], post(groupingOf(time.Now(), d.zone)))},
		{name: "timer-start", set: timers.set, writes: timers},
		{name: "deep", set: each(d.small.callers[:8], post(operation("Dashboard", dashboardQuery)))},
	}
}

// A writeWork is what a workload that writes does besides its requests.
type writeWork interface {
	sample() []byte           // one request
	begin() error             // renders the requests anew, after reset
	reset() error             // takes back what was written
	written() ([]byte, error) // the rows that were written; of values that always differ, only whether they are there
}

// each makes requests of each caller, in random order.
func each(callers []benchCaller, requests func(benchCaller) []byte) *requestSet {
	set := &requestSet{}
	for range max(1, 1000/len(callers)) {
		for _, c := range callers {
			set.all = append(set.all, requests(c))
		}
	}
	return set
}

// pageOf asks for one page of 50 at random.
func pageOf(people int) func(benchCaller) []byte {
	random := rand.New(rand.NewPCG(4, 5))
	return func(c benchCaller) []byte {
		return render("GET", fmt.Sprintf("/user?limit=50&page=%d", 1+random.IntN(people/50)), c.token, "")
	}
}

// compareBodies has both servers answer the same requests, and fails unless the answers are
// equal byte for byte, and so what is written.
func (c *comparison) compareBodies(b *testing.B) {
	b.Helper()
	for _, w := range c.workloads {
		requests := w.set.all[:min(10, len(w.set.all))]
		if w.writes != nil {
			requests = [][]byte{w.writes.sample()}
		}
		for _, request := range slices.Concat(requests, requests) { // again, for the cache
			var want []byte
			for i, t := range c.targetsOf(w) {
				got, err := w.answer(t, request)
				if err != nil {
					b.Fatalf("%s: %s: %v", w.name, t.name, err)
				}
				if i == 0 {
					want = got
				}
				if !bytes.Equal(got, want) {
					b.Fatalf("%s: the answer of %s differs\n got %s\nwant %s", w.name, t.name, around(got, want), around(want, got))
				}
			}
		}
	}
}

// targetsOf returns the servers that a workload compares.
func (c *comparison) targetsOf(w *workload) []*target {
	ours, floor := c.targets[0], c.targets[1]
	if w.cached {
		ours = c.cached
	}
	if !w.floor {
		return []*target{ours}
	}
	return []*target{ours, floor}
}

// answer returns what a server answers a request, and what it writes.
func (w *workload) answer(t *target, request []byte) ([]byte, error) {
	if w.writes != nil {
		if err := w.writes.reset(); err != nil {
			return nil, err
		}
	}
	body, header, err := fetchOnce(t.addr, request)
	if err != nil {
		return nil, err
	}
	body = fmt.Appendf(body, "\nX-Total-Count: %s\n", header.Get("X-Total-Count"))
	if w.writes == nil {
		return body, nil
	}
	rows, err := w.writes.written()
	return append(body, rows...), err
}

// around returns text near its first difference from other.
func around(text, other []byte) []byte {
	i := 0
	for i < len(text) && i < len(other) && text[i] == other[i] {
		i++
	}
	return text[max(0, i-200):min(len(text), i+200)]
}

// round measures every workload once on every server, which take turns at being
// first.
func (c *comparison) round(b *testing.B, round int) {
	b.Helper()
	for _, w := range c.jobs {
		c.runJobs(b, w, round)
	}
	for _, w := range c.workloads {
		for _, load := range c.loads {
			targets := c.targetsOf(w)
			for i := range targets {
				t := targets[(i+round)%len(targets)]
				if !slices.Contains(strings.Split(*benchServers, ","), t.name) {
					continue
				}
				u, err := c.measure(w, t, load)
				if err != nil {
					b.Fatalf("%s: %s: %v", w.name, t.name, err)
				}
				key := speedKey{round, w.name, load, t.name}
				c.speeds[key], c.costs[key] = u.perSecond(), float64(u.cpu+u.dbCPU)/float64(max(1, u.requests))
				key.round = 0
				c.peaks[key] = max(c.peaks[key], float64(u.peak))
				fmt.Println(u.line(fmt.Sprintf("%s/%s/c%d/%s", w.title(), c.database, load, t.name)))
			}
		}
	}
}

// measure sends a server requests for a while, after a moment in which it may
// settle.
func (c *comparison) measure(w *workload, t *target, n int) (usage, error) {
	conns := make([]*rawConn, n)
	for i := range conns {
		conn, err := dialRaw(t.addr)
		if err != nil {
			return usage{}, err
		}
		defer conn.Close()
		conns[i] = conn
	}
	if w.writes != nil {
		if err := w.writes.begin(); err != nil {
			return usage{}, err
		}
	}
	if _, err := load(conns, w.set, min(*benchSlice/10, 100*time.Millisecond)); err != nil {
		return usage{}, err
	}
	return measure(c.databasePID, func() (loadResult, error) { return load(conns, w.set, *benchSlice) })
}

// title returns the name as that of a benchmark: list-1000 as List1000.
func (w *workload) title() string {
	var out strings.Builder
	for part := range strings.SplitSeq(w.name, "-") {
		out.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return out.String()
}
