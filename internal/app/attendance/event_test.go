package attendance

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/verdict"
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
		{"accuracy of 100 km", func(i *model.ClockInInput) { i.Accuracy = given(100_000.0) }, ""},
		{"accuracy of more", func(i *model.ClockInInput) { i.Accuracy = given(100_000.1) }, "accuracy"},
		{"infinite accuracy", func(i *model.ClockInInput) { i.Accuracy = given(math.Inf(1)) }, "accuracy"},
		{"accuracy that is no number", func(i *model.ClockInInput) { i.Accuracy = given(math.NaN()) }, "accuracy"},
		{"note of 251 characters", func(i *model.ClockInInput) { i.Note = given(strings.Repeat("é", 251)) }, "note"},
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
	_, err := w.readClockOut(t.Context(), w.viewer(7), model.ClockOutInput{Latitude: degrees(0), Longitude: degrees(0)})
	wantCode(t, "clock-out", err, "VALIDATION_FAILED employeeShiftId required")
	_, err = w.readClockOut(t.Context(), w.viewer(7), model.ClockOutInput{EmployeeShiftID: given(1), Latitude: degrees(0), Longitude: degrees(0)})
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
	ofFirst := func(d time.Duration) []in { return []in{recordedIn(apptest.Now.Add(d))} }
	tests := []struct {
		name  string
		first []in
		after time.Duration
		again []in
		want  string
	}{
		{"at once", nil, 0, nil, ""},
		{"after 120 seconds", nil, 120 * time.Second, nil, ""},
		{"after more", nil, 120*time.Second + time.Microsecond, nil, "ALREADY_CLOCKED_IN"},
		{"another occurrence", nil, 0, []in{func(i *model.ClockInInput) { *i.EmployeeShiftID.Value()++ }}, "ALREADY_CLOCKED_IN"},
		{"recorded at the same instant", []in{recordedIn(recorded)}, time.Hour, []in{recordedIn(recorded)}, ""},
		{"recorded for another occurrence", []in{recordedIn(recorded)}, time.Hour,
			[]in{recordedIn(recorded), func(i *model.ClockInInput) { *i.EmployeeShiftID.Value()++ }}, "ALREADY_CLOCKED_IN"},
		{"recorded, then not, later", []in{recordedIn(recorded)}, time.Hour, nil, "ALREADY_CLOCKED_IN"},
		{"recorded 120 seconds before the first", nil, time.Hour, ofFirst(-120 * time.Second), ""},
		{"recorded earlier", nil, time.Hour, ofFirst(-120*time.Second - time.Microsecond), "ALREADY_CLOCKED_IN"},
		{"recorded 120 seconds after the first", nil, time.Hour, ofFirst(120 * time.Second), ""},
		{"recorded later", nil, time.Hour, ofFirst(120*time.Second + time.Microsecond), "ALREADY_CLOCKED_IN"},
		{"both recorded, 120 seconds apart", ofFirst(-time.Hour), 0, ofFirst(-time.Hour + 120*time.Second), ""},
		{"both recorded, more apart, received at once", ofFirst(-time.Hour), 0, ofFirst(-time.Hour + 121*time.Second), "ALREADY_CLOCKED_IN"},
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
			if rows := w.attendances(w.user); len(rows) != 1 || again != 0 {
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
	ofFirst := func(d time.Duration) []out { return []out{recordedOut(apptest.Now.Add(d))} }
	other := func(o *model.ClockOutInput) { *o.EmployeeShiftID.Value()++ }
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
		{"another occurrence", nil, 0, []out{other}, "NOT_CLOCKED_IN"},
		{"another occurrence, twice", []out{other}, 0, []out{other}, ""},
		{"another occurrence, twice, later", []out{other}, 121 * time.Second, []out{other}, "NOT_CLOCKED_IN"},
		{"another occurrence, recorded at the same instant", []out{other, recordedOut(recorded)}, time.Hour, []out{other, recordedOut(recorded)}, ""},
		{"recorded at the same instant", []out{recordedOut(recorded)}, time.Hour, []out{recordedOut(recorded)}, ""},
		{"recorded at the same instant, ahead", ofFirst(120 * time.Second), time.Hour, ofFirst(120 * time.Second), ""},
		{"recorded at the same instant, 180 seconds ago", ofFirst(-180 * time.Second), time.Hour, ofFirst(-180 * time.Second), ""},
		{"recorded at the same instant, just less ago", ofFirst(-180*time.Second + time.Microsecond), time.Hour, ofFirst(-180*time.Second + time.Microsecond), ""},
		{"recorded, then not, in time", []out{recordedOut(recorded)}, time.Minute, nil, ""},
		{"recorded, then not, later", []out{recordedOut(recorded)}, time.Hour, nil, "NOT_CLOCKED_IN"},
		{"recorded 120 seconds before the first", nil, time.Hour, ofFirst(-120 * time.Second), ""},
		{"recorded earlier", nil, time.Hour, ofFirst(-120*time.Second - time.Microsecond), "NOT_CLOCKED_IN"},
		{"recorded 120 seconds after the first", nil, time.Hour, ofFirst(120 * time.Second), ""},
		{"recorded later", nil, time.Hour, ofFirst(120*time.Second + time.Microsecond), "NOT_CLOCKED_IN"},
		{"both recorded, 120 seconds apart", ofFirst(-30 * time.Minute), 0, ofFirst(-28 * time.Minute), ""},
		{"both recorded, more apart, received at once", ofFirst(-30 * time.Minute), 0, ofFirst(-28*time.Minute + time.Second), "NOT_CLOCKED_IN"},
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
// after the clock-out of the first: only the same recording, or one from before the
// second entry, is a repeat.
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
	w := newWorld(t)
	w.attend(t, w.today, "09:00", "09:10", nil)
	w.attend(t, w.today, "09:30", "", nil)
	for at, want := range map[string]string{"09:12": "", "09:12:01": "NOT_CLOCKED_IN", "09:30": "NOT_CLOCKED_IN"} {
		wantCode(t, "recorded at "+at+", before the second entry", w.clockOut(recordedOut(jakarta(at))), want)
	}
}

// TestClosingByRuleIsNoClockOut clocks out of an occurrence soon after the rules
// closed its attendance.
func TestClosingByRuleIsNoClockOut(t *testing.T) {
	for source, want := range map[string]string{"app": "", "offline": "", "correction": "", "auto": "NOT_CLOCKED_IN"} {
		w := newWorld(t)
		w.attend(t, w.today, "09:00", "09:59", func(a *ent.AttendanceUpdateOne) { a.SetClockedOutSource(entAttendance.ClockedOutSource(source)) })
		wantCode(t, source, w.clockOut(), want)
	}
}

func TestNotClockedIn(t *testing.T) {
	w := newWorld(t)
	wantCode(t, "never", w.clockOut(), "NOT_CLOCKED_IN")
	wantCode(t, "never, recorded 72 hours ago", w.clockOut(recordedOut(w.Now().Add(-72*time.Hour))), "NOT_CLOCKED_IN")
	wantCode(t, "never, recorded earlier", w.clockOut(recordedOut(w.Now().Add(-72*time.Hour-time.Microsecond))), "RECORDED_AT_OUT_OF_RANGE recordedAt")
	wantCode(t, "never, recorded ahead", w.clockOut(recordedOut(w.Now().Add(121*time.Second))), "RECORDED_AT_OUT_OF_RANGE recordedAt")
	w.attend(t, w.today, "09:00", "", nil)
	err := w.clockOut(recordedOut(jakarta("08:59")))
	wantCode(t, "recorded before the clock-in", err, "NOT_CLOCKED_IN")
	if m := errs.As(err).Meta; fmt.Sprint(m["since"]) != "2026-03-11T09:00:00+07:00" || m["employeeShiftId"] != fmt.Sprint(w.today.ID) {
		t.Errorf("told %v", m)
	}
}

// TestOtherShift clocks out with another occurrence than that of the open attendance.
func TestOtherShift(t *testing.T) {
	tests := []struct {
		name  string
		left  func(w *world, other *ent.EmployeeShift) // what the other occurrence has; nil for nothing
		want  string
		flags string // of the attendance that was open
	}{
		{"never clocked in for", nil, "", `["other_shift"]`},
		{"clocked out earlier", func(w *world, o *ent.EmployeeShift) { w.attend(t, o, "06:00", "07:00", nil) }, "NOT_CLOCKED_IN", "null"},
		{"closed by rule", func(w *world, o *ent.EmployeeShift) {
			w.attend(t, o, "06:00", "07:00", func(a *ent.AttendanceUpdateOne) { a.SetClockedOutSource("auto") })
		}, "NOT_CLOCKED_IN", "null"},
		{"clocked out just now", func(w *world, o *ent.EmployeeShift) { w.attend(t, o, "06:00", "09:59", nil) }, "", "null"}, // a repeat
		{"clocked in for, later than the open one", func(w *world, o *ent.EmployeeShift) { w.attend(t, o, "10:10", "10:20", nil) }, "", `["other_shift"]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			other := w.occurrence(t, w.assign(t, w.user, w.addShift(t, "05:00", "07:00", func(s *ent.ShiftCreate) { s.SetTimezone("Asia/Makassar") })), "2026-03-11")
			if tt.left != nil {
				tt.left(w, other)
			}
			open := w.attend(t, w.today, "09:00", "", nil)
			err := w.clockOut(func(o *model.ClockOutInput) { o.EmployeeShiftID = given(other.ID) })
			wantCode(t, "out", err, tt.want)
			if m := errs.As(err).Meta; err != nil && fmt.Sprint(m["since"]) != "2026-03-11T09:00:00+07:00" {
				t.Errorf("told %v", m)
			}
			a := w.DB.Attendance.GetX(w.System(), open.ID)
			flags, _ := json.Marshal(a.ClockedOutFlags)
			if string(flags) != tt.flags || (tt.flags != "null") != (a.ClockedOutAt != nil) {
				t.Errorf("open one: flags %s, out %v; want %s", flags, a.ClockedOutAt, tt.flags)
			}
			if a.ClockedOutAt != nil && (*a.ClockedOutZone != "Asia/Jakarta" || *a.ClockedOutLocal != "2026-03-11T10:00:00") {
				t.Errorf("out at %s in %s, want the zone of the clock-in", *a.ClockedOutLocal, *a.ClockedOutZone)
			}
		})
	}
}

// A punch is an event that a phone recorded offline.
type punch struct {
	in bool
	at string // in Jakarta
}

// send sends punches in an order, again those that were refused while any is accepted,
// and returns the accepted ones by time.
func (w *world) send(t *testing.T, order []punch) (accepted []string) {
	t.Helper()
	accepted, _ = w.sendAgain(t, order)
	return accepted
}

// sendAgain sends punches as send does, the refused ones in the order of time, and returns
// those too that were refused in the end.
func (w *world) sendAgain(t *testing.T, order []punch) (accepted []string, refused []punch) {
	t.Helper()
	for again := true; again; {
		again, refused = false, nil
		for _, p := range order {
			var err error
			if p.in {
				_, err = w.clockIn(recordedIn(jakarta(p.at)))
			} else {
				err = w.clockOut(recordedOut(jakarta(p.at)))
			}
			switch code := apptest.Code(err); code {
			case "":
				accepted, again = append(accepted, p.at), true
			case "ALREADY_CLOCKED_IN", "NOT_CLOCKED_IN", "CONFLICT recordedAt":
				refused = append(refused, p)
			default:
				t.Fatalf("%v: %s", p, code)
			}
		}
		slices.SortFunc(refused, func(a, b punch) int { return strings.Compare(a.at, b.at) })
		order = refused
	}
	slices.Sort(accepted)
	return accepted, refused
}

// orders returns all orders of punches.
func orders(punches []punch) (all [][]punch) {
	if len(punches) == 0 {
		return [][]punch{nil}
	}
	for i, first := range punches {
		for _, rest := range orders(slices.Concat(punches[:i], punches[i+1:])) {
			all = append(all, append([]punch{first}, rest...))
		}
	}
	return all
}

// TestOrdersOfPunches sends what was recorded offline in every order, within a
// second, and what was refused again by its time. What was accepted is stored, each at its own time, and nothing else. All of
// it is accepted unless a clock-out came before an earlier one, for an attendance that
// was open: nothing tells then that another attendance is missing.
func TestOrdersOfPunches(t *testing.T) {
	day := []punch{{true, "07:30"}, {false, "08:30"}, {true, "09:00"}, {false, "09:30"}}
	complete := 0
	for _, order := range orders(day) {
		w := newWorld(t)
		accepted := w.send(t, order)
		var stored []string
		for _, a := range w.attendances(w.user) {
			stored = append(stored, a.ClockedInAt.Add(7*time.Hour).Format("15:04"))
			if a.ClockedOutAt != nil {
				stored = append(stored, a.ClockedOutAt.Add(7*time.Hour).Format("15:04"))
			}
		}
		slices.Sort(stored)
		if !slices.Equal(stored, accepted) {
			t.Errorf("sent %v: accepted %v, stored %v", order, accepted, stored)
		}
		if len(accepted) == len(day) {
			complete++
		}
		for _, again := range accepted { // once more, each is a repeat
			i := slices.IndexFunc(day, func(p punch) bool { return p.at == again })
			if got := w.send(t, day[i:i+1]); len(got) != 1 || len(w.attendances(w.user)) != (len(stored)+1)/2 {
				t.Errorf("sent %v: %s again: accepted %v, %d attendances", order, again, got, len(w.attendances(w.user)))
			}
		}
	}
	if complete != 19 {
		t.Errorf("%d of 24 orders were accepted as a whole", complete)
	}
}

// TestPunchesOneByOne sends punches as they were seen to be lost: each answer is
// exact.
func TestPunchesOneByOne(t *testing.T) {
	w := newWorld(t)
	for _, p := range []struct {
		punch
		want string
	}{
		{punch{true, "07:30"}, ""}, {punch{false, "08:30"}, ""}, {punch{false, "09:30"}, "NOT_CLOCKED_IN"},
		{punch{true, "09:00"}, ""}, {punch{true, "09:10"}, "ALREADY_CLOCKED_IN"}, {punch{false, "09:30"}, ""},
		{punch{true, "09:45"}, ""}, {punch{true, "09:50"}, "ALREADY_CLOCKED_IN"},
	} {
		var err error
		if p.in {
			_, err = w.clockIn(recordedIn(jakarta(p.at)))
		} else {
			err = w.clockOut(recordedOut(jakarta(p.at)))
		}
		wantCode(t, fmt.Sprint(p.punch), err, p.want)
	}
	got := []string{}
	for _, a := range w.attendances(w.user) {
		got = append(got, times(a))
	}
	want := []string{"11 07:30:00 to 11 08:30:00", "11 09:00:00 to 11 09:30:00", "11 09:45:00 to open"}
	if !slices.Equal(got, want) {
		t.Errorf("attendances %v, want %v", got, want)
	}
}

func TestAlreadyClockedIn(t *testing.T) {
	w := newWorld(t)
	evening := w.occurrence(t, w.assign(t, w.user, w.addShift(t, "18:00", "22:00", nil)), "2026-03-11")
	w.attend(t, w.today, "09:00", "", nil)
	w.Set(jakarta("18:00:59")) // the last second of the window
	for _, o := range []*ent.EmployeeShift{w.today, evening} {
		_, err := w.clockIn(func(i *model.ClockInInput) { i.EmployeeShiftID = given(o.ID) })
		wantCode(t, o.Name, err, "ALREADY_CLOCKED_IN")
		if m := errs.As(err).Meta; fmt.Sprint(m["since"]) != "2026-03-11T09:00:00+07:00" || m["employeeShiftId"] != fmt.Sprint(w.today.ID) {
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
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				return db.EmployeeShift.UpdateOneID(yesterday.ID).SetLateGraceMinutes(0).Exec(ctx)
			})
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
	w := newWorld(t) // now is 10:00, and another server's clock is ahead
	w.attend(t, w.today, "10:00:10", "10:00:20", nil)
	_, err := w.clockIn()
	wantCode(t, "before an attendance, now", err, "CONFLICT recordedAt")
	w.Advance(20 * time.Second)
	_, err = w.clockIn()
	wantCode(t, "at its end", err, "")
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
			if got := slices.Contains(flags, verdict.SharedDevice); got != tt.want {
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
		{"again", []in{showing(0)}, "match", "[1 true]"},
		{"first face after it was withdrawn", []in{showing(0.1)}, "registered", "[2 false]"},
		{"the same face elsewhere", []in{showing(0.2)}, "match", "[2 false]"},
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

// TestRepeatsByCompany measures repeats by the company's setting, at both ends.
func TestRepeatsByCompany(t *testing.T) {
	for seconds, want := range map[int][2]string{30: {"ALREADY_CLOCKED_IN", "NOT_CLOCKED_IN"}, 120: {"", ""}} {
		w := newWorld(t)
		w.settings = setting.Values{"repeatSeconds": seconds}
		if _, err := w.clockIn(); err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Minute)
		_, err := w.clockIn()
		wantCode(t, fmt.Sprint("in again, within ", seconds), err, want[0])
		wantCode(t, "out", w.clockOut(), "")
		w.Advance(time.Minute)
		wantCode(t, fmt.Sprint("out again, within ", seconds), w.clockOut(), want[1])
	}
}
