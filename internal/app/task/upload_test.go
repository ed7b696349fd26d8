package task

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/ent/taskimage"
	"workforce/graph/model"
	"workforce/internal/app/apptest/filetest"
	"workforce/internal/app/input"
)

// uploads returns files to upload at once.
func uploads(list ...graphql.Upload) (all []*graphql.Upload) {
	for _, one := range list {
		all = append(all, &one)
	}
	return all
}

// TestImages adds pictures to a task: two, the same again, and up to 20.
func TestImages(t *testing.T) {
	w := newTeam(t)
	id := w.save(t, model.SaveTaskInput{Title: "Rapat"}).ID
	save := func(want string, pictures ...graphql.Upload) (ids []int) {
		t.Helper()
		w.do(t, w.budi, want, func(ctx context.Context) (err error) {
			ids, err = w.SaveImages(ctx, id, model.SaveTaskImagesInput{Images: uploads(pictures...),
				Caption: input.Given(new(" Lobi "))})
			return err
		})
		return ids
	}
	count := func(want int) {
		t.Helper()
		shown := w.DB().TaskImage.Query().Where(taskimage.TaskID(id), taskimage.DeletedAtIsNil())
		if n := shown.CountX(w.System()); n != want {
			t.Errorf("%d pictures, want %d", n, want)
		}
	}
	one, two := filetest.Picture(t, 11), filetest.Picture(t, 12)
	first := save("", one, two, one)
	if len(first) != 2 {
		t.Fatalf("pictures %v", first)
	}
	if i := w.DB().TaskImage.GetX(w.System(), first[0]); *i.Caption != "Lobi" || i.Width != 11 ||
		i.UserID != w.budi.ID || i.ContentType != "image/png" {
		t.Errorf("the picture is %v", i)
	}
	if again := save("", two, one); fmt.Sprint(again) != fmt.Sprint([]int{first[1], first[0]}) {
		t.Errorf("the same again are %v, want those of %v", again, first)
	}
	save("VALIDATION_FAILED images required")
	save("UNSUPPORTED_MEDIA_TYPE images", filetest.Picture(t, 13), filetest.Upload("p.png", []byte("hello")))
	save("VALIDATION_FAILED images too_many", make21(filetest.Picture(t, 13))...)
	count(2)
	w.DB().TaskImage.MapCreateBulk(make([]int, 17), func(c *ent.TaskImageCreate, i int) {
		c.SetCompanyID(w.Company.ID).SetTaskID(id).SetUserID(w.budi.ID).SetURL("x").SetThumbnailURL("x").
			SetContentType("image/jpeg").
			SetWidth(1).SetHeight(1).SetSize(1).SetDigest([]byte{byte(i)}).SetCreatedAt(w.World.Now())
	}).ExecX(w.System())
	save("VALIDATION_FAILED images too_many", filetest.Picture(t, 14), filetest.Picture(t, 15))
	count(19)
	save("", filetest.Picture(t, 14))
	save("VALIDATION_FAILED images too_many", filetest.Picture(t, 15))
	if again := save("", one); len(again) != 1 || again[0] != first[0] {
		t.Errorf("one of 20 again is %v, want %d", again, first[0])
	}
	remove := func(want string) {
		t.Helper()
		w.do(t, w.budi, want, func(ctx context.Context) error { return w.DeleteImage(ctx, id, first[0]) })
	}
	remove("")
	remove("NOT_FOUND imageId")
	if anew := save("", one); len(anew) != 1 || anew[0] == first[0] {
		t.Errorf("added anew as %v", anew)
	}
	other := w.save(t, model.SaveTaskInput{Title: "x"}).ID
	w.do(t, w.budi, "NOT_FOUND imageId", func(ctx context.Context) error { return w.DeleteImage(ctx, other, first[1]) })
	for _, tt := range []struct {
		who  *ent.User
		want string
	}{{w.reader, ""}, {w.sari, "NOT_FOUND id"}} {
		w.do(t, tt.who, tt.want, func(ctx context.Context) error {
			q, err := w.Service.Images(ctx, id)
			if err != nil {
				return err
			}
			if n := q.CountX(ctx); n != 20 {
				t.Errorf("%s sees %d pictures, want 20", tt.who.Name, n)
			}
			return nil
		})
	}
}

// make21 returns a file 21 times.
func make21(one graphql.Upload) (all []graphql.Upload) {
	for range 21 {
		all = append(all, one)
	}
	return all
}

