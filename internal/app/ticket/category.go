package ticket

import (
	"context"

	"workforce/ent"
	row "workforce/ent/ticket"
	"workforce/ent/ticketcategory"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// Categories manages the categories of tickets.
type Categories struct{}

// Create adds a category of tickets and returns its id.
func (Categories) Create(ctx context.Context, in model.CreateTicketCategoryInput) (int, error) {
	if err := changesCategories(ctx); err != nil {
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

// Update renames a category of tickets.
func (Categories) Update(ctx context.Context, id int, in model.UpdateTicketCategoryInput) error {
	c, err := changeable(ctx, id)
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

// Delete removes a category without tickets.
func (Categories) Delete(ctx context.Context, id int) error {
	c, err := changeable(ctx, id)
	if err != nil {
		return err
	}
	n, err := ent.FromContext(ctx).Ticket.Query().Where(row.CategoryID(id)).Count(viewer.System(ctx))
	if err != nil {
		return err
	}
	if n > 0 {
		return errs.New(errs.Conflict, errs.Meta{"tickets": n})
	}
	err = ent.FromContext(ctx).TicketCategory.DeleteOne(c).Exec(ctx)
	if ent.IsConstraintError(err) { // used meanwhile
		err = errs.New(errs.Conflict, nil)
	}
	return err
}

// changeable returns a category that the viewer may change.
func changeable(ctx context.Context, id int) (*ent.TicketCategory, error) {
	c, err := ent.FromContext(ctx).TicketCategory.Query().Where(ticketcategory.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return c, changesCategories(ctx)
}

// changesCategories refuses who may not change all tickets of the company.
func changesCategories(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope(resource, "write") != viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	return err
}
