package bench

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"syscall"
	"time"
)

// A usage is what a slice of time cost.
type usage struct {
	loadResult
	cpu    time.Duration // of this process: server and client
	dbCPU  time.Duration // of the database server; 0 where nobody tells
	allocs uint64
	bytes  uint64 // allocated
	peak   uint64 // bytes of memory held at once
}

// measure runs a slice and says what it cost. What this process held before is
// given back first.
func measure(databasePID int, slice func() (loadResult, error)) (u usage, err error) {
	debug.FreeOSMemory()
	stop := watchMemory()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	cpu, dbCPU := ownCPU(), cpuOf(databasePID)
	u.loadResult, err = slice()
	u.cpu, u.dbCPU = ownCPU()-cpu, cpuOf(databasePID)-dbCPU
	runtime.ReadMemStats(&after)
	u.allocs, u.bytes = after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
	u.peak = stop()
	return u, err
}

// line renders a slice in the form that benchstat reads.
func (u usage) line(name string) string {
	n := float64(max(1, u.requests))
	line := fmt.Sprintf("Benchmark%s %d %.0f ns/op %.1f req/s %.0f p50-ns %.0f p99-ns %.0f cpu-ns/op",
		name, max(1, u.requests), float64(u.elapsed)/n, u.perSecond(), float64(u.percentile(50)), float64(u.percentile(99)), float64(u.cpu)/n)
	if u.dbCPU > 0 {
		line += fmt.Sprintf(" %.0f db-cpu-ns/op", float64(u.dbCPU)/n)
	}
	if u.unserved > 0 {
		line += fmt.Sprintf(" %d unserved", u.unserved)
	}
	return line + fmt.Sprintf(" %.0f B/op %.1f allocs/op %.1f peak-MB", float64(u.bytes)/n, float64(u.allocs)/n, float64(u.peak)/1e6)
}

// watchMemory samples how much memory this process holds, until it is told to
// stop and tells the most.
func watchMemory() (stop func() uint64) {
	end, most := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		tick := time.NewTicker(4 * time.Millisecond)
		defer tick.Stop()
		for {
			peak = max(peak, heldMemory())
			select {
			case <-end:
				most <- peak
				return
			case <-tick.C:
			}
		}
	}()
	return func() uint64 { close(end); return <-most }
}

// heldMemory returns the bytes that the Go runtime has from the system.
func heldMemory() uint64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() - samples[1].Value.Uint64()
}

// ownCPU returns the CPU time that this process has used.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpuOf returns the CPU time that another process has used, in steps of 10 ms;
// 0 where the system does not tell.
func cpuOf(pid int) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, ok := bytes.Cut(text, []byte(") "))
	fields := bytes.Fields(rest) // from the state on, the third of all
	if err != nil || !ok || len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(string(fields[11])) // numbers, as the system writes them
	system, _ := strconv.Atoi(string(fields[12]))
	return time.Duration(user+system) * 10 * time.Millisecond
}
