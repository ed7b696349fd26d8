package attendance

import (
	"context"
	"slices"
	"testing"

	"workforce/ent"
	"workforce/internal/testdb"
)

// TestAttendancesOfAShift adds two in the opposite order of their times, by which an index finds them.
func TestAttendancesOfAShift(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newWorldOn(t, url)
		var want []int
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			for _, in := range []string{"13:00", "09:00"} {
				a := entered(db, w.today, w.site.ID, jakarta(in)).SetClockedInRecordedAt(jakarta(in)).SaveX(ctx)
				want = append(want, a.ID)
				a.Update().ClearOpenMarker().ExecX(ctx)
			}
			return nil
		})
		var got []int
		for _, a := range w.DB.EmployeeShift.Query().WithAttendances().OnlyX(w.System()).Edges.Attendances {
			got = append(got, a.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("attendances %v, want the oldest first, %v", got, want)
		}
	})
}
