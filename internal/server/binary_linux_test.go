package server

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// TestDropPages gives pages of the binary back, but for those that were written, and goes on.
func TestDropPages(t *testing.T) {
	resident := func() int { // KiB
		text, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		n, _ := strconv.Atoi(string(regexp.MustCompile(`RssFile:\s+(\d+)`).FindSubmatch(text)[1]))
		return n
	}
	first := unsafe.StringData("This constant is written to, as a debugger writes breakpoints.")
	size := os.Getpagesize()
	at := int(uintptr(unsafe.Pointer(first)) % uintptr(size))
	page := unsafe.Slice((*byte)(unsafe.Add(unsafe.Pointer(first), -at)), size)
	if err := syscall.Mprotect(page, syscall.PROT_READ|syscall.PROT_WRITE); err != nil {
		t.Fatal(err)
	}
	page[at] = 't'
	if err := syscall.Mprotect(page, syscall.PROT_READ); err != nil {
		t.Fatal(err)
	}
	before := resident()
	dropPages()
	if after := resident(); after > before*3/4 {
		t.Errorf("%d KiB of files are resident, of %d before", after, before)
	}
	if page[at] != 't' {
		t.Error("a page that was written is lost")
	}
}

// TestUnwritten reads which parts of a binary may be dropped.
func TestUnwritten(t *testing.T) {
	const text = "1000-2000 r-xp 00000000 08:01 7 /opt/my app/workforce\nRss: 4 kB\nAnonymous: 0 kB\nSwap: 0 kB\nVmFlags: rd ex\n"
	for name, tt := range map[string]struct {
		after string
		want  []addressRange
	}{
		"constants":          {"2000-3000 r--p 00001000 08:01 7 /opt/my app/workforce\nAnonymous: 0 kB\nSwap: 0 kB\n", []addressRange{{0x1000, 0x2000}, {0x2000, 0x3000}}},
		"a written page":     {"2000-3000 r--p 00001000 08:01 7 /opt/my app/workforce\nAnonymous: 4 kB\nSwap: 0 kB\n", []addressRange{{0x1000, 0x2000}}},
		"one swapped out":    {"2000-3000 r--p 00001000 08:01 7 /opt/my app/workforce\nAnonymous: 0 kB\nSwap: 4 kB\n", []addressRange{{0x1000, 0x2000}}},
		"one of both":        {"2000-3000 r--p 00001000 08:01 7 /opt/my app/workforce\nAnonymous: 4 kB\nSwap: 4 kB\n", []addressRange{{0x1000, 0x2000}}},
		"variables":          {"2000-3000 rw-p 00001000 08:01 7 /opt/my app/workforce\nAnonymous: 0 kB\nSwap: 0 kB\n", []addressRange{{0x1000, 0x2000}}},
		"another file":       {"2000-3000 r--p 00001000 08:01 8 /lib/libc.so.6\nAnonymous: 0 kB\nSwap: 0 kB\n", []addressRange{{0x1000, 0x2000}}},
		"memory of no file":  {"2000-3000 r--p 00000000 00:00 0 \nAnonymous: 0 kB\nSwap: 0 kB\n", []addressRange{{0x1000, 0x2000}}},
		"addresses not read": {"2000-x r--p 00001000 08:01 7 /opt/my app/workforce\nAnonymous: 0 kB\nSwap: 0 kB\n", []addressRange{{0x1000, 0x2000}}},
	} {
		heap := "500-900 r--p 00000000 00:00 0 \nAnonymous: 0 kB\nSwap: 0 kB\n"
		if got := unwritten(strings.NewReader(heap+text+tt.after), "/opt/my app/workforce"); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %x, want %x", name, got, tt.want)
		}
	}
}
