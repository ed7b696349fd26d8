package organization

import (
	"context"

	"workforce/ent"
	"workforce/ent/company"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/period"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// UpdateCompany changes the viewer's company and its settings: VERSION_CONFLICT where that is
// based on another version. What is past stays as it was recorded; shifts to come follow
// another zone or weekly off.
func (s *Service) UpdateCompany(ctx context.Context, in model.UpdateCompanyInput) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	if me.Scope("company", "write") < viewer.All {
		return errs.New(errs.Forbidden, nil)
	}
	c, err := lockedCompany(ctx)
	if err != nil {
		return err
	}
	changes, err := checkChange(ctx, &in, c.Settings)
	if err != nil {
		return err
	}
	update := c.Update()
	input.Set(in.Name, func(name string) { update.SetName(name) }, nil)
	input.Set(in.Timezone, func(zone string) { update.SetTimezone(zone) }, nil)
	input.Set(in.Locale, func(locale string) { update.SetLocale(locale) }, nil)
	if len(changes) > 0 {
		settings := c.Settings.With(changes)
		var faults errs.Faults
		if period.LocksOf(settings).Check(&faults, "settings."); len(faults) > 0 {
			return faults.Err()
		}
		update.SetSettings(settings)
	}
	m := update.Mutation()
	err = input.CheckVersion(in.Version, c.Version, func() (*input.Difference, error) {
		return difference(ctx, m, c.Settings, changes)
	})
	if err != nil {
		return err
	}
	if len(m.Fields()) > 0 {
		update.AddVersion(1)
	}
	if err := update.Exec(ctx); err != nil {
		return err
	}
	if _, offs := changes[setting.WeeklyOffs.Name]; !offs && !in.Timezone.IsSet() {
		return nil
	}
	return s.Plans.OutdateCompany(ctx, c.ID)
}

// memberNames are the names of the members of a company, by column.
var memberNames = map[string]string{
	company.FieldName: "name", company.FieldTimezone: "timezone", company.FieldLocale: "locale",
}

// difference returns the members that a mutation of a company would change. now are the settings that
// it has, changes those that are given.
func difference(
	ctx context.Context, m *ent.CompanyMutation, now setting.Values, changes map[string]any,
) (*input.Difference, error) {
	d, err := input.DifferenceOf(ctx, m, memberNames)
	if err != nil {
		return nil, err
	}
	var settings input.Difference
	then := now.With(changes)
	for name := range changes {
		s := setting.Find(name)
		settings.Add(name, then.Get(s), now.Get(s))
	}
	d.AddMembers("settings", settings)
	return d, nil
}

// lockedCompany returns the viewer's company, with its row locked until the transaction ends:
// settings that are changed at the same time are all kept.
func lockedCompany(ctx context.Context) (*ent.Company, error) {
	if err := Lock(ctx); err != nil {
		return nil, err
	}
	return ent.FromContext(ctx).Company.Query().Only(ctx)
}

// checkChange returns the settings that are given, by name, or VALIDATION_FAILED with
// every fault. now are the settings that the company has.
func checkChange(ctx context.Context, in *model.UpdateCompanyInput, now setting.Values) (map[string]any, error) {
	var faults errs.Faults
	if name, given := in.Name.ValueOK(); given {
		in.Name = input.Given(new(input.Name(&faults, "name", name)))
	}
	if zone, given := in.Timezone.ValueOK(); given {
		CheckZone(&faults, zone)
	}
	input.OneOf(&faults, "locale", in.Locale, false, Locales...)
	var changes map[string]any
	if given := in.Settings.Value(); given != nil {
		changes = setting.Given(*given)
	}
	for _, s := range setting.All() {
		s.Check(&faults, "settings."+s.Name, changes[s.Name])
	}
	now.With(changes).CheckTogether(&faults, "settings.", changes)
	return changes, faults.Err()
}

// CheckZone adds a fault for text that names no zone of the IANA database, and for
// null.
func CheckZone(faults *errs.Faults, name *string) {
	if name == nil {
		faults.Add("timezone", errs.Required, nil)
	} else if !shift.IsZone(*name) {
		faults.Add("timezone", errs.BadFormat, errs.Meta{"expected": "Asia/Jakarta"})
	}
}

// Settings returns the settings of a company as they are answered.
func Settings(c *ent.Company) *model.CompanySettings {
	return setting.Answer[model.CompanySettings](c.Settings.Get)
}

// Policies returns the policies that an address or a person has of their own.
func Policies(p setting.Policies) *model.OwnPolicies {
	return setting.Answer[model.OwnPolicies](func(s *setting.Setting) any {
		if policy, ok := p[s.Name]; ok {
			return policy
		}
		return nil
	})
}
