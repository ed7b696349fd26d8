package attendance

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// stamp is a time of the tests' day as answers spell it.
func stamp(hour, minute, second int) string {
	return harness.Jakarta(hour, minute, second).Format(time.RFC3339)
}

// A shiftWant is the ShiftToday wanted of somebody's shift of the day.
type shiftWant struct {
	id, name, date          string
	start, end, from, until string
	breaks                  int
	clockedIn, clockedOut   bool
}

func (w shiftWant) json() string {
	return fmt.Sprintf(`{"employeeShiftId":%q,"name":%q,"date":%q,"startAt":%q,"endAt":%q,"clockInFrom":%q,"clockInUntil":%q,"breakSeconds":%d,"timezone":"Asia/Jakarta","clockedIn":%t,"clockedOut":%t}`,
		w.id, w.name, w.date, w.start, w.end, w.from, w.until, w.breaks, w.clockedIn, w.clockedOut)
}

// entered says which of a shift's events took place.
func (w shiftWant) entered(in, out bool) shiftWant {
	w.clockedIn, w.clockedOut = in, out
	return w
}

// flexibleOn is the shift Fleksibel on a day, days after the tests' first.
func flexibleOn(id string, days int) shiftWant {
	start, end := stamp(24*days, 0, 0), stamp(24*days+23, 59, 0)
	return shiftWant{id: id, name: "Fleksibel", date: start[:10], start: start, end: end, from: start, until: end}
}

// dayOn is the shift Pagi on a day.
func dayOn(id string, days int) shiftWant {
	h := 24 * days
	return shiftWant{id: id, name: "Pagi", date: stamp(h, 0, 0)[:10], start: stamp(h+8, 0, 0), end: stamp(h+17, 0, 0),
		from: stamp(h+7, 0, 0), until: stamp(h+18, 0, 0), breaks: 3600}
}

// nightOn is the shift Malam on a day.
func nightOn(id string, days int) shiftWant {
	h := 24 * days
	return shiftWant{id: id, name: "Malam", date: stamp(h, 0, 0)[:10], start: stamp(h+22, 0, 0), end: stamp(h+30, 0, 0),
		from: stamp(h+21, 0, 0), until: stamp(h+31, 0, 0)}
}

// A todayWant is the Attendance Today wanted.
type todayWant struct {
	date, status   string
	clockedIn      bool
	in, out        string // "" for null
	worked, closed int
	late, early    int
	shift          shiftWant
	entries        []entryWant
}

// An entryWant is one entry of it.
type entryWant struct{ shift, in, out, status string }

func (w todayWant) json() string {
	entries := make([]string, len(w.entries))
	for i, e := range w.entries {
		entries[i] = fmt.Sprintf(`{"id":"<digits>","employeeShiftId":%q,"addressId":"{{pusat}}","clockInAt":%q,"clockOutAt":%s,"status":%q,"faceMatched":null}`,
			e.shift, e.in, orNull(e.out), e.status)
	}
	return fmt.Sprintf(`{"date":%q,"timezone":"Asia/Jakarta","status":%q,"clockedIn":%t,"clockInAt":%s,"clockOutAt":%s,"workedSeconds":%d,"closedSeconds":%d,"lateSeconds":%d,"earlySeconds":%d,"shift":%s,"entries":[%s]}`,
		w.date, w.status, w.clockedIn, orNull(w.in), orNull(w.out), w.worked, w.closed, w.late, w.early, w.shift.json(), strings.Join(entries, ","))
}

func orNull(text string) string {
	if text == "" {
		return "null"
	}
	return strconv.Quote(text)
}

// today asks for somebody's Attendance Today.
func today(name, about string, want todayWant) apitest.Scenario {
	return apitest.Scenario{Name: name + "'s day " + about, Path: "/attendance/today", Header: harness.Bearer(name), Want: want.json()}
}

// shiftsToday asks for somebody's Shift Today.
func shiftsToday(name, about string, want ...shiftWant) apitest.Scenario {
	list := make([]string, len(want))
	for i, w := range want {
		list[i] = w.json()
	}
	return apitest.Scenario{Name: name + "'s shifts " + about, Path: "/attendance/shiftToday", Header: harness.Bearer(name), Want: "[" + strings.Join(list, ",") + "]"}
}

