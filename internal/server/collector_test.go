package server

import (
	"context"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

// TestTuneCollector holds that the environment goes before the server's own
// settings.
func TestTuneCollector(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(math.MaxInt64)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	limit3of4 := availableMemory(os.DirFS("/")) / 4 * 3
	for _, tt := range []struct {
		gogc, memlimit string
		percent        int
		limit          int64
	}{
		{"", "", growthPercent, limit3of4},
		{"50", "", 100, limit3of4}, // the runtime read it before
		{"", "1GiB", growthPercent, math.MaxInt64},
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
	debug.FreeOSMemory() // what tests before this one left
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

// waste leaves memory behind that nobody uses, unless the runtime gives it back by itself.
func waste(t *testing.T) {
	t.Helper()
	for range 10 {
		func() {
			big := make([]byte, 256<<20)
			runtime.KeepAlive(big)
		}()
		runtime.GC()
		if _, spare := heapUse(); spare > 64<<20 {
			return
		}
	}
	t.Fatal("the runtime gives all memory back by itself")
}

func TestIsWorthReleasing(t *testing.T) {
	for _, c := range []struct {
		name             string
		allocated, spare uint64
		want             bool
	}{
		{"idle, with much to spare", 0, 256 << 20, true},
		{"idle, with little to spare", 0, spareMemory, false},
		{"nearly idle", idleBytes - 1, spareMemory + 1, true},
		{"busy", idleBytes, 256 << 20, false},
	} {
		if got := isWorthReleasing(c.allocated, c.spare); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestReleaseMemory gives memory back at the start and while the server is idle. That it keeps
// memory while it is busy cannot be seen here: the runtime may give it back at any time.
func TestReleaseMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			releaseMemory(ctx)
			close(ended)
		}()
		synctest.Wait()
		waste(t)
		time.Sleep(2 * idleTime) // it was busy in the first
		synctest.Wait()
		if _, spare := heapUse(); spare > 64<<20 {
			t.Errorf("%d bytes are held that nobody uses", spare)
		}
		stop()
		<-ended
	})
}
