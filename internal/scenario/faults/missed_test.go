package faults

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"workforce/internal/database"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// A listener follows the tasks of a company on one server, and connects again whenever it is
// told that it may have missed some.
type listener struct {
	url, token string

	mu     sync.Mutex
	told   map[string]bool // titles
	anew   time.Time       // when what is shown is read anew: at MISSED, and once it listens again
	missed []time.Time     // when it was told MISSED
	failed error           // anything else that ended a connection
}

// follow listens until ctx ends.
func (l *listener) follow(ctx context.Context) {
	for {
		err := l.connection(ctx)
		if ctx.Err() != nil {
			return
		}
		l.mu.Lock()
		var closed websocket.CloseError
		if !errors.As(err, &closed) || closed.Reason != "MISSED" {
			l.failed = err
			l.mu.Unlock()
			return
		}
		l.anew = time.Now()
		l.missed = append(l.missed, l.anew)
		l.mu.Unlock()
	}
}

// connection listens until a connection ends.
func (l *listener) connection(ctx context.Context) error {
	c, _, err := websocket.Dial(ctx, l.url+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		return err
	}
	defer func() { _ = c.CloseNow() }() // it has ended, or ctx
	for _, text := range []string{
		`{"type":"connection_init","payload":{"Authorization":"Bearer ` + l.token + `"}}`,
		`{"id":"1","type":"subscribe","payload":{"query":"subscription { taskChanged { title } }"}}`,
		`{"type":"ping"}`, // is answered once the subscription is active
	} {
		if err := c.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			return err
		}
	}
	for {
		_, text, err := c.Read(ctx)
		if err != nil {
			return err
		}
		var m struct {
			Type    string
			Payload struct {
				Data struct{ TaskChanged struct{ Title string } }
			}
		}
		if err := json.Unmarshal(text, &m); err != nil {
			return err
		}
		l.mu.Lock()
		switch m.Type {
		case "connection_ack":
		case "pong":
			l.anew = time.Now()
		case "next":
			l.told[m.Payload.Data.TaskChanged.Title] = true
		default:
			err = fmt.Errorf("told %.300s", text)
		}
		l.mu.Unlock()
		if err != nil {
			return err
		}
	}
}

// awaitMissed waits until the listener is told MISSED after an instant, and returns when it
// was; zero for never.
func (l *listener) awaitMissed(after time.Time) (time.Time, error) {
	for ; ; time.Sleep(20 * time.Millisecond) {
		l.mu.Lock()
		i := slices.IndexFunc(l.missed, after.Before)
		missed, err := l.missed, l.failed
		l.mu.Unlock()
		switch {
		case err != nil:
			return time.Time{}, err
		case i >= 0:
			return missed[i], nil
		case time.Since(after) > silenceLimit:
			return time.Time{}, nil
		}
	}
}

// lacks reports whether the listener was not told of a title; silently where it was not told
// MISSED either since the request was sent.
func (l *listener) lacks(title string, sent time.Time) (lacks, silently bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.told[title], !l.told[title] && sent.After(l.anew)
}

// A stream is requests that several clients send at once, each for a task of its own.
type stream struct {
	mu           sync.Mutex
	sent         map[string]time.Time // by title
	acknowledged map[string]bool
}

// send saves tasks on a server, one after the other, until the server does not answer.
func (s *stream) send(p *person, url, prefix string) {
	for n := 0; ; n++ {
		title := fmt.Sprint(prefix, "-", n)
		s.mu.Lock()
		s.sent[title] = time.Now()
		s.mu.Unlock()
		code, data := p.graphql(url, fmt.Sprintf(`mutation{saveTask(input:{title:%q}){id}}`, title))
		if data == nil && !strings.HasPrefix(code, "UNAVAILABLE") {
			return
		}
		if code == "" {
			s.mu.Lock()
			s.acknowledged[title] = true
			s.mu.Unlock()
		}
	}
}

func (s *stream) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.acknowledged)
}

// silenceLimit is how long after the death of an instance MISSED is waited for. It is told
// after 13 s at most, on a machine that has time.
const silenceLimit = 25 * time.Second

// A dying is the deaths of the first of two servers, with what became of its events.
type dying struct {
	*world
	database  string
	listeners []*listener // on the second server

	deaths                       int
	committed, neverTold, silent int           // events; silent ones without MISSED
	first, last                  time.Duration // from a death to MISSED
}

