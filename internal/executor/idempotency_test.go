package executor

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

const otherDeletion = `mutation { deleteRole(id: 2) { deleted } }`

// claims returns the stored claims.
func (f *fixture) claims() []*ent.IdempotencyClaim {
	return f.DB.IdempotencyClaim.Query().AllX(f.System())
}

// refuse is an effect that is rolled back.
func (f *fixture) refuse(ctx context.Context) (string, error) {
	_, err := f.add(ctx)
	return "", errors.Join(err, errs.Conflicts(errs.Duplicate, "", nil))
}

func TestKey(t *testing.T) {
	f := newFixture(t)
	siti := f.User(t, "Siti")
	first := sent{text: deletion, key: "k"}
	f.want("first", f.run(first, f.add), "row 1")
	f.want("again", f.run(first, f.add), "row 1 replayed")
	f.want("under an id besides", f.run(sent{text: deletion, key: "k", id: "request-1"}, f.add), "row 1 replayed")
	f.want("another request", f.run(sent{text: otherDeletion, key: "k"}, f.add), "IDEMPOTENCY_MISMATCH")
	f.want("another key", f.run(sent{text: deletion, key: "other"}, f.add), "row 2")
	f.want("another user", f.run(sent{text: deletion, key: "k", as: siti}, f.add), "row 3")
	f.want("malformed", f.run(sent{text: deletion, key: "a b"}, f.add), "VALIDATION_FAILED")
	f.want("no key", f.run(sent{text: deletion}, f.add), "row 4")
	f.want("nobody", f.run(sent{text: deletion, key: "k", nobody: true}, f.add), "row 5")
	f.want("nobody again", f.run(sent{text: deletion, key: "k", nobody: true}, f.add), "row 6")
	f.wantRows(6)
}

// TestUnstoredOutcomes runs fields whose outcomes are never stored under a key: each
// time anew.
func TestUnstoredOutcomes(t *testing.T) {
	f := newFixture(t)
	for n, text := range []string{`mutation { logout { loggedOut } }`, `mutation { logout { loggedOut } }`, `{ profile { name } }`, `{ profile { name } }`} {
		f.want(text, f.run(sent{text: text, key: "k", id: "r", device: 1}, func(context.Context) (string, error) { return fmt.Sprint(f.ran), nil }), fmt.Sprint(n+1))
	}
	if n := len(f.claims()); n != 0 {
		t.Errorf("%d claims, want none", n)
	}
}

// TestKeyLife stores an outcome for a day after the effect.
func TestKeyLife(t *testing.T) {
	f := newFixture(t)
	f.want("first", f.run(sent{text: deletion, key: "k"}, f.add), "row 1")
	f.Advance(24 * time.Hour)
	f.want("after a day", f.run(sent{text: deletion, key: "k"}, f.add), "row 1 replayed")
	f.Advance(time.Microsecond)
	f.want("after more, another request", f.run(sent{text: otherDeletion, key: "k"}, f.add), "row 2")
	f.want("which the key names from then on", f.run(sent{text: deletion, key: "k"}, f.add), "IDEMPOTENCY_MISMATCH")
	f.wantRows(2)
}

// TestRefusalReleasesKey leaves nothing of a refused request.
func TestRefusalReleasesKey(t *testing.T) {
	f := newFixture(t)
	f.want("refused", f.run(sent{text: deletion, key: "k"}, f.refuse), "CONFLICT")
	if n := len(f.claims()); n != 0 {
		t.Errorf("%d claims after a refusal", n)
	}
	f.want("another request", f.run(sent{text: otherDeletion, key: "k"}, f.add), "row 2")
	f.wantRows(1)
}

// TestReleaseOutlivesClient releases the key of a refused request whose client is
// gone.
func TestReleaseOutlivesClient(t *testing.T) {
	f := newFixture(t)
	ctx, reply := f.context(sent{text: deletion, key: "k"})
	ctx, leave := context.WithCancel(ctx)
	f.runIn(ctx, reply, func(ctx context.Context) (string, error) { leave(); return f.refuse(ctx) })
	if n := len(f.claims()); n != 0 {
		t.Errorf("%d claims after the client left", n)
	}
}

// claimOf returns the claim of an operation, which is not stored yet.
func claimOf(f *fixture, s sent) (*keyClaim, error) {
	ctx, _ := f.context(s)
	return f.newClaim(ctx)
}

