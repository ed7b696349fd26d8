package task

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	entTask "workforce/ent/task"
	entTaskCategory "workforce/ent/taskcategory"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/input"
	"workforce/internal/app/project"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/recurrence"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A change holds the given members of a task.
type change struct {
	model.UpdateTaskInput
	of  *ent.Task // nil for a new one
	has []int     // its assignees
	// What the members stand for, after check.
	assignees []int
	position  *geofence.Point
	recursOn  *string // the next date of the recurrence
}

// check checks the given members, and those that belong together.
func (c *change) check(ctx context.Context, me *viewer.Viewer, now time.Time) error {
	var faults errs.Faults
	c.Title, c.Description = attachment.Title(&faults, "title", c.Title), attachment.Description(&faults, c.Description)
	if c.Status.IsSet() && c.Status.Value() == nil {
		faults.Add("status", errs.Required, nil)
	}
	if c.Priority.IsSet() && c.Priority.Value() == nil {
		faults.Add("priority", errs.Required, nil)
	}
	if c.assignees = input.IDs(&faults, "assigneeIds", c.AssigneeIds); c.of == nil && !c.AssigneeIds.IsSet() {
		c.assignees = []int{me.Self()}
	}
	if me.Key != 0 && !slices.ContainsFunc(c.assignees, func(id int) bool { return id != 0 }) &&
		(c.of == nil || c.AssigneeIds.IsSet()) {
		faults.Add("assigneeIds", errs.Required, nil) // the key would see the task no more
	}
	c.checkTimes(&faults)
	c.position = input.OptionalPosition(&faults, c.Latitude.Value(), c.Longitude.Value())
	if err := c.checkRecurrence(ctx, &faults, now, shift.ZoneNamed(me.Timezone)); err != nil {
		return err
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := c.checkStatus(); err != nil {
		return err
	}
	return c.checkReferences(ctx, me)
}

// checkTimes adds a fault for a task that would be due before it starts.
func (c *change) checkTimes(faults *errs.Faults) {
	c.StartAt, c.DueAt = toUTC(c.StartAt), toUTC(c.DueAt)
	start, due := c.start(), c.due()
	if start == nil || due == nil || !due.Before(*start) {
		return
	}
	at := func(t *time.Time) errs.Time { return errs.Time{Time: *t} }
	if c.DueAt.IsSet() {
		faults.Add("dueAt", errs.OutOfRange, errs.Meta{"min": at(start), "max": "9998-12-31"})
	} else {
		faults.Add("startAt", errs.OutOfRange, errs.Meta{"min": "0001-01-01", "max": at(due)})
	}
}

// toUTC returns a time in UTC, to the microsecond.
func toUTC(t input.Omittable[*time.Time]) input.Omittable[*time.Time] {
	if t.Value() == nil {
		return t
	}
	return input.Given(new(t.Value().UTC().Truncate(time.Microsecond)))
}

// start and due return the times of the task as it is to be.
func (c *change) start() *time.Time {
	if c.of != nil && !c.StartAt.IsSet() {
		return c.of.StartAt
	}
	return c.StartAt.Value()
}

func (c *change) due() *time.Time {
	if c.of != nil && !c.DueAt.IsSet() {
		return c.of.DueAt
	}
	return c.DueAt.Value()
}

// checkRecurrence reads the rule by which the task is copied, and finds the next date.
func (c *change) checkRecurrence(ctx context.Context, faults *errs.Faults, now time.Time, zone *time.Location) error {
	text := strings.ToUpper(strings.TrimSpace(input.Value(c.Recurrence.Value())))
	if !c.Recurrence.IsSet() {
		return nil
	}
	if text == "" {
		c.Recurrence = input.Given[*string](nil)
		return nil
	}
	if c.of != nil && c.of.CopyOfID != nil {
		faults.Add("recurrence", errs.Excludes, errs.Meta{"other": "copyOf"})
		return nil
	}
	next, err := nextDate(ctx, text, firstDate(c.start(), c.due(), now, zone), shift.DateOf(now, zone))
	if part, ok := errors.AsType[*recurrence.PartError](err); ok {
		faults.Add("recurrence", part.Reason, part.Meta)
		return nil
	}
	if errors.Is(err, recurrence.ErrRule) {
		faults.Add("recurrence", errs.NoDates, nil)
		return nil
	}
	if err == nil {
		c.Recurrence, c.recursOn = input.Given(&text), new(string(next))
	}
	return err
}

// nextDate returns the first date of a rule after today. It fails with recurrence.ErrRule for text
// that is no rule, and for a rule without such a date. The search runs outside of the transaction.
func nextDate(ctx context.Context, text string, from, today shift.Date) (shift.Date, error) {
	type key struct {
		text        string
		from, today shift.Date
	}
	return tx.Outside(ctx, key{text, from, today}, func(ctx context.Context) (shift.Date, error) {
		r, err := parseRule(ctx, text, from)
		if err != nil {
			return "", err
		}
		next, err := r.next(ctx, today)
		if err == nil && next == "" {
			err = recurrence.ErrRule
		}
		return next, err
	})
}

// firstDate returns the date from which the recurrence of a task counts: that of its start,
// else of its end, else of another instant.
func firstDate(start, due *time.Time, at time.Time, zone *time.Location) shift.Date {
	if start != nil {
		at = *start
	} else if due != nil {
		at = *due
	}
	return shift.DateOf(at, zone)
}

// nextStatuses are the statuses that may follow each.
var nextStatuses = map[entTask.Status][]entTask.Status{
	entTask.StatusOpen:       {entTask.StatusInProgress, entTask.StatusDone, entTask.StatusCancelled},
	entTask.StatusInProgress: {entTask.StatusOpen, entTask.StatusDone, entTask.StatusCancelled},
	entTask.StatusDone:       {entTask.StatusOpen, entTask.StatusInProgress},
	entTask.StatusCancelled:  {entTask.StatusOpen},
}

// mayFollow reports whether a task may go from one status to another. It may always keep its status.
func mayFollow(from, to entTask.Status) bool {
	return from == to || slices.Contains(nextStatuses[from], to)
}

// checkStatus refuses a status that may not follow that of the task.
func (c *change) checkStatus() error {
	if c.of == nil || c.Status.Value() == nil || mayFollow(c.of.Status, *c.Status.Value()) {
		return nil
	}
	return errs.Conflicts(errs.State, "status", errs.Meta{"state": string(c.of.Status)})
}

// checkReferences checks the rows that the members name.
func (c *change) checkReferences(ctx context.Context, me *viewer.Viewer) error {
	db := ent.FromContext(ctx)
	if id := c.CategoryID.Value(); id != nil {
		found, err := db.TaskCategory.Query().Where(entTaskCategory.ID(*id)).Exist(ctx)
		if err := input.Referenced("categoryId", found, err); err != nil {
			return err
		}
	}
	added := attachment.Without(c.assignees, c.has)
	if err := attachment.MayAssign(ctx, me, resource, "assigneeIds", added); err != nil {
		return err
	}
	return c.checkProject(ctx, added)
}

// checkProject refuses a project that takes no tasks, and assignees who are not its members. It checks
// all assignees when the task comes into the project, else those who are added.
func (c *change) checkProject(ctx context.Context, added []int) error {
	id, field := c.ProjectID.Value(), "assigneeIds"
	if !c.AssigneeIds.IsSet() {
		field = "projectId"
	}
	switch moved := c.ProjectID.IsSet() && (c.of == nil || !sameID(id, c.of.ProjectID)); {
	case moved && c.of != nil && c.of.EntryCount > 0:
		return errs.Field(errs.TaskInUse, "projectId", errs.Meta{"entries": c.of.EntryCount})
	case moved && id != nil:
		p, err := project.Open(ctx, "projectId", *id)
		if err != nil {
			return err
		}
		people := c.assignees
		if c.of != nil && !c.AssigneeIds.IsSet() {
			people = c.has
		}
		return project.CheckMembers(ctx, field, p, people...)
	case moved || c.of == nil || c.of.ProjectID == nil || len(added) == 0:
		return nil
	}
	p, err := ent.FromContext(ctx).Project.Get(ctx, *c.of.ProjectID)
	if err != nil {
		return err
	}
	return project.CheckMembers(ctx, field, p, added...)
}

func sameID(a, b *int) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// set applies the given members to a mutation.
func (c *change) set(m *ent.TaskMutation, now time.Time) {
	input.Set(c.Title, m.SetTitle, nil)
	input.Set(c.Description, m.SetDescription, m.ClearDescription)
	input.Set(c.Status, m.SetStatus, nil)
	input.Set(c.Priority, m.SetPriority, nil)
	input.Set(c.ProjectID, m.SetProjectID, m.ClearProjectID)
	input.Set(c.CategoryID, m.SetCategoryID, m.ClearCategoryID)
	input.Set(c.StartAt, m.SetStartAt, m.ClearStartAt)
	input.Set(c.DueAt, m.SetDueAt, m.ClearDueAt)
	input.Set(c.Recurrence, m.SetRecurrence, m.ClearRecurrence)
	switch {
	case c.position != nil:
		m.SetLatitude(c.position.Lat)
		m.SetLongitude(c.position.Lng)
	case (c.Latitude.IsSet() || c.Longitude.IsSet()) && c.of != nil:
		m.ClearLatitude()
		m.ClearLongitude()
	}
	if c.recursOn != nil {
		m.SetRecursOn(*c.recursOn)
	} else if c.Recurrence.IsSet() {
		m.ClearRecursOn()
	}
	if status := c.Status.Value(); status != nil && (c.of == nil || c.of.Status != *status) {
		if *status == entTask.StatusDone {
			m.SetCompletedAt(now)
		} else {
			m.ClearCompletedAt()
		}
	}
}

// memberNames are the names of the members of a task, by column.
var memberNames = map[string]string{
	entTask.FieldTitle: "title", entTask.FieldDescription: "description",
	entTask.FieldStatus: "status", entTask.FieldPriority: "priority",
	entTask.FieldProjectID: "projectId", entTask.FieldCategoryID: "categoryId",
	entTask.FieldStartAt: "startAt", entTask.FieldDueAt: "dueAt", entTask.FieldRecurrence: "recurrence",
	entTask.FieldLatitude: "latitude", entTask.FieldLongitude: "longitude",
}

// difference returns the members that the change would change, by a mutation with its columns.
func (c *change) difference(ctx context.Context, m *ent.TaskMutation) (*input.Difference, error) {
	d, err := input.DifferenceOf(ctx, m, memberNames)
	if err == nil && c.AssigneeIds.IsSet() {
		d.AddIDs("assigneeIds", append([]int{}, c.assignees...), append([]int{}, c.has...))
	}
	return d, err
}
