package task

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/predicate"
	entProject "workforce/ent/project"
	entTask "workforce/ent/task"
	"workforce/ent/taskassignee"
	entTaskCategory "workforce/ent/taskcategory"
	"workforce/ent/taskword"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/app/scheduling"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// maxDays is how many days a period of due times has at most.
const maxDays = 366

// A Filter selects tasks; a nil member selects all.
type Filter struct {
	Status     *entTask.Status
	ProjectID  *int
	CategoryID *int
	AssigneeID *int
	From, To   *period.Bound // of the due time
	Search     *string
}

// List returns a query of the tasks that a filter lets through. NOT_FOUND on a project,
// category or person that the viewer does not see.
func (s *Service) List(ctx context.Context, f Filter) (*ent.TaskQuery, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	due := s.dueFilter(&faults, me, f)
	matches := attachment.SearchFilter(&faults, f.Search, taskword.Table, taskword.FieldTaskID)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := f.check(ctx); err != nil {
		return nil, err
	}
	q := ent.FromContext(ctx).Task.Query().Where(due...)
	for _, match := range matches {
		q.Where(match)
	}
	if f.Status != nil {
		q.Where(entTask.StatusEQ(*f.Status))
	}
	if f.ProjectID != nil {
		q.Where(entTask.ProjectID(*f.ProjectID))
	}
	if f.CategoryID != nil {
		q.Where(entTask.CategoryID(*f.CategoryID))
	}
	if f.AssigneeID != nil {
		q.Where(assignedTo(*f.AssigneeID))
	}
	return q, nil
}

// check refuses ids of rows that the viewer does not see.
func (f Filter) check(ctx context.Context) error {
	db := ent.FromContext(ctx)
	if f.ProjectID != nil {
		found, err := db.Project.Query().Where(entProject.ID(*f.ProjectID)).Exist(ctx)
		if err := input.Referenced("projectId", found, err); err != nil {
			return err
		}
	}
	if f.CategoryID != nil {
		found, err := db.TaskCategory.Query().Where(entTaskCategory.ID(*f.CategoryID)).Exist(ctx)
		if err := input.Referenced("categoryId", found, err); err != nil {
			return err
		}
	}
	if f.AssigneeID != nil {
		found, err := db.User.Query().Where(user.ID(*f.AssigneeID)).Exist(ctx)
		return input.Referenced("assigneeId", found, err)
	}
	return nil
}

// dueFilter returns the conditions of the period of due times.
func (s *Service) dueFilter(faults *errs.Faults, me *viewer.Viewer, f Filter) (all []predicate.Task) {
	rules := period.Rules{
		Now: s.Now(), Zone: shift.ZoneNamed(me.Timezone), FirstWeekday: setting.FirstWeekday.Of(me.Settings), Days: maxDays,
	}
	if f.From != nil && f.To != nil {
		rules.Read(faults, f.From, f.To)
	}
	if f.From != nil {
		all = append(all, entTask.DueAtGTE(rules.Start(*f.From)))
	}
	if f.To != nil {
		all = append(all, entTask.DueAtLT(rules.End(*f.To)))
	}
	return all
}

// assignedTo matches the tasks that a person is assigned to.
func assignedTo(id int) predicate.Task {
	return func(s *sql.Selector) {
		links := sql.Table(taskassignee.Table).As("wanted_assignees")
		s.Where(sql.In(s.C(entTask.FieldID), sql.Dialect(s.Dialect()).Select(links.C(taskassignee.FieldTaskID)).From(links).
			Where(sql.EQ(links.C(taskassignee.FieldUserID), id))))
	}
}

// NewestFirst orders tasks as lists show them.
func NewestFirst(q *ent.TaskQuery) *ent.TaskQuery {
	return q.Order(ent.Desc(entTask.FieldCreatedAt, entTask.FieldID))
}

// Widget returns the numbers of the viewer's tasks, without items, and the query of these:
// the unfinished, soonest due first.
func (s *Service) Widget(ctx context.Context, limit *int) (*model.TasksWidget, *ent.TaskQuery, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, nil, err
	}
	n, err := attachment.WidgetItems(ctx, limit)
	if err != nil {
		return nil, nil, err
	}
	w, err := s.count(ctx, me)
	q := ent.FromContext(ctx).Task.Query().
		Where(assignedTo(me.UserID), entTask.StatusIn(entTask.StatusOpen, entTask.StatusInProgress)).
		Order(orderByDue).Limit(n)
	return w, q, err
}

// orderByDue orders tasks by when they are due, those without a time last.
func orderByDue(s *sql.Selector) {
	due := s.C(entTask.FieldDueAt)
	s.OrderExpr(sql.Expr(due+" IS NULL")).OrderBy(due, s.C(entTask.FieldID))
}

// count counts the viewer's tasks.
func (s *Service) count(ctx context.Context, me *viewer.Viewer) (*model.TasksWidget, error) {
	now := s.Now()
	zone, err := scheduling.ZoneOf(ctx, me.UserID)
	if err != nil {
		return nil, err
	}
	today := shift.DateOf(now, zone).In(zone).UTC()
	countIf := func(condition string) string { return "COUNT(CASE WHEN " + condition + " THEN 1 END)" }
	q := policysql.New(database.Unprepared(ctx))
	q.Add("SELECT "+countIf("t.status = 'open'")+", "+countIf("t.status = 'in_progress'")+", "+
		countIf("t.status IN ('open', 'in_progress') AND t.due_at < ?")+", "+
		countIf("t.status = 'done' AND t.completed_at >= ?")+
		" FROM "+entTask.Table+" AS t JOIN "+taskassignee.Table+" AS a ON a.task_id = t.id WHERE a.user_id = ? AND ",
		now, today, me.UserID)
	q.WherePolicy(entTask.Policy, entTask.Table, "t")
	w := &model.TasksWidget{Items: []*ent.Task{}}
	err = q.Each(func(scan policysql.Scan) error { return scan(&w.Open, &w.InProgress, &w.Overdue, &w.DoneToday) })
	return w, err
}