// TestFiles adds a file to a task, adds it again, and removes it.
func TestFiles(t *testing.T) {
	w := newTeam(t)
	id := w.save(t, model.SaveTaskInput{Title: "Rapat"}).ID
	attach := func(u *ent.User) (attachment int) {
		t.Helper()
		w.do(t, u, "", func(ctx context.Context) (err error) {
			attachment, err = w.Attach(ctx, model.CreateTaskAttachmentInput{TaskID: id, File: filetest.PDF(1)})
			return err
		})
		return attachment
	}
	first := attach(w.budi)
	a := w.DB().TaskAttachment.GetX(w.System(), first)
	if a.Name != "a.pdf" || a.ContentType != "application/pdf" || a.UserID != w.budi.ID || a.FileID == nil {
		t.Errorf("the attachment is %v", a)
	}
	if again := attach(w.admin); again != first {
		t.Errorf("the same again is %d, want %d", again, first)
	}
	w.do(t, w.budi, "", func(ctx context.Context) error { return w.Detach(ctx, first) })
	if n := w.DB().File.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d files are left", n)
	}
}

// TestPurge purges what was deleted 30 days ago, and not before.
func TestPurge(t *testing.T) {
	w := newTeam(t)
	task := w.save(t, model.SaveTaskInput{Title: "Piket", Recurrence: input.Given(new("FREQ=DAILY"))})
	kept := w.save(t, model.SaveTaskInput{Title: "Rapat"})
	var image int
	for _, id := range []int{task.ID, kept.ID} {
		w.do(t, w.budi, "", func(ctx context.Context) error {
			ids, err := w.SaveImages(ctx, id, model.SaveTaskImagesInput{Images: uploads(filetest.Picture(t, id))})
			if err != nil {
				return err
			}
			image = ids[0]
			if _, err := w.Attach(ctx, model.CreateTaskAttachmentInput{TaskID: id, File: filetest.PDF(id)}); err != nil {
				return err
			}
			if _, err := w.AddStep(ctx, model.CreateTaskChecklistItemInput{TaskID: id, Title: "x"}); err != nil {
				return err
			}
			_, err = w.Comment(ctx, model.CreateTaskCommentInput{TaskID: id, Text: "x",
				MentionIds: input.Given([]int{w.budi.ID})})
			return err
		})
	}
	copied := w.DB().Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle("Piket").
		SetCopyOfID(task.ID).SetCopiedOn("2026-03-10").
		SetCreatedAt(w.World.Now()).SetUpdatedAt(w.World.Now()).SaveX(w.System())
	w.do(t, w.budi, "", func(ctx context.Context) error { return w.Delete(ctx, task.ID) })
	w.do(t, w.budi, "", func(ctx context.Context) error { return w.DeleteImage(ctx, kept.ID, image) })
	if k := w.DB().Task.GetX(w.System(), task.ID); k.RecursOn != nil || !k.DeletedAt.Equal(w.World.Now()) {
		t.Errorf("a deleted task recurs on %v, was deleted at %v", k.RecursOn, k.DeletedAt)
	}
	count := func() string {
		db, sys := w.DB(), w.System()
		return fmt.Sprint(db.Task.Query().CountX(sys), db.TaskImage.Query().CountX(sys),
			db.TaskAttachment.Query().CountX(sys), db.TaskChecklistItem.Query().CountX(sys),
			db.TaskComment.Query().CountX(sys), db.TaskMention.Query().CountX(sys),
			db.TaskAssignee.Query().CountX(sys), db.File.Query().CountX(sys))
	}
	all := count()
	if all != "3 0 1 2 2 2 2 1" { // no picture, and the one attachment of what stays
		t.Errorf("once they are deleted: %s", all)
	}
	for _, tt := range []struct {
		after time.Duration
		want  string
	}{
		{30 * 24 * time.Hour, all},
		{time.Microsecond, "2 0 1 1 1 1 1 1"},
		{time.Hour, "2 0 1 1 1 1 1 1"},
	} {
		w.Advance(tt.after)
		if err := w.Clean(w.System()); err != nil {
			t.Fatal(err)
		}
		if got := count(); got != tt.want {
			t.Errorf("%v later: %s, want %s", tt.after, got, tt.want)
		}
	}
	if c := w.DB().Task.GetX(w.System(), copied.ID); c.CopyOfID != nil {
		t.Errorf("a copy names the purged task %d", *c.CopyOfID)
	}
	used := w.save(t, model.SaveTaskInput{Title: "x"})
	w.DB().Task.UpdateOneID(used.ID).SetDeletedAt(w.World.Now()).SetEntryCount(1).ExecX(w.System())
	w.Advance(31 * 24 * time.Hour)
	if err := w.Clean(w.System()); err != nil || w.DB().Task.Query().CountX(w.System()) != 3 {
		t.Errorf("a task with time on it is purged: %v", err)
	}
}
