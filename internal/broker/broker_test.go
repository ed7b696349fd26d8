package broker

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"workforce/internal/testdb"
)

// patience is how long a test waits for what must happen.
const patience = 20 * time.Second

// An instance records what it is told.
type instance struct {
	Broker
	got  chan string // texts, and "missed"
	stop func()      // ends it and waits
}

func start(t *testing.T, url string) *instance {
	t.Helper()
	b, err := Open(url, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	i := &instance{b, make(chan string, 4*waiting), func() { cancel(); <-done }} // more than a test publishes
	go func() {
		defer close(done)
		b.Run(ctx, func(text []byte) { i.got <- string(text) }, func() { i.got <- "missed" })
	}()
	t.Cleanup(i.stop)
	return i
}

func (i *instance) want(t *testing.T, want ...string) {
	t.Helper()
	for _, text := range want {
		select {
		case got := <-i.got:
			if got != text {
				t.Fatalf("got %q, want %q", got, text)
			}
		case <-time.After(patience):
			t.Fatalf("no %q", text)
		}
	}
}

// connect returns when b receives what a publishes.
func connect(t *testing.T, a, b *instance) {
	t.Helper()
	for began := time.Now(); time.Since(began) < patience; {
		a.Publish([]byte("connect"))
		select {
		case <-b.got:
			time.Sleep(50 * time.Millisecond)
			for len(b.got) > 0 {
				<-b.got
			}
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("no connection")
}

// TestRedis carries texts in order to all instances but their own.
func TestRedis(t *testing.T) {
	r := testdb.StartRedis(t)
	a, b := start(t, r.URL()), start(t, r.URL())
	connect(t, a, b)
	connect(t, b, a)
	for n := range 200 {
		a.Publish(fmt.Append(nil, n))
	}
	for n := range 200 {
		b.want(t, fmt.Sprint(n))
	}
	if len(a.got) > 0 {
		t.Errorf("an instance received its own: %q", <-a.got)
	}
}

// TestOutage tells that something was missed when the connection ends, and again when it
// is there again. Nobody who publishes waits meanwhile.
func TestOutage(t *testing.T) {
	for name, outage := range map[string]struct{ begin, end func(*testdb.Redis) }{
		"killed": {(*testdb.Redis).Kill, (*testdb.Redis).Start},
		"frozen": {(*testdb.Redis).Freeze, (*testdb.Redis).Thaw},
	} {
		t.Run(name, func(t *testing.T) {
			r := testdb.StartRedis(t)
			a, b := start(t, r.URL()), start(t, r.URL())
			connect(t, a, b)
			connect(t, b, a)
			outage.begin(r)
			began := time.Now()
			for range 2 * waiting {
				a.Publish([]byte("lost"))
			}
			if took := time.Since(began); took > time.Second {
				t.Errorf("to publish took %v", took)
			}
			a.want(t, "missed")
			b.want(t, "missed")
			outage.end(r)
			a.want(t, "missed")
			b.want(t, "missed")
			connect(t, a, b)
			connect(t, b, a)
		})
	}
}

// TestLost tells the others that an instance could not publish all.
func TestLost(t *testing.T) {
	r := testdb.StartRedis(t)
	a, b := start(t, r.URL()), start(t, r.URL())
	connect(t, a, b)
	a.Broker.(*Redis).lost.Store(true)
	a.Publish([]byte("next"))
	b.want(t, "missed", "next")
}

// TestAwayAtTheStart tells that something may be missed until the server is there.
func TestAwayAtTheStart(t *testing.T) {
	r := testdb.StartRedis(t)
	r.Kill()
	a := start(t, r.URL())
	a.want(t, "missed")
	r.Start()
	a.want(t, "missed")
}

// TestCheck names what is wrong with a URL without quoting it.
func TestCheck(t *testing.T) {
	for url, want := range map[string]string{
		"": "", "memory": "", "redis://:secret@127.0.0.1:6379/1": "", "rediss://redis.test": "",
		"http://secret": "must be memory", "redis://secret:port:x": "is no URL", "Memory": "must be memory",
		"redis://redis.test/secret": "is no URL", "redis://redis.test/-1": "is no URL", "redis://redis.test/1/2": "is no URL",
		"redis://redis.test?a=secret": "is no URL", "redis://redis.test#secret": "is no URL", "redis://redis.test/": "",
	} {
		err := Check(url)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v, want %q", url, err, want)
		}
	}
}

// TestMemory runs until it is told to stop.
func TestMemory(t *testing.T) {
	a := start(t, "memory")
	a.Publish([]byte("x"))
	if len(a.got) > 0 {
		t.Error("it received its own")
	}
}
