package roster

import (
	"context"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/designation"
	"workforce/ent/fallbackshift"
	"workforce/ent/predicate"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A fallback says who has which shift where nothing else plans one.
type fallback struct {
	shift                       *int // nil for none
	user, designation, business *int // one of them
}

// checkFallback reads a fallback, or fails.
func (s *Service) checkFallback(ctx context.Context, in model.FallbackShiftInput) (fallback, error) {
	f := fallback{in.ShiftID.Value(), in.UserID.Value(), in.DesignationID.Value(), in.BusinessID.Value()}
	var faults errs.Faults
	var name string
	for _, member := range []struct {
		name string
		id   *int
	}{{"userId", f.user}, {"designationId", f.designation}, {"businessId", f.business}} {
		switch {
		case member.id == nil:
		case name != "":
			faults.Add(member.name, errs.Excludes, errs.Meta{"other": name})
		default:
			name = member.name
		}
	}
	if name == "" {
		faults.Add("userId", errs.Required, nil)
	}
	if err := faults.Err(); err != nil {
		return f, err
	}
	if err := f.checkHolder(ctx, name); err != nil || f.shift == nil {
		return f, err
	}
	return f, scheduling.Assignable(ctx, "shiftId", *f.shift)
}

// checkHolder refuses whom the viewer does not see, or may not give shifts.
func (f fallback) checkHolder(ctx context.Context, name string) error {
	if f.user != nil {
		return scheduling.WritableOne(ctx, name, *f.user)
	}
	db := ent.FromContext(ctx)
	var found bool
	var err error
	if f.designation != nil {
		found, err = db.Designation.Query().Where(designation.ID(*f.designation)).Exist(ctx)
	} else {
		found, err = db.Business.Query().Where(business.ID(*f.business)).Exist(ctx)
	}
	if err := input.Referenced(name, found, err); err != nil {
		return err
	}
	return mayDefine(ctx)
}

// of matches the row of who has the fallback.
func (f fallback) of() predicate.FallbackShift {
	switch {
	case f.user != nil:
		return fallbackshift.UserID(*f.user)
	case f.designation != nil:
		return fallbackshift.DesignationID(*f.designation)
	}
	return fallbackshift.BusinessID(*f.business)
}

// write writes the row and returns its id; 0 where it is removed.
func (f fallback) write(ctx context.Context, s *Service) (int, error) {
	db := ent.FromContext(ctx).FallbackShift
	if f.shift == nil {
		_, err := db.Delete().Where(f.of()).Exec(ctx)
		return 0, err
	}
	n, err := db.Update().Where(f.of()).SetShiftID(*f.shift).Save(ctx)
	if err == nil && n == 0 {
		err = f.create(ctx, s)
	}
	if ent.IsConstraintError(err) { // somebody set one meanwhile
		err = db.Update().Where(f.of()).SetShiftID(*f.shift).Exec(ctx)
	}
	if err != nil {
		return 0, err
	}
	return db.Query().Where(f.of()).OnlyID(ctx)
}

// create writes the row of who has none.
func (f fallback) create(ctx context.Context, s *Service) error {
	return ent.FromContext(ctx).FallbackShift.Create().SetCompanyID(viewer.From(ctx).CompanyID).SetShiftID(*f.shift).
		SetCreatedAt(s.Plans.Now()).SetNillableUserID(f.user).SetNillableDesignationID(f.designation).SetNillableBusinessID(f.business).Exec(ctx)
}
