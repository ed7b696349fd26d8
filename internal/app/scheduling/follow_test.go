package scheduling

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/internal/shift"
)

// jakarta reads a time of March 2026 in Jakarta, 02 15:04.
func jakarta(t *testing.T, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", "2026-03-"+text, shift.ZoneNamed("Asia/Jakarta"))
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// table is a company in Jakarta. Its shifts have margins of an hour; the first has begun
// an hour earlier since the 14th.
func table() *Timetable {
	made := func(id int, name, start, end string) *ent.Shift {
		return &ent.Shift{ID: id, Name: name, StartTime: start, EndTime: end, OpensBeforeMinutes: 60, ClosesAfterMinutes: 60,
			Version: 1, AppliesFrom: "0001-01-01", WorkingHours: "first_last"}
	}
	t := &Timetable{Company: "Asia/Jakarta", Shifts: map[int]*ent.Shift{}, former: map[int][]Version{}, known: map[Timed]shift.Occurrence{}}
	for _, s := range []*ent.Shift{made(1, "day", "08:00", "17:00"), made(2, "evening", "17:00", "23:00"), made(3, "night", "22:00", "09:30"), made(4, "edited", "07:00", "12:00"), made(5, "other night", "21:00", "10:00")} {
		t.Shifts[s.ID] = s
	}
	before := Present(t.Shifts[4])
	before.Start = "08:00"
	t.former[4] = []Version{before}
	t.Shifts[4].Version, t.Shifts[4].AppliesFrom = 2, "2026-03-14"
	return t
}

// every plans a shift for every day.
func every(shifts ...int) shift.Plan {
	p := shift.Plan{}
	for i, id := range shifts {
		p.Assignments = append(p.Assignments, shift.Assigned{ID: i + 1, Shift: id, Assignment: shift.Assignment{
			StartsOn: "2026-03-01", Weekdays: []int{1, 2, 3, 4, 5, 6, 7}, EveryWeeks: 1,
		}})
	}
	return p
}

// storedAs returns an occurrence that was made when the plan had a shift.
func storedAs(t *Timetable, id int, d shift.Date, change ...func(*Stored)) Stored {
	o := t.At("")(id, d)
	s := t.Shifts[id]
	v := t.Version(id, d)
	row := Stored{EmployeeShift: &ent.EmployeeShift{
		ID: int(d[9]-'0') + 10*int(d[8]-'0') + 100*id, ShiftID: id, ShiftVersion: v.Number, Name: s.Name, Date: string(d), Timezone: o.StartAt.Location().String(),
		StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil, AssignmentID: new(1),
		Origin: employeeshift.OriginAssignment,
	}}
	for _, c := range change {
		c(&row)
	}
	return row
}

func attended(s *Stored) { s.Attended = true }

func named(s *Stored) { s.Named = true }

// TestFollow compares what is written and removed, from the 10th to the 13th, at 10:00 on
// the 11th.
func TestFollow(t *testing.T) {
	tt := table()
	moved := func(s *Stored) { s.StartAt = s.StartAt.Add(time.Hour) }
	for _, c := range []struct {
		name   string
		plan   shift.Plan
		stored []Stored
		want   string
	}{
		{"nothing is made for what is over", every(1), nil, "11 day 07:00-18:00, 12 day 07:00-18:00, 13 day 07:00-18:00; drop []"},
		{"a night that goes on", every(3), nil, "10 night 21:00-10:30, 11 night 21:00-10:30, 12 night 21:00-10:30, 13 night 21:00-10:30; drop []"},
		{"made already", every(1), []Stored{storedAs(tt, 1, "2026-03-11"), storedAs(tt, 1, "2026-03-12"), storedAs(tt, 1, "2026-03-13")}, "; drop []"},
		{"at other times", every(1), []Stored{storedAs(tt, 1, "2026-03-11", moved), storedAs(tt, 1, "2026-03-12"), storedAs(tt, 1, "2026-03-13", moved)},
			"11 day 07:00-18:00, 13 day 07:00-18:00; drop []"},
		{"SH-05 attended ones stay", every(1), []Stored{storedAs(tt, 1, "2026-03-11", moved, attended), storedAs(tt, 1, "2026-03-12", moved, attended), storedAs(tt, 1, "2026-03-13")}, "; drop []"},
		{"of another name, version, assignment, origin or zone", every(1), []Stored{
			storedAs(tt, 1, "2026-03-11", func(s *Stored) { s.Name = "Day" }), storedAs(tt, 1, "2026-03-12", func(s *Stored) { s.ShiftVersion = 2 }),
			storedAs(tt, 1, "2026-03-13", func(s *Stored) { s.AssignmentID = new(7) })},
			"11 day 07:00-18:00, 12 day 07:00-18:00, 13 day 07:00-18:00; drop []"},
		{"of another origin, zone or window", every(1), []Stored{
			storedAs(tt, 1, "2026-03-11", func(s *Stored) { s.Origin = employeeshift.OriginFallback }), storedAs(tt, 1, "2026-03-12", func(s *Stored) { s.Timezone = "Asia/Makassar" }),
			storedAs(tt, 1, "2026-03-13", func(s *Stored) { s.ClockInFrom = s.ClockInFrom.Add(time.Minute) })},
			"11 day 07:00-18:00, 12 day 07:00-18:00, 13 day 07:00-18:00; drop []"},
		{"what is not planned any more goes, but past and attended ones", shift.Plan{}, []Stored{
			storedAs(tt, 1, "2026-03-10"), storedAs(tt, 1, "2026-03-11", attended), storedAs(tt, 1, "2026-03-12"), storedAs(tt, 1, "2026-03-13")}, "; drop [112 113]"},
		{"what is not planned any more stays where a correction names it", every(2), []Stored{storedAs(tt, 1, "2026-03-11", named), storedAs(tt, 1, "2026-03-12")},
			"11 evening 17:00-00:00, 12 evening 16:00-00:00, 13 evening 16:00-00:00; drop [112]"},
		{"what is planned follows, whatever names it", every(1), []Stored{storedAs(tt, 1, "2026-03-11", moved, named), storedAs(tt, 1, "2026-03-12"), storedAs(tt, 1, "2026-03-13")},
			"11 day 07:00-18:00; drop []"},
		{"beyond the dates nothing is touched", shift.Plan{}, []Stored{storedAs(tt, 1, "2026-03-09"), storedAs(tt, 1, "2026-03-14")}, "; drop []"},
		{"SH-07 windows are clipped by neighbours", every(1, 2), nil,
			"11 day 07:00-17:00, 11 evening 17:00-00:00, 12 day 07:00-17:00, 12 evening 17:00-00:00, 13 day 07:00-17:00, 13 evening 17:00-00:00; drop []"},
		{"by an attended one, whose own stays", every(2), []Stored{storedAs(tt, 1, "2026-03-11", attended)},
			"11 evening 17:00-00:00, 12 evening 16:00-00:00, 13 evening 16:00-00:00; drop []"},
		{"a past night over one that was worked", every(5), []Stored{storedAs(tt, 3, "2026-03-10", attended)},
			"11 other night 20:00-11:00, 12 other night 20:00-11:00, 13 other night 20:00-11:00; drop []"},
		{"SH-05 each version from its date on", every(4), nil, "11 edited 07:00-13:00, 12 edited 07:00-13:00, 13 edited 07:00-13:00; drop []"},
	} {
		write, drop := Follow(&Person{ID: 1, Plan: c.plan}, tt, c.stored, "2026-03-10", "2026-03-13", jakarta(t, "11 10:00"))
		if got := fmt.Sprintf("%s; drop %v", listed(tt, write), drop); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// listed formats planned occurrences, each as its date, shift and window.
func listed(t *Timetable, all []shift.Planned) string {
	var list []string
	for _, o := range all {
		list = append(list, fmt.Sprint(o.Date[8:], " ", t.Shifts[o.Shift].Name, " ", o.ClockInFrom.Format("15:04"), o.ClockInUntil.Format("-15:04")))
	}
	return strings.Join(list, ", ")
}

// TestMissing finds what a past date lacks, clipped by what there is.
func TestMissing(t *testing.T) {
	tt := table()
	moved := func(s *Stored) { s.EndAt = s.EndAt.Add(time.Hour) }
	for _, c := range []struct {
		name   string
		plan   shift.Plan
		stored []Stored
		want   string
	}{
		{"all", every(1), nil, "10 day 07:00-18:00"},
		{"nothing", every(1), []Stored{storedAs(tt, 1, "2026-03-10", moved)}, ""},
		{"of another date", every(1), []Stored{storedAs(tt, 1, "2026-03-09"), storedAs(tt, 1, "2026-03-11")}, "10 day 07:00-18:00"},
		{"the evening", every(1, 2), []Stored{storedAs(tt, 1, "2026-03-10")}, "10 evening 17:00-00:00"},
		{"the evening after a longer day", every(1, 2), []Stored{storedAs(tt, 1, "2026-03-10", func(s *Stored) { s.EndAt = s.EndAt.Add(-30 * time.Minute) })}, "10 evening 16:30-00:00"},
		{"after the night before", every(4), []Stored{storedAs(tt, 3, "2026-03-09", func(s *Stored) { s.EndAt = jakarta(t, "10 07:30") })}, "10 edited 07:30-13:00"},
	} {
		rows := Missing(&Person{ID: 1, Plan: c.plan}, tt, c.stored, "2026-03-10")
		if got := listed(tt, rows); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// TestFollowInTheMorning makes the night of yesterday until its window is over, and clips
// today's by it even then.
func TestFollowInTheMorning(t *testing.T) {
	tt := table()
	tt.Shifts[1].StartTime = "09:30"
	for at, want := range map[string]string{
		"11 10:30": "10 night 21:00-09:30, 11 day 09:30-18:00, 11 night 21:00-09:30",
		"11 10:31": "11 day 09:30-18:00, 11 night 21:00-09:30",
		"11 00:00": "10 night 21:00-09:30, 11 day 09:30-18:00, 11 night 21:00-09:30",
	} {
		p := &Person{ID: 1, Plan: every(1, 3)}
		write, _ := Follow(p, tt, nil, "2026-03-10", "2026-03-11", jakarta(t, at))
		if got := listed(tt, write); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", at, got, want)
		}
	}
	write, _ := Follow(&Person{ID: 1, Plan: every(3)}, tt, nil, "2026-03-11", "2026-03-11", jakarta(t, "11 09:00"))
	if got := listed(tt, write); got != "11 night 21:00-10:30" {
		t.Errorf("from the 11th on: %s", got)
	}
}

// TestClashesOfMany looks at people with the same shifts once, whichever assignments give
// them, and apart at those who get another one.
func TestClashesOfMany(t *testing.T) {
	c := &Clashes{People: map[int]*Person{}, Table: table(), from: "2026-03-11", several: true, known: map[string]*clash{}}
	for id := range 4 {
		p := &Person{ID: id, Plan: every(1, 2)}
		for i := range p.Plan.Assignments {
			p.Plan.Assignments[i].ID += 10 * id
		}
		if id == 3 {
			p.Plan.Assignments[1].ID = 0
		}
		c.People[id] = p
		if err := c.Of(id, "field", func(shift.Planned) bool { return true }); err != nil {
			t.Error(id, err)
		}
	}
	if len(c.known) != 2 {
		t.Errorf("looked %d times, want twice", len(c.known))
	}
}

// TestTimetable reads each version from its date on, in the zone of the shift, else of the
// work site, else of the company (rule SH-18).
func TestTimetable(t *testing.T) {
	tt := table()
	tokyo := "Asia/Tokyo"
	tt.Shifts[2].Timezone = &tokyo
	wrong := "Atlantis/Capital"
	tt.Shifts[3].Timezone = &wrong
	for _, c := range []struct {
		name  string
		id    int
		date  shift.Date
		site  string
		start string
	}{
		{"the company's zone", 1, "2026-03-11", "", "2026-03-11T08:00:00+07:00"},
		{"the site's", 1, "2026-03-11", "Asia/Makassar", "2026-03-11T08:00:00+08:00"},
		{"the shift's", 2, "2026-03-11", "Asia/Makassar", "2026-03-11T17:00:00+09:00"},
		{"the site's for one that is not known any more", 3, "2026-03-11", "Asia/Makassar", "2026-03-11T22:00:00+08:00"},
		{"the company's for both", 3, "2026-03-11", "Atlantis/Harbour", "2026-03-11T22:00:00+07:00"},
		{"the former version", 4, "2026-03-13", "", "2026-03-13T08:00:00+07:00"},
		{"the present one", 4, "2026-03-14", "", "2026-03-14T07:00:00+07:00"},
	} {
		if got := tt.At(c.site)(c.id, c.date).StartAt.Format(time.RFC3339); got != c.start {
			t.Errorf("%s: %s, want %s", c.name, got, c.start)
		}
	}
	tt.Shifts[1].BreakMinutes, tt.Shifts[1].Breaks = 15, []string{"12:00-13:00"}
	if got := tt.At("")(1, "2026-03-20").BreakSeconds; got != 75*60 {
		t.Errorf("breaks of %d s, want an hour and a quarter", got)
	}
}

// TestSpans looks for clashes from the day on which a shift gets other hours, in years.
func TestSpans(t *testing.T) {
	c := &Clashes{from: "2026-03-11", Table: &Timetable{Shifts: map[int]*ent.Shift{1: {AppliesFrom: "2030-01-01"}}}}
	var starts []shift.Date
	for _, span := range c.spans(&Person{}) {
		starts = append(starts, span[0])
	}
	if want := []shift.Date{"2026-03-11", "2030-01-01"}; !slices.Equal(starts, want) {
		t.Errorf("from %v, want %v", starts, want)
	}
}

// TestColumns stores all that an occurrence has.
func TestColumns(t *testing.T) {
	got, want := slices.Sorted(slices.Values(Columns)), slices.Sorted(slices.Values(employeeshift.Columns))
	want = slices.DeleteFunc(want, func(c string) bool { return c == employeeshift.FieldID })
	if !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	if n := len(AppendCells(nil, &ent.EmployeeShift{})); n != len(Columns) {
		t.Errorf("%d cells of %d columns", n, len(Columns))
	}
}
