package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/viewer"
)

// bearer is the Authorization of somebody who signed in under a name, with more
// headers beside it: name, value, name, value.
func bearer(name string, more ...string) map[string]string {
	h := map[string]string{"Authorization": "Bearer {{" + name + ".access}}"}
	for i := 0; i < len(more); i += 2 {
		h[more[i]] = more[i+1]
	}
	return h
}

// jakarta is a time of the tests' day in Jakarta, hours beyond 24 on the next.
func jakarta(hour, minute, second int) time.Time {
	return time.Date(2026, 3, 10, hour, minute, second, 0, morning.Location())
}

// stamp is a time of the tests' day as answers spell it.
func stamp(hour, minute, second int) string {
	return jakarta(hour, minute, second).Format(time.RFC3339)
}

// MoveTo moves the clock to a time and gives those who signed in fresh tokens.
func (s *testServer) MoveTo(t *testing.T, to time.Time, names ...string) {
	t.Helper()
	s.Clock.Set(to)
	for _, name := range names {
		s.Run(t, []apitest.Scenario{{
			Name: name + " at " + to.Format("15:04:05"), Path: "/authorize/refresh-token",
			Header: map[string]string{"x-Refresh-Token": "{{" + name + ".refresh}}"},
			Save:   map[string]string{name + ".access": "/accessToken", name + ".refresh": "/refreshToken"},
		}})
	}
}

// saveSites keeps the ids of the demo's work sites: {{pusat}}, {{bandung}} and
// {{cikarang}}.
func (s *testServer) saveSites(t *testing.T, name string) {
	t.Helper()
	s.Run(t, []apitest.Scenario{{
		Name: "sites", Path: "/attendance/allowedLocations", Header: bearer(name),
		Want: `[
			{"addressId":"<digits>","name":"Gudang Cikarang","address":"Kawasan Industri Jababeka, Cikarang","latitude":"-6.284913","longitude":"107.170641","radius":250},
			{"addressId":"<digits>","name":"Kantor Bandung","address":"Jalan Asia Afrika 8, Bandung","latitude":"-6.921151","longitude":"107.607301","radius":150},
			{"addressId":"<digits>","name":"Kantor Pusat","address":"Jalan M.H. Thamrin 1, Jakarta Pusat","latitude":"-6.200000","longitude":"106.816666","radius":100}]`,
		Save: map[string]string{"cikarang": "/0/addressId", "bandung": "/1/addressId", "pusat": "/2/addressId"},
	}})
}

// saveShift keeps the id of somebody's first occurrence of today: {{name.shift}}.
func (s *testServer) saveShift(t *testing.T, name string) {
	t.Helper()
	s.Run(t, []apitest.Scenario{{
		Name: name + "'s shift", Path: "/attendance/shiftToday", Header: bearer(name),
		Save: map[string]string{name + ".shift": "/0/employeeShiftId"},
	}})
}