const dayFields = `date timezone status clockedIn clockInAt clockOutAt workedSeconds closedSeconds lateSeconds earlySeconds
	shift { employeeShiftId name date startAt endAt clockInFrom clockInUntil breakSeconds timezone clockedIn clockedOut }
	entries { id employeeShiftId addressId clockInAt clockOutAt status faceMatched }`

// todayByGraphQL asks GraphQL for the same.
func todayByGraphQL(name string, want todayWant) apitest.Scenario {
	return apitest.Scenario{
		Name: name + "'s day by GraphQL", Path: "/graphql", Header: harness.Bearer(name),
		Body: apitest.Query("{ attendanceToday { "+dayFields+" } }", nil),
		Want: harness.InUTC(`{"data":{"attendanceToday":` + want.json() + `}}`),
	}
}

// faces returns somebody's registered faces.
func faces(t *testing.T, s *harness.Server, email string) []*ent.FaceTemplate {
	t.Helper()
	u, err := s.Store.Ent.User.Query().Where(user.Email(email)).Only(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.Store.Ent.FaceTemplate.Query().Where(facetemplate.UserID(u.ID)).All(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// attendanceDayScenarios follow people through their days.
func attendanceDayScenarios(t *testing.T, s *harness.Server) {
	s.Clock.Set(harness.Jakarta(6, 30, 0))
	for _, name := range []string{"budi", "agus", "ayu", "fitri", "maya"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.SaveSites(t, "budi")
	for _, name := range []string{"budi", "agus", "ayu", "fitri", "maya"} {
		s.SaveShift(t, name)
	}
	flexible, early := flexibleOn("{{budi.shift}}", 0), dayOn("{{agus.shift}}", 0)
	s.Run(t, []apitest.Scenario{
		shiftsToday("budi", "before", flexible),
		shiftsToday("agus", "before", early),
		today("budi", "before", todayWant{date: "2026-03-10", status: "none", shift: flexible}),
	})

	s.MoveTo(t, harness.Jakarta(7, 0, 0).Add(-time.Microsecond), "agus")
	window := `{"clockInFrom":"2026-03-10T07:00:00+07:00","clockInUntil":"2026-03-10T18:00:00+07:00"}`
	s.Run(t, []apitest.Scenario{harness.Named(harness.Refused(harness.ClockIn("agus"), 422, "SHIFT_WINDOW_CLOSED", window, "employeeShiftId"), "before the window")})
	s.MoveTo(t, harness.Jakarta(7, 0, 0), "agus", "ayu")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("agus"), "at the window's first instant")})
	s.MoveTo(t, harness.Jakarta(8, 0, 1), "ayu", "budi", "agus")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("ayu"), "one second late")})

	s.MoveTo(t, harness.Jakarta(9, 0, 0), "budi", "agus", "ayu")
	entry := entryWant{shift: "{{budi.shift}}", in: stamp(9, 0, 0), status: "present"}
	open := todayWant{date: "2026-03-10", status: "present", clockedIn: true, in: stamp(9, 0, 0),
		shift: flexible.entered(true, false), entries: []entryWant{entry}}
	s.Run(t, []apitest.Scenario{harness.ClockIn("budi"), today("budi", "at once", open), shiftsToday("budi", "during", flexible.entered(true, false))})
	s.Clock.Advance(5 * time.Minute)
	open.worked = 300
	s.Run(t, []apitest.Scenario{today("budi", "during", open), todayByGraphQL("budi", open)})

	s.MoveTo(t, harness.Jakarta(10, 0, 0), "budi")
	entry.out = stamp(10, 0, 0)
	done := todayWant{date: "2026-03-10", status: "present", in: stamp(9, 0, 0), out: stamp(10, 0, 0), worked: 3600, closed: 3600,
		shift: flexible.entered(true, true), entries: []entryWant{entry}}
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi"), today("budi", "after", done), todayByGraphQL("budi", done), shiftsToday("budi", "after", flexible.entered(true, true))})

	s.MoveTo(t, harness.Jakarta(11, 0, 0), "budi")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("budi"), "again, another entry of the same occurrence")})
	s.MoveTo(t, harness.Jakarta(11, 30, 0), "budi")
	second := entryWant{shift: "{{budi.shift}}", in: stamp(11, 0, 0), status: "present"}
	again := todayWant{date: "2026-03-10", status: "present", clockedIn: true, in: stamp(9, 0, 0), worked: 5400, closed: 3600,
		shift: flexible.entered(true, false), entries: []entryWant{entry, second}}
	s.Run(t, []apitest.Scenario{today("budi", "in a second entry", again)})
	s.MoveTo(t, harness.Jakarta(12, 30, 0), "budi", "agus")
	second.out = stamp(12, 30, 0)
	s.Run(t, []apitest.Scenario{
		harness.ClockOut("budi"),
		today("budi", "first in to last out", todayWant{date: "2026-03-10", status: "present", in: stamp(9, 0, 0), out: stamp(12, 30, 0), worked: 9000, closed: 9000,
			shift: flexible.entered(true, true), entries: []entryWant{entry, second}}),
		today("agus", "in the break", todayWant{date: "2026-03-10", status: "present", clockedIn: true, in: stamp(7, 0, 0), worked: 5 * 3600,
			shift: early.entered(true, false), entries: []entryWant{{shift: "{{agus.shift}}", in: stamp(7, 0, 0), status: "present"}}}),
	})

	s.MoveTo(t, harness.Jakarta(16, 59, 59), "agus")
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.ClockOut("agus"), "one second early"),
		today("agus", "one second early", todayWant{date: "2026-03-10", status: "present", in: stamp(7, 0, 0), out: stamp(16, 59, 59),
			worked: 9*3600 - 1, closed: 9*3600 - 1, early: 1, shift: early.entered(true, true),
			entries: []entryWant{{shift: "{{agus.shift}}", in: stamp(7, 0, 0), out: stamp(16, 59, 59), status: "present"}}}),
	})
	s.MoveTo(t, harness.Jakarta(18, 1, 0).Add(-time.Microsecond), "fitri", "ayu", "maya")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("fitri"), "in the window's last minute")})
	s.MoveTo(t, harness.Jakarta(18, 1, 0))
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockIn("maya"), 422, "SHIFT_WINDOW_CLOSED", window, "employeeShiftId"), "after the window"),
		harness.Named(harness.ClockOut("ayu"), "after the window"),
		today("ayu", "late", todayWant{date: "2026-03-10", status: "present", in: stamp(8, 0, 1), out: stamp(18, 1, 0),
			worked: 9*3600 + 59, closed: 9*3600 + 59, late: 1, shift: dayOn("{{ayu.shift}}", 0).entered(true, true),
			entries: []entryWant{{shift: "{{ayu.shift}}", in: stamp(8, 0, 1), out: stamp(18, 1, 0), status: "present"}}}),
	})
	attendanceNight(t, s)
	attendanceWeekend(t, s)
}

