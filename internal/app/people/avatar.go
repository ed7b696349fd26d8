package people

import (
	"context"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/blob"
	"workforce/internal/image"
	"workforce/internal/viewer"
)

// SetAvatar gives a person a picture, and returns their id.
func (s *Service) SetAvatar(ctx context.Context, in model.SetAvatarInput) (int, error) {
	id, err := pictured(ctx, in.UserID.Value())
	if err != nil {
		return 0, err
	}
	f, err := s.Files.Picture(ctx, "image", in.Image.File, image.Thumbnail)
	if err != nil {
		return 0, err
	}
	if err := s.Files.Use(ctx, f.ID); err != nil {
		return 0, err
	}
	return id, s.replaceAvatar(ctx, id, func(u *ent.UserUpdateOne) { u.SetImage(blob.Ref(f.Name)).SetImageFileID(f.ID) })
}

// RemoveAvatar gives a person the default picture, and returns their id.
func (s *Service) RemoveAvatar(ctx context.Context, userID *int) (int, error) {
	id, err := pictured(ctx, userID)
	if err != nil {
		return 0, err
	}
	return id, s.replaceAvatar(ctx, id, func(u *ent.UserUpdateOne) { u.SetImage(user.DefaultImage).ClearImageFileID() })
}

// pictured returns the id of the person whose picture the viewer may change: their own,
// or that of somebody whom they may change.
func pictured(ctx context.Context, userID *int) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil || userID == nil || *userID == me.UserID {
		return me.UserID, err
	}
	u, err := changeable(ctx, *userID)
	if err != nil {
		return 0, err
	}
	return u.ID, nil
}

// replaceAvatar changes a person's picture and releases the file of the one before. The
// lock row comes first, so that of two changes at once the later knows the file of the
// other.
func (s *Service) replaceAvatar(ctx context.Context, id int, set func(*ent.UserUpdateOne)) error {
	sys, db := viewer.System(ctx), ent.FromContext(ctx)
	if err := db.ClockState.Update().Where(clockstate.UserID(id)).AddEvents(1).Exec(sys); err != nil {
		return err
	}
	before, err := db.User.Get(sys, id)
	if err != nil {
		return err
	}
	update := before.Update()
	set(update)
	if err := update.Exec(sys); err != nil {
		return err
	}
	return s.Files.Release(ctx, before.ImageFileID)
}
