package organization

import (
	"context"
	"slices"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/allowedplace"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/predicate"
	entShift "workforce/ent/shift"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A subject is whose set of allowed work sites is meant.
type subject struct {
	of    allowedplace.Of
	field string // of the input
	id    *int
	rows  func(id int) predicate.AllowedPlace
	link  func(m *ent.AllowedPlaceMutation, id int)
}

// subjects are those that an input may name.
func subjects(in model.SetAllowedAddressesInput) []subject {
	return []subject{
		{allowedplace.OfUser, "userId", in.UserID.Value(), allowedplace.UserID, (*ent.AllowedPlaceMutation).SetUserID},
		{allowedplace.OfShift, "shiftId", in.ShiftID.Value(), allowedplace.ShiftID, (*ent.AllowedPlaceMutation).SetShiftID},
		{allowedplace.OfDesignation, "designationId", in.DesignationID.Value(), allowedplace.DesignationID, (*ent.AllowedPlaceMutation).SetDesignationID},
		{allowedplace.OfBusiness, "businessId", in.BusinessID.Value(), allowedplace.BusinessID, (*ent.AllowedPlaceMutation).SetBusinessID},
	}
}

// exists reports whether the viewer sees the subject.
func (s subject) exists(ctx context.Context) (bool, error) {
	db := ent.FromContext(ctx)
	switch s.of {
	case allowedplace.OfUser:
		return db.User.Query().Where(user.ID(*s.id)).Exist(ctx)
	case allowedplace.OfShift:
		return db.Shift.Query().Where(entShift.ID(*s.id)).Exist(ctx)
	case allowedplace.OfDesignation:
		return db.Designation.Query().Where(designation.ID(*s.id)).Exist(ctx)
	default:
		return db.Business.Query().Where(business.ID(*s.id)).Exist(ctx)
	}
}

// named returns the one subject that an input names, and adds a fault for none and for
// more than one.
func named(in model.SetAllowedAddressesInput, faults *errs.Faults) (s subject) {
	for _, other := range subjects(in) {
		switch {
		case other.id == nil:
		case s.id == nil:
			s = other
		default:
			faults.Add(other.field, errs.Excludes, errs.Meta{"other": s.field})
		}
	}
	if s.id == nil {
		faults.Add("userId", errs.Required, nil)
	}
	return s
}

// SetAllowedAddresses puts a set of work sites in the place of that of a person, a shift, a
// designation or a business, and returns a query of its sites by name.
func (s *Service) SetAllowedAddresses(ctx context.Context, in model.SetAllowedAddressesInput) (*ent.AddressQuery, error) {
	if err := MayOrganize(ctx); err != nil {
		return nil, err
	}
	var faults errs.Faults
	of, ids := named(in, &faults), input.IDs(&faults, "addressIds", input.Given(in.AddressIds))
	if err := faults.Err(); err != nil {
		return nil, err
	}
	found, err := of.exists(ctx)
	if err := input.Referenced(of.field, found, err); err != nil {
		return nil, err
	}
	sites := ent.FromContext(ctx).Address.Query().Where(address.IDIn(ids...)).Order(ent.Asc(address.FieldSortName, address.FieldID))
	n, err := sites.Clone().Count(ctx)
	if err := input.Referenced("addressIds", n == len(ids), err); err != nil {
		return nil, err
	}
	return sites, replace(ctx, of, ids)
}

// replace makes the set of a subject that of the ids: sets that are saved at the same time
// come one after the other.
func replace(ctx context.Context, of subject, ids []int) error {
	if err := Lock(ctx); err != nil {
		return err
	}
	db, company := ent.FromContext(ctx), viewer.From(ctx).CompanyID
	others := allowedplace.Not(allowedplace.AddressIDIn(ids...))
	if _, err := db.AllowedPlace.Delete().Where(of.rows(*of.id), others).Exec(ctx); err != nil {
		return err
	}
	rows, err := db.AllowedPlace.Query().Where(of.rows(*of.id)).All(viewer.System(ctx)) // who writes need not read
	if err != nil {
		return err
	}
	creates := []*ent.AllowedPlaceCreate{}
	for _, id := range ids {
		if slices.ContainsFunc(rows, func(p *ent.AllowedPlace) bool { return p.AddressID == id }) {
			continue
		}
		create := db.AllowedPlace.Create().SetCompanyID(company).SetOf(of.of).SetAddressID(id)
		of.link(create.Mutation(), *of.id)
		creates = append(creates, create)
	}
	return db.AllowedPlace.CreateBulk(creates...).Exec(ctx)
}
