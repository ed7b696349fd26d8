package files

import (
	"context"
	"slices"
	"testing"
	"time"

	"workforce/ent"
)

// TestHold keeps the object of a file that nobody names any more while somebody holds the objects. Once
// nobody does, the next sweep erases it.
func TestHold(t *testing.T) {
	w := newWorld(t)
	first, second := w.put(t, "a"), w.put(t, "b")
	if err := w.name(w.budi, first); err != nil {
		t.Fatal(err)
	}
	hold := func(until time.Time) { // by the clock of the database
		t.Helper()
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			if _, err := db.ObjectHold.Delete().Exec(ctx); err != nil {
				return err
			}
			return db.ObjectHold.Create().SetHolder("backup").SetLeaseUntil(until.UTC()).Exec(ctx)
		})
	}
	hold(time.Now().Add(time.Hour))
	if err := w.name(w.budi, second); err != nil {
		t.Fatal(err)
	}
	w.sweep(t)
	if got := w.shelf.names(); !slices.Contains(got, first.Name) || !slices.Contains(got, second.Name) {
		t.Errorf("held: objects %q, want both", got)
	}
	hold(time.Now().Add(-time.Minute))
	w.sweep(t)
	if got := w.shelf.names(); !slices.Equal(got, []string{second.Name}) {
		t.Errorf("after the hold: objects %q, want %q", got, second.Name)
	}
}
