package server

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// growthPercent is by how much of the bytes in use the heap may grow until the next
	// collection; docs/decisions/0031-plain-reading.md has the figures.
	growthPercent = 200

	// idleTime is how long the server is idle before it returns memory to the system;
	// spareMemory is how many unused bytes it may keep. Idle is a server that allocates
	// less than idleBytes in that time: to look up the tokens of 2,000 idle subscribers
	// takes a quarter of it, and a half when their pings fall into that time.
	idleTime    = 5 * time.Second
	idleBytes   = 64 << 20
	spareMemory = 8 << 20
)

// TuneCollector sets how often the garbage collector runs, unless GOGC and GOMEMLIMIT
// are set. Three quarters of the memory that the machine or the control group gives the
// process are the limit near which it runs more often.
func TuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(growthPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(availableMemory(os.DirFS("/")) / 4 * 3)
	}
}

// releaseMemory returns memory to the system while the server is idle, until ctx ends. The
// runtime alone keeps what the heap grew to, for minutes: after lists of 1,000 people 102 MiB
// stay resident in place of some 60.
func releaseMemory(ctx context.Context) {
	allocated, _ := heapUse()
	tick := time.NewTicker(idleTime)
	defer tick.Stop()
	for {
		now, spare := heapUse()
		if isWorthReleasing(now-allocated, spare) { // at first what the start left behind
			debug.FreeOSMemory()
		}
		allocated = now
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// isWorthReleasing says whether a server that allocated so many bytes in the last idleTime
// is idle, and holds enough spare bytes to return them.
func isWorthReleasing(allocated, spare uint64) bool {
	return allocated < idleBytes && spare > spareMemory
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
