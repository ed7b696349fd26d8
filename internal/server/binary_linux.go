package server

import (
	"bufio"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// dropPages gives the binary's pages back to the system, which reads those that are used again
// from its cache, 64 KiB at a time. It does nothing where the system does not tell of them.
func dropPages() {
	binary, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	smaps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer smaps.Close()
	for _, r := range unwritten(smaps, binary) {
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, r.from, r.to-r.from, syscall.MADV_DONTNEED) // advice
	}
}

type addressRange struct{ from, to uintptr }

// unwritten returns the mappings of the binary of which each page is as in the file. A page that was
// written is in no file: the loader adjusts addresses in a binary that may lie anywhere, and protects them
// afterwards, and a debugger writes breakpoints. Such pages are anonymous, or swapped out.
func unwritten(smaps io.Reader, binary string) []addressRange {
	var ranges []addressRange
	within, listed := false, false
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
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
			if listed = within && wrong == nil && alsoWrong == nil && !strings.Contains(rest[:4], "w"); listed {
				ranges = append(ranges, addressRange{uintptr(low), uintptr(high)})
			}
		case listed && (first == "Anonymous:" || first == "Swap:") && strings.TrimSpace(rest) != "0 kB":
			ranges, listed = ranges[:len(ranges)-1], false
		}
	}
	return ranges
}
