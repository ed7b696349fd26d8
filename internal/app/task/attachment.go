package task

import (
	"context"

	"workforce/ent"
	"workforce/ent/taskattachment"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/files"
	"workforce/internal/app/policysql"
	"workforce/internal/blob"
	"workforce/internal/viewer"
)

// Attach adds a file to a task and returns the id of the attachment: that of the same file, if the
// task has it. Errors on the file are those of attachment.Attach.
func (s *Service) Attach(ctx context.Context, in model.CreateTaskAttachmentInput) (int, error) {
	t, err := s.lockNamed(ctx, in.TaskID)
	if err != nil {
		return 0, err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TaskAttachment
	upload := files.Upload{File: in.File.File, Name: in.File.Filename}
	return attachment.Attach(ctx, s.Files, upload, func() (has []attachment.File, err error) {
		err = db.Query().Where(taskattachment.TaskID(t.ID)).
			Select(taskattachment.FieldID, taskattachment.FieldFileID).Scan(sys, &has)
		return has, err
	}, func(d *files.Document) (int, error) {
		a, err := db.Create().SetCompanyID(t.CompanyID).SetTaskID(t.ID).SetUserID(viewer.From(ctx).UserID).
			SetName(d.Name).SetURL(blob.Ref(d.File.Name)).SetFileID(d.ID).
			SetContentType(d.MediaType).SetSize(d.Size).SetCreatedAt(s.Now()).Save(sys)
		if err != nil {
			return 0, err
		}
		s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
		return a.ID, nil
	})
}

// Detach removes a file of a task.
func (s *Service) Detach(ctx context.Context, id int) error {
	a, err := ent.FromContext(ctx).TaskAttachment.Query().Where(taskattachment.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	t, err := s.lock(ctx, a.TaskID)
	if err != nil {
		return err
	}
	if err := s.dropAttachment(viewer.System(ctx), a); err != nil {
		return err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return nil
}

// dropAttachment deletes the row of an attachment and releases its file.
func (s *Service) dropAttachment(ctx context.Context, a *ent.TaskAttachment) error {
	if err := ent.FromContext(ctx).TaskAttachment.DeleteOne(a).Exec(ctx); err != nil {
		return policysql.IgnoreNotFound(err)
	}
	return s.Files.Release(ctx, a.FileID)
}
