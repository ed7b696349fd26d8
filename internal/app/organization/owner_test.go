package organization

import (
	"context"
	"testing"

	"workforce/ent"
	"workforce/internal/viewer"
)

func TestOwners(t *testing.T) {
	w := newWorld(t)
	second, gone, admin := w.User(t, "Second", viewer.Owner), w.User(t, "Gone", viewer.Owner), w.User(t, "Admin", viewer.Admin)
	w.deactivate(t, gone)
	ctx := w.As(w.owner, viewer.Owner)
	keep := func(u *ent.User) error {
		return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return KeepOwner(ctx, u) })
	}
	if err := keep(w.owner); err != nil {
		t.Errorf("one of two owners: %v", err)
	}
	w.deactivate(t, second)
	if err := keep(w.owner); outcome(err) != "CONFLICT" {
		t.Errorf("the only active owner: %v", err)
	}
	if err := keep(admin); err != nil {
		t.Errorf("somebody beside the only owner: %v", err)
	}
}
