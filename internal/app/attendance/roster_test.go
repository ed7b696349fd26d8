package attendance

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/internal/shift"
)

// everyDay is an assignment that covers each day.
func everyDay(id int, start, end string) *ent.ShiftAssignment {
	a := &ent.ShiftAssignment{ID: id, StartsOn: "2026-01-01", Weekdays: []int{1, 2, 3, 4, 5, 6, 7}, EveryWeeks: 1}
	a.Edges.Shift = &ent.Shift{StartTime: start, EndTime: end, OpensBeforeMinutes: 60, ClosesAfterMinutes: 60}
	a.Edges.Company = &ent.Company{Timezone: "Asia/Jakarta"}
	return a
}

// TestPlan clips the windows of a person's occurrences: a clock-in is for one of
// them, but in the minute in which one ends and the next begins.
func TestPlan(t *testing.T) {
	day, night := everyDay(1, "07:00", "19:00"), everyDay(2, "19:00", "07:00")
	early, late := everyDay(3, "08:00", "12:00"), everyDay(4, "12:30", "16:30")
	tests := []struct {
		name        string
		assignments []*ent.ShiftAssignment
		at, want    string // the occurrences that are open, in order
	}{
		{"a minute before", []*ent.ShiftAssignment{day, night}, "06:59:59", "2026-03-10 19:00"},
		{"07:00 is the night's, then the day's", []*ent.ShiftAssignment{day, night}, "07:00", "2026-03-10 19:00, 2026-03-11 07:00"},
		{"07:01 is the day's", []*ent.ShiftAssignment{day, night}, "07:01", "2026-03-11 07:00"},
		{"18:59 is the day's", []*ent.ShiftAssignment{night, day}, "18:59:59", "2026-03-11 07:00"},
		{"19:00 is the day's, then the night's", []*ent.ShiftAssignment{night, day}, "19:00", "2026-03-11 07:00, 2026-03-11 19:00"},
		{"19:01 is the night's", []*ent.ShiftAssignment{night, day}, "19:01", "2026-03-11 19:00"},
		{"windows that would overlap", []*ent.ShiftAssignment{late, early}, "11:59", "2026-03-11 08:00"},
		{"in the gap", []*ent.ShiftAssignment{late, early}, "12:01", "2026-03-11 12:30"},
		{"one alone keeps its margins", []*ent.ShiftAssignment{early}, "13:00:59", "2026-03-11 08:00"},
		{"shifts at the same time keep theirs", []*ent.ShiftAssignment{early, everyDay(5, "11:00", "15:00")}, "10:00", "2026-03-11 08:00, 2026-03-11 11:00"},
	}
	for _, tt := range tests {
		planned, err := plan(tt.assignments, "2026-03-11")
		if err != nil {
			t.Fatal(err)
		}
		if len(planned) != 5*len(tt.assignments) {
			t.Errorf("%s: %d occurrences, want those of five days", tt.name, len(planned))
		}
		var open []string
		for _, p := range planned {
			if p.occurrence.Open(jakarta(tt.at)) {
				open = append(open, string(p.occurrence.Date)+p.occurrence.StartAt.Format(" 15:04"))
			}
		}
		if got := strings.Join(open, ", "); got != tt.want {
			t.Errorf("%s: open %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestPlanOnItsDaysAlone(t *testing.T) {
	a := everyDay(1, "08:00", "17:00")
	a.StartsOn, a.EndsOn, a.Weekdays = "2026-03-10", ptr("2026-03-12"), []int{2, 4, 5} // Tuesday, Thursday, Friday
	planned, err := plan([]*ent.ShiftAssignment{a}, "2026-03-11")
	if err != nil || len(planned) != 2 || planned[0].occurrence.Date != "2026-03-10" || planned[1].occurrence.Date != "2026-03-12" {
		t.Errorf("planned %v, %v", planned, err)
	}
	a.Edges.Shift.Timezone = ptr("Asia/Nowhere")
	if _, err := plan([]*ent.ShiftAssignment{a}, "2026-03-11"); err == nil || !strings.Contains(err.Error(), "shift 0: ") {
		t.Errorf("unknown zone: %v", err)
	}
}

func TestMissingDates(t *testing.T) {
	daily := shift.Assignment{StartsOn: "2026-01-01", Weekdays: []int{1, 2, 3, 4, 5, 6, 7}, EveryWeeks: 1}
	have := func(assignment int, date string) *ent.EmployeeShift {
		return &ent.EmployeeShift{AssignmentID: assignment, Date: date}
	}
	tests := []struct {
		name string
		zone string
		have []*ent.EmployeeShift
		want string
	}{
		{"none yet", "Asia/Jakarta", nil, "[2026-03-10 2026-03-11 2026-03-12]"},
		{"by the date in its zone", "Pacific/Honolulu", nil, "[2026-03-09 2026-03-10 2026-03-11]"},
		{"some", "Asia/Jakarta", []*ent.EmployeeShift{have(1, "2026-03-10"), have(2, "2026-03-11"), have(1, "2026-03-12")}, "[2026-03-11]"},
		{"all", "Asia/Jakarta", []*ent.EmployeeShift{have(1, "2026-03-10"), have(1, "2026-03-11"), have(1, "2026-03-12")}, "[]"},
	}
	for _, tt := range tests {
		missing, err := missingDates(jakarta("10:00"), []assignment{{1, daily, tt.zone}}, tt.have)
		if got := fmt.Sprint(missing[1]); err != nil || got != tt.want {
			t.Errorf("%s: %s, %v; want %s", tt.name, got, err, tt.want)
		}
	}
}

// TestOccurrencesAreCreatedOnce asks for a day many times at once.
func TestOccurrencesAreCreatedOnce(t *testing.T) {
	w := newWorld(t)
	agus := w.User(t, "Agus")
	w.assign(t, agus, w.addShift(t, "07:00", "19:00", nil))
	w.assign(t, agus, w.addShift(t, "19:00", "07:00", nil))
	ids := func() string {
		shifts, err := w.ShiftsToday(w.on(agus, 7))
		if err != nil {
			return err.Error()
		}
		var list []string
		for _, s := range shifts {
			list = append(list, fmt.Sprint(s.EmployeeShiftID, " ", s.Name, s.ClockInFrom.Format(" 15:04"), s.ClockInUntil.Format("-15:04")))
		}
		return strings.Join(list, ", ")
	}
	var group sync.WaitGroup
	answers := make([]string, 20)
	for i := range answers {
		group.Go(func() { answers[i] = ids() })
	}
	group.Wait()
	for _, a := range append(answers, ids()) {
		if a != answers[0] || strings.Count(a, "07:00–19:00 07:00-19:00") != 1 || strings.Count(a, "19:00–07:00 19:00-07:00") != 1 {
			t.Fatalf("got %q and %q, want the day and the night, clipped", a, answers[0])
		}
	}
	var dates []string
	for _, o := range w.DB.EmployeeShift.Query().Where(employeeshift.UserID(agus.ID)).AllX(w.System()) {
		dates = append(dates, o.Date+" "+o.Name)
	}
	slices.Sort(dates)
	if want := 6; len(dates) != want || len(slices.Compact(dates)) != want {
		t.Errorf("created %v, want two shifts on three days", dates)
	}
}

// TestOccurrenceCopiesItsShift compares every column with the shift's.
func TestOccurrenceCopiesItsShift(t *testing.T) {
	w := newWorld(t)
	s := w.addShift(t, "20:00", "06:00", func(s *ent.ShiftCreate) {
		s.SetTimezone("Asia/Makassar").SetOpensBeforeMinutes(30).SetClosesAfterMinutes(90).SetLateGraceMinutes(1).SetEarlyGraceMinutes(2).
			SetHalfDayBelowMinutes(240).SetAbsentBelowMinutes(120).SetBreaks([]string{"00:00-00:45"}).SetWorkingHours("every_valid_pair").SetVersion(9)
	})
	agus := w.User(t, "Agus")
	a := w.assign(t, agus, s)
	if _, err := w.Today(w.on(agus, 7)); err != nil {
		t.Fatal(err)
	}
	o := w.DB.EmployeeShift.Query().Where(employeeshift.UserID(agus.ID), employeeshift.Date("2026-03-11")).OnlyX(w.System())
	got := fmt.Sprint(o.CompanyID == w.Company.ID, o.AssignmentID == a.ID, o.ShiftID == s.ID, o.ShiftVersion, o.Name, o.Timezone,
		o.StartAt.UTC().Format(" 02 15:04"), o.EndAt.UTC().Format(" 02 15:04"), o.ClockInFrom.UTC().Format(" 02 15:04"), o.ClockInUntil.UTC().Format(" 02 15:04"),
		o.Breaks, o.BreakSeconds, *o.LateGraceMinutes, *o.EarlyGraceMinutes, o.HalfDayBelowMinutes, o.AbsentBelowMinutes, o.WorkingHours)
	want := fmt.Sprint(true, true, true, 9, "20:00–06:00", "Asia/Makassar", " 11 12:00", " 11 22:00", " 11 11:30", " 11 23:30",
		[]string{"00:00-00:45"}, 2700, 1, 2, 240, 120, employeeshift.WorkingHours("every_valid_pair"))
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
