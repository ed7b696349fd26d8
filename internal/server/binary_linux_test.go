package server

import (
	"os"
	"regexp"
	"strconv"
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
