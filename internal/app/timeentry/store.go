package timeentry

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/internal/app/policysql"
	"workforce/internal/timesheet"
)

// Starting a timer, which stops another, is written by hand: by ent it took eight statements more,
// most of them for the audit, and twice as long.

// runningColumns are what is read of a running timer. Without one, the id is 0.
func runningColumns(e *ent.TimeEntry) policysql.Columns {
	return policysql.Columns{
		policysql.Read(entTimeEntry.FieldID, policysql.Optional(&e.ID)), policysql.Read(entTimeEntry.FieldTaskID, policysql.Optional(&e.TaskID)),
		policysql.Read(entTimeEntry.FieldProjectID, policysql.Nullable(&e.ProjectID)), policysql.Read(entTimeEntry.FieldCategoryID, policysql.Nullable(&e.CategoryID)),
		policysql.Read(entTimeEntry.FieldAddressID, policysql.Nullable(&e.AddressID)), policysql.Read(entTimeEntry.FieldKind, policysql.Optional((*string)(&e.Kind))),
		policysql.Read(entTimeEntry.FieldStartedAt, policysql.Nullable(&e.StartedAt)), policysql.Read(entTimeEntry.FieldSeconds, policysql.Optional(&e.Seconds)),
		policysql.Read(entTimeEntry.FieldDate, policysql.Optional(&e.Date)), policysql.Read(entTimeEntry.FieldLastDate, policysql.Optional(&e.LastDate)),
		policysql.Read(entTimeEntry.FieldTimezone, policysql.Optional(&e.Timezone)), policysql.Read(entTimeEntry.FieldSlot, policysql.Nullable(&e.Slot)),
		policysql.Read(entTimeEntry.FieldLongAt, policysql.Nullable(&e.LongAt)),
	}
}

var selectRunning = "SELECT s." + clockstate.FieldTimezone + ", s." + clockstate.FieldTimers + ", " + runningColumns(&ent.TimeEntry{}).Of("e") +
	" FROM " + clockstate.Table + " s LEFT JOIN " + entTimeEntry.Table + " e ON e." + entTimeEntry.FieldUserID + " = s." + clockstate.FieldUserID + " AND e." +
	entTimeEntry.FieldSlot + " IS NOT NULL WHERE s." + clockstate.FieldUserID + " = ? ORDER BY e." + entTimeEntry.FieldStartedAt + ", e." + entTimeEntry.FieldID

// readRunning reads the zone of the person now, and their running timers, the oldest first, without
// note, tags and position.
func (c *change) readRunning(ctx context.Context) error {
	var zone *string
	var e ent.TimeEntry
	all := append([]any{policysql.Nullable(&zone), &c.timers}, policysql.Into(runningColumns(&e))...)
	err := policysql.Each(ctx, selectRunning, func(scan policysql.Scan) error {
		e = ent.TimeEntry{CompanyID: c.me.CompanyID, UserID: c.user}
		if err := scan(all...); err != nil || e.ID == 0 {
			return err
		}
		c.running = append(c.running, new(e))
		return nil
	}, c.user)
	if zone != nil {
		c.zone = *zone
	}
	return err
}

// A ground is what an entry is booked on, and what decides whether a person books it, beside their
// other entries.
type ground struct {
	task    *ent.Task     // nil for one that the viewer does not see
	project *ent.Project  // the one asked for, else the task's; nil for none, and for one that the viewer does not see
	member  bool          // the person is one of the project's
	week    *ent.TimeWeek // the first submitted or approved one with a date of the entry; nil for none
	site    *int          // address where the person was clocked in as it began; nil where they were not
}

