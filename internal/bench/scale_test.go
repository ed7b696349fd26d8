package bench

import (
	"database/sql"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"workforce/internal/database"
	"workforce/internal/sealed"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// What scale measures.
const (
	scaleMost    = 3  // server processes
	scaleClients = 24 // connections of clients, the same for any number of processes
)

// BenchmarkScale starts one, two and three server processes on one MariaDB, with Redis
// between them and a balancer before them. Each process may use the same small share of
// a core, which leaves enough for clients, balancer, Redis and database on the same
// machine, so that throughput shows what another process adds. It is run by make
// bench-scale.
func BenchmarkScale(b *testing.B) {
	if b.N > 1 {
		b.Fatal("run with -benchtime 1x")
	}
	fmt.Println() // ends the line that names the benchmark
	s := newScale(b)
	for round := range *benchRounds {
		for i := range scaleMost {
			s.measureAll(b, 1+(round+i)%scaleMost)
		}
	}
	if b.Failed() {
		return // figures are missing
	}
	for _, line := range s.lines() {
		fmt.Println(line)
	}
}

// A scale is a database and a broker, and who calls.
type scale struct {
	at, keyFile string
	db          *sql.DB
	dbPID       int
	redis       *testdb.Redis
	clock       *clockWork
	works       []*workload
	wanted      *regexp.Regexp
	unlimited   error // why processes are not limited

	figures map[scaleKey][]scaleFigures
	lives   map[int][]liveFigures
}

// A scaleKey names what was measured, on how many processes.
type scaleKey struct {
	name      string
	processes int
}

// scaleFigures are those of one round, CPU time in seconds for a request.
type scaleFigures struct {
	rate, servers, db, redis, balancer, client float64
	used                                       float64 // of the CPU time that the servers might use
}

func newScale(b *testing.B) *scale {
	b.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		b.Fatal("no redis-server (Debian: as root .ci/need redis)")
	}
	c := &comparison{database: "mysql"}
	s := &scale{
		at: c.openDatabase(b), keyFile: filepath.Join(b.TempDir(), "secret.key"), dbPID: c.databasePID, redis: testdb.StartRedis(b),
		wanted: regexp.MustCompile("^(" + *benchWorkloads + ")$"), figures: map[scaleKey][]scaleFigures{}, lives: map[int][]liveFigures{},
	}
	srv, err := server.New(b.Context(), benchConfig(s.at, s.keyFile), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	key, err := sealed.Load(s.keyFile)
	if err != nil {
		b.Fatal(err)
	}
	f := newFill(b, srv.Store, key)
	staff, crew := f.company("Toko Seribu", 1000, 8), f.company("Awak", benchCrew, benchCrew)
	f.exec("ANALYZE TABLE users, user_designations, designations, employee_shifts, tokens, sessions")
	if err := srv.Store.Close(); err != nil {
		b.Fatal(err)
	}
	opened, err := database.Open(s.at, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = opened.Close() })
	s.db = opened.Writer
	if s.clock, err = newClockWork(s.db, crew); err != nil {
		b.Fatal(err)
	}
	list := func(c benchCaller) []byte { return render("GET", "/user", c.token, "") }
	s.works = []*workload{
		{name: "cached-list", cached: true, set: each(staff.callers, list)},
		{name: "cached-page", cached: true, set: each(staff.callers, pageOf(1000))},
		{name: "clock-in", cached: true, set: s.clock.set, writes: s.clock},
		{name: "list", set: each(staff.callers, list)},
	}
	return s
}

// wants reports whether -workloads names something.
func (s *scale) wants(name string) bool { return *benchWorkloads == "" || s.wanted.MatchString(name) }

