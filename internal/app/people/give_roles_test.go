package people

import (
	"context"
	"slices"
	"testing"

	"workforce/ent"
	"workforce/ent/directoryversion"
	"workforce/internal/viewer"
)

// TestGiveRoles gives several people roles at once, and refuses to each what UpdateUser refuses.
func TestGiveRoles(t *testing.T) {
	w := newWorld(t)
	_, omar := w.other(t)
	ana, owner, admin := w.User(t, "Ana"), w.User(t, "Owner", viewer.Owner), w.User(t, "Adi", viewer.Admin)
	budi, citra := w.User(t, "Budi"), w.User(t, "Citra", viewer.Employee, viewer.Supervisor)
	clerk, auditor := w.custom(t, "Clerk", "task.read.own"), w.custom(t, "Auditor", "audit.read.all")
	employee, supervisor := w.Roles[viewer.Employee].ID, w.Roles[viewer.Supervisor].ID
	many := make([]int, 101)
	for i := range many {
		many[i] = i + 1
	}
	all := slices.Concat(viewer.Permissions(viewer.Supervisor), []string{"user.write.all", "role.write.all"})
	by := func(permissions ...string) context.Context { return w.with(ana, nil, permissions...) }
	key := *viewer.From(w.As(owner, viewer.Owner))
	key.Key = 1
	for _, tt := range []struct {
		about string
		ctx   context.Context
		give  RoleChange
		want  string
	}{
		{"another company's", w.As(owner, viewer.Owner), RoleChange{omar.ID, []int{employee}}, "NOT_FOUND"},
		{"an owner", w.As(owner, viewer.Owner), RoleChange{owner.ID, []int{employee}}, "FORBIDDEN"},
		{"an API key", viewer.NewContext(w.As(owner, viewer.Owner), &key), RoleChange{budi.ID, []int{clerk.ID}}, "FORBIDDEN"},
		{"without user.write", by("role.write.all", "task.read.own"), RoleChange{budi.ID, []int{clerk.ID}}, "FORBIDDEN"},
		{"without role.write", by("user.write.all", "task.read.own"), RoleChange{budi.ID, []int{clerk.ID}}, "FORBIDDEN"},
		{"somebody above", by(all...), RoleChange{admin.ID, []int{employee}}, "FORBIDDEN"},
		{"a role above", by(all...), RoleChange{budi.ID, []int{auditor.ID}}, "FORBIDDEN roleIds"},
		{"the owner's", w.As(admin, viewer.Admin), RoleChange{budi.ID, []int{w.Roles[viewer.Owner].ID}}, "FORBIDDEN roleIds"},
		{"a role that is not there", by(all...), RoleChange{budi.ID, []int{9999}}, "NOT_FOUND roleIds"},
		{"too many", by(all...), RoleChange{budi.ID, many}, "VALIDATION_FAILED roleIds(too_many)"},
		{"what they may give", by(all...), RoleChange{budi.ID, []int{supervisor, employee, supervisor}}, ""},
	} {
		var refused []error
		err := w.Try(tt.ctx, func(ctx context.Context, _ *ent.Client) (err error) {
			refused, err = w.people.GiveRoles(ctx, []RoleChange{{citra.ID, []int{employee}}, tt.give})
			return err
		})
		if err != nil {
			t.Errorf("%s: %v", tt.about, err)
		} else if got := outcome(refused[1]); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.about, got, tt.want)
		}
	}
	for u, want := range map[*ent.User][]string{
		budi: {"employee", "supervisor"}, citra: {"employee"}, owner: {"owner"}, admin: {"admin"}, omar: {"Owner"},
	} {
		if got := w.roles(u.ID); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", u.Name, got, want)
		}
	}
	version := func() int {
		return w.DB.DirectoryVersion.Query().Where(directoryversion.ID(w.Company.ID)).OnlyX(w.System()).Version
	}
	before := version()
	err := w.Try(w.As(owner, viewer.Owner), func(ctx context.Context, _ *ent.Client) error {
		_, err := w.people.GiveRoles(ctx, []RoleChange{{budi.ID, nil}})
		return err
	})
	if got := w.roles(budi.ID); err != nil || len(got) != 0 || version() == before {
		t.Errorf("%v: Budi has %q, and cached answers stay: %t", err, got, version() == before)
	}
	if _, err := w.people.GiveRoles(t.Context(), nil); outcome(err) != "UNAUTHENTICATED" {
		t.Errorf("nobody: %v", err)
	}
}
