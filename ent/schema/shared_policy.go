package schema

import (
	"context"
	"fmt"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"

	gen "workforce/ent"
	"workforce/ent/predicate"
	entTask "workforce/ent/task"
	"workforce/ent/taskassignee"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketfollower"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A shared entity is about several people: a task, or a ticket.
type shared struct {
	table     string
	people    []string // columns that name people
	assignees *links   // more of them; nil for none
	followers *links   // people who see the row and no more; nil for none
	deleted   string   // the column that is set in rows which nobody sees; "" for none
	exists    func(ctx context.Context, c *gen.Client, id int, within filter) (bool, error)
}

// links is a table of people, in the column user_id, of the row that a column names.
type links struct{ table, column string }

var tasks = shared{
	table: entTask.Table, people: []string{entTask.FieldCreatorID}, assignees: &links{taskassignee.Table, taskassignee.FieldTaskID}, deleted: entTask.FieldDeletedAt,
	exists: func(ctx context.Context, c *gen.Client, id int, within filter) (bool, error) {
		return c.Task.Query().Where(entTask.ID(id), predicate.Task(within)).Exist(ctx)
	},
}

var tickets = shared{
	table: entTicket.Table, people: []string{entTicket.FieldRequesterID, entTicket.FieldAssigneeID}, followers: &links{ticketfollower.Table, ticketfollower.FieldTicketID},
	exists: func(ctx context.Context, c *gen.Client, id int, within filter) (bool, error) {
		return c.Ticket.Query().Where(entTicket.ID(id), predicate.Ticket(within)).Exist(ctx)
	},
}

// sharedPolicy shows and lets change a row of a shared entity, or a part of one, to the
// people whom it names, and to those who have one of them within their scope. Followers see
// it. Nobody sees a deleted one. Of an owner and nobody else, only owners change one.
func sharedPolicy(access viewer.Access, of shared) ent.Policy {
	return policy(rule{
		reads: func(v *viewer.Viewer) (filter, error) {
			if v.CompanyID == 0 {
				return nil, privacy.Denyf("no viewer")
			}
			return of.within(access.Shared(), func(rows *sql.Selector) *sql.Predicate { return of.seen(rows, v, access.Reads(v)) }, v), nil
		},
		writes: func(v *viewer.Viewer) (filter, error) {
			s := access.Writes(v)
			if v.CompanyID == 0 || s == viewer.None {
				return nil, forbidden(v)
			}
			return of.changeable(access.Shared(), v, s), nil
		},
		create: func(ctx context.Context, v *viewer.Viewer, m ent.Mutation) error {
			if id, ok := m.Field("company_id"); ok && id != v.CompanyID {
				return forbidden(v)
			}
			if err := of.creates(ctx, v, m, access); err != nil {
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

// creates refuses a row about somebody outside the viewer's scope, and a part of one that
// the viewer does not change.
func (of shared) creates(ctx context.Context, v *viewer.Viewer, m ent.Mutation, access viewer.Access) error {
	if owner, ok := m.Field(access.Owner); ok && v.Key != 0 && owner == v.UserID && access.Writes(v) >= viewer.Team {
		return nil // what an API key creates, its maker has created
	}
	if access.Owner != "" {
		return ownerWithin(ctx, v, m, access)
	}
	id, ok := m.Field(access.Shared())
	if !ok {
		return forbidden(v)
	}
	c := m.(interface{ Client() *gen.Client }).Client()
	changes, err := of.exists(ctx, c, id.(int), of.changeable("id", v, access.Writes(v)))
	switch {
	case err != nil:
		return err
	case !changes:
		return fmt.Errorf("%w: %w", privacy.Deny, errs.New(errs.Forbidden, nil))
	}
	return nil
}

// within is the filter of rows that meet a condition, or of those that refer to such a row
// by a column; nil is no condition.
func (of shared) within(column string, condition func(rows *sql.Selector) *sql.Predicate, v *viewer.Viewer) filter {
	return func(sel *sql.Selector) {
		sel.Where(sql.EQ(sel.C("company_id"), v.CompanyID))
		rows := sel
		if column != "id" {
			table := sql.Table(of.table).As("seen_" + of.table)
			rows = sql.Dialect(sel.Dialect()).Select(table.C("id")).From(table).
				Where(sql.And(sql.ColumnsEQ(table.C("id"), sel.C(column)), sql.EQ(table.C("company_id"), v.CompanyID)))
		}
		if of.deleted != "" {
			rows.Where(sql.IsNull(rows.C(of.deleted)))
		}
		if p := condition(rows); p != nil {
			rows.Where(p)
		}
		if column != "id" {
			sel.Where(sql.Exists(rows)) // SQLite would collect all that IN may find
		}
	}
}

// changeable is the filter of rows that a viewer changes within a scope.
func (of shared) changeable(column string, v *viewer.Viewer, s viewer.Scope) filter {
	return of.within(column, func(rows *sql.Selector) *sql.Predicate { return of.named(rows, v, s, !v.Owner) }, v)
}

// seen is the condition that a viewer sees a row, nil where they see all.
func (of shared) seen(rows *sql.Selector, v *viewer.Viewer, s viewer.Scope) *sql.Predicate {
	p := of.named(rows, v, s, v.Key != 0)
	if p == nil || of.followers == nil || s == viewer.None {
		return p
	}
	followed := of.followers.rows(rows, "seen_followers")
	return sql.Or(p, sql.In(rows.C("id"), followed.Where(sql.EQ(followed.C("user_id"), v.Self()))))
}

// named is the condition that a row names somebody within a scope of the viewer, nil where
// all do. With commoners, of owners only the viewer counts.
func (of shared) named(rows *sql.Selector, v *viewer.Viewer, s viewer.Scope, commoners bool) *sql.Predicate {
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
		return sql.Or(sql.EQ(sel.C(column), v.Self()), common)
	}
	var any []*sql.Predicate
	for _, column := range of.people {
		any = append(any, within(rows, column))
	}
	if of.assignees != nil {
		assigned := of.assignees.rows(rows, "seen_assignees")
		any = append(any, sql.In(rows.C("id"), assigned.Where(within(assigned, "user_id"))))
	}
	return sql.Or(any...)
}

// rows selects the ids of the rows that links name.
func (l *links) rows(sel *sql.Selector, alias string) *sql.Selector {
	table := sql.Table(l.table).As(alias)
	return sql.Dialect(sel.Dialect()).Select(table.C(l.column)).From(table)
}
