package position

import (
	"testing"
	"time"

	"workforce/internal/app/apptest"
)

// TestNearest finds the clock event of a position, corrected or not.
func TestNearest(t *testing.T) {
	at := func(hours int) time.Time { return apptest.Now.Add(time.Duration(hours) * time.Hour) }
	ends := []clockEnd{{at(0), "Asia/Jakarta"}, {at(9), "Asia/Makassar"}, {at(24), "Asia/Jayapura"}}
	for hours, want := range map[int]string{
		-5: "Asia/Jakarta", 0: "Asia/Jakarta", 4: "Asia/Jakarta", 5: "Asia/Makassar",
		9: "Asia/Makassar", 23: "Asia/Jayapura", 99: "Asia/Jayapura",
	} {
		if got := nearest(ends, at(hours)).zone; got != want {
			t.Errorf("%d hours later: %s, want %s", hours, got, want)
		}
	}
}
