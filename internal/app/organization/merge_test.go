package organization

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/clockstate"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/audittrail"
	"workforce/internal/database"
)

// TestMergeMany gives a designation and a business of 30 people away. Each person's change
// is recorded, and the directory has no version for each.
func TestMergeMany(t *testing.T) {
	w := newWorld(t)
	var people []*ent.User
	var ids []int
	for i := range 30 {
		u := w.User(t, fmt.Sprint("Person ", i))
		people, ids = append(people, u), append(ids, u.ID)
	}
	old, next := w.newDesignation(t, model.CreateDesignationInput{Name: "Old"}), w.newDesignation(t, model.CreateDesignationInput{Name: "Next"})
	w.give(t, old, people...)
	w.give(t, next, people[:3]...)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.Update().Where(user.IDIn(ids...)).SetBusinessID(w.low.ID).Exec(ctx)
	})
	versions := 0
	recorded := func(action string) int {
		return w.DB.AuditEvent.Query().Where(auditevent.Action(action)).CountX(w.System())
	}
	ctx := audittrail.NewContext(w.organizer, audittrail.Trail{ActorID: w.budi.ID, Now: w.Now})
	ctx = database.RecordStatements(ctx, func(_ context.Context, text string) {
		if strings.HasPrefix(text, "INSERT INTO directory_versions") {
			versions++
		}
	})
	for name, tt := range map[string]struct {
		merge func(context.Context, *Service) error
		want  map[string]int
	}{
		"designations": {func(ctx context.Context, s *Service) error { return s.MergeDesignations(ctx, old.ID, next.ID) },
			map[string]int{"user_designation.deleted": 30, "user_designation.created": 27, "designation.deleted": 1}},
		"businesses": {func(ctx context.Context, s *Service) error { return s.MergeBusinesses(ctx, w.low.ID, w.side.ID) },
			map[string]int{"user.updated": 30, "business.deleted": 1}},
	} {
		versions = 0
		err := w.Try(ctx, func(ctx context.Context, _ *ent.Client) error {
			return tt.merge(ctx, &Service{Now: w.Now, Plans: plantest.New(w.World)})
		})
		if err != nil || versions == 0 || versions > 5 {
			t.Errorf("%s: %v, %d versions of the directory", name, err, versions)
		}
		for action, n := range tt.want {
			if got := recorded(action); got != n {
				t.Errorf("%s: %d events %s, want %d", name, got, action, n)
			}
		}
	}
	event := w.DB.AuditEvent.Query().Where(auditevent.Action("user_designation.created")).FirstX(w.System())
	if event.ActorID == nil || *event.ActorID != w.budi.ID || event.After == nil {
		t.Errorf("%v", event)
	}
}

// TestLockWithoutOwner has the first of the people stand for owners that a company lacks.
func TestLockWithoutOwner(t *testing.T) {
	w := newWorld(t)
	w.deactivate(t, w.owner)
	events := func() int {
		return w.DB.ClockState.Query().Where(clockstate.UserID(w.owner.ID)).OnlyX(w.System()).Events
	}
	before := events()
	w.create(t, "New", nil)
	if got := events(); got != before+1 {
		t.Errorf("%d events of the lock row, want %d", got, before+1)
	}
}
