package ratelimit

import (
	"context"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/errs"
	"workforce/internal/request"
)

// newLimiter returns a limiter that allows 3 codes and 2 failures, at half past.
func newLimiter(t *testing.T) (*apptest.World, *Limiter) {
	t.Helper()
	w := apptest.New(t)
	w.Set(apptest.Now.Add(30 * time.Minute))
	return w, &Limiter{Limits: Limits{Code: 3, Failure: 2}, Now: w.Now, Key: []byte("key")}
}

// from returns the context of a request from an address, with the headers of its
// answer.
func from(w *apptest.World, addr string) (context.Context, http.Header) {
	reply := http.Header{}
	return request.NewContext(w.System(), &request.Info{Addr: netip.MustParseAddr(addr), Reply: reply}), reply
}

func headers(h http.Header) string {
	return h.Get("RateLimit-Limit") + " " + h.Get("RateLimit-Remaining") + " " + h.Get("RateLimit-Reset")
}

func TestCount(t *testing.T) {
	w, l := newLimiter(t)
	for _, want := range []string{"3 2 1800", "3 1 1800", "3 0 1800"} {
		ctx, reply := from(w, "192.0.2.1")
		if err := l.Count(ctx, Code); err != nil || headers(reply) != want {
			t.Errorf("got %v, headers %s, want %s", err, headers(reply), want)
		}
	}
	ctx, reply := from(w, "192.0.2.1")
	err := l.Count(ctx, Code)
	e := errs.As(err)
	if e.Code != errs.RateLimited || e.RetryAfter != 30*time.Minute || e.Meta["retryAfterSeconds"] != 1800 || *e.Limit != (errs.Limit{Limit: 3, Reset: 30 * time.Minute}) {
		t.Errorf("beyond the limit: %v, retry after %v, %v, %v", err, e.RetryAfter, e.Meta, e.Limit)
	}
	if len(reply) != 0 {
		t.Errorf("a refusal sets the headers of an answer: %v", reply)
	}
}

// TestWindows counts by address, event and hour.
func TestWindows(t *testing.T) {
	w, l := newLimiter(t)
	count := func(addr string, event Event) string {
		t.Helper()
		ctx, _ := from(w, addr)
		return apptest.Code(l.Count(ctx, event))
	}
	for range 3 {
		count("192.0.2.1", Code)
	}
	hour := apptest.Now.Add(time.Hour)
	tests := []struct {
		name, addr string
		event      Event
		at         time.Time
		want       string
	}{
		{"the same", "192.0.2.1", Code, w.Now(), "RATE_LIMITED"},
		{"another address", "192.0.2.2", Code, w.Now(), ""},
		{"another event", "192.0.2.1", Failure, w.Now(), ""},
		{"the end of the hour", "192.0.2.1", Code, hour.Add(-time.Microsecond), "RATE_LIMITED"},
		{"the next hour", "192.0.2.1", Code, hour, ""},
	}
	for _, tt := range tests {
		w.Set(tt.at)
		if got := count(tt.addr, tt.event); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	l.Key = []byte("another key")
	w.Set(apptest.Now.Add(30 * time.Minute))
	if got := count("192.0.2.1", Code); got != "" {
		t.Errorf("the digest depends on no key: %q", got)
	}
}

// TestCheck refuses once the limit is reached, and counts nothing.
func TestCheck(t *testing.T) {
	w, l := newLimiter(t)
	ctx, reply := from(w, "192.0.2.1")
	for n := range 3 {
		for range 5 {
			want := map[bool]string{true: "RATE_LIMITED"}[n == 2]
			if got := apptest.Code(l.Check(ctx, Failure)); got != want {
				t.Errorf("after %d failures: %q, want %q", n, got, want)
			}
		}
		if n == 0 && len(reply) != 0 {
			t.Errorf("a check sets headers: %v", reply)
		}
		if n < 2 {
			if err := l.Count(ctx, Failure); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestAtOnce counts 20 events at once: as many are allowed as the limit says.
func TestAtOnce(t *testing.T) {
	w, l := newLimiter(t)
	l.Limits[Code] = 7
	var allowed atomic.Int32
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			ctx, _ := from(w, "192.0.2.1")
			switch err := w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return l.Count(ctx, Code) }); {
			case err == nil:
				allowed.Add(1)
			case !errs.Is(err, errs.RateLimited):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := allowed.Load(); n != 7 {
		t.Errorf("%d were allowed, want 7", n)
	}
}

func TestTooMany(t *testing.T) {
	for wait, want := range map[time.Duration]struct {
		seconds int
		retry   time.Duration
	}{
		-time.Second: {1, time.Second}, 0: {1, time.Second}, time.Second: {1, time.Second},
		1001 * time.Millisecond: {2, 1001 * time.Millisecond}, time.Hour: {3600, time.Hour},
	} {
		e := errs.As(TooMany(wait, nil))
		if e.Code != errs.RateLimited || e.Meta["retryAfterSeconds"] != want.seconds || e.RetryAfter != want.retry || e.Limit != nil {
			t.Errorf("after %v: %v s, retry after %v, want %v", wait, e.Meta["retryAfterSeconds"], e.RetryAfter, want)
		}
	}
}
