package report

import (
	"context"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/ent/predicate"
	entReport "workforce/ent/report"
	"workforce/internal/app/job"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
)

// cleanBatch is how many rows are looked up at once.
const cleanBatch = 100

// Watching ends the reports whose jobs ended without them: an instance died with their last
// try.
func (s *Service) Watching() job.Kind {
	return job.Kind{Name: "report_watch", Every: dueInterval, Run: func(ctx context.Context, _ *job.Run) error {
		left := entReport.StatusIn(entReport.StatusQueued, entReport.StatusRunning)
		return s.every(ctx, left, func(ctx context.Context, r *ent.Report) error {
			if r.JobID != nil {
				j, err := ent.FromContext(ctx).Job.Get(ctx, *r.JobID)
				if policysql.IgnoreNotFound(err) != nil || err == nil && (j.State == entJob.StateQueued || j.State == entJob.StateRunning) {
					return policysql.IgnoreNotFound(err)
				}
			}
			return s.fail(ctx, r, errs.Unavailable)
		})
	}}
}

// every calls step for all reports of some.
func (s *Service) every(ctx context.Context, some predicate.Report, step func(context.Context, *ent.Report) error) error {
	for last := 0; ; {
		list, err := s.DB.Report.Query().Where(some, entReport.IDGT(last)).Order(ent.Asc(entReport.FieldID)).Limit(cleanBatch).All(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, r := range list {
			last = r.ID
			if err := step(ctx, r); err != nil {
				return err
			}
		}
	}
}

// Clean deletes the reports whose time is over, with their files.
func (s *Service) Clean(ctx context.Context) error {
	return s.every(ctx, entReport.ExpiresAtLTE(s.Now()), func(ctx context.Context, r *ent.Report) error {
		return tx.Run(ctx, s.DB, func(ctx context.Context) error {
			n, err := ent.FromContext(ctx).Report.Delete().Where(entReport.ID(r.ID), entReport.ExpiresAtLTE(s.Now())).Exec(ctx)
			if err != nil || n == 0 {
				return err
			}
			return s.Files.Release(ctx, r.FileID)
		})
	})
}
