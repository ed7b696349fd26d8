package roster

import (
	"context"

	"workforce/ent"
	"workforce/ent/rotation"
	"workforce/ent/rotationassignment"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// maxDays is how many days a rotation has: eight weeks.
const maxDays = 56

// CreateRotation adds a rotation of the viewer's company.
func (s *Service) CreateRotation(ctx context.Context, in model.RotationInput) (*ent.Rotation, error) {
	if err := mayDefine(ctx); err != nil {
		return nil, err
	}
	name, days, err := checkRotation(ctx, in)
	if err != nil {
		return nil, err
	}
	r, err := ent.FromContext(ctx).Rotation.Create().SetCompanyID(viewer.From(ctx).CompanyID).SetName(name).SetDays(days).Save(ctx)
	return r, input.NameTaken(err, ent.IsConstraintError)
}

// checkRotation returns the name and the days of a rotation.
func checkRotation(ctx context.Context, in model.RotationInput) (name string, days []int, err error) {
	var faults errs.Faults
	name = input.Name(&faults, "name", &in.Name)
	switch {
	case len(in.Days) == 0:
		faults.Add("days", errs.Required, nil)
	case len(in.Days) > maxDays:
		faults.Add("days", errs.TooMany, errs.Meta{"max": maxDays})
	}
	if err := faults.Err(); err != nil {
		return "", nil, err
	}
	days = make([]int, len(in.Days))
	var shifts []int
	for i, id := range in.Days {
		if id != nil {
			days[i] = *id
			shifts = append(shifts, *id)
		}
	}
	return name, days, scheduling.Assignable(ctx, "days", shifts...)
}

// UpdateRotation changes a rotation.
func (s *Service) UpdateRotation(ctx context.Context, id int, in model.RotationInput) error {
	r, err := lockedRotation(ctx, id)
	if err != nil {
		return err
	}
	name, days, err := checkRotation(ctx, in)
	if err != nil {
		return err
	}
	if err := r.Update().SetName(name).SetDays(days).Exec(ctx); err != nil {
		return input.NameTaken(err, ent.IsConstraintError)
	}
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return err
	}
	users, err := ent.FromContext(ctx).RotationAssignment.Query().
		Where(rotationassignment.RotationID(id), rotationassignment.Or(rotationassignment.EndsOnIsNil(), rotationassignment.EndsOnGTE(string(today)))).
		QueryUser().IDs(viewer.System(ctx))
	if err != nil {
		return err
	}
	return s.Plans.Change(ctx, r.CompanyID, scheduling.Sorted(users...), today, "days", isRotated)
}

// lockedRotation returns a rotation that nobody else changes until the transaction ends.
func lockedRotation(ctx context.Context, id int) (*ent.Rotation, error) {
	rotations := ent.FromContext(ctx).Rotation.Query().Where(rotation.ID(id))
	if _, err := rotations.Clone().OnlyID(ctx); err != nil {
		return nil, err
	}
	if err := lockDefinitions(ctx); err != nil {
		return nil, err
	}
	return rotations.Only(ctx)
}

// isRotated reports whether a rotation plans an occurrence.
func isRotated(o shift.Planned) bool { return o.Origin == shift.ByRotation }

// DeleteRotation deletes a rotation that nobody has or had.
func (s *Service) DeleteRotation(ctx context.Context, id int) error {
	r, err := lockedRotation(ctx, id)
	if err != nil {
		return err
	}
	n, err := ent.FromContext(ctx).RotationAssignment.Query().Where(rotationassignment.RotationID(id)).Count(viewer.System(ctx))
	if err != nil {
		return err
	}
	if n > 0 {
		return errs.Conflicts(errs.InUse, "", errs.Meta{"assignments": n})
	}
	err = ent.FromContext(ctx).Rotation.DeleteOne(r).Exec(ctx)
	if ent.IsConstraintError(err) { // somebody got it meanwhile
		err = errs.Conflicts(errs.InUse, "", nil)
	}
	return err
}