// attendanceNight goes on through the night into the next day.
func attendanceNight(t *testing.T, s *harness.Server) {
	s.MoveTo(t, harness.Jakarta(21, 50, 0), "budi")
	s.SignIn(t, "dimas", "dimas@demo.test")
	s.SaveShift(t, "dimas")
	night, before := nightOn("{{dimas.shift}}", 0), afterMidnight(t, s, "dimas@demo.test")
	entry := entryWant{shift: "{{dimas.shift}}", in: stamp(21, 50, 0), status: "present"}
	s.Run(t, []apitest.Scenario{
		shiftsToday("dimas", "before the night", night),
		harness.ClockIn("dimas"),
		harness.Named(harness.ClockIn("budi"), "budi clocks in and forgets to clock out"),
	})

	s.MoveTo(t, harness.Jakarta(23, 59, 59), "budi")
	s.Run(t, []apitest.Scenario{{Name: "today is still today", Path: "/attendance/today", Header: harness.Bearer("budi"), Save: map[string]string{"date": "/date"}}})
	if got := s.Vars["date"]; got != "2026-03-10" {
		t.Errorf("today is %s before midnight", got)
	}
	s.MoveTo(t, harness.Jakarta(24, 0, 0), "budi", "dimas")
	forgotten := flexibleOn("{{budi.shift}}", 0).entered(true, false)
	s.Run(t, []apitest.Scenario{
		today("budi", "rolls at midnight", todayWant{date: "2026-03-11", status: "none", clockedIn: true, in: stamp(21, 50, 0), shift: forgotten,
			entries: []entryWant{{shift: "{{budi.shift}}", in: stamp(21, 50, 0), status: "present"}}}),
		today("dimas", "stays the night's", todayWant{date: "2026-03-10", status: "present", clockedIn: true, in: stamp(21, 50, 0), worked: before + 7800, closed: before,
			shift: night.entered(true, false), entries: []entryWant{entry}}),
		shiftsToday("dimas", "in the night", night.entered(true, false)),
		{Name: "budi's new shift", Path: "/attendance/shiftToday", Header: harness.Bearer("budi"), Want: "[" + forgotten.json() + "," + flexibleOn("<digits>", 1).json() + "]",
			Save: map[string]string{"budi.shift": "/1/employeeShiftId", "budi.next": "/1/employeeShiftId"}},
	})
	s.MoveTo(t, harness.Jakarta(31, 0, 59), "dimas")
	s.Run(t, []apitest.Scenario{today("dimas", "in the window's last minute", todayWant{date: "2026-03-10", status: "present", clockedIn: true,
		in: stamp(21, 50, 0), worked: before + 7800, closed: before, shift: night.entered(true, false), entries: []entryWant{entry}})})
	s.MoveTo(t, harness.Jakarta(31, 1, 0))
	s.Run(t, []apitest.Scenario{today("dimas", "after the window", todayWant{date: "2026-03-11", status: "none", clockedIn: true, in: stamp(21, 50, 0),
		worked: 7*3600 + 60, shift: night.entered(true, false), entries: []entryWant{entry}})})

	s.MoveTo(t, harness.Jakarta(32, 30, 0), "dimas", "budi")
	tonight := shiftsToday("dimas", "in the morning", night.entered(true, false), nightOn("<digits>", 1))
	tonight.Save = map[string]string{"dimas.tonight": "/1/employeeShiftId"}
	s.Run(t, []apitest.Scenario{
		tonight,
		harness.Named(harness.ClockOut("dimas", "employeeShiftId", `"{{dimas.tonight}}"`), "out in the morning, naming the shift of the evening"),
		harness.Named(harness.ClockOut("dimas", "employeeShiftId", `"{{dimas.tonight}}"`), "the same again is a repeat"),
		harness.Named(harness.ClockOut("dimas"), "as is naming that of the night"),
		today("dimas", "the day after", todayWant{date: "2026-03-11", status: "none", worked: 8*3600 + 30*60, closed: 8*3600 + 30*60, shift: nightOn("<digits>", 1)}),
		harness.Named(harness.ClockIn("budi"), "in, which closes the forgotten one"),
		{Name: "the forgotten one is to be confirmed", Path: "/graphql", Header: harness.Bearer("budi"),
			Body: apitest.Query(`{ attendances(last: 2, orderBy: {field: CLOCKED_IN_AT}) { edges { node { workDate needsConfirmation clockedOutSource clockedOutAt } } } }`, nil),
			Want: `{"data":{"attendances":{"edges":[
				{"node":{"workDate":"2026-03-10","needsConfirmation":true,"clockedOutSource":"auto","clockedOutAt":"<any>"}},
				{"node":{"workDate":"2026-03-11","needsConfirmation":false,"clockedOutSource":null,"clockedOutAt":null}}]}}}`},
	})
	nights := s.Attendances(t, "dimas@demo.test")
	if len(nights) != 1 || nights[0].WorkDate != "2026-03-10" || !nights[0].ClockedOutAt.Equal(harness.Jakarta(32, 30, 0)) || nights[0].NeedsConfirmation ||
		fmt.Sprint(nights[0].ClockedOutFlags) != "[other_shift]" {
		t.Errorf("the night became %v, want one attendance dated 2026-03-10 that ends at 08:30, by another shift", nights)
	}
	closed := s.Attendances(t, "budi@demo.test")[2]
	if !closed.NeedsConfirmation || *closed.ClockedOutSource != entAttendance.ClockedOutSourceAuto || !closed.ClockedOutAt.Equal(harness.Jakarta(32, 30, 0)) {
		t.Errorf("the forgotten one became %v, want it closed by rule, no later than the clock-in after it", closed)
	}
}

