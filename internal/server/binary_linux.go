package server

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// dropPages gives the binary's pages back to the system, which reads those that are used again
// from its cache, 64 KiB at a time: the start and each job go through tens of MB.
func dropPages() {
	for _, r := range binaryRanges() {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, r.from, r.to-r.from, syscall.MADV_DONTNEED) // advice
	}
}

type addressRange struct{ from, to uintptr }

// binaryRanges returns where the parts of the binary are that are never written; none where the
// system does not tell.
var binaryRanges = sync.OnceValue(func() []addressRange {
	var ranges []addressRange
	binary, _ := os.Readlink("/proc/self/exe")
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		part := strings.Fields(line) // addresses, permissions, offset, device, inode, path
		if len(part) < 6 || part[5] != binary || strings.Contains(part[1], "w") {
			continue
		}
		from, to, _ := strings.Cut(part[0], "-")
		low, wrong := strconv.ParseUint(from, 16, 64)
		high, alsoWrong := strconv.ParseUint(to, 16, 64)
		if wrong == nil && alsoWrong == nil {
			ranges = append(ranges, addressRange{uintptr(low), uintptr(high)})
		}
	}
	return ranges
})
