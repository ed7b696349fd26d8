package attendance

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/face"
	"workforce/internal/scalar"
	"workforce/internal/shift"
)

// row returns the columns of the only row of a table as text, null as <nil>.
func (w *world) row(t *testing.T, table string) map[string]string {
	t.Helper()
	rows, err := w.DB.QueryContext(t.Context(), "SELECT * FROM "+table)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	row := map[string]string{}
	for rows.Next() {
		if len(row) > 0 {
			t.Fatalf("%s has more than one row", table)
		}
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, column := range columns {
			row[column] = asText(values[i])
		}
	}
	return row
}

// asText formats a value of the database; bytes that are no text in hexadecimal.
func asText(value any) string {
	switch v := value.(type) {
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case []byte:
		if utf8.Valid(v) {
			return string(v)
		}
		return hex.EncodeToString(v)
	}
	return fmt.Sprint(value)
}

// east is a position east of the work site, about 55 metres away.
const east = centerLng + 0.0005

// columnsWorld is a world in a zone that is not the company's, in which all ids
// differ.
func columnsWorld(t *testing.T) *world {
	w := newWorld(t)
	w.addSite(t, func(a *ent.AddressCreate) { a.SetName("Utara") })
	w.addSite(t, func(a *ent.AddressCreate) { a.SetName("Selatan") })
	w.site = w.addSite(t, func(a *ent.AddressCreate) { a.SetName("Timur") })
	w.User(t, "Agus")
	w.user = w.User(t, "Citra")
	makassar := func(s *ent.ShiftCreate) { s.SetTimezone("Asia/Makassar") }
	w.assignment = w.assign(t, w.user, w.addShift(t, "08:00", "17:00", makassar))
	for _, date := range []string{"2026-03-07", "2026-03-08", "2026-03-09"} {
		w.occurrence(t, w.assignment, shift.Date(date))
	}
	w.today = w.occurrence(t, w.assignment, "2026-03-11")
	w.attend(t, w.today, "2026-03-01 08:00", "2026-03-01 09:00", nil)
	w.Change(t, func(ctx context.Context, db *ent.Client) error { // the next attendance is the second
		_, err := db.Attendance.Delete().Exec(ctx)
		return err
	})
	ids := map[int]bool{}
	for _, id := range []int{w.Company.ID, w.user.ID, w.site.ID, w.today.ID, 7, 8} {
		ids[id] = true
	}
	if len(ids) != 6 {
		t.Fatalf("ids %v are not distinct", ids)
	}
	return w
}

// atOpen are the columns of an attendance that was never closed.
func (w *world) atOpen(opened int) map[string]string {
	return map[string]string{
		"id": strconv.Itoa(opened), "company_id": strconv.Itoa(w.Company.ID), "user_id": strconv.Itoa(w.user.ID),
		"employee_shift_id": strconv.Itoa(w.today.ID), "address_id": strconv.Itoa(w.site.ID), "work_date": "2026-03-11",
		"open_marker": "1", "needs_confirmation": "0", "auto_closed": "0", "closing_rule": "<nil>", "check_at": "<nil>", "reminders": "0", "face_verdict": "none", "face_matched": "<nil>", "face_digest": "<nil>",
		"clocked_out_at": "<nil>", "clocked_out_local": "<nil>", "clocked_out_offset": "<nil>", "clocked_out_zone": "<nil>",
		"clocked_out_received_at": "<nil>", "clocked_out_recorded_at": "<nil>", "clocked_out_source": "<nil>",
		"clocked_out_latitude": "<nil>", "clocked_out_longitude": "<nil>", "clocked_out_accuracy": "<nil>", "clocked_out_mocked": "<nil>",
		"clocked_out_distance": "<nil>", "clocked_out_geofence": "<nil>", "clocked_out_note": "<nil>", "clocked_out_flags": "<nil>",
		"clocked_out_device_id": "<nil>", "clocked_out_verdict": "<nil>", "clocked_out_review": "none", "clocked_out_reviewer_id": "<nil>",
		"clocked_out_reviewed_at": "<nil>", "clocked_out_review_note": "<nil>",
		"clocked_in_reviewer_id": "<nil>", "clocked_in_reviewed_at": "<nil>", "clocked_in_review_note": "<nil>",
		"face_distance": "<nil>", "face_version": "<nil>", "face_policy": "<nil>",
		"clocked_out_face_verdict": "none", "clocked_out_face_distance": "<nil>", "clocked_out_face_version": "<nil>",
		"clocked_out_face_policy": "<nil>", "clocked_out_face_digest": "<nil>",
	}
}

// set changes columns of a row.
func set(row, columns map[string]string) {
	for name, value := range columns {
		row[name] = value
	}
}