// clockBody is the body of a clock event at Kantor Pusat for somebody's shift of
// the day, with members changed or added: name, JSON, name, JSON. The JSON ""
// leaves a member out.
func clockBody(name string, change ...string) string {
	members := [][2]string{
		{"addressId", `"{{pusat}}"`}, {"employeeShiftId", `"{{` + name + `.shift}}"`},
		{"latitude", `"-6.200000"`}, {"longitude", `"106.816666"`},
	}
	for i := 0; i < len(change); i += 2 {
		at := -1
		for j, m := range members {
			if m[0] == change[i] {
				at = j
			}
		}
		if at < 0 {
			members = append(members, [2]string{change[i], change[i+1]})
		} else {
			members[at][1] = change[i+1]
		}
	}
	var parts []string
	for _, m := range members {
		if m[1] != "" {
			parts = append(parts, fmt.Sprintf("%q:%s", m[0], m[1]))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// clockIn is a clock-in that succeeds.
func clockIn(name string, change ...string) apitest.Scenario {
	return apitest.Scenario{
		Name: name + " clocks in", Path: "/attendance/clockIn", Header: bearer(name), Body: clockBody(name, change...),
		Want: `{"clockedIn":true}`, WantHeader: map[string]string{"Idempotent-Replayed": ""},
	}
}

// clockOut is a clock-out that succeeds.
func clockOut(name string, change ...string) apitest.Scenario {
	return apitest.Scenario{
		Name: name + " clocks out", Path: "/attendance/clockOut", Header: bearer(name),
		Body: clockBody(name, append([]string{"addressId", ""}, change...)...),
		Want: `{"clockedOut":true}`, WantHeader: map[string]string{"Idempotent-Replayed": ""},
	}
}

// named gives a scenario another name.
func named(s apitest.Scenario, name string) apitest.Scenario {
	s.Name = name
	return s
}

// under gives a scenario an X-Req-Id.
func under(s apitest.Scenario, id string) apitest.Scenario {
	s.Header["X-Req-Id"] = id
	return s
}

// replayed makes a scenario want the outcome of an earlier request.
func replayed(s apitest.Scenario) apitest.Scenario {
	s.WantHeader = map[string]string{"Idempotent-Replayed": "true"}
	return s
}

// refused makes a scenario want a refusal: its status, code, the members named
// in its errors, and its meta.
func refused(s apitest.Scenario, status int, code, meta string, fields ...string) apitest.Scenario {
	s.Status, s.Want = status, problem(status, code, meta, fields...)
	return s
}

// problem is the body of a refusal, worded anyhow.
func problem(status int, code, meta string, fields ...string) string {
	faults := make([]string, len(fields))
	for i, f := range fields {
		faults[i] = fmt.Sprintf(`{"field":%q,"code":%q,"detail":"/.+/"}`, f, code)
	}
	return fmt.Sprintf(`{"type":"http://wf.test/errors/%s","code":%[1]q,"title":"/.+/","status":%d,"detail":"/.+/","requestId":"/.+/","errors":[%s],"meta":%s}`,
		code, status, strings.Join(faults, ","), meta)
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
	return apitest.Scenario{Name: name + "'s day " + about, Path: "/attendance/today", Header: bearer(name), Want: want.json()}
}

// shiftsToday asks for somebody's Shift Today.
func shiftsToday(name, about string, want ...shiftWant) apitest.Scenario {
	list := make([]string, len(want))
	for i, w := range want {
		list[i] = w.json()
	}
	return apitest.Scenario{Name: name + "'s shifts " + about, Path: "/attendance/shiftToday", Header: bearer(name), Want: "[" + strings.Join(list, ",") + "]"}
}

const dayFields = `date timezone status clockedIn clockInAt clockOutAt workedSeconds closedSeconds lateSeconds earlySeconds
	shift { employeeShiftId name date startAt endAt clockInFrom clockInUntil breakSeconds timezone clockedIn clockedOut }
	entries { id employeeShiftId addressId clockInAt clockOutAt status faceMatched }`

// todayByGraphQL asks the other door for the same.
func todayByGraphQL(name string, want todayWant) apitest.Scenario {
	return apitest.Scenario{
		Name: name + "'s day by GraphQL", Path: "/graphql", Header: bearer(name),
		Body: apitest.Query("{ attendanceToday { "+dayFields+" } }", nil), Want: `{"data":{"attendanceToday":` + want.json() + `}}`,
	}
}

// attendances returns somebody's attendances that began on the tests' day or
// later, the earliest first, from the database.
func (s *testServer) attendances(t *testing.T, email string) []*ent.Attendance {
	t.Helper()
	rows, err := s.store.ent.Attendance.Query().
		Where(attendance.HasUserWith(user.Email(email)), attendance.WorkDateGTE("2026-03-09"), attendance.ClockedInAtGTE(jakarta(0, 0, 0).UTC())).
		WithEmployeeShift().Order(ent.Asc(attendance.FieldClockedInAt)).All(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// faces returns somebody's registered faces.
func (s *testServer) faces(t *testing.T, email string) []*ent.FaceTemplate {
	t.Helper()
	u, err := s.store.ent.User.Query().Where(user.Email(email)).Only(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := s.store.ent.FaceTemplate.Query().Where(facetemplate.UserID(u.ID)).All(viewer.System(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// landmarks is a usable face of 40 points, JSON, another for each seed.
func landmarks(seed int) string {
	type point struct {
		X          float64 `json:"x"`
		Y          float64 `json:"y"`
		Z          float64 `json:"z"`
		Visibility float64 `json:"visibility"`
	}
	points := make([]point, 40)
	for i := range points {
		points[i] = point{X: 0.25 + float64(i%8)/16 + float64(seed)/1009, Y: 0.2 + float64(i/8)/9 + float64(seed)/2003, Z: float64(i%5)/70 - 0.01234567890123456}
	}
	text, err := json.Marshal(points)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// attendanceDayScenarios follow people through their days.
func attendanceDayScenarios(t *testing.T, s *testServer) {
	s.Clock.Set(jakarta(6, 30, 0))
	for _, name := range []string{"budi", "agus", "ayu", "fitri", "maya"} {
		s.SignIn(t, name, name+"@demo.test")
	}
	s.saveSites(t, "budi")
	for _, name := range []string{"budi", "agus", "ayu", "fitri", "maya"} {
		s.saveShift(t, name)
	}
	flexible, early := flexibleOn("{{budi.shift}}", 0), dayOn("{{agus.shift}}", 0)
	s.Run(t, []apitest.Scenario{
		shiftsToday("budi", "before", flexible),
		shiftsToday("agus", "before", early),
		today("budi", "before", todayWant{date: "2026-03-10", status: "none", shift: flexible}),
	})

	s.MoveTo(t, jakarta(7, 0, 0).Add(-time.Microsecond), "agus")
	window := `{"clockInFrom":"2026-03-10T07:00:00+07:00","clockInUntil":"2026-03-10T18:00:00+07:00"}`
	s.Run(t, []apitest.Scenario{named(refused(clockIn("agus"), 422, "SHIFT_WINDOW_CLOSED", window, "employeeShiftId"), "before the window")})
	s.MoveTo(t, jakarta(7, 0, 0), "agus", "ayu")
	s.Run(t, []apitest.Scenario{named(clockIn("agus"), "at the window's first instant")})
	s.MoveTo(t, jakarta(8, 0, 1), "ayu", "budi", "agus")
	s.Run(t, []apitest.Scenario{named(clockIn("ayu"), "one second late")})

	s.MoveTo(t, jakarta(9, 0, 0), "budi", "agus", "ayu")
	entry := entryWant{shift: "{{budi.shift}}", in: stamp(9, 0, 0), status: "present"}
	open := todayWant{date: "2026-03-10", status: "present", clockedIn: true, in: stamp(9, 0, 0),
		shift: flexible.entered(true, false), entries: []entryWant{entry}}
	s.Run(t, []apitest.Scenario{clockIn("budi"), today("budi", "at once", open), shiftsToday("budi", "during", flexible.entered(true, false))})
	s.Clock.Advance(5 * time.Minute)
	open.worked = 300
	s.Run(t, []apitest.Scenario{today("budi", "during", open), todayByGraphQL("budi", open)})

	s.MoveTo(t, jakarta(10, 0, 0), "budi")
	entry.out = stamp(10, 0, 0)
	done := todayWant{date: "2026-03-10", status: "present", in: stamp(9, 0, 0), out: stamp(10, 0, 0), worked: 3600, closed: 3600,
		shift: flexible.entered(true, true), entries: []entryWant{entry}}
	s.Run(t, []apitest.Scenario{clockOut("budi"), today("budi", "after", done), todayByGraphQL("budi", done), shiftsToday("budi", "after", flexible.entered(true, true))})

	s.MoveTo(t, jakarta(11, 0, 0), "budi")
	s.Run(t, []apitest.Scenario{named(clockIn("budi"), "again, another entry of the same occurrence")})
	s.MoveTo(t, jakarta(11, 30, 0), "budi")
	second := entryWant{shift: "{{budi.shift}}", in: stamp(11, 0, 0), status: "present"}
	again := todayWant{date: "2026-03-10", status: "present", clockedIn: true, in: stamp(9, 0, 0), worked: 9000, closed: 3600,
		shift: flexible.entered(true, false), entries: []entryWant{entry, second}}
	s.Run(t, []apitest.Scenario{today("budi", "in a second entry", again)})
	s.MoveTo(t, jakarta(12, 30, 0), "budi", "agus")
	second.out = stamp(12, 30, 0)
	s.Run(t, []apitest.Scenario{
		clockOut("budi"),
		today("budi", "first in to last out", todayWant{date: "2026-03-10", status: "present", in: stamp(9, 0, 0), out: stamp(12, 30, 0), worked: 12600, closed: 12600,
			shift: flexible.entered(true, true), entries: []entryWant{entry, second}}),
		today("agus", "in the break", todayWant{date: "2026-03-10", status: "present", clockedIn: true, in: stamp(7, 0, 0), worked: 5 * 3600,
			shift: early.entered(true, false), entries: []entryWant{{shift: "{{agus.shift}}", in: stamp(7, 0, 0), status: "present"}}}),
	})

	s.MoveTo(t, jakarta(16, 59, 59), "agus")
	s.Run(t, []apitest.Scenario{
		named(clockOut("agus"), "one second early"),
		today("agus", "one second early", todayWant{date: "2026-03-10", status: "present", in: stamp(7, 0, 0), out: stamp(16, 59, 59),
			worked: 9*3600 - 1, closed: 9*3600 - 1, early: 1, shift: early.entered(true, true),
			entries: []entryWant{{shift: "{{agus.shift}}", in: stamp(7, 0, 0), out: stamp(16, 59, 59), status: "present"}}}),
	})
	s.MoveTo(t, jakarta(18, 1, 0).Add(-time.Microsecond), "fitri", "ayu", "maya")
	s.Run(t, []apitest.Scenario{named(clockIn("fitri"), "in the window's last minute")})
	s.MoveTo(t, jakarta(18, 1, 0))
	s.Run(t, []apitest.Scenario{
		named(refused(clockIn("maya"), 422, "SHIFT_WINDOW_CLOSED", window, "employeeShiftId"), "after the window"),
		named(clockOut("ayu"), "after the window"),
		today("ayu", "late", todayWant{date: "2026-03-10", status: "present", in: stamp(8, 0, 1), out: stamp(18, 1, 0),
			worked: 9*3600 + 59, closed: 9*3600 + 59, late: 1, shift: dayOn("{{ayu.shift}}", 0).entered(true, true),
			entries: []entryWant{{shift: "{{ayu.shift}}", in: stamp(8, 0, 1), out: stamp(18, 1, 0), status: "present"}}}),
	})
	attendanceNight(t, s)
	attendanceWeekend(t, s)
}

// attendanceNight goes on through the night into the next day.
func attendanceNight(t *testing.T, s *testServer) {
	s.MoveTo(t, jakarta(21, 50, 0), "budi")
	s.SignIn(t, "dimas", "dimas@demo.test")
	s.saveShift(t, "dimas")
	night := nightOn("{{dimas.shift}}", 0)
	entry := entryWant{shift: "{{dimas.shift}}", in: stamp(21, 50, 0), status: "present"}
	s.Run(t, []apitest.Scenario{
		shiftsToday("dimas", "before the night", night),
		clockIn("dimas"),
		named(clockIn("budi"), "budi clocks in and forgets to clock out"),
	})

	s.MoveTo(t, jakarta(23, 59, 59), "budi")
	s.Run(t, []apitest.Scenario{{Name: "today is still today", Path: "/attendance/today", Header: bearer("budi"), Save: map[string]string{"date": "/date"}}})
	if got := s.Vars["date"]; got != "2026-03-10" {
		t.Errorf("today is %s before midnight", got)
	}
	s.MoveTo(t, jakarta(24, 0, 0), "budi", "dimas")
	forgotten := flexibleOn("{{budi.shift}}", 0).entered(true, false)
	s.Run(t, []apitest.Scenario{
		today("budi", "rolls at midnight", todayWant{date: "2026-03-11", status: "none", clockedIn: true, shift: forgotten}),
		today("dimas", "stays the night's", todayWant{date: "2026-03-10", status: "present", clockedIn: true, in: stamp(21, 50, 0), worked: 7800,
			shift: night.entered(true, false), entries: []entryWant{entry}}),
		shiftsToday("dimas", "in the night", night.entered(true, false)),
		{Name: "budi's new shift", Path: "/attendance/shiftToday", Header: bearer("budi"), Want: "[" + flexibleOn("<digits>", 1).json() + "]",
			Save: map[string]string{"budi.shift": "/0/employeeShiftId", "budi.next": "/0/employeeShiftId"}},
	})
	s.MoveTo(t, jakarta(31, 0, 59), "dimas")
	s.Run(t, []apitest.Scenario{today("dimas", "in the window's last minute", todayWant{date: "2026-03-10", status: "present", clockedIn: true,
		in: stamp(21, 50, 0), worked: 9*3600 + 10*60 + 59, shift: night.entered(true, false), entries: []entryWant{entry}})})
	s.MoveTo(t, jakarta(31, 1, 0))
	s.Run(t, []apitest.Scenario{today("dimas", "after the window", todayWant{date: "2026-03-11", status: "none", clockedIn: true, shift: night.entered(true, false)})})

	s.MoveTo(t, jakarta(32, 30, 0), "dimas", "budi")
	s.Run(t, []apitest.Scenario{
		named(clockOut("dimas"), "out in the morning"),
		today("dimas", "the day after", todayWant{date: "2026-03-11", status: "none", shift: nightOn("<digits>", 1)}),
		named(clockIn("budi"), "in, which closes the forgotten one"),
		{Name: "the forgotten one is to be confirmed", Path: "/graphql", Header: bearer("budi"),
			Body: apitest.Query(`{ attendances(last: 2, orderBy: {field: CLOCKED_IN_AT}) { edges { node { workDate needsConfirmation clockedOutSource clockedOutAt } } } }`, nil),
			Want: `{"data":{"attendances":{"edges":[
				{"node":{"workDate":"2026-03-10","needsConfirmation":true,"clockedOutSource":"auto","clockedOutAt":"<any>"}},
				{"node":{"workDate":"2026-03-11","needsConfirmation":false,"clockedOutSource":null,"clockedOutAt":null}}]}}}`},
	})
	nights := s.attendances(t, "dimas@demo.test")
	if len(nights) != 1 || nights[0].WorkDate != "2026-03-10" || !nights[0].ClockedOutAt.Equal(jakarta(32, 30, 0)) || nights[0].NeedsConfirmation {
		t.Errorf("the night became %v, want one attendance dated 2026-03-10 that ends at 08:30", nights)
	}
	closed := s.attendances(t, "budi@demo.test")[2]
	if !closed.NeedsConfirmation || *closed.ClockedOutSource != attendance.ClockedOutSourceAuto || !closed.ClockedOutAt.Equal(jakarta(32, 30, 0)) {
		t.Errorf("the forgotten one became %v, want it closed by rule, no later than the clock-in after it", closed)
	}
}

// attendanceWeekend goes on on Saturday, days later.
func attendanceWeekend(t *testing.T, s *testServer) {
	const saturday = 4 * 24
	s.MoveTo(t, jakarta(saturday+9, 0, 0), "agus", "budi")
	s.saveShift(t, "budi")
	s.Run(t, []apitest.Scenario{
		shiftsToday("agus", "on a day off"),
		{Name: "agus's day off", Path: "/attendance/today", Header: bearer("agus"),
			Want: `{"date":"2026-03-14","timezone":"Asia/Jakarta","status":"none","clockedIn":false,"clockInAt":null,"clockOutAt":null,"workedSeconds":0,"closedSeconds":0,"lateSeconds":0,"earlySeconds":0,"shift":null,"entries":[]}`},
		named(refused(clockIn("agus", "employeeShiftId", ""), 422, "NO_SHIFT", `{}`, "employeeShiftId"), "in for no shift"),
		named(refused(clockIn("agus", "employeeShiftId", "", "latitude", ""), 422, "VALIDATION_FAILED", `{}`, "latitude", "employeeShiftId"), "in for no shift, and without a latitude"),
		named(refused(clockIn("agus", "employeeShiftId", `"abc"`), 404, "NOT_FOUND", `{}`, "employeeShiftId"), "in for what is no shift"),
		clockIn("budi"),
	})
	s.MoveTo(t, jakarta(saturday+9, 45, 0), "budi")
	s.Run(t, []apitest.Scenario{clockOut("budi")})
	o := s.occurrence(t, "budi")
	set := func(change func(*ent.EmployeeShiftUpdateOne) *ent.EmployeeShiftUpdateOne) {
		change(o.Update()).ExecX(viewer.System(t.Context()))
	}
	status := func(want string, worked int) {
		t.Helper()
		day := s.day(t, "budi")
		if day.Status != want || day.Entries[0].Status != want || day.WorkedSeconds != worked {
			t.Errorf("counts as %s, %s, %d seconds; want %s, %d", day.Status, day.Entries[0].Status, day.WorkedSeconds, want, worked)
		}
	}
	status("present", 45*60)
	set(func(u *ent.EmployeeShiftUpdateOne) *ent.EmployeeShiftUpdateOne {
		return u.SetHalfDayBelowMinutes(120).SetAbsentBelowMinutes(60)
	})
	status("absent", 45*60)
	s.MoveTo(t, jakarta(saturday+10, 15, 0), "budi")
	s.Run(t, []apitest.Scenario{named(clockIn("budi"), "in for the second time")})
	status("present", 75*60)
	s.MoveTo(t, jakarta(saturday+10, 30, 0), "budi")
	s.Run(t, []apitest.Scenario{named(clockOut("budi"), "out for the second time")})
	status("half_day", 90*60)
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
func attendanceForgotten(t *testing.T, s *testServer) {
	const saturday, sunday = 4 * 24, 5 * 24
	s.MoveTo(t, jakarta(saturday+11, 0, 0), "budi")
	s.Run(t, []apitest.Scenario{named(clockIn("budi"), "in, and no out")})
	s.MoveTo(t, jakarta(sunday+10, 0, 0), "budi")
	s.Vars["saturday.shift"], s.Vars["saturday.access"] = s.Vars["budi.shift"], s.Vars["budi.access"]
	s.Run(t, []apitest.Scenario{
		named(refused(clockIn("saturday"), 422, "SHIFT_WINDOW_CLOSED",
			`{"clockInFrom":"2026-03-14T00:00:00+07:00","clockInUntil":"2026-03-14T23:59:00+07:00"}`, "employeeShiftId"), "in for the same shift, the day after"),
		{Name: "budi's shifts on Sunday", Path: "/attendance/shiftToday", Header: bearer("budi"), Save: map[string]string{"budi.shift": "/0/employeeShiftId"}},
		named(clockIn("budi", "recordedAt", strconv.Quote(stamp(sunday+1, 0, 0))), "in, recorded before the rule would have closed the forgotten one"),
		named(refused(clockOut("saturday"), 409, "NOT_CLOCKED_IN", `{}`), "out of what was closed by rule"),
	})
	rows := s.attendances(t, "budi@demo.test")
	forgotten := rows[len(rows)-2]
	if !forgotten.NeedsConfirmation || !forgotten.ClockedOutAt.Equal(jakarta(sunday+1, 0, 0)) {
		t.Errorf("the forgotten one became %v, want it to end as the next begins", forgotten)
	}
	s.MoveTo(t, jakarta(sunday+4*24, 0, 0), "budi")
	s.Run(t, []apitest.Scenario{today("budi", "days later, still in", todayWant{
		date: "2026-03-19", status: "none", clockedIn: true, shift: flexibleOn("{{budi.shift}}", 5).entered(true, false)})})
}

// occurrence returns somebody's occurrence that was saved.
func (s *testServer) occurrence(t *testing.T, name string) *ent.EmployeeShift {
	t.Helper()
	id, err := strconv.Atoi(s.Vars[name+".shift"])
	if err != nil {
		t.Fatal(err)
	}
	return s.store.ent.EmployeeShift.GetX(viewer.System(t.Context()), id)
}

// A shownDay is some of an Attendance Today.
type shownDay struct {
	Status        string
	WorkedSeconds int
	Entries       []struct{ Status string }
}

// day asks for somebody's Attendance Today.
func (s *testServer) day(t *testing.T, name string) shownDay {
	t.Helper()
	a, err := s.ask("GET", "/attendance/today", map[string]string{"Authorization": "Bearer " + s.Vars[name+".access"]}, "")
	var day shownDay
	if err != nil || json.Unmarshal([]byte(a.body), &day) != nil || len(day.Entries) == 0 {
		t.Fatalf("%v %v", a, err)
	}
	return day
}
