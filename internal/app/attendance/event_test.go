package attendance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/scalar"
	"workforce/internal/shift"
)

// in and out are changes of inputs.
type (
	in  = func(*model.ClockInInput)
	out = func(*model.ClockOutInput)
)

// recordedIn and recordedOut say when the phone recorded an event.
func recordedIn(at time.Time) in   { return func(i *model.ClockInInput) { i.RecordedAt = given(at) } }
func recordedOut(at time.Time) out { return func(o *model.ClockOutInput) { o.RecordedAt = given(at) } }

func TestReadMembers(t *testing.T) {
	degrees := func(d float64) input.Omittable[*scalar.Coordinate] {
		return given(scalar.Coordinate{Degrees: d, Valid: true})
	}
	tests := []struct {
		name   string
		change in
		want   string // the fields with faults
	}{
		{"nothing wrong", func(*model.ClockInInput) {}, ""},
		{"no site", func(i *model.ClockInInput) { i.AddressID = input.Omittable[*int]{} }, "addressId"},
		{"no shift though there is one", func(i *model.ClockInInput) { i.EmployeeShiftID = input.Omittable[*int]{} }, "employeeShiftId"},
		{"no latitude", func(i *model.ClockInInput) { i.Latitude = input.Omittable[*scalar.Coordinate]{} }, "latitude"},
		{"no longitude", func(i *model.ClockInInput) { i.Longitude = input.Omittable[*scalar.Coordinate]{} }, "longitude"},
		{"latitude that is no number", func(i *model.ClockInInput) { i.Latitude = given(scalar.Coordinate{}) }, "latitude"},
		{"latitude of more than 90", func(i *model.ClockInInput) { i.Latitude = degrees(90.1) }, "latitude"},
		{"longitude of less than -180", func(i *model.ClockInInput) { i.Longitude = degrees(-180.1) }, "longitude"},
		{"0,0", func(i *model.ClockInInput) { i.Latitude, i.Longitude = degrees(0), degrees(0) }, "latitude longitude"},
		{"negative accuracy", func(i *model.ClockInInput) { i.Accuracy = given(-0.1) }, "accuracy"},
		{"note of 251 characters", func(i *model.ClockInInput) { i.Note = given(strings.Repeat("é", 251)) }, "note"},
		{"accuracy of 100 km", func(i *model.ClockInInput) { i.Accuracy = given(100_000.0) }, ""},
		{"accuracy of more", func(i *model.ClockInInput) { i.Accuracy = given(100_000.1) }, "accuracy"},
		{"infinite accuracy", func(i *model.ClockInInput) { i.Accuracy = given(math.Inf(1)) }, "accuracy"},
		{"accuracy that is no number", func(i *model.ClockInInput) { i.Accuracy = given(math.NaN()) }, "accuracy"},
		{"several", func(i *model.ClockInInput) { *i = model.ClockInInput{Accuracy: given(-1.0)} }, "addressId latitude longitude accuracy employeeShiftId"},
	}
	w := newWorld(t)
	for _, tt := range tests {
		input := model.ClockInInput{AddressID: given(w.site.ID), EmployeeShiftID: given(w.today.ID), Latitude: degrees(-90), Longitude: degrees(180), Note: given(strings.Repeat("é", 250))}
		tt.change(&input)
		_, err := w.readClockIn(w.on(w.user, 7), w.viewer(7), input)
		var fields []string
		if err != nil {
			for _, f := range errs.As(err).Faults {
				fields = append(fields, f.Field)
			}
		}
		if got := strings.Join(fields, " "); got != tt.want {
			t.Errorf("%s: faults of %q, want %q", tt.name, got, tt.want)
		}
	}
	_, err := w.readClockOut(w.viewer(7), model.ClockOutInput{Latitude: degrees(0), Longitude: degrees(0)})
	wantCode(t, "clock-out", err, "VALIDATION_FAILED employeeShiftId required")
	_, err = w.readClockOut(w.viewer(7), model.ClockOutInput{EmployeeShiftID: given(1), Latitude: degrees(0), Longitude: degrees(0)})
	wantCode(t, "clock-out at 0,0", err, "VALIDATION_FAILED latitude required")
}

