package people

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// createRole creates a role in a transaction.
func (w *world) createRole(ctx context.Context, in model.CreateRoleInput) (created *ent.Role, err error) {
	err = w.Try(ctx, func(ctx context.Context, _ *ent.Client) (err error) {
		created, err = w.people.CreateRole(ctx, in)
		return err
	})
	return created, err
}

// updateRole changes a role in a transaction.
func (w *world) updateRole(ctx context.Context, id int, in model.UpdateRoleInput) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.people.UpdateRole(ctx, id, in)
		return err
	})
}

// deleteRole deletes a role in a transaction.
func (w *world) deleteRole(ctx context.Context, id int) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return w.people.DeleteRole(ctx, id) })
}

func TestCreateRole(t *testing.T) {
	w := newWorld(t)
	u := w.User(t, "Ana")
	w.other(t)
	ctx := w.with(u, nil, "role.write.all", "task.read.all", "task.write.own")
	created, err := w.createRole(ctx, model.CreateRoleInput{Name: " Auditor ", Permissions: []string{"task.write.own", "task.read.team", "task.write.own"}})
	if err != nil {
		t.Fatal(err)
	}
	r := w.DB.Role.GetX(w.System(), created.ID)
	if r.Name != "Auditor" || r.CompanyID != w.Company.ID || r.Builtin != nil || !slices.Equal(r.CustomPermissions, []string{"task.read.team", "task.write.own"}) {
		t.Errorf("stored %v of company %d with %q", r, r.CompanyID, r.CustomPermissions)
	}
	for _, tt := range []struct {
		about       string
		ctx         context.Context
		name        string
		permissions []string
		want        string
	}{
		{"nobody", t.Context(), "x", nil, "UNAUTHENTICATED"},
		{"team scope", w.with(u, nil, "role.write.team"), "x", nil, "FORBIDDEN"},
		{"no permissions", ctx, "Empty", nil, "VALIDATION_FAILED permissions(required)"},
		{"an empty list", ctx, "Empty", []string{}, ""},
		{"no name", ctx, " ", []string{}, "VALIDATION_FAILED name(required)"},
		{"a long name", ctx, strings.Repeat("x", 101), []string{}, "VALIDATION_FAILED name(too_long)"},
		{"what is no permission", ctx, "x", []string{"task.read"}, "VALIDATION_FAILED permissions(bad_format)"},
		{"all at once", ctx, "", []string{"x"}, "VALIDATION_FAILED name(required) permissions(bad_format)"},
		{"a wider scope", ctx, "x", []string{"task.write.own", "task.write.team"}, "FORBIDDEN permissions"},
		{"another resource", ctx, "x", []string{"audit.read.all"}, "FORBIDDEN permissions"},
		{"a taken name", ctx, "AUDITOR", []string{}, "VALIDATION_FAILED name(already_taken)"},
		{"the name of a built-in role", ctx, "Employee", []string{}, "VALIDATION_FAILED name(already_taken)"},
	} {
		_, err := w.createRole(tt.ctx, model.CreateRoleInput{Name: tt.name, Permissions: tt.permissions})
		if outcome(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, outcome(err), tt.want)
		}
	}
}

