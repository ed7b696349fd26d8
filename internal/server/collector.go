package server

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Settings of the garbage collector, unless GOGC and GOMEMLIMIT are set;
// docs/decisions/0014-memory-and-collector.md has the figures.
const (
	// A small heap may grow to five times the bytes in use, but to no more than a bound between leastHeap
	// and mostHeap. The bound rises by heapStep after a collection if collections took more than maxShare
	// of the CPU time that the process used since the one before, and falls by heapStep if they took less
	// than minShare. Any heap may double.
	leastHeap  = 20 << 20 // bytes
	mostHeap   = 48 << 20
	heapStep   = 4 << 20
	minShare   = 0.025
	maxShare   = 0.035
	maxPercent = 400
	minPercent = 100

	// idleSeconds is how long the server is idle before it returns memory to the
	// system; spareMemory is how many unused bytes it may keep. Idle is a server
	// that allocates less than idleBytes in that time: to look up the tokens of
	// 2,000 idle subscribers takes a quarter of it, and a half when their pings fall
	// into that time.
	idleSeconds = 5
	idleBytes   = 64 << 20
	spareMemory = 8 << 20
)

// TuneCollector applies the settings to the process. Three quarters of the memory
// that the machine or the control group gives it are the limit near which the
// collector runs more often.
func TuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(maxPercent)
		followHeap()
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(availableMemory(os.DirFS("/")) / 4 * 3)
	}
}

// A pacer decides how much the heap may grow until the next collection.
type pacer struct {
	heap     uint64  // bytes to which a small one may grow
	gc, busy float64 // seconds of CPU time that collections and the whole process took until the last one
}

// next returns the growth in percent of the bytes in use, after a collection until which collections
// and the whole process took so many seconds of CPU time.
func (p *pacer) next(live uint64, gc, busy float64) int {
	switch share := (gc - p.gc) / (busy - p.busy); {
	case share > maxShare:
		p.heap = min(p.heap+heapStep, mostHeap)
	case share < minShare:
		p.heap = max(p.heap-heapStep, leastHeap)
	}
	p.gc, p.busy = gc, busy
	if live >= p.heap {
		return minPercent
	}
	return int(min(max((p.heap-live)*100/max(live, 1), minPercent), maxPercent))
}

// followHeap sets the growth after each collection from now on.
func followHeap() {
	p, percent := &pacer{heap: leastHeap}, maxPercent
	s := []metrics.Sample{
		{Name: "/gc/heap/live:bytes"}, {Name: "/cpu/classes/user:cpu-seconds"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"}, // the last is time that nobody else wanted
	}
	var next func(int)
	mark := func() { runtime.AddCleanup(new([64]byte), next, 0) } // unreachable, so the next collection runs it
	next = func(int) {
		metrics.Read(s)
		gc := s[2].Value.Float64() - s[3].Value.Float64()
		if want := p.next(s[0].Value.Uint64(), gc, gc+s[1].Value.Float64()); want != percent {
			percent = want
			debug.SetGCPercent(want)
		}
		mark()
	}
	mark()
}

// releaseMemory returns memory to the system while the server is idle, until ctx ends. The runtime
// alone would keep most of what the heap does not use. Each second drop is called, a quarter of a second
// after the jobs look for work, since each of them goes through tens of MB of the binary's pages.
func releaseMemory(ctx context.Context, drop func()) {
	allocated, _ := heapUse()
	select {
	case <-ctx.Done():
		return
	case <-time.After(time.Second / 4):
	}
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	idle := false
	for seconds := 0; ; seconds++ {
		if seconds%idleSeconds == 0 { // at first what the start left behind
			now, spare := heapUse()
			idle = now-allocated < idleBytes
			if idle && spare > spareMemory {
				debug.FreeOSMemory()
			}
			allocated = now
		}
		if idle {
			drop()
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// heapUse returns how many bytes were ever allocated, and how many are held that
// the last collection did not find in use.
func heapUse() (allocated, spare uint64) {
	s := []metrics.Sample{
		{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/unused:bytes"}, {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(s)
	held := s[2].Value.Uint64() + s[3].Value.Uint64() + s[4].Value.Uint64()
	return s[0].Value.Uint64(), held - min(held, s[1].Value.Uint64())
}
