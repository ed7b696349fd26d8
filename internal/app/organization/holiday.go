package organization

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/holiday"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/shift"
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
	if err != nil {
		return nil, input.NameTaken(err, ent.IsConstraintError)
	}
	return h, s.recharge(ctx, h.CompanyID, h.Date)
}

// recharge has leave counted anew on dates whose holidays changed, in any order.
func (s *Service) recharge(ctx context.Context, company int, dates ...string) error {
	return s.Plans.Recharge(ctx, company, scheduling.Recharge{
		From: shift.Date(slices.Min(dates)), To: shift.Date(slices.Max(dates)),
	})
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
	date := h.Date
	if to := in.Date.Value(); to != nil {
		date = *to
	}
	if err := update.Exec(ctx); err != nil {
		return input.NameTaken(err, ent.IsConstraintError)
	}
	if !in.Date.IsSet() && !in.Half.IsSet() {
		return nil
	}
	return s.recharge(ctx, h.CompanyID, h.Date, date)
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
	if err := ent.FromContext(ctx).Holiday.DeleteOne(h).Exec(ctx); err != nil {
		return err
	}
	return s.recharge(ctx, h.CompanyID, h.Date)
}

// checkSite refuses an address that the viewer does not see; nil is none.
func checkSite(ctx context.Context, id *int) error {
	if id == nil {
		return nil
	}
	ok, err := ent.FromContext(ctx).Address.Query().Where(address.ID(*id)).Exist(ctx)
	return input.Referenced("addressId", ok, err)
}
