package task

import (
	"context"
	"time"

	"workforce/ent"
	entTask "workforce/ent/task"
	"workforce/ent/taskassignee"
	"workforce/ent/taskattachment"
	"workforce/ent/taskchecklistitem"
	"workforce/ent/taskcomment"
	"workforce/ent/taskimage"
	"workforce/ent/taskmention"
	"workforce/ent/taskword"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
)

// keptFor is how long deleted tasks are kept.
const keptFor = 30 * 24 * time.Hour

// purgeBatch is how many rows one statement looks up.
const purgeBatch = 100

// Clean purges the tasks that were deleted 30 days ago, and pictures that an earlier release hid.
func (s *Service) Clean(ctx context.Context) error {
	if err := s.purgeImages(ctx); err != nil {
		return err
	}
	return s.purgeTasks(ctx)
}

// purgeImages purges pictures, one in a transaction.
func (s *Service) purgeImages(ctx context.Context) error {
	for {
		due, err := s.DB.TaskImage.Query().Where(taskimage.DeletedAtNotNil()).Limit(purgeBatch).All(ctx)
		if err != nil {
			return err
		}
		for _, i := range due {
			if err := tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.dropImage(ctx, i) }); err != nil {
				return err
			}
		}
		if len(due) < purgeBatch {
			return nil
		}
	}
}

// dropImage deletes the row of a picture and releases its files.
func (s *Service) dropImage(ctx context.Context, i *ent.TaskImage) error {
	err := ent.FromContext(ctx).TaskImage.DeleteOne(i).Exec(ctx)
	if err != nil {
		return policysql.IgnoreNotFound(err) // another instance did
	}
	if err := s.Files.Release(ctx, i.FileID); err != nil {
		return err
	}
	return s.Files.Release(ctx, i.ThumbnailFileID)
}

// purgeTasks purges tasks with all that belongs to them, one in a transaction.
func (s *Service) purgeTasks(ctx context.Context) error {
	for {
		due, err := s.DB.Task.Query().Where(entTask.DeletedAtLT(s.Now().Add(-keptFor)), entTask.EntryCount(0)).
			Limit(purgeBatch).All(ctx)
		if err != nil {
			return err
		}
		for _, t := range due {
			if err := tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.dropTask(ctx, t) }); err != nil {
				return err
			}
		}
		if len(due) < purgeBatch {
			return nil
		}
	}
}

// dropFiles deletes the pictures and attachments of a task and releases their files.
func (s *Service) dropFiles(ctx context.Context, task int) error {
	db := ent.FromContext(ctx)
	images, err := db.TaskImage.Query().Where(taskimage.TaskID(task)).All(ctx)
	if err != nil {
		return err
	}
	for _, i := range images {
		if err := s.dropImage(ctx, i); err != nil {
			return err
		}
	}
	attachments, err := db.TaskAttachment.Query().Where(taskattachment.TaskID(task)).All(ctx)
	if err != nil {
		return err
	}
	for _, a := range attachments {
		if err := s.dropAttachment(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// dropTask deletes the rows of a task and releases its files. Copies of it stay.
func (s *Service) dropTask(ctx context.Context, t *ent.Task) error {
	db := ent.FromContext(ctx)
	if err := s.dropFiles(ctx, t.ID); err != nil {
		return err
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
			const column = entTask.FieldCopyOfID
			_, err := db.ExecContext(ctx, "UPDATE "+entTask.Table+" SET "+column+" = NULL WHERE "+column+" = ?", t.ID)
			return err
		},
	} {
		if err := drop(); err != nil {
			return err
		}
	}
	return policysql.IgnoreNotFound(db.Task.DeleteOne(t).Exec(ctx))
}
