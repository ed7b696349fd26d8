package graph

import "sync"

// lanes are the messages on their way, those of one person one after the other.
type lanes struct {
	all  sync.WaitGroup
	slot chan struct{}
	mu   sync.Mutex
	busy map[int]bool // by user
}

func newLanes(n int) *lanes {
	return &lanes{slot: make(chan struct{}, n), busy: map[int]bool{}}
}

// taken returns the users whose lanes are in use.
func (l *lanes) taken() (users []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.busy {
		users = append(users, id)
	}
	return users
}

// start runs send in the lane of a user, and then done. It waits for a free one.
func (l *lanes) start(user int, send, done func()) {
	l.slot <- struct{}{}
	l.mark(user, true)
	l.all.Go(func() {
		defer done()
		defer func() { <-l.slot }()
		defer l.mark(user, false)
		send()
	})
}

func (l *lanes) mark(user int, busy bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if busy {
		l.busy[user] = true
	} else {
		delete(l.busy, user)
	}
}
