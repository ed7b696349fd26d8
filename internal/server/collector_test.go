package server

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
)

// TestTuneCollector holds that the environment goes before the server's own
// settings.
func TestTuneCollector(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	for _, tt := range []struct {
		gogc, memlimit string
		percent        int
		limit          int64
	}{
		{"", "", GCPercent, MemoryLimit},
		{"50", "", 100, MemoryLimit}, // the runtime read it before
		{"", "1GiB", GCPercent, math.MaxInt64},
		{"off", "1GiB", 100, math.MaxInt64},
	} {
		t.Setenv("GOGC", tt.gogc)
		t.Setenv("GOMEMLIMIT", tt.memlimit)
		debug.SetGCPercent(100)
		debug.SetMemoryLimit(math.MaxInt64)
		TuneCollector()
		if got, most := debug.SetGCPercent(100), debug.SetMemoryLimit(-1); got != tt.percent || most != tt.limit {
			t.Errorf("GOGC=%q GOMEMLIMIT=%q: %d %%, %d bytes; want %d %%, %d bytes", tt.gogc, tt.memlimit, got, most, tt.percent, tt.limit)
		}
	}
}

// TestHeapUse holds that memory counts as spare once nobody uses it, and until it
// was given back.
func TestHeapUse(t *testing.T) {
	const size, little = 256 << 20, 64 << 20
	before, _ := heapUse()
	big := make([]byte, size)
	runtime.GC()
	allocated, used := heapUse()
	runtime.KeepAlive(big)
	runtime.GC()
	_, unused := heapUse()
	debug.FreeOSMemory()
	_, given := heapUse()
	if allocated-before < size || used > little || unused < size-little || given > little {
		t.Errorf("allocated %d of %d; spare: %d while it is in use, %d then, %d given back", allocated-before, size, used, unused, given)
	}
}
