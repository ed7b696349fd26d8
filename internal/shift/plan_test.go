package shift

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"workforce/internal/errs"
)

var everyDay = []int{1, 2, 3, 4, 5, 6, 7}

// TestPlanOn tests rule SH-09: which of several sources counts on a date.
func TestPlanOn(t *testing.T) {
	daily := func(id, shift int) Assigned {
		return Assigned{id, shift, Assignment{StartsOn: "2026-03-01", Weekdays: everyDay, EveryWeeks: 1}}
	}
	mondays := Assigned{7, 70, Assignment{StartsOn: "2026-03-01", Weekdays: []int{1}, EveryWeeks: 1}}
	fourOnTwoOff := Rotation{StartsOn: "2026-03-09", EndsOn: "2026-03-20", FirstDay: 1, Days: []int{1, 1, 2, 2, 0, 0}}
	tests := []struct {
		name string
		plan Plan
		date Date // 2026-03-09 is a Monday
		want string
	}{
		{"nothing", Plan{}, "2026-03-09", "[]"},
		{"an assignment", Plan{Assignments: []Assigned{daily(1, 10)}}, "2026-03-09", "[{10 1 assignment}]"},
		{"two assignments", Plan{Assignments: []Assigned{daily(1, 10), daily(2, 20)}}, "2026-03-09", "[{10 1 assignment} {20 2 assignment}]"},
		{"a planned day before all", Plan{Days: map[Date][]int{"2026-03-09": {5, 6}}, Assignments: []Assigned{daily(1, 10)}, Fallback: 9}, "2026-03-09",
			"[{5 0 planned_day} {6 0 planned_day}]"},
		{"a day off before all", Plan{Days: map[Date][]int{"2026-03-09": {}}, Assignments: []Assigned{daily(1, 10)}, Fallback: 9}, "2026-03-09", "[]"},
		{"a planned day of another date", Plan{Days: map[Date][]int{"2026-03-10": {5}}, Assignments: []Assigned{daily(1, 10)}}, "2026-03-09", "[{10 1 assignment}]"},
		{"an assignment before a rotation", Plan{Assignments: []Assigned{mondays}, Rotations: []Rotation{fourOnTwoOff}}, "2026-03-09", "[{70 7 assignment}]"},
		{"a rotation where no assignment is", Plan{Assignments: []Assigned{mondays}, Rotations: []Rotation{fourOnTwoOff}}, "2026-03-10", "[{1 0 rotation}]"},
		{"a rotation goes on", Plan{Rotations: []Rotation{fourOnTwoOff}}, "2026-03-15", "[{1 0 rotation}]"},
		{"a day off of a rotation before the fallback", Plan{Rotations: []Rotation{fourOnTwoOff}, Fallback: 9}, "2026-03-13", "[]"},
		{"the last date of a rotation", Plan{Rotations: []Rotation{{StartsOn: "2026-03-09", EndsOn: "2026-03-18", FirstDay: 1, Days: fourOnTwoOff.Days}}, Fallback: 9}, "2026-03-18", "[{2 0 rotation}]"},
		{"after a rotation", Plan{Rotations: []Rotation{fourOnTwoOff}, Fallback: 9}, "2026-03-21", "[{9 0 fallback}]"},
		{"before a rotation", Plan{Rotations: []Rotation{fourOnTwoOff}}, "2026-03-08", "[]"},
		{"a rotation from its third day", Plan{Rotations: []Rotation{{StartsOn: "2026-03-09", FirstDay: 3, Days: []int{1, 2, 3}}}}, "2026-03-10", "[{1 0 rotation}]"},
		{"a rotation without days", Plan{Rotations: []Rotation{{StartsOn: "2026-03-09", FirstDay: 1}}, Fallback: 9}, "2026-03-10", "[{9 0 fallback}]"},
		{"a fallback on a weekly off", Plan{Fallback: 9, WeeklyOffs: []int{6, 7}}, "2026-03-14", "[]"},
		{"a fallback on another day", Plan{Fallback: 9, WeeklyOffs: []int{6, 7}}, "2026-03-13", "[{9 0 fallback}]"},
		{"an assignment on a weekly off", Plan{Assignments: []Assigned{daily(1, 10)}, WeeklyOffs: []int{6, 7}}, "2026-03-14", "[{10 1 assignment}]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.plan.On(tt.date)
			if fmt.Sprint(got) != tt.want {
				t.Errorf("on %s: %v, want %s", tt.date, got, tt.want)
			}
		})
	}
}

