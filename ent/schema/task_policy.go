package schema

import (
	"context"
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"

	gen "workforce/ent"
	"workforce/ent/task"
	"workforce/ent/taskassignee"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// taskPolicy shows and lets change a task, or a part of one, to the task's creator, to its
// assignees, and to those who have one of them within their scope. Nobody sees a deleted
// task. Of an owner and nobody else, only owners change one.
func taskPolicy(access viewer.Access) ent.Policy {
	return policy(rule{
		reads: func(v *viewer.Viewer) (filter, error) {
			if v.CompanyID == 0 {
				return nil, privacy.Denyf("no viewer")
			}
			return tasksOf(access.Task, v, access.Reads(v), false), nil
		},
		writes: func(v *viewer.Viewer) (filter, error) {
			s := access.Writes(v)
			if v.CompanyID == 0 || s == viewer.None {
				return nil, forbidden(v)
			}
			return tasksOf(access.Task, v, s, !v.Owner), nil
		},
		create: func(ctx context.Context, v *viewer.Viewer, m ent.Mutation) error {
			if id, ok := m.Field("company_id"); ok && id != v.CompanyID {
				return forbidden(v)
			}
			if err := creates(ctx, v, m, access); err != nil {
				return err
			}
			return m.SetField("company_id", v.CompanyID)
		},
		within: func(ctx context.Context, v *viewer.Viewer, m ent.Mutation) (bool, error) {
			id, err := m.OldField(ctx, "company_id")
			return id == v.CompanyID, err
		},
	})
}

// creates refuses a task of somebody outside the viewer's scope, and a part of a task that
// the viewer does not change.
func creates(ctx context.Context, v *viewer.Viewer, m ent.Mutation, access viewer.Access) error {
	if access.Owner != "" {
		return ownerWithin(ctx, v, m, access)
	}
	id, ok := m.Field(access.Task)
	if !ok {
		return forbidden(v)
	}
	c := m.(interface{ Client() *gen.Client }).Client()
	changes, err := c.Task.Query().Where(task.ID(id.(int)), tasksOf(task.FieldID, v, access.Writes(v), !v.Owner)).Exist(ctx)
	switch {
	case err != nil:
		return err
	case !changes:
		return fmt.Errorf("%w: %w", privacy.Deny, errs.New(errs.Forbidden, nil))
	}
	return nil
}

// tasksOf is the filter of rows whose task, which a column names, is of somebody within a
// scope of the viewer. With commoners, of owners only the viewer counts.
func tasksOf(column string, v *viewer.Viewer, s viewer.Scope, commoners bool) filter {
	return func(sel *sql.Selector) {
		sel.Where(sql.EQ(sel.C("company_id"), v.CompanyID))
		tasks := sel
		if column != task.FieldID {
			table := sql.Table(task.Table).As("seen_tasks")
			tasks = sql.Dialect(sel.Dialect()).Select(table.C(task.FieldID)).From(table).Where(sql.EQ(table.C(task.FieldCompanyID), v.CompanyID))
		}
		tasks.Where(sql.IsNull(tasks.C(task.FieldDeletedAt)))
		if p := taskPeople(tasks, v, s, commoners); p != nil {
			tasks.Where(p)
		}
		if column != task.FieldID {
			sel.Where(sql.In(sel.C(column), tasks))
		}
	}
}

// taskPeople is the condition that the creator or an assignee of a task is within a scope
// of the viewer, nil where all are.
func taskPeople(tasks *sql.Selector, v *viewer.Viewer, s viewer.Scope, commoners bool) *sql.Predicate {
	if s == viewer.None {
		return sql.False()
	}
	if s == viewer.All && !commoners {
		return nil
	}
	within := func(sel *sql.Selector, column string) *sql.Predicate {
		p := scope(sel, column, v, s)
		if !commoners || s == viewer.Own {
			return p
		}
		common := sql.NotIn(sel.C(column), owners(sel.Dialect(), v.CompanyID))
		if p != nil {
			common = sql.And(p, common)
		}
		return sql.Or(sql.EQ(sel.C(column), v.UserID), common)
	}
	links := sql.Table(taskassignee.Table).As("seen_assignees")
	assigned := sql.Dialect(tasks.Dialect()).Select(links.C(taskassignee.FieldTaskID)).From(links)
	assigned.Where(within(assigned, taskassignee.FieldUserID))
	return sql.Or(within(tasks, task.FieldCreatorID), sql.In(tasks.C(task.FieldID), assigned))
}
