package bench

import (
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/internal/sealed"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// What scale measures.
const (
	scaleMost    = 3    // server processes
	scaleClients = 8    // connections of clients for each of them
	scaleCrew    = 2000 // people who clock in
	scaleTries   = 3    // of a measurement while the machine is too busy
	usedEnough   = 0.95 // of their share, by processes on a machine that is not
)

// BenchmarkScale compares installations of one, two and three server processes on one
// MariaDB, with Redis between the processes and a balancer before them. Three processes
// always work, so that each finds the machine as busy: as one installation of three, as
// one of two beside one of one, or as three of one. Each may use the same small share of
// a core, which leaves enough for clients, balancers, Redis and the database. It is run by
// make bench-scale.
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

// A scale is the installations and what was measured of them.
type scale struct {
	dbPID         int
	redis         *testdb.Redis
	installations []*installation
	unlimited     error // why processes are not limited
	figures       map[scaleKey][]scaleFigures
	lives         map[int][]liveFigures
}

// An installation is a database and who calls.
type installation struct {
	url, keyFile string
	db           *sql.DB
	clock        *clockWork
	works        []*workload
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
	at, err := url.Parse(c.openDatabase(b))
	if err != nil {
		b.Fatal(err)
	}
	s := &scale{dbPID: c.databasePID, redis: testdb.StartRedis(b), figures: map[scaleKey][]scaleFigures{}, lives: map[int][]liveFigures{}}
	for i := range scaleMost {
		if i > 0 {
			at.Path = fmt.Sprintf("/scale%d", i)
			if _, err := s.installations[0].db.Exec("CREATE DATABASE " + at.Path[1:]); err != nil {
				b.Fatal(err)
			}
		}
		s.installations = append(s.installations, newInstallation(b, at.String()))
	}
	return s
}

func newInstallation(b *testing.B, at string) *installation {
	b.Helper()
	in := &installation{url: at, keyFile: filepath.Join(b.TempDir(), "secret.key")}
	srv, err := server.New(b.Context(), benchConfig(in.url, in.keyFile), slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = srv.Store.Close() })
	keys, err := sealed.Load(in.keyFile)
	if err != nil {
		b.Fatal(err)
	}
	f := newFill(b, srv.Store, keys[0])
	staff, crew := f.company("Toko Seribu", 1000, 8), f.company("Awak", scaleCrew, scaleCrew)
	f.exec("ANALYZE TABLE users, user_designations, designations, employee_shifts, tokens, sessions")
	in.db = srv.Store.DB.Writer
	if in.clock, err = newClockWork(in.db, crew); err != nil {
		b.Fatal(err)
	}
	list := func(c benchCaller) []byte { return render("GET", "/user", c.token, "") }
	wanted := regexp.MustCompile("^(" + *benchWorkloads + ")$")
	for _, w := range []*workload{
		{name: "cached-list", cached: true, set: each(staff.callers, list)},
		{name: "cached-page", cached: true, set: each(staff.callers, pageOf(1000))},
		{name: "clock-in", cached: true, set: in.clock.set, writes: in.clock},
		{name: "live", cached: true},
		{name: "list", set: each(staff.callers, list)},
	} {
		if *benchWorkloads == "" || wanted.MatchString(w.name) {
			in.works = append(in.works, w)
		}
	}
	return in
}

// measureAll measures everything once on an installation of so many processes: with the
// cache on, as serve runs, and then the list without the cache.
func (s *scale) measureAll(b *testing.B, n int) {
	b.Helper()
	for _, cache := range []server.ByteSize{benchCache, 0} {
		with := func(w *workload) bool { return w.cached == (cache > 0) }
		if !slices.ContainsFunc(s.installations[0].works, with) {
			continue
		}
		b.Run(fmt.Sprintf("%d/cache=%d", n, cache>>20), func(b *testing.B) {
			fmt.Println()
			all := []*instances{s.start(b, s.installations[0], n, cache)}
			for _, at := range s.installations[1 : 1+scaleMost-n] {
				all = append(all, s.start(b, at, 1, cache))
			}
			for i, w := range s.installations[0].works {
				switch {
				case !with(w):
				case w.name == "live":
					s.live(b, all[0])
				default:
					f := s.measure(b, all, i)
					for try := 1; try < scaleTries && f.busy(); try++ {
						f = s.measure(b, all, i)
					}
					key := scaleKey{w.name, n}
					s.figures[key] = append(s.figures[key], f)
				}
			}
		})
	}
}

// measure sends the requests of a workload to all processes, and returns the figures of
// the installations that have as many as the first.
func (s *scale) measure(b *testing.B, all []*instances, work int) (f scaleFigures) {
	b.Helper()
	conns := make([][]*rawConn, len(all))
	for _, in := range all {
		if w := in.works[work]; w.writes != nil {
			if err := w.writes.begin(); err != nil {
				b.Fatal(err)
			}
		}
	}
	for i, in := range all { // now: the server closes connections that send nothing
		conns[i], _ = in.dial(b, scaleClients*len(in.pids))
	}
	results := make([]loadResult, len(all))
	run := func(d time.Duration) {
		failed := make([]error, len(all))
		var loads sync.WaitGroup
		for i, in := range all {
			loads.Go(func() { results[i], failed[i] = load(conns[i], in.works[work].set, d) })
		}
		loads.Wait()
		if err := errors.Join(failed...); err != nil {
			b.Fatal(err)
		}
	}
	limit := func(share float64) {
		for _, in := range all {
			if err := in.limit(share); err != nil {
				b.Fatal(err)
			}
		}
	}
	run(*benchSlice / 5) // prepares statements, fills the cache
	limit(*benchShare)
	run(*benchSlice / 10) // uses up what was left
	u := s.watch(all, func() { run(*benchSlice) })
	limit(0)
	w, n := all[0].works[work], len(all[0].pids)
	var requests, everywhere int
	var cpu time.Duration
	alike := 0.0
	for i, in := range all {
		r := results[i]
		everywhere += r.requests
		if r.unserved > 0 {
			b.Errorf("%s: %d answers 503", w.name, r.unserved)
		}
		if len(in.pids) == n {
			alike++
			f.rate += r.perSecond()
			requests, cpu = requests+r.requests, cpu+u.servers[i]
		}
	}
	f.rate /= alike
	f.servers, f.used = cpu.Seconds()/float64(requests), cpu.Seconds()/u.elapsed.Seconds()/alike/float64(n)
	if *benchShare > 0 {
		f.used /= *benchShare
	}
	f.others(u, everywhere)
	fmt.Printf("BenchmarkScale/%s/mysql/%d %d %.0f req/s %s %.2f used\n", w.title(), n, requests, f.rate, f.line(), f.used)
	return f
}