func TestNoShift(t *testing.T) {
	w := newWorld(t)
	free := w.User(t, "Agus")
	w.user = free
	_, err := w.clockIn(func(i *model.ClockInInput) { i.EmployeeShiftID = input.Omittable[*int]{} })
	wantCode(t, "without an occurrence", err, "NO_SHIFT employeeShiftId")
	_, err = w.clockIn()
	wantCode(t, "for somebody else's", err, "NOT_FOUND employeeShiftId")
	_, err = w.clockIn(func(i *model.ClockInInput) { i.AddressID = given(w.site.ID + 1) })
	wantCode(t, "at no site", err, "NOT_FOUND addressId")
}

func TestRepeatsOfClockIns(t *testing.T) {
	recorded := apptest.Now.Add(-time.Minute)
	tests := []struct {
		name  string
		first []in
		after time.Duration
		again []in
		want  string
		rows  int
	}{
		{"at once", nil, 0, nil, "", 1},
		{"after 120 seconds", nil, 120 * time.Second, nil, "", 1},
		{"after more", nil, 121 * time.Second, nil, "ALREADY_CLOCKED_IN", 1},
		{"another occurrence", nil, 0, []in{func(i *model.ClockInInput) { *i.EmployeeShiftID.Value()++ }}, "ALREADY_CLOCKED_IN", 1},
		{"recorded at the same instant", []in{recordedIn(recorded)}, time.Hour, []in{recordedIn(recorded)}, "", 1},
		{"recorded a microsecond later", []in{recordedIn(recorded)}, time.Hour, []in{recordedIn(recorded.Add(time.Microsecond))}, "ALREADY_CLOCKED_IN", 1},
		{"recorded, then not", []in{recordedIn(recorded)}, time.Hour, nil, "ALREADY_CLOCKED_IN", 1},
		{"recorded for another occurrence", []in{recordedIn(recorded)}, time.Hour,
			[]in{recordedIn(recorded), func(i *model.ClockInInput) { *i.EmployeeShiftID.Value()++ }}, "ALREADY_CLOCKED_IN", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.occurrence(t, w.assignment, "2026-03-12") // the next id
			opened, err := w.clockIn(tt.first...)
			if err != nil || opened != w.attendances(w.user)[0].ID {
				t.Fatalf("opened %d, %v", opened, err)
			}
			w.Advance(tt.after)
			again, err := w.clockIn(tt.again...)
			wantCode(t, "again", err, tt.want)
			if rows := w.attendances(w.user); len(rows) != tt.rows || again != 0 {
				t.Errorf("%d attendances, the second clock-in opened %d", len(rows), again)
			}
		})
	}
}

// TestRecordedClockInRepeatsAfterItsClockOut sends what was recorded offline once
// more, when its attendance is closed.
func TestRecordedClockInRepeatsAfterItsClockOut(t *testing.T) {
	w := newWorld(t)
	_, err := w.clockIn(recordedIn(jakarta("09:00")))
	wantCode(t, "in", err, "")
	wantCode(t, "out", w.clockOut(recordedOut(jakarta("09:30"))), "")
	opened, err := w.clockIn(recordedIn(jakarta("09:00")))
	wantCode(t, "in again", err, "")
	opened2, err := w.clockIn()
	wantCode(t, "in once more, without a recording", err, "")
	if rows := w.attendances(w.user); opened != 0 || opened2 == 0 || len(rows) != 2 {
		t.Errorf("opened %d and %d: %d attendances, want the second to open another", opened, opened2, len(rows))
	}
}

func TestRepeatsOfClockOuts(t *testing.T) {
	recorded := apptest.Now.Add(-time.Minute)
	tests := []struct {
		name  string
		first []out
		after time.Duration
		again []out
		want  string
	}{
		{"at once", nil, 0, nil, ""},
		{"after 120 seconds", nil, 120 * time.Second, nil, ""},
		{"after more", nil, 120*time.Second + time.Microsecond, nil, "NOT_CLOCKED_IN"},
		{"another occurrence", nil, 0, []out{func(o *model.ClockOutInput) { *o.EmployeeShiftID.Value()++ }}, "NOT_CLOCKED_IN"},
		{"recorded at the same instant", []out{recordedOut(recorded)}, time.Hour, []out{recordedOut(recorded)}, ""},
		{"recorded a microsecond later", []out{recordedOut(recorded)}, time.Hour, []out{recordedOut(recorded.Add(time.Microsecond))}, "NOT_CLOCKED_IN"},
		{"recorded, then not, in time", []out{recordedOut(recorded)}, time.Minute, nil, ""},
		{"recorded, then not, later", []out{recordedOut(recorded)}, time.Hour, nil, "NOT_CLOCKED_IN"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.occurrence(t, w.assignment, "2026-03-12") // the next id
			w.attend(t, w.today, "09:00", "", nil)
			wantCode(t, "out", w.clockOut(tt.first...), "")
			before := w.attendances(w.user)[0]
			w.Advance(tt.after)
			wantCode(t, "again", w.clockOut(tt.again...), tt.want)
			if after := w.attendances(w.user)[0]; !after.ClockedOutAt.Equal(*before.ClockedOutAt) {
				t.Errorf("the clock-out moved from %v to %v", before.ClockedOutAt, after.ClockedOutAt)
			}
		})
	}
}

