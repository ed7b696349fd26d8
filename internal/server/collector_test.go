package server

import (
	"context"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
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
		{"", "", maxPercent, limit3of4},
		{"50", "", 100, limit3of4}, // the runtime read it before
		{"", "1GiB", maxPercent, math.MaxInt64},
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

func TestGrowth(t *testing.T) {
	const mib = 1 << 20
	for live, want := range map[uint64]int{
		0: 400, mib: 400, 9 * mib: 122, 10 * mib: 100, 12 * mib: 100, 24 * mib: 100, 48 * mib: 100, 4096 * mib: 100,
	} {
		if got := (&pacer{heap: leastHeap}).next(live, 0, 1); got != want {
			t.Errorf("%d MiB in use: %d %%, want %d %%", live/mib, got, want)
		}
	}
}

// TestHeapFollowsCost shows that the heap grows while collections take much of the CPU time, shrinks
// while they take little, and stays in between.
func TestHeapFollowsCost(t *testing.T) {
	const mib = 1 << 20
	p, gc, busy := &pacer{heap: leastHeap}, 0.0, 0.0
	after := func(cycles int, share float64) int {
		percent := 0
		for range cycles {
			gc, busy = gc+share, busy+1
			percent = p.next(10*mib, gc, busy)
		}
		return percent
	}
	for _, tt := range []struct {
		cycles int
		share  float64
		want   int
	}{
		{1, 0.05, 140}, {2, 0.05, 220}, {10, 0.05, 380}, {10, 0.03, 380}, {1, 0.02, 340}, {10, 0.02, 100}, {10, 0.03, 100}, {10, 0, 100},
	} {
		if got := after(tt.cycles, tt.share); got != tt.want {
			t.Errorf("after %d collections that take %v: %d %%, want %d %%", tt.cycles, tt.share, got, tt.want)
		}
	}
	if got := p.next(10*mib, gc, busy); got != 100 {
		t.Errorf("no time passed: %d %%, want the same", got)
	}
}

// TestFollowHeap shows that the growth follows the bytes in use, there and back.
func TestFollowHeap(t *testing.T) {
	percent := debug.SetGCPercent(maxPercent)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	followHeap()
	reaches := func(least bool) {
		t.Helper()
		for range 1000 {
			runtime.GC()
			if (gcPercent() == minPercent) == least {
				return
			}
			runtime.Gosched()
		}
		t.Errorf("%d %%; want the least: %v", gcPercent(), least)
	}
	big := make([]byte, 2*mostHeap)
	reaches(true)
	runtime.KeepAlive(big)
	big = nil
	reaches(false)
}

// gcPercent returns the growth that is set.
func gcPercent() int {
	s := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(s)
	return int(s[0].Value.Uint64())
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

// TestReleaseMemory drops pages and gives memory back while the server is idle, and does neither
// in the seconds after it was busy.
func TestReleaseMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var drops atomic.Int32
		ended := make(chan struct{})
		go func() {
			releaseMemory(ctx, func() { drops.Add(1) })
			close(ended)
		}()
		step := func(name string, wait time.Duration, want int32) {
			t.Helper()
			drops.Store(0)
			time.Sleep(wait)
			synctest.Wait()
			if got := drops.Load(); got != want {
				t.Errorf("%s: dropped %d times, want %d", name, got, want)
			}
		}
		step("while jobs look for work", 200*time.Millisecond, 0)
		step("idle", 4900*time.Millisecond, 5)
		big := make([]byte, 256<<20)
		step("busy", 5*time.Second, 0)
		runtime.KeepAlive(big)
		big = nil
		runtime.GC()
		step("idle again", 5*time.Second, 5)
		if _, spare := heapUse(); spare > 64<<20 {
			t.Errorf("%d bytes are held that nobody uses", spare)
		}
		stop()
		<-ended
	})
}
