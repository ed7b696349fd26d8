package organization

import (
	"context"
	"fmt"
	"testing"

	"workforce/ent"
	"workforce/ent/allowedplace"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
)

// TestSetAllowedAddresses saves sets of each kind, again, and less and less of them.
func TestSetAllowedAddresses(t *testing.T) {
	w := newSiteWorld(t)
	service := &Service{}
	ids := map[string]int{}
	for _, name := range []string{"A", "B", "C"} {
		a, err := service.CreateAddress(w.organizer, site(name, nil))
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = a.ID
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		ids["theirs"] = db.Address.Create().SetCompanyID(w.theirOwner.CompanyID).SetName("T").SetAddress("").SetLatitude(1).SetLongitude(1).SaveX(ctx).ID
		ids["unit"] = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Unit").SaveX(ctx).ID
		ids["title"] = db.Designation.Create().SetCompanyID(w.Company.ID).SetName("Title").SaveX(ctx).ID
		ids["shift"] = db.Shift.Create().SetCompanyID(w.Company.ID).SetName("Day").SetStartTime("08:00").SetEndTime("17:00").SaveX(ctx).ID
		return nil
	})
	member := func(id int) input.Omittable[*int] { return input.Given(&id) }
	user, unit := model.SetAllowedAddressesInput{UserID: member(w.budi.ID)}, model.SetAllowedAddressesInput{BusinessID: member(ids["unit"])}
	for _, tt := range []struct {
		name  string
		of    model.SetAllowedAddressesInput
		sites []string
		want  string // the sites that are answered, or the error
		rows  int    // of all sets then
	}{
		{"of nobody", model.SetAllowedAddressesInput{}, nil, "VALIDATION_FAILED userId required", 0},
		{"of a person and a business", model.SetAllowedAddressesInput{UserID: user.UserID, BusinessID: unit.BusinessID}, []string{"A"}, "VALIDATION_FAILED businessId excludes", 0},
		{"of somebody unknown", model.SetAllowedAddressesInput{UserID: member(4711)}, []string{"A"}, "NOT_FOUND userId", 0},
		{"of another company's owner", model.SetAllowedAddressesInput{UserID: member(w.theirOwner.ID)}, []string{"A"}, "NOT_FOUND userId", 0},
		{"another company's site", user, []string{"A", "theirs"}, "NOT_FOUND addressIds", 0},
		{"of a person", user, []string{"B", "A", "B"}, "[A B]", 2},
		{"again", user, []string{"A", "B"}, "[A B]", 2},
		{"of a business", unit, []string{"A"}, "[A]", 3},
		{"of a designation", model.SetAllowedAddressesInput{DesignationID: member(ids["title"])}, []string{"C"}, "[C]", 4},
		{"of a shift", model.SetAllowedAddressesInput{ShiftID: member(ids["shift"])}, []string{"C"}, "[C]", 5},
		{"others of the person", user, []string{"B", "C"}, "[B C]", 5},
		{"no more of the person", user, nil, "[]", 3},
	} {
		tt.of.AddressIds = []int{}
		for _, name := range tt.sites {
			tt.of.AddressIds = append(tt.of.AddressIds, ids[name])
		}
		got := ""
		err := w.Try(w.organizer, func(ctx context.Context, _ *ent.Client) error {
			sites, err := service.SetAllowedAddresses(ctx, tt.of)
			if err != nil {
				return err
			}
			names := []string{}
			for _, a := range sites.AllX(ctx) {
				names = append(names, a.Name)
			}
			got = fmt.Sprint(names)
			return nil
		})
		if err != nil {
			got = apptest.Code(err)
		}
		if n := w.DB.AllowedPlace.Query().CountX(w.System()); got != tt.want || n != tt.rows {
			t.Errorf("%s: %s with %d rows, want %s with %d", tt.name, got, n, tt.want, tt.rows)
		}
	}
	if kinds := w.DB.AllowedPlace.Query().Order(ent.Asc(allowedplace.FieldID)).Select(allowedplace.FieldOf).StringsX(w.System()); fmt.Sprint(kinds) != "[business designation shift]" {
		t.Errorf("kept %v", kinds)
	}
	if _, err := service.SetAllowedAddresses(w.with(w.budi, "organization.read.all"), user); apptest.Code(err) != "FORBIDDEN" {
		t.Errorf("without organization.write: %v", err)
	}
	if err := service.DeleteAddress(w.organizer, ids["C"]); apptest.Code(err) != "CONFLICT" {
		t.Errorf("a site that is in a set: %v", err)
	}
}
