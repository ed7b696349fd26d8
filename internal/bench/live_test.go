package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// What live measures.
const (
	liveSockets = 12               // subscribers, over all processes
	liveRate    = 100              // clock-ins a second
	liveWait    = 10 * time.Second // for the last events
)

// liveFigures are those of one round, CPU time in seconds for a clock-in and its events.
type liveFigures struct {
	scaleFigures                                 // rate is of events
	ownP50, ownP99, othersP50, othersP99 float64 // seconds
}

// An arrival is an event that a subscriber got.
type arrival struct {
	user int
	at   time.Time
}

// A subscriber listens to attendanceChanged.
type subscriber struct {
	*websocket.Conn
	server int
	got    []arrival
	failed error
}

// live has people clock in at a fixed rate, over all processes, while subscribers on each
// listen. It fails unless each subscriber gets each event exactly once. The delay is from
// the answer to the clock-in, and below zero where the event is there first.
func (s *scale) live(b *testing.B, in *instances) {
	b.Helper()
	if err := in.clock.begin(); err != nil {
		b.Fatal(err)
	}
	n := len(in.pids)
	var subscribers []*subscriber
	for i := range liveSockets {
		subscribers = append(subscribers, in.subscribe(b, in.clock.company.callers[i].token))
	}
	for i, streams := range in.streams(b) {
		if streams != liveSockets/n {
			b.Errorf("process %d of %d has %d subscribers, want %d", i+1, n, streams, liveSockets/n)
		}
	}
	conns, servers := in.dial(b, scaleClients*n)
	ctx, stop := context.WithCancel(b.Context())
	var listening sync.WaitGroup
	people := min(len(in.clock.company.callers), int(liveRate*benchSlice.Seconds()))
	var complete sync.WaitGroup
	for _, sub := range subscribers {
		complete.Add(1)
		listening.Go(func() { sub.listen(ctx, people, complete.Done) })
	}
	var answers map[int]answer
	began := time.Now()
	u := s.watch([]*instances{in}, func() {
		var err error
		if answers, err = in.clockInAtRate(conns, servers, people); err != nil {
			b.Error(err)
		}
		awaitAll(&complete)
	})
	elapsed := time.Since(began)
	time.Sleep(300 * time.Millisecond) // for events that come twice
	stop()
	listening.Wait()
	var f liveFigures
	f.servers = u.servers[0].Seconds() / float64(people)
	f.others(u, people)
	f.rate = float64(people*liveSockets) / elapsed.Seconds()
	var own, others []float64
	for i, sub := range subscribers {
		if sub.failed != nil {
			b.Errorf("subscriber %d: %v", i, sub.failed)
		}
		times := map[int]int{}
		for _, a := range sub.got {
			times[a.user]++
			delay := a.at.Sub(answers[a.user].at).Seconds()
			if sub.server == answers[a.user].server {
				own = append(own, delay)
			} else {
				others = append(others, delay)
			}
		}
		if len(times) != people || len(sub.got) != people {
			b.Errorf("subscriber %d on process %d of %d got %d events about %d people, want %d", i, sub.server+1, n, len(sub.got), len(times), people)
		}
	}
	f.ownP50, f.ownP99 = percentiles(own)
	f.othersP50, f.othersP99 = percentiles(others)
	s.lives[n] = append(s.lives[n], f)
	fmt.Printf("BenchmarkScale/Live/mysql/%d %d %.0f events/s %.2f own-p50-ms %.2f own-p99-ms %.2f others-p50-ms %.2f others-p99-ms %s\n",
		n, people, f.rate, 1e3*f.ownP50, 1e3*f.ownP99, 1e3*f.othersP50, 1e3*f.othersP99, f.line())
}

// An answer is when a clock-in was answered, and by which server.
type answer struct {
	at     time.Time
	server int
}

// clockInAtRate has so many people clock in, liveRate a second, and returns the answers
// by person.
func (in *instances) clockInAtRate(conns []*rawConn, servers []int, people int) (map[int]answer, error) {
	var mu sync.Mutex
	var failed error
	answers, due := make(map[int]answer, people), make(chan int)
	var all sync.WaitGroup
	for i, c := range conns {
		all.Go(func() {
			for person := range due {
				served, err := c.do(in.clock.set.all[person], in.clock.set.tail(person))
				at := time.Now()
				if err == nil && !served {
					err = errors.New("a clock-in got 503")
				}
				mu.Lock()
				answers[in.clock.company.callers[person].user] = answer{at, servers[i]}
				if err != nil {
					failed = err
				}
				mu.Unlock()
			}
		})
	}
	began := time.Now()
	for person := range people {
		time.Sleep(time.Until(began.Add(time.Duration(person) * time.Second / liveRate)))
		due <- person
	}
	close(due)
	all.Wait()
	return answers, failed
}

