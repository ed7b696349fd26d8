package durability

import (
	"bufio"
	"bytes"
	"context"
	"database/sql/driver"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// atAttendance runs f whenever a server has written an attendance: after the claim,
// before the outcome.
func atAttendance(s *harness.Server, f func(context.Context)) {
	harness.Observe(s, func(ctx context.Context, text string) {
		if strings.HasPrefix(text, "INSERT INTO attendances ") {
			f(ctx)
		}
	})
}

// dying names the database of the server that TestDyingServer is to be.
const dying = "WORKFORCE_TEST_DYING"

// TestDyingServer is, in a process of its own, a server that kills itself in the
// midst of the first clock-in.
func TestDyingServer(t *testing.T) {
	database := os.Getenv(dying)
	if database == "" {
		return // this is the test's own process
	}
	s := harness.New(t, database)
	atAttendance(s, func(context.Context) { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} })
	fmt.Println("URL", s.URL)
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the parent is gone
}

// startDying starts a server that dies at its first clock-in, or with the test.
func startDying(t *testing.T, database string) (child *exec.Cmd, url string) {
	t.Helper()
	child = exec.Command(os.Args[0], "-test.run=^TestDyingServer$")
	child.Env = append(os.Environ(), dying+"="+database)
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = stdin.Close() })
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if url, ok := strings.CutPrefix(lines.Text(), "URL "); ok {
			return child, url
		}
		said.WriteString(lines.Text() + "\n")
	}
	_ = child.Wait() // what it said tells more
	t.Fatalf("the server did not start:\n%s", said.String())
	return nil, ""
}

// at returns s as reached at another address, with what was saved.
func at(t *testing.T, s *harness.Server, url string) *harness.Server {
	other := *s
	other.Client = apitest.Dial(t, url)
	other.Vars = s.Vars
	return &other
}

// TestKillBetweenClaimAndOutcome kills a server while a request holds its key.
// Another server refuses the repeat until the lease ran out, and then carries it
// out once.
func TestKillBetweenClaimAndOutcome(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		s := harness.New(t, database)
		s.SignIn(t, "budi", "budi@demo.test")
		s.SaveShift(t, "budi")
		s.SaveSites(t, "budi")
		request := withKey(harness.ClockIn("budi"), "killed")

		child, url := startDying(t, database)
		if a, err := at(t, s, url).Attempt(request); err == nil {
			t.Errorf("the server answered %v, want it to die", a)
		}
		if err := child.Wait(); child.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the server ended with %v, want it killed", err)
		}
		rows := claims(t, s, "killed")
		if len(rows) != 1 || rows[0].Outcome != nil {
			t.Fatalf("the dead left %v, want a claim without an outcome", rows)
		}
		if left := time.Until(rows[0].LeaseUntil); left > 5*time.Second {
			t.Errorf("the key is free in %v, want 5 s at most", left)
		}
		abandon(t, s, "killed", false)
		s.Run(t, []apitest.Scenario{harness.Named(inProgress(request), "within the lease")})
		abandon(t, s, "killed", true)
		s.Run(t, []apitest.Scenario{harness.Named(request, "after the lease"), harness.Named(harness.Replayed(request), "again")})
		if rows := s.Attendances(t, "budi@demo.test"); len(rows) != 1 {
			t.Errorf("left %d attendances, want 1", len(rows))
		}
	})
}

