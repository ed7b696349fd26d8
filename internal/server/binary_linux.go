package server

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// dropPages gives the binary's pages back to the system, which reads those that are used again
// from its cache, 64 KiB at a time.
func dropPages() {
	for _, r := range unwritten() {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, r.from, r.to-r.from, syscall.MADV_DONTNEED) // advice
	}
}

type addressRange struct{ from, to uintptr }

// unwritten returns the mappings of the binary of which each page is as in the file; none where the
// system does not tell. A page that was written is in no file: the loader adjusts addresses in a binary that may
// lie anywhere, and protects them afterwards, and a debugger writes breakpoints.
func unwritten() []addressRange {
	binary, _ := os.Readlink("/proc/self/exe")
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		return nil
	}
	defer file.Close()
	var ranges []addressRange
	var current addressRange
	within, protected := false, false
	for lines := bufio.NewScanner(file); lines.Scan(); {
		first, rest, _ := strings.Cut(lines.Text(), " ")
		from, to, isRange := strings.Cut(first, "-")
		switch {
		case isRange: // addresses, permissions, offset, device, inode, path
			was := within
			if within = strings.HasSuffix(rest, " "+binary); was && !within {
				return ranges // the others are far above
			}
			low, wrong := strconv.ParseUint(from, 16, 64)
			high, alsoWrong := strconv.ParseUint(to, 16, 64)
			current = addressRange{uintptr(low), uintptr(high)}
			protected = wrong == nil && alsoWrong == nil && !strings.Contains(rest[:4], "w")
		case first == "Anonymous:" && within && protected && strings.TrimSpace(rest) == "0 kB":
			ranges = append(ranges, current)
		}
	}
	return ranges
}
