package task

import (
	"context"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/taskcomment"
	"workforce/graph/model"
	"workforce/internal/app/apptest/filetest"
	"workforce/internal/app/input"
)

// TestAccess has people change the parts of a task of budi: a colleague does not see it, the reader does
// not change it, the admin does.
func TestAccess(t *testing.T) {
	w := newTeam(t)
	id := w.save(t, model.SaveTaskInput{Title: "Rapat"}).ID
	var step, picture, file int
	w.do(t, w.budi, "", func(ctx context.Context) (err error) {
		if step, err = w.AddStep(ctx, model.CreateTaskChecklistItemInput{TaskID: id, Title: "x"}); err != nil {
			return err
		}
		ids, err := w.SaveImages(ctx, id, model.SaveTaskImagesInput{Images: uploads(filetest.Picture(t, 10))})
		if err != nil {
			return err
		}
		picture = ids[0]
		file, err = w.Attach(ctx, model.CreateTaskAttachmentInput{TaskID: id, File: filetest.PDF(1)})
		return err
	})
	for _, tt := range []struct {
		name     string
		stranger string // the code for who does not see the task; for the reader it is FORBIDDEN
		step     func(context.Context) error
	}{
		{"update", "ent: task not found", func(ctx context.Context) error {
			return w.Update(ctx, id, model.UpdateTaskInput{})
		}},
		{"add a step", "NOT_FOUND taskId", func(ctx context.Context) error {
			_, err := w.AddStep(ctx, model.CreateTaskChecklistItemInput{TaskID: id, Title: "x"})
			return err
		}},
		{"change a step", "ent: task_checklist_item not found", func(ctx context.Context) error {
			return w.UpdateStep(ctx, step, model.UpdateTaskChecklistItemInput{})
		}},
		{"delete a step", "ent: task_checklist_item not found",
			func(ctx context.Context) error { return w.DeleteStep(ctx, step) }},
		{"add a picture", "ent: task not found", func(ctx context.Context) error {
			_, err := w.SaveImages(ctx, id, model.SaveTaskImagesInput{Images: uploads(filetest.Picture(t, 11))})
			return err
		}},
		{"delete a picture", "ent: task not found", func(ctx context.Context) error {
			return w.DeleteImage(ctx, id, picture)
		}},
		{"add a file", "NOT_FOUND taskId", func(ctx context.Context) error {
			_, err := w.Attach(ctx, model.CreateTaskAttachmentInput{TaskID: id, File: filetest.PDF(2)})
			return err
		}},
		{"delete a file", "ent: task_attachment not found", func(ctx context.Context) error { return w.Detach(ctx, file) }},
		{"delete", "ent: task not found", func(ctx context.Context) error { return w.Delete(ctx, id) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.do(t, w.sari, tt.stranger, tt.step)
			w.do(t, w.reader, "FORBIDDEN", tt.step)
			w.do(t, w.admin, "", tt.step)
		})
	}
	w.do(t, w.budi, "ent: task not found", func(ctx context.Context) error { return w.Delete(ctx, id) })
}

