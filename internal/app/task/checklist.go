package task

import (
	"context"

	"workforce/ent"
	"workforce/ent/taskchecklistitem"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// maxChecklist is how many steps a task has at most.
const maxChecklist = 100

// AddStep adds a step at the end of a task's checklist and returns its id.
func (s *Service) AddStep(ctx context.Context, in model.CreateTaskChecklistItemInput) (int, error) {
	var faults errs.Faults
	title := stepTitle(&faults, &in.Title)
	if err := faults.Err(); err != nil {
		return 0, err
	}
	t, err := s.lockNamed(ctx, in.TaskID)
	if err != nil {
		return 0, err
	}
	list, err := checklistOf(ctx, t.ID)
	if err != nil {
		return 0, err
	}
	if len(list) >= maxChecklist {
		return 0, errs.Because("taskId", errs.TooMany, errs.Meta{"max": maxChecklist})
	}
	position := 1
	if len(list) > 0 {
		position = list[len(list)-1].Position + 1
	}
	i, err := ent.FromContext(ctx).TaskChecklistItem.Create().SetCompanyID(t.CompanyID).SetTaskID(t.ID).
		SetTitle(title).SetPosition(position).Save(viewer.System(ctx))
	if err != nil {
		return 0, err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return i.ID, nil
}

// stepTitle returns the title of a step.
func stepTitle(faults *errs.Faults, title *string) string {
	return input.Required(faults, "title", title, attachment.MaxTitle)
}

// checklistOf returns a task's checklist, in order.
func checklistOf(ctx context.Context, task int) ([]*ent.TaskChecklistItem, error) {
	return ent.FromContext(ctx).TaskChecklistItem.Query().Where(taskchecklistitem.TaskID(task)).All(viewer.System(ctx))
}

// UpdateStep changes a step of a checklist.
func (s *Service) UpdateStep(ctx context.Context, id int, in model.UpdateTaskChecklistItemInput) error {
	i, t, err := s.lockStep(ctx, id)
	if err != nil {
		return err
	}
	var faults errs.Faults
	if title, given := in.Title.ValueOK(); given {
		in.Title = input.Given(new(stepTitle(&faults, title)))
	}
	if in.Done.IsSet() && in.Done.Value() == nil {
		faults.Add("done", errs.Required, nil)
	}
	if err := faults.Err(); err != nil {
		return err
	}
	update := i.Update()
	input.Set(in.Title, update.Mutation().SetTitle, nil)
	input.Set(in.Done, update.Mutation().SetDone, nil)
	if err := update.Exec(viewer.System(ctx)); err != nil {
		return err
	}
	if in.BeforeID.IsSet() {
		if err := move(ctx, i, in.BeforeID.Value()); err != nil {
			return err
		}
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return nil
}

// move puts a step before another one of its task; nil is the end.
func move(ctx context.Context, i *ent.TaskChecklistItem, before *int) error {
	list, err := checklistOf(ctx, i.TaskID)
	if err != nil {
		return err
	}
	var order []*ent.TaskChecklistItem
	found := before == nil
	for _, other := range list {
		if before != nil && other.ID == *before {
			found = true
			order = append(order, i)
		}
		if other.ID != i.ID {
			order = append(order, other)
		}
	}
	if before == nil {
		order = append(order, i)
	}
	if !found || before != nil && *before == i.ID {
		return errs.Field(errs.NotFound, "beforeId", nil)
	}
	for n, one := range order {
		if one.Position == n+1 {
			continue
		}
		update := ent.FromContext(ctx).TaskChecklistItem.UpdateOneID(one.ID).SetPosition(n + 1)
		if err := update.Exec(viewer.System(ctx)); err != nil {
			return err
		}
	}
	return nil
}

// DeleteStep removes a step of a checklist.
func (s *Service) DeleteStep(ctx context.Context, id int) error {
	i, t, err := s.lockStep(ctx, id)
	if err != nil {
		return err
	}
	if err := ent.FromContext(ctx).TaskChecklistItem.DeleteOne(i).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	s.Live.TaskChanged(ctx, t.CompanyID, t.ID)
	return nil
}

// lockStep returns a step whose task the viewer may change, with the task, which is locked.
func (s *Service) lockStep(ctx context.Context, id int) (*ent.TaskChecklistItem, *ent.Task, error) {
	db := ent.FromContext(ctx).TaskChecklistItem
	i, err := db.Query().Where(taskchecklistitem.ID(id)).Only(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.lock(ctx, i.TaskID)
	if err != nil {
		return nil, nil, err
	}
	i, err = db.Query().Where(taskchecklistitem.ID(id)).Only(ctx) // it may be gone by now
	return i, t, err
}
