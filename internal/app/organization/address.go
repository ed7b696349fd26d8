package organization

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"entgo.io/ent/dialect/sql/sqlgraph"

	"workforce/ent"
	"workforce/ent/address"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/business"
	"workforce/ent/holiday"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// The bounds of a work site.
const (
	minRadius  = 25     // metres
	maxRadius  = 50_000 // metres
	maxPoints  = 20
	maxAddress = 500 // characters of the postal address
	maxSites   = 10_000
)

// Addresses returns the work sites of the company that are not archived, by name.
func Addresses(ctx context.Context) *ent.AddressQuery {
	return ent.FromContext(ctx).Address.Query().Where(address.Active(true)).
		Order(ent.Asc(address.FieldSortName, address.FieldID)).Limit(maxSites)
}

// CreateAddress creates a work site.
func (s *Service) CreateAddress(ctx context.Context, in model.CreateAddressInput) (*ent.Address, error) {
	if err := MayOrganize(ctx); err != nil {
		return nil, err
	}
	change := siteChange{UpdateAddressInput: model.UpdateAddressInput{
		Name: input.Given(&in.Name), Address: input.DropNull(in.Address), Latitude: input.Given(in.Latitude.Value()),
		Longitude: input.Given(in.Longitude.Value()), Radius: in.Radius, Timezone: in.Timezone, Points: in.Points,
		WeeklyOffs: in.WeeklyOffs, Policies: in.Policies, BusinessID: in.BusinessID,
	}}
	create := ent.FromContext(ctx).Address.Create().SetCompanyID(viewer.From(ctx).CompanyID).SetAddress("")
	if err := change.set(ctx, create.Mutation(), nil); err != nil {
		return nil, err
	}
	a, err := create.Save(ctx)
	if err != nil {
		return nil, input.NameTaken(err, sqlgraph.IsUniqueConstraintError)
	}
	return a, s.replanCompany(ctx, plansShifts(a))
}