// TestChecklist adds, moves, changes and deletes steps.
func TestChecklist(t *testing.T) {
	w := newTeam(t)
	id := w.save(t, model.SaveTaskInput{Title: "Rapat"}).ID
	steps := map[string]int{}
	add := func(title, want string) {
		t.Helper()
		w.do(t, w.budi, want, func(ctx context.Context) (err error) {
			steps[title], err = w.AddStep(ctx, model.CreateTaskChecklistItemInput{TaskID: id, Title: title})
			return err
		})
	}
	for _, title := range []string{"a", "b", "c", "d"} {
		add(title, "")
	}
	add(" ", "VALIDATION_FAILED title required")
	add(strings.Repeat("x", 201), "VALIDATION_FAILED title too_long")
	other := w.save(t, model.SaveTaskInput{Title: "x"}).ID
	var foreign int
	w.do(t, w.budi, "", func(ctx context.Context) (err error) {
		foreign, err = w.AddStep(ctx, model.CreateTaskChecklistItemInput{TaskID: other, Title: "x"})
		return err
	})
	before := func(id int) model.UpdateTaskChecklistItemInput {
		return model.UpdateTaskChecklistItemInput{BeforeID: input.Given(&id)}
	}
	done := model.UpdateTaskChecklistItemInput{Done: input.Given(new(true)), Title: input.Given(new("D"))}
	for _, tt := range []struct {
		name string
		step string
		in   model.UpdateTaskChecklistItemInput
		code string
		want string // the titles in order
	}{
		{"before the first", "c", before(steps["a"]), "", "c a b d"},
		{"before another", "c", before(steps["d"]), "", "a b c d"},
		{"to the end", "a", model.UpdateTaskChecklistItemInput{BeforeID: input.Given[*int](nil)}, "", "b c d a"},
		{"nowhere", "b", model.UpdateTaskChecklistItemInput{}, "", "b c d a"},
		{"before itself", "b", before(steps["b"]), "NOT_FOUND beforeId", "b c d a"},
		{"before one of another task", "b", before(foreign), "NOT_FOUND beforeId", "b c d a"},
		{"done, with another title", "d", done, "", "b c D+ a"},
		{"neither done nor open", "d", model.UpdateTaskChecklistItemInput{Done: input.Given[*bool](nil)},
			"VALIDATION_FAILED done required", "b c D+ a"},
		{"no title", "d", model.UpdateTaskChecklistItemInput{Title: input.Given[*string](nil)},
			"VALIDATION_FAILED title required", "b c D+ a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.do(t, w.budi, tt.code, func(ctx context.Context) error { return w.UpdateStep(ctx, steps[tt.step], tt.in) })
			if got := w.checklist(id); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	w.do(t, w.budi, "", func(ctx context.Context) error { return w.DeleteStep(ctx, steps["c"]) })
	add("e", "")
	if got := w.checklist(id); got != "b D+ a e" {
		t.Errorf("one deleted and one added: %q", got)
	}
	w.DB().TaskChecklistItem.MapCreateBulk(make([]int, 96), func(c *ent.TaskChecklistItemCreate, i int) {
		c.SetCompanyID(w.Company.ID).SetTaskID(id).SetTitle("x").SetPosition(10 + i)
	}).ExecX(w.System())
	add("the 101st", "VALIDATION_FAILED taskId too_many")
}

// checklist returns the titles of a task's steps in order, + behind those that are done.
func (w *team) checklist(id int) string {
	var all []string
	for _, i := range w.DB().Task.GetX(w.System(), id).QueryChecklist().AllX(w.System()) {
		if i.Done {
			i.Title += "+"
		}
		all = append(all, i.Title)
	}
	return strings.Join(all, " ")
}

// TestComments adds, changes and deletes comments, and tells the people whom they mention.
func TestComments(t *testing.T) {
	w := newTeam(t)
	gone := w.User(t, "Gone")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(gone.ID).SetActive(false).Exec(ctx)
	})
	id := w.save(t, model.SaveTaskInput{Title: "Rapat"}).ID
	var many []int
	for i := range 21 {
		many = append(many, 90_000+i)
	}
	for _, tt := range []struct {
		name     string
		by       *ent.User
		text     string
		mentions []int
		want     string
		told     string
	}{
		{"a comment", w.budi, "Halo", nil, "", ""},
		{"mentions, each once, and not of the author", w.budi, "Halo", []int{w.sari.ID, w.budi.ID, w.sari.ID}, "", "Sari"},
		{"of who sees the task", w.reader, "Halo", []int{w.budi.ID}, "", "Budi"},
		{"of a colleague", w.sari, "Halo", nil, "NOT_FOUND taskId", ""},
		{"nothing", w.budi, " ", nil, "VALIDATION_FAILED text required", ""},
		{"too long", w.budi, strings.Repeat("x", 5001), nil, "VALIDATION_FAILED text too_long", ""},
		{"too many mentions", w.budi, "x", many, "VALIDATION_FAILED mentionIds too_many", ""},
		{"nobody known", w.budi, "x", many[:20], "NOT_FOUND mentionIds", ""},
		{"somebody who left", w.admin, "x", []int{gone.ID}, "NOT_FOUND mentionIds", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.DB().Message.Delete().ExecX(w.System())
			w.do(t, tt.by, tt.want, func(ctx context.Context) error {
				_, err := w.Comment(ctx, model.CreateTaskCommentInput{TaskID: id, Text: tt.text,
					MentionIds: input.Given(tt.mentions)})
				return err
			})
			var told []string
			for _, m := range w.DB().Message.Query().Where(entMessage.Kind("task_mention")).WithUser().AllX(w.System()) {
				told = append(told, m.Edges.User.Name)
			}
			if slices.Sort(told); strings.Join(told, " ") != tt.told {
				t.Errorf("told %q, want %q", told, tt.told)
			}
		})
	}
}

// TestCommentsOfOthers changes and deletes comments of budi and of the reader.
func TestCommentsOfOthers(t *testing.T) {
	w := newTeam(t)
	id := w.save(t, model.SaveTaskInput{Title: "Rapat"}).ID
	for _, tt := range []struct {
		author, by     *ent.User
		change, remove string
	}{
		{w.budi, w.budi, "", ""},
		{w.budi, w.sari, "ent: task_comment not found", "ent: task_comment not found"},
		{w.budi, w.reader, "FORBIDDEN", "FORBIDDEN"},
		{w.budi, w.admin, "FORBIDDEN", ""},
		{w.reader, w.reader, "", ""},
		{w.reader, w.budi, "FORBIDDEN", ""},
	} {
		var comment int
		w.do(t, tt.author, "", func(ctx context.Context) (err error) {
			comment, err = w.Comment(ctx, model.CreateTaskCommentInput{TaskID: id, Text: "Halo",
				MentionIds: input.Given([]int{tt.author.ID})})
			return err
		})
		t.Run(tt.author.Name+"'s by "+tt.by.Name, func(t *testing.T) {
			w.do(t, tt.by, tt.change, func(ctx context.Context) error {
				return w.UpdateComment(ctx, comment, model.UpdateTaskCommentInput{Text: "Hai"})
			})
			if c := w.DB().TaskComment.GetX(w.System(), comment); (c.Text == "Hai" && c.EditedAt != nil) != (tt.change == "") {
				t.Errorf("the comment is %v", c)
			}
			w.do(t, tt.by, tt.remove, func(ctx context.Context) error { return w.DeleteComment(ctx, comment) })
			if left := w.DB().TaskComment.Query().Where(taskcomment.ID(comment)).ExistX(w.System()); left != (tt.remove != "") {
				t.Errorf("the comment is there: %v", left)
			}
		})
	}
	w.do(t, w.budi, "VALIDATION_FAILED text required", func(ctx context.Context) error {
		comment, err := w.Comment(ctx, model.CreateTaskCommentInput{TaskID: id, Text: "Halo"})
		if err != nil {
			return err
		}
		return w.UpdateComment(ctx, comment, model.UpdateTaskCommentInput{Text: " "})
	})
}
