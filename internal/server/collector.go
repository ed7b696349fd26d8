package server

import (
	"context"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// How the garbage collector works, unless GOGC and GOMEMLIMIT say otherwise;
// docs/decisions/0014-memory-and-collector.md has the figures.
const (
	// GcPercent lets the heap grow to five times what is in use before it is
	// collected: what a request leaves behind is then collected rarely.
	GcPercent = 400

	// MemoryLimit, in bytes, ends that growth: from there on the collector runs
	// as often as it must. What is in use at once may still be more.
	MemoryLimit = 128 << 20

	// idleTime is how long the server has nothing to do before it gives memory
	// back to the system; spareMemory is how many bytes it may keep.
	idleTime    = 5 * time.Second
	spareMemory = 8 << 20
)

// TuneCollector applies the settings to the process.
func TuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(GcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(MemoryLimit)
	}
}

// giveBack returns memory to the system when nothing was allocated for a while
// but little, until ctx ends: by itself the heap keeps the size that its busiest
// moment gave it.
func giveBack(ctx context.Context) {
	tick := time.NewTicker(idleTime)
	defer tick.Stop()
	debug.FreeOSMemory() // what the start left behind
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
