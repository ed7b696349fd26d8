package server

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Settings of the garbage collector, unless GOGC and GOMEMLIMIT are set;
// docs/decisions/0014-memory-and-collector.md has the figures.
const (
	// GCPercent lets the heap grow to five times its live size before a
	// collection.
	GCPercent = 400

	// MemoryLimit, in bytes, bounds that growth: near it the collector runs more
	// often. The live heap may still be larger.
	MemoryLimit = 128 << 20

	// idleTime is how long the server is idle before it returns memory to the
	// system; spareMemory is how many unused bytes it may keep.
	idleTime    = 5 * time.Second
	spareMemory = 8 << 20
)

// TuneCollector applies the settings to the process.
func TuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(GCPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(MemoryLimit)
	}
}

// releaseMemory returns unused memory to the system whenever the server was idle
// for idleTime, until ctx ends. The runtime alone would keep most of it.
func releaseMemory(ctx context.Context) {
	tick := time.NewTicker(idleTime)
	defer tick.Stop()
	debug.FreeOSMemory() // garbage of the start
	allocated, _ := heapUse()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now, spare := heapUse()
		if now-allocated < 1<<20 && spare > spareMemory {
			debug.FreeOSMemory()
		}
		allocated = now
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
