package task

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/taskcomment"
	"workforce/ent/taskmention"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/input"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// maxMentions is how many people a comment mentions at most.
const maxMentions = 20

// Comment adds a comment to a task that the viewer sees, tells whom it mentions, and
// returns its id.
func (s *Service) Comment(ctx context.Context, in model.CreateTaskCommentInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	var faults errs.Faults
	text, ids := attachment.CommentText(&faults, in.Text), input.Distinct(in.MentionIds.Value())
	if len(ids) > maxMentions {
		faults.Add("mentionIds", errs.TooMany, errs.Meta{"max": maxMentions})
	}
	if err := faults.Err(); err != nil {
		return 0, err
	}
	t, err := find(ctx, "taskId", in.TaskID)
	if err != nil {
		return 0, err
	}
	people, err := ent.FromContext(ctx).User.Query().
		Where(user.IDIn(ids...), user.Active(true), worktime.Addressed(me, me.Scope("task", "write"))).All(ctx)
	if err := input.Referenced("mentionIds", len(people) == len(ids), err); err != nil {
		return 0, err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx)
	c, err := db.TaskComment.Create().SetCompanyID(t.CompanyID).SetTaskID(t.ID).SetUserID(me.UserID).
		SetText(text).SetCreatedAt(s.Now()).Save(sys)
	if err != nil {
		return 0, err
	}
	err = db.TaskMention.MapCreateBulk(ids, func(m *ent.TaskMentionCreate, i int) {
		m.SetCompanyID(t.CompanyID).SetTaskID(t.ID).SetCommentID(c.ID).SetUserID(ids[i])
	}).Exec(sys)
	if err != nil {
		return 0, err
	}
	if err := s.tellMentioned(ctx, t, me.UserID, people); err != nil {
		return 0, err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return c.ID, nil
}

// tellMentioned tells people that somebody mentions them. Nobody is told that they mention themselves.
func (s *Service) tellMentioned(ctx context.Context, t *ent.Task, by int, people []*ent.User) error {
	people = slices.DeleteFunc(people, func(u *ent.User) bool { return u.ID == by })
	if len(people) == 0 {
		return nil
	}
	who, err := ent.FromContext(ctx).User.Get(viewer.System(ctx), by)
	if err != nil {
		return err
	}
	for _, u := range people {
		if err := s.Notify.NotifyAbout(ctx, u, message.TaskMention, message.Facts{Title: t.Title}, who); err != nil {
			return err
		}
	}
	return nil
}

// UpdateComment changes the text of the viewer's comment.
func (s *Service) UpdateComment(ctx context.Context, id int, in model.UpdateTaskCommentInput) error {
	c, t, err := findComment(ctx, id)
	if err != nil {
		return err
	}
	text, err := attachment.EditComment(ctx, c.UserID, in.Text)
	if err != nil {
		return err
	}
	if err := c.Update().SetText(text).SetEditedAt(s.Now()).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return nil
}

// DeleteComment removes a comment of the viewer, or one of a task that they may change.
func (s *Service) DeleteComment(ctx context.Context, id int) error {
	c, t, err := findComment(ctx, id)
	if err != nil {
		return err
	}
	if c.UserID != viewer.From(ctx).Self() {
		if _, err := s.lock(ctx, t.ID); err != nil {
			return err
		}
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx)
	if _, err := db.TaskMention.Delete().Where(taskmention.CommentID(id)).Exec(sys); err != nil {
		return err
	}
	if err := db.TaskComment.DeleteOne(c).Exec(sys); err != nil {
		return err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return nil
}

// findComment returns a comment that the viewer sees, with its task.
func findComment(ctx context.Context, id int) (*ent.TaskComment, *ent.Task, error) {
	c, err := ent.FromContext(ctx).TaskComment.Query().Where(taskcomment.ID(id)).Only(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, err := ent.FromContext(ctx).Task.Get(ctx, c.TaskID)
	return c, t, err
}
