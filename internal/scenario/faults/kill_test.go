package faults

import (
	"context"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// underLoad starts one server on a database, does something to it while people write,
// over and over in the long form, and compares.
func underLoad(t *testing.T, binary, database string, does func(*process)) {
	t.Helper()
	w := newWorld(t, binary, database)
	w.startAll(t)
	l := w.load(t)
	l.settle = 0
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	l.start(ctx)
	times(t, func(t *testing.T, _ int) {
		l.more(t, 100)
		does(w.servers[0])
		w.servers[0].await(t, 200)
	})
	l.more(t, 50)
	stop()
	l.running.Wait()
	l.check(t, database)
	if t.Failed() {
		t.Logf("log: %s", tail(w.servers[0].log.String()))
	}
}

// TestKilledServerLosesNothing kills a server in the midst of writes. What it
// acknowledged is there after a new start, once, and what it did not answer can be sent
// again.
func TestKilledServerLosesNothing(t *testing.T) {
	t.Parallel()
	binary := harness.Build(t)
	testdb.Each(t, func(t *testing.T, database string) {
		t.Parallel()
		underLoad(t, binary, database, func(p *process) {
			p.kill()
			p.start(t)
		})
	})
}

// TestKilledDatabaseLosesNothing kills the database in the midst of writes.
func TestKilledDatabaseLosesNothing(t *testing.T) {
	t.Parallel()
	db := testdb.Start(t)
	underLoad(t, harness.Build(t), db.Database(t), func(p *process) {
		db.Stop(t)
		p.await(t, 503)
		db.Start(t)
	})
}

// TestFrozenDatabaseLosesNothing stops the database's process for longer than a
// request may take.
func TestFrozenDatabaseLosesNothing(t *testing.T) {
	t.Parallel()
	if *long == 0 {
		t.Skip("only in the long form: make faults")
	}
	db := testdb.Start(t)
	underLoad(t, harness.Build(t), db.Database(t), func(p *process) {
		db.Freeze()
		p.await(t, 503)
		time.Sleep(12 * time.Second)
		db.Thaw()
	})
}
