package task

import (
	"context"
	"path"
	"strings"

	"workforce/ent"
	"workforce/ent/taskattachment"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/rows"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// maxAttachments is how many files a task has at most.
const maxAttachments = 20

// Attach adds a file to a task and returns the id of the attachment. A file that the task
// has is that one.
func (s Uploads) Attach(ctx context.Context, in model.CreateTaskAttachmentInput) (int, error) {
	t, err := s.lockNamed(ctx, in.TaskID)
	if err != nil {
		return 0, err
	}
	f, err := s.Files.Document(ctx, "file", in.File.File, longestSide)
	if err != nil {
		return 0, err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TaskAttachment
	list, err := db.Query().Where(taskattachment.TaskID(t.ID)).All(sys)
	if err != nil {
		return 0, err
	}
	for _, a := range list {
		if a.FileID != nil && *a.FileID == f.ID {
			return a.ID, nil
		}
	}
	if len(list) >= maxAttachments {
		return 0, errs.Because("file", errs.TooMany, errs.Meta{"max": maxAttachments})
	}
	if err := s.Files.Use(ctx, f.ID); err != nil {
		return 0, err
	}
	a, err := db.Create().SetCompanyID(t.CompanyID).SetTaskID(t.ID).SetUserID(viewer.From(ctx).UserID).SetName(FileName(in.File.Filename)).
		SetURL(blob.Ref(f.Name)).SetFileID(f.ID).SetContentType(f.MediaType).SetSize(f.Size).SetCreatedAt(s.Now()).Save(sys)
	if err != nil {
		return 0, err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return a.ID, nil
}

// FileName returns the name of an uploaded file without folders and without what cannot be
// seen, cut at 200 characters; file where nothing is left.
func FileName(name string) string {
	name = path.Base(strings.ReplaceAll(strings.ToValidUTF8(name, ""), `\`, "/"))
	var faults errs.Faults
	if input.Text(&faults, "", &name, maxText); len(faults) > 0 || strings.Trim(name, "./ ") == "" || strings.ContainsAny(name, "\n\t") {
		return "file"
	}
	if r := []rune(strings.TrimSpace(name)); len(r) > maxTitle {
		return string(r[len(r)-maxTitle:])
	}
	return strings.TrimSpace(name)
}

// Detach removes a file of a task.
func (s Uploads) Detach(ctx context.Context, id int) error {
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
func (s Uploads) dropAttachment(ctx context.Context, a *ent.TaskAttachment) error {
	if err := ent.FromContext(ctx).TaskAttachment.DeleteOne(a).Exec(ctx); err != nil {
		return rows.IgnoreNotFound(err)
	}
	return s.Files.Release(ctx, a.FileID)
}
