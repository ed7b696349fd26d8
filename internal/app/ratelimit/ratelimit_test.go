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
	"workforce/internal/sealed"
)

// newLimiter returns a limiter that allows 3 codes and 2 failures, at half past.
func newLimiter(t *testing.T) (*apptest.World, *Limiter) {
	t.Helper()
	w := apptest.New(t)
	w.Set(apptest.Now.Add(30 * time.Minute))
	key := sealed.NewRing(sealed.Key{}).Derive("rate windows")
	return w, &Limiter{Limits: Limits{Code: 3, Failure: 2}, Now: w.Now, Key: key}
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

// do runs a step in a transaction.
func do(w *apptest.World, ctx context.Context, step func(context.Context) error) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return step(ctx) })
}

// count counts an event in a transaction of its own.
func count(w *apptest.World, l *Limiter, ctx context.Context, event Event) error {
	return do(w, ctx, func(ctx context.Context) error { return l.Count(ctx, event) })
}

func TestCount(t *testing.T) {
	w, l := newLimiter(t)
	for _, want := range []string{"3 2 3600", "3 1 3000", "3 0 2400"} {
		ctx, reply := from(w, "192.0.2.1")
		if err := count(w, l, ctx, Code); err != nil || headers(reply) != want {
			t.Errorf("got %v, headers %s, want %s", err, headers(reply), want)
		}
		w.Advance(10 * time.Minute)
	}
	ctx, reply := from(w, "192.0.2.1")
	e := errs.As(count(w, l, ctx, Code))
	if e.Code != errs.RateLimited || e.RetryAfter != 30*time.Minute || e.Meta["retryAfterSeconds"] != 1800 || *e.Limit != (errs.Limit{Limit: 3, Reset: 30 * time.Minute}) {
		t.Errorf("beyond the limit: %v, retry after %v, %v, %v", e, e.RetryAfter, e.Meta, e.Limit)
	}
	if len(reply) != 0 {
		t.Errorf("a refusal sets the headers of an answer: %v", reply)
	}
	w.Advance(e.RetryAfter)
	for i, want := range []string{"", "RATE_LIMITED"} { // the first event alone is an hour old
		if got := apptest.Code(count(w, l, ctx, Code)); got != want {
			t.Errorf("%d after the wait: %q, want %q", i, got, want)
		}
	}
}

// TestKeys counts by event and network.
func TestKeys(t *testing.T) {
	w, l := newLimiter(t)
	again := func(addr string, event Event) string {
		t.Helper()
		ctx, _ := from(w, addr)
		return apptest.Code(count(w, l, ctx, event))
	}
	for range 3 {
		again("192.0.2.1", Code)
		again("2001:db8:1:2::1", Code)
	}
	tests := []struct {
		name, addr string
		event      Event
		want       string
	}{
		{"the same", "192.0.2.1", Code, "RATE_LIMITED"},
		{"the same, mapped to IPv6", "::ffff:192.0.2.1", Code, "RATE_LIMITED"},
		{"another address", "192.0.2.2", Code, ""},
		{"another event", "192.0.2.1", Failure, ""},
		{"the same network of 64 bits", "2001:db8:1:2:ffff::5%eth0", Code, "RATE_LIMITED"},
		{"another network", "2001:db8:1:3::1", Code, ""},
	}
	for _, tt := range tests {
		if got := again(tt.addr, tt.event); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	l.Key = sealed.NewRing(sealed.New()).Derive("rate windows")
	if got := again("192.0.2.1", Code); got != "" {
		t.Errorf("the digest depends on no key: %q", got)
	}
}

func TestTakeBack(t *testing.T) {
	w, l := newLimiter(t)
	ctx, reply := from(w, "192.0.2.1")
	for range 2 {
		if err := count(w, l, ctx, Failure); err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Minute)
	}
	back := func() error { return l.TakeBack(ctx, Failure, w.Now().Add(-time.Minute)) }
	if err := do(w, ctx, func(in context.Context) error { ctx = in; return back() }); err != nil || headers(reply) != "2 1 3480" {
		t.Errorf("got %v, headers %s, want one left, for the first is two minutes old", err, headers(reply))
	}
	ctx, _ = from(w, "192.0.2.1")
	for i, want := range []string{"", "RATE_LIMITED"} {
		if got := apptest.Code(count(w, l, ctx, Failure)); got != want {
			t.Errorf("%d after that: %q, want %q", i, got, want)
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
			switch err := count(w, l, ctx, Code); {
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
		e := errs.As(TooMany(wait, 5))
		if e.Code != errs.RateLimited || e.Meta["retryAfterSeconds"] != want.seconds || e.RetryAfter != want.retry || *e.Limit != (errs.Limit{Limit: 5, Reset: want.retry}) {
			t.Errorf("after %v: %v s, retry after %v, %v, want %v", wait, e.Meta["retryAfterSeconds"], e.RetryAfter, e.Limit, want)
		}
	}
}
