package organization

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/app/input"
	"workforce/internal/scalar"
)

func degrees(d float64) input.Omittable[*scalar.Coordinate] {
	return input.Given(&scalar.Coordinate{Degrees: d, Valid: true})
}

// site returns the input of an address.
func site(name string, change func(*model.CreateAddressInput)) model.CreateAddressInput {
	in := model.CreateAddressInput{Name: name, Latitude: degrees(-6.2), Longitude: degrees(106.8)}
	if change != nil {
		change(&in)
	}
	return in
}

// points returns n further positions.
func points(n int) input.Omittable[[]*model.AddressPointInput] {
	all := []*model.AddressPointInput{}
	for range n {
		all = append(all, &model.AddressPointInput{Latitude: degrees(-6), Longitude: degrees(107)})
	}
	return input.Given(all)
}

func TestCreateAddress(t *testing.T) {
	w := newSiteWorld(t)
	policies := &model.OwnPoliciesInput{Face: input.Given(new(model.PolicyActionOff)), Mock: input.Given[*model.PolicyAction](nil)}
	tests := []struct {
		name   string
		change func(*model.CreateAddressInput)
		want   string
	}{
		{"Least", nil, "Least  -6.2 106.8 <nil> <nil> [] map[] [] true"},
		{"All", func(in *model.CreateAddressInput) {
			in.Address, in.Radius, in.Timezone = input.Given(new("Jalan 1")), input.Given(new(25)), input.Given(new("Asia/Tokyo"))
			in.Points, in.WeeklyOffs, in.Policies = points(1), input.Given([]int{5}), input.Given(policies)
		}, "All Jalan 1 -6.2 106.8 25 Asia/Tokyo [{-6 107}] map[face:off] [5] true"},
		{"Widest", func(in *model.CreateAddressInput) { in.Radius, in.Points = input.Given(new(50_000)), points(20) }, "*"},
		{" ", nil, "VALIDATION_FAILED name required"},
		{"LEAST", nil, "VALIDATION_FAILED name already_taken"},
		{"X", func(in *model.CreateAddressInput) { in.Latitude = input.Omittable[*scalar.Coordinate]{} }, "VALIDATION_FAILED latitude required"},
		{"X", func(in *model.CreateAddressInput) { in.Latitude, in.Longitude = degrees(0), degrees(0) }, "VALIDATION_FAILED latitude required"},
		{"X", func(in *model.CreateAddressInput) { in.Longitude = degrees(180.1) }, "VALIDATION_FAILED longitude out_of_range"},
		{"X", func(in *model.CreateAddressInput) { in.Radius = input.Given(new(0)) }, "VALIDATION_FAILED radius out_of_range"},
		{"X", func(in *model.CreateAddressInput) { in.Radius = input.Given(new(-1)) }, "VALIDATION_FAILED radius out_of_range"},
		{"X", func(in *model.CreateAddressInput) { in.Radius = input.Given(new(24)) }, "VALIDATION_FAILED radius out_of_range"},
		{"X", func(in *model.CreateAddressInput) { in.Radius = input.Given(new(50_001)) }, "VALIDATION_FAILED radius out_of_range"},
		{"X", func(in *model.CreateAddressInput) { in.Timezone = input.Given(new("Local")) }, "VALIDATION_FAILED timezone bad_format"},
		{"X", func(in *model.CreateAddressInput) { in.Address = input.Given(new(strings.Repeat("x", 501))) }, "VALIDATION_FAILED address too_long"},
		{"X", func(in *model.CreateAddressInput) { in.Points = points(21) }, "VALIDATION_FAILED points too_many"},
		{"X", func(in *model.CreateAddressInput) {
			in.Points = input.Given([]*model.AddressPointInput{{Latitude: degrees(1), Longitude: degrees(1)}, {Latitude: degrees(91), Longitude: degrees(1)}})
		}, "VALIDATION_FAILED points.1.latitude out_of_range"},
		{"X", func(in *model.CreateAddressInput) { in.WeeklyOffs = input.Given([]int{0}) }, "VALIDATION_FAILED weeklyOffs not_one_of"},
	}
	service := &Service{Plans: plantest.New(w.World)}
	for _, tt := range tests {
		a, err := service.CreateAddress(w.organizer, site(tt.name, tt.change))
		got := apptest.Code(err)
		if err == nil {
			got = shown(w.DB.Address.GetX(w.System(), a.ID))
		}
		if got != tt.want && (tt.want != "*" || err != nil) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if _, err := service.CreateAddress(w.with(w.budi, "organization.read.all"), site("Y", nil)); apptest.Code(err) != "FORBIDDEN" {
		t.Errorf("without organization.write: %v", err)
	}
}

// TestUnit gives a site to a business, takes it away, and refuses another company's.
func TestUnit(t *testing.T) {
	w := newSiteWorld(t)
	var own, theirs int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		own = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Jakarta").SaveX(ctx).ID
		theirs = db.Business.Create().SetCompanyID(w.theirOwner.CompanyID).SetName("Tokyo").SaveX(ctx).ID
		return nil
	})
	service := &Service{Plans: plantest.New(w.World)}
	a, err := service.CreateAddress(w.organizer, site("Office", func(in *model.CreateAddressInput) { in.BusinessID = input.Given(&own) }))
	if err != nil || w.DB.Address.GetX(w.System(), a.ID).BusinessID == nil {
		t.Fatalf("created: %v", err)
	}
	for _, tt := range []struct {
		name string
		unit *int
		want string
	}{{"another company's", &theirs, "NOT_FOUND businessId"}, {"unknown", new(4711), "NOT_FOUND businessId"}, {"none", nil, ""}} {
		err := service.UpdateAddress(w.organizer, a.ID, model.UpdateAddressInput{BusinessID: input.Given(tt.unit)})
		if got := apptest.Code(err); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	if id := w.DB.Address.GetX(w.System(), a.ID).BusinessID; id != nil {
		t.Errorf("the site belongs to %d still", *id)
	}
}