// TestLateHolder ends a request whose claim another took over: it has no effect, and
// leaves the other's claim alone.
func TestLateHolder(t *testing.T) {
	f := newFixture(t)
	first := sent{text: deletion, key: "k"}
	ctx, reply := f.context(first)
	taken := false
	got := f.runIn(ctx, reply, func(ctx context.Context) (string, error) {
		row := ent.FromContext(ctx).IdempotencyClaim.Query().OnlyX(viewer.System(ctx))
		ent.FromContext(ctx).IdempotencyClaim.Update().SetLeaseUntil(time.Unix(0, 0)).ExecX(viewer.System(ctx))
		other := &keyClaim{holder: slices.Repeat([]byte{1}, 32)}
		if err := other.takeOver(viewer.System(ctx), row); err != nil {
			t.Error(err)
		}
		taken = true
		return f.add(ctx)
	})
	f.want("the late request", got, "IDEMPOTENCY_IN_PROGRESS")
	if f.wantRows(0); !taken {
		t.Error("it did not run")
	}
}

// TestReleaseOfAnother leaves the claim of another holder alone.
func TestReleaseOfAnother(t *testing.T) {
	f := newFixture(t)
	one, err := claimOf(f, sent{text: deletion, key: "k"})
	if err != nil {
		t.Fatal(err)
	}
	two := *one
	two.holder = slices.Repeat([]byte{1}, 32)
	if _, err := f.takeKey(f.System(), &two); err != nil {
		t.Fatal(err)
	}
	f.releaseKey(f.System(), one)
	if n := len(f.claims()); n != 1 {
		t.Errorf("%d claims, want the other's", n)
	}
}

// TestTakeOverOnce has two take over one claim: the second sees that the first did.
func TestTakeOverOnce(t *testing.T) {
	f := newFixture(t)
	old := f.take(sent{text: deletion, key: "k"})
	row := f.claims()[0]
	for i, want := range []string{"", "IDEMPOTENCY_IN_PROGRESS"} {
		k := *old
		k.holder = slices.Repeat([]byte{byte(i + 1)}, 32)
		f.expire()
		if got := apptest.Code(k.takeOver(f.System(), row)); got != want {
			t.Errorf("take-over %d: %q, want %q", i+1, got, want)
		}
	}
}

// TestKeyAtOnce sends one request 20 times at once: it has one effect.
func TestKeyAtOnce(t *testing.T) {
	f := newFixture(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	codes := map[string]int{}
	for range 20 {
		all.Go(func() {
			ctx, reply := f.context(sent{text: deletion, key: "k"})
			got := f.runIn(ctx, reply, func(ctx context.Context) (string, error) {
				err := ent.FromContext(ctx).Designation.Create().SetCompanyID(f.Company.ID).SetName("Row").Exec(viewer.System(ctx))
				return "done", err
			})
			mu.Lock()
			defer mu.Unlock()
			codes[got.String()]++
		})
	}
	all.Wait()
	n := f.DB.Designation.Query().CountX(f.System())
	if n != 1 || codes["done"] != 1 || codes["done replayed"]+codes["IDEMPOTENCY_IN_PROGRESS"] != 19 {
		t.Errorf("%d effects, %v; want one", n, codes)
	}
}

// atCommit has the commit of a transaction answer with err, after it took place or
// instead.
func atCommit(ctx context.Context, committed bool, err error) {
	ent.TxFromContext(ctx).OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			if committed {
				return errors.Join(err, next.Commit(ctx, tx))
			}
			return errors.Join(err, tx.Rollback())
		})
	})
}

// TestLostCommit loses the answer to a commit, or the commit: the stored outcome
// tells which.
func TestLostCommit(t *testing.T) {
	for _, by := range []sent{{text: deletion, key: "k"}, {text: deletion, id: "request-1", device: 1}} {
		for _, committed := range []bool{true, false} {
			f := newFixture(t)
			lost := false
			got := f.run(by, func(ctx context.Context) (string, error) {
				if !lost {
					lost = true
					atCommit(ctx, committed, driver.ErrBadConn)
				}
				return f.add(ctx)
			})
			want := map[bool]string{true: "row 1", false: "row 2"}[committed]
			f.want(fmt.Sprintf("%+v, committed %v", by, committed), got, want)
			f.want("again", f.run(by, f.add), want+" replayed")
			f.wantRows(1)
		}
	}
	f := newFixture(t)
	f.want("without key and id", f.run(sent{text: deletion}, func(ctx context.Context) (string, error) {
		atCommit(ctx, false, driver.ErrBadConn)
		return f.add(ctx)
	}), "UNAVAILABLE")
	if f.ran != 1 {
		t.Errorf("ran %d times, want once: nobody knows whether it took place", f.ran)
	}
}
