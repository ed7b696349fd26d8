// Package job runs what the server does by itself: periodic jobs, of which each has one
// row, queued jobs, which are written in the transaction that asks for them, and loops
// that every instance runs. A job is run by one instance at a time: it claims the row by
// a conditional update, and renews its lease meanwhile.
package job

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/telemetry"
	"workforce/internal/viewer"
)

// maxWorkers is how many jobs an instance runs at once.
const maxWorkers = 4

// A Runner runs jobs. Its methods are safe for concurrent use once Run was called.
type Runner struct {
	DB     *ent.Client
	Log    *slog.Logger
	Tracer *telemetry.Tracer // nil makes no traces
	Now    func() time.Time  // when jobs are due; leases are judged by the clock of the database

	kinds map[string]Kind
	loops []func(context.Context)
	owner string        // names this instance
	wake  chan struct{} // has a value while there may be something due
	all   sync.WaitGroup

	mu         sync.Mutex
	registered bool // the rows of periodic jobs are there
	beats      int
	held       map[*Run]bool
}

// New returns a runner of jobs of some kinds. The caller sets the other fields.
func New(kinds ...Kind) *Runner {
	r := &Runner{kinds: map[string]Kind{}, owner: rand.Text(), wake: make(chan struct{}, 1), held: map[*Run]bool{}}
	for _, k := range kinds {
		r.Add(k)
	}
	return r
}

// Add adds a kind of jobs, before Run.
func (r *Runner) Add(k Kind) { r.kinds[k.Name] = k }

// Kinds returns the kinds of jobs, by name.
func (r *Runner) Kinds() []Kind {
	kinds := slices.Collect(maps.Values(r.kinds))
	slices.SortFunc(kinds, func(a, b Kind) int { return cmp.Compare(a.Name, b.Name) })
	return kinds
}

// Everywhere has Run call loop too, on every instance. It claims its work by itself, and
// returns once ctx ended.
func (r *Runner) Everywhere(loop func(ctx context.Context)) { r.loops = append(r.loops, loop) }

// WakeUp has Run look for due jobs at once.
func (r *Runner) WakeUp() {
	select {
	case r.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// Run runs jobs until ctx ends. Those that run then are stopped and given back, so that
// another instance runs them at once.
func (r *Runner) Run(ctx context.Context) {
	work := viewer.System(ent.NewContext(context.WithoutCancel(ctx), r.DB))
	watching, end := context.WithCancel(work)
	looping, endLoops := context.WithCancel(context.WithoutCancel(ctx)) // they carry what the last jobs do
	var loops, watch sync.WaitGroup
	for _, loop := range r.loops {
		loops.Go(func() { loop(looping) })
	}
	watch.Go(func() { Poll(watching, nil, func() { r.watch(watching) }) })
	Poll(ctx, r.wake, func() {
		if err := r.round(ctx, work); err != nil {
			r.Log.WarnContext(ctx, "jobs", "error", err)
		}
	})
	for _, run := range r.runs() {
		run.stop(errStopped)
	}
	r.all.Wait()
	end()
	watch.Wait()
	endLoops()
	loops.Wait()
}

// round begins due jobs while there are workers. Those of dead instances are queued
// first.
func (r *Runner) round(ctx, work context.Context) error {
	if ctx.Err() != nil {
		return nil
	}
	if err := errors.Join(r.register(work), r.reclaim(work)); err != nil {
		return err
	}
	for ctx.Err() == nil && len(r.runs()) < maxWorkers {
		run, err := r.claim(work)
		if err != nil || run == nil {
			return err
		}
		r.begin(work, run)
	}
	return nil
}

// names returns the kinds, the periodic ones or the others.
func (r *Runner) names(periodic bool) (names []string) {
	for name, k := range r.kinds {
		if (k.Every > 0) == periodic {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// register writes the rows of periodic jobs that are new, due at once, and has one that
// waits for longer than its interval wait for its next due time.
func (r *Runner) register(ctx context.Context) error {
	r.mu.Lock()
	done := r.registered
	r.mu.Unlock()
	if done {
		return nil
	}
	for _, name := range r.names(true) {
		k, now := r.kinds[name], r.Now()
		if err := jobUpsert.Exec(ctx, r.DB, name, name, 0, nil, nil, now, now, now, nil); err != nil {
			return err
		}
		next := now.Truncate(k.Every).Add(k.Every)
		err := r.DB.Job.Update().Where(entJob.Name(name), entJob.StateEQ(entJob.StateQueued), entJob.RunAtGT(next)).
			SetDueAt(next).SetRunAt(next).Exec(ctx)
		if err != nil {
			return err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.registered = true
	return nil
}

// runs returns the jobs that run.
func (r *Runner) runs() (all []*Run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for run := range r.held {
		all = append(all, run)
	}
	return all
}

// begin runs a claimed job beside the caller.
func (r *Runner) begin(ctx context.Context, run *Run) {
	ctx, run.stop = context.WithCancelCause(ctx)
	r.mu.Lock()
	r.held[run] = true
	r.mu.Unlock()
	r.all.Go(func() {
		defer r.WakeUp() // a worker is free
		defer func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			delete(r.held, run)
		}()
		defer run.stop(nil)
		ctx, span := r.Tracer.Resume(ctx, run.trace, "job "+run.kind.Name)
		defer span.End()
		span.Set("workforce.job.kind", run.kind.Name)
		span.SetInt("workforce.job.id", run.ID)
		span.SetInt("workforce.job.attempt", run.Attempt)
		err := run.do(ctx)
		if err != nil {
			span.Fail(errs.CodeOf(err).String())
		}
		r.finish(context.WithoutCancel(ctx), run, context.Cause(ctx), err)
	})
}

// do calls the kind's function. A panic is an error.
func (r *Run) do(ctx context.Context) (err error) {
	defer Recover(&err)
	return r.kind.Run(ctx, r)
}

// Recover makes a panic an error. What a run starts beside itself defers it.
func Recover(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// finish records the outcome of a run, unless its lease is lost or the run has ended the
// job itself. cause is why its context ended; nil for one that did not.
func (r *Runner) finish(ctx context.Context, run *Run, cause, err error) {
	if run.finished.Load() {
		return
	}
	now, periodic := r.Now(), run.kind.Every > 0
	var o outcome
	stopped := false
	switch {
	case errors.Is(cause, errLost):
		r.Log.WarnContext(ctx, "job lost its lease", "kind", run.kind.Name, "id", run.ID, "attempt", run.Attempt)
		return
	case err == nil:
		o = run.kind.success(run.Due, now)
	case errors.Is(cause, errStopped):
		o = outcome{state: entJob.StateQueued, due: run.Due, runAt: now, again: true}
		stopped = true
	case errors.Is(cause, errCancelled):
		o = run.kind.end(entJob.StateCancelled, "", run.Due, now)
	default:
		code := errs.CodeOf(err)
		o = run.kind.failure(code.String(), isFinal(err), run.Attempt, run.Due, now)
		r.Log.WarnContext(ctx, "job failed", "kind", run.kind.Name, "id", run.ID, "attempt", run.Attempt, "again", o.again, "error", err)
	}
	err = tx.With(ctx, r.DB, func(db *ent.Client) error {
		u := o.write(db.Job.Update(), periodic, now).Where(run.owned())
		if stopped { // it was not tried
			u.AddAttempts(-1)
		}
		return u.Exec(ctx)
	})
	if err != nil {
		r.Log.WarnContext(ctx, "jobs", "error", err) // another run follows the lease's end
	}
}