// TestClockOutOfAnotherEntry clocks out of a second entry of the occurrence, soon
// after the clock-out of the first: only the same recording is a repeat.
func TestClockOutOfAnotherEntry(t *testing.T) {
	tests := []struct {
		name          string
		first, second []out
		closed        int
	}{
		{"not recorded", nil, nil, 2},
		{"another recording", []out{recordedOut(jakarta("09:58:30"))}, []out{recordedOut(jakarta("09:59"))}, 2},
		{"the same recording", []out{recordedOut(jakarta("09:58"))}, []out{recordedOut(jakarta("09:58"))}, 1},
	}
	for _, tt := range tests {
		w := newWorld(t)
		w.attend(t, w.today, "09:00", "", nil)
		wantCode(t, "out", w.clockOut(tt.first...), "")
		w.Advance(30 * time.Second)
		_, err := w.clockIn()
		wantCode(t, "in again", err, "")
		w.Advance(30 * time.Second)
		wantCode(t, "out again", w.clockOut(tt.second...), "")
		closed := slices.DeleteFunc(w.attendances(w.user), func(a *ent.Attendance) bool { return a.OpenMarker != nil })
		if len(closed) != tt.closed {
			t.Errorf("%s: %d attendances are closed, want %d", tt.name, len(closed), tt.closed)
		}
	}
}

// TestClosingByRuleIsNoClockOut clocks out of an occurrence soon after the rules
// closed its attendance.
func TestClosingByRuleIsNoClockOut(t *testing.T) {
	for source, want := range map[string]string{"app": "", "offline": "", "correction": "", "auto": "NOT_CLOCKED_IN"} {
		w := newWorld(t)
		w.attend(t, w.today, "09:00", "09:59", func(a *ent.AttendanceUpdateOne) { a.SetClockedOutSource(attendance.ClockedOutSource(source)) })
		wantCode(t, source, w.clockOut(), want)
	}
}

func TestNotClockedIn(t *testing.T) {
	w := newWorld(t)
	wantCode(t, "never", w.clockOut(), "NOT_CLOCKED_IN")
	w.attend(t, w.occurrence(t, w.assignment, "2026-03-10"), "2026-03-10 09:00", "", nil)
	wantCode(t, "out of another occurrence", w.clockOut(), "NOT_CLOCKED_IN")
}

func TestAlreadyClockedIn(t *testing.T) {
	w := newWorld(t)
	evening := w.occurrence(t, w.assign(t, w.user, w.addShift(t, "18:00", "22:00", nil)), "2026-03-11")
	w.attend(t, w.today, "09:00", "", nil)
	w.Set(jakarta("18:00:59")) // the last second of the window
	for _, o := range []*ent.EmployeeShift{w.today, evening} {
		_, err := w.clockIn(func(i *model.ClockInInput) { i.EmployeeShiftID = given(o.ID) })
		wantCode(t, o.Name, err, "ALREADY_CLOCKED_IN")
		if m := errs.As(err).Meta; m["since"] != "2026-03-11T09:00:00+07:00" || m["employeeShiftId"] != fmt.Sprint(w.today.ID) {
			t.Errorf("told %v", m)
		}
	}
}

