package demo

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"time"

	"workforce/ent"
	entSetting "workforce/ent/setting"
	"workforce/ent/user"
	"workforce/internal/app/files"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
)

// pictured is the address of the employee who has a picture.
const pictured = "kartika@demo.test"

// avatarMark names the setting that marks a database whose demo has the picture.
const avatarMark = "demo avatar"

// AddAvatar gives one employee of the demo a picture, unless that was done before. The
// context is the system's.
func AddAvatar(ctx context.Context, db *ent.Client, store *files.Service, now time.Time) error {
	done, err := db.Setting.Query().Where(entSetting.Name(avatarMark)).Exist(ctx)
	if err != nil || done {
		return err
	}
	u, err := db.User.Query().Where(user.EmailKey(pictured)).Only(ctx)
	if err != nil {
		return err
	}
	data, err := disc()
	if err != nil {
		return err
	}
	f, err := store.Put(ctx, u.CompanyID, files.Content{Data: data, MediaType: "image/png", Width: discSize, Height: discSize})
	if err != nil {
		return err
	}
	err = tx.Run(ctx, db, func(ctx context.Context) error {
		db := ent.FromContext(ctx)
		if err := db.Setting.Create().SetName(avatarMark).SetValue(now.Format(time.RFC3339)).Exec(ctx); err != nil {
			return err
		}
		if err := store.Use(ctx, f.ID); err != nil {
			return err
		}
		return db.User.UpdateOneID(u.ID).SetImage(blob.Ref(f.Name)).SetImageFileID(f.ID).Exec(ctx)
	})
	if ent.IsConstraintError(err) { // another instance was faster
		return nil
	}
	return err
}

// discSize is the width and height of the picture, in pixels.
const discSize = 128

// disc draws a disc as a PNG.
func disc() ([]byte, error) {
	p := image.NewRGBA(image.Rect(0, 0, discSize, discSize))
	for y := range discSize {
		for x := range discSize {
			c := color.RGBA{226, 232, 240, 255}
			if dx, dy := 2*x-discSize, 2*y-discSize; dx*dx+dy*dy < discSize*discSize*3/4 {
				c = color.RGBA{13, 148, 136, 255}
			}
			p.SetRGBA(x, y, c)
		}
	}
	var data bytes.Buffer
	err := png.Encode(&data, p)
	return data.Bytes(), err
}
