package admission

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"workforce/internal/errs"
)

// enter enters a lane that has a free slot.
func enter(t *testing.T, l *Lane) (leave func()) {
	t.Helper()
	leave, err := l.Enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return leave
}

func TestLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLane(2, 1)
		first, second := enter(t, l), enter(t, l)
		if l.Running() != 2 || l.Full() {
			t.Fatalf("running %d, full %v, want 2 and room to wait", l.Running(), l.Full())
		}
		third := make(chan func())
		go func() { third <- enter(t, l) }()
		synctest.Wait()
		if l.Waiting() != 1 || !l.Full() {
			t.Fatalf("waiting %d, full %v, want 1 and full", l.Waiting(), l.Full())
		}
		began := time.Now()
		_, err := l.Enter(t.Context())
		if !errs.Is(err, errs.Unavailable) || time.Since(began) != 0 {
			t.Fatalf("with a full queue: %v after %v, want UNAVAILABLE at once", err, time.Since(began))
		}
		if after := errs.As(err).RetryAfter; after < time.Second || after > maxRetryAfter*time.Second {
			t.Errorf("Retry-After %v", after)
		}
		first()
		leave := <-third
		if l.Running() != 2 || l.Waiting() != 0 || l.Refused() != 1 {
			t.Errorf("running %d, waiting %d, refused %d, want 2, 0, 1", l.Running(), l.Waiting(), l.Refused())
		}
		second()
		leave()
		if l.Running() != 0 {
			t.Errorf("running %d at the end", l.Running())
		}
	})
}

func TestWaitIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLane(1, 1)
		defer enter(t, l)()
		began := time.Now()
		if _, err := l.Enter(t.Context()); !errs.Is(err, errs.Unavailable) || time.Since(began) != maxWait {
			t.Errorf("%v after %v, want UNAVAILABLE after %v", err, time.Since(began), maxWait)
		}
		ctx, cancel := context.WithTimeout(t.Context(), maxWait/2)
		defer cancel()
		began = time.Now()
		if _, err := l.Enter(ctx); !errs.Is(err, errs.Unavailable) || time.Since(began) != maxWait/2 {
			t.Errorf("%v after %v, want UNAVAILABLE at the end of the context", err, time.Since(began))
		}
		if l.Waiting() != 0 || l.Refused() != 2 {
			t.Errorf("waiting %d, refused %d, want 0 and 2", l.Waiting(), l.Refused())
		}
	})
}

// TestHold holds refusals back for a second, less where the client leaves, and only so many.
func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, began := NewLane(1, 1), time.Now()
		l.Hold(t.Context())
		if took := time.Since(began); took != time.Second {
			t.Errorf("held for %v, want 1 s", took)
		}
		ctx, leave := context.WithTimeout(t.Context(), holdTime/4)
		defer leave()
		began = time.Now()
		l.Hold(ctx)
		if took := time.Since(began); took != holdTime/4 {
			t.Errorf("held for %v after the client left, want %v", took, holdTime/4)
		}
		var all sync.WaitGroup
		for range maxHeld {
			all.Go(func() { l.Hold(t.Context()) })
		}
		synctest.Wait()
		began = time.Now()
		l.Hold(t.Context())
		if took := time.Since(began); took != 0 {
			t.Errorf("beyond %d, held for %v", maxHeld, took)
		}
		all.Wait()
		if n := l.held.Load(); n != 0 {
			t.Errorf("%d are held at the end", n)
		}
	})
}

// TestCrowd sends many at once through a lane: never more run than it allows, and
// each is served or refused.
func TestCrowd(t *testing.T) {
	const running, queue, crowd = 4, 8, 1000
	l := NewLane(running, queue)
	var all sync.WaitGroup
	var mu sync.Mutex
	now, most, served, refused := 0, 0, 0, 0
	for range crowd {
		all.Go(func() {
			leave, err := l.Enter(t.Context())
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				refused++
				return
			}
			now++
			most, served = max(most, now), served+1
			go func() {
				mu.Lock()
				now--
				mu.Unlock()
				leave()
			}()
		})
	}
	all.Wait()
	if most > running || served < running || served+refused != crowd || l.Refused() != uint64(refused) {
		t.Errorf("at most %d ran at once, %d served, %d refused (counted %d)", most, served, refused, l.Refused())
	}
}