// UpdateAddress changes a work site.
func (s *Service) UpdateAddress(ctx context.Context, id int, in model.UpdateAddressInput) error {
	a, err := ent.FromContext(ctx).Address.Query().Where(address.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if err := MayOrganize(ctx); err != nil {
		return err
	}
	update, change := a.Update(), siteChange{UpdateAddressInput: in}
	if err := change.set(ctx, update.Mutation(), a.Policies); err != nil {
		return err
	}
	if err := update.Exec(ctx); err != nil {
		return input.NameTaken(err, sqlgraph.IsUniqueConstraintError)
	}
	return s.replanCompany(ctx, in.Timezone.IsSet() || in.WeeklyOffs.IsSet() || in.BusinessID.IsSet() || in.Active.IsSet())
}

// plansShifts reports whether the shifts of a business depend on a work site.
func plansShifts(a *ent.Address) bool {
	return a.BusinessID != nil && (a.Timezone != nil || a.WeeklyOffs != nil)
}

// replanCompany has the shifts of the company planned anew where a change of a site concerns
// them.
func (s *Service) replanCompany(ctx context.Context, concerns bool) error {
	if !concerns {
		return nil
	}
	return s.Plans.OutdateCompany(ctx, viewer.From(ctx).CompanyID)
}

// DeleteAddress deletes a work site at which nobody has clocked in, and its holidays.
func (s *Service) DeleteAddress(ctx context.Context, id int) error {
	db := ent.FromContext(ctx)
	a, err := db.Address.Query().Where(address.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if err := MayOrganize(ctx); err != nil {
		return err
	}
	used, err := db.Attendance.Query().Where(entAttendance.CompanyID(a.CompanyID), entAttendance.AddressID(id)).Exist(viewer.System(ctx))
	if err != nil {
		return err
	}
	if used {
		return errs.Conflicts(errs.InUse, "", nil)
	}
	holidays, err := db.Holiday.Delete().Where(holiday.AddressID(id)).Exec(ctx)
	if err != nil {
		return err
	}
	err = db.Address.DeleteOne(a).Exec(ctx)
	if ent.IsConstraintError(err) { // somebody clocked in meanwhile
		err = errs.Conflicts(errs.InUse, "", nil)
	}
	if err != nil {
		return err
	}
	return s.replanCompany(ctx, plansShifts(a) || holidays > 0)
}

// A siteChange holds the given members of a work site.
type siteChange struct {
	model.UpdateAddressInput
	points []geofence.Point
}

// set checks the given members and applies them to a mutation, all or with all faults
// none. own are the policies that the site has.
func (c *siteChange) set(ctx context.Context, m *ent.AddressMutation, own setting.Policies) error {
	if err := c.check(ctx).Err(); err != nil {
		return err
	}
	if id := c.BusinessID.Value(); id != nil {
		ok, err := ent.FromContext(ctx).Business.Query().Where(business.ID(*id)).Exist(ctx)
		if err := input.Referenced("businessId", ok, err); err != nil {
			return err
		}
	}
	input.Set(c.Name, m.SetName, nil)
	input.Set(c.Address, m.SetAddress, nil)
	input.Set(c.Latitude, func(l scalar.Coordinate) { m.SetLatitude(l.Degrees) }, nil)
	input.Set(c.Longitude, func(l scalar.Coordinate) { m.SetLongitude(l.Degrees) }, nil)
	input.Set(c.Radius, m.SetRadius, m.ClearRadius)
	input.Set(c.Timezone, m.SetTimezone, m.ClearTimezone)
	input.Set(c.Active, m.SetActive, nil)
	input.Set(c.BusinessID, m.SetBusinessID, m.ClearBusinessID)
	if c.Points.IsSet() {
		m.SetPoints(c.points)
	}
	if days, given := c.WeeklyOffs.ValueOK(); given && days == nil {
		m.ClearWeeklyOffs()
	} else if given {
		m.SetWeeklyOffs(days)
	}
	if policies, given := c.Policies.ValueOK(); given && policies == nil {
		m.ClearPolicies()
	} else if given {
		m.SetPolicies(own.With(setting.Given(*policies)))
	}
	return nil
}

// check returns the faults of the given members.
func (c *siteChange) check(ctx context.Context) errs.Faults {
	var faults errs.Faults
	if name, given := c.Name.ValueOK(); given {
		c.Name = input.Given(new(input.Name(&faults, "name", name)))
	}
	if text, given := c.Address.ValueOK(); given {
		trimmed := strings.TrimSpace(input.Value(text)) // none is ""
		c.Address = input.Given(&trimmed)
		if utf8.RuneCountInString(trimmed) > maxAddress {
			faults.Add("address", errs.TooLong, errs.Meta{"max": maxAddress})
		}
	}
	if c.Latitude.IsSet() || c.Longitude.IsSet() {
		input.Position(&faults, "", c.Latitude.Value(), c.Longitude.Value())
	}
	if r := c.Radius.Value(); r != nil && (*r < minRadius || *r > maxRadius) {
		faults.Add("radius", errs.OutOfRange, errs.Meta{"min": minRadius, "max": maxRadius})
	}
	if zone := c.Timezone.Value(); zone != nil {
		CheckZone(&faults, zone)
	}
	setting.CheckWeekdays(&faults, "weeklyOffs", c.WeeklyOffs.Value())
	if active, given := c.Active.ValueOK(); given && active == nil {
		faults.Add("active", errs.Required, nil)
	}
	c.checkPoints(&faults)
	return faults
}

// checkPoints reads the further positions.
func (c *siteChange) checkPoints(faults *errs.Faults) {
	list := c.Points.Value()
	if len(list) > maxPoints {
		faults.Add("points", errs.TooMany, errs.Meta{"max": maxPoints})
		return
	}
	for i, p := range list {
		at := fmt.Sprintf("points.%d.", i)
		c.points = append(c.points, input.Position(faults, at, p.Latitude.Value(), p.Longitude.Value()))
	}
}
