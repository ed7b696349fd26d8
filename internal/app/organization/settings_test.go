package organization

import (
	"context"
	"fmt"
	"testing"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/setting"
)

func TestUpdateCompany(t *testing.T) {
	w := newWorld(t)
	writer := w.with(w.owner, "company.write.all")
	set := func(in model.CompanySettingsInput) model.UpdateCompanyInput {
		return model.UpdateCompanyInput{Settings: input.Given(&in)}
	}
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	block := input.Given(new(model.PolicyActionBlock))
	tests := []struct {
		name string
		in   model.UpdateCompanyInput
		want string // the fault, or the company
	}{
		{"nothing", model.UpdateCompanyInput{}, "Acme Asia/Jakarta id map[]"},
		{"all", model.UpdateCompanyInput{Name: input.Given(new(" Maju ")), Timezone: input.Given(new("Asia/Makassar")), Locale: input.Given(new("en"))}, "Maju Asia/Makassar en map[]"},
		{"a number", set(model.CompanySettingsInput{OfflineHours: number(24)}), "Maju Asia/Makassar en map[offlineHours:24]"},
		{"a choice besides", set(model.CompanySettingsInput{Face: block}), "Maju Asia/Makassar en map[face:block offlineHours:24]"},
		{"the default is not kept", set(model.CompanySettingsInput{OfflineHours: number(72)}), "Maju Asia/Makassar en map[face:block]"},
		{"null is the default", set(model.CompanySettingsInput{Face: input.Given[*model.PolicyAction](nil)}), "Maju Asia/Makassar en map[]"},
		{"the rest", set(model.CompanySettingsInput{Country: input.Given(new("SG")), WeeklyOffs: input.Given([]int{7, 6}), SingleSession: input.Given(new(true))}),
			"Maju Asia/Makassar en map[country:SG singleSession:true weeklyOffs:[7 6]]"},
		{"no name", model.UpdateCompanyInput{Name: input.Given(new(" "))}, "VALIDATION_FAILED name required"},
		{"null name", model.UpdateCompanyInput{Name: input.Given[*string](nil)}, "VALIDATION_FAILED name required"},
		{"no zone", model.UpdateCompanyInput{Timezone: input.Given(new("Mars/Olympus"))}, "VALIDATION_FAILED timezone bad_format"},
		{"null zone", model.UpdateCompanyInput{Timezone: input.Given[*string](nil)}, "VALIDATION_FAILED timezone required"},
		{"no language", model.UpdateCompanyInput{Locale: input.Given(new("fr"))}, "VALIDATION_FAILED locale not_one_of"},
		{"too few", set(model.CompanySettingsInput{OfflineHours: number(0)}), "VALIDATION_FAILED settings.offlineHours out_of_range"},
		{"too many", set(model.CompanySettingsInput{AuditDays: number(3651)}), "VALIDATION_FAILED settings.auditDays out_of_range"},
		{"no country", set(model.CompanySettingsInput{Country: input.Given(new("XX"))}), "VALIDATION_FAILED settings.country bad_format"},
		{"no day", set(model.CompanySettingsInput{WeeklyOffs: input.Given([]int{8})}), "VALIDATION_FAILED settings.weeklyOffs not_one_of"},
		{"a day twice", set(model.CompanySettingsInput{WeeklyOffs: input.Given([]int{7, 7})}), "VALIDATION_FAILED settings.weeklyOffs twice"},
		{"matches what is doubtful", set(model.CompanySettingsInput{FaceMatch: number(121)}), "VALIDATION_FAILED settings.faceMatch out_of_range"},
		{"doubts what matches", set(model.CompanySettingsInput{FaceDoubtful: number(79)}), "VALIDATION_FAILED settings.faceDoubtful out_of_range"},
		{"both, crossing", set(model.CompanySettingsInput{FaceMatch: number(50), FaceDoubtful: number(49)}), "VALIDATION_FAILED settings.faceMatch out_of_range"},
		{"both, alike", set(model.CompanySettingsInput{FaceMatch: number(50), FaceDoubtful: number(50)}),
			"Maju Asia/Makassar en map[country:SG faceDoubtful:50 faceMatch:50 singleSession:true weeklyOffs:[7 6]]"},
		{"null brings a crossing default back", set(model.CompanySettingsInput{FaceMatch: input.Given[*int](nil)}), "VALIDATION_FAILED settings.faceMatch out_of_range"},
		{"both back", set(model.CompanySettingsInput{FaceMatch: input.Given[*int](nil), FaceDoubtful: input.Given[*int](nil)}),
			"Maju Asia/Makassar en map[country:SG singleSession:true weeklyOffs:[7 6]]"},
	}
	service := &Service{Plans: plantest.New(w.World)}
	for _, tt := range tests {
		got := apptest.Code(w.Try(writer, func(ctx context.Context, _ *ent.Client) error { return service.UpdateCompany(ctx, tt.in) }))
		if got == "" {
			c := w.DB.Company.GetX(w.System(), w.Company.ID)
			got = fmt.Sprint(c.Name, " ", c.Timezone, " ", c.Locale, " ", map[string]any(c.Settings))
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if code := apptest.Code(service.UpdateCompany(w.organizer, model.UpdateCompanyInput{})); code != "FORBIDDEN" {
		t.Errorf("without company.write: %s", code)
	}
	if other := w.DB.Company.GetX(w.System(), w.theirs.CompanyID); other.Name != "Other" || len(other.Settings) > 0 {
		t.Errorf("another company was changed: %v", other)
	}
}

// TestVersionsOfSettings changes a company under versions that are right and wrong.
func TestVersionsOfSettings(t *testing.T) {
	w := newWorld(t)
	service := &Service{Plans: plantest.New(w.World)}
	writer := w.with(w.owner, "company.write.all")
	update := func(in model.UpdateCompanyInput, version int) *errs.Error {
		in.Version = input.Given(&version)
		err := w.Try(writer, func(ctx context.Context, _ *ent.Client) error { return service.UpdateCompany(ctx, in) })
		if err == nil {
			return nil
		}
		return errs.As(err)
	}
	given := func(in model.CompanySettingsInput) input.Omittable[*model.CompanySettingsInput] {
		return input.Given(&in)
	}
	for i, in := range []model.UpdateCompanyInput{
		{Name: input.Given(new("Maju"))},
		{Settings: given(model.CompanySettingsInput{OfflineHours: input.Given(new(24)), WeeklyOffs: input.Given([]int{6, 7})})},
		{},
	} {
		if err := update(in, i+1); err != nil {
			t.Fatal(i, err)
		}
	}
	for want, in := range map[string]model.UpdateCompanyInput{
		"map[locale:en name:Baru] map[locale:id name:Maju]": {
			Name: input.Given(new("Baru ")), Locale: input.Given(new("en")), Timezone: input.Given(new("Asia/Jakarta")),
		},
		"map[settings:map[face:block offlineHours:72 weeklyOffs:[7]]] map[settings:map[face:flag offlineHours:24 weeklyOffs:[6 7]]]": {
			Settings: given(model.CompanySettingsInput{
				OfflineHours: input.Given[*int](nil), WeeklyOffs: input.Given([]int{7}), Face: input.Given(new(model.PolicyActionBlock)),
				RepeatSeconds: input.Given(new(120)),
			}),
		},
		"map[] map[]": {Settings: given(model.CompanySettingsInput{OfflineHours: input.Given(new(24))})},
	} {
		e := update(in, 2)
		if e == nil || e.Code != errs.VersionConflict || e.Meta["version"] != 2 || e.Meta["currentVersion"] != 3 {
			t.Fatalf("%v, want %s", e, want)
		}
		if got := fmt.Sprint(e.Meta["yours"], " ", e.Meta["theirs"]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if v := w.DB.Company.GetX(w.System(), w.Company.ID).Version; v != 3 {
		t.Errorf("version %d, want 3", v)
	}
}

// TestWhoSetsUp refuses whoever may not change the company, whatever they send.
func TestWhoSetsUp(t *testing.T) {
	w := newWorld(t)
	service := &Service{Plans: plantest.New(w.World)}
	for permission, want := range map[string]string{"organization.write.all": "FORBIDDEN", "company.read.all": "FORBIDDEN", "company.write.all": "VALIDATION_FAILED name required"} {
		err := w.Try(w.with(w.budi, permission), func(ctx context.Context, _ *ent.Client) error {
			return service.UpdateCompany(ctx, model.UpdateCompanyInput{Name: input.Given(new(" "))})
		})
		if got := apptest.Code(err); got != want {
			t.Errorf("with %s: %s, want %s", permission, got, want)
		}
	}
}

// TestSettings answers every setting, by its value or its default.
func TestSettings(t *testing.T) {
	w := newWorld(t)
	got := Settings(w.Company)
	if got.Country != nil || got.GeofenceIn != "block" || got.GeofenceOut != "flag" || got.OfflineHours != 72 || got.WeeklyOffs == nil {
		t.Errorf("defaults: %+v", got)
	}
	w.Company.Settings = setting.Values{"offlineHours": 5, "country": "SG", "mock": "off"}
	if got = Settings(w.Company); got.OfflineHours != 5 || *got.Country != "SG" || got.Mock != "off" {
		t.Errorf("set: %+v", got)
	}
	own := Policies(setting.Policies{"mock": "off"})
	if *own.Mock != "off" || own.Face != nil {
		t.Errorf("policies: %+v", own)
	}
}