func TestForgottenAttendance(t *testing.T) {
	tests := []struct {
		name      string
		in        string // of the forgotten one
		worked    string // until when another entry since 08:00 lasted; "" for none
		now       string
		recorded  string // the clock-in; "" for now
		end, want string
		opens     bool
	}{
		{"ten hours of work and the break later", "2026-03-10 08:00", "", "10:00", "", "10 08:00:00 to 10 19:00:00", "", true},
		{"after work in another entry", "2026-03-10 13:00", "2026-03-10 12:00", "10:00", "", "10 13:00:00 to 10 19:00:00", "", true},
		{"no later than the next clock-in", "2026-03-10 17:59", "", "2026-03-11 02:00", "", "10 17:59:00 to 11 02:00:00", "", true},
		{"no later than the next clock-in, recorded", "2026-03-10 17:59", "", "08:00", "2026-03-11 01:00", "10 17:59:00 to 11 01:00:00", "", true},
		{"a clock-in recorded before it", "2026-03-10 09:00", "", "10:00", "2026-03-10 08:30", "10 09:00:00 to open", "SHIFT_WINDOW_CLOSED employeeShiftId", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			yesterday := w.occurrence(t, w.assignment, "2026-03-10")
			if tt.worked != "" {
				w.attend(t, yesterday, "2026-03-10 08:00", tt.worked, nil)
			}
			forgotten := w.attend(t, yesterday, tt.in, "", nil)
			allDay := w.occurrence(t, w.assign(t, w.user, w.addShift(t, "00:00", "23:00", nil)), "2026-03-11")
			w.Set(jakarta(tt.now))
			change := []in{func(i *model.ClockInInput) { i.EmployeeShiftID = given(allDay.ID) }}
			if tt.recorded != "" {
				change = append(change, recordedIn(jakarta(tt.recorded)))
			}
			opened, err := w.clockIn(change...)
			wantCode(t, "in", err, tt.want)
			a := w.DB.Attendance.GetX(w.System(), forgotten.ID)
			if got := times(a); got != tt.end || (opened != 0) != tt.opens || a.NeedsConfirmation != tt.opens {
				t.Errorf("forgotten one lasts from %s, to be confirmed: %v; opened %d", got, a.NeedsConfirmation, opened)
			}
		})
	}
}

// TestClockInWithinTheForgotten records a clock-in for another occurrence before
// the end that the rules give to the forgotten attendance, but not after its start.
func TestClockInWithinTheForgotten(t *testing.T) {
	w := newWorld(t)
	early := w.occurrence(t, w.assign(t, w.user, w.addShift(t, "05:00", "06:00", nil)), "2026-03-11")
	w.attend(t, early, "05:00", "", nil)
	w.Set(jakarta("12:00"))
	_, err := w.clockIn(recordedIn(jakarta("08:00")))
	wantCode(t, "after its start", err, "")
	if rows := w.attendances(w.user); times(rows[0]) != "11 05:00:00 to 11 08:00:00" || times(rows[1]) != "11 08:00:00 to open" {
		t.Errorf("attendances %s and %s", times(rows[0]), times(rows[1]))
	}
	w = newWorld(t)
	early = w.occurrence(t, w.assign(t, w.user, w.addShift(t, "05:00", "06:00", nil)), "2026-03-11")
	w.attend(t, early, "06:30", "", nil)
	w.Set(jakarta("12:00"))
	_, err = w.clockIn(recordedIn(jakarta("06:30")), func(i *model.ClockInInput) { i.EmployeeShiftID = given(w.today.ID) })
	wantCode(t, "at its start, outside of the window", err, "SHIFT_WINDOW_CLOSED employeeShiftId")
}

// TestOverlaps records events around a closed attendance from 09:00 to 09:30 and an
// open one since 09:40. An attendance lasts until just before its end.
func TestOverlaps(t *testing.T) {
	for at, want := range map[string]string{
		"08:59": "", "09:00": "CONFLICT recordedAt", "09:29:59": "CONFLICT recordedAt", "09:30": "", "09:31": "",
	} {
		w := newWorld(t)
		w.attend(t, w.today, "09:00", "09:30", nil)
		_, err := w.clockIn(recordedIn(jakarta(at)))
		wantCode(t, "in at "+at, err, want)
	}
	for _, tt := range []struct{ other, out, want string }{ // the open one began at 08:30
		{"08:00 08:30", "09:20", ""},
		{"08:00 08:31", "09:20", "CONFLICT recordedAt"},
		{"09:00 09:10", "08:59:59", ""},
		{"09:00 09:10", "09:00", ""},
		{"09:00 09:10", "09:00:01", "CONFLICT recordedAt"},
		{"09:00 09:10", "09:20", "CONFLICT recordedAt"},
		{"09:00 09:10", "08:30", "NOT_CLOCKED_IN"},
	} {
		w := newWorld(t)
		start, end, _ := strings.Cut(tt.other, " ")
		w.attend(t, w.today, start, end, nil)
		w.attend(t, w.today, "08:30", "", nil)
		wantCode(t, tt.other+", out at "+tt.out, w.clockOut(recordedOut(jakarta(tt.out))), tt.want)
	}
}

