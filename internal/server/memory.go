package server

import (
	"io/fs"
	"math"
	"path"
	"strconv"
	"strings"
)

// availableMemory returns how many bytes the process may use: the least of the
// machine's memory and of the limits of its control groups. root is the file
// system's; math.MaxInt64 where it tells nothing, as outside of Linux.
func availableMemory(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	for line := range lines(root, "proc/meminfo") {
		if text, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			if kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(text), " kB"), 10, 53); err == nil {
				least = kib << 10
			}
		}
	}
	for line := range lines(root, "proc/self/cgroup") {
		_, line, _ = strings.Cut(line, ":")
		controllers, group, _ := strings.Cut(line, ":")
		switch controllers {
		case "": // version 2
			least = min(least, groupLimit(root, "sys/fs/cgroup", group, "memory.max"))
		case "memory": // version 1
			least = min(least, groupLimit(root, "sys/fs/cgroup/memory", group, "memory.limit_in_bytes"))
		}
	}
	return least
}

// groupLimit returns the least limit of a control group and those around it. In a
// container, which sees its own group as the root, the group's path may not exist.
func groupLimit(root fs.FS, mount, group, file string) int64 {
	least := int64(math.MaxInt64)
	for dir := path.Clean("/" + group); ; dir = path.Dir(dir) {
		for line := range lines(root, path.Join(mount, dir, file)) {
			if limit, err := strconv.ParseInt(line, 10, 64); err == nil { // else "max"
				least = min(least, limit)
			}
		}
		if dir == "/" {
			return least
		}
	}
}

// lines returns the lines of a file; none of one that cannot be read.
func lines(root fs.FS, name string) func(yield func(string) bool) {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		text = nil
	}
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(text)) {
			if !yield(strings.TrimSpace(line)) {
				return
			}
		}
	}
}