// TestColumnsOfClockIn compares every stored column of a clock-in that the phone
// sent at once, with a face, and of one that it had recorded offline.
func TestColumnsOfClockIn(t *testing.T) {
	at := func(i *model.ClockInInput) {
		i.Longitude = given(scalar.Coordinate{Degrees: east, Valid: true})
		i.Accuracy, i.Note = given(12.5), given("in by bus")
	}
	t.Run("at once", func(t *testing.T) {
		w := columnsWorld(t)
		points := oval(0.01)
		opened, err := w.clockIn(at, recordedIn(jakarta("09:59:30")), func(i *model.ClockInInput) {
			i.Mocked, i.FaceLandmark = given(false), sent(points)
		})
		if err != nil {
			t.Fatal(err)
		}
		digest := face.Digest(w.FaceKey.Key(), points)
		want := w.atOpen(opened)
		set(want, map[string]string{
			"face_verdict": "registered", "face_version": "1", "face_policy": "flag", "face_digest": hex.EncodeToString(digest[:]),
			"clocked_in_at": "2026-03-11T03:00:00Z", "clocked_in_local": "2026-03-11T11:00:00", "clocked_in_offset": "28800",
			"clocked_in_zone": "Asia/Makassar", "clocked_in_received_at": "2026-03-11T03:00:00Z", "clocked_in_recorded_at": "2026-03-11T02:59:30Z",
			"clocked_in_source": "app", "clocked_in_latitude": "-6.2", "clocked_in_longitude": fmt.Sprint(east), "clocked_in_accuracy": "12.5",
			"clocked_in_mocked": "0", "clocked_in_distance": "55", "clocked_in_geofence": "inside", "clocked_in_note": "in by bus",
			"clocked_in_flags": "null", "clocked_in_device_id": "7", "clocked_in_review": "none",
			"clocked_in_verdict": judgedIn(`,"skewSeconds":-30`),
		})
		if diff := cmp.Diff(want, w.row(t, "attendances")); diff != "" {
			t.Errorf("attendance (-want +got):\n%s", diff)
		}
	})
	t.Run("offline", func(t *testing.T) {
		w := columnsWorld(t)
		opened, err := w.clockIn(at, recordedIn(jakarta("08:05")), func(i *model.ClockInInput) { i.Mocked = given(true) })
		if err != nil {
			t.Fatal(err)
		}
		want := w.atOpen(opened)
		set(want, map[string]string{
			"clocked_in_at": "2026-03-11T01:05:00Z", "clocked_in_local": "2026-03-11T09:05:00", "clocked_in_offset": "28800",
			"clocked_in_zone": "Asia/Makassar", "clocked_in_received_at": "2026-03-11T03:00:00Z", "clocked_in_recorded_at": "2026-03-11T01:05:00Z",
			"clocked_in_source": "offline", "clocked_in_latitude": "-6.2", "clocked_in_longitude": fmt.Sprint(east), "clocked_in_accuracy": "12.5",
			"clocked_in_mocked": "1", "clocked_in_distance": "55", "clocked_in_geofence": "inside", "clocked_in_note": "in by bus",
			"clocked_in_flags": `["offline","mock"]`, "clocked_in_device_id": "7", "clocked_in_review": "pending",
			"clocked_in_verdict": judgedIn(""),
		})
		if diff := cmp.Diff(want, w.row(t, "attendances")); diff != "" {
			t.Errorf("attendance (-want +got):\n%s", diff)
		}
	})
}

// judgedIn is what a clock-in of these tests was judged by, with what follows.
func judgedIn(more string) string {
	return `{"policies":{"accuracy":"flag","device":"flag","face":"flag","geofenceIn":"block","mock":"flag","speed":"flag"},` +
		`"radiusMeters":100,"accuracyMeters":150,"speedLimitKmh":300` + more + "}"
}

// judgedOut is what a clock-out of these tests was judged by, with a speed and what
// follows.
func judgedOut(kmh int, more string) string {
	return `{"policies":{"accuracy":"flag","geofenceOut":"flag","mock":"flag","speed":"flag"},` +
		fmt.Sprintf(`"radiusMeters":100,"accuracyMeters":150,"speedKmh":%d,"speedLimitKmh":300%s}`, kmh, more)
}

