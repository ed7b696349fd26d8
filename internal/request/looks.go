package request

import (
	"maps"
	"slices"
	"sync"
)

// Looks are the people whose positions an answer shows. The zero value has none; its methods are
// safe for concurrent use.
type Looks struct {
	mu       sync.Mutex
	recorded map[int]bool // by person
}

// Add notes that the answer shows positions of people, each once: that is recorded before it is given.
func (l *Looks) Add(people ...int) { l.note(false, people) }

// Recorded notes that it was recorded that the answer shows positions of people.
func (l *Looks) Recorded(people ...int) { l.note(true, people) }

func (l *Looks) note(recorded bool, people []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.recorded == nil {
		l.recorded = map[int]bool{}
	}
	for _, id := range people {
		l.recorded[id] = l.recorded[id] || recorded
	}
}

// Take returns those that were not recorded, by id, and forgets all.
func (l *Looks) Take() []int {
	l.mu.Lock()
	defer l.mu.Unlock()
	left := l.recorded
	l.recorded = nil
	maps.DeleteFunc(left, func(_ int, recorded bool) bool { return recorded })
	return slices.Sorted(maps.Keys(left))
}
