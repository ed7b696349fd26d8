package database

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
)

const (
	clockInterval = 30 * time.Second
	clockTimeout  = 5 * time.Second        // of one measurement, with waiting for a connection
	clockTrip     = time.Second            // a longer round trip tells too little
	clockJitter   = 100 * time.Millisecond // smaller changes of the difference are not followed
	clockAlarm    = 2 * time.Minute        // a larger difference is logged
	nodesAlarm    = 5 * time.Second        // nodes of the database whose clocks differ by more are logged
	nodeMemory    = 10 * time.Minute       // for which a node's clock is remembered: some 20 measurements
)

// A Clock tells the time by the clock of a MySQL database, so that instances on machines
// whose clocks differ agree on what is due and what has expired. It is the machine's clock
// plus a difference, which is measured at the start and every 30 s.
//
// The difference in use is replaced when the measured one is surely more than 100 ms away
// from it, whatever the round trip took. So the clocks of machines that are set by NTP are
// used as they are, and what a network adds to a measurement is not followed. A correction
// is made at once, in either direction, as NTP steps a clock. When a machine's clock is
// set meanwhile, the time is wrong by as much until the next measurement.
//
// Its methods are safe for concurrent use, but for Measure and Run, which one goroutine
// calls.
type Clock struct {
	machine func() time.Time
	read    func(context.Context) (clockReading, error)
	log     *slog.Logger

	added atomic.Int64 // nanoseconds that are added to the machine's clock
	ahead atomic.Int64 // nanoseconds, by the last measurement: see Ahead

	began  time.Time // by the machine's clock
	nodes  map[string]nodeClock
	warned struct{ machine, nodes bool } // the differences are above their alarms
}

// A clockReading is the database's time, and the machine's before it was asked for and
// after it was told.
type clockReading struct {
	sent, received, at time.Time
	node               string // the name of the database's machine
}

// A nodeClock is the clock of one node of the database.
type nodeClock struct {
	ahead time.Duration // of the time that has passed since Clock.began
	read  time.Time     // by the machine's clock
}

// NewClock returns a clock of a MySQL database, which is the machine's until Measure; nil
// for SQLite, whose file one machine has.
func NewClock(db *DB, machine func() time.Time, log *slog.Logger) *Clock {
	if db.Dialect != dialect.MySQL {
		return nil
	}
	return newClock(machine, log, func(ctx context.Context) (clockReading, error) { return db.readClock(ctx, machine) })
}

func newClock(machine func() time.Time, log *slog.Logger, read func(context.Context) (clockReading, error)) *Clock {
	return &Clock{machine: machine, read: read, log: log, began: machine(), nodes: map[string]nodeClock{}}
}

// readClock asks over a connection that is there already: to make one takes longer than to
// ask.
func (db *DB) readClock(ctx context.Context, machine func() time.Time) (r clockReading, err error) {
	conn, err := db.Reader.Conn(ctx)
	if err != nil {
		return r, err
	}
	defer conn.Close()
	r.sent = machine()
	err = conn.QueryRowContext(ctx, "SELECT UTC_TIMESTAMP(6), @@hostname").Scan(&r.at, &r.node)
	r.received = machine()
	return r, err
}

// Now returns the time, in UTC and whole microseconds.
func (c *Clock) Now() time.Time {
	return c.machine().Add(time.Duration(c.added.Load())).UTC().Truncate(time.Microsecond)
}

// Ahead returns by how much the machine's clock was ahead of the database's at the last
// measurement; negative where it was behind.
func (c *Clock) Ahead() time.Duration { return time.Duration(c.ahead.Load()) }

// Run measures every 30 s until ctx ends. While the database does not answer, the last
// difference holds.
func (c *Clock) Run(ctx context.Context) {
	tick := time.NewTicker(clockInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := c.Measure(ctx); err != nil {
			c.log.DebugContext(ctx, "clock", "error", err)
		}
	}
}

// Measure measures the difference once. A round trip of more than a second changes nothing.
func (c *Clock) Measure(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, clockTimeout)
	defer cancel()
	r, err := c.read(ctx)
	if err != nil {
		return fmt.Errorf("reading the clock of the database: %w", err)
	}
	trip := r.received.Sub(r.sent) // by the monotonic clock
	if trip > clockTrip {
		return nil
	}
	middle := r.sent.Add(trip / 2)
	difference := r.at.Sub(middle)
	c.ahead.Store(int64(-difference))
	if (difference - time.Duration(c.added.Load())).Abs() > clockJitter+trip/2 {
		c.added.Store(int64(difference))
	}
	c.checkMachine(ctx, difference)
	c.checkNodes(ctx, r, middle)
	return nil
}

// checkMachine logs once that the difference went above its alarm.
func (c *Clock) checkMachine(ctx context.Context, difference time.Duration) {
	wrong := difference.Abs() > clockAlarm
	if wrong && !c.warned.machine {
		c.log.WarnContext(ctx, "the clocks of this machine and of the database differ",
			"ahead", c.Ahead().Round(time.Millisecond).String())
	}
	c.warned.machine = wrong
}

// checkNodes logs once that the clocks of two nodes differ by more than their alarm. What
// they show is compared with the machine's monotonic clock, which nobody sets.
func (c *Clock) checkNodes(ctx context.Context, r clockReading, middle time.Time) {
	c.nodes[r.node] = nodeClock{ahead: r.at.Sub(c.began) - middle.Sub(c.began), read: middle}
	first, last := r.node, r.node
	for name, n := range c.nodes {
		if middle.Sub(n.read) > nodeMemory {
			delete(c.nodes, name)
			continue
		}
		if n.ahead < c.nodes[first].ahead {
			first = name
		}
		if n.ahead > c.nodes[last].ahead {
			last = name
		}
	}
	apart := c.nodes[last].ahead - c.nodes[first].ahead
	wrong := apart > nodesAlarm
	if wrong && !c.warned.nodes {
		c.log.WarnContext(ctx, "the clocks of two nodes of the database differ",
			"ahead", last, "behind", first, "difference", apart.Round(time.Millisecond).String())
	}
	c.warned.nodes = wrong
}
