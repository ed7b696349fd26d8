package server

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// TestDropPages gives pages of the binary back, and goes on.
func TestDropPages(t *testing.T) {
	resident := func() int { // KiB
		text, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		n, _ := strconv.Atoi(string(regexp.MustCompile(`RssFile:\s+(\d+)`).FindSubmatch(text)[1]))
		return n
	}
	before := resident()
	dropPages()
	if after := resident(); after > before*3/4 {
		t.Errorf("%d KiB of files are resident, of %d before", after, before)
	}
}