// measureAll measures everything once on so many processes: with the cache on, as
// serve runs, and then the list without the cache.
func (s *scale) measureAll(b *testing.B, n int) {
	b.Helper()
	for _, cache := range []server.ByteSize{benchCache, 0} {
		b.Run(fmt.Sprintf("%d/cache=%d", n, cache>>20), func(b *testing.B) {
			fmt.Println()
			in := s.start(b, n, cache)
			for _, w := range s.works {
				if w.cached == (cache > 0) && s.wants(w.name) {
					s.measure(b, in, w)
				}
			}
			if cache > 0 && s.wants("idle") {
				s.idle(b, in)
			}
			if cache > 0 && s.wants("live") {
				s.live(b, in)
			}
		})
	}
}

// measure sends the requests of a workload, as many at a time as there are clients.
func (s *scale) measure(b *testing.B, in *instances, w *workload) {
	b.Helper()
	if w.writes != nil {
		if err := w.writes.begin(); err != nil {
			b.Fatal(err)
		}
	}
	conns, _ := in.dial(b, scaleClients)                         // now: the server closes those that send nothing
	if _, err := load(conns, w.set, *benchSlice/5); err != nil { // prepares statements, fills the cache
		b.Fatal(err)
	}
	if err := in.limit(*benchShare); err != nil {
		b.Fatal(err)
	}
	if _, err := load(conns, w.set, *benchSlice/10); err != nil { // uses up what the limit left
		b.Fatal(err)
	}
	var r loadResult
	u := s.watch(in, func() { // fails below
		var err error
		if r, err = load(conns, w.set, *benchSlice); err != nil {
			b.Error(err)
		}
	})
	if err := in.limit(0); err != nil {
		b.Fatal(err)
	}
	if r.unserved > 0 {
		b.Errorf("%s: %d answers 503", w.name, r.unserved)
	}
	f := u.each(r.requests)
	f.rate, f.used = r.perSecond(), u.sum().Seconds()/u.elapsed.Seconds()/float64(len(in.pids))/(*benchShare)
	s.record(w.name, len(in.pids), f)
	fmt.Printf("BenchmarkScale/%s/mysql/%d %d %.0f req/s %s\n", w.title(), len(in.pids), r.requests, f.rate, u.line(r.requests))
}

// idle measures what processes use of which nobody wants anything.
func (s *scale) idle(b *testing.B, in *instances) {
	b.Helper()
	time.Sleep(time.Second) // after what came before
	u := s.watch(in, func() { time.Sleep(*benchSlice) })
	seconds := u.elapsed.Seconds()
	f := scaleFigures{servers: u.sum().Seconds() / seconds, db: u.db.Seconds() / seconds, redis: u.redis.Seconds() / seconds}
	s.record("idle", len(in.pids), f)
	fmt.Printf("BenchmarkScale/Idle/mysql/%d 1 %s\n", len(in.pids), u.line(1))
}

// record keeps the figures of a round.
func (s *scale) record(name string, n int, f scaleFigures) {
	key := scaleKey{name, n}
	s.figures[key] = append(s.figures[key], f)
}

// A scaleUsage is the CPU time that a slice of time took.
type scaleUsage struct {
	elapsed                     time.Duration
	servers                     []time.Duration
	db, redis, balancer, client time.Duration
}

// watch measures what a slice takes.
func (s *scale) watch(in *instances, slice func()) scaleUsage {
	read := func() (u scaleUsage) {
		for _, pid := range in.pids {
			u.servers = append(u.servers, cpuOf(pid))
		}
		u.db, u.redis, u.balancer, u.client = cpuOf(s.dbPID), cpuOf(s.redis.PID()), cpuOf(in.balancerPID), ownCPU()
		return u
	}
	began, before := time.Now(), read()
	slice()
	u := read()
	u.elapsed = time.Since(began)
	for i := range u.servers {
		u.servers[i] -= before.servers[i]
	}
	u.db, u.redis, u.balancer, u.client = u.db-before.db, u.redis-before.redis, u.balancer-before.balancer, u.client-before.client
	return u
}

// sum returns the CPU time of all servers.
func (u scaleUsage) sum() (all time.Duration) {
	for _, one := range u.servers {
		all += one
	}
	return all
}

