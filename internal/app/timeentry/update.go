package timeentry

import (
	"context"
	"time"

	"workforce/ent"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	entTaskCategory "workforce/ent/taskcategory"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/booking"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/viewer"
)

// A revision is what of an entry changes: what is not given stays.
type revision struct {
	taskID, projectID, categoryID input.Omittable[*int]
	title                         *string // of a task to find or make; nil for none
	sameTitle                     bool    // the task of the same title in the project
	startAt, endAt                input.Omittable[*time.Time]
	note                          input.Omittable[*string]
	tags                          input.Omittable[[]string]
	latitude, longitude           input.Omittable[*scalar.Coordinate]
}

// Update changes an entry.
func (s *Service) Update(ctx context.Context, id int, in model.UpdateTimeEntryInput) error {
	return s.revise(ctx, id, revision{
		taskID: in.TaskID, projectID: in.ProjectID, categoryID: in.CategoryID, sameTitle: input.Value(in.ClearTask.Value()),
		startAt: in.StartAt, endAt: in.EndAt, note: in.Note, tags: in.Tags,
	})
}

// Save books time of the viewer or changes an entry, and returns its id.
func (s *Service) Save(ctx context.Context, in model.SaveActivityInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	if id := in.ID.Value(); id != nil {
		return *id, s.revise(ctx, *id, revision{
			taskID: input.DropNull(in.TaskID), title: in.Title.Value(), projectID: in.ProjectID, categoryID: in.CategoryID,
			startAt: in.StartAt, endAt: in.EndAt, note: in.Note, latitude: in.Latitude, longitude: in.Longitude,
		})
	}
	var faults errs.Faults
	w, d := readCreateInput(&faults, model.CreateTimeEntryInput{
		TaskID: in.TaskID, Title: in.Title, ProjectID: in.ProjectID, CategoryID: in.CategoryID, StartAt: in.StartAt, EndAt: in.EndAt, Note: in.Note,
		Latitude: in.Latitude, Longitude: in.Longitude,
	})
	e, err := s.create(ctx, me, me.UserID, faults, w, d)
	if err != nil {
		return 0, err
	}
	return e.ID, nil
}

// revise changes an entry.
func (s *Service) revise(ctx context.Context, id int, r revision) error {
	var faults errs.Faults
	note, tags := input.Text(&faults, "note", r.note.Value(), maxNote), tagsOf(&faults, r.tags.Value())
	w := work{taskID: r.taskID.Value(), projectID: r.projectID.Value(), categoryID: r.categoryID.Value(), title: "-"}
	if r.title != nil {
		w.check(&faults, r.title)
	}
	if isSet(r.taskID) && w.taskID == nil {
		faults.Add("taskId", errs.Required, nil)
	}
	at := input.OptionalPosition(&faults, r.latitude.Value(), r.longitude.Value())
	if err := faults.Err(); err != nil {
		return err
	}
	c, e, err := s.open(ctx, id)
	if err != nil {
		return err
	}
	before := *e
	if err := c.retime(ctx, e, r); err != nil {
		return err
	}
	if err := c.move(ctx, e, r, w); err != nil {
		return err
	}
	if err := c.checkRevised(ctx, &before, e); err != nil {
		return err
	}
	update := ent.FromContext(ctx).TimeEntry.Update().Where(entTimeEntry.ID(id)).SetUpdatedAt(c.now)
	if isSet(r.note) {
		update.SetNote(note)
		if note == "" {
			update.ClearNote()
		}
	}
	if isSet(r.tags) {
		update.SetTags(tags)
	}
	if err := place(ctx, c, update, r, at); err != nil {
		return err
	}
	c.sums.add(&before, -1)
	c.sums.add(e, 1)
	if err := set(update, &before, e).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	c.drop(e)
	if e.Slot != nil {
		c.running = append(c.running, e)
	}
	return c.finish(ctx)
}

// set sets what of an entry changed.
func set(u *ent.TimeEntryUpdate, before, e *ent.TimeEntry) *ent.TimeEntryUpdate {
	if e.TaskID != before.TaskID {
		u.SetTaskID(e.TaskID)
	}
	orClear(e.ProjectID, u.SetProjectID, u.ClearProjectID)
	orClear(e.CategoryID, u.SetCategoryID, u.ClearCategoryID)
	orClear(e.StartedAt, u.SetStartedAt, u.ClearStartedAt)
	orClear(e.EndedAt, u.SetEndedAt, u.ClearEndedAt)
	orClear(e.Slot, u.SetSlot, u.ClearSlot)
	orClear(e.LongAt, u.SetLongAt, u.ClearLongAt)
	return u.SetSeconds(e.Seconds).SetDate(e.Date).SetLastDate(e.LastDate)
}

// orClear sets a column, or clears it for nil.
func orClear[T any](v *T, set func(T) *ent.TimeEntryUpdate, clear func() *ent.TimeEntryUpdate) {
	if v != nil {
		set(*v)
		return
	}
	clear()
}

