package organization

import (
	"context"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/holiday"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// CreateHoliday creates a holiday of the company or of one address.
func (s *Service) CreateHoliday(ctx context.Context, in model.CreateHolidayInput) (*ent.Holiday, error) {
	if err := MayOrganize(ctx); err != nil {
		return nil, err
	}
	var faults errs.Faults
	name := input.Name(&faults, "name", &in.Name)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := checkSite(ctx, in.AddressID.Value()); err != nil {
		return nil, err
	}
	h, err := ent.FromContext(ctx).Holiday.Create().SetCompanyID(viewer.From(ctx).CompanyID).SetName(name).
		SetDate(in.Date).SetHalf(input.Value(in.Half.Value())).SetNillableAddressID(in.AddressID.Value()).Save(ctx)
	return h, input.NameTaken(err, ent.IsConstraintError)
}

// UpdateHoliday changes a holiday.
func (s *Service) UpdateHoliday(ctx context.Context, id int, in model.UpdateHolidayInput) error {
	h, err := ent.FromContext(ctx).Holiday.Query().Where(holiday.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if err := MayOrganize(ctx); err != nil {
		return err
	}
	var faults errs.Faults
	if name, given := in.Name.ValueOK(); given {
		in.Name = input.Given(new(input.Name(&faults, "name", name)))
	}
	if in.Date.IsSet() && in.Date.Value() == nil {
		faults.Add("date", errs.Required, nil)
	}
	if in.Half.IsSet() && in.Half.Value() == nil {
		faults.Add("half", errs.Required, nil)
	}
	if err := faults.Err(); err != nil {
		return err
	}
	update := h.Update()
	m := update.Mutation()
	input.Set(in.Name, m.SetName, nil)
	input.Set(in.Date, m.SetDate, nil)
	input.Set(in.Half, m.SetHalf, nil)
	return input.NameTaken(update.Exec(ctx), ent.IsConstraintError)
}

// DeleteHoliday deletes a holiday.
func (s *Service) DeleteHoliday(ctx context.Context, id int) error {
	h, err := ent.FromContext(ctx).Holiday.Query().Where(holiday.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if err := MayOrganize(ctx); err != nil {
		return err
	}
	return ent.FromContext(ctx).Holiday.DeleteOne(h).Exec(ctx)
}

// checkSite refuses an address that the viewer does not see; nil is none.
func checkSite(ctx context.Context, id *int) error {
	if id == nil {
		return nil
	}
	ok, err := ent.FromContext(ctx).Address.Query().Where(address.ID(*id)).Exist(ctx)
	return input.Referenced("addressId", ok, err)
}