// taskColumns are the columns of a task. Without one, the id is 0.
func taskColumns(t *ent.Task) policysql.Columns {
	return policysql.Columns{
		policysql.Read(entTask.FieldID, policysql.Optional(&t.ID)), policysql.Read(entTask.FieldCompanyID, policysql.Optional(&t.CompanyID)),
		policysql.Read(entTask.FieldVersion, policysql.Optional(&t.Version)), policysql.Read(entTask.FieldCreatorID, policysql.Optional(&t.CreatorID)),
		policysql.Read(entTask.FieldTitle, policysql.Optional(&t.Title)), policysql.Read(entTask.FieldDescription, policysql.Nullable(&t.Description)),
		policysql.Read(entTask.FieldStatus, policysql.Optional((*string)(&t.Status))), policysql.Read(entTask.FieldPriority, policysql.Optional((*string)(&t.Priority))),
		policysql.Read(entTask.FieldProjectID, policysql.Nullable(&t.ProjectID)), policysql.Read(entTask.FieldCategoryID, policysql.Nullable(&t.CategoryID)),
		policysql.Read(entTask.FieldStartAt, policysql.Nullable(&t.StartAt)), policysql.Read(entTask.FieldDueAt, policysql.Nullable(&t.DueAt)),
		policysql.Read(entTask.FieldCompletedAt, policysql.Nullable(&t.CompletedAt)),
		policysql.Read(entTask.FieldLatitude, policysql.Nullable(&t.Latitude)), policysql.Read(entTask.FieldLongitude, policysql.Nullable(&t.Longitude)),
		policysql.Read(entTask.FieldTrackedSeconds, policysql.Optional(&t.TrackedSeconds)), policysql.Read(entTask.FieldEntryCount, policysql.Optional(&t.EntryCount)),
		policysql.Read(entTask.FieldTimers, policysql.Optional(&t.Timers)), policysql.Read(entTask.FieldTimersStarted, policysql.Optional(&t.TimersStarted)),
		policysql.Read(entTask.FieldRecurrence, policysql.Nullable(&t.Recurrence)), policysql.Read(entTask.FieldRecursOn, policysql.Nullable(&t.RecursOn)),
		policysql.Read(entTask.FieldCopyOfID, policysql.Nullable(&t.CopyOfID)), policysql.Read(entTask.FieldCopiedOn, policysql.Nullable(&t.CopiedOn)),
		policysql.Read(entTask.FieldCreatedAt, policysql.Optional(&t.CreatedAt)), policysql.Read(entTask.FieldUpdatedAt, policysql.Optional(&t.UpdatedAt)),
		policysql.Read(entTask.FieldDeletedAt, policysql.Nullable(&t.DeletedAt)),
	}
}

// projectColumns are what is read of a project. Without one, the id is 0.
func projectColumns(p *ent.Project) policysql.Columns {
	return policysql.Columns{
		policysql.Read(entProject.FieldID, policysql.Optional(&p.ID)), policysql.Read(entProject.FieldStatus, policysql.Optional((*string)(&p.Status))),
		policysql.Read(entProject.FieldOpenToAll, policysql.Optional(&p.OpenToAll)),
		policysql.Read(entProject.FieldStartsOn, policysql.Nullable(&p.StartsOn)), policysql.Read(entProject.FieldEndsOn, policysql.Nullable(&p.EndsOn)),
	}
}

// weekColumns are what is read of a week. Without one, the id is 0.
func weekColumns(w *ent.TimeWeek) policysql.Columns {
	return policysql.Columns{
		policysql.Read(timeweek.FieldID, policysql.Optional(&w.ID)), policysql.Read(timeweek.FieldState, policysql.Optional((*string)(&w.State))),
		policysql.Read(timeweek.FieldStartsOn, policysql.Optional(&w.StartsOn)), policysql.Read(timeweek.FieldEndsOn, policysql.Optional(&w.EndsOn)),
	}
}

var selectGround = "SELECT " + taskColumns(&ent.Task{}).Of("t") + ", " + projectColumns(&ent.Project{}).Of("p") + ", " + weekColumns(&ent.TimeWeek{}).Of("w") + `,
  EXISTS (SELECT 1 FROM project_members m WHERE m.project_id = p.id AND m.user_id = s.user_id),
  (SELECT a.address_id FROM attendances a WHERE a.company_id = ? AND a.user_id = ? AND a.clocked_in_at <= ? AND (a.open_marker = 1 OR a.clocked_out_at > ?)
    ORDER BY a.clocked_in_at DESC LIMIT 1)
FROM clock_states s
LEFT JOIN time_weeks w ON w.id = (SELECT x.id FROM time_weeks x WHERE x.user_id = ? AND x.state <> 'rejected' AND x.starts_on <= ? AND x.ends_on >= ?
  ORDER BY x.starts_on LIMIT 1)
LEFT JOIN tasks t ON t.id = ? AND `

