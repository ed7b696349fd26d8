package job

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/ent/predicate"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/database"
)

// lease is that of a job. It is renewed each leaseBeats rounds of a second while it runs.
var lease = database.Lease{Column: entJob.FieldLeaseUntil, Life: 15 * time.Second}

const leaseBeats = 3

// leaseOver matches jobs whose lease has ended.
func leaseOver() predicate.Job { return entJob.And(entJob.StateEQ(entJob.StateRunning), lease.Over) }

// reclaimBatch is how many jobs of dead instances are queued again in one round.
const reclaimBatch = 100

// reclaim queues the jobs whose instance died, or gives them up after their last try.
func (r *Runner) reclaim(ctx context.Context) error {
	left, err := r.DB.Job.Query().Where(leaseOver(), entJob.KindIn(r.allNames()...)).Limit(reclaimBatch).All(ctx)
	if err != nil {
		return err
	}
	for _, j := range left {
		now, k := r.Now(), r.kinds[j.Kind]
		o := outcome{state: entJob.StateQueued, code: leaseLost, due: j.DueAt, runAt: j.RunAt, again: true}
		if j.Attempts >= k.attempts() {
			o = k.end(entJob.StateFailed, leaseLost, j.DueAt, now)
		}
		if j.Cancel {
			o = k.end(entJob.StateCancelled, "", j.DueAt, now)
		}
		err := tx.With(ctx, r.DB, func(db *ent.Client) error {
			return o.write(db.Job.Update(), k.Every > 0, now).Where(entJob.ID(j.ID), entJob.Attempts(j.Attempts), leaseOver()).Exec(ctx)
		})
		if err != nil {
			return err
		}
		r.Log.WarnContext(ctx, "job left by an instance", "kind", j.Kind, "id", j.ID, "attempt", j.Attempts)
	}
	return nil
}

func (r *Runner) allNames() []string { return append(r.names(true), r.names(false)...) }

// claim claims the next due job; nil for none. Of several instances one gets it.
func (r *Runner) claim(ctx context.Context) (*Run, error) {
	for {
		j, err := r.next(ctx)
		if err != nil || j == nil {
			return nil, err
		}
		leased, n := time.Now(), 0
		err = tx.With(ctx, r.DB, func(db *ent.Client) (err error) {
			n, err = db.Job.Update().Where(entJob.ID(j.ID), entJob.StateEQ(entJob.StateQueued), entJob.Attempts(j.Attempts), entJob.RunAt(j.RunAt)).
				SetState(entJob.StateRunning).SetLeaseOwner(r.owner).Modify(lease.Renew).
				AddAttempts(1).SetStartedAt(r.Now()).SetProgress(0).SetTotal(0).Save(ctx)
			return err
		})
		if err != nil {
			return nil, err
		}
		if n == 0 { // another instance was faster
			continue
		}
		run := &Run{
			ID: j.ID, Company: j.CompanyID, Due: j.DueAt, Attempt: j.Attempts + 1, kind: r.kinds[j.Kind], runner: r, leased: leased,
		}
		if j.CreatedBy != nil {
			run.CreatedBy = *j.CreatedBy
		}
		if j.Payload != nil {
			run.payload = *j.Payload
		}
		run.trace = input.Value(j.Trace)
		return run, nil
	}
}

// next returns the job that is due first of the company whose last start is longest
// ago, so that the many jobs of one company delay each other company by one job; nil for
// none.
func (r *Runner) next(ctx context.Context) (*ent.Job, error) {
	due := entJob.And(entJob.StateEQ(entJob.StateQueued), entJob.RunAtLTE(r.Now()), entJob.KindIn(r.allNames()...))
	companies, err := r.DB.Job.Query().Where(due).Order(byLastStart).Limit(1).GroupBy(entJob.FieldCompanyID).Ints(ctx)
	if err != nil || len(companies) == 0 {
		return nil, err
	}
	j, err := r.DB.Job.Query().Where(due, entJob.CompanyID(companies[0])).Order(ent.Asc(entJob.FieldRunAt, entJob.FieldID)).First(ctx)
	return j, policysql.IgnoreNotFound(err)
}

// byLastStart orders companies by the last start of a job of theirs, those without any
// first.
func byLastStart(s *sql.Selector) {
	started := sql.Table(entJob.Table).As("started")
	s.OrderExpr(sql.ExprFunc(func(b *sql.Builder) {
		last := sql.Dialect(s.Dialect()).Select(sql.Max(started.C(entJob.FieldStartedAt))).From(started).
			Where(sql.ColumnsEQ(started.C(entJob.FieldCompanyID), s.C(entJob.FieldCompanyID)))
		b.Wrap(func(b *sql.Builder) { b.Join(last) })
	}))
}

// watch renews the leases of the jobs that run, and stops those that were cancelled and
// those whose lease is lost: the database says so, or it could not be asked in time.
func (r *Runner) watch(ctx context.Context) {
	held := r.runs()
	if len(held) == 0 {
		return
	}
	ids, byID := make([]int, len(held)), map[int]*ent.Job{}
	for i, run := range held {
		ids[i] = run.ID
	}
	now := time.Now()
	renewed, err := r.renew(ctx, ids)
	if err == nil {
		var list []*ent.Job
		list, err = r.DB.Job.Query().Where(r.mine(ids)).Select(entJob.FieldID, entJob.FieldAttempts, entJob.FieldCancel).All(ctx)
		for _, j := range list {
			byID[j.ID] = j
		}
	}
	if err != nil {
		r.Log.WarnContext(ctx, "jobs", "error", fmt.Errorf("renewing leases: %w", err))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, run := range held {
		j := byID[run.ID]
		switch {
		case err == nil && (j == nil || j.Attempts != run.Attempt), err != nil && time.Since(run.leased) >= lease.Life:
			run.stop(errLost)
		case err == nil && j.Cancel:
			run.stop(errCancelled)
		}
		if renewed {
			run.leased = now
		}
	}
}

// mine matches jobs of which this instance has the lease.
func (r *Runner) mine(ids []int) predicate.Job {
	return entJob.And(entJob.IDIn(ids...), entJob.LeaseOwner(r.owner), entJob.StateEQ(entJob.StateRunning))
}

// renew renews leases in one round of leaseBeats.
func (r *Runner) renew(ctx context.Context, ids []int) (renewed bool, err error) {
	if r.beats++; r.beats%leaseBeats != 0 {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, lease.Life/2)
	defer cancel()
	err = r.DB.Job.Update().Where(r.mine(ids)).Modify(lease.Renew).Exec(ctx)
	return err == nil, err
}
