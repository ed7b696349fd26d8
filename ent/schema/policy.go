package schema

import (
	"context"
	"fmt"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"

	gen "workforce/ent"
	"workforce/ent/intercept"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A rule narrows a query or a mutation to the rows that a viewer may touch. It
// applies to both, so that a row which the viewer must not see cannot be changed
// either. The policy of an entity may refuse more.
type rule struct {
	reads  func(v *viewer.Viewer) (filter, error)
	writes func(v *viewer.Viewer) (filter, error)
	create func(ctx context.Context, v *viewer.Viewer, m ent.Mutation) error
	// within says whether the one row that a mutation updates is of the
	// viewer's company: as the row was loaded, or by loading it.
	within func(ctx context.Context, v *viewer.Viewer, m ent.Mutation) (bool, error)
}

// A filter restricts a statement; nil restricts nothing.
type filter = func(*sql.Selector)

// EvalQuery narrows a query to the rows that the viewer sees.
func (r rule) EvalQuery(ctx context.Context, q ent.Query) error {
	v := viewer.From(ctx)
	if v.IsSystem() {
		return privacy.Allow
	}
	f, err := r.reads(v)
	if err != nil {
		return err
	}
	n, ok := q.(narrowed)
	if !ok {
		if n, err = intercept.NewQuery(q); err != nil {
			return err
		}
	}
	n.WhereP(f)
	return privacy.Skip
}

// narrowed is what a filter applies to: a query, or a part of a statement that
// joins several tables.
type narrowed interface{ WhereP(...func(*sql.Selector)) }

// EvalMutation narrows an update or delete to the rows that the viewer changes,
// and checks a create.
func (r rule) EvalMutation(ctx context.Context, m ent.Mutation) error {
	v := viewer.From(ctx)
	if v.IsSystem() {
		return privacy.Allow
	}
	f, err := r.writes(v)
	if err != nil {
		return err
	}
	if err := ownLinks(m); err != nil {
		return err
	}
	if err := visibleLinks(ctx, v, m); err != nil {
		return err
	}
	if m.Op().Is(ent.OpCreate) {
		if err := r.create(ctx, v, m); err != nil {
			return err
		}
		return privacy.Skip
	}
	w, ok := m.(narrowed)
	if !ok {
		return privacy.Denyf("%s cannot be narrowed", m.Type())
	}
	w.WhereP(f)
	return r.idle(ctx, v, m)
}

// idle checks an update of one row that sets no column: ent answers it with the
// row, whatever the filter says.
func (r rule) idle(ctx context.Context, v *viewer.Viewer, m ent.Mutation) error {
	if !m.Op().Is(ent.OpUpdateOne) || len(m.Fields())+len(m.AddedFields())+len(m.ClearedFields()) > 0 {
		return privacy.Skip
	}
	ok, err := r.within(ctx, v, m)
	if err == nil && !ok {
		err = forbidden(v)
	}
	return err
}

// ownLinks refuses a mutation that links rows from the end that does not hold
// the link: it would change rows that no policy has checked. An edge is held in
// the column of its name and _id.
func ownLinks(m ent.Mutation) error {
	for _, edge := range slices.Concat(m.AddedEdges(), m.RemovedEdges(), m.ClearedEdges()) {
		if _, set := m.Field(edge + "_id"); !set && !m.FieldCleared(edge+"_id") {
			return privacy.Denyf("%s does not hold %s", m.Type(), edge)
		}
	}
	return nil
}

// visibleLinks refuses a mutation that links to a row which the viewer does not
// see: as far as they are concerned, it does not exist.
func visibleLinks(ctx context.Context, v *viewer.Viewer, m ent.Mutation) error {
	c := m.(interface{ Client() *gen.Client }).Client()
	for _, edge := range m.AddedEdges() {
		id, _ := m.Field(edge + "_id")
		if edge == "user" && id == v.Self() {
			continue
		}
		entity := gen.EdgeType(m.Type(), edge)
		ok, err := gen.Visible(ctx, c, entity, id.(int))
		if err != nil {
			return err
		}
		if !ok || gen.Facts[entity].Unlinked {
			return fmt.Errorf("%w: %w", privacy.Deny, errs.New(errs.NotFound, nil))
		}
	}
	return nil
}

func policy(r rule) ent.Policy {
	return privacy.Policy{Query: privacy.QueryPolicy{r}, Mutation: privacy.MutationPolicy{r}}
}

// companyPolicy shows a viewer the rows of their company within the scope that
// access gives them. Without a viewer it shows none.
func companyPolicy(access viewer.Access) ent.Policy {
	narrow := func(v *viewer.Viewer, s viewer.Scope) (filter, error) {
		if v.CompanyID == 0 {
			return nil, privacy.Denyf("no viewer")
		}
		return func(sel *sql.Selector) {
			sel.Where(sql.EQ(sel.C("company_id"), v.CompanyID))
			if p := scope(sel, access.Owner, v, s); p != nil {
				sel.Where(p)
			}
		}, nil
	}
	return policy(rule{
		reads: func(v *viewer.Viewer) (filter, error) {
			f, err := narrow(v, access.Reads(v))
			switch {
			case err != nil:
				return nil, err
			case v.Key != 0 && access.Owner != "" && !access.Directory:
				return commoners(f, access.Owner, v), nil
			case access.Also == "" || v.Key != 0:
				return f, nil
			}
			return func(sel *sql.Selector) {
				seen := sql.EQ(sel.C(access.Also), v.UserID)
				if p := scope(sel, access.Owner, v, access.Reads(v)); p != nil {
					sel.Where(sql.And(sql.EQ(sel.C("company_id"), v.CompanyID), sql.Or(seen, p)))
					return
				}
				f(sel)
			}, nil
		},
		writes: func(v *viewer.Viewer) (filter, error) {
			s := access.Writes(v)
			if s == viewer.None {
				return nil, forbidden(v)
			}
			f, err := narrow(v, s)
			if err != nil || v.Owner || s == viewer.Own || access.Owner == "" {
				return f, err
			}
			return commoners(f, access.Owner, v), nil
		},
		create: func(ctx context.Context, v *viewer.Viewer, m ent.Mutation) error {
			if id, ok := m.Field("company_id"); ok && id != v.CompanyID {
				return forbidden(v)
			}
			if err := ownerWithin(ctx, v, m, access); err != nil {
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

// ownerWithin refuses to create a row about somebody outside the scope in which
// the viewer writes, and about an owner unless the viewer is one. A row about nobody
// needs the whole company.
func ownerWithin(ctx context.Context, v *viewer.Viewer, m ent.Mutation, access viewer.Access) error {
	s := access.Writes(v)
	owner, ok := m.Field(access.Owner)
	if ok && owner == v.Self() || !ok && s == viewer.All {
		return nil
	}
	if !ok || s < viewer.Team {
		return forbidden(v)
	}
	q := m.(interface{ Client() *gen.Client }).Client().User.Query().Where(user.ID(owner.(int)))
	if s == viewer.Team {
		q.Where(database.OneOf(user.FieldBusinessID, v.Businesses))
	}
	if !v.Owner {
		q.Where(user.Not(user.HasRolesWith(role.Builtin(viewer.Owner))))
	}
	found, err := q.Exist(ctx)
	if err == nil && !found {
		err = forbidden(v)
	}
	return err
}

// scope is the condition that a row is within s of the viewer, or nil where s
// is the whole company. No other code defines own and team.
func scope(sel *sql.Selector, owner string, v *viewer.Viewer, s viewer.Scope) *sql.Predicate {
	switch {
	case s == viewer.All:
		return nil
	case s == viewer.None || owner == "":
		return sql.False()
	case s == viewer.Team && len(v.Businesses) > 0:
		if owner == "id" { // users themselves, whom MySQL will not change by a query of users
			return sql.Or(sql.EQ(sel.C(owner), v.Self()), database.In(sel.C("business_id"), v.Businesses))
		}
		users := sql.Table("users").As("team")
		team := sql.Dialect(sel.Dialect()).Select(users.C("id")).From(users).
			Where(sql.And(sql.EQ(users.C("company_id"), v.CompanyID), database.In(users.C("business_id"), v.Businesses)))
		return sql.Or(sql.EQ(sel.C(owner), v.Self()), sql.In(sel.C(owner), team))
	}
	return sql.EQ(sel.C(owner), v.Self())
}

// commoners narrows a filter to rows about people other than owners; for API keys, and about nobody.
func commoners(f filter, owner string, v *viewer.Viewer) filter {
	return func(sel *sql.Selector) {
		f(sel)
		others := sql.NotIn(sel.C(owner), owners(sel.Dialect(), v.CompanyID))
		if v.Key != 0 {
			others = sql.Or(sql.IsNull(sel.C(owner)), others)
		}
		sel.Where(others)
	}
}

// owners selects the ids of the users who own a company. Only they change rows about
// each other.
func owners(dialect string, company int) *sql.Selector {
	grants, roles := sql.Table("user_roles").As("grants"), sql.Table("roles").As("owning")
	return sql.Dialect(dialect).Select(grants.C("user_id")).From(grants).
		Join(roles).On(grants.C("role_id"), roles.C("id")).
		Where(sql.And(sql.EQ(roles.C("company_id"), company), sql.EQ(roles.C("builtin"), viewer.Owner)))
}

// ownCompanyPolicy shows a viewer their own company.
func ownCompanyPolicy() ent.Policy {
	own := func(v *viewer.Viewer) (filter, error) {
		if v.CompanyID == 0 {
			return nil, privacy.Denyf("no viewer")
		}
		return func(sel *sql.Selector) { sel.Where(sql.EQ(sel.C("id"), v.CompanyID)) }, nil
	}
	return policy(rule{
		reads: own,
		writes: func(v *viewer.Viewer) (filter, error) {
			if v.Scope("company", "write") != viewer.All {
				return nil, forbidden(v)
			}
			return own(v)
		},
		create: func(_ context.Context, v *viewer.Viewer, _ ent.Mutation) error { return forbidden(v) },
		within: func(_ context.Context, v *viewer.Viewer, m ent.Mutation) (bool, error) {
			id, ok := m.(interface{ ID() (int, bool) }).ID()
			return ok && id == v.CompanyID, nil
		},
	})
}

// devicePolicy shows a viewer a device if they may see its trusts or its sessions:
// somebody within their scope trusts it or is signed in on it. Only system jobs
// change devices.
func devicePolicy() ent.Policy {
	return policy(rule{
		reads: func(v *viewer.Viewer) (filter, error) {
			if v.CompanyID == 0 {
				return nil, privacy.Denyf("no viewer")
			}
			return func(sel *sql.Selector) {
				of := func(table, resource string) *sql.Predicate {
					rows := sql.Dialect(sel.Dialect()).Select("device_id").From(sql.Table(table))
					rows.Where(sql.EQ(rows.C("company_id"), v.CompanyID))
					if p := scope(rows, "user_id", v, v.Scope(resource, "read")); p != nil {
						rows.Where(p)
					}
					return sql.In(sel.C("id"), rows)
				}
				sel.Where(sql.Or(of("device_trusts", "device"), of("sessions", "session")))
			}, nil
		},
		writes: func(v *viewer.Viewer) (filter, error) { return nil, forbidden(v) },
	})
}

// systemPolicy shows rows to system jobs alone.
func systemPolicy() ent.Policy {
	nothing := func(*viewer.Viewer) (filter, error) {
		return func(sel *sql.Selector) { sel.Where(sql.False()) }, nil
	}
	return policy(rule{
		reads:  nothing,
		writes: func(v *viewer.Viewer) (filter, error) { return nil, forbidden(v) },
	})
}

// forbidden refuses a write: nobody is denied, somebody lacks a permission.
func forbidden(v *viewer.Viewer) error {
	if v.CompanyID == 0 {
		return privacy.Denyf("no viewer")
	}
	return fmt.Errorf("%w: %w", privacy.Deny, errs.New(errs.Forbidden, nil))
}
