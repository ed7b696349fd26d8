package database

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"
)

// A clockWorld is a machine and the nodes of a database, whose clocks a test sets.
type clockWorld struct {
	machine time.Time
	ahead   map[string]time.Duration // of the machine, by node
	node    string                   // that answers next
	trip    time.Duration            // there and back, half of it each
	err     error
	log     bytes.Buffer
}

func newClockWorld() (*clockWorld, *Clock) {
	w := &clockWorld{
		machine: time.Date(2026, 3, 10, 2, 0, 0, 0, time.UTC), ahead: map[string]time.Duration{}, node: "one",
		trip: 2 * time.Millisecond,
	}
	log := slog.New(slog.NewTextHandler(&w.log, nil))
	return w, newClock(func() time.Time { return w.machine }, log, w.read)
}

func (w *clockWorld) read(context.Context) (r clockReading, err error) {
	r.sent = w.machine
	w.machine = w.machine.Add(w.trip / 2)
	r.at, r.node = w.machine.Add(w.ahead[w.node]), w.node
	w.machine = w.machine.Add(w.trip / 2)
	r.received = w.machine
	return r, w.err
}

// measure lets 30 s pass, measures, and returns by how much the clock is ahead of the machine.
func (w *clockWorld) measure(t *testing.T, c *Clock) time.Duration {
	t.Helper()
	w.machine = w.machine.Add(30 * time.Second)
	if err := c.Measure(t.Context()); err != nil && w.err == nil {
		t.Fatal(err)
	}
	return c.Now().Sub(w.machine)
}

// TestClock measures one node after the other differences, and compares what is added to the
// machine's clock.
func TestClock(t *testing.T) {
	w, c := newClockWorld()
	if got := c.Now(); !got.Equal(w.machine) || got.Location() != time.UTC {
		t.Errorf("before any measurement it is %v, want %v", got, w.machine)
	}
	for _, step := range []struct {
		name              string
		ahead, trip, want time.Duration
		err               error
	}{
		{"a small difference is jitter", 90 * time.Millisecond, 0, 0, nil},
		{"so is one within half of the round trip", 590 * time.Millisecond, time.Second, 0, nil},
		{"a larger one counts", 110 * time.Millisecond, 0, 110 * time.Millisecond, nil},
		{"and stays as long as it changes little", 20 * time.Millisecond, 0, 110 * time.Millisecond, nil},
		{"the machine is ten minutes fast", -10 * time.Minute, time.Millisecond, -10 * time.Minute, nil},
		{"a long round trip tells nothing", 0, 1001 * time.Millisecond, -10 * time.Minute, nil},
		{"the database is away", 0, 0, -10 * time.Minute, errors.New("away")},
		{"the machine's clock is set", 0, 0, 0, nil},
		{"the machine is slow", 3 * time.Hour, 0, 3 * time.Hour, nil},
	} {
		w.ahead["one"], w.trip, w.err = step.ahead, step.trip, step.err
		if got := w.measure(t, c); got != step.want {
			t.Errorf("%s: %v is added, want %v", step.name, got, step.want)
		}
	}
	if got := c.Ahead(); got != -3*time.Hour {
		t.Errorf("the machine is %v ahead, want -3h", got)
	}
}

// TestClockAlarms logs a clock that is wrong by more than two minutes, and nodes whose clocks
// differ by more than five seconds, once each time.
func TestClockAlarms(t *testing.T) {
	const machine, nodes = `level=WARN msg="the clocks of this machine and of the database differ"`,
		`level=WARN msg="the clocks of two nodes of the database differ"`
	w, c := newClockWorld()
	for _, step := range []struct {
		name  string
		node  string
		ahead time.Duration // of the machine
		later time.Duration // how much later, besides 30 s
		want  string        // of the log
	}{
		{"two minutes", "one", -2 * time.Minute, 0, ""},
		{"more", "one", -121 * time.Second, 0, machine + " ahead=2m1s\n"},
		{"still", "one", -10 * time.Minute, 0, ""},
		{"as it should be", "one", 0, 0, ""},
		{"and wrong again", "one", 5 * time.Minute, 0, machine + " ahead=-5m0s\n"},
		{"right again", "one", 0, 0, ""},
		{"another node", "two", 5 * time.Second, 0, ""},
		{"which is far ahead", "two", 6 * time.Second, 0, nodes + " ahead=two behind=one difference=6s\n"},
		{"still", "one", 0, 0, ""},
		{"not any more", "two", time.Second, 0, ""},
		{"once more", "one", -6 * time.Second, 0, nodes + " ahead=two behind=one difference=7s\n"},
		{"the other is long gone", "one", -60 * time.Second, 10 * time.Minute, ""},
	} {
		w.machine = w.machine.Add(step.later)
		w.node, w.ahead[step.node] = step.node, step.ahead
		w.log.Reset()
		w.measure(t, c)
		got := w.log.String()
		if _, rest, ok := strings.Cut(got, " "); ok { // behind the time
			got = rest
		}
		if got != step.want {
			t.Errorf("%s: logged %q, want %q", step.name, got, step.want)
		}
	}
	if len(c.nodes) != 1 {
		t.Errorf("%d nodes are remembered, want 1", len(c.nodes))
	}
}