// hours gives the occurrences of shifts by id, each from an hour for so long.
func hours(z *time.Location, of map[int][2]Clock) func(int, Date) Occurrence {
	return func(id int, d Date) Occurrence { return Shift{Start: of[id][0], End: of[id][1], Zone: z}.On(d) }
}

// TestOverlap tests rules SH-11 and SH-12 over dates, midnights and changes of clocks.
func TestOverlap(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	of := map[int][2]Clock{
		1: {"08:00", "12:00"}, 2: {"11:00", "15:00"}, 3: {"12:00", "16:00"}, 4: {"15:00", "19:00"},
		5: {"22:00", "02:00"}, 6: {"01:00", "05:00"}, 7: {"20:00", "01:00"}, 8: {"02:15", "02:45"}, 9: {"03:00", "04:00"},
	}
	assign := func(ids ...int) (list []Assigned) {
		for i, id := range ids {
			list = append(list, Assigned{i + 1, id, Assignment{StartsOn: "2026-03-01", Weekdays: everyDay, EveryWeeks: 1}})
		}
		return list
	}
	tests := []struct {
		name string
		plan Plan
		want string // the first two that overlap
	}{
		{"A10 11–15 over 08–12", Plan{Assignments: assign(1, 2)}, "1 2026-03-20, 2 2026-03-20"},
		{"A10 12–16 touches 08–12", Plan{Assignments: assign(1, 3)}, ""},
		{"A10 15–19 over 12–16", Plan{Assignments: assign(1, 3, 4)}, "3 2026-03-20, 4 2026-03-20"},
		{"SH-12 over midnight", Plan{Assignments: assign(5, 6)}, "5 2026-03-20, 6 2026-03-21"},
		{"SH-12 touching after midnight", Plan{Assignments: assign(7, 6)}, ""},
		{"the first day of a pattern after a night", Plan{
			Assignments: []Assigned{{1, 5, Assignment{StartsOn: "2026-03-22", EndsOn: "2026-03-22", Weekdays: everyDay, EveryWeeks: 1}}},
			Rotations:   []Rotation{{StartsOn: "2026-03-23", FirstDay: 1, Days: []int{6}}},
		}, "5 2026-03-22, 6 2026-03-23"},
		// at 02:00 clocks are put forward to 03:00: the first is from 03:15 to 03:45 then
		{"only on the day on which clocks are put forward", Plan{Assignments: assign(8, 9)}, "9 2026-03-29, 8 2026-03-29"},
		{"fortnights that alternate", Plan{Assignments: []Assigned{
			{1, 1, Assignment{StartsOn: "2026-03-16", Weekdays: everyDay, EveryWeeks: 2}}, {2, 2, Assignment{StartsOn: "2026-03-23", Weekdays: everyDay, EveryWeeks: 2}},
		}}, ""},
		{"cycles of three and two weeks meet", Plan{Assignments: []Assigned{
			{1, 1, Assignment{StartsOn: "2026-03-16", Weekdays: everyDay, EveryWeeks: 3}}, {2, 2, Assignment{StartsOn: "2026-03-23", Weekdays: everyDay, EveryWeeks: 2}},
		}}, "1 2026-04-06, 2 2026-04-06"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := tt.plan.Between("2026-03-20", "2026-05-20", hours(berlin, of))
			a, b, found := Overlap(all, func(Planned) bool { return true })
			got := ""
			if found {
				got = fmt.Sprintf("%d %s, %d %s", a.Shift, a.Date, b.Shift, b.Date)
			}
			if got != tt.want {
				t.Errorf("overlap %q, want %q", got, tt.want)
			}
			if _, _, found := Overlap(all, func(Planned) bool { return false }); found {
				t.Error("an overlap that touches nothing")
			}
		})
	}
}

// TestTogether finds several shifts of a date, of assignments alone.
func TestTogether(t *testing.T) {
	all := func(Planned) bool { return true }
	at := func(origin Origin, dates ...Date) (list []Planned) {
		for i, d := range dates {
			list = append(list, Planned{Entry{Shift: i, Origin: origin}, Occurrence{Date: d}})
		}
		return list
	}
	if _, _, found := Together(at(ByAssignment, "2026-03-10", "2026-03-11"), all); found {
		t.Error("two dates")
	}
	if a, b, found := Together(at(ByAssignment, "2026-03-10", "2026-03-11", "2026-03-10"), all); !found || a.Shift != 0 || b.Shift != 2 {
		t.Errorf("got %v and %v, %v", a, b, found)
	}
	if _, _, found := Together(at(ByDay, "2026-03-10", "2026-03-10"), all); found {
		t.Error("planned by hand")
	}
	if _, _, found := Together(at(ByAssignment, "2026-03-10", "2026-03-10"), func(Planned) bool { return false }); found {
		t.Error("touches nothing")
	}
}

