package timeentry

import (
	"context"
	"maps"
	"slices"

	"workforce/ent"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	"workforce/internal/errs"
)

// A sum is what changes of entries add to what a task or a project keeps of them.
type sum struct {
	entries, seconds int   // of those that ended
	running          int   // timers
	started          int64 // the sum of their starts, as seconds since 1970
}

// sums are the sums of tasks and projects, by id.
type sums struct{ tasks, projects map[int]sum }

// add adds an entry, or takes it away for a sign of -1.
func (s *sums) add(e *ent.TimeEntry, sign int) {
	if s.tasks == nil {
		s.tasks, s.projects = map[int]sum{}, map[int]sum{}
	}
	of := sum{entries: sign, seconds: sign * e.Seconds}
	if e.Slot != nil {
		of.running, of.started = sign, int64(sign)*e.StartedAt.Unix()
	}
	s.tasks[e.TaskID] = s.tasks[e.TaskID].plus(of)
	if e.ProjectID != nil {
		s.projects[*e.ProjectID] = s.projects[*e.ProjectID].plus(of)
	}
}

// addTo adds a sum to a task that was read before it is written.
func (s sum) addTo(t *ent.Task) {
	t.TrackedSeconds += s.seconds
	t.EntryCount += s.entries
	t.Timers += s.running
	t.TimersStarted += s.started
}

func (s sum) plus(o sum) sum {
	return sum{s.entries + o.entries, s.seconds + o.seconds, s.running + o.running, s.started + o.started}
}

// The statements add to the columns, so that people whose entries have different locks may
// change one task at the same time. Nobody audits the columns.
const (
	addToTask = "UPDATE " + entTask.Table + " SET " + entTask.FieldTrackedSeconds + " = " + entTask.FieldTrackedSeconds + " + ?, " +
		entTask.FieldEntryCount + " = " + entTask.FieldEntryCount + " + ?, " + entTask.FieldTimers + " = " + entTask.FieldTimers + " + ?, " +
		entTask.FieldTimersStarted + " = " + entTask.FieldTimersStarted + " + ? WHERE " + entTask.FieldID + " = ?"
	addToProject = "UPDATE " + entProject.Table + " SET " + entProject.FieldTrackedSeconds + " = " + entProject.FieldTrackedSeconds + " + ?, " +
		entProject.FieldEntryCount + " = " + entProject.FieldEntryCount + " + ?, " + entProject.FieldTimers + " = " + entProject.FieldTimers + " + ?, " +
		entProject.FieldTimersStarted + " = " + entProject.FieldTimersStarted + " + ? WHERE " + entProject.FieldID + " = ?"
)

// changed returns the tasks whose time differs, by id.
func (s *sums) changed() (ids []int) {
	for _, id := range slices.Sorted(maps.Keys(s.tasks)) {
		if s.tasks[id] != (sum{}) {
			ids = append(ids, id)
		}
	}
	return ids
}

// write adds the sums to the rows, in the order of their ids. NOT_FOUND on taskId for another
// entry on a task that was deleted meanwhile.
func (s *sums) write(ctx context.Context) error {
	for _, of := range []struct {
		text, taking string
		sums         map[int]sum
	}{{addToTask, " AND " + entTask.FieldDeletedAt + " IS NULL", s.tasks}, {addToProject, "", s.projects}} {
		for _, id := range slices.Sorted(maps.Keys(of.sums)) {
			add, text := of.sums[id], of.text
			if add == (sum{}) {
				continue
			}
			if add.entries > 0 {
				text += of.taking
			}
			done, err := ent.FromContext(ctx).ExecContext(ctx, text, add.seconds, add.entries, add.running, add.started, id)
			if err != nil {
				return err
			}
			n, err := done.RowsAffected()
			if err == nil && n == 0 { // it was deleted meanwhile
				err = errs.Field(errs.NotFound, "taskId", nil)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
