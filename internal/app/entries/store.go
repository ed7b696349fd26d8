package entries

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/project"
	"workforce/ent/task"
	row "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/internal/app/rows"
	"workforce/internal/timesheet"
)

// Starting a timer, which stops another, is written by hand: by ent it took eight statements more,
// most of them for the audit, and twice as long.

// runningColumns are what is read of a running timer. Without one, the id is 0.
func runningColumns(e *ent.TimeEntry) rows.Columns {
	return rows.Columns{
		rows.Read(row.FieldID, rows.Optional(&e.ID)), rows.Read(row.FieldTaskID, rows.Optional(&e.TaskID)),
		rows.Read(row.FieldProjectID, rows.Nullable(&e.ProjectID)), rows.Read(row.FieldCategoryID, rows.Nullable(&e.CategoryID)),
		rows.Read(row.FieldAddressID, rows.Nullable(&e.AddressID)), rows.Read(row.FieldKind, rows.Optional((*string)(&e.Kind))),
		rows.Read(row.FieldStartedAt, rows.Nullable(&e.StartedAt)), rows.Read(row.FieldSeconds, rows.Optional(&e.Seconds)),
		rows.Read(row.FieldDate, rows.Optional(&e.Date)), rows.Read(row.FieldLastDate, rows.Optional(&e.LastDate)),
		rows.Read(row.FieldTimezone, rows.Optional(&e.Timezone)), rows.Read(row.FieldSlot, rows.Nullable(&e.Slot)),
		rows.Read(row.FieldLongAt, rows.Nullable(&e.LongAt)),
	}
}

var selectRunning = "SELECT s." + clockstate.FieldTimezone + ", s." + clockstate.FieldTimers + ", " + runningColumns(&ent.TimeEntry{}).Of("e") +
	" FROM " + clockstate.Table + " s LEFT JOIN " + row.Table + " e ON e." + row.FieldUserID + " = s." + clockstate.FieldUserID + " AND e." +
	row.FieldSlot + " IS NOT NULL WHERE s." + clockstate.FieldUserID + " = ? ORDER BY e." + row.FieldStartedAt + ", e." + row.FieldID

