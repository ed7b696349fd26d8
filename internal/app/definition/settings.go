package definition

import (
	"context"
	"maps"
	"slices"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/definition"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// applySettings changes the settings that differ, and returns the context in which they hold.
func (r *run) applySettings(ctx context.Context) (context.Context, error) {
	e := r.file.Elements[definition.Company][0]
	given, _ := e.Values["settings"].(map[string]any)
	c, err := ent.FromContext(ctx).Company.Query().Only(ctx)
	if err != nil {
		return ctx, err
	}
	changed, shown := map[string]any{}, []Member{}
	for _, s := range setting.All() {
		to, ok := given[s.Name]
		is := c.Settings.Get(s)
		if ok && !same(s.Name, is, orDefault(s, to)) {
			changed[s.Name], shown = to, append(shown, Member{s.Name, is, to})
		}
	}
	if len(changed) == 0 {
		r.result.Unchanged++
		return ctx, nil
	}
	settings, err := decode[model.CompanySettingsInput](changed)
	if err != nil {
		return ctx, err
	}
	if err := r.Organization.UpdateCompany(ctx, model.UpdateCompanyInput{Settings: input.Given(&settings)}); err != nil {
		return ctx, r.refused(e, err)
	}
	r.result.Changes = append(r.result.Changes, Change{Action: Update, Section: definition.Company,
		Name: "settings", Members: shown})
	me := *viewer.From(ctx)
	me.Settings = c.Settings.With(changed)
	return viewer.NewContext(ctx, &me), nil
}

// orDefault returns what a setting is to be, where null is its default.
func orDefault(s *setting.Setting, to any) any {
	if to == nil {
		return s.Default
	}
	return to
}

// settingsOf returns the settings of a company that differ from their defaults; nil for none.
func settingsOf(c *ent.Company) []map[string]any {
	if len(c.Settings) == 0 {
		return nil
	}
	values := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(c.Settings)) {
		values[name] = c.Settings[name]
	}
	return []map[string]any{{"settings": values}}
}
