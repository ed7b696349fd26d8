package organization

import (
	"context"

	entgo "entgo.io/ent"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/allowedplace"
	"workforce/ent/apikey"
	"workforce/ent/business"
	"workforce/ent/fallbackshift"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/ent/widgettoken"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// CreateBusiness creates a business.
func (s *Service) CreateBusiness(ctx context.Context, in model.CreateBusinessInput) (*ent.Business, error) {
	if err := MayOrganize(ctx); err != nil {
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
	b, err := changeableBusiness(ctx, id)
	if err != nil {
		return err
	}
	update, change := b.Update(), businessChange{UpdateBusinessInput: in, of: b}
	if err := change.set(ctx, update.Mutation()); err != nil {
		return err
	}
	if err := update.Exec(ctx); err != nil || !in.ParentID.IsSet() {
		return err
	}
	return s.replan(ctx, WorksBelow(id))
}

// MoveBusiness puts a business below another one, nil for the top.
func (s *Service) MoveBusiness(ctx context.Context, id int, parent *int) error {
	return s.UpdateBusiness(ctx, id, model.UpdateBusinessInput{ParentID: input.Given(parent)})
}

// DeleteBusiness deletes a business. What belongs to it goes to the business moveTo;
// CONFLICT where it is nil and there is anything.
func (s *Service) DeleteBusiness(ctx context.Context, id int, moveTo *int) error {
	if _, err := changeableBusiness(ctx, id); err != nil {
		return err
	}
	if moveTo == nil {
		return deleteUnused(ctx, businesses{}, id)
	}
	return s.mergeBusinesses(ctx, id, *moveTo, "moveTo")
}

// MergeBusinesses moves what belongs to a business to another one, and deletes it.
func (s *Service) MergeBusinesses(ctx context.Context, id, into int) error {
	if _, err := changeableBusiness(ctx, id); err != nil {
		return err
	}
	return s.mergeBusinesses(ctx, id, into, "into")
}

// mergeBusinesses moves what belongs to a business to another one, which a member names.
func (s *Service) mergeBusinesses(ctx context.Context, id, into int, field string) error {
	if err := merge(ctx, businesses{Today(ctx, s.Now())}, id, into, field); err != nil {
		return err
	}
	return s.replan(ctx, WorksBelow(into))
}

// changeableBusiness returns a business that the viewer may change.
func changeableBusiness(ctx context.Context, id int) (*ent.Business, error) {
	b, err := ent.FromContext(ctx).Business.Query().Where(business.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return b, MayOrganize(ctx)
}

// MayOrganize refuses a viewer who may not change the company's organization.
func MayOrganize(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope("organization", "write") < viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}

// A businessChange holds the given members of a business.
type businessChange struct {
	model.UpdateBusinessInput
	of *ent.Business // nil for a new one
}

// set checks the given members and applies them to a mutation.
func (c *businessChange) set(ctx context.Context, m *ent.BusinessMutation) error {
	var faults errs.Faults
	if name, given := c.Name.ValueOK(); given {
		trimmed := input.Name(&faults, "name", name)
		c.Name = input.Given(&trimmed)
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := c.checkPlace(ctx); err != nil {
		return err
	}
	if err := c.checkManager(ctx); err != nil {
		return err
	}
	input.Set(c.Name, m.SetName, nil)
	input.Set(c.ParentID, m.SetParentID, m.ClearParentID)
	input.Set(c.ManagerID, m.SetManagerID, m.ClearManagerID)
	return nil
}

func (c *businessChange) checkPlace(ctx context.Context) error {
	if !c.Name.IsSet() && !c.ParentID.IsSet() {
		return nil
	}
	t, err := lockTree(ctx, businesses{})
	if err != nil {
		return err
	}
	if c.of == nil {
		return checkPlace(t, 0, c.Name, "", c.ParentID.Value())
	}
	return checkPlace(t, c.of.ID, c.Name, c.of.Name, changedParent(c.ParentID, c.of.ParentID))
}

// changed returns the sort key of a node's name after a change.
func changed(name input.Omittable[*string], old string) string {
	if name.IsSet() {
		old = *name.Value()
	}
	return textform.SortKey(old)
}

// changedParent returns a node's parent after a change.
func changedParent(parent input.Omittable[*int], old *int) *int {
	if parent.IsSet() {
		return parent.Value()
	}
	return old
}

func (c *businessChange) checkManager(ctx context.Context) error {
	id := c.ManagerID.Value()
	if id == nil {
		return nil
	}
	ok, err := ent.FromContext(ctx).User.Query().Where(user.ID(*id), user.Active(true)).Exist(ctx)
	return input.Referenced("managerId", ok, err)
}

// businesses is the tree of businesses. Users and work sites belong to one each.
type businesses struct{ today string }

func (businesses) table() string        { return business.Table }
func (businesses) policy() entgo.Policy { return business.Policy }

func (businesses) inUse(meta errs.Meta) *errs.Error {
	return errs.Conflicts(errs.NotEmpty, "", meta)
}

func (businesses) move(ctx context.Context, ids []int, parent int) error {
	return inChunks(ids, func(ids []int) error {
		return ent.FromContext(ctx).Business.Update().Where(business.IDIn(ids...)).SetParentID(parent).Exec(ctx)
	})
}

func (b businesses) moveHolders(ctx context.Context, from, to int) error {
	if err := moveEmployees(viewer.System(ctx), from, to, b.today); err != nil {
		return err
	}
	return ent.FromContext(ctx).Address.Update().Where(address.BusinessID(from)).SetBusinessID(to).Exec(viewer.System(ctx))
}

// moveEmployees puts everybody of a business, active or not, into another one, from a
// day on. The context is the system's: whoever may change the organization need not be
// allowed to change people.
func moveEmployees(ctx context.Context, from, to int, on string) error {
	db := ent.FromContext(ctx)
	target, err := db.Business.Get(ctx, to)
	if err != nil {
		return err
	}
	ids, err := db.User.Query().Where(user.BusinessID(from)).IDs(ctx)
	if err != nil {
		return err
	}
	ctx = audittrail.WithBulk(ctx, target.CompanyID)
	return inChunks(ids, func(ids []int) error {
		if err := db.User.Update().Where(user.IDIn(ids...)).SetBusinessID(to).Exec(ctx); err != nil {
			return err
		}
		return RecordMoves(ctx, target.CompanyID, ids, &to, on)
	})
}

func (businesses) holders(ctx context.Context, id int) (users, addresses int, err error) {
	db, ctx := ent.FromContext(ctx), viewer.System(ctx)
	if users, err = db.User.Query().Where(user.BusinessID(id)).Count(ctx); err != nil {
		return 0, 0, err
	}
	addresses, err = db.Address.Query().Where(address.BusinessID(id)).Count(ctx)
	return users, addresses, err
}

func (businesses) delete(ctx context.Context, id int) error {
	if err := forgetBusiness(ctx, id); err != nil {
		return err
	}
	sys, db := viewer.System(ctx), ent.FromContext(ctx)
	if _, err := db.FallbackShift.Delete().Where(fallbackshift.BusinessID(id)).Exec(sys); err != nil {
		return err
	}
	if _, err := db.AllowedPlace.Delete().Where(allowedplace.BusinessID(id)).Exec(sys); err != nil {
		return err
	}
	if err := endKeys(ctx, id); err != nil {
		return err
	}
	return ent.FromContext(ctx).Business.DeleteOneID(id).Exec(ctx)
}

// endKeys deletes the API keys which a business that is about to be deleted bounds, and the tokens of widgets
// that they made: without it they would be bounded by nothing.
func endKeys(ctx context.Context, id int) error {
	ctx, db := viewer.System(ctx), ent.FromContext(ctx)
	within := apikey.BusinessID(id)
	if _, err := db.WidgetToken.Delete().Where(widgettoken.HasAPIKeyWith(within)).Exec(ctx); err != nil {
		return err
	}
	_, err := db.APIKey.Delete().Where(within).Exec(ctx)
	return err
}

// WorksBelow matches the people who work in a business or in one below it.
func WorksBelow(id int) predicate.User { return below(businesses{}, user.FieldBusinessID, id) }