// readRunning reads the zone of the person now, and their running timers, the oldest first, without
// note, tags and position.
func (c *change) readRunning(ctx context.Context) error {
	var zone *string
	var e ent.TimeEntry
	all := append([]any{rows.Nullable(&zone), &c.timers}, rows.Into(runningColumns(&e))...)
	err := rows.Each(ctx, selectRunning, func(scan rows.Scan) error {
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
func taskColumns(t *ent.Task) rows.Columns {
	return rows.Columns{
		rows.Read(task.FieldID, rows.Optional(&t.ID)), rows.Read(task.FieldCompanyID, rows.Optional(&t.CompanyID)),
		rows.Read(task.FieldVersion, rows.Optional(&t.Version)), rows.Read(task.FieldCreatorID, rows.Optional(&t.CreatorID)),
		rows.Read(task.FieldTitle, rows.Optional(&t.Title)), rows.Read(task.FieldDescription, rows.Nullable(&t.Description)),
		rows.Read(task.FieldStatus, rows.Optional((*string)(&t.Status))), rows.Read(task.FieldPriority, rows.Optional((*string)(&t.Priority))),
		rows.Read(task.FieldProjectID, rows.Nullable(&t.ProjectID)), rows.Read(task.FieldCategoryID, rows.Nullable(&t.CategoryID)),
		rows.Read(task.FieldStartAt, rows.Nullable(&t.StartAt)), rows.Read(task.FieldDueAt, rows.Nullable(&t.DueAt)),
		rows.Read(task.FieldCompletedAt, rows.Nullable(&t.CompletedAt)),
		rows.Read(task.FieldLatitude, rows.Nullable(&t.Latitude)), rows.Read(task.FieldLongitude, rows.Nullable(&t.Longitude)),
		rows.Read(task.FieldTrackedSeconds, rows.Optional(&t.TrackedSeconds)), rows.Read(task.FieldEntryCount, rows.Optional(&t.EntryCount)),
		rows.Read(task.FieldTimers, rows.Optional(&t.Timers)), rows.Read(task.FieldTimersStarted, rows.Optional(&t.TimersStarted)),
		rows.Read(task.FieldRecurrence, rows.Nullable(&t.Recurrence)), rows.Read(task.FieldRecursOn, rows.Nullable(&t.RecursOn)),
		rows.Read(task.FieldCopyOfID, rows.Nullable(&t.CopyOfID)), rows.Read(task.FieldCopiedOn, rows.Nullable(&t.CopiedOn)),
		rows.Read(task.FieldCreatedAt, rows.Optional(&t.CreatedAt)), rows.Read(task.FieldUpdatedAt, rows.Optional(&t.UpdatedAt)),
		rows.Read(task.FieldDeletedAt, rows.Nullable(&t.DeletedAt)),
	}
}

// projectColumns are what is read of a project. Without one, the id is 0.
func projectColumns(p *ent.Project) rows.Columns {
	return rows.Columns{
		rows.Read(project.FieldID, rows.Optional(&p.ID)), rows.Read(project.FieldStatus, rows.Optional((*string)(&p.Status))),
		rows.Read(project.FieldOpenToAll, rows.Optional(&p.OpenToAll)),
		rows.Read(project.FieldStartsOn, rows.Nullable(&p.StartsOn)), rows.Read(project.FieldEndsOn, rows.Nullable(&p.EndsOn)),
	}
}

// weekColumns are what is read of a week. Without one, the id is 0.
func weekColumns(w *ent.TimeWeek) rows.Columns {
	return rows.Columns{
		rows.Read(timeweek.FieldID, rows.Optional(&w.ID)), rows.Read(timeweek.FieldState, rows.Optional((*string)(&w.State))),
		rows.Read(timeweek.FieldStartsOn, rows.Optional(&w.StartsOn)), rows.Read(timeweek.FieldEndsOn, rows.Optional(&w.EndsOn)),
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
	q := rows.New(ctx)
	q.Add(selectGround, c.me.CompanyID, c.user, clockedIn, e.StartedAt, c.user, string(dates.To), string(dates.From), taskID)
	q.WherePolicy(task.Policy, task.Table, "t")
	q.Add(" LEFT JOIN projects p ON p.id = COALESCE(?, t.project_id) AND ", projectID)
	q.WherePolicy(project.Policy, project.Table, "p")
	q.Add(" WHERE s.user_id = ?", c.user)
	into := append(rows.Into(taskColumns(&t), projectColumns(&p), weekColumns(&w)), rows.Optional(&g.member), rows.Nullable(&g.site))
	err := q.Each(func(scan rows.Scan) error { return scan(into...) })
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
	e.ID, err = rows.Insert(ctx, row.Table,
		rows.Set(row.FieldCompanyID, e.CompanyID), rows.Set(row.FieldUserID, e.UserID), rows.Set(row.FieldTaskID, e.TaskID),
		rows.Set(row.FieldProjectID, e.ProjectID), rows.Set(row.FieldCategoryID, e.CategoryID), rows.Set(row.FieldAddressID, e.AddressID),
		rows.Set(row.FieldKind, string(e.Kind)), rows.Set(row.FieldStartedAt, e.StartedAt), rows.Set(row.FieldEndedAt, e.EndedAt),
		rows.Set(row.FieldSeconds, e.Seconds), rows.Set(row.FieldDate, e.Date), rows.Set(row.FieldLastDate, e.LastDate),
		rows.Set(row.FieldTimezone, e.Timezone), rows.Set(row.FieldSlot, e.Slot), rows.Set(row.FieldNote, e.Note),
		rows.SetJSON(row.FieldTags, e.Tags), rows.Set(row.FieldLatitude, e.Latitude), rows.Set(row.FieldLongitude, e.Longitude),
		rows.Set(row.FieldCreatedAt, e.CreatedAt), rows.Set(row.FieldUpdatedAt, e.UpdatedAt))
	return err
}

// writeEnd writes that an entry has ended.
func writeEnd(ctx context.Context, e *ent.TimeEntry, now time.Time) error {
	_, err := ent.FromContext(ctx).ExecContext(ctx, "UPDATE "+row.Table+" SET "+row.FieldEndedAt+" = ?, "+row.FieldSlot+" = NULL, "+
		row.FieldSeconds+" = ?, "+row.FieldLastDate+" = ?, "+row.FieldLongAt+" = ?, "+row.FieldUpdatedAt+" = ? WHERE "+row.FieldID+" = ?",
		e.EndedAt, e.Seconds, e.LastDate, e.LongAt, now, e.ID)
	return err
}