// subscribe opens a socket through the balancer, whose subscription is active.
func (in *instances) subscribe(b *testing.B, token string) *subscriber {
	b.Helper()
	sub := &subscriber{server: in.next()}
	conn, _, err := websocket.Dial(b.Context(), "http://"+in.addr+"/graphql", &websocket.DialOptions{
		Subprotocols: []string{"graphql-transport-ws"}, HTTPClient: &http.Client{Transport: &http.Transport{}},
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = conn.CloseNow() })
	sub.Conn = conn
	for _, step := range [][2]string{
		{fmt.Sprintf(`{"type":"connection_init","payload":{"Authorization":"Bearer %s"}}`, token), `{"type":"connection_ack"}`},
		{`{"id":"1","type":"subscribe","payload":{"query":"subscription { attendanceChanged { id clockedInAt user { databaseId name } } }"}}`, ""},
		{`{"type":"ping"}`, `{"type":"pong"}`},
	} {
		if err := conn.Write(b.Context(), websocket.MessageText, []byte(step[0])); err != nil {
			b.Fatal(err)
		}
		if step[1] == "" {
			continue
		}
		if _, text, err := conn.Read(b.Context()); err != nil || string(text) != step[1] {
			b.Fatalf("got %s, %v; want %s", text, err, step[1])
		}
	}
	return sub
}

// listen reads events until ctx ends, and calls complete once it has so many, or has failed.
func (sub *subscriber) listen(ctx context.Context, people int, complete func()) {
	for {
		_, text, err := sub.Read(ctx)
		at := time.Now()
		var m struct {
			Payload struct {
				Data struct {
					AttendanceChanged struct{ User struct{ DatabaseID int } }
				}
			}
		}
		if err == nil {
			err = json.Unmarshal(text, &m)
		}
		if err == nil && m.Payload.Data.AttendanceChanged.User.DatabaseID == 0 {
			err = fmt.Errorf("no event: %s", text)
		}
		if err != nil {
			if ctx.Err() == nil {
				sub.failed = err
			}
			if len(sub.got) < people {
				complete()
			}
			return
		}
		if sub.got = append(sub.got, arrival{m.Payload.Data.AttendanceChanged.User.DatabaseID, at}); len(sub.got) == people {
			complete()
		}
	}
}

// awaitAll waits for all, and at most liveWait.
func awaitAll(all *sync.WaitGroup) {
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(liveWait):
	}
}

// percentiles returns the median and the slowest of a hundred; 0 of none.
func percentiles(v []float64) (p50, p99 float64) {
	if len(v) == 0 {
		return 0, 0
	}
	slices.Sort(v)
	return v[len(v)/2], v[len(v)*99/100]
}

// liveLine returns the medians of the rounds.
func (s *scale) liveLine(n int) string {
	of := func(figure func(liveFigures) float64) float64 {
		var rounds []float64
		for _, f := range s.lives[n] {
			rounds = append(rounds, figure(f))
		}
		return median(rounds)
	}
	line := fmt.Sprintf("live mysql %d: %.0f events/s, none lost or twice; after the answer p50 %.1f ms, p99 %.1f ms on its process", n,
		of(func(f liveFigures) float64 { return f.rate }), 1e3*of(func(f liveFigures) float64 { return f.ownP50 }), 1e3*of(func(f liveFigures) float64 { return f.ownP99 }))
	if n > 1 {
		line += fmt.Sprintf(", p50 %.1f ms, p99 %.1f ms on others", 1e3*of(func(f liveFigures) float64 { return f.othersP50 }), 1e3*of(func(f liveFigures) float64 { return f.othersP99 }))
	}
	return line + fmt.Sprintf("; a clock-in with its %d events takes %.2f ms of servers, %.2f ms of database, %.2f ms of Redis", liveSockets,
		1e3*of(func(f liveFigures) float64 { return f.servers }), 1e3*of(func(f liveFigures) float64 { return f.db }), 1e3*of(func(f liveFigures) float64 { return f.redis }))
}
