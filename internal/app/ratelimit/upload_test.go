package ratelimit

import (
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// TestUpload counts what each person uploads in any 24 hours.
func TestUpload(t *testing.T) {
	w, l := newLimiter(t)
	ann, ben := w.User(t, "ann", viewer.Owner), w.User(t, "ben", viewer.Owner)
	for _, tt := range []struct {
		name  string
		after time.Duration
		who   *ent.User
		bytes int
		want  string
		wait  time.Duration
	}{
		{"the first", 0, ann, 150 << 20, "", 0},
		{"up to the limit", time.Hour, ann, 50 << 20, "", 0},
		{"a byte more", time.Hour, ann, 1, "RATE_LIMITED", 22 * time.Hour},
		{"more than the first frees", 0, ann, 151 << 20, "RATE_LIMITED", 23 * time.Hour},
		{"somebody else", 0, ben, 10 << 20, "", 0},
		{"not yet a day later", 22*time.Hour - time.Second, ann, 1, "RATE_LIMITED", time.Second},
		{"a day later", time.Second, ann, 150 << 20, "", 0},
	} {
		w.Advance(tt.after)
		err := l.Upload(w.As(tt.who, viewer.Owner), w.DB, tt.bytes)
		if got := apptest.Code(err); got != tt.want || err != nil && errs.As(err).RetryAfter != tt.wait {
			t.Errorf("%s: %v, want %s after %v", tt.name, err, tt.want, tt.wait)
		}
	}
}

// TestUploadsAtOnce lets no more through than the limit, however many come at once.
func TestUploadsAtOnce(t *testing.T) {
	w, l := newLimiter(t)
	ctx := w.As(w.User(t, "ann", viewer.Owner), viewer.Owner)
	var group sync.WaitGroup
	results := make(chan error, 20)
	for range 20 {
		group.Go(func() { results <- l.Upload(ctx, w.DB, 30<<20) })
	}
	group.Wait()
	close(results)
	passed := 0
	for err := range results {
		switch {
		case err == nil:
			passed++
		case !errs.Is(err, errs.RateLimited):
			t.Error(err)
		}
	}
	if passed != 6 {
		t.Errorf("%d of 30 MiB passed, want 6 of 200", passed)
	}
}
