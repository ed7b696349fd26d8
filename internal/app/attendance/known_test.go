package attendance

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/geofence"
	"workforce/internal/scalar"
	"workforce/internal/viewer"
)

// TestKnownCases repeats cases in which other systems refuse or accept clock events: each
// sends some of them, of which the last has an outcome, and leaves attendances.
func TestKnownCases(t *testing.T) {
	in := func(at string) func(*world) error {
		return func(w *world) error {
			w.Set(jakarta(at))
			_, err := w.clockIn()
			return err
		}
	}
	out := func(at string) func(*world) error {
		return func(w *world) error { w.Set(jakarta(at)); return w.clockOut() }
	}
	inAs := func(at string) func(*world) error {
		return func(w *world) error { _, err := w.clockIn(recordedIn(jakarta(at))); return err }
	}
	outAs := func(at string) func(*world) error {
		return func(w *world) error { return w.clockOut(recordedOut(jakarta(at))) }
	}
	for _, tt := range []struct {
		name   string
		events []func(*world) error
		want   string // the outcome of the last
		left   string
	}{
		{"A35 without coordinates", []func(*world) error{func(w *world) error {
			_, err := w.clockIn(func(i *model.ClockInInput) { i.Latitude = input.Omittable[*scalar.Coordinate]{} })
			return err
		}}, "VALIDATION_FAILED latitude required", "[]"},
		{"A42 a claim of two minutes ago", []func(*world) error{func(w *world) error {
			w.Set(jakarta("08:44"))
			_, err := w.clockIn(recordedIn(jakarta("08:42")))
			return err
		}}, "", "[11 08:44:00 to open]"},
		{"A43 in while one is open", []func(*world) error{in("08:00"), in("10:00")}, "ALREADY_CLOCKED_IN", "[11 08:00:00 to open]"},
		{"A44 in within a closed one", []func(*world) error{in("08:55"), out("09:00"), in("10:00"), out("10:30"), inAs("08:58")}, "CONFLICT recordedAt",
			"[11 08:55:00 to 11 09:00:00 11 10:00:00 to 11 10:30:00]"},
		{"A45 out", []func(*world) error{in("08:00"), out("17:29")}, "", "[11 08:00:00 to 11 17:29:00]"},
		{"A46 out before in", []func(*world) error{in("09:23"), func(w *world) error { w.Set(jakarta("10:00")); return outAs("09:00")(w) }}, "NOT_CLOCKED_IN", "[11 09:23:00 to open]"},
		{"A47 out without an in", []func(*world) error{out("10:00")}, "NOT_CLOCKED_IN", "[]"},
		{"A52 over a closed one", []func(*world) error{in("07:30"), out("09:00"), inAs("08:30")}, "CONFLICT recordedAt", "[11 07:30:00 to 11 09:00:00]"},
		{"A53 a second open one", []func(*world) error{in("10:00"), in("11:00")}, "ALREADY_CLOCKED_IN", "[11 10:00:00 to open]"},
		{"9 out before in, sent again in order", []func(*world) error{
			func(w *world) error { wantCode(t, "9 out", outAs("09:30")(w), "NOT_CLOCKED_IN"); return nil }, inAs("08:00"), outAs("09:30")},
			"", "[11 08:00:00 to 11 09:30:00]"},
		{"9 older than 72 hours", []func(*world) error{inAs("2026-03-08 09:59")}, "RECORDED_AT_OUT_OF_RANGE recordedAt", "[]"},
		{"9 three minutes ahead", []func(*world) error{inAs("10:03")}, "RECORDED_AT_OUT_OF_RANGE recordedAt", "[]"},
	} {
		w := newWorld(t)
		var last error
		for i, event := range tt.events {
			if last = event(w); last != nil && i < len(tt.events)-1 {
				t.Fatalf("%s: event %d: %v", tt.name, i, last)
			}
		}
		wantCode(t, tt.name, last, tt.want)
		left := []string{}
		for _, a := range w.attendances(w.user) {
			left = append(left, times(a))
		}
		if fmt.Sprint(left) != tt.left {
			t.Errorf("%s: left %v, want %s", tt.name, left, tt.left)
		}
	}
	if d := geofence.Distance(geofence.Point{}, geofence.Point{Lat: 0.05, Lng: 0.05}); d < 7853 || d > 7873 {
		t.Errorf("A37: %f m, want 7863", d)
	}
}

// TestKnownScopes shows a manager the attendances of their team alone, A54, and lets
// nobody clock in with what is another's, 6.
func TestKnownScopes(t *testing.T) {
	w := newTeam(t)
	_, err := w.clockIn()
	wantCode(t, "in", err, "")
	other := w.occurrence(t, w.assign(t, w.stranger, w.assignment.Edges.Shift), "2026-03-11")
	w.attend(t, other, "09:00", "", nil)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(w.stranger.ID).ClearBusinessID().Exec(ctx)
	})
	seen := w.DB.Attendance.Query().Select(entAttendance.FieldUserID).IntsX(w.As(w.manager, viewer.Manager, w.unit))
	if !slices.Equal(seen, []int{w.user.ID}) {
		t.Errorf("A54: the manager sees attendances of %v, want %d alone", seen, w.user.ID)
	}
	w.Advance(time.Hour)
	wantCode(t, "out", w.clockOut(), "")
	w.Advance(time.Hour)
	_, err = w.clockIn(func(i *model.ClockInInput) { i.EmployeeShiftID, i.FaceLandmark = given(other.ID), sent(oval(0)) })
	wantCode(t, "6 somebody else's shift", err, "NOT_FOUND employeeShiftId")
	if n := w.DB.FaceTemplate.Query().CountX(w.System()) + len(w.attendances(w.user)); n != 1 {
		t.Errorf("6: %d faces and attendances, want the one that was closed", n)
	}
}
