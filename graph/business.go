package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A businessChange is what a business is to become.
type businessChange struct {
	model.UpdateBusinessInput
	of *ent.Business // nil for a new one
}

// mayOrganize refuses whoever may not change the company's organization.
func mayOrganize(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope("organization", "write") < viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// set checks the members that are given and puts them into a mutation. Changes
// of a company's tree come one after the other.
func (c *businessChange) set(ctx context.Context, m *ent.BusinessMutation) error {
	var faults errs.Faults
	if name, given := c.Name.ValueOK(); given {
		trimmed := checkName(&faults, "name", unlessNil(name))
		c.Name = graphql.OmittableOf(&trimmed)
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := companyTurn(ctx); err != nil {
		return err
	}
	for _, check := range []func(context.Context) error{c.checkParent, c.checkManager, c.checkSiblings} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	put(c.Name, m.SetName, nil)
	put(c.ParentID, m.SetParentID, m.ClearParentID)
	put(c.ManagerID, m.SetManagerID, m.ClearManagerID)
	return nil
}

// checkParent refuses a business that is not seen, or lies below the one that is
// to come below it.
func (c *businessChange) checkParent(ctx context.Context) error {
	id := c.ParentID.Value()
	if id == nil {
		return nil
	}
	all, err := ent.FromContext(ctx).Business.Query().All(ctx)
	if err != nil {
		return err
	}
	parents := make(map[int]*int, len(all))
	for _, b := range all {
		parents[b.ID] = b.ParentID
	}
	if _, ok := parents[*id]; !ok {
		return errs.Field(errs.NotFound, "parentId", nil)
	}
	for at := id; c.of != nil && at != nil; at = parents[*at] {
		if *at == c.of.ID {
			return errs.Field(errs.Cycle, "parentId", nil)
		}
	}
	return nil
}

func (c *businessChange) checkManager(ctx context.Context) error {
	id := c.ManagerID.Value()
	if id == nil {
		return nil
	}
	ok, err := ent.FromContext(ctx).User.Query().Where(user.ID(*id), user.Active(true)).Exist(ctx)
	return referred("managerId", ok, err)
}

// checkSiblings refuses a name that another business below the same one has.
func (c *businessChange) checkSiblings(ctx context.Context) error {
	name, parent := c.Name.Value(), c.ParentID.Value()
	if c.of != nil {
		if name == nil {
			name = &c.of.Name
		}
		if !c.ParentID.IsSet() {
			parent = c.of.ParentID
		}
	}
	q := ent.FromContext(ctx).Business.Query().Where(business.SortName(contact.SortKey(*name)), below(parent))
	if c.of != nil {
		q.Where(business.IDNEQ(c.of.ID))
	}
	found, err := q.Exist(ctx)
	if err == nil && found {
		err = errs.Because("name", errs.AlreadyTaken, nil)
	}
	return err
}

// below is the businesses directly below one; with nil, those below none.
func below(parent *int) predicate.Business {
	if parent == nil {
		return business.ParentIDIsNil()
	}
	return business.ParentID(*parent)
}

// unusedBusiness refuses with CONFLICT a business in which somebody works, active
// or not, or below which there is another.
func unusedBusiness(ctx context.Context, id int) error {
	db := ent.FromContext(ctx)
	users, err := db.User.Query().Where(user.BusinessID(id)).Count(ctx)
	if err != nil {
		return err
	}
	children, err := db.Business.Query().Where(business.ParentID(id)).Count(ctx)
	if err == nil && users+children > 0 {
		err = errs.New(errs.Conflict, errs.Meta{"users": users, "businesses": children})
	}
	return err
}
