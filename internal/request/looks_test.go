package request

import (
	"slices"
	"sync"
	"testing"
)

func TestLooks(t *testing.T) {
	var l Looks
	if got := l.Take(); len(got) != 0 {
		t.Errorf("nobody: %v", got)
	}
	var running sync.WaitGroup
	for i := range 20 {
		running.Go(func() { l.Add(3-i%3, 1) })
	}
	running.Wait()
	l.Recorded(2, 9)
	l.Add(9)
	if got := l.Take(); !slices.Equal(got, []int{1, 3}) {
		t.Errorf("left to record: %v, want 1 and 3", got)
	}
	if got := l.Take(); len(got) != 0 {
		t.Errorf("again: %v", got)
	}
}