// each returns the CPU time for each of n.
func (u scaleUsage) each(n int) scaleFigures {
	of := func(all time.Duration) float64 { return all.Seconds() / float64(max(1, n)) }
	return scaleFigures{servers: of(u.sum()), db: of(u.db), redis: of(u.redis), balancer: of(u.balancer), client: of(u.client)}
}

// line renders the CPU time of each of n, and what share of a core each server used, in
// the form that benchstat reads.
func (u scaleUsage) line(n int) string {
	f := u.each(n)
	line := fmt.Sprintf("%.0f server-cpu-ns/op %.0f db-cpu-ns/op %.0f redis-cpu-ns/op %.0f balancer-cpu-ns/op %.0f client-cpu-ns/op",
		f.servers*1e9, f.db*1e9, f.redis*1e9, f.balancer*1e9, f.client*1e9)
	for i, one := range u.servers {
		line += fmt.Sprintf(" %.3f cpus-of-%d", one.Seconds()/u.elapsed.Seconds(), i+1)
	}
	return line
}

// of returns the median of the rounds of a figure.
func (s *scale) of(name string, n int, figure func(scaleFigures) float64) float64 {
	var rounds []float64
	for _, f := range s.figures[scaleKey{name, n}] {
		rounds = append(rounds, figure(f))
	}
	return median(rounds)
}

// lines returns the summary: scale is throughput over that of one process, growth the
// servers' CPU time for a request over that of one process, db-growth the database's,
// capacity what follows for processes of a core each.
func (s *scale) lines() (lines []string) {
	line := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	line("")
	if s.unlimited != nil || *benchShare == 0 {
		line("PROCESSES WERE NOT LIMITED (%v): THROUGHPUT IS THAT OF THIS MACHINE AND SHOWS NOTHING ABOUT MORE INSTANCES.", s.unlimited)
	}
	rate := func(f scaleFigures) float64 { return f.rate }
	servers := func(f scaleFigures) float64 { return f.servers }
	db := func(f scaleFigures) float64 { return f.db }
	var names []string
	for _, w := range s.works {
		if s.wants(w.name) {
			names = append(names, w.name)
		}
	}
	for _, name := range names {
		for n := 1; n <= scaleMost; n++ {
			if used := s.of(name, n, func(f scaleFigures) float64 { return f.used }); used < 0.9 {
				line("THE MACHINE WAS TOO BUSY FOR %s: %d PROCESSES USED %.0f %% OF THEIR LIMIT.", strings.ToUpper(name), n, 100*used)
			}
		}
		for n := 2; n <= scaleMost; n++ {
			growth := s.of(name, n, servers) / s.of(name, 1, servers)
			line("scale %s mysql %d %.2f", name, n, s.of(name, n, rate)/s.of(name, 1, rate))
			line("growth %s mysql %d %.2f", name, n, growth)
			line("db-growth %s mysql %d %.2f", name, n, s.of(name, n, db)/s.of(name, 1, db))
			line("capacity %s mysql %d %.2f", name, n, float64(n)/growth)
		}
	}
	for _, name := range names {
		for _, n := range []int{1, scaleMost} {
			up, below := s.of(name, n, servers), s.of(name, n, db)
			line("cores %s mysql %d: %.3f ms of servers, %.3f ms of database; a core gives %.0f/s and %.0f/s; %.1f cores of servers fill one of the database",
				name, n, 1e3*up, 1e3*below, 1/up, 1/below, up/below)
		}
	}
	for n := 1; n <= scaleMost; n++ {
		if s.figures[scaleKey{"idle", n}] != nil {
			line("idle mysql %d: %.1f ms of servers and %.1f ms of database a second", n, 1e3*s.of("idle", n, servers), 1e3*s.of("idle", n, db))
		}
		if s.lives[n] != nil {
			line("%s", s.liveLine(n))
		}
	}
	return lines
}
