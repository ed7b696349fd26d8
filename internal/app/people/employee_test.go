package people

import (
	"context"
	"slices"
	"testing"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/viewer"
)

func TestEmployees(t *testing.T) {
	w := newWorld(t)
	other, _ := w.other(t)
	theirUnit, theirTitle := w.unit(t, other, "Tokyo"), w.title(t, other, "Theirs")
	owner := w.User(t, "Owner", viewer.Owner)
	root, unused, title := w.unit(t, w.Company, "Root"), w.unit(t, w.Company, "Unused"), w.title(t, w.Company, "Teknisi")
	var branch *ent.Business
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		branch, err = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Branch").SetParentID(root).Save(ctx)
		return err
	})
	ctx := w.As(owner, viewer.Owner)
	for name, in := range map[string]model.UpdateUserInput{
		"Budi Ärger": {Email: given("b@acme.test"), BusinessID: given(root), DesignationIds: input.Given([]int{title})},
		"Citra":      {BusinessID: given(branch.ID), Email: given("XENIA@Acme.test")},
		"Dewi":       {},
		"Eka Budi":   {BusinessID: given(root), DesignationIds: input.Given([]int{title}), Active: given(false)},
	} {
		u := w.User(t, name)
		if err := w.update(ctx, u.ID, in); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		about  string
		filter EmployeeFilter
		want   []string // names, or a code
	}{
		{"all", EmployeeFilter{}, []string{"Budi Ärger", "Citra", "Dewi", "Owner"}},
		{"name", EmployeeFilter{Search: new("bUDI")}, []string{"Budi Ärger"}},
		{"a part of a name, not ASCII", EmployeeFilter{Search: new("äRG")}, []string{"Budi Ärger"}},
		{"address", EmployeeFilter{Search: new("xenia@acme")}, []string{"Citra"}},
		{"address in capitals", EmployeeFilter{Search: new("ENIA@ACME")}, []string{"Citra"}},
		{"wildcards stand for themselves", EmployeeFilter{Search: new("%")}, nil},
		{"nothing like it", EmployeeFilter{Search: new("zz")}, nil},
		{"empty search", EmployeeFilter{Search: new("")}, []string{"Budi Ärger", "Citra", "Dewi", "Owner"}},
		{"designation", EmployeeFilter{DesignationID: &title}, []string{"Budi Ärger"}},
		{"business, without those below", EmployeeFilter{BusinessID: &root}, []string{"Budi Ärger"}},
		{"the business below", EmployeeFilter{BusinessID: &branch.ID}, []string{"Citra"}},
		{"an empty business", EmployeeFilter{BusinessID: &unused}, nil},
		{"all conditions", EmployeeFilter{Search: new("citra"), BusinessID: &root}, nil},
		{"unknown designation", EmployeeFilter{DesignationID: new(999)}, []string{"NOT_FOUND designationId"}},
		{"another company's designation", EmployeeFilter{DesignationID: &theirTitle}, []string{"NOT_FOUND designationId"}},
		{"another company's business", EmployeeFilter{BusinessID: &theirUnit}, []string{"NOT_FOUND businessId"}},
	} {
		q, err := w.people.Employees(w.As(owner, viewer.Employee), tt.filter)
		got := []string{outcome(err)}
		if err == nil {
			got = q.Order(user.BySortName()).Select(user.FieldName).StringsX(w.As(owner, viewer.Employee))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
}

// TestUsers reads the users as people who may and may not change some.
func TestUsers(t *testing.T) {
	w := newWorld(t)
	w.other(t)
	owner, gone := w.User(t, "Owner", viewer.Owner), w.User(t, "Gone")
	if err := w.remove(w.As(owner, viewer.Owner), gone.ID); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		permission string
		want       int
	}{{"user.read.all", 1}, {"user.write.own", 2}, {"user.write.all", 2}} {
		ctx := w.with(owner, nil, tt.permission)
		if n := w.people.Users(ctx).CountX(ctx); n != tt.want {
			t.Errorf("%s: %d users, want %d", tt.permission, n, tt.want)
		}
	}
}
