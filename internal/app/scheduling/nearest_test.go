package scheduling

import (
	"testing"
	"time"
)

// TestNearest finds what the nearest business has, in a tree whose second branch is a chain
// of 30,000 with people at each level. Walking up from each would be 4.5 * 10^8 steps.
func TestNearest(t *testing.T) {
	const levels = 30_000
	l := &loader{parents: map[int]int{2: 1, 3: 2, 4: 2, -2: -1, -1: -2}}
	for id := 11; id < 10+levels; id++ {
		l.parents[id] = id - 1
	}
	start := time.Now()
	of := nearest(l, map[int]string{1: "one", 3: "three", 10: "ten"})
	for id, want := range map[int]string{1: "one", 2: "one", 3: "three", 4: "one", 5: "", 10: "ten", 11: "ten", -1: ""} {
		for range 2 {
			if got := of(&id); got != want {
				t.Errorf("business %d: %q, want %q", id, got, want)
			}
		}
	}
	if got := of(nil); got != "" {
		t.Errorf("no business: %q", got)
	}
	for id := 10 + levels - 1; id >= 10; id-- {
		if got := of(&id); got != "ten" {
			t.Fatalf("business %d: %q", id, got)
		}
	}
	if took := time.Since(start); took > 5*time.Second { // it is well below one
		t.Errorf("took %v", took)
	}
}
