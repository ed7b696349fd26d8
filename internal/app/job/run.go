package job

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/ent/predicate"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
)

// Why the context of a run ended.
var (
	errLost      = errors.New("job: the lease is lost")
	errCancelled = errors.New("job: cancelled")
	errStopped   = errors.New("job: the instance stops")
)

// IsLost reports whether a run failed since another instance has its job now.
func IsLost(err error) bool { return errors.Is(err, errLost) }

// A Run is one try of a job by this instance. Its methods are safe for concurrent use.
type Run struct {
	ID        int
	Company   int       // whose work it is; 0 for the server's own
	CreatedBy int       // user who asked for it; 0 for none
	Due       time.Time // when it was to run; of a periodic job the time on its grid
	Attempt   int       // from 1

	payload  string
	trace    string // of the work that asked for it; "" for none
	kind     Kind
	runner   *Runner
	stop     context.CancelCauseFunc
	finished atomic.Bool // Finish has ended the job
	leased   time.Time   // by the process's clock: when the lease last began; the runner's lock guards it
}

// Payload reads the payload of a queued job into v.
func (r *Run) Payload(v any) error { return json.Unmarshal([]byte(r.payload), v) }

// owned matches the job while this run has its lease.
func (r *Run) owned() predicate.Job {
	return entJob.And(entJob.ID(r.ID), entJob.StateEQ(entJob.StateRunning), entJob.LeaseOwner(r.runner.owner), entJob.Attempts(r.Attempt))
}

// Progress records how much of the work is done. total is 0 while it is not known. It
// fails once the lease is lost.
func (r *Run) Progress(ctx context.Context, done, total int) error {
	return r.change(ctx, r.runner.DB, func(u *ent.JobUpdate) { u.SetProgress(done).SetTotal(total) })
}

// Commit runs step in a transaction, which is rolled back unless this run has the
// lease at its end: what a run writes otherwise may be written twice.
func (r *Run) Commit(ctx context.Context, step func(context.Context) error) error {
	return tx.Run(ctx, r.runner.DB, func(ctx context.Context) error {
		if err := step(ctx); err != nil {
			return err
		}
		return r.change(ctx, ent.FromContext(ctx), func(*ent.JobUpdate) {})
	})
}

// Finish is Commit of a last step, which ends the job in the same transaction: however
// the instance ends, step is done once, where Commit may do it again in the next run.
// Nothing may be left to do after it.
func (r *Run) Finish(ctx context.Context, step func(context.Context) error) (err error) {
	defer errs.Step(&err, "job: finish")
	err = tx.Run(ctx, r.runner.DB, func(ctx context.Context) error {
		if err := step(ctx); err != nil {
			return err
		}
		now, periodic := r.runner.Now(), r.kind.Every > 0
		u := r.kind.success(r.Due, now).write(ent.FromContext(ctx).Job.Update(), periodic, now)
		return isChanged(u.Where(r.owned()).Save(ctx))
	})
	if err == nil {
		r.finished.Store(true)
	}
	return err
}

// change updates the job and renews its lease, or fails with errLost.
func (r *Run) change(ctx context.Context, db *ent.Client, set func(*ent.JobUpdate)) error {
	u := db.Job.Update().Where(r.owned()).Modify(lease.Renew)
	set(u)
	return isChanged(u.Save(ctx))
}

// isChanged returns errLost for an update of a run's job that found none.
func isChanged(n int, err error) error {
	if err == nil && n == 0 {
		err = errLost
	}
	return err
}
