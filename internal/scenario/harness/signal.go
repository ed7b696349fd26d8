package harness

import (
	"context"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/internal/viewer"
)

// waitLimit is how long a test waits for what must happen. Only a failure takes
// that long, on a busy machine too.
const waitLimit = 60 * time.Second

// A Signal wakes those who wait for a condition. Its zero value is ready.
type Signal struct {
	mu   sync.Mutex
	next chan struct{} // closed by Notify; nil while nobody waits
}

// Notify has everybody who waits look at their condition again.
func (s *Signal) Notify() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next != nil {
		close(s.next)
		s.next = nil
	}
}

// Wait returns once done reports true. It reports false where that is not so
// within a minute.
func (s *Signal) Wait(done func() bool) bool {
	limit := time.After(waitLimit)
	for {
		changed := s.changed() // before done looks: nothing is missed
		if done() {
			return true
		}
		select {
		case <-changed:
		case <-limit:
			return done()
		}
	}
}

func (s *Signal) changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == nil {
		s.next = make(chan struct{})
	}
	return s.next
}

// Get receives a value that must come, and fails the test when it does not
// within a minute.
func Get[T any](t testing.TB, from <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(waitLimit):
		t.Fatalf("%s did not come", what)
	}
	return v
}

// signals are those of the databases in use, by URL: all servers of a test on one
// database share one.
var signals sync.Map

// signalOf returns the signal of a database.
func signalOf(database string) *Signal {
	signal, _ := signals.LoadOrStore(database, &Signal{})
	return signal.(*Signal)
}

// BoundTransactions fails the test where a transaction that changes rows has no deadline: one that
// hangs would hold its locks for ever.
func BoundTransactions(t *testing.T, db *ent.Client) {
	db.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if _, bounded := ctx.Deadline(); !bounded && ent.TxFromContext(ctx) != nil {
				t.Errorf("%s of %s is in a transaction without a deadline", m.Op(), m.Type())
			}
			return next.Mutate(ctx, m)
		})
	})
}

// watchCommits has the signal told of each change of a row that was committed.
func watchCommits(db *ent.Client, signal *Signal) {
	db.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			if in, ok := m.(interface{ Tx() (*ent.Tx, error) }); ok {
				if tx, err := in.Tx(); err == nil {
					notifyOnCommit(tx, signal)
					return next.Mutate(ctx, m)
				}
			}
			defer signal.Notify()
			return next.Mutate(ctx, m)
		})
	})
}

func notifyOnCommit(tx *ent.Tx, signal *Signal) {
	tx.OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			defer signal.Notify()
			return next.Commit(ctx, tx)
		})
	})
}

// Wait returns once done reports true, which is asked whenever the log gets a
// line or a server on the same database commits a change of rows. Where that is
// not so within a minute, the test fails with what was wanted and the log.
func (s *Server) Wait(t testing.TB, what string, done func() bool) {
	t.Helper()
	if !s.Log.signal.Wait(done) {
		t.Fatalf("waited in vain for %s; log:\n%s", what, s.Log.Lines())
	}
}

// WaitForJobs returns once no job that is due waits or runs. Several run at once, so that what
// one has written tells nothing of the others.
func WaitForJobs(t testing.TB, s *Server) {
	t.Helper()
	ctx, now := viewer.System(t.Context()), s.Clock.Now()
	due := entJob.Or(entJob.StateEQ(entJob.StateRunning), entJob.And(entJob.StateEQ(entJob.StateQueued), entJob.RunAtLTE(now)))
	s.Wait(t, "the end of the jobs that are due", func() bool { return !s.Store.Ent.Job.Query().Where(due).ExistX(ctx) })
}
