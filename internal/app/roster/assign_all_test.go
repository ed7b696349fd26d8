package roster_test

import (
	"context"
	"testing"

	"workforce/ent/auditevent"
	"workforce/ent/shiftassignment"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
)

// TestAssignAll gives people different shifts at once, some of them several, and refuses what cannot be by its
// place in the list.
func TestAssignAll(t *testing.T) {
	w := rostertest.New(t)
	budi, siti := w.User(t, "Budi"), w.User(t, "Siti")
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	list := []model.AssignShiftInput{
		{UserID: budi.ID, ShiftID: day.ID, StartsOn: "2026-03-16", Weekdays: input.Given([]int{1, 2})},
		{UserID: siti.ID, ShiftID: night.ID, StartsOn: "2026-03-20"},
		{UserID: budi.ID, ShiftID: night.ID, StartsOn: "2026-03-18", Weekdays: input.Given([]int{4})},
		{UserID: budi.ID, ShiftID: day.ID, StartsOn: "2026-03-17"},
		{UserID: siti.ID, ShiftID: day.ID, StartsOn: "2026-03-17", EveryWeeks: input.Given(new(9))},
		{UserID: siti.ID, ShiftID: 1 << 30, StartsOn: "2026-03-17"},
		{UserID: 1 << 30, ShiftID: day.ID, StartsOn: "2026-03-17"},
	}
	var refused []error
	err := w.Do(func(ctx context.Context) (err error) {
		refused, err = w.Roster.AssignAll(ctx, list)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"", "", "", "CONFLICT userId", "VALIDATION_FAILED everyWeeks out_of_range", "NOT_FOUND shiftId", "NOT_FOUND"}
	for i, err := range refused {
		if got := apptest.Code(err); got != want[i] {
			t.Errorf("assignment %d: %q, want %q", i, got, want[i])
		}
	}
	if n := w.Client().ShiftAssignment.Query().Where(shiftassignment.UserID(budi.ID)).CountX(w.System()); n != 2 {
		t.Errorf("Budi has %d assignments, want 2", n)
	}
	if n := w.Client().AuditEvent.Query().Where(auditevent.Action("shift_assignment.created")).CountX(w.System()); n != 3 {
		t.Errorf("%d events, want 3", n)
	}
}
