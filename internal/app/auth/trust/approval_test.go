package trust

import (
	"context"
	"fmt"
	"testing"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/database"
	"workforce/internal/viewer"
)

// TestApprovers asks the managers of a person, else those who may change everybody; for
// an owner the other owners.
func TestApprovers(t *testing.T) {
	w := apptest.New(t)
	people := map[string]*ent.User{}
	for name, roles := range map[string]string{
		"owner": viewer.Owner, "admin": viewer.Admin, "manager": viewer.Manager, "head": viewer.Supervisor, "clerk": viewer.Employee, "person": viewer.Employee,
	} {
		people[name] = w.User(t, name, roles)
	}
	var lower *ent.Business
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		upper := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Upper").SetManagerID(people["manager"].ID).SaveX(ctx)
		lower = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Lower").SetParentID(upper.ID).SaveX(ctx)
		return nil
	})
	manages := func(name string) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.Business.UpdateOneID(lower.ID).SetManagerID(people[name].ID).Exec(ctx)
		})
	}
	worksIn := func(name string) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.User.UpdateOneID(people[name].ID).SetBusinessID(lower.ID).Exec(ctx)
		})
	}
	check := func(about, name, want string) {
		t.Helper()
		u := w.DB.User.GetX(w.System(), people[name].ID)
		all, err := approversOf(w.System(), u)
		var names []string
		for _, a := range all {
			names = append(names, a.Name)
		}
		if got := fmt.Sprint(names); err != nil || got != want {
			t.Errorf("%s: %s, %v, want %s", about, got, err, want)
		}
	}
	check("in no business", "person", fmt.Sprint(sorted(people, "owner", "admin")))
	check("the only owner", "owner", "[]")
	worksIn("person")
	check("the manager above", "person", "[manager]")
	manages("clerk")
	check("a manager without permissions for the team", "person", "[manager]")
	manages("head")
	check("the nearest first", "person", "[head manager]")
	worksIn("head")
	check("nobody's own", "head", "[manager]")
	worksIn("owner")
	check("an owner below managers", "owner", "[]")
	second := w.User(t, "second", viewer.Owner)
	check("of two owners", "owner", "["+second.Name+"]")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(second.ID).SetActive(false).Exec(ctx)
	})
	check("another owner who is not active", "owner", "[]")
}

// sorted returns the names of people by their id.
func sorted(people map[string]*ent.User, x, y string) []string {
	if people[x].ID > people[y].ID {
		x, y = y, x
	}
	return []string{x, y}
}

// TestApproversOfDeepTrees finds the manager at the top of 300 levels in as many statements
// as the one at the top of three.
func TestApproversOfDeepTrees(t *testing.T) {
	counts := map[int]int{}
	for _, levels := range []int{3, 300} {
		w := apptest.New(t)
		manager, person := w.User(t, "manager", viewer.Manager), w.User(t, "person")
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			at := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Top").SetManagerID(manager.ID).SaveX(ctx)
			for range levels - 1 {
				at = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Unit").SetParentID(at.ID).SaveX(ctx)
			}
			return db.User.UpdateOneID(person.ID).SetBusinessID(at.ID).Exec(ctx)
		})
		ctx := database.RecordStatements(w.System(), func(context.Context, string) { counts[levels]++ })
		all, err := approversOf(ctx, w.DB.User.GetX(w.System(), person.ID))
		if err != nil || len(all) != 1 || all[0].ID != manager.ID {
			t.Errorf("%d levels: %v, %v", levels, all, err)
		}
	}
	if counts[300] != counts[3] || counts[3] == 0 {
		t.Errorf("statements by levels: %v", counts)
	}
}
