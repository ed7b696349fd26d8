// Package correction is the use cases of corrections: requests of people to change their
// attendances, and what becomes of them.
package correction

import (
	"context"
	"time"

	"workforce/ent"
	entCorrection "workforce/ent/correction"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	"workforce/internal/app/files"
	"workforce/internal/app/job"
	"workforce/internal/app/live"
	"workforce/internal/app/results"
	"workforce/internal/app/tx"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// resource is that of the permissions of corrections.
const resource = "correction"

// longestSide is how many pixels a side of an attachment keeps.
const longestSide = 2000

// A Service corrects attendances. Its methods are safe for concurrent use.
type Service struct {
	DB    *ent.Client      // in no transaction
	Now   func() time.Time // UTC, to the microsecond
	Desk  *approval.Desk
	Files *files.Service
	Audit *audit.Recorder
	Days  *results.Service // finds results of shifts
	Live  *live.Service    // may be nil
}

// A corrected is an occurrence of somebody whose attendances have changed.
type corrected struct {
	user, occurrence int
	date             string
}

// attendanceChanged does what follows from corrected attendances: approvals of overtime of
// their dates go, and the results of their occurrences are found anew.
func (s *Service) attendanceChanged(ctx context.Context, changed []corrected) error {
	if len(changed) == 0 {
		return nil
	}
	var occurrences []int
	for _, c := range changed {
		occurrences = append(occurrences, c.occurrence)
		if err := approval.ResetOvertime(ctx, viewer.From(ctx), c.user, shift.Date(c.date)); err != nil {
			return err
		}
	}
	_, err := s.Days.Recompute(ctx, viewer.From(ctx).CompanyID, occurrences...)
	return err
}

// expireEvery is how often requests end that nobody decided in time.
const expireEvery = 5 * time.Minute

// Expiring is the periodic job that ends requests that nobody decided in time.
func (s *Service) Expiring() job.Kind {
	return job.Kind{Name: "corrections", Every: expireEvery, Run: func(ctx context.Context, r *job.Run) error {
		return r.Commit(ctx, func(ctx context.Context) error {
			return ent.FromContext(ctx).Correction.Update().Where(entCorrection.StateEQ(entCorrection.StatePending), entCorrection.ExpiresAtLTE(s.Now())).
				SetState(entCorrection.StateExpired).SetDecidedAt(s.Now()).Exec(ctx)
		})
	}}
}

// cleanBatch is how many attachments one statement looks up.
const cleanBatch = 100

// Clean deletes the attachments that are older than their company keeps them, since the
// request was decided.
func (s *Service) Clean(ctx context.Context) error {
	companies, err := ent.FromContext(ctx).Company.Query().All(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		before := s.Now().AddDate(0, 0, -setting.AttachmentDays.Of(c.Settings))
		if err := s.cleanCompany(ctx, c.ID, before); err != nil {
			return err
		}
	}
	return nil
}

// cleanCompany deletes the attachments of requests that were decided before an instant.
func (s *Service) cleanCompany(ctx context.Context, company int, before time.Time) error {
	for {
		due, err := s.DB.Correction.Query().
			Where(entCorrection.CompanyID(company), entCorrection.AttachmentFileIDNotNil(), entCorrection.DecidedAtLT(before)).Limit(cleanBatch).All(ctx)
		if err != nil {
			return err
		}
		for _, c := range due {
			err := tx.Run(ctx, s.DB, func(ctx context.Context) error {
				err := ent.FromContext(ctx).Correction.UpdateOneID(c.ID).ClearAttachment().ClearAttachmentFileID().Exec(ctx)
				if err != nil {
					return err
				}
				return s.Files.Release(ctx, c.AttachmentFileID)
			})
			if err != nil {
				return err
			}
		}
		if len(due) < cleanBatch {
			return nil
		}
	}
}