// TestOverlapsOfOthers clocks in at a time at which a colleague worked.
func TestOverlapsOfOthers(t *testing.T) {
	w := newWorld(t)
	colleague := w.User(t, "Agus")
	w.attend(t, w.occurrence(t, w.assign(t, colleague, w.assignment.Edges.Shift), "2026-03-11"), "09:00", "09:59", nil)
	_, err := w.clockIn(recordedIn(jakarta("09:30")))
	wantCode(t, "in", err, "")
}

func TestSharedDevice(t *testing.T) {
	tests := []struct {
		name            string
		date            string
		device, session int
		out             bool // the device was that of the clock-out
		own             bool // it was the user's own attendance
		want            bool
	}{
		{"a colleague clocked in on it", "2026-03-11", 7, 7, false, false, true},
		{"a colleague clocked out on it", "2026-03-11", 7, 7, true, false, true},
		{"on another date", "2026-03-10", 7, 7, false, false, false},
		{"on another device", "2026-03-11", 8, 7, false, false, false},
		{"the user themselves", "2026-03-11", 7, 7, false, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			who := w.user
			if !tt.own {
				who = w.User(t, "Agus")
			}
			w.signIn(t, who, tt.session)
			o := w.occurrence(t, w.assign(t, who, w.addShift(t, "05:00", "06:00", nil)), shift.Date(tt.date))
			w.attend(t, o, tt.date+" 05:00", tt.date+" 06:00", func(a *ent.AttendanceUpdateOne) {
				if tt.out {
					a.SetClockedOutDeviceID(tt.device)
				} else {
					a.SetClockedInDeviceID(tt.device)
				}
			})
			opened, err := w.clockIn()
			if err != nil {
				t.Fatal(err)
			}
			flags := w.DB.Attendance.GetX(w.System(), opened).ClockedInFlags
			if got := slices.Contains(flags, flagShared); got != tt.want {
				t.Errorf("flags %v, want shared %v", flags, tt.want)
			}
		})
	}
}

func TestFaces(t *testing.T) {
	w := newWorld(t)
	mocked := func(i *model.ClockInInput) { i.Mocked = given(true) }
	showing := func(right float64) in {
		return func(i *model.ClockInInput) { i.FaceLandmark = sent(oval(right)) }
	}
	for _, tt := range []struct {
		name    string
		change  []in
		verdict string
		faces   string // the templates in force: version and whether it is provisional
	}{
		{"no face", nil, "none", "[]"},
		{"first face, flagged", []in{showing(0), mocked}, "provisional", "[1 true]"},
		{"again", []in{showing(0)}, "unchecked", "[1 true]"},
		{"first face after it was withdrawn", []in{showing(0.1)}, "registered", "[2 false]"},
		{"another face", []in{showing(0.2)}, "unchecked", "[2 false]"},
	} {
		if strings.Contains(tt.name, "withdrawn") {
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				return db.FaceTemplate.Update().ClearInForce().Exec(ctx)
			})
		}
		opened, err := w.clockIn(tt.change...)
		if err != nil {
			t.Fatal(tt.name, err)
		}
		if got := w.DB.Attendance.GetX(w.System(), opened).FaceVerdict; string(got) != tt.verdict {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.verdict)
		}
		faces := []string{}
		for _, f := range w.DB.FaceTemplate.Query().AllX(w.System()) {
			if f.InForce != nil {
				faces = append(faces, fmt.Sprint(f.Version, " ", f.Provisional))
			}
		}
		if fmt.Sprint(faces) != tt.faces {
			t.Errorf("%s: faces %v, want %s", tt.name, faces, tt.faces)
		}
		w.Advance(time.Minute)
		if err := w.clockOut(); err != nil {
			t.Fatal(tt.name, err)
		}
		w.Advance(time.Hour)
	}
	if n := w.DB.Message.Query().CountX(w.System()); n != 2 {
		t.Errorf("%d notifications of a registered face, want 2", n)
	}
}

// TestClockStateIsCreated clocks in somebody who has no row to lock.
func TestClockStateIsCreated(t *testing.T) {
	w := newWorld(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		_, err := db.ClockState.Delete().Exec(ctx)
		return err
	})
	_, err := w.clockIn()
	wantCode(t, "in", err, "")
	wantCode(t, "out", w.clockOut(), "NOT_CLOCKED_IN") // at the instant of the clock-in
	if s := w.DB.ClockState.Query().OnlyX(w.System()); s.UserID != w.user.ID || s.Events != 1 {
		t.Errorf("clock state %v, want the first event alone", s)
	}
}
