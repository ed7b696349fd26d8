package notify

import "sync"

// workers send messages at once, those to one recipient one after the other.
type workers struct {
	all  sync.WaitGroup
	slot chan struct{}
	mu   sync.Mutex
	busy map[int]bool // by user
}

func newWorkers(n int) *workers {
	return &workers{slot: make(chan struct{}, n), busy: map[int]bool{}}
}

// busyUsers returns the users who are being sent a message.
func (w *workers) busyUsers() (users []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id := range w.busy {
		users = append(users, id)
	}
	return users
}

// start runs send for a user, and then done. It waits while all workers are busy.
func (w *workers) start(user int, send, done func()) {
	w.slot <- struct{}{}
	w.mark(user, true)
	w.all.Go(func() {
		defer done()
		defer func() { <-w.slot }()
		defer w.mark(user, false)
		send()
	})
}

func (w *workers) mark(user int, busy bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if busy {
		w.busy[user] = true
	} else {
		delete(w.busy, user)
	}
}