// afterMidnight returns the seconds that somebody worked on 10 March in the night that began
// the day before.
func afterMidnight(t *testing.T, s *harness.Server, email string) int {
	t.Helper()
	a := s.Store.Ent.Attendance.Query().
		Where(entAttendance.WorkDate("2026-03-09"), entAttendance.HasUserWith(user.Email(email))).OnlyX(viewer.System(t.Context()))
	return int(a.ClockedOutAt.Sub(harness.Jakarta(0, 0, 0)) / time.Second)
}

// attendanceWeekend goes on on Saturday, days later.
func attendanceWeekend(t *testing.T, s *harness.Server) {
	const saturday = 4 * 24
	s.MoveTo(t, harness.Jakarta(saturday+9, 0, 0), "agus", "budi")
	s.Run(t, []apitest.Scenario{
		{Name: "budi's shifts, the one of days ago open", Path: "/attendance/shiftToday", Header: harness.Bearer("budi"),
			Want: "[" + flexibleOn("{{budi.shift}}", 1).entered(true, false).json() + "," + flexibleOn("<digits>", 4).json() + "]",
			Save: map[string]string{"budi.shift": "/1/employeeShiftId"}},
		shiftsToday("agus", "on a day off"),
		{Name: "agus's day off", Path: "/attendance/today", Header: harness.Bearer("agus"),
			Want: `{"date":"2026-03-14","timezone":"Asia/Jakarta","status":"none","clockedIn":false,"clockInAt":null,"clockOutAt":null,"workedSeconds":0,"closedSeconds":0,"lateSeconds":0,"earlySeconds":0,"shift":null,"entries":[]}`},
		harness.Named(harness.Refused(harness.ClockIn("agus", "employeeShiftId", ""), 422, "NO_SHIFT", `{}`, "employeeShiftId"), "in for no shift"),
		harness.Named(harness.Refused(harness.ClockIn("agus", "employeeShiftId", "", "latitude", ""), 422, "VALIDATION_FAILED", `{}`, "latitude", "employeeShiftId"), "in for no shift, and without a latitude"),
		harness.Named(harness.Refused(harness.ClockIn("agus", "employeeShiftId", `"abc"`), 404, "NOT_FOUND", `{}`, "employeeShiftId"), "in for what is no shift"),
		harness.ClockIn("budi"),
	})
	s.MoveTo(t, harness.Jakarta(saturday+9, 45, 0), "budi")
	s.Run(t, []apitest.Scenario{harness.ClockOut("budi")})
	o := occurrence(t, s, "budi")
	set := func(change func(*ent.EmployeeShiftUpdateOne) *ent.EmployeeShiftUpdateOne) {
		change(o.Update()).ExecX(viewer.System(t.Context()))
	}
	status := func(want string, worked int) {
		t.Helper()
		day := day(t, s, "budi")
		if day.Status != want || day.Entries[0].Status != want || day.WorkedSeconds != worked {
			t.Errorf("counts as %s, %s, %d seconds; want %s, %d", day.Status, day.Entries[0].Status, day.WorkedSeconds, want, worked)
		}
	}
	status("present", 45*60)
	set(func(u *ent.EmployeeShiftUpdateOne) *ent.EmployeeShiftUpdateOne {
		return u.SetHalfDayBelowMinutes(120).SetAbsentBelowMinutes(60)
	})
	status("absent", 45*60)
	s.MoveTo(t, harness.Jakarta(saturday+10, 15, 0), "budi")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("budi"), "in for the second time")})
	status("present", 45*60)
	s.MoveTo(t, harness.Jakarta(saturday+10, 30, 0), "budi")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockOut("budi"), "out for the second time")})
	status("half_day", 60*60)
	set(func(u *ent.EmployeeShiftUpdateOne) *ent.EmployeeShiftUpdateOne {
		return u.SetWorkingHours("every_valid_pair")
	})
	status("half_day", 60*60)
	set(func(u *ent.EmployeeShiftUpdateOne) *ent.EmployeeShiftUpdateOne {
		return u.SetHalfDayBelowMinutes(60)
	})
	status("present", 60*60)
	attendanceForgotten(t, s)
}

