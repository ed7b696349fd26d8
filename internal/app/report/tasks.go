package report

import (
	"context"
	"strconv"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/predicate"
	entTask "workforce/ent/task"
	"workforce/ent/taskassignee"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/graph/model"
	"workforce/internal/app/timetotals"
	"workforce/internal/period"
	"workforce/internal/report"
	"workforce/internal/shift"
)

// taskShape has a row for each task that was created, due or done in the period, or on which
// time was booked in it, the newest first.
var taskShape = shape{
	columns: []report.Column{
		column("title", report.Text, 34), column("project", report.Text, 20), column("category", report.Text, 16), column("status", report.Text, 12),
		column("priority", report.Text, 10), column("assignees", report.Text, 30), column("start", report.Instant, 19), column("due", report.Instant, 19),
		column("completed", report.Instant, 19), column("tracked", report.Duration, 10),
	},
	each: taskRows,
}

// taskPage is how many tasks are read at once: of so many the time is added up by one statement.
const taskPage = 100

func taskRows(ctx context.Context, b *building) (report.Summary, error) {
	byStatus, tracked, done := newSeries(), 0, 0
	for _, s := range []entTask.Status{entTask.StatusOpen, entTask.StatusInProgress, entTask.StatusDone, entTask.StatusCancelled} {
		byStatus.declare(string(s), b.words.of("task."+string(s)))
	}
	q := ent.FromContext(ctx).Task.Query().Where(b.tasks()...)
	all, err := q.Clone().Count(ctx)
	if err != nil || b.period.To < b.period.From {
		return report.Summary{}, err
	}
	var last *ent.Task
	for {
		next := q.Clone().WithProject().WithCategory().WithAssignees().Order(ent.Desc(entTask.FieldCreatedAt, entTask.FieldID)).Limit(taskPage)
		if last != nil {
			next.Where(entTask.Or(entTask.CreatedAtLT(last.CreatedAt), entTask.And(entTask.CreatedAt(last.CreatedAt), entTask.IDLT(last.ID))))
		}
		list, err := next.All(ctx)
		if err != nil {
			return report.Summary{}, err
		}
		seconds, err := b.tracked(ctx, list)
		if err != nil {
			return report.Summary{}, err
		}
		for _, t := range list {
			last = t
			byStatus.sums[string(t.Status)]++
			tracked += seconds[t.ID]
			if err := b.row(b.task(t, seconds[t.ID])...); err != nil {
				return report.Summary{}, err
			}
		}
		if done += len(list); len(list) < taskPage {
			break
		}
		if err := b.progress(done, all); err != nil {
			return report.Summary{}, err
		}
	}
	total := report.Line{Label: b.words.of("tracked"), Value: report.Seconds(tracked)}
	return report.Summary{Totals: append(byStatus.bars(report.Number, false), total), Chart: report.Chart{
		Title: b.words.of("tasksByStatus"), Type: report.Number, Bars: byStatus.bars(report.Number, true),
	}}, nil
}

// tasks matches the tasks of the report; the policy of tasks says which of them the viewer sees.
func (b *building) tasks() []predicate.Task {
	zone := shift.ZoneNamed(b.zone)
	from, to := b.period.From.In(zone), b.period.To.AddDays(1).In(zone)
	booked := func(s *sql.Selector) {
		e := sql.Table(entTimeEntry.Table).As("booked")
		where := sql.And(sql.ColumnsEQ(e.C(entTimeEntry.FieldTaskID), s.C(entTask.FieldID)),
			sql.LTE(e.C(entTimeEntry.FieldDate), string(b.period.To)), sql.GTE(e.C(entTimeEntry.FieldLastDate), string(b.period.From)))
		if b.subject != nil {
			where = sql.And(where, sql.EQ(e.C(entTimeEntry.FieldUserID), *b.subject))
		}
		s.Where(sql.Exists(sql.Select(e.C(entTimeEntry.FieldID)).From(e).Where(where)))
	}
	within := func(gte, lt predicate.Task) predicate.Task { return entTask.And(gte, lt) }
	in := []predicate.Task{entTask.Or(
		within(entTask.CreatedAtGTE(from), entTask.CreatedAtLT(to)), within(entTask.DueAtGTE(from), entTask.DueAtLT(to)),
		within(entTask.CompletedAtGTE(from), entTask.CompletedAtLT(to)), booked,
	)}
	if b.subject != nil {
		assigned := entTask.HasTaskAssigneesWith(taskassignee.UserID(*b.subject))
		in = append(in, entTask.Or(assigned, booked))
	}
	if b.project != nil {
		in = append(in, entTask.ProjectID(*b.project))
	}
	return in
}

// tracked returns the seconds that were booked on some tasks in the period, as far as the
// viewer reads the time of people.
func (b *building) tracked(ctx context.Context, list []*ent.Task) (map[int]int, error) {
	out := map[int]int{}
	if len(list) == 0 {
		return out, nil
	}
	f := timetotals.Filter{From: new(period.Day(b.period.From)), To: new(period.Day(b.period.To))}
	for _, t := range list {
		f.TaskIDs = append(f.TaskIDs, t.ID)
	}
	if b.subject != nil {
		f.UserIDs = []int{*b.subject}
	}
	sums, err := b.Booked.Totals(ctx, f, timetotals.Grouping{By: new(model.TimeDimensionTask)})
	if err != nil {
		return nil, err
	}
	for _, g := range sums.Groups {
		if g.Key == nil {
			continue
		}
		id, err := strconv.Atoi(*g.Key)
		if err != nil {
			return nil, err
		}
		out[id] = g.Seconds
	}
	return out, nil
}

// task returns the cells of a task.
func (b *building) task(t *ent.Task, seconds int) []cell {
	var project, category string
	if t.Edges.Project != nil {
		project = t.Edges.Project.Name
	}
	if t.Edges.Category != nil {
		category = t.Edges.Category.Name
	}
	var names []string
	for _, u := range t.Edges.Assignees {
		names = append(names, u.Name)
	}
	return []cell{
		report.Of(t.Title), report.Of(project), report.Of(category), report.Of(b.words.of("task." + string(t.Status))),
		report.Of(b.words.of("priority." + string(t.Priority))), report.Of(strings.Join(names, ", ")),
		at(t.StartAt), at(t.DueAt), at(t.CompletedAt), report.Seconds(seconds),
	}
}

// at returns the cell of an instant; an empty one for nil.
func at(t *time.Time) cell {
	if t == nil {
		return cell{}
	}
	return report.At(*t)
}
