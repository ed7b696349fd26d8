// Package admission bounds the work that the server takes on at once. What does
// not fit is refused at once: under overload the server goes on answering as many
// requests as it can, instead of answering all of them too late.
package admission

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"workforce/internal/errs"
)

// maxWait is how long an operation waits for its turn, in a new lane.
const maxWait = 750 * time.Millisecond

// maxRetryAfter is the longest time after which a refused client is asked to try
// again, in seconds.
const maxRetryAfter = 3

// What is refused before its body is read is held back, so that clients who ask again at once
// take little from those who are served.
const (
	holdTime = time.Second
	maxHeld  = 4096 // at once, of a lane: others are refused at once
)

// A Lane bounds how many operations of one kind run at once, and how many wait for
// their turn. It is safe for concurrent use.
type Lane struct {
	Wait time.Duration // how long an operation waits for its turn; set before use

	slots            *semaphore.Weighted // first come, first served
	queue            int64
	running, waiting atomic.Int64
	held             atomic.Int64
	refused          atomic.Uint64
}

// NewLane returns a lane in which so many operations run at once, and so many more
// may wait, at least one.
func NewLane(running, queue int) *Lane {
	return &Lane{Wait: maxWait, slots: semaphore.NewWeighted(int64(running)), queue: int64(queue)}
}

// Enter waits until an operation may run, and returns the function that ends it.
// UNAVAILABLE where too many wait already, at once, and where ctx ends or Wait is
// over before its turn.
func (l *Lane) Enter(ctx context.Context) (leave func(), err error) {
	if !l.slots.TryAcquire(1) {
		if err := l.wait(ctx); err != nil {
			return nil, err
		}
	}
	l.running.Add(1)
	return func() {
		l.running.Add(-1)
		l.slots.Release(1)
	}, nil
}

// wait takes a slot in turn.
func (l *Lane) wait(ctx context.Context) error {
	defer l.waiting.Add(-1)
	if l.waiting.Add(1) > l.queue {
		return l.Refuse()
	}
	ctx, cancel := context.WithTimeout(ctx, l.Wait)
	defer cancel()
	if l.slots.Acquire(ctx, 1) != nil {
		return l.Refuse()
	}
	return nil
}

// Full reports whether an operation that came now would be refused.
func (l *Lane) Full() bool { return l.waiting.Load() >= l.queue }

// Hold waits for a while, or until ctx ends, before a refusal is answered. It costs the memory of
// a request without its body.
func (l *Lane) Hold(ctx context.Context) {
	defer l.held.Add(-1)
	if l.held.Add(1) > maxHeld {
		return
	}
	select {
	case <-ctx.Done():
	case <-time.After(holdTime):
	}
}

// Refuse counts a refusal and returns its error: UNAVAILABLE, with a random time
// to try again, so that the refused do not come back together.
func (l *Lane) Refuse() error {
	l.refused.Add(1)
	return &errs.Error{Code: errs.Unavailable, RetryAfter: time.Duration(1+rand.IntN(maxRetryAfter)) * time.Second}
}

// Running returns how many operations run.
func (l *Lane) Running() int64 { return l.running.Load() }

// Waiting returns how many operations wait.
func (l *Lane) Waiting() int64 { return l.waiting.Load() }

// Refused returns how many operations were refused so far.
func (l *Lane) Refused() uint64 { return l.refused.Load() }
