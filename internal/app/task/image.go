package task

import (
	"cmp"
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/ent/taskimage"
	"workforce/graph/model"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/app/rows"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// The limits of pictures.
const (
	longestSide = 2560 // pixels
	maxImages   = 20   // of a task
	maxCaption  = 250  // characters
)

// Uploads manages the pictures and the files of tasks.
type Uploads struct{ *Service }

// SaveImages adds pictures to a task and returns their ids, in order. One whose bytes the
// task has is that one.
func (s Uploads) SaveImages(ctx context.Context, id int, in model.SaveTaskImagesInput) ([]int, error) {
	t, err := s.lock(ctx, id)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	caption := input.Line(&faults, "caption", in.Caption.Value(), maxCaption)
	switch {
	case len(in.Images) == 0:
		faults.Add("images", errs.Required, nil)
	case len(in.Images) > maxImages:
		faults.Add("images", errs.TooMany, errs.Meta{"max": maxImages})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	shots, err := s.shots(ctx, in)
	if err != nil {
		return nil, err
	}
	ids, err := s.keep(ctx, t, shots, caption)
	if err != nil {
		return nil, err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return ids, nil
}

// shots stores what was uploaded: all of it is read before any error is returned, so that
// the operation begins anew once.
func (s Uploads) shots(ctx context.Context, in model.SaveTaskImagesInput) (all []*files.Shot, failed error) {
	for _, u := range in.Images {
		shot, err := s.Files.Shot(ctx, "images", u.File, longestSide)
		failed = cmp.Or(failed, err)
		all = append(all, shot)
	}
	return all, failed
}

// keep writes the rows of pictures that the task does not have.
func (s Uploads) keep(ctx context.Context, t *ent.Task, shots []*files.Shot, caption string) ([]int, error) {
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TaskImage
	has, err := db.Query().Where(taskimage.TaskID(t.ID), taskimage.DeletedAtIsNil()).All(sys)
	if err != nil {
		return nil, err
	}
	known := map[string]int{}
	for _, i := range has {
		if i.Digest != nil {
			known[string(*i.Digest)] = i.ID
		}
	}
	var ids []int
	for _, shot := range shots {
		id, ok := known[string(shot.Digest[:])]
		if !ok {
			if len(known) >= maxImages {
				return nil, errs.Because("images", errs.TooMany, errs.Meta{"max": maxImages})
			}
			if id, err = s.add(ctx, t, shot, caption); err != nil {
				return nil, err
			}
			known[string(shot.Digest[:])] = id
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// add writes the row of a picture.
func (s Uploads) add(ctx context.Context, t *ent.Task, shot *files.Shot, caption string) (int, error) {
	for _, f := range []*ent.File{shot.Picture, shot.Preview} {
		if err := s.Files.Use(ctx, f.ID); err != nil {
			return 0, err
		}
	}
	create := ent.FromContext(ctx).TaskImage.Create().SetCompanyID(t.CompanyID).SetTaskID(t.ID).SetUserID(viewer.From(ctx).UserID).
		SetURL(blob.Ref(shot.Picture.Name)).SetThumbnailURL(blob.Ref(shot.Preview.Name)).SetFileID(shot.Picture.ID).SetThumbnailFileID(shot.Preview.ID).
		SetContentType(shot.Picture.MediaType).SetWidth(shot.Picture.Width).SetHeight(shot.Picture.Height).SetSize(shot.Picture.Size).
		SetDigest(shot.Digest[:]).SetCreatedAt(s.Now())
	if caption != "" {
		create.SetCaption(caption)
	}
	i, err := create.Save(viewer.System(ctx))
	if err != nil {
		return 0, err
	}
	return i.ID, nil
}

// DeleteImage hides a picture of a task.
func (s Uploads) DeleteImage(ctx context.Context, id, image int) error {
	t, err := s.lock(ctx, id)
	if err != nil {
		return err
	}
	n, err := ent.FromContext(ctx).TaskImage.Update().Where(taskimage.ID(image), taskimage.TaskID(id), taskimage.DeletedAtIsNil()).
		SetDeletedAt(s.Now()).ClearDigest().Save(viewer.System(ctx))
	if err := input.Referenced("imageId", n == 1, err); err != nil {
		return err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return nil
}

// Images returns a query of the pictures of a task, the oldest first: NOT_FOUND for a task
// that the viewer does not see.
func (s Uploads) Images(ctx context.Context, id int) (*ent.TaskImageQuery, error) {
	if _, err := seen(ctx, "taskId", id); err != nil {
		return nil, err
	}
	return ent.FromContext(ctx).TaskImage.Query().Where(taskimage.TaskID(id)), nil
}

// keptFor is how long what was deleted is kept.
const keptFor = 30 * 24 * time.Hour

// purgeBatch is how many rows one statement looks up.
const purgeBatch = 100

// Clean purges the tasks and the pictures that were deleted 30 days ago.
func (s Uploads) Clean(ctx context.Context) error {
	if err := s.purgeImages(ctx); err != nil {
		return err
	}
	return s.purgeTasks(ctx)
}

// purgeImages purges pictures, one in a transaction.
func (s Uploads) purgeImages(ctx context.Context) error {
	for {
		due, err := s.DB.TaskImage.Query().Where(taskimage.DeletedAtLT(s.Now().Add(-keptFor))).Limit(purgeBatch).All(ctx)
		if err != nil {
			return err
		}
		for _, i := range due {
			if err := s.purge(ctx, func(ctx context.Context) error { return s.dropImage(ctx, i) }); err != nil {
				return err
			}
		}
		if len(due) < purgeBatch {
			return nil
		}
	}
}

// dropImage deletes the row of a picture and releases its files.
func (s Uploads) dropImage(ctx context.Context, i *ent.TaskImage) error {
	err := ent.FromContext(ctx).TaskImage.DeleteOne(i).Exec(ctx)
	if rows.IgnoreNotFound(err) != nil || err != nil { // another instance did
		return rows.IgnoreNotFound(err)
	}
	if err := s.Files.Release(ctx, i.FileID); err != nil {
		return err
	}
	return s.Files.Release(ctx, i.ThumbnailFileID)
}
