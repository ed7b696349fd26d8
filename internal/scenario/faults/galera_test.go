package faults

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// only picks nemeses whose name has it.
var only = flag.String("only", "", "the nemeses of TestGalera whose names have this, in the long form")

// A nemesis does something to a cluster and its two servers, and puts it right again.
type nemesis struct {
	name string
	does func(t *testing.T, c *testdb.Cluster, w *world)
}

// The first three are the short form.
var nemeses = []nemesis{
	{"a server's node is frozen", func(t *testing.T, c *testdb.Cluster, _ *world) {
		c.Nodes[1].Freeze()
		time.Sleep(5 * time.Second)
		c.Nodes[1].Thaw()
		c.Nodes[1].Await(t)
	}},
	{"the majority is frozen", func(t *testing.T, c *testdb.Cluster, w *world) {
		c.Nodes[1].Freeze()
		c.Nodes[2].Freeze()
		w.servers[0].await(t, 503)
		refuses(t, w.servers[0])
		c.Nodes[1].Thaw()
		c.Nodes[2].Thaw()
	}},
	{"a server's node is killed", func(t *testing.T, c *testdb.Cluster, w *world) {
		c.Nodes[0].Kill()
		w.servers[0].await(t, 503)
		c.Nodes[0].Start(t)
	}},
	{"a server's node is stopped", func(t *testing.T, c *testdb.Cluster, w *world) {
		c.Nodes[1].Shut()
		w.servers[1].await(t, 503)
		c.Nodes[1].Start(t)
	}},
	{"two nodes are killed", func(t *testing.T, c *testdb.Cluster, w *world) {
		c.Nodes[1].Kill()
		c.Nodes[2].Kill()
		w.servers[0].await(t, 503)
		refuses(t, w.servers[0])
		for _, n := range c.Nodes[1:] {
			if err := n.Launch(); err != nil {
				t.Fatal(err)
			}
		}
		for _, n := range c.Nodes {
			n.Await(t)
		}
	}},
	{"two nodes are stopped, one after the other", func(t *testing.T, c *testdb.Cluster, w *world) {
		c.Nodes[2].Shut()
		c.Nodes[1].Shut()
		w.servers[1].await(t, 503)
		c.Nodes[1].Start(t)
		c.Nodes[2].Start(t)
	}},
	{"a server is killed", func(t *testing.T, _ *testdb.Cluster, w *world) {
		w.servers[1].kill()
		w.servers[1].start(t)
	}},
	{"a server and its node are killed", func(t *testing.T, c *testdb.Cluster, w *world) {
		w.servers[0].kill()
		c.Nodes[0].Kill()
		c.Nodes[0].Start(t)
		w.servers[0].start(t)
	}},
}

// refuses fails the test if a server whose node has no quorum says for a second that
// it is ready.
func refuses(t *testing.T, p *process) {
	t.Helper()
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if status := p.ready(); status != 503 {
			t.Errorf("/readyz answers %d while its node has no quorum", status)
			return
		}
	}
}

// TestGalera has two servers, on two of three nodes, start at once on an empty database.
// First people write the same rows on both. Then it stops, freezes and kills nodes while
// people write on both and read on the other what they were told of.
func TestGalera(t *testing.T) {
	t.Parallel()
	c, binary := testdb.StartCluster(t), harness.Build(t)
	var w *world
	var name string
	for range 1 + int(long.Minutes()) {
		name = c.Database(t)
		w = newWorld(t, binary, c.Nodes[0].URL(name), c.Nodes[1].URL(name))
		began := time.Now()
		w.startAll(t)
		t.Logf("both servers are ready after %v", time.Since(began))
		for _, p := range w.servers {
			p.kill()
		}
	}
	w.startAll(t) // with nothing to do, so that their clocks agree
	sharedRows(t, w, c.Nodes[2].URL(name))

	l := w.load(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	l.start(ctx)
	l.more(t, 200)
	todo, picked := nemeses[:3], slices.Clone(nemeses)
	if *only != "" {
		picked = slices.DeleteFunc(picked, func(n nemesis) bool { return !strings.Contains(n.name, *only) })
		todo = picked[:1]
	}
	times(t, func(t *testing.T, n int) {
		for _, n := range todo {
			began := time.Now()
			n.does(t, c, w)
			for _, p := range w.servers {
				p.await(t, 200)
			}
			t.Logf("%s %s: all are ready after %v, %d acknowledged", w.now().Format("15:04:05.000"), n.name, time.Since(began).Round(time.Millisecond), l.acknowledged())
			l.more(t, 50)
		}
		todo = []nemesis{picked[n%len(picked)], picked[rand.IntN(len(picked))]}
	})
	stop()
	l.running.Wait()
	for i, n := range c.Nodes {
		n.Await(t)
		t.Logf("node %d", i+1)
		l.check(t, n.URL(name))
	}
	if t.Failed() {
		for _, p := range w.servers {
			t.Logf("log of %s: %s", p.addr, tail(p.log.String()))
		}
	}
}
