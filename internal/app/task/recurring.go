package task

import (
	"context"
	"errors"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	"workforce/ent/user"
	"workforce/internal/app/job"
	"workforce/internal/app/policysql"
	"workforce/internal/recurrence"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

const (
	recurEvery = time.Minute
	recurBatch = 100 // tasks that one statement looks up
)

// CopyJob is the periodic job that copies recurring tasks as the company's day begins.
func (s *Service) CopyJob() job.Kind {
	return job.Kind{Name: "recurring_tasks", Every: recurEvery, Run: func(ctx context.Context, r *job.Run) error {
		for after := 0; ; {
			due, err := s.dueTasks(ctx, after)
			if err != nil || len(due) == 0 {
				return err
			}
			for _, t := range due {
				after = t.ID
				if err := r.Commit(ctx, func(ctx context.Context) error { return s.recur(ctx, t.ID) }); err != nil {
					return err
				}
			}
		}
	}}
}

// dueTasks returns recurring tasks that may be due somewhere on Earth, by id.
func (s *Service) dueTasks(ctx context.Context, after int) ([]*ent.Task, error) {
	latest := shift.DateOf(s.Now().Add(14*time.Hour), time.UTC)
	return s.DB.Task.Query().Where(entTask.RecursOnLTE(string(latest)), entTask.DeletedAtIsNil(), entTask.IDGT(after)).
		Order(ent.Asc(entTask.FieldID)).Limit(recurBatch).Select(entTask.FieldID).All(viewer.System(ctx))
}

// recur copies a task for the last date on which it was due, in a transaction: none for a date
// on which its project is archived.
func (s *Service) recur(ctx context.Context, id int) error {
	t, err := ent.FromContext(ctx).Task.Query().Where(entTask.ID(id), entTask.DeletedAtIsNil()).WithProject().Only(ctx)
	if err != nil || t.RecursOn == nil || t.Recurrence == nil {
		return policysql.IgnoreNotFound(err)
	}
	c, err := ent.FromContext(ctx).Company.Get(ctx, t.CompanyID)
	if err != nil {
		return err
	}
	zone := shift.ZoneNamed(c.Timezone)
	today := shift.DateOf(s.Now(), zone)
	if *t.RecursOn > string(today) {
		return nil
	}
	first := firstDate(t.StartAt, t.DueAt, t.CreatedAt, zone)
	next, on, err := datesAround(ctx, *t.Recurrence, first, today)
	if errors.Is(err, recurrence.ErrRule) { // its dates were changed since: it has none any more
		return t.Update().ClearRecursOn().Exec(ctx)
	}
	if err != nil {
		return err
	}
	change := ent.FromContext(ctx).Task.Update().Where(entTask.ID(id), entTask.RecursOn(*t.RecursOn))
	if next != "" {
		change.SetRecursOn(string(next))
	} else {
		change.ClearRecursOn()
	}
	n, err := change.Save(ctx)
	if err != nil || n == 0 { // another instance did
		return err
	}
	if p := t.Edges.Project; string(on) < *t.RecursOn || p != nil && p.Status == entProject.StatusArchived {
		return nil
	}
	return s.copy(ctx, t, first, on, zone)
}

// datesAround returns the first date of a rule after today and the last up to today, "" for
// none.
func datesAround(ctx context.Context, text string, from, today shift.Date) (next, last shift.Date, err error) {
	r, err := parseStoredRule(ctx, text, from)
	if err != nil {
		return "", "", err
	}
	if next, err = r.next(ctx, today); err != nil {
		return "", "", err
	}
	last, err = r.last(ctx, today)
	return next, last, err
}

// copy makes the copy of a task for a date, at the same wall times.
func (s *Service) copy(ctx context.Context, t *ent.Task, first, on shift.Date, zone *time.Location) error {
	made, err := ent.FromContext(ctx).Task.Query().Where(entTask.CopyOfID(t.ID), entTask.CopiedOn(string(on))).Exist(ctx)
	if err != nil || made {
		return err
	}
	later := func(at *time.Time) *time.Time {
		if at == nil {
			return nil
		}
		return new(at.In(zone).AddDate(0, 0, on.Days(first)).UTC())
	}
	now := s.Now()
	c, err := ent.FromContext(ctx).Task.Create().SetCompanyID(t.CompanyID).SetCreatorID(t.CreatorID).
		SetTitle(t.Title).SetNillableDescription(t.Description).SetPriority(t.Priority).
		SetNillableProjectID(t.ProjectID).SetNillableCategoryID(t.CategoryID).
		SetNillableStartAt(later(t.StartAt)).SetNillableDueAt(later(t.DueAt)).
		SetNillableLatitude(t.Latitude).SetNillableLongitude(t.Longitude).
		SetCopyOfID(t.ID).SetCopiedOn(string(on)).SetCreatedAt(now).SetUpdatedAt(now).Save(ctx)
	if err != nil {
		return err
	}
	people, err := copyAssignees(ctx, t)
	if err != nil {
		return err
	}
	if err := assign(ctx, c, nil, people); err != nil {
		return err
	}
	list, err := checklistOf(ctx, t.ID)
	if err != nil {
		return err
	}
	err = ent.FromContext(ctx).TaskChecklistItem.MapCreateBulk(list, func(i *ent.TaskChecklistItemCreate, n int) {
		i.SetCompanyID(c.CompanyID).SetTaskID(c.ID).SetTitle(list[n].Title).SetPosition(list[n].Position)
	}).Exec(ctx)
	if err != nil {
		return err
	}
	if err := indexWords(ctx, c); err != nil {
		return err
	}
	s.Live.TaskChanged(ctx, c.CompanyID, c.ID)
	return nil
}

// copyAssignees returns the assignees of a task who may be given a copy: those who are active, and
// still members of its project where that is not open to all.
func copyAssignees(ctx context.Context, t *ent.Task) ([]int, error) {
	q := t.QueryAssignees().Where(user.Active(true))
	if p := t.Edges.Project; p != nil && !p.OpenToAll {
		q.Where(user.HasProjectsWith(entProject.ID(p.ID)))
	}
	return q.Order(ent.Asc(user.FieldID)).IDs(ctx)
}
