package files

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
)

// orphan returns a name that no row has.
func (w *world) orphan(i int) string { return fmt.Sprintf("%d/%032x.png", w.Company.ID, i) }

// keeps fails the test unless the shelf has these objects, and these orphans.
func (w *world) keeps(t *testing.T, step string, objects, orphans []string) {
	t.Helper()
	aside := slices.Sorted(maps.Keys(w.shelf.orphans))
	if got := w.shelf.names(); !slices.Equal(got, objects) || !slices.Equal(aside, orphans) {
		t.Errorf("%s: objects %q, orphans %q; want %q and %q", step, got, aside, objects, orphans)
	}
}

// rowOf makes a row for an object, named by budi, as a database has it that is restored.
func (w *world) rowOf(t *testing.T, name string) (f *ent.File) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		f, err = db.File.Create().SetCompanyID(w.Company.ID).SetName(name).SetDigest([]byte(name)[:32]).SetSize(1).
			SetMediaType("image/png").SetCreatedAt(w.World.Now()).Save(ctx)
		if err != nil {
			return err
		}
		return db.User.UpdateOneID(w.budi.ID).SetImageFileID(f.ID).Exec(ctx)
	})
	return f
}

// TestOrphans sets objects without a row aside, and deletes them a day later.
func TestOrphans(t *testing.T) {
	w := newWorld(t)
	kept := w.put(t, "a")
	if err := w.name(w.budi, kept); err != nil {
		t.Fatal(err)
	}
	w.shelf.objects[kept.Name] = 48 * time.Hour
	var many []string
	for i := range 2*batch + 1 {
		many = append(many, w.orphan(i))
		w.shelf.objects[w.orphan(i)] = time.Hour
	}
	w.sweep(t)
	w.keeps(t, "the first sweep", []string{kept.Name}, many)
	for _, name := range many {
		w.shelf.orphans[name] = 24*time.Hour - time.Second
	}
	w.sweep(t)
	w.keeps(t, "within a day", []string{kept.Name}, many)
	w.shelf.orphans[many[0]] = 24 * time.Hour
	w.sweep(t)
	w.keeps(t, "after a day", []string{kept.Name}, many[1:])
}

// TestRestored restores an object whose row is there again, however long it was set aside.
func TestRestored(t *testing.T) {
	w := newWorld(t)
	one, other := w.orphan(1), w.orphan(2)
	w.shelf.orphans[one], w.shelf.orphans[other] = 48*time.Hour, 0
	f := w.rowOf(t, one)
	w.sweep(t)
	w.keeps(t, "with a row", []string{one}, []string{other})
	w.shelf.objects[one] = 48 * time.Hour
	w.sweep(t)
	w.keeps(t, "the next sweep", []string{one}, []string{other})
	w.shelf.orphans[one] = 0 // what a process left that died between the steps of a move
	if err := w.name(w.budi, nil); err != nil {
		t.Fatal(err)
	}
	w.keeps(t, "released", nil, []string{other})
	if w.World.DB.File.Query().Where(entFile.ID(f.ID)).ExistX(w.System()) {
		t.Error("the row is left")
	}
}

// TestErasedOrphans never restores what is being erased: not where the object could not be
// deleted yet, and not where the file is released at that moment.
func TestErasedOrphans(t *testing.T) {
	w := newWorld(t)
	name := w.orphan(1)
	w.rowOf(t, name)
	w.shelf.orphans[name], w.shelf.failDelete = 0, errBroken
	if err := w.name(w.budi, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Sweep(context.Background()); !errors.Is(err, errBroken) {
		t.Errorf("%v, want the error of the store", err)
	}
	w.keeps(t, "not deleted yet", nil, []string{name})
	w.shelf.failDelete = nil
	w.sweep(t)
	w.agrees(t, "deleted", 0)
	w.keeps(t, "deleted", nil, nil)

	w.rowOf(t, name)
	w.shelf.orphans[name] = 0
	w.shelf.beforeRestore = func() {
		w.shelf.beforeRestore = nil
		if err := w.name(w.budi, nil); err != nil {
			t.Error(err)
		}
	}
	w.sweep(t)
	w.agrees(t, "released while it is restored", 0)
	w.keeps(t, "released while it is restored", nil, nil)
}

// TestForeignStore touches no object of a store that has another mark by now.
func TestForeignStore(t *testing.T) {
	w := newWorld(t)
	one, other := w.orphan(1), w.orphan(2)
	w.shelf.objects[one], w.shelf.orphans[other], w.shelf.foreign = 48*time.Hour, 48*time.Hour, errBroken
	if err := w.Sweep(context.Background()); !errors.Is(err, errBroken) {
		t.Errorf("%v, want the error of the mark", err)
	}
	w.keeps(t, "another mark", []string{one}, []string{other})
}

// TestOrphansGoOn goes on where one object cannot be moved.
func TestOrphansGoOn(t *testing.T) {
	w := newWorld(t)
	var all []string
	for i := range 20 {
		all = append(all, w.orphan(i))
		w.shelf.objects[w.orphan(i)] = 48 * time.Hour
	}
	w.shelf.stuck = all[7]
	if err := w.Sweep(context.Background()); !errors.Is(err, errBroken) {
		t.Errorf("%v, want the error of the store", err)
	}
	w.keeps(t, "one that cannot be moved", all[7:8], slices.Concat(all[:7], all[8:]))
	w.shelf.stuck = ""
	w.sweep(t)
	w.keeps(t, "the next sweep", nil, all)
}
