package project

import (
	"context"

	"workforce/ent"
	entTask "workforce/ent/task"
	entTaskCategory "workforce/ent/taskcategory"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// CreateCategory adds a category of tasks and returns its id.
func (s *Service) CreateCategory(ctx context.Context, in model.CreateTaskCategoryInput) (int, error) {
	if err := mayChange(ctx); err != nil {
		return 0, err
	}
	var faults errs.Faults
	name, color := input.Name(&faults, "name", &in.Name), checkColor(&faults, in.Color)
	if err := faults.Err(); err != nil {
		return 0, err
	}
	create := ent.FromContext(ctx).TaskCategory.Create().SetCompanyID(viewer.From(ctx).CompanyID).SetName(name).SetNillableColor(color.Value())
	if parent := in.ParentID.Value(); parent != nil {
		above, err := ent.FromContext(ctx).TaskCategory.Query().Where(entTaskCategory.ID(*parent)).Only(ctx)
		if err != nil {
			return 0, input.Referenced("parentId", !ent.IsNotFound(err), policysql.IgnoreNotFound(err))
		}
		if above.ParentID != nil {
			return 0, errs.Because("parentId", errs.NotWithin, errs.Meta{"other": "taskCategories"})
		}
		create.SetParentID(*parent)
	}
	c, err := create.Save(ctx)
	if err != nil {
		return 0, input.NameTaken(err, ent.IsConstraintError)
	}
	return c.ID, nil
}

// UpdateCategory changes a category of tasks.
func (s *Service) UpdateCategory(ctx context.Context, id int, in model.UpdateTaskCategoryInput) error {
	c, err := changeableCategory(ctx, id)
	if err != nil {
		return err
	}
	var faults errs.Faults
	if name, given := in.Name.ValueOK(); given {
		in.Name = input.Given(new(input.Name(&faults, "name", name)))
	}
	color := checkColor(&faults, in.Color)
	if err := faults.Err(); err != nil {
		return err
	}
	update := c.Update()
	input.Set(in.Name, update.Mutation().SetName, nil)
	input.Set(color, update.Mutation().SetColor, update.Mutation().ClearColor)
	return input.NameTaken(update.Exec(ctx), ent.IsConstraintError)
}

// DeleteCategory removes a category without tasks, time and categories below it.
func (s *Service) DeleteCategory(ctx context.Context, id int) error {
	c, err := changeableCategory(ctx, id)
	if err != nil {
		return err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx)
	tasks, err := db.Task.Query().Where(entTask.CategoryID(id), entTask.DeletedAtIsNil()).Count(sys)
	if err != nil {
		return err
	}
	children, err := db.TaskCategory.Query().Where(entTaskCategory.ParentID(id)).Count(sys)
	if err != nil {
		return err
	}
	entries, err := db.TimeEntry.Query().Where(entTimeEntry.CategoryID(id)).Count(sys)
	if err != nil {
		return err
	}
	if tasks+entries+children > 0 {
		return errs.Conflicts(errs.HasTasks, "", errs.Meta{"tasks": tasks, "entries": entries, "children": children})
	}
	if err := db.Task.Update().Where(entTask.CategoryID(id), entTask.DeletedAtNotNil()).ClearCategoryID().Exec(sys); err != nil {
		return err
	}
	err = db.TaskCategory.DeleteOne(c).Exec(ctx)
	if ent.IsConstraintError(err) { // used meanwhile
		err = errs.Conflicts(errs.InUse, "", nil)
	}
	return err
}

// changeableCategory returns a category that the viewer may change.
func changeableCategory(ctx context.Context, id int) (*ent.TaskCategory, error) {
	c, err := ent.FromContext(ctx).TaskCategory.Query().Where(entTaskCategory.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return c, mayChange(ctx)
}