// TestColumnsOfClockOut compares every column after a clock-out, far away from the
// work site.
func TestColumnsOfClockOut(t *testing.T) {
	at := func(o *model.ClockOutInput) {
		o.Latitude, o.Longitude = given(scalar.Coordinate{Degrees: -6.3, Valid: true}), given(scalar.Coordinate{Degrees: 106.9, Valid: true})
		o.Accuracy, o.Note, o.FaceLandmark = given(150.5), given("out by train"), sent(oval(0.02))
	}
	tests := []struct {
		name     string
		recorded time.Time
		mocked   bool
		want     map[string]string
	}{
		{"at once", apptest.Now.Add(30 * time.Second), false, map[string]string{
			"clocked_out_at": "2026-03-11T03:00:00Z", "clocked_out_local": "2026-03-11T11:00:00", "clocked_out_recorded_at": "2026-03-11T03:00:30Z",
			"clocked_out_source": "app", "clocked_out_mocked": "0", "clocked_out_flags": `["outside","low_accuracy"]`,
			"clocked_out_verdict": judgedOut(15, `,"skewSeconds":30`),
		}},
		{"offline", jakarta("09:50"), true, map[string]string{
			"clocked_out_at": "2026-03-11T02:50:00Z", "clocked_out_local": "2026-03-11T10:50:00", "clocked_out_recorded_at": "2026-03-11T02:50:00Z",
			"clocked_out_source": "offline", "clocked_out_mocked": "1", "clocked_out_flags": `["offline","outside","low_accuracy","mock"]`,
			"clocked_out_verdict": judgedOut(17, ""),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := columnsWorld(t)
			w.attend(t, w.today, "09:00", "", nil)
			want := w.row(t, "attendances")
			set(want, map[string]string{
				"open_marker": "<nil>", "clocked_out_offset": "28800", "clocked_out_zone": "Asia/Makassar", "clocked_out_received_at": "2026-03-11T03:00:00Z",
				"clocked_out_latitude": "-6.3", "clocked_out_longitude": "106.9", "clocked_out_accuracy": "150.5", "clocked_out_distance": "14439",
				"clocked_out_geofence": "outside", "clocked_out_note": "out by train", "clocked_out_device_id": "8",
				"clocked_out_review": "pending",
			})
			set(want, tt.want)
			digest := face.Digest(w.FaceKey.Key(), oval(0.02)) // nothing is compared
			set(want, map[string]string{"clocked_out_face_policy": "flag", "clocked_out_face_digest": hex.EncodeToString(digest[:])})
			err := w.clockOut(at, recordedOut(tt.recorded), func(o *model.ClockOutInput) { o.Mocked = given(tt.mocked) })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, w.row(t, "attendances")); diff != "" {
				t.Errorf("attendance (-want +got):\n%s", diff)
			}
			if n := w.DB.FaceTemplate.Query().CountX(w.System()); n != 0 {
				t.Errorf("a clock-out registered %d faces", n)
			}
		})
	}
}

// TestColumnsOfForgotten compares every column of an attendance that the rules
// closed.
func TestColumnsOfForgotten(t *testing.T) {
	w := columnsWorld(t)
	o := w.occurrence(t, w.assignment, "2026-03-10")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.EmployeeShift.UpdateOneID(o.ID).SetLateGraceMinutes(0).Exec(ctx)
	})
	w.attend(t, o, "2026-03-10 07:30", "", nil)
	want := w.row(t, "attendances")
	set(want, map[string]string{
		"open_marker": "<nil>", "needs_confirmation": "1", "auto_closed": "1", "closing_rule": "hours", "clocked_out_source": "auto",
		"clocked_out_at": "2026-03-10T11:30:00Z", "clocked_out_local": "2026-03-10T19:30:00", "clocked_out_offset": "28800",
		"clocked_out_zone": "Asia/Makassar", "clocked_out_received_at": "2026-03-11T03:00:00Z",
	})
	opened, err := w.clockIn()
	if err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error { return db.Attendance.DeleteOneID(opened).Exec(ctx) })
	if diff := cmp.Diff(want, w.row(t, "attendances")); diff != "" {
		t.Errorf("attendance (-want +got):\n%s", diff)
	}
}

// TestColumnsOfFace compares every column of a registered face.
func TestColumnsOfFace(t *testing.T) {
	w := columnsWorld(t)
	points := oval(0.03)
	_, err := w.clockIn(func(i *model.ClockInInput) { i.FaceLandmark, i.Mocked = sent(points), given(true) })
	if err != nil {
		t.Fatal(err)
	}
	got := w.row(t, "face_templates")
	plain, err := w.Faces.Open(got["sealed"], strconv.Itoa(w.Company.ID), strconv.Itoa(w.user.ID))
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(points)
	if err != nil {
		t.Fatal(err)
	}
	if string(plain) != string(want) {
		t.Errorf("sealed %s, want %s", plain, want)
	}
	delete(got, "sealed")
	row := map[string]string{
		"id": "1", "company_id": strconv.Itoa(w.Company.ID), "user_id": strconv.Itoa(w.user.ID), "version": "1", "in_force": "1",
		"provisional": "1", "points": "24", "created_at": "2026-03-11T03:00:00Z", "replaced_at": "<nil>",
	}
	if diff := cmp.Diff(row, got); diff != "" {
		t.Errorf("face (-want +got):\n%s", diff)
	}
}
