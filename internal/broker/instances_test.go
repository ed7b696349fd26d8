package broker

import (
	"testing"
	"time"

	"workforce/internal/testdb"
)

// TestInstances tells once of an instance that is silent for ten seconds, unless it left.
func TestInstances(t *testing.T) {
	began := time.Now()
	at := func(seconds float64) time.Time { return began.Add(time.Duration(seconds * float64(time.Second))) }
	i := instances{}
	i.heard("a", true, at(0))
	i.heard("b", true, at(0))
	i.heard("c", true, at(0))
	i.heard("b", true, at(2))
	i.heard("c", false, at(3))
	for _, step := range []struct {
		at   float64
		want bool
	}{{9.9, false}, {10, true}, {11.9, false}, {12, true}, {30, false}} {
		if got := i.forgetSilent(at(step.at)); got != step.want {
			t.Errorf("after %v s: %v, want %v", step.at, got, step.want)
		}
	}
	i.heard("a", true, at(30))
	i.refresh(at(45)) // the connection was away
	if i.forgetSilent(at(54.9)) || !i.forgetSilent(at(55)) {
		t.Error("the silence does not begin anew with the connection")
	}
}

// TestDeath tells that something may be missed when an instance dies, once, and not when
// one stops, which publishes all before. An event is a sign of life too: some die before
// another one of theirs is heard.
func TestDeath(t *testing.T) {
	t.Parallel()
	r := testdb.StartRedis(t)
	a, b := start(t, r.URL()), start(t, r.URL())
	connect(t, a, b)
	time.Sleep(signInterval) // they know each other
	for range 100 {
		a.Publish([]byte("last"))
	}
	a.stop()
	for range 100 {
		b.want(t, "last")
	}
	time.Sleep(pingInterval)
	for _, death := range []struct{ channel, text string }{{signs, alive}, {channel, "event"}} {
		command(t, r, "PUBLISH", death.channel, "dying\n"+death.text)
		began := time.Now()
		if death.channel == channel {
			b.want(t, death.text)
		}
		b.want(t, "missed")
		if took := time.Since(began); took < silence {
			t.Errorf("it is told after %v, of who stopped", took)
		}
		time.Sleep(pingInterval + time.Second) // a silence is looked for with each ping
		if len(b.got) > 0 {
			t.Errorf("%q too", <-b.got)
		}
	}
}