// attendanceForgotten forgets to clock out on Saturday.
func attendanceForgotten(t *testing.T, s *harness.Server) {
	const saturday, sunday = 4 * 24, 5 * 24
	s.MoveTo(t, harness.Jakarta(saturday+11, 0, 0), "budi")
	s.Run(t, []apitest.Scenario{harness.Named(harness.ClockIn("budi"), "in, and no out")})
	s.MoveTo(t, harness.Jakarta(sunday+10, 0, 0), "budi")
	s.Vars["saturday.shift"], s.Vars["saturday.access"] = s.Vars["budi.shift"], s.Vars["budi.access"]
	s.Run(t, []apitest.Scenario{
		harness.Named(harness.Refused(harness.ClockIn("saturday"), 422, "SHIFT_WINDOW_CLOSED",
			`{"clockInFrom":"2026-03-14T00:00:00+07:00","clockInUntil":"2026-03-14T23:59:00+07:00"}`, "employeeShiftId"), "in for the same shift, the day after"),
		{Name: "budi's shifts on Sunday", Path: "/attendance/shiftToday", Header: harness.Bearer("budi"), Save: map[string]string{"budi.shift": "/1/employeeShiftId"}},
		harness.Named(harness.ClockIn("budi", "recordedAt", strconv.Quote(stamp(sunday+1, 0, 0))), "in, recorded before the rule would have closed the forgotten one"),
		notClockedIn("saturday", "en", "Nothing to clock out of", "No open attendance matches this clock-out; you have been clocked in since 15 Mar 01:00 WIB."),
		notClockedIn("saturday", "id", "Tidak ada absen untuk ditutup",
			"Tidak ada absen masuk terbuka yang cocok dengan absen keluar ini; Anda sudah absen masuk sejak 15 Mar 01.00 WIB."),
	})
	rows := s.Attendances(t, "budi@demo.test")
	forgotten := rows[len(rows)-2]
	if !forgotten.NeedsConfirmation || !forgotten.ClockedOutAt.Equal(harness.Jakarta(sunday+1, 0, 0)) {
		t.Errorf("the forgotten one became %v, want it to end as the next begins", forgotten)
	}
	s.MoveTo(t, harness.Jakarta(sunday+4*24, 0, 0), "budi")
	s.Run(t, []apitest.Scenario{today("budi", "days later, still in", todayWant{
		date: "2026-03-19", status: "none", clockedIn: true, in: stamp(sunday+1, 0, 0), shift: flexibleOn("{{budi.shift}}", 5).entered(true, false),
		entries: []entryWant{{shift: "{{budi.shift}}", in: stamp(sunday+1, 0, 0), status: "present"}}})})
}

