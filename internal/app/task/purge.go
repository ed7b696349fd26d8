package task

import (
	"context"

	"workforce/ent"
	row "workforce/ent/task"
	"workforce/ent/taskassignee"
	"workforce/ent/taskattachment"
	"workforce/ent/taskchecklistitem"
	"workforce/ent/taskcomment"
	"workforce/ent/taskimage"
	"workforce/ent/taskmention"
	"workforce/ent/taskword"
	"workforce/internal/app/rows"
	"workforce/internal/app/tx"
)

// purge runs a step in a transaction of its own.
func (s Uploads) purge(ctx context.Context, step func(context.Context) error) error {
	return tx.Run(ctx, s.DB, step)
}

// purgeTasks purges tasks with all that belongs to them, one in a transaction.
func (s Uploads) purgeTasks(ctx context.Context) error {
	for {
		due, err := s.DB.Task.Query().Where(row.DeletedAtLT(s.Now().Add(-keptFor)), row.EntryCount(0)).Limit(purgeBatch).All(ctx)
		if err != nil {
			return err
		}
		for _, t := range due {
			if err := s.purge(ctx, func(ctx context.Context) error { return s.dropTask(ctx, t) }); err != nil {
				return err
			}
		}
		if len(due) < purgeBatch {
			return nil
		}
	}
}

// dropTask deletes the rows of a task and releases its files. Copies of it stay.
func (s Uploads) dropTask(ctx context.Context, t *ent.Task) error {
	db := ent.FromContext(ctx)
	images, err := db.TaskImage.Query().Where(taskimage.TaskID(t.ID)).All(ctx)
	if err != nil {
		return err
	}
	for _, i := range images {
		if err := s.dropImage(ctx, i); err != nil {
			return err
		}
	}
	attachments, err := db.TaskAttachment.Query().Where(taskattachment.TaskID(t.ID)).All(ctx)
	if err != nil {
		return err
	}
	for _, a := range attachments {
		if err := s.dropAttachment(ctx, a); err != nil {
			return err
		}
	}
	for _, drop := range []func() error{
		func() error { _, err := db.TaskMention.Delete().Where(taskmention.TaskID(t.ID)).Exec(ctx); return err },
		func() error { _, err := db.TaskComment.Delete().Where(taskcomment.TaskID(t.ID)).Exec(ctx); return err },
		func() error {
			_, err := db.TaskChecklistItem.Delete().Where(taskchecklistitem.TaskID(t.ID)).Exec(ctx)
			return err
		},
		func() error {
			_, err := db.TaskAssignee.Delete().Where(taskassignee.TaskID(t.ID)).Exec(ctx)
			return err
		},
		func() error { _, err := db.TaskWord.Delete().Where(taskword.TaskID(t.ID)).Exec(ctx); return err },
		func() error {
			_, err := db.ExecContext(ctx, "UPDATE "+row.Table+" SET "+row.FieldCopyOfID+" = NULL WHERE "+row.FieldCopyOfID+" = ?", t.ID)
			return err
		},
	} {
		if err := drop(); err != nil {
			return err
		}
	}
	return rows.IgnoreNotFound(db.Task.DeleteOne(t).Exec(ctx))
}
