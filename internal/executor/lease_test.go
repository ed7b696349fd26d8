package executor

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"entgo.io/ent/dialect"

	"workforce/ent"
)

// expire ends the leases of all claims.
func (f *fixture) expire() {
	f.DB.IdempotencyClaim.Update().SetLeaseUntil(time.Unix(0, 0)).ExecX(f.System())
}

// leased reports whether the lease of the only claim lasts, by the database's clock.
func (f *fixture) leased() bool {
	return f.DB.IdempotencyClaim.Query().Where(lease.Over).CountX(f.System()) == 0 && len(f.claims()) == 1
}

// take returns the claim of a request, committed.
func (f *fixture) take(s sent) *keyClaim {
	f.t.Helper()
	k, err := claimOf(f, s)
	if err != nil {
		f.t.Fatal(err)
	}
	if o, err := f.takeKey(f.System(), k); o != nil || err != nil {
		f.t.Fatalf("taken: %v, %v", o, err)
	}
	return k
}

// TestLease keeps a key until the lease of its claim ends: then another request takes
// over. The clock of the database decides.
func TestLease(t *testing.T) {
	f := newFixture(t)
	k := f.take(sent{text: deletion, key: "k"})
	if left := time.Until(f.claims()[0].LeaseUntil); left <= 0 || left > 4*time.Second {
		t.Errorf("leased for %v, want 4 s at most", left)
	}
	f.Advance(time.Hour)
	got := f.run(sent{text: deletion, key: "k"}, f.add)
	f.want("within the lease", got, "IDEMPOTENCY_IN_PROGRESS")
	if got.retryAfter == "" {
		t.Error("no Retry-After while the first runs")
	}
	f.want("another request", f.run(sent{text: otherDeletion, key: "k"}, f.add), "IDEMPOTENCY_MISMATCH")
	f.expire()
	f.want("another request after the lease", f.run(sent{text: otherDeletion, key: "k"}, f.add), "IDEMPOTENCY_MISMATCH")
	f.want("after the lease", f.run(sent{text: deletion, key: "k"}, func(ctx context.Context) (string, error) {
		if n := f.DB.IdempotencyClaim.Query().Where(k.owned()).CountX(f.System()); n != 0 || !f.leased() {
			t.Error("the first request still has the claim")
		}
		return f.add(ctx)
	}), "row 1")
	f.want("and again", f.run(sent{text: deletion, key: "k"}, f.add), "row 1 replayed")
	f.wantRows(1)
}

// TestRenewal renews the leases of requests that run, for as long as one may run.
func TestRenewal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // the rounds take no time
		f := newFixture(t)
		k := f.take(sent{text: deletion, key: "k"})
		release := f.leases.hold(k, f.renewLeases)
		for second := 1; second <= 15; second++ {
			f.expire()
			time.Sleep(leaseRenewal + time.Millisecond)
			synctest.Wait()
			if got, want := f.leased(), 2 <= second && second <= 13; got != want {
				t.Errorf("renewed in second %d: %v, want %v", second, got, want)
			}
		}
		release() // else the bubble would not end

		other := *k
		other.holder = slices.Repeat([]byte{1}, 32)
		defer f.leases.hold(&other, f.renewLeases)()
		f.expire()
		time.Sleep(3 * leaseRenewal)
		if synctest.Wait(); f.leased() {
			t.Error("the lease of another request was renewed")
		}
	})
}

// TestRunningRequestHoldsLease has the lease of a claim renewed while its request
// runs, and no longer.
func TestRunningRequestHoldsLease(t *testing.T) {
	f := newFixture(t)
	f.want("a request", f.run(sent{text: deletion, key: "k"}, func(ctx context.Context) (string, error) {
		row := ent.FromContext(ctx).IdempotencyClaim.Query().OnlyX(f.System())
		f.leases.mu.Lock()
		defer f.leases.mu.Unlock()
		if len(f.leases.held) != 1 {
			t.Errorf("%d claims are held, want one", len(f.leases.held))
		}
		for k := range f.leases.held {
			if k.id != row.ID || !slices.Equal(k.holder, row.Holder) {
				t.Errorf("%v is held, want that of %v", k, row)
			}
		}
		return f.add(ctx)
	}), "row 1")
	if len(f.leases.held) != 0 {
		t.Error("the claim is held after its request")
	}
}

// TestDatabaseTime is in the form in which each database compares times.
func TestDatabaseTime(t *testing.T) {
	for name, want := range map[string]string{
		dialect.MySQL:  "UTC_TIMESTAMP(6) + INTERVAL 4 SECOND",
		dialect.SQLite: "strftime('%Y-%m-%d %H:%M:%f+00:00', 'now', '+4 seconds')",
	} {
		if got := lease.End(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