// TestOverlapFindsWhatPairsFind compares with every pair.
func TestOverlapFindsWhatPairsFind(t *testing.T) {
	z := zone(t, "Europe/Berlin")
	rapid.Check(t, func(rt *rapid.T) {
		var all []Planned
		for i := range rapid.IntRange(0, 12).Draw(rt, "n") {
			d := today.AddDays(rapid.IntRange(0, 3).Draw(rt, "day"))
			all = append(all, Planned{Entry{Shift: i}, shifts(z).Draw(rt, "shift").On(d)})
		}
		SortPlanned(all)
		touches := rapid.IntRange(0, 12).Draw(rt, "touched")
		touched := func(p Planned) bool { return p.Shift == touches }
		want := false
		for i, a := range all {
			for _, b := range all[i+1:] {
				want = want || a.Overlaps(b.Occurrence) && (touched(a) || touched(b))
			}
		}
		if _, _, got := Overlap(all, touched); got != want {
			rt.Fatalf("found %v, pairs say %v: %v", got, want, all)
		}
	})
}

func TestParseClock(t *testing.T) {
	for text, want := range map[string]bool{
		"00:00": true, "23:59": true, "08:05": true, "24:00": false, "8:05": false, "08:5": false, "08:60": false, "": false, "08:05 ": false, "0a:00": false,
	} {
		if got, ok := ParseClock(text); ok != want || ok && string(got) != text {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}

// TestCheck tests rules SH-03 and SH-04, and breaks.
func TestCheck(t *testing.T) {
	breaks := func(pairs ...Clock) (list []Break) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, Break{pairs[i], pairs[i+1]})
		}
		return list
	}
	tests := []struct {
		name  string
		shift Shift
		want  string
	}{
		{"plain", Shift{Start: "08:00", End: "17:00", Breaks: breaks("12:00", "13:00")}, ""},
		{"SH-03", Shift{Start: "08:00", End: "08:00"}, "endTime same_as"},
		{"SH-04 margins fill the day", Shift{Start: "00:00", End: "23:00", OpensBefore: 30, ClosesAfter: 30}, "closesAfterMinutes out_of_range"},
		{"SH-04 a minute less", Shift{Start: "00:00", End: "23:00", OpensBefore: 30, ClosesAfter: 29}, ""},
		{"SH-04 the first margin alone", Shift{Start: "08:00", End: "07:00", OpensBefore: 60}, "opensBeforeMinutes out_of_range"},
		{"the whole day without margins", Shift{Start: "00:00", End: "23:59"}, ""},
		{"a break before the start", Shift{Start: "08:00", End: "17:00", Breaks: breaks("07:00", "07:30")}, "breaks.0.start not_within"},
		{"a break over the end", Shift{Start: "08:00", End: "17:00", Breaks: breaks("16:30", "17:01")}, "breaks.0.end not_within"},
		{"a break until the end", Shift{Start: "08:00", End: "17:00", Breaks: breaks("16:30", "17:00")}, ""},
		{"a break from the start", Shift{Start: "08:00", End: "17:00", Breaks: breaks("08:00", "08:10")}, ""},
		{"a break backwards", Shift{Start: "08:00", End: "17:00", Breaks: breaks("13:00", "12:00")}, "breaks.0.end not_within"},
		{"a break without length", Shift{Start: "08:00", End: "17:00", Breaks: breaks("12:00", "12:00")}, "breaks.0.end same_as"},
		{"breaks one after the other", Shift{Start: "08:00", End: "17:00", Breaks: breaks("12:00", "13:00", "13:00", "13:10")}, ""},
		{"breaks over each other", Shift{Start: "08:00", End: "17:00", Breaks: breaks("12:00", "13:00", "12:59", "13:10")}, "breaks.1.start crosses"},
		{"a break of a night, after midnight", Shift{Start: "22:00", End: "06:00", Breaks: breaks("01:00", "01:30")}, ""},
		{"a break of a night, by day", Shift{Start: "22:00", End: "06:00", Breaks: breaks("12:00", "12:30")}, "breaks.0.start not_within"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var faults errs.Faults
			tt.shift.Check(&faults)
			var got []string
			for _, f := range faults {
				got = append(got, f.Field+" "+string(f.Reason))
			}
			if s := strings.Join(got, ", "); s != tt.want {
				t.Errorf("faults %q, want %q", s, tt.want)
			}
		})
	}
}