func TestUpdateRole(t *testing.T) {
	w := newWorld(t)
	c, omar := w.other(t)
	u := w.User(t, "Ana")
	ctx := w.with(u, nil, "role.write.all", "task.read.all")
	small, big := w.custom(t, "Small", "task.read.own"), w.custom(t, "Big", "audit.read.all")
	if err := w.updateRole(ctx, small.ID, model.UpdateRoleInput{Name: given("Tasks"), Permissions: input.Given([]string{"task.read.all", "task.read.all"})}); err != nil {
		t.Fatal(err)
	}
	if err := w.updateRole(ctx, small.ID, model.UpdateRoleInput{}); err != nil {
		t.Fatal(err)
	}
	r := w.DB.Role.GetX(w.System(), small.ID)
	if r.Name != "Tasks" || !slices.Equal(r.CustomPermissions, []string{"task.read.all"}) {
		t.Errorf("stored %v", r)
	}
	for _, tt := range []struct {
		about string
		ctx   context.Context
		id    int
		in    model.UpdateRoleInput
		want  string
	}{
		{"nobody", t.Context(), small.ID, model.UpdateRoleInput{}, "UNAUTHENTICATED"},
		{"team scope", w.with(u, nil, "role.write.team", "task.read.all"), small.ID, model.UpdateRoleInput{}, "FORBIDDEN"},
		{"a built-in role", w.As(u, viewer.Owner), w.Roles[viewer.Employee].ID, model.UpdateRoleInput{}, "FORBIDDEN"},
		{"one that grants more", ctx, big.ID, model.UpdateRoleInput{Name: given("x")}, "FORBIDDEN"},
		{"another company's", w.with(omar, nil, "role.write.all", "task.read.all"), small.ID, model.UpdateRoleInput{}, "NOT_FOUND"},
		{"none", ctx, 999, model.UpdateRoleInput{}, "NOT_FOUND"},
		{"name null", ctx, small.ID, model.UpdateRoleInput{Name: null[string]()}, "VALIDATION_FAILED name(required)"},
		{"permissions null", ctx, small.ID, model.UpdateRoleInput{Permissions: input.Given[[]string](nil)}, "VALIDATION_FAILED permissions(required)"},
		{"permissions beyond the viewer's", ctx, small.ID, model.UpdateRoleInput{Permissions: input.Given([]string{"audit.read.own"})}, "FORBIDDEN permissions"},
		{"a taken name", ctx, small.ID, model.UpdateRoleInput{Name: given("bIG")}, "VALIDATION_FAILED name(already_taken)"},
		{"its own name", ctx, small.ID, model.UpdateRoleInput{Name: given("TASKS")}, ""},
	} {
		if err := w.updateRole(tt.ctx, tt.id, tt.in); outcome(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, outcome(err), tt.want)
		}
	}
	theirs := w.with(omar, nil, "role.write.all")
	if _, err := w.createRole(theirs, model.CreateRoleInput{Name: "Big", Permissions: []string{}}); err != nil {
		t.Errorf("a name of another company, %d: %v", c.ID, err)
	}
}

// TestReservedPermissions proves that only owners give company.write and
// developer.read, whoever has them.
func TestReservedPermissions(t *testing.T) {
	w := newWorld(t)
	u := w.User(t, "Ana")
	settings := w.custom(t, "Settings", "company.write.all")
	for _, tt := range []struct {
		about string
		ctx   context.Context
		want  string
	}{
		{"an administrator", w.As(u, viewer.Admin), "FORBIDDEN"},
		{"who has them", w.with(u, nil, "role.write.all", "user.write.all", "company.write.all", "developer.read.all"), "FORBIDDEN"},
		{"an owner", w.As(u, viewer.Owner), ""},
	} {
		for _, permission := range []string{"company.write.all", "developer.read.own"} {
			_, err := w.createRole(tt.ctx, model.CreateRoleInput{Name: permission, Permissions: []string{permission}})
			if !strings.HasPrefix(outcome(err), tt.want) || tt.want == "" && err != nil {
				t.Errorf("%s creates a role with %s: %v", tt.about, permission, err)
			}
			err = w.updateRole(tt.ctx, w.custom(t, tt.about+permission).ID, model.UpdateRoleInput{Permissions: input.Given([]string{permission})})
			if !strings.HasPrefix(outcome(err), tt.want) || tt.want == "" && err != nil {
				t.Errorf("%s adds %s to a role: %v", tt.about, permission, err)
			}
		}
		to := w.User(t, "For "+tt.about)
		w.setRole(t, to, w.custom(t, "Roles of "+to.Name))
		err := w.update(tt.ctx, to.ID, model.UpdateUserInput{RoleIds: input.Given([]int{settings.ID})})
		if !strings.HasPrefix(outcome(err), tt.want) || tt.want == "" && err != nil {
			t.Errorf("%s gives a role with company.write: %v", tt.about, err)
		}
	}
}

