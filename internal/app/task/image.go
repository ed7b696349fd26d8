package task

import (
	"cmp"
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/taskimage"
	"workforce/graph/model"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/image"
	"workforce/internal/viewer"
)

// The limits of pictures.
const (
	maxImages  = 20  // of a task
	maxCaption = 250 // characters
)

// SaveImages adds pictures to a task and returns their ids, in order. A picture with the bytes of one
// that the task has is not added again.
func (s *Service) SaveImages(ctx context.Context, id int, in model.SaveTaskImagesInput) ([]int, error) {
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
	shots, err := s.storeImages(ctx, in)
	if err != nil {
		return nil, err
	}
	ids, err := s.addImages(ctx, t, shots, caption)
	if err != nil {
		return nil, err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return ids, nil
}

// storeImages stores uploaded pictures. It reads all of them before it returns an error, so that the
// operation is run again once at most.
func (s *Service) storeImages(ctx context.Context, in model.SaveTaskImagesInput) (all []*files.Shot, failed error) {
	for _, u := range in.Images {
		shot, err := s.Files.Shot(ctx, "images", u.File, image.Largest)
		failed = cmp.Or(failed, err)
		all = append(all, shot)
	}
	return all, failed
}

// addImages writes the rows of pictures that the task does not have, and returns the ids of all, in order.
func (s *Service) addImages(ctx context.Context, t *ent.Task, shots []*files.Shot, caption string) ([]int, error) {
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
			if id, err = s.addImage(ctx, t, shot, caption); err != nil {
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

// addImage writes the row of a picture.
func (s *Service) addImage(ctx context.Context, t *ent.Task, shot *files.Shot, caption string) (int, error) {
	for _, f := range []*ent.File{shot.Picture, shot.Preview} {
		if err := s.Files.Use(ctx, f.ID); err != nil {
			return 0, err
		}
	}
	picture, preview := shot.Picture, shot.Preview
	create := ent.FromContext(ctx).TaskImage.Create().
		SetCompanyID(t.CompanyID).SetTaskID(t.ID).SetUserID(viewer.From(ctx).UserID).
		SetURL(blob.Ref(picture.Name)).SetFileID(picture.ID).SetContentType(picture.MediaType).
		SetWidth(picture.Width).SetHeight(picture.Height).SetSize(picture.Size).
		SetThumbnailURL(blob.Ref(preview.Name)).SetThumbnailFileID(preview.ID).
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

// DeleteImage deletes a picture of a task, and its files once that is committed: links that were
// given before lead nowhere then.
func (s *Service) DeleteImage(ctx context.Context, id, image int) error {
	t, err := s.lock(ctx, id)
	if err != nil {
		return err
	}
	sys := viewer.System(ctx)
	list, err := ent.FromContext(ctx).TaskImage.Query().
		Where(taskimage.ID(image), taskimage.TaskID(id), taskimage.DeletedAtIsNil()).All(sys)
	if err := input.Referenced("imageId", len(list) == 1, err); err != nil {
		return err
	}
	if err := s.dropImage(sys, list[0]); err != nil {
		return err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return nil
}

// Images returns a query of the pictures of a task, the oldest first: NOT_FOUND for a task
// that the viewer does not see.
func (s *Service) Images(ctx context.Context, id int) (*ent.TaskImageQuery, error) {
	if _, err := find(ctx, "id", id); err != nil {
		return nil, err
	}
	return ent.FromContext(ctx).TaskImage.Query().Where(taskimage.TaskID(id)), nil
}