// A scaleUsage is the CPU time that a slice of time took.
type scaleUsage struct {
	elapsed                     time.Duration
	servers                     []time.Duration // of each installation
	db, redis, balancer, client time.Duration
}

// watch measures what a slice takes.
func (s *scale) watch(all []*instances, slice func()) scaleUsage {
	read := func() (u scaleUsage) {
		for _, in := range all {
			var servers time.Duration
			for _, pid := range in.pids {
				servers += cpuOf(pid)
			}
			u.servers = append(u.servers, servers)
			u.balancer += cpuOf(in.balancerPID)
		}
		u.db, u.redis, u.client = cpuOf(s.dbPID), cpuOf(s.redis.PID()), ownCPU()
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

// others sets what the rest used for each of n requests.
func (f *scaleFigures) others(u scaleUsage, n int) {
	for into, used := range map[*float64]time.Duration{&f.db: u.db, &f.redis: u.redis, &f.balancer: u.balancer, &f.client: u.client} {
		*into = used.Seconds() / float64(n)
	}
}

// line renders the CPU time in the form that benchstat reads.
func (f scaleFigures) line() string {
	return fmt.Sprintf("%.0f server-cpu-ns/op %.0f db-cpu-ns/op %.0f redis-cpu-ns/op %.0f balancer-cpu-ns/op %.0f client-cpu-ns/op",
		f.servers*1e9, f.db*1e9, f.redis*1e9, f.balancer*1e9, f.client*1e9)
}

// of returns the median of the rounds of a figure.
func (s *scale) of(name string, n int, figure func(scaleFigures) float64) float64 {
	var rounds []float64
	for _, f := range s.figures[scaleKey{name, n}] {
		rounds = append(rounds, figure(f))
	}
	return median(rounds)
}

// over returns the median of a figure over that of one process, of the rounds in which the
// machine was not too busy for either; not a number where there was none.
func (s *scale) over(name string, n int, figure func(scaleFigures) float64) float64 {
	var rounds []float64
	for i, f := range s.figures[scaleKey{name, n}] {
		if one := s.figures[scaleKey{name, 1}][i]; !f.busy() && !one.busy() {
			rounds = append(rounds, figure(f)/figure(one))
		}
	}
	if len(rounds) == 0 {
		return math.NaN()
	}
	return median(rounds)
}

// busy reports whether the machine was so busy that processes could not use their share.
func (f scaleFigures) busy() bool { return *benchShare > 0 && f.used < usedEnough }

// lines returns the summary: scale is throughput over that of one process, growth the
// servers' CPU time for a request over that of one process, capacity what follows from
// it for processes of a core each.
func (s *scale) lines() (lines []string) {
	line := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	line("")
	if s.unlimited != nil || *benchShare == 0 {
		line("PROCESSES WERE NOT LIMITED (%v): THROUGHPUT IS THAT OF THIS MACHINE AND SHOWS NOTHING ABOUT MORE INSTANCES.", s.unlimited)
	}
	rate := func(f scaleFigures) float64 { return f.rate }
	servers := func(f scaleFigures) float64 { return f.servers }
	db := func(f scaleFigures) float64 { return f.db }
	for _, w := range s.installations[0].works {
		if w.name == "live" {
			continue
		}
		for n := 1; n <= scaleMost; n++ {
			for round, f := range s.figures[scaleKey{w.name, n}] {
				if f.busy() {
					line("THE MACHINE WAS TOO BUSY IN ROUND %d: %d PROCESSES USED %.0f %% OF THEIR SHARE FOR %s.", round+1, n, 100*f.used, strings.ToUpper(w.name))
				}
			}
		}
		for n := 2; n <= scaleMost; n++ {
			growth := s.over(w.name, n, servers)
			line("scale %s mysql %d %.2f", w.name, n, s.over(w.name, n, rate))
			line("growth %s mysql %d %.2f", w.name, n, growth)
			line("capacity %s mysql %d %.2f", w.name, n, float64(n)/growth)
		}
		up, below := s.of(w.name, scaleMost, servers), s.of(w.name, scaleMost, db)
		line("cores %s mysql %d: %.3f ms of servers, %.3f ms of database; a core gives %.0f/s and %.0f/s; %.1f cores of servers fill one of the database",
			w.name, scaleMost, 1e3*up, 1e3*below, 1/up, 1/below, up/below)
	}
	for n := 1; n <= scaleMost; n++ {
		if s.lives[n] != nil {
			line("%s", s.liveLine(n))
		}
	}
	return lines
}