func TestWeekFrom(t *testing.T) {
	for _, tt := range []struct {
		date  Date
		first int
		want  Date
	}{
		{"2011-06-23", 1, "2011-06-20"}, {"2011-04-20", 1, "2011-04-18"}, {"2026-03-15", 7, "2026-03-15"}, {"2026-03-14", 7, "2026-03-08"}, {"2026-03-09", 2, "2026-03-03"},
	} {
		if got := tt.date.WeekFrom(tt.first); got != tt.want {
			t.Errorf("%s from %d: %s, want %s", tt.date, tt.first, got, tt.want)
		}
	}
}

// TestSkippedByClocks leaves out the occurrence of a date on which the clocks skip all of
// a shift, and no other.
func TestSkippedByClocks(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	for name, tt := range map[string]struct {
		hours [2]Clock
		want  string
	}{
		"all of it":        {[2]Clock{"02:00", "03:00"}, "2026-03-28 2026-03-30"},
		"the end":          {[2]Clock{"02:30", "03:00"}, "2026-03-28 2026-03-30"},
		"both put forward": {[2]Clock{"02:15", "02:45"}, "2026-03-28 2026-03-29 2026-03-30"},
		"a part":           {[2]Clock{"02:00", "03:01"}, "2026-03-28 2026-03-29 2026-03-30"},
	} {
		var dates []string
		p := Plan{Fallback: 1}
		for _, o := range p.Between("2026-03-28", "2026-03-30", hours(berlin, map[int][2]Clock{1: tt.hours})) {
			dates = append(dates, string(o.Date))
		}
		if got := strings.Join(dates, " "); got != tt.want {
			t.Errorf("%s: on %s, want %s", name, got, tt.want)
		}
	}
}

// TestDayOff tests rule LV-06: where something plans for a date, shifts decide, else weekly offs.
func TestDayOff(t *testing.T) {
	weekdays := Assigned{1, 10, Assignment{
		StartsOn: "2026-03-09", EndsOn: "2026-03-29", Weekdays: []int{1, 2, 3, 4, 5}, EveryWeeks: 1,
	}}
	everyOther := Assigned{1, 10, Assignment{StartsOn: "2026-03-09", Weekdays: everyDay, EveryWeeks: 2}}
	rotation := Rotation{StartsOn: "2026-03-09", EndsOn: "2026-03-20", FirstDay: 1, Days: []int{1, 0}}
	tests := []struct {
		name      string
		plan      Plan
		date      Date // 2026-03-14 is a Saturday
		weeklyOff bool
		want      bool
	}{
		{"no plan", Plan{}, "2026-03-13", false, false},
		{"no plan, a weekly off", Plan{}, "2026-03-14", true, true},
		{"a shift", Plan{Assignments: []Assigned{weekdays}}, "2026-03-13", false, false},
		{"a shift on a weekly off", Plan{Assignments: []Assigned{weekdays}}, "2026-03-13", true, false},
		{"a weekday without a shift", Plan{Assignments: []Assigned{weekdays}}, "2026-03-14", false, true},
		{"before the assignment", Plan{Assignments: []Assigned{weekdays}}, "2026-03-08", false, false},
		{"after the assignment", Plan{Assignments: []Assigned{weekdays}}, "2026-04-04", false, false},
		{"after the assignment, a weekly off", Plan{Assignments: []Assigned{weekdays}}, "2026-04-04", true, true},
		{"the week between", Plan{Assignments: []Assigned{everyOther}}, "2026-03-18", false, true},
		{"a rotation's shift", Plan{Rotations: []Rotation{rotation}}, "2026-03-09", true, false},
		{"a rotation's day off", Plan{Rotations: []Rotation{rotation}}, "2026-03-10", false, true},
		{"after the rotation", Plan{Rotations: []Rotation{rotation}}, "2026-03-21", false, false},
		{"a planned day", Plan{Days: map[Date][]int{"2026-03-14": {5}}}, "2026-03-14", true, false},
		{"a planned day off", Plan{Days: map[Date][]int{"2026-03-13": {}}}, "2026-03-13", false, true},
		{"the day beside it", Plan{Days: map[Date][]int{"2026-03-13": {}}}, "2026-03-12", false, false},
		{"a fallback", Plan{Fallback: 9, WeeklyOffs: []int{6}}, "2026-03-13", false, false},
		{"a fallback on its weekly off", Plan{Fallback: 9, WeeklyOffs: []int{6}}, "2026-03-14", false, true},
	}
	for _, tt := range tests {
		if got := tt.plan.DayOff(tt.date, tt.weeklyOff); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}
