package organization

import (
	"context"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// CreateBusiness creates a business.
func (s *Service) CreateBusiness(ctx context.Context, in model.CreateBusinessInput) (*ent.Business, error) {
	if err := mayOrganize(ctx); err != nil {
		return nil, err
	}
	create := ent.FromContext(ctx).Business.Create().SetCompanyID(viewer.From(ctx).CompanyID)
	change := businessChange{UpdateBusinessInput: model.UpdateBusinessInput{
		Name: input.Given(&in.Name), ParentID: in.ParentID, ManagerID: in.ManagerID,
	}}
	if err := change.set(ctx, create.Mutation()); err != nil {
		return nil, err
	}
	return create.Save(ctx)
}

// UpdateBusiness changes a business.
func (s *Service) UpdateBusiness(ctx context.Context, id int, in model.UpdateBusinessInput) error {
	b, err := ent.FromContext(ctx).Business.Query().Where(business.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if err := mayOrganize(ctx); err != nil {
		return err
	}
	update, change := b.Update(), businessChange{UpdateBusinessInput: in, of: b}
	if err := change.set(ctx, update.Mutation()); err != nil {
		return err
	}
	return update.Exec(ctx)
}

// DeleteBusiness deletes a business that has neither users nor children.
func (s *Service) DeleteBusiness(ctx context.Context, id int) error {
	b, err := ent.FromContext(ctx).Business.Query().Where(business.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if err := mayOrganize(ctx); err != nil {
		return err
	}
	if err := checkUnused(ctx, b.ID); err != nil {
		return err
	}
	return ent.FromContext(ctx).Business.DeleteOne(b).Exec(ctx)
}

// A businessChange holds the given members of a business.
type businessChange struct {
	model.UpdateBusinessInput
	of *ent.Business // nil for a new one
}

// mayOrganize refuses a viewer who may not change the company's organization.
func mayOrganize(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope("organization", "write") < viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// set checks the given members and applies them to a mutation. Changes of a
// company's tree run one after the other.
func (c *businessChange) set(ctx context.Context, m *ent.BusinessMutation) error {
	var faults errs.Faults
	if name, given := c.Name.ValueOK(); given {
		trimmed := input.Name(&faults, "name", name)
		c.Name = input.Given(&trimmed)
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := Lock(ctx); err != nil {
		return err
	}
	for _, check := range []func(context.Context) error{c.checkParent, c.checkManager, c.checkSiblings} {
		if err := check(ctx); err != nil {
			return err
		}
	}
	input.Set(c.Name, m.SetName, nil)
	input.Set(c.ParentID, m.SetParentID, m.ClearParentID)
	input.Set(c.ManagerID, m.SetManagerID, m.ClearManagerID)
	return nil
}

// checkParent refuses a parent that the viewer does not see, and one below the
// business itself.
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
	return input.Referenced("managerId", ok, err)
}

// checkSiblings refuses a name that a sibling has.
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
	q := ent.FromContext(ctx).Business.Query().Where(business.SortName(contact.SortKey(*name)), childOf(parent))
	if c.of != nil {
		q.Where(business.IDNEQ(c.of.ID))
	}
	found, err := q.Exist(ctx)
	if err == nil && found {
		err = errs.Because("name", errs.AlreadyTaken, nil)
	}
	return err
}

// childOf matches the businesses directly below one; with nil, the roots.
func childOf(parent *int) predicate.Business {
	if parent == nil {
		return business.ParentIDIsNil()
	}
	return business.ParentID(*parent)
}

// checkUnused returns CONFLICT for a business that has users, active or not, or
// children.
func checkUnused(ctx context.Context, id int) error {
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