// notClockedIn clocks somebody out, in a language, of a shift that was closed by rule
// before they clocked in on Sunday.
func notClockedIn(name, lang, title, detail string) apitest.Scenario {
	r := harness.ClockOut(name)
	r.Name, r.Header, r.Status = "out of what was closed by rule, in "+lang, harness.Bearer(name, "X-Language", lang), 409
	r.Want = harness.ProblemBody(409, "NOT_CLOCKED_IN", title, detail, `[]`, `{"employeeShiftId":"{{budi.shift}}","since":"`+stamp(5*24+1, 0, 0)+`"}`)
	return r
}

// occurrence returns somebody's occurrence that was saved.
func occurrence(t *testing.T, s *harness.Server, name string) *ent.EmployeeShift {
	t.Helper()
	id, err := strconv.Atoi(s.Vars[name+".shift"])
	if err != nil {
		t.Fatal(err)
	}
	return s.Store.Ent.EmployeeShift.GetX(viewer.System(t.Context()), id)
}

// A shownDay is some of an Attendance Today.
type shownDay struct {
	Status        string
	WorkedSeconds int
	Entries       []struct{ Status string }
}

// day asks for somebody's Attendance Today.
func day(t *testing.T, s *harness.Server, name string) shownDay {
	t.Helper()
	a, err := s.Ask("GET", "/attendance/today", map[string]string{"Authorization": "Bearer " + s.Vars[name+".access"]}, "")
	var day shownDay
	if err != nil || json.Unmarshal([]byte(a.Body), &day) != nil || len(day.Entries) == 0 {
		t.Fatalf("%v %v", a, err)
	}
	return day
}
