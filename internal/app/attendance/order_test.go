package attendance

import (
	"context"
	"fmt"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/scalar"
	"workforce/internal/setting"
)

// A flaw is something wrong with a clock-in: it changes the world or the input.
type flaw struct {
	name    string
	change  func(t *testing.T, w *world, in *model.ClockInInput)
	want    string
	refused bool // it is recorded in the audit
}

// flaws are those of a clock-in in the order in which they are looked for. Each holds
// whatever the others change.
var flaws = []flaw{
	{"accuracy of less than nothing", func(_ *testing.T, _ *world, in *model.ClockInInput) { in.Accuracy = given(-1.0) }, "VALIDATION_FAILED accuracy out_of_range", false},
	{"a site that is not there", func(_ *testing.T, _ *world, in *model.ClockInInput) { in.AddressID = given(99) }, "NOT_FOUND addressId", true},
	{"a colleague's occurrence", func(t *testing.T, w *world, in *model.ClockInInput) {
		o := w.occurrence(t, w.assign(t, w.User(t, "Agus"), w.assignment.Edges.Shift), "2026-03-11")
		in.EmployeeShiftID = given(o.ID)
	}, "NOT_FOUND employeeShiftId", true},
	{"the same recording", func(t *testing.T, w *world, in *model.ClockInInput) {
		if in.RecordedAt.Value() == nil {
			in.RecordedAt = given(jakarta("09:30"))
		}
		w.attend(t, w.today, "2026-03-01 08:00", "2026-03-01 09:00", nil)
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.Attendance.Update().SetClockedInRecordedAt(*in.RecordedAt.Value()).Exec(ctx)
		})
	}, "", false},
	{"an open attendance", func(t *testing.T, w *world, _ *model.ClockInInput) {
		other := w.occurrence(t, w.assign(t, w.user, w.addShift(t, "09:00", "16:00", nil)), "2026-03-11")
		w.attend(t, other, "09:55", "", nil)
	}, "ALREADY_CLOCKED_IN", true},
	{"recorded days ago", func(_ *testing.T, _ *world, in *model.ClockInInput) {
		in.RecordedAt = given(jakarta("2026-03-07 10:00"))
	},
		"RECORDED_AT_OUT_OF_RANGE recordedAt", true},
	{"before the first day", func(t *testing.T, w *world, _ *model.ClockInInput) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.User.UpdateOneID(w.user.ID).SetJoinedOn("2026-03-12").Exec(ctx)
		})
	}, "FORBIDDEN", true},
	{"recorded for a locked period", func(t *testing.T, w *world, in *model.ClockInInput) {
		if in.RecordedAt.Value() == nil {
			in.RecordedAt = given(jakarta("09:30"))
		}
		w.settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-10"}
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			_, err := db.ExecContext(ctx, "UPDATE employee_shifts SET date = '2026-03-09' WHERE id = ?", w.today.ID)
			return err
		})
	}, "CONFLICT recordedAt", true},
	{"before the window", func(t *testing.T, w *world, _ *model.ClockInInput) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.EmployeeShift.UpdateOneID(w.today.ID).SetClockInFrom(jakarta("11:00")).Exec(ctx)
		})
	}, "SHIFT_WINDOW_CLOSED employeeShiftId", true},
	{"within another attendance", func(t *testing.T, w *world, _ *model.ClockInInput) {
		yesterday := w.occurrence(t, w.assign(t, w.user, w.assignment.Edges.Shift), "2026-03-10")
		w.attend(t, yesterday, "2026-03-07 09:00", "11:00", nil)
	}, "CONFLICT recordedAt", true},
	{"far away", func(_ *testing.T, _ *world, in *model.ClockInInput) {
		in.Latitude = given(scalar.Coordinate{Degrees: -6.3, Valid: true})
	}, "OUTSIDE_ALLOWED_LOCATION latitude", true},
	{"two points of a face", func(_ *testing.T, _ *world, in *model.ClockInInput) { in.FaceLandmark = sent(oval(0)[:2]) },
		"FACE_INVALID faceLandmark", true},
}

// TestOrderOfClockIn clocks in with each flaw, and with each pair of them: the earlier
// one decides. What is refused leaves an event in the audit and no attendance.
func TestOrderOfClockIn(t *testing.T) {
	for i, first := range flaws {
		for _, second := range flaws[i:] {
			w := newWorld(t)
			_, err := w.clockIn(func(in *model.ClockInInput) {
				changes := []flaw{second, first}
				if second.name == first.name {
					changes = changes[:1]
				} else if second.want == "ALREADY_CLOCKED_IN" { // one attendance can be open
					changes = []flaw{first, second}
				}
				for _, f := range changes {
					f.change(t, w, in)
				}
			})
			about := first.name + " and " + second.name
			wantCode(t, about, err, first.want)
			if n := w.DB.Attendance.Query().CountX(w.System()); n > 2 {
				t.Errorf("%s: %d attendances", about, n)
			}
			events := w.refusals()
			if len(events) != map[bool]int{true: 1}[first.refused] {
				t.Errorf("%s: recorded %v", about, events)
			}
		}
	}
}

// refusals are the refused clock-ins in the audit: subject and facts.
func (w *world) refusals() (events []string) {
	for _, e := range w.DB.AuditEvent.Query().Where(auditevent.Action(audit.ClockInRefused)).AllX(w.System()) {
		events = append(events, fmt.Sprintf("%s %d %s", e.SubjectType, e.SubjectID, *e.After))
	}
	return events
}

// TestRefusedClockIns compares what the audit tells of refused clock-ins: the code and
// the occurrence, the user where it is none of theirs. The same again within a minute
// is not told.
func TestRefusedClockIns(t *testing.T) {
	w := newWorld(t)
	far := func(in *model.ClockInInput) {
		in.Latitude, in.FaceLandmark = given(scalar.Coordinate{Degrees: -6.3, Valid: true}), sent(oval(0))
	}
	nowhere := func(in *model.ClockInInput) { in.EmployeeShiftID = given(99) }
	for _, change := range []in{far, far, nowhere, recordedIn(jakarta("2026-03-07 10:00"))} {
		if _, err := w.clockIn(change); err == nil {
			t.Fatal("not refused")
		}
	}
	w.Advance(time.Minute)
	if _, err := w.clockIn(far); err == nil {
		t.Fatal("not refused")
	}
	for range 2 { // the second is a repeat
		_, err := w.clockIn()
		wantCode(t, "in", err, "")
	}
	wantCode(t, "out", w.clockOut(recordedOut(apptest.Now.Add(-time.Hour))), "NOT_CLOCKED_IN")
	occurrence := fmt.Sprintf("EmployeeShift %d ", w.today.ID)
	want := []string{
		occurrence + `{"code":"OUTSIDE_ALLOWED_LOCATION"}`, fmt.Sprintf(`User %d {"code":"NOT_FOUND"}`, w.user.ID),
		occurrence + `{"code":"RECORDED_AT_OUT_OF_RANGE"}`, occurrence + `{"code":"OUTSIDE_ALLOWED_LOCATION"}`,
	}
	if got := w.refusals(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	w.user = w.User(t, "Agus")
	_, err := w.clockIn(func(in *model.ClockInInput) {
		*in = model.ClockInInput{AddressID: in.AddressID, Latitude: in.Latitude, Longitude: in.Longitude}
	})
	wantCode(t, "without a shift", err, "NO_SHIFT employeeShiftId")
	if got := w.refusals(); got[len(got)-1] != fmt.Sprintf(`User %d {"code":"NO_SHIFT"}`, w.user.ID) {
		t.Errorf("recorded %q", got)
	}
}
