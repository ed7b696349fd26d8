package project

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entProject "workforce/ent/project"
	"workforce/ent/projectmember"
	entTask "workforce/ent/task"
	entTaskCategory "workforce/ent/taskcategory"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/booking"
	"workforce/internal/errs"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// maxList is how many projects or categories a list has at most.
const maxList = 10_000

// List returns a query of the projects with a status, active for nil, those with search in
// their name or code, by name; nil is no search. VALIDATION_FAILED for a search that is too
// long.
func (s *Service) List(ctx context.Context, search *string, status *entProject.Status) (*ent.ProjectQuery, error) {
	wanted := entProject.StatusActive
	if status != nil {
		wanted = *status
	}
	q := ent.FromContext(ctx).Project.Query().Where(entProject.StatusEQ(wanted)).Order(ent.Asc(entProject.FieldSortName, entProject.FieldID)).Limit(maxList)
	if search == nil {
		return q, nil
	}
	named, err := input.Search("search", *search, entProject.FieldSearchName)
	if err != nil {
		return nil, err
	}
	code := sql.FieldContains(entProject.FieldCodeKey, textform.SortKey(textform.Line(*search)))
	return q.Where(sql.OrPredicates(named, code)), nil
}

// Categories returns a query of the categories of tasks with search in their name, by name; nil is
// no search. VALIDATION_FAILED for a search that is too long.
func (s *Service) Categories(ctx context.Context, search *string) (*ent.TaskCategoryQuery, error) {
	q := ent.FromContext(ctx).TaskCategory.Query().
		Order(ent.Asc(entTaskCategory.FieldSortName, entTaskCategory.FieldID)).Limit(maxList)
	if search == nil {
		return q, nil
	}
	named, err := input.Search("search", *search, entTaskCategory.FieldSearchName)
	if err != nil {
		return nil, err
	}
	return q.Where(named), nil
}

// Totals are those of the tasks of one project that the viewer sees.
type Totals struct {
	Tasks   int
	Seconds int // booked, by running timers to now
}

// Totals returns the totals of each project of which the viewer sees a task.
func (s *Service) Totals(ctx context.Context) (map[int]Totals, error) {
	all := map[int]Totals{}
	q := policysql.New(ctx)
	q.Add("SELECT t." + entTask.FieldProjectID + ", COUNT(*), SUM(t." + entTask.FieldTrackedSeconds + "), SUM(t." + entTask.FieldTimers + "), SUM(t." + entTask.FieldTimersStarted + ") FROM " + entTask.Table + " AS t WHERE t." +
		entTask.FieldProjectID + " IS NOT NULL AND ")
	q.WherePolicy(entTask.Policy, entTask.Table, "t")
	q.Add(" GROUP BY t." + entTask.FieldProjectID)
	err := q.Each(func(scan policysql.Scan) error {
		var id int
		var t Totals
		var timers int
		var started int64
		err := scan(&id, &t.Tasks, &t.Seconds, &timers, &started)
		t.Seconds = booking.Tracked(t.Seconds, timers, started, s.Now())
		all[id] = t
		return err
	})
	return all, err
}

// BudgetUsed returns the share of a project's budget that is used; nil without a budget,
// and for a viewer who may not change projects.
func (s *Service) BudgetUsed(ctx context.Context, p *ent.Project) *float64 {
	if p.BudgetHours == nil || mayChange(ctx) != nil {
		return nil
	}
	return new(float64(booking.Tracked(p.TrackedSeconds, p.Timers, p.TimersStarted, s.Now())) / float64(*p.BudgetHours*3600))
}

// Open returns a project that takes new tasks and time. field names the member with its
// id: NOT_FOUND for one that the viewer does not see, CONFLICT for an archived one.
func Open(ctx context.Context, field string, id int) (*ent.Project, error) {
	p, err := ent.FromContext(ctx).Project.Query().Where(entProject.ID(id)).Select(entProject.FieldStatus, entProject.FieldOpenToAll).Only(ctx)
	if policysql.IgnoreNotFound(err) != nil {
		return nil, err
	}
	return p, CheckOpen(field, p)
}

// CheckOpen returns the errors of Open for a project that was read, nil for none.
func CheckOpen(field string, p *ent.Project) error {
	switch {
	case p == nil:
		return errs.Field(errs.NotFound, field, nil)
	case p.Status == entProject.StatusArchived:
		return errs.Conflicts(errs.Archived, field, errs.Meta{"state": string(p.Status)})
	}
	return nil
}

// CheckMembers refuses people who may neither book time on a project nor be assigned to its
// tasks: FORBIDDEN on a member of the request, where one is no member of a project that is
// not open to all.
func CheckMembers(ctx context.Context, field string, p *ent.Project, users ...int) error {
	if p.OpenToAll || len(users) == 0 {
		return nil
	}
	users = input.Distinct(users)
	n, err := ent.FromContext(ctx).ProjectMember.Query().Where(projectmember.ProjectID(p.ID), func(s *sql.Selector) {
		s.Where(sql.InInts(s.C(projectmember.FieldUserID), users...))
	}).Count(viewer.System(ctx))
	if err == nil && n < len(users) {
		err = errs.Field(errs.Forbidden, field, nil)
	}
	return err
}
