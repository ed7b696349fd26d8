package server

import (
	"math"
	"os"
	"testing"
	"testing/fstest"
)

func TestAvailableMemory(t *testing.T) {
	const kib, mib = 1 << 10, 1 << 20
	meminfo := "MemTotal:        4096 kB\nMemFree:         1024 kB\n"
	tests := []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"nothing is known", nil, math.MaxInt64},
		{"machine", map[string]string{"proc/meminfo": meminfo}, 4 * mib},
		{"container", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n",
		}, mib},
		{"container that sees the path outside", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/docker/1234\n", "sys/fs/cgroup/memory.max": "2097152\n",
		}, 2 * mib},
		{"service", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/system.slice/workforce.service\n",
			"sys/fs/cgroup/system.slice/workforce.service/memory.max": "max\n", "sys/fs/cgroup/system.slice/memory.max": "524288\n",
		}, 512 * kib},
		{"version 1", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "9:cpu:/a\n4:memory:/b/c\n0::/\n",
			"sys/fs/cgroup/memory/b/c/memory.limit_in_bytes": "9223372036854771712\n", "sys/fs/cgroup/memory/b/memory.limit_in_bytes": "65536\n",
		}, 64 * kib},
		{"more than the machine has", map[string]string{
			"proc/meminfo": meminfo, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n",
		}, 4 * mib},
		{"nonsense", map[string]string{"proc/meminfo": "MemTotal: many kB\n", "proc/self/cgroup": "x\n\n"}, math.MaxInt64},
	}
	for _, tt := range tests {
		root := fstest.MapFS{}
		for name, text := range tt.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := availableMemory(root); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
	}
	if _, err := os.Stat("/proc/meminfo"); err == nil {
		if got := availableMemory(os.DirFS("/")); got == math.MaxInt64 || got < mib {
			t.Errorf("this machine: %d bytes", got)
		}
	}
}