// readGround reads the ground of an entry on a task and dates, and on a project unless that of the
// task is meant, in one statement.
func (c *change) readGround(ctx context.Context, e *ent.TimeEntry, taskID int, projectID *int, dates timesheet.Period) (ground, error) {
	var g ground
	var t ent.Task
	var p ent.Project
	var w ent.TimeWeek
	var clockedIn *time.Time // the latest time of a clock-in that counts
	if e.StartedAt != nil {
		clockedIn = new(e.StartedAt.Add(time.Second))
	}
	q := policysql.New(ctx)
	q.Add(selectGround, c.me.CompanyID, c.user, clockedIn, e.StartedAt, c.user, string(dates.To), string(dates.From), taskID)
	q.WherePolicy(entTask.Policy, entTask.Table, "t")
	q.Add(" LEFT JOIN projects p ON p.id = COALESCE(?, t.project_id) AND ", projectID)
	q.WherePolicy(entProject.Policy, entProject.Table, "p")
	q.Add(" WHERE s.user_id = ?", c.user)
	into := append(policysql.Into(taskColumns(&t), projectColumns(&p), weekColumns(&w)), policysql.Optional(&g.member), policysql.Nullable(&g.site))
	err := q.Each(func(scan policysql.Scan) error { return scan(into...) })
	if t.ID != 0 {
		g.task = ent.FromContext(ctx).Task.Own(&t)
	}
	if p.ID != 0 {
		g.project = &p
	}
	if w.ID != 0 {
		g.week = &w
	}
	return g, err
}

// audited has the audit told of an entry, as it was before, nil for a new one, and as it is.
func (c *change) audited(before, after *ent.TimeEntry) {
	if c.after == nil {
		c.before, c.after = map[int]ent.Row{}, map[int]ent.Row{}
	}
	if before != nil {
		c.before[before.ID] = ent.Row{Company: c.me.CompanyID, Value: before}
	}
	c.after[after.ID] = ent.Row{Company: c.me.CompanyID, Value: after}
}

// insert writes a new entry, and sets its id.
func insert(ctx context.Context, e *ent.TimeEntry) (err error) {
	e.ID, err = policysql.Insert(ctx, entTimeEntry.Table,
		policysql.Set(entTimeEntry.FieldCompanyID, e.CompanyID), policysql.Set(entTimeEntry.FieldUserID, e.UserID), policysql.Set(entTimeEntry.FieldTaskID, e.TaskID),
		policysql.Set(entTimeEntry.FieldProjectID, e.ProjectID), policysql.Set(entTimeEntry.FieldCategoryID, e.CategoryID), policysql.Set(entTimeEntry.FieldAddressID, e.AddressID),
		policysql.Set(entTimeEntry.FieldKind, string(e.Kind)), policysql.Set(entTimeEntry.FieldStartedAt, e.StartedAt), policysql.Set(entTimeEntry.FieldEndedAt, e.EndedAt),
		policysql.Set(entTimeEntry.FieldSeconds, e.Seconds), policysql.Set(entTimeEntry.FieldDate, e.Date), policysql.Set(entTimeEntry.FieldLastDate, e.LastDate),
		policysql.Set(entTimeEntry.FieldTimezone, e.Timezone), policysql.Set(entTimeEntry.FieldSlot, e.Slot), policysql.Set(entTimeEntry.FieldNote, e.Note),
		policysql.SetJSON(entTimeEntry.FieldTags, e.Tags), policysql.Set(entTimeEntry.FieldLatitude, e.Latitude), policysql.Set(entTimeEntry.FieldLongitude, e.Longitude),
		policysql.Set(entTimeEntry.FieldCreatedAt, e.CreatedAt), policysql.Set(entTimeEntry.FieldUpdatedAt, e.UpdatedAt))
	return err
}

// writeEnd writes that an entry has ended.
func writeEnd(ctx context.Context, e *ent.TimeEntry, now time.Time) error {
	_, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE "+entTimeEntry.Table+" SET "+entTimeEntry.FieldEndedAt+" = ?, "+entTimeEntry.FieldSlot+" = NULL, "+
		entTimeEntry.FieldSeconds+" = ?, "+entTimeEntry.FieldLastDate+" = ?, "+entTimeEntry.FieldLongAt+" = ?, "+entTimeEntry.FieldUpdatedAt+" = ? WHERE "+entTimeEntry.FieldID+" = ?",
		e.EndedAt, e.Seconds, e.LastDate, e.LongAt, now, e.ID)
	return err
}