// setRole gives a user one role in place of those they have.
func (w *world) setRole(t *testing.T, u *ent.User, r *ent.Role) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return setRoles(ent.NewContext(ctx, db), u, []*ent.Role{r})
	})
}

func TestDeleteRole(t *testing.T) {
	w := newWorld(t)
	_, omar := w.other(t)
	u, owner := w.User(t, "Ana"), w.User(t, "Owner", viewer.Owner)
	ctx := w.with(u, nil, "role.write.all")
	used, unused, big := w.custom(t, "Used"), w.custom(t, "Unused"), w.custom(t, "Big", "audit.read.all")
	if err := w.update(w.As(owner, viewer.Owner), u.ID, model.UpdateUserInput{RoleIds: input.Given([]int{used.ID}), Active: given(false)}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		about string
		ctx   context.Context
		id    int
		want  string
	}{
		{"nobody", t.Context(), unused.ID, "UNAUTHENTICATED"},
		{"team scope", w.with(u, nil, "role.write.team"), unused.ID, "FORBIDDEN"},
		{"a built-in role", w.As(owner, viewer.Owner), w.Roles[viewer.Manager].ID, "FORBIDDEN"},
		{"one that grants more", ctx, big.ID, "FORBIDDEN"},
		{"another company's", w.with(omar, nil, "role.write.all"), unused.ID, "NOT_FOUND"},
		{"one that an inactive user has", ctx, used.ID, "CONFLICT"},
		{"one that nobody has", ctx, unused.ID, ""},
		{"again", ctx, unused.ID, "NOT_FOUND"},
	} {
		err := w.deleteRole(tt.ctx, tt.id)
		if outcome(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, outcome(err), tt.want)
		}
		if tt.want == "CONFLICT" && errs.As(err).Meta["users"] != 1 {
			t.Errorf("%s: %v", tt.about, errs.As(err).Meta)
		}
	}
}

func TestRoleList(t *testing.T) {
	w := newWorld(t)
	w.other(t)
	ana, owner := w.User(t, "Ana", viewer.Employee, viewer.Manager), w.User(t, "Owner", viewer.Owner)
	gone := w.User(t, "Gone", viewer.Manager)
	if err := w.remove(w.As(owner, viewer.Owner), gone.ID); err != nil {
		t.Fatal(err)
	}
	extra := w.custom(t, "Clerk", "task.read.own")
	list, err := w.people.RoleList(w.As(ana, viewer.Employee))
	if err != nil {
		t.Fatal(err)
	}
	entry := func(name string, users int) *model.RoleEntry {
		return &model.RoleEntry{ID: w.Roles[name].ID, Name: name, Permissions: viewer.Permissions(name), UserCount: users}
	}
	want := []*model.RoleEntry{
		entry(viewer.Admin, 0), {ID: extra.ID, Name: "Clerk", Permissions: []string{"task.read.own"}}, entry(viewer.Employee, 1),
		entry(viewer.Manager, 1), entry(viewer.Owner, 1), entry(viewer.Supervisor, 0),
	}
	if diff := cmp.Diff(want, list); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, err := w.people.RoleList(t.Context()); outcome(err) != "UNAUTHENTICATED" {
		t.Errorf("nobody: %v", err)
	}

	set, err := w.people.Permission(w.with(ana, nil, "task.read.own"))
	if err != nil || len(set.Roles) != 2 || set.Roles[0].Name != "employee" || set.Roles[1].Name != "manager" || !slices.Equal(set.Permissions, []string{"task.read.own"}) {
		t.Errorf("permission set %v, %v", set, err)
	}
	if _, err := w.people.Permission(t.Context()); outcome(err) != "UNAUTHENTICATED" {
		t.Errorf("nobody: %v", err)
	}
}
