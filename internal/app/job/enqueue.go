package job

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/telemetry"
	"workforce/internal/viewer"
)

// maxPayload is how many bytes a payload has at most.
const maxPayload = 64 << 10

// A Request asks for a queued job.
type Request struct {
	Kind string
	// Key is unique among the jobs that have not ended, in the installation; ""
	// for a job of which there may be several. At most 191 bytes.
	Key       string
	Company   int // whose work it is; 0 for the server's own
	CreatedBy int // user who asked for it; 0 for none
	Payload   any // becomes JSON, which is kept until the job ends; no personal data beyond ids and notes
	After     time.Time
}

// jobUpsert writes a job unless there is one of its name.
var jobUpsert = database.Upsert{
	Table: entJob.Table,
	Columns: []string{
		entJob.FieldKind, entJob.FieldName, entJob.FieldCompanyID, entJob.FieldCreatedBy, entJob.FieldPayload,
		entJob.FieldDueAt, entJob.FieldRunAt, entJob.FieldCreatedAt, entJob.FieldTrace,
	},
	Key: []string{entJob.FieldName},
}

// Enqueue writes a job in the transaction of ctx, and returns its id. It runs after the
// commit, and not before After. Where a job of the same key has not ended, nothing is
// written, and the id is that one's.
func (r *Runner) Enqueue(ctx context.Context, q Request) (id int, err error) {
	defer errs.Step(&err, "job: enqueue")
	if k, ok := r.kinds[q.Kind]; !ok || k.Every > 0 {
		return 0, fmt.Errorf("job: no kind %q of queued jobs", q.Kind)
	}
	payload, err := json.Marshal(q.Payload)
	if err == nil && len(payload) > maxPayload {
		err = fmt.Errorf("job: payload of %d bytes, at most %d", len(payload), maxPayload)
	}
	if err != nil {
		return 0, err
	}
	ctx = viewer.System(ctx)
	now := r.Now()
	due := now
	if q.After.After(now) {
		due = q.After
	}
	var createdBy *int
	if q.CreatedBy != 0 {
		createdBy = &q.CreatedBy
	}
	db := ent.FromContext(ctx)
	if q.Key == "" {
		var j *ent.Job
		j, err = db.Job.Create().SetKind(q.Kind).SetCompanyID(q.Company).SetNillableCreatedBy(createdBy).
			SetPayload(string(payload)).SetDueAt(due).SetRunAt(due).SetCreatedAt(now).
			SetNillableTrace(telemetry.Parent(ctx)).Save(ctx)
		if err == nil {
			id = j.ID
		}
	} else {
		err = jobUpsert.Exec(ctx, db, q.Kind, q.Key, q.Company, createdBy, string(payload), due, due, now,
			telemetry.Parent(ctx))
		if err != nil {
			return 0, err
		}
		id, err = db.Job.Query().Where(entJob.Name(q.Key)).OnlyID(ctx)
	}
	if err == nil {
		r.wakeAfter(ctx)
	}
	return id, err
}

// wakeAfter has Run look for due jobs once the transaction of ctx, if there is one, is
// committed.
func (r *Runner) wakeAfter(ctx context.Context) {
	tx := ent.TxFromContext(ctx)
	if tx == nil {
		r.WakeUp()
		return
	}
	tx.OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			err := next.Commit(ctx, tx)
			r.WakeUp()
			return err
		})
	})
}

// Cancel cancels a queued job of a company in the transaction of ctx, and reports
// whether it had not ended. One that runs is told within a second.
func (r *Runner) Cancel(ctx context.Context, company, id int) (_ bool, err error) {
	defer errs.Step(&err, "job: cancel")
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx).Job
	job := entJob.And(entJob.ID(id), entJob.CompanyID(company), entJob.KindIn(r.names(false)...))
	n, err := db.Update().Where(job, entJob.StateEQ(entJob.StateQueued)).
		SetState(entJob.StateCancelled).ClearName().SetFinishedAt(r.Now()).Modify(forget).Save(ctx)
	if err != nil || n > 0 {
		return n > 0, err
	}
	running := entJob.And(job, entJob.StateEQ(entJob.StateRunning))
	if err := db.Update().Where(running).SetCancel(true).Exec(ctx); err != nil {
		return false, err
	}
	return db.Query().Where(running).Exist(ctx)
}
