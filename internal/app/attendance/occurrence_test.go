package attendance

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"workforce/ent"
	"workforce/ent/employeeshift"
)

// TestOccurrencesAreCreatedOnce asks for a day many times at once.
func TestOccurrencesAreCreatedOnce(t *testing.T) {
	w := newWorld(t)
	agus := w.User(t, "Agus")
	w.assign(t, agus, w.addShift(t, "07:00", "19:00", nil))
	w.assign(t, agus, w.addShift(t, "19:00", "07:00", nil))
	ids := func() string {
		shifts, err := w.Work.ShiftsToday(w.on(agus, 7))
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
	if want := 32; len(dates) != want || len(slices.Compact(dates)) != want {
		t.Errorf("created %v, want two shifts on each day from yesterday until in two weeks", dates)
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
	if _, err := w.Work.Today(w.on(agus, 7)); err != nil {
		t.Fatal(err)
	}
	o := w.DB.EmployeeShift.Query().Where(employeeshift.UserID(agus.ID), employeeshift.Date("2026-03-11")).OnlyX(w.System())
	got := fmt.Sprint(o.CompanyID == w.Company.ID, *o.AssignmentID == a.ID, o.ShiftID == s.ID, o.ShiftVersion, o.Name, o.Timezone,
		o.StartAt.UTC().Format(" 02 15:04"), o.EndAt.UTC().Format(" 02 15:04"), o.ClockInFrom.UTC().Format(" 02 15:04"), o.ClockInUntil.UTC().Format(" 02 15:04"),
		o.Breaks, o.BreakSeconds, *o.LateGraceMinutes, *o.EarlyGraceMinutes, o.HalfDayBelowMinutes, o.AbsentBelowMinutes, o.WorkingHours)
	want := fmt.Sprint(true, true, true, 9, "20:00–06:00", "Asia/Makassar", " 11 12:00", " 11 22:00", " 11 11:30", " 11 23:30",
		[]string{"00:00-00:45"}, 2700, 1, 2, 240, 120, employeeshift.WorkingHours("every_valid_pair"))
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
