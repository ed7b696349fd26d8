package job

import (
	"context"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/internal/errs"
)

// A Kind says what jobs of one kind do.
type Kind struct {
	Name string // at most 64 bytes
	// Run does one job. ctx is a system job's, with a client that is in no
	// transaction; it ends when the job is cancelled, when the instance stops, and
	// when it lost its lease. Run then returns soon, with an error. A job may run
	// again after it was half done, and after it was done, unless Run.Finish did it.
	Run func(ctx context.Context, r *Run) error
	// Every is the interval of a periodic job, which is due at its multiples since
	// year 1, UTC. 0 is for queued jobs.
	Every time.Duration
	// CatchUp runs a periodic job once for each due time that was missed, in order;
	// without it, once for all of them.
	CatchUp bool
	// Attempts is how often a job is tried; 0 means 5.
	Attempts int
}

const (
	defaultAttempts = 5
	firstRetry      = 5 * time.Second // after a failure; doubles with each
	lastRetry       = time.Hour
)

func (k Kind) attempts() int {
	if k.Attempts == 0 {
		return defaultAttempts
	}
	return k.Attempts
}

// next returns when a periodic job is due after it ran for a due time.
func (k Kind) next(due, now time.Time) time.Time {
	if k.CatchUp {
		return due.Truncate(k.Every).Add(k.Every)
	}
	return now.Truncate(k.Every).Add(k.Every)
}

// leaseLost is the error code of a job whose last try ended with its instance.
const leaseLost = "LEASE_LOST"

// An outcome is what becomes of a job after a run.
type outcome struct {
	state entJob.State
	code  string    // of the failure; "" for none
	due   time.Time // of the next run, if there is one
	runAt time.Time
	again bool // it is the same due time that is tried again
}

// success is the outcome of a run that returned no error.
func (k Kind) success(due, now time.Time) outcome { return k.end(entJob.StateDone, "", due, now) }

// failure is the outcome of a failed try: another one, unless it was the last, or
// the error is one that the next try would meet too.
func (k Kind) failure(code string, final bool, attempt int, due, now time.Time) outcome {
	if final || attempt >= k.attempts() {
		return k.end(entJob.StateFailed, code, due, now)
	}
	wait := lastRetry
	if attempt <= 10 {
		wait = min(lastRetry, firstRetry<<max(0, attempt-1))
	}
	return outcome{state: entJob.StateQueued, code: code, due: due, runAt: now.Add(wait), again: true}
}

// end is the outcome of a last try: a periodic job waits for its next due time.
func (k Kind) end(state entJob.State, code string, due, now time.Time) outcome {
	if k.Every == 0 {
		return outcome{state: state, code: code, due: due, runAt: due}
	}
	next := k.next(due, now)
	return outcome{state: entJob.StateQueued, code: code, due: next, runAt: next}
}

// isFinal reports whether a job that failed would fail again: with an error that is
// the caller's in a request, too.
func isFinal(err error) bool {
	code := errs.CodeOf(err)
	return code != errs.Internal && code != errs.Unavailable
}

// write sets the columns of an outcome.
func (o outcome) write(u *ent.JobUpdate, periodic bool, now time.Time) *ent.JobUpdate {
	u.SetState(o.state).SetDueAt(o.due).SetRunAt(o.runAt).SetCancel(false).ClearLeaseOwner().ClearLeaseUntil()
	if o.code == "" {
		u.ClearErrorCode()
	} else {
		u.SetErrorCode(o.code)
	}
	switch {
	case o.again:
	case periodic:
		u.SetAttempts(0)
	default:
		u.ClearName().SetFinishedAt(now).Modify(forget)
	}
	return u
}

// forget takes away what a job worked on, which may be what people wrote: nobody needs it
// once the job has ended.
func forget(u *sql.UpdateBuilder) { u.SetNull(entJob.FieldPayload) }
