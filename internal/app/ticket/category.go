package ticket

import (
	"context"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketcategory"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// CreateCategory adds a category of tickets and returns its id.
func (s *Service) CreateCategory(ctx context.Context, in model.CreateTicketCategoryInput) (int, error) {
	if err := checkMayChangeCategories(ctx); err != nil {
		return 0, err
	}
	var faults errs.Faults
	name := input.Name(&faults, "name", &in.Name)
	if err := faults.Err(); err != nil {
		return 0, err
	}
	c, err := ent.FromContext(ctx).TicketCategory.Create().SetCompanyID(viewer.From(ctx).CompanyID).SetName(name).Save(ctx)
	if err != nil {
		return 0, input.NameTaken(err, ent.IsConstraintError)
	}
	return c.ID, nil
}

// UpdateCategory renames a category of tickets.
func (s *Service) UpdateCategory(ctx context.Context, id int, in model.UpdateTicketCategoryInput) error {
	c, err := findCategory(ctx, id)
	if err != nil {
		return err
	}
	var faults errs.Faults
	if name, given := in.Name.ValueOK(); given {
		in.Name = input.Given(new(input.Name(&faults, "name", name)))
	}
	if err := faults.Err(); err != nil {
		return err
	}
	update := c.Update()
	input.Set(in.Name, update.Mutation().SetName, nil)
	return input.NameTaken(update.Exec(ctx), ent.IsConstraintError)
}

// DeleteCategory removes a category without tickets.
func (s *Service) DeleteCategory(ctx context.Context, id int) error {
	c, err := findCategory(ctx, id)
	if err != nil {
		return err
	}
	n, err := ent.FromContext(ctx).Ticket.Query().Where(entTicket.CategoryID(id)).Count(viewer.System(ctx))
	if err != nil {
		return err
	}
	if n > 0 {
		return errs.Conflicts(errs.InUse, "", errs.Meta{"tickets": n})
	}
	err = ent.FromContext(ctx).TicketCategory.DeleteOne(c).Exec(ctx)
	if ent.IsConstraintError(err) { // used meanwhile
		err = errs.Conflicts(errs.InUse, "", nil)
	}
	return err
}

// findCategory returns a category that the viewer may change.
func findCategory(ctx context.Context, id int) (*ent.TicketCategory, error) {
	c, err := ent.FromContext(ctx).TicketCategory.Query().Where(ticketcategory.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return c, checkMayChangeCategories(ctx)
}

// checkMayChangeCategories refuses a viewer who may not change all tickets of the company.
func checkMayChangeCategories(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope(resource, "write") != viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}
