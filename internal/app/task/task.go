// Package task is the use cases of tasks and of all that belongs to one: its assignees,
// checklist, comments, pictures and files.
package task

import (
	"context"
	"time"

	"workforce/ent"
	entTask "workforce/ent/task"
	"workforce/ent/taskassignee"
	"workforce/ent/taskword"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/app/live"
	"workforce/internal/app/notify"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// resource is that of the permissions of tasks.
const resource = "task"

// A Service manages tasks. Its methods are safe for concurrent use.
type Service struct {
	DB     *ent.Client      // in no transaction
	Now    func() time.Time // UTC, to the microsecond
	Files  *files.Service
	Notify *notify.Service
	Live   *live.Service // may be nil
}

// Save adds a task of the viewer and returns its id. Without assigneeIds the viewer is assigned to it.
func (s *Service) Save(ctx context.Context, in model.SaveTaskInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	c := change{UpdateTaskInput: model.UpdateTaskInput{
		Title: input.Given(&in.Title), Description: in.Description,
		Status: input.DropNull(in.Status), Priority: input.DropNull(in.Priority),
		ProjectID: in.ProjectID, CategoryID: in.CategoryID, AssigneeIds: input.DropNullList(in.AssigneeIds),
		StartAt: in.StartAt, DueAt: in.DueAt,
		Latitude: in.Latitude, Longitude: in.Longitude, Recurrence: in.Recurrence,
	}}
	if err := c.check(ctx, me, s.Now()); err != nil {
		return 0, err
	}
	now := s.Now()
	create := ent.FromContext(ctx).Task.Create().SetCompanyID(me.CompanyID).SetCreatorID(me.UserID).
		SetCreatedAt(now).SetUpdatedAt(now)
	c.set(create.Mutation(), now)
	t, err := create.Save(ctx)
	if err != nil {
		return 0, err
	}
	if err := assign(ctx, t, nil, c.assignees); err != nil {
		return 0, err
	}
	if err := indexWords(ctx, t); err != nil {
		return 0, err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return t.ID, nil
}

// Update changes a task.
func (s *Service) Update(ctx context.Context, id int, in model.UpdateTaskInput) error {
	t, err := s.lock(ctx, id)
	if err != nil {
		return err
	}
	c := change{UpdateTaskInput: in, of: t}
	if c.has, err = assigneesOf(ctx, id); err != nil {
		return err
	}
	if err := c.check(ctx, viewer.From(ctx), s.Now()); err != nil {
		return err
	}
	update := t.Update()
	c.set(update.Mutation(), s.Now())
	err = input.CheckVersion(in.Version, t.Version, func() (*input.Difference, error) {
		return c.difference(ctx, update.Mutation())
	})
	if err != nil {
		return err
	}
	if len(update.Mutation().Fields())+len(update.Mutation().ClearedFields()) == 0 && !c.AssigneeIds.IsSet() {
		return nil
	}
	after, err := update.AddVersion(1).Save(viewer.System(ctx))
	if err != nil {
		return err
	}
	if c.AssigneeIds.IsSet() {
		if err := assign(ctx, t, c.has, c.assignees); err != nil {
			return err
		}
	}
	if in.Title.IsSet() || in.Description.IsSet() {
		if err := indexWords(ctx, after); err != nil {
			return err
		}
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return nil
}

// Delete hides a task and all that belongs to it, and deletes its pictures and attachments:
// TASK_IN_USE while time is booked on it.
func (s *Service) Delete(ctx context.Context, id int) error {
	t, err := s.lock(ctx, id)
	if err != nil {
		return err
	}
	if t.EntryCount > 0 {
		return errs.New(errs.TaskInUse, errs.Meta{"entries": t.EntryCount})
	}
	sys, db, now := viewer.System(ctx), ent.FromContext(ctx), s.Now()
	if err := s.dropFiles(sys, id); err != nil {
		return err
	}
	if _, err := db.TaskWord.Delete().Where(taskword.TaskID(id)).Exec(sys); err != nil {
		return err
	}
	return t.Update().SetDeletedAt(now).ClearRecursOn().Exec(sys)
}

// lock returns a task that the viewer may change, as attachment.Lock does: NOT_FOUND for one that
// they do not see, else FORBIDDEN.
func (s *Service) lock(ctx context.Context, id int) (*ent.Task, error) {
	db := ent.FromContext(ctx).Task
	return attachment.Lock(s.Now, func() (*ent.Task, time.Time, error) {
		t, err := db.Query().Where(entTask.ID(id)).Only(ctx)
		if err != nil {
			return nil, time.Time{}, err
		}
		return t, t.UpdatedAt, nil
	}, func(at time.Time) (int, error) { return db.Update().Where(entTask.ID(id)).SetUpdatedAt(at).Save(ctx) })
}

// lockNamed is lock of a task that the member taskId names: NOT_FOUND on it for one that the viewer
// does not see.
func (s *Service) lockNamed(ctx context.Context, id int) (*ent.Task, error) {
	if _, err := find(ctx, "taskId", id); err != nil {
		return nil, err
	}
	return s.lock(ctx, id)
}

// find returns a task: NOT_FOUND on a field for one that the viewer does not see.
func find(ctx context.Context, field string, id int) (*ent.Task, error) {
	t, err := ent.FromContext(ctx).Task.Query().Where(entTask.ID(id)).Only(ctx)
	if err != nil {
		return nil, input.Referenced(field, !ent.IsNotFound(err), policysql.IgnoreNotFound(err))
	}
	return t, nil
}

// assigneesOf returns the people who are assigned to a task, by id.
func assigneesOf(ctx context.Context, id int) ([]int, error) {
	return ent.FromContext(ctx).TaskAssignee.Query().Where(taskassignee.TaskID(id)).
		Order(ent.Asc(taskassignee.FieldUserID)).Select(taskassignee.FieldUserID).Ints(viewer.System(ctx))
}

// assign makes wanted the assignees of a task that has others.
func assign(ctx context.Context, t *ent.Task, has, wanted []int) error {
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TaskAssignee
	return attachment.Replace(has, wanted, func(ids []int) error {
		_, err := db.Delete().Where(taskassignee.TaskID(t.ID), taskassignee.UserIDIn(ids...)).Exec(sys)
		return err
	}, func(ids []int) error {
		return db.MapCreateBulk(ids, func(a *ent.TaskAssigneeCreate, i int) {
			a.SetCompanyID(t.CompanyID).SetTaskID(t.ID).SetUserID(ids[i])
		}).Exec(sys)
	})
}

// indexWords writes the words by which a task is found.
func indexWords(ctx context.Context, t *ent.Task) error {
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TaskWord
	has, err := db.Query().Where(taskword.TaskID(t.ID)).Select(taskword.FieldWord).Strings(sys)
	if err != nil {
		return err
	}
	wanted := textform.Words(t.Title, input.Value(t.Description))
	return attachment.Replace(has, wanted, func(words []string) error {
		_, err := db.Delete().Where(taskword.TaskID(t.ID), taskword.WordIn(words...)).Exec(sys)
		return err
	}, func(words []string) error {
		return db.MapCreateBulk(words, func(w *ent.TaskWordCreate, i int) {
			w.SetCompanyID(t.CompanyID).SetTaskID(t.ID).SetWord(words[i])
		}).Exec(sys)
	})
}
