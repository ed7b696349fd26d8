package leave

import (
	"context"
	"math"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// maxAllowance is how many days a yearly allowance has at most.
const maxAllowance = 366

// checkAllowance adds a fault for an allowance that is no number of half days; nil is no
// limit.
func checkAllowance(faults *errs.Faults, days *float64) {
	if days != nil && !(*days >= 0 && *days <= maxAllowance && math.Mod(*days*2, 1) == 0) { // nor is NaN
		faults.Add("yearlyAllowance", errs.OutOfRange, errs.Meta{"min": 0, "max": maxAllowance})
	}
}

// CreateType creates a type of leave.
func (s *Service) CreateType(ctx context.Context, in model.CreateLeaveTypeInput) (*ent.LeaveType, error) {
	if err := organization.MayOrganize(ctx); err != nil {
		return nil, err
	}
	var faults errs.Faults
	name := input.Name(&faults, "name", &in.Name)
	checkAllowance(&faults, in.YearlyAllowance.Value())
	if err := faults.Err(); err != nil {
		return nil, err
	}
	t, err := ent.FromContext(ctx).LeaveType.Create().SetCompanyID(viewer.From(ctx).CompanyID).SetName(name).
		SetNillablePaid(in.Paid.Value()).SetNillableUnit(in.Unit.Value()).SetNillableYearlyAllowance(in.YearlyAllowance.Value()).
		SetNillableWorkFromHome(in.WorkFromHome.Value()).Save(ctx)
	return t, input.NameTaken(err, ent.IsConstraintError)
}

// UpdateType changes a type of leave.
func (s *Service) UpdateType(ctx context.Context, id int, in model.UpdateLeaveTypeInput) error {
	t, err := changeable(ctx, id)
	if err != nil {
		return err
	}
	var faults errs.Faults
	if name, given := in.Name.ValueOK(); given {
		in.Name = input.Given(new(input.Name(&faults, "name", name)))
	}
	for field, null := range map[string]bool{
		"paid": in.Paid.IsSet() && in.Paid.Value() == nil, "unit": in.Unit.IsSet() && in.Unit.Value() == nil,
		"workFromHome": in.WorkFromHome.IsSet() && in.WorkFromHome.Value() == nil, "active": in.Active.IsSet() && in.Active.Value() == nil,
	} {
		if null {
			faults.Add(field, errs.Required, nil)
		}
	}
	checkAllowance(&faults, in.YearlyAllowance.Value())
	if err := faults.Err(); err != nil {
		return err
	}
	update := t.Update()
	m := update.Mutation()
	input.Set(in.Name, m.SetName, nil)
	input.Set(in.Paid, m.SetPaid, nil)
	input.Set(in.Unit, m.SetUnit, nil)
	input.Set(in.WorkFromHome, m.SetWorkFromHome, nil)
	input.Set(in.Active, m.SetActive, nil)
	input.Set(in.YearlyAllowance, m.SetYearlyAllowance, m.ClearYearlyAllowance)
	return input.NameTaken(update.Exec(ctx), ent.IsConstraintError)
}

// DeleteType deletes a type that nobody requested.
func (s *Service) DeleteType(ctx context.Context, id int) error {
	t, err := changeable(ctx, id)
	if err != nil {
		return err
	}
	used, err := ent.FromContext(ctx).Leave.Query().Where(entLeave.LeaveTypeID(id)).Exist(viewer.System(ctx))
	if err != nil {
		return err
	}
	if used {
		return errs.Conflicts(errs.InUse, "", nil)
	}
	err = ent.FromContext(ctx).LeaveType.DeleteOne(t).Exec(ctx)
	if ent.IsConstraintError(err) { // requested meanwhile
		err = errs.Conflicts(errs.InUse, "", nil)
	}
	return err
}

// changeable returns a type that the viewer may change.
func changeable(ctx context.Context, id int) (*ent.LeaveType, error) {
	t, err := ent.FromContext(ctx).LeaveType.Query().Where(leavetype.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return t, organization.MayOrganize(ctx)
}