func shown(a *ent.Address) string {
	radius, zone := "<nil>", "<nil>"
	if a.Radius != nil {
		radius = fmt.Sprint(*a.Radius)
	}
	if a.Timezone != nil {
		zone = *a.Timezone
	}
	return fmt.Sprint(a.Name, " ", a.Address, " ", a.Latitude, " ", a.Longitude, " ", radius, " ", zone, " ", a.Points, " ", map[string]string(a.Policies), " ", a.WeeklyOffs, " ", a.Active)
}

func TestUpdateAddress(t *testing.T) {
	w := newSiteWorld(t)
	service := &Service{Plans: plantest.New(w.World)}
	full := func(in *model.CreateAddressInput) {
		in.Radius, in.Timezone, in.Points, in.WeeklyOffs = input.Given(new(100)), input.Given(new("Asia/Tokyo")), points(2), input.Given([]int{5})
		in.Policies = input.Given(&model.OwnPoliciesInput{Face: input.Given(new(model.PolicyActionOff)), Mock: input.Given(new(model.PolicyActionBlock))})
	}
	first, err := service.CreateAddress(w.organizer, site("First", full))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.CreateAddress(w.organizer, site("Second", nil)); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		in   model.UpdateAddressInput
		want string
	}{
		{model.UpdateAddressInput{}, "First  -6.2 106.8 100 Asia/Tokyo [{-6 107} {-6 107}] map[face:off mock:block] [5] true"},
		{model.UpdateAddressInput{Policies: input.Given(&model.OwnPoliciesInput{Face: input.Given[*model.PolicyAction](nil)})},
			"First  -6.2 106.8 100 Asia/Tokyo [{-6 107} {-6 107}] map[mock:block] [5] true"},
		{model.UpdateAddressInput{Radius: input.Given[*int](nil), Timezone: input.Given[*string](nil), Points: points(0), WeeklyOffs: input.Given[[]int](nil),
			Policies: input.Given[*model.OwnPoliciesInput](nil)}, "First  -6.2 106.8 <nil> <nil> [] map[] [] true"},
		{model.UpdateAddressInput{Name: input.Given(new("FIRST")), Active: input.Given(new(false))}, "FIRST  -6.2 106.8 <nil> <nil> [] map[] [] false"},
		{model.UpdateAddressInput{Latitude: degrees(-7), Longitude: degrees(107)}, "FIRST  -7 107 <nil> <nil> [] map[] [] false"},
		{model.UpdateAddressInput{Name: input.Given(new("second"))}, "VALIDATION_FAILED name already_taken"},
		{model.UpdateAddressInput{Latitude: degrees(-7)}, "VALIDATION_FAILED longitude required"},
		{model.UpdateAddressInput{Address: input.Given(new(" Jalan 1 ")), WeeklyOffs: input.Given([]int{})}, "FIRST Jalan 1 -7 107 <nil> <nil> [] map[] [] false"},
		{model.UpdateAddressInput{Address: input.Given[*string](nil), WeeklyOffs: input.Given[[]int](nil)}, "FIRST  -7 107 <nil> <nil> [] map[] [] false"},
		{model.UpdateAddressInput{WeeklyOffs: input.Given([]int{1, 1})}, "VALIDATION_FAILED weeklyOffs twice"},
		{model.UpdateAddressInput{Active: input.Given[*bool](nil)}, "VALIDATION_FAILED active required"},
	}
	for i, tt := range tests {
		got := apptest.Code(service.UpdateAddress(w.organizer, first.ID, tt.in))
		if got == "" {
			got = shown(w.DB.Address.GetX(w.System(), first.ID))
		}
		if got != tt.want {
			t.Errorf("%d: %s, want %s", i, got, tt.want)
		}
	}
	for name, ctx := range map[string]context.Context{"FORBIDDEN": w.with(w.budi, "organization.read.all"), "NOT_FOUND": w.with(w.theirOwner, "organization.write.all")} {
		if err := service.UpdateAddress(ctx, first.ID, model.UpdateAddressInput{}); apptest.Code(err) != name && !ent.IsNotFound(err) {
			t.Errorf("%s: %v", name, err)
		}
		if err := service.DeleteAddress(ctx, first.ID); apptest.Code(err) != name && !ent.IsNotFound(err) {
			t.Errorf("delete, %s: %v", name, err)
		}
	}
	if _, err := service.CreateHoliday(w.organizer, model.CreateHolidayInput{Name: "X", Date: "2026-01-01", AddressID: input.Given(&first.ID)}); err != nil {
		t.Fatal(err)
	}
	if err := service.DeleteAddress(w.organizer, first.ID); err != nil {
		t.Fatal(err)
	}
	if n := w.DB.Address.Query().Where(address.ID(first.ID)).CountX(w.System()) + w.DB.Holiday.Query().CountX(w.System()); n != 0 {
		t.Errorf("left %d rows of a deleted address", n)
	}
}