// TestLateFirstRequest has a request outlast its lease on one server, which cannot
// renew it, while another server gets the repeat: one of them has the effect.
func TestLateFirstRequest(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		first, second := harness.New(t, database), harness.New(t, database)
		first.SignIn(t, "budi", "budi@demo.test")
		first.SaveShift(t, "budi")
		first.SaveSites(t, "budi")
		second.Vars = first.Vars
		request := withKey(harness.ClockIn("budi"), "late")

		atRenewal(first, func(func() (ent.Value, error)) (ent.Value, error) { return nil, driver.ErrBadConn })
		reached, goOn := make(chan struct{}), make(chan struct{})
		atAttendance(first, func(context.Context) { close(reached); <-goOn })
		answers := make(chan harness.Outcome, 2)
		var running sync.WaitGroup
		send := func(s *harness.Server) {
			running.Go(func() {
				a, err := s.Attempt(request)
				if err != nil {
					t.Error(err)
				}
				answers <- a
			})
		}
		send(first)
		<-reached
		holder := claims(t, first, "late")[0].Holder
		mysql := strings.HasPrefix(database, "mysql")
		if mysql {
			abandon(t, second, "late", true)
		}
		send(second)
		if mysql {
			second.Wait(t, "the second request to take over", func() bool { return !bytes.Equal(claims(t, first, "late")[0].Holder, holder) })
		}
		close(goOn)
		running.Wait()
		close(answers)

		count := map[string]int{}
		for a := range answers {
			switch {
			case a.Status == 200 && !a.Replayed:
				count["done"]++
			case a.Status == 200:
				count["replayed"]++
			case a.Status == 409 && strings.Contains(a.Body, `"IDEMPOTENCY_IN_PROGRESS"`):
				count["undone"]++
			default:
				t.Errorf("got %v", a)
			}
		}
		want := "replayed" // a file has one writer: the second waits for the first
		if mysql {
			want = "undone"
		}
		if count["done"] != 1 || count[want] != 1 {
			t.Errorf("got %v, want one done and one %s", count, want)
		}
		if rows := first.Attendances(t, "budi@demo.test"); len(rows) != 1 {
			t.Errorf("left %d attendances, want 1", len(rows))
		}
		second.Run(t, []apitest.Scenario{harness.Named(harness.Replayed(request), "afterwards")})
	})
}

// atRenewal runs f in place of the renewals of leases.
func atRenewal(s *harness.Server, f func(renew func() (ent.Value, error)) (ent.Value, error)) {
	s.Store.Ent.IdempotencyClaim.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			renew := func() (ent.Value, error) { return next.Mutate(ctx, m) }
			if m.Op().Is(ent.OpUpdate) && len(m.Fields()) == 0 {
				return f(renew)
			}
			return renew()
		})
	})
}

// TestSlowRequestKeepsKey has the lease of a request renewed while it runs.
func TestSlowRequestKeepsKey(t *testing.T) {
	s := harness.New(t, testdb.MySQL(t)) // a file has one writer: nobody takes the key of a request that writes
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveShift(t, "budi")
	s.SaveSites(t, "budi")
	request := withKey(harness.ClockIn("budi"), "slow")
	reached, goOn := make(chan struct{}), make(chan struct{})
	atAttendance(s, func(context.Context) { close(reached); <-goOn })
	renewed := make(chan struct{}, 100)
	atRenewal(s, func(renew func() (ent.Value, error)) (ent.Value, error) {
		n, err := renew()
		renewed <- struct{}{}
		return n, err
	})
	var first sync.WaitGroup
	first.Go(func() {
		if a, err := s.Attempt(request); err != nil || a.Status != 200 || a.Replayed {
			t.Errorf("got %v, %v", a, err)
		}
	})
	<-reached
	abandon(t, s, "slow", true)
	harness.Get(t, renewed, "the renewal")
	s.Run(t, []apitest.Scenario{harness.Named(inProgress(request), "meanwhile")})
	close(goOn)
	first.Wait()
	s.Run(t, []apitest.Scenario{harness.Named(harness.Replayed(request), "afterwards")})
}

// TestKeysOnTwoServers sends one request to two servers at the same time.
func TestKeysOnTwoServers(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		servers := []*harness.Server{harness.New(t, database), harness.New(t, database)}
		one := servers[0]
		servers[1].Vars = one.Vars
		one.SignIn(t, "budi", "budi@demo.test")
		one.SaveShift(t, "budi")
		one.SaveSites(t, "budi")
		request := withKey(harness.ClockIn("budi"), "twice")
		var running sync.WaitGroup
		var mu sync.Mutex
		done := 0
		for i := range 20 {
			running.Go(func() {
				a, err := servers[i%2].Attempt(request)
				switch {
				case err != nil:
					t.Error(err)
				case a.Status == 200 && !a.Replayed:
					mu.Lock()
					done++
					mu.Unlock()
				case a.Status != 200 && a.Status != 409:
					t.Errorf("got %v", a)
				}
			})
		}
		running.Wait()
		if rows := one.Attendances(t, "budi@demo.test"); done != 1 || len(rows) != 1 {
			t.Errorf("%d answers came from %d attendances, want one", done, len(rows))
		}
		servers[1].Run(t, []apitest.Scenario{harness.Named(harness.Replayed(request), "afterwards")})
	})
}