// Shifts returns the shifts of the days of a rotation; nil is a day off.
func Shifts(ctx context.Context, r *ent.Rotation) ([]*ent.Shift, error) {
	found, err := scheduling.ShiftsByID(ctx, r.Days)
	list := make([]*ent.Shift, len(r.Days))
	for i, id := range r.Days {
		list[i] = found[id]
	}
	return list, err
}

// AssignRotation gives people a rotation, and answers for each in the order given. Those
// that they had end the day before; what was to begin while it lasts goes, and what begins
// after its last date stays.
func (s *Service) AssignRotation(ctx context.Context, in model.AssignRotationInput) ([]*model.AssignedShift, error) {
	given, err := s.assignRotation(ctx, in)
	if err != nil {
		return nil, err
	}
	return answers(in.UserIds, given), nil
}

// GiveRotation is AssignRotation, and returns why people were refused, by id.
func (s *Service) GiveRotation(ctx context.Context, in model.AssignRotationInput) (map[int]error, error) {
	given, err := s.assignRotation(ctx, in)
	refused := map[int]error{}
	for id, g := range given {
		if g.err != nil {
			refused[id] = g.err
		}
	}
	return refused, err
}

func (s *Service) assignRotation(ctx context.Context, in model.AssignRotationInput) (map[int]given, error) {
	r, err := checkRotationAssignment(ctx, in)
	if err != nil {
		return nil, err
	}
	a := &ent.RotationAssignment{StartsOn: in.StartsOn, EndsOn: in.EndsOn.Value(), FirstDay: max(1, input.Value(in.FirstDay.Value()))}
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return nil, err
	}
	before := shift.Date(a.StartsOn).AddDays(-1)
	return s.give(ctx, in.UserIds, max(today.AddDays(-1), shift.Date(in.StartsOn)), func(p *scheduling.Person) {
		for i := range p.Plan.Rotations {
			if old := &p.Plan.Rotations[i]; (old.EndsOn == "" || old.EndsOn > before) && (a.EndsOn == nil || string(old.StartsOn) <= *a.EndsOn) {
				old.EndsOn = before
			}
		}
		p.Plan.Rotations = append(p.Plan.Rotations, scheduling.Rotating(a, r.Days))
	}, isRotated, newRows{
		shifts: r.Days, subject: ent.TypeRotationAssignment, action: "rotation_assignment.created",
		facts: func(int) map[string]any {
			return map[string]any{"rotation_id": r.ID, "starts_on": in.StartsOn, "ends_on": in.EndsOn.Value()}
		},
		create: func(ctx context.Context, ids []int) error {
			db := ent.FromContext(ctx).RotationAssignment
			gone := rotationassignment.StartsOnGT(string(before))
			if a.EndsOn != nil {
				gone = rotationassignment.And(gone, rotationassignment.StartsOnLTE(*a.EndsOn))
			}
			if _, err := db.Delete().Where(rotationassignment.UserIDIn(ids...), gone).Exec(ctx); err != nil {
				return err
			}
			late := rotationassignment.Or(rotationassignment.EndsOnIsNil(), rotationassignment.EndsOnGT(string(before)))
			err := db.Update().Where(rotationassignment.UserIDIn(ids...), late, rotationassignment.StartsOnLTE(string(before))).SetEndsOn(string(before)).Exec(ctx)
			if err != nil {
				return err
			}
			return db.MapCreateBulk(ids, func(c *ent.RotationAssignmentCreate, i int) {
				c.SetCompanyID(r.CompanyID).SetUserID(ids[i]).SetRotationID(r.ID).SetStartsOn(a.StartsOn).SetNillableEndsOn(a.EndsOn).SetFirstDay(a.FirstDay)
			}).Exec(ctx)
		},
		read: func(ctx context.Context, ids []int) (map[int]int, error) {
			rows, err := ent.FromContext(ctx).RotationAssignment.Query().
				Where(rotationassignment.UserIDIn(ids...), rotationassignment.StartsOn(a.StartsOn)).All(ctx)
			made := map[int]int{}
			for _, a := range rows {
				made[a.UserID] = a.ID
			}
			return made, err
		},
	})
}

