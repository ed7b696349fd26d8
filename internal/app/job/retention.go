package job

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	entMessage "workforce/ent/message"
	entPosition "workforce/ent/position"
	"workforce/internal/audittrail"
	"workforce/internal/setting"
)

// batch is how many rows one statement deletes, so that none holds locks for long.
const batch = 1000

// deleteOld deletes the audit events, messages and positions that are older than their
// company keeps them.
func deleteOld(ctx context.Context, db *ent.Client, now time.Time) error {
	companies, err := db.Company.Query().All(ctx)
	if err != nil {
		return err
	}
	for _, c := range companies {
		since := func(days setting.Key[int]) time.Time { return now.AddDate(0, 0, -days.Of(c.Settings)) }
		events := db.AuditEvent.Query().Where(auditevent.CompanyID(c.ID), auditevent.AtLT(since(setting.AuditDays))).Limit(batch)
		err := inBatches(ctx, func(ctx context.Context) ([]int, error) { return events.Clone().IDs(ctx) }, func(ids ...int) error {
			_, err := db.AuditEvent.Delete().Where(auditevent.IDIn(ids...)).Exec(audittrail.WithExpiry(ctx))
			return err
		})
		if err != nil {
			return err
		}
		messages := db.Message.Query().Where(entMessage.CompanyID(c.ID), entMessage.CreatedAtLT(since(setting.MessageDays))).Limit(batch)
		err = inBatches(ctx, func(ctx context.Context) ([]int, error) { return messages.Clone().IDs(ctx) }, func(ids ...int) error {
			_, err := db.Message.Delete().Where(entMessage.IDIn(ids...)).Exec(ctx)
			return err
		})
		if err != nil {
			return err
		}
		positions := db.Position.Query().Where(entPosition.CompanyID(c.ID), entPosition.RecordedAtLT(since(setting.CoordinateDays))).Limit(batch)
		err = inBatches(ctx, func(ctx context.Context) ([]int, error) { return positions.Clone().IDs(ctx) }, func(ids ...int) error {
			_, err := db.Position.Delete().Where(entPosition.IDIn(ids...)).Exec(ctx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// inBatches deletes rows until none are left.
func inBatches(ctx context.Context, next func(context.Context) ([]int, error), remove func(...int) error) error {
	for {
		ids, err := next(ctx)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := remove(ids...); err != nil || len(ids) < batch {
			return err
		}
	}
}
