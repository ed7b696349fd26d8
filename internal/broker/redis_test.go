package broker

import (
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"

	"workforce/internal/testdb"
)

// command runs a command on a server.
func command(t *testing.T, r *testdb.Redis, name string, args ...any) {
	t.Helper()
	c, err := redis.DialURL(r.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Do(name, args...); err != nil {
		t.Fatal(err)
	}
}

// TestCut loses connections that the server ends, as it does for idle ones or as a proxy may.
func TestCut(t *testing.T) {
	t.Parallel()
	r := testdb.StartRedis(t)
	a, b := start(t, r.URL()), start(t, r.URL())
	connect(t, a, b)
	connect(t, b, a)
	t.Run("subscribers", func(t *testing.T) {
		command(t, r, "CLIENT", "KILL", "TYPE", "pubsub")
		for _, i := range []*instance{a, b} {
			i.want(t, "missed", "missed")
		}
		connect(t, a, b)
		connect(t, b, a)
	})
	t.Run("idle publishers", func(t *testing.T) {
		command(t, r, "CLIENT", "KILL", "TYPE", "normal")
		time.Sleep(pingInterval + 100*time.Millisecond)
		a.Publish([]byte("next"))
		b.want(t, "next")
		if a.Broker.(*Redis).lost.Load() {
			t.Error("a text counts as lost")
		}
	})
}

// TestQuiet keeps a connection over which nothing is published.
func TestQuiet(t *testing.T) {
	t.Parallel()
	r := testdb.StartRedis(t)
	a, b := start(t, r.URL()), start(t, r.URL())
	connect(t, a, b)
	time.Sleep(2*pingInterval + 500*time.Millisecond)
	a.Publish([]byte("next"))
	b.want(t, "next")
}

// TestShutdown ends at once while the server answers nothing.
func TestShutdown(t *testing.T) {
	r := testdb.StartRedis(t)
	a, b := start(t, r.URL()), start(t, r.URL())
	connect(t, a, b)
	r.Freeze()
	defer r.Thaw()
	a.Publish([]byte("lost"))
	time.Sleep(100 * time.Millisecond)
	began := time.Now()
	a.stop()
	b.stop()
	if took := time.Since(began); took > time.Second {
		t.Errorf("took %v", took)
	}
}