// DeleteRotationAssignment removes a person's rotation that has not begun; CONFLICT for another one, which
// can be ended.
func (s *Service) DeleteRotationAssignment(ctx context.Context, id int) error {
	r, err := changeableRotation(ctx, id)
	if err != nil {
		return err
	}
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return err
	}
	if r.StartsOn <= string(today) {
		return errs.Conflicts(errs.Worked, "", errs.Meta{"date": r.StartsOn})
	}
	if err := ent.FromContext(ctx).RotationAssignment.DeleteOne(r).Exec(ctx); err != nil {
		return err
	}
	return s.changed(ctx, r.CompanyID, r.UserID, "id", func(o shift.Planned) bool { return o.Origin == shift.ByFallback })
}

// checkRotationAssignment returns the rotation that people are given.
func checkRotationAssignment(ctx context.Context, in model.AssignRotationInput) (*ent.Rotation, error) {
	var faults errs.Faults
	checkPeople(&faults, in.UserIds)
	checkPeriod(&faults, in.StartsOn, in.EndsOn.Value())
	first := in.FirstDay.Value()
	if first != nil && (*first < 1 || *first > maxDays) {
		faults.Add("firstDay", errs.OutOfRange, errs.Meta{"min": 1, "max": maxDays})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	r, err := ent.FromContext(ctx).Rotation.Query().Where(rotation.ID(in.RotationID)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errs.Field(errs.NotFound, "rotationId", nil)
	}
	if err != nil {
		return nil, err
	}
	if first != nil && *first > len(r.Days) {
		return nil, errs.Because("firstDay", errs.OutOfRange, errs.Meta{"min": 1, "max": len(r.Days)})
	}
	return r, nil
}

// EndRotation sets the last date of a person's rotation.
func (s *Service) EndRotation(ctx context.Context, id int, in model.EndRotationInput) error {
	r, err := changeableRotation(ctx, id)
	if err != nil {
		return err
	}
	today, err := s.Plans.CompanyToday(ctx)
	if err != nil {
		return err
	}
	earliest, latest := max(string(today.AddDays(-1)), r.StartsOn), "9998-12-31"
	if r.EndsOn != nil {
		latest = *r.EndsOn
	}
	if in.EndsOn < earliest || in.EndsOn > latest {
		return errs.Because("endsOn", errs.OutOfRange, errs.Meta{"min": earliest, "max": latest})
	}
	if err := r.Update().SetEndsOn(in.EndsOn).Exec(ctx); err != nil {
		return err
	}
	// the fallback shift takes the dates that it leaves
	return s.changed(ctx, r.CompanyID, r.UserID, "endsOn", func(o shift.Planned) bool {
		return o.Origin == shift.ByFallback && string(o.Date) > in.EndsOn && string(o.Date) <= latest
	})
}

// changeableRotation returns the rotation of somebody whose shifts the viewer changes,
// which nobody else changes until the transaction ends.
func changeableRotation(ctx context.Context, id int) (*ent.RotationAssignment, error) {
	of := ent.FromContext(ctx).RotationAssignment.Query().Where(rotationassignment.ID(id))
	r, err := of.Clone().Only(ctx)
	if err != nil {
		return nil, err
	}
	if err := scheduling.MayChange(ctx, r.UserID); err != nil {
		return nil, err
	}
	if err := scheduling.Lock(viewer.System(ctx), r.CompanyID, []int{r.UserID}); err != nil {
		return nil, err
	}
	return of.Only(ctx) // as the one before left it
}

// SetFallback sets or removes a fallback shift, and returns its id; 0 for none.
func (s *Service) SetFallback(ctx context.Context, in model.FallbackShiftInput) (int, error) {
	f, err := s.checkFallback(ctx, in)
	if err != nil {
		return 0, err
	}
	id, err := f.write(ctx, s)
	if err != nil {
		return 0, err
	}
	if f.user != nil {
		return id, s.changed(ctx, viewer.From(ctx).CompanyID, *f.user, "shiftId", func(o shift.Planned) bool { return o.Origin == shift.ByFallback })
	}
	return id, s.Plans.OutdateCompany(ctx, viewer.From(ctx).CompanyID)
}
