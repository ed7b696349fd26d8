package attendance

import (
	"context"

	"workforce/ent"
	entExemption "workforce/ent/exemption"
	"workforce/ent/role"
	entUser "workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// approvable returns a user about whose clock events the viewer decides: another one within
// the scope of attendance.approve, and no owner unless the viewer is one. FORBIDDEN for
// everybody else whom they see.
func approvable(ctx context.Context, userID int) (*ent.User, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	db := ent.FromContext(ctx)
	u, err := db.User.Get(ctx, userID)
	if err != nil {
		return nil, err
	}
	if u.ID == me.UserID || !me.Reaches(me.Scope("attendance", "approve"), u.ID, u.BusinessID) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	if me.Owner {
		return u, nil
	}
	owner, err := db.User.Query().Where(entUser.ID(u.ID), entUser.HasRolesWith(role.Builtin(viewer.Owner))).
		Exist(viewer.System(ctx))
	if err == nil && owner {
		err = errs.New(errs.Forbidden, nil)
	}
	return u, err
}

// CreateExemption exempts a person from a rule until a day.
func (s *Service) CreateExemption(ctx context.Context, in model.CreateExemptionInput) (*ent.Exemption, error) {
	var faults errs.Faults
	s.checkExemption(ctx, &faults, &in.EndsOn, in.Note.Value())
	if err := faults.Err(); err != nil {
		return nil, err
	}
	u, err := approvable(ctx, in.UserID)
	if ent.IsNotFound(err) {
		return nil, errs.Field(errs.NotFound, "userId", nil)
	}
	if err != nil {
		return nil, err
	}
	x, err := ent.FromContext(ctx).Exemption.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetRule(in.Rule).
		SetEndsOn(in.EndsOn).SetNillableNote(in.Note.Value()).Save(viewer.System(ctx))
	if ent.IsConstraintError(err) {
		return nil, errs.Because("rule", errs.AlreadyTaken, nil)
	}
	return x, err
}

// UpdateExemption changes an exemption.
func (s *Service) UpdateExemption(ctx context.Context, id int, in model.UpdateExemptionInput) error {
	x, err := changeableExemption(ctx, id)
	if err != nil {
		return err
	}
	var faults errs.Faults
	endsOn, set := in.EndsOn.ValueOK()
	if set && endsOn == nil {
		faults.Add("endsOn", errs.Required, nil)
	}
	s.checkExemption(ctx, &faults, endsOn, in.Note.Value())
	if err := faults.Err(); err != nil {
		return err
	}
	update := x.Update()
	input.Set(in.EndsOn, func(d string) { update.SetEndsOn(d) }, nil)
	input.Set(in.Note, func(note string) { update.SetNote(note) }, func() { update.ClearNote() })
	return update.Exec(viewer.System(ctx))
}

// DeleteExemption ends an exemption at once.
func (s *Service) DeleteExemption(ctx context.Context, id int) error {
	x, err := changeableExemption(ctx, id)
	if err != nil {
		return err
	}
	return ent.FromContext(ctx).Exemption.DeleteOne(x).Exec(viewer.System(ctx))
}

// changeableExemption returns an exemption of somebody about whom the viewer decides.
func changeableExemption(ctx context.Context, id int) (*ent.Exemption, error) {
	x, err := ent.FromContext(ctx).Exemption.Query().Where(entExemption.ID(id)).Only(ctx)
	if err == nil {
		_, err = approvable(ctx, x.UserID)
	}
	return x, err
}

// checkExemption adds the faults of the members that are not nil.
func (s *Service) checkExemption(ctx context.Context, faults *errs.Faults, endsOn, note *string) {
	today := string(shift.DateOf(s.Now(), shift.ZoneNamed(viewer.From(ctx).Timezone)))
	if endsOn != nil && *endsOn < today {
		faults.Add("endsOn", errs.OutOfRange, errs.Meta{"min": today, "max": "9999-12-31"})
	}
	checkNote(faults, note)
}