// TestKilledServerIsMissed kills a server that shares database and broker with another one,
// at random moments while people change tasks on it. Who listens on the other server is told
// of every change that was committed, or told MISSED after the death.
func TestKilledServerIsMissed(t *testing.T) {
	t.Parallel()
	redis := testdb.StartRedis(t)
	url := testdb.MySQL(t)
	d := dying{world: newWorld(t, harness.Build(t), url, url), database: url, first: time.Hour}
	d.flags = []string{"--broker=" + redis.URL()}
	d.startAll(t)
	admin := newPerson("admin@demo.test")
	d.signIn(t, admin, "events")
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	for range 2 {
		l := &listener{url: d.servers[1].url(), token: admin.token, told: map[string]bool{}}
		d.listeners = append(d.listeners, l)
		all.Go(func() { l.follow(ctx) })
	}
	times(t, func(t *testing.T, n int) { d.next(t, admin.token, fmt.Sprint("event-", n)) })
	t.Logf("%d deaths, %d events were committed, %d never told to one who listened, %d of them without MISSED, "+
		"which was told %.1f to %.1f s after a death, and %d times besides", d.deaths, d.committed, d.neverTold, d.silent,
		d.first.Seconds(), d.last.Seconds(), d.besides())
}

// next has eight clients change tasks on the first server, kills it, starts it again once the
// listeners know, and adds up what they were not told.
func (d *dying) next(t *testing.T, token, prefix string) {
	t.Helper()
	s := &stream{sent: map[string]time.Time{}, acknowledged: map[string]bool{}}
	server := d.servers[0]
	var clients sync.WaitGroup
	for i := range 8 {
		clients.Go(func() {
			p := newPerson("")
			defer p.client.CloseIdleConnections()
			p.token = token
			s.send(p, server.url(), fmt.Sprint(prefix, "-", i))
		})
	}
	for deadline := time.Now().Add(limit); s.count() < 100 && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	time.Sleep(rand.N(2 * time.Second))
	died := time.Now()
	d.deaths++
	server.kill()
	clients.Wait()
	if s.count() < 100 {
		t.Fatalf("%d tasks are saved: %s", s.count(), tail(server.log.String()))
	}
	for i, l := range d.listeners {
		at, err := l.awaitMissed(died)
		if err != nil {
			t.Fatalf("listener %d: %v; %s", i, err, tail(d.servers[1].log.String()))
		}
		if at.IsZero() {
			t.Errorf("listener %d was not told MISSED within %v of the death", i, silenceLimit)
			continue
		}
		d.first, d.last = min(d.first, at.Sub(died)), max(d.last, at.Sub(died))
	}
	d.compare(t, s, titles(t, d.database, prefix))
	server.start(t)
	server.await(t, 200)
}

// besides returns how often listeners were told MISSED for another cause, as where they read
// too slowly.
func (d *dying) besides() (n int) {
	for _, l := range d.listeners {
		l.mu.Lock()
		n += len(l.missed) - d.deaths
		l.mu.Unlock()
	}
	return n
}

// compare adds up what was committed and not told to some listener. What was acknowledged is
// among what was committed.
func (d *dying) compare(t *testing.T, s *stream, committed map[string]bool) {
	t.Helper()
	for title := range s.acknowledged {
		if !committed[title] {
			t.Errorf("%s was acknowledged and has no row", title)
		}
	}
	for title := range committed {
		lacking, silent := false, false
		for _, l := range d.listeners {
			lacks, silently := l.lacks(title, s.sent[title])
			lacking, silent = lacking || lacks, silent || silently
		}
		d.committed++
		if lacking {
			d.neverTold++
		}
		if silent {
			d.silent++
			t.Errorf("%s was committed, and somebody who listened was told neither of it nor MISSED", title)
		}
	}
}

// titles returns those of the tasks that begin with a prefix.
func titles(t *testing.T, url, prefix string) map[string]bool {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Reader.Query("SELECT title FROM tasks WHERE title LIKE ?", prefix+"-%")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]bool{}
	for rows.Next() {
		var title string
		if err := rows.Scan(&title); err != nil {
			t.Fatal(err)
		}
		all[title] = true
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