// retime sets the interval of an entry that a revision gives. One that was stopped runs no more.
func (c *change) retime(ctx context.Context, e *ent.TimeEntry, r revision) error {
	if !isSet(r.startAt) && !isSet(r.endAt) {
		return nil
	}
	start, end := e.StartedAt, e.EndedAt
	if isSet(r.startAt) {
		start = whole(r.startAt.Value())
	}
	if isSet(r.endAt) {
		end = whole(r.endAt.Value())
	}
	var faults errs.Faults
	switch {
	case e.Kind == entTimeEntry.KindCorrection:
		faults.Add("startAt", errs.Excludes, errs.Meta{"other": "seconds"})
	case e.EndedAt != nil && start != nil && end == nil:
		faults.Add("endAt", errs.Required, nil)
	}
	rules := c.rules
	if stops := e.Slot != nil && sameInstant(start, e.StartedAt); stops { // which is never refused
		rules.Limit = booking.NoLimit
	}
	rules.Check(&faults, start, end, c.now)
	var newStart, newEnd *time.Time
	if isSet(r.startAt) && !sameInstant(start, e.StartedAt) {
		newStart = start
	}
	if isSet(r.endAt) && !sameInstant(end, e.EndedAt) {
		newEnd = end
	}
	c.checkNow(&faults, newStart, newEnd)
	if err := faults.Err(); err != nil {
		return err
	}
	if start != nil && end != nil {
		long := c.rules.Long(booking.Span{Start: *start, End: *end}, c.now)
		if !long {
			e.LongAt = nil
		} else if e.LongAt == nil {
			e.LongAt = &c.now
		}
	}
	c.drop(e) // it makes no room for itself
	c.setTimes(e, start, end)
	return c.run(ctx, e)
}

// sameInstant reports whether both are none or the same.
func sameInstant(a, b *time.Time) bool { return a == b || a != nil && b != nil && a.Equal(*b) }

// move books an entry on another task, project or category. Another project than the task's
// needs a task, or the title of one. With the title and the project that it has, it stays on its
// task, whatever became of that: apps send them again with each change.
func (c *change) move(ctx context.Context, e *ent.TimeEntry, r revision, w work) error {
	if !isSet(r.taskID) && !isSet(r.projectID) && !isSet(r.categoryID) && r.title == nil {
		return nil
	}
	if w.taskID == nil {
		t, err := ent.FromContext(ctx).Task.Query().Where(entTask.ID(e.TaskID)).Only(viewer.System(ctx)) // of an entry that the viewer changes
		if err != nil {
			return err
		}
		elsewhere := isSet(r.projectID) && input.Value(w.projectID) != input.Value(t.ProjectID) &&
			(t.ProjectID != nil || w.projectID == nil)
		stays := w.title == t.Title && (!isSet(r.projectID) || input.Value(w.projectID) == input.Value(e.ProjectID))
		switch {
		case r.title != nil && !stays: // another task
		case r.title != nil, !elsewhere:
			return c.recategorize(ctx, e, r)
		case !r.sameTitle:
			return errs.Because("projectId", errs.Needs, errs.Meta{"other": "taskId"})
		default:
			w.title = t.Title
		}
	}
	if !isSet(r.projectID) && w.taskID == nil {
		w.projectID = e.ProjectID
	}
	t, err := c.find(ctx, w)
	if err != nil {
		return err
	}
	e.TaskID, e.ProjectID, e.CategoryID = t.task.ID, t.projectID, t.categoryID
	if isSet(r.categoryID) && w.categoryID == nil {
		e.CategoryID = nil
	}
	return nil
}

// recategorize sets the project or category of an entry that stays on its task.
func (c *change) recategorize(ctx context.Context, e *ent.TimeEntry, r revision) error {
	t, err := c.find(viewer.System(ctx), work{taskID: &e.TaskID})
	if err != nil {
		return err
	}
	if isSet(r.projectID) {
		e.ProjectID = t.projectID
		if p := r.projectID.Value(); p != nil {
			found, err := ent.FromContext(ctx).Project.Query().Where(entProject.ID(*p)).Exist(ctx)
			if err := input.Referenced("projectId", found, err); err != nil {
				return err
			}
			e.ProjectID = p
		}
	}
	if isSet(r.categoryID) {
		e.CategoryID = r.categoryID.Value()
		if e.CategoryID != nil {
			found, err := ent.FromContext(ctx).TaskCategory.Query().Where(entTaskCategory.ID(*e.CategoryID)).Exist(ctx)
			return input.Referenced("categoryId", found, err)
		}
	}
	return nil
}

// checkRevised checks an entry as it is to be against locks, its project, its corrections and other
// entries. What alone stops is never refused.
func (c *change) checkRevised(ctx context.Context, before, e *ent.TimeEntry) error {
	stops := before.Slot != nil && e.Slot == nil && sameInstant(before.StartedAt, e.StartedAt) &&
		before.TaskID == e.TaskID && input.Value(before.ProjectID) == input.Value(e.ProjectID)
	if stops {
		return nil
	}
	was, is := c.datesOf(before), c.datesOf(e)
	if err := c.checkLocks(ctx, "", was, is); err != nil {
		return err
	}
	if was != is || input.Value(before.ProjectID) != input.Value(e.ProjectID) {
		g, err := c.readGround(ctx, e, e.TaskID, e.ProjectID, is)
		if err != nil {
			return err
		}
		if err := g.bookable(e.ProjectID, is); err != nil {
			return err
		}
	}
	if sameInstant(before.StartedAt, e.StartedAt) && sameInstant(before.EndedAt, e.EndedAt) {
		return nil
	}
	if lost := before.Seconds - e.Seconds; lost > 0 {
		left, _, err := remainingSeconds(ctx, e)
		if err != nil {
			return err
		}
		if left[e.ID] < lost {
			return errs.Conflicts(errs.Corrected, "", errs.Meta{"state": "corrected"})
		}
	}
	return c.checkOverlap(ctx, e)
}

// place sets or clears where time was booked.
func place(ctx context.Context, c *change, u *ent.TimeEntryUpdate, r revision, at *geofence.Point) error {
	if at != nil {
		u.SetLatitude(at.Lat).SetLongitude(at.Lng)
		return keepPosition(ctx, c, *at)
	}
	if isSet(r.latitude) || isSet(r.longitude) {
		u.ClearLatitude().ClearLongitude()
	}
	return nil
}