// TestDisconnectedClient gives the key back when the client of an unfinished
// request is gone.
func TestDisconnectedClient(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		s.SignIn(t, "budi", "budi@demo.test")
		s.SaveShift(t, "budi")
		s.SaveSites(t, "budi")
		reached, first := make(chan struct{}), sync.Once{}
		atAttendance(s, func(ctx context.Context) { first.Do(func() { close(reached); <-ctx.Done() }) })
		request := withKey(harness.ClockIn("budi"), "gone")
		impatient := at(t, s, s.URL)
		var conn net.Conn
		impatient.HTTP.Transport = &http.Transport{DialContext: func(ctx context.Context, network, addr string) (_ net.Conn, err error) {
			conn, err = new(net.Dialer).DialContext(ctx, network, addr)
			return conn, err
		}}
		ended := make(chan error, 1)
		go func() { _, err := impatient.Attempt(request); ended <- err }()
		harness.Get(t, reached, "the request")
		_ = conn.Close()
		if err := <-ended; err == nil {
			t.Error("an answer came, want none")
		}
		s.Wait(t, "the key to be released", func() bool { return len(claims(t, s, "gone")) == 0 })
		s.Run(t, []apitest.Scenario{harness.Named(request, "again")})
		if rows := claims(t, s, "gone"); len(rows) != 1 || rows[0].Outcome == nil {
			t.Errorf("left %v, want one outcome", rows)
		}
		if rows := s.Attendances(t, "budi@demo.test"); len(rows) != 1 {
			t.Errorf("left %d attendances, want 1", len(rows))
		}
	})
}

// TestKeyedCommitsThatGoWrong cuts the line to the database at the commit of a
// claim, and at that of a clock event under a key. Each event takes place once,
// and the key names it.
func TestKeyedCommitsThatGoWrong(t *testing.T) {
	w, database := newWire(t, testdb.MySQL(t))
	s := harness.New(t, database)
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	var armed atomic.Int32
	var deaf, asked atomic.Bool
	atAttendance(s, func(context.Context) {
		if does := armed.Swap(passes); does != passes {
			w.next.Store(does)
			asked.Store(deaf.Swap(false))
		}
	})
	s.Store.Ent.IdempotencyClaim.Intercept(ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
			if asked.Swap(false) {
				return nil, driver.ErrBadConn
			}
			return next.Query(ctx, q)
		})
	}))
	tests := []struct {
		name           string
		claim, effect  int32 // what becomes of their commits
		deaf           bool  // the database does not tell at once what became of the effect's
		status         int   // of the first try
		effectReplayed bool  // at the second try
	}{
		{"the claim's answer is lost", loseAnswer, passes, false, 503, false},
		{"the claim's commit is lost", loseQuestion, passes, false, 503, false},
		{"the claim meets a deadlock", deadlock, passes, false, 200, true},
		{"the effect's answer is lost", passes, loseAnswer, false, 200, true},
		{"the effect's answer is lost twice", passes, loseAnswer, true, 200, true},
		{"the effect's commit is lost", passes, loseQuestion, false, 200, true},
		{"the effect's commit is lost, and so is whether", passes, loseQuestion, true, 503, false},
		{"the effect meets a deadlock", passes, deadlock, false, 200, true},
		{"the node refuses the claim", refuse, passes, false, 503, false},
		{"the node refuses a claim that others keep", keepRefused, passes, false, 503, false},
		{"the node refuses the effect", passes, refuse, false, 200, true},
		{"the node refuses an effect that others keep", passes, keepRefused, false, 200, true},
	}
	for i, tt := range tests {
		pass(t, s)
		request := withKey(harness.ClockIn("budi"), fmt.Sprint("key-", i))
		first, second := request, request
		if tt.status != 200 {
			first = harness.Refused(first, tt.status, "UNAVAILABLE", `{}`)
		}
		if tt.effectReplayed {
			second = harness.Replayed(second)
		}
		w.next.Store(tt.claim)
		armed.Store(tt.effect)
		deaf.Store(tt.deaf)
		s.Run(t, []apitest.Scenario{harness.Named(first, tt.name)})
		if w.next.Load() != passes || armed.Load() != passes || asked.Load() {
			t.Fatalf("%s: no commit passed", tt.name)
		}
		s.Run(t, []apitest.Scenario{harness.Named(second, tt.name+", again"), harness.Named(harness.Replayed(request), tt.name+", and again")})
		if rows := s.Attendances(t, "budi@demo.test"); len(rows) != i+1 {
			t.Errorf("%s: left %d attendances, want %d", tt.name, len(rows), i+1)
		}
		s.Pass(t, "budi")
		s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
	}
}
