package timeentry

import (
	"context"
	"slices"

	"workforce/ent"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	"workforce/ent/taskassignee"
	entTaskCategory "workforce/ent/taskcategory"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/app/project"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// The bounds of what an entry says.
const (
	maxTitle = 200  // characters
	maxNote  = 5000 // characters
	maxTags  = 20
	maxTag   = 50 // characters
)

// A work says what time is booked on, as it was asked for: a task, or the title of one. A nil
// project or category is that of the task.
type work struct {
	taskID, projectID, categoryID *int
	title                         string
}

// check adds the faults of a work.
func (w *work) check(faults *errs.Faults, title *string) {
	if w.taskID == nil || title != nil {
		w.title = input.Required(faults, "title", title, maxTitle)
	}
}

// A target is what an entry is booked on.
type target struct {
	task                  *ent.Task
	projectID, categoryID *int
}

// find returns the task that a work names, with its project and category, or makes it.
// NOT_FOUND on a member; VALIDATION_FAILED on projectId for another project than the task's.
func (c *change) find(ctx context.Context, w work) (target, error) {
	if err := w.checkNamed(ctx); err != nil {
		return target{}, err
	}
	t, err := c.taskOf(ctx, w)
	if err != nil {
		return target{}, err
	}
	return w.on(t)
}

// checkNamed returns NOT_FOUND on the member that names a project or category which the viewer
// does not see.
func (w *work) checkNamed(ctx context.Context) error {
	if w.projectID != nil {
		found, err := ent.FromContext(ctx).Project.Query().Where(entProject.ID(*w.projectID)).Exist(ctx)
		if err := input.Referenced("projectId", found, err); err != nil {
			return err
		}
	}
	if w.categoryID != nil {
		found, err := ent.FromContext(ctx).TaskCategory.Query().Where(entTaskCategory.ID(*w.categoryID)).Exist(ctx)
		return input.Referenced("categoryId", found, err)
	}
	return nil
}

// on returns what a work comes to on a task, with the errors of find for it; nil for no task.
func (w *work) on(t *ent.Task) (target, error) {
	if t == nil {
		return target{}, errs.Field(errs.NotFound, "taskId", nil)
	}
	out := target{task: t, projectID: t.ProjectID, categoryID: t.CategoryID}
	if w.projectID != nil {
		if t.ProjectID != nil && *t.ProjectID != *w.projectID {
			return target{}, errs.Because("projectId", errs.NotWithin, errs.Meta{"other": "taskId"})
		}
		out.projectID = w.projectID
	}
	if w.categoryID != nil {
		out.categoryID = w.categoryID
	}
	return out, nil
}

// taskOf returns the task of a work: the one named, nil where the viewer does not see it; without
// one, the latest unfinished one of the viewer with the title in the project, else a new one.
func (c *change) taskOf(ctx context.Context, w work) (*ent.Task, error) {
	db := ent.FromContext(ctx).Task
	if w.taskID != nil {
		t, err := db.Query().Where(entTask.ID(*w.taskID)).Select(entTask.FieldProjectID, entTask.FieldCategoryID).Only(ctx)
		return t, policysql.IgnoreNotFound(err)
	}
	in := entTask.ProjectIDIsNil()
	if w.projectID != nil {
		in = entTask.ProjectID(*w.projectID)
	}
	mine := entTask.Or(entTask.CreatorID(c.me.Self()), entTask.HasTaskAssigneesWith(taskassignee.UserID(c.me.Self())))
	found, err := db.Query().Where(entTask.Title(w.title), in, mine, entTask.StatusIn(entTask.StatusOpen, entTask.StatusInProgress)).
		Order(ent.Desc(entTask.FieldID)).First(ctx)
	if !ent.IsNotFound(err) {
		return found, err
	}
	id, err := c.NewTask(ctx, model.SaveTaskInput{Title: w.title, ProjectID: input.Given(w.projectID), CategoryID: input.Given(w.categoryID)})
	if err != nil {
		return nil, err
	}
	return db.Get(ctx, id)
}

// bookable returns an error where the person books no time on a project, which id names, on dates:
// NOT_FOUND for one that the viewer does not see, CONFLICT with the state of an archived one,
// FORBIDDEN for who is no member, and VALIDATION_FAILED on startAt before its first and after its
// last date.
func (g *ground) bookable(id *int, dates timesheet.Period) error {
	if id == nil {
		return nil
	}
	if err := project.CheckOpen("projectId", g.project); err != nil {
		return err
	}
	if !g.project.OpenToAll && !g.member {
		return errs.Field(errs.Forbidden, "projectId", nil)
	}
	first, last := input.Value(g.project.StartsOn), input.Value(g.project.EndsOn)
	for _, d := range []shift.Date{dates.From, dates.To} {
		if string(d) < first || last != "" && string(d) > last {
			meta := errs.Meta{"min": "1000-01-01", "max": forever}
			if first != "" {
				meta["min"] = first
			}
			if last != "" {
				meta["max"] = last
			}
			return errs.Because("startAt", errs.OutOfRange, meta)
		}
	}
	return nil
}

// tagsOf returns tags in order, each once.
func tagsOf(faults *errs.Faults, list []string) []string {
	if len(list) > maxTags {
		faults.Add("tags", errs.TooMany, errs.Meta{"max": maxTags})
	}
	out := make([]string, 0, len(list))
	for _, text := range list {
		out = append(out, input.Required(faults, "tags", &text, maxTag))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
