package pdf

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// usage returns the CPU time of the process and the most memory that it had, in bytes.
func usage(b *testing.B) (cpu time.Duration, peak int64) {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()), u.Maxrss << 10
}

// BenchmarkReport writes 2,000 rows. cpu-ms is the process's time for one, which other work of the
// machine lengthens less than that of the clock; peak-MB is the process at its largest.
func BenchmarkReport(b *testing.B) {
	b.ReportAllocs()
	before, _ := usage(b)
	size := 0
	for b.Loop() {
		data, err := write(b, MaxRows, func(i int) string { return fmt.Sprintf("Andini Kusumawardhani %d", i) })
		if err != nil {
			b.Fatal(err)
		}
		size = len(data)
	}
	after, peak := usage(b)
	b.ReportMetric(float64((after-before).Milliseconds())/float64(b.N), "cpu-ms")
	b.ReportMetric(float64(peak)/(1<<20), "peak-MB")
	b.ReportMetric(float64(size)/1024, "file-kB")
}
