package shift

import (
	"testing"
	"time"

	"workforce/internal/errs"
)

func TestValidate(t *testing.T) {
	day := Shift{Start: "08:00", End: "17:00", Zone: time.UTC, OpensBefore: 60, ClosesAfter: 60}
	night := Shift{Start: "22:00", End: "06:00", Zone: time.UTC, OpensBefore: 60, ClosesAfter: 60}
	with := func(s Shift, breaks ...Break) Shift { s.Breaks = breaks; return s }
	margins := func(s Shift, before, after int) Shift { s.OpensBefore, s.ClosesAfter = before, after; return s }
	times := func(start, end Clock) Shift { return Shift{Start: start, End: end, Zone: time.UTC} }
	tests := []struct {
		name   string
		s      Shift
		fields []string // of the faults; none: valid
	}{
		{"day", day, nil},
		{"SH-02 night", night, nil},
		{"whole day", times("00:00", "23:59"), nil},
		{"break", with(day, Break{"12:00", "13:00"}), nil},
		{"two breaks, listed backwards", with(day, Break{"15:00", "15:15"}, Break{"12:00", "13:00"}), nil},
		{"touching breaks", with(day, Break{"12:00", "12:30"}, Break{"12:30", "13:00"}), nil},
		{"break after midnight", with(night, Break{"01:00", "01:30"}), nil},
		{"break across midnight", with(night, Break{"23:45", "00:15"}), nil},
		{"break at the start", with(day, Break{"08:00", "08:15"}), nil},
		{"break until the end", with(day, Break{"16:45", "17:00"}), nil},
		{"SH-04 a minute short of a day", margins(day, 449, 450), nil},

		{"zero value", Shift{}, []string{"startTime", "endTime", "timezone"}},
		{"SH-03 start is end", times("08:00", "08:00"), []string{"endTime"}},
		{"SH-04 a whole day", margins(day, 450, 450), []string{"closesAfterMinutes"}},
		{"SH-04 by the first margin alone", margins(day, 900, 0), []string{"opensBeforeMinutes"}},
		{"SH-04 whole-day shift with a margin", margins(times("00:00", "23:59"), 0, 1), []string{"closesAfterMinutes"}},
		{"negative margins", margins(day, -1, -1), []string{"opensBeforeMinutes", "closesAfterMinutes"}},
		{"huge margins", margins(day, 1<<62, 1<<62), []string{"opensBeforeMinutes", "closesAfterMinutes"}},
		{"24:00", times("08:00", "24:00"), []string{"endTime"}},
		{"seconds", times("08:00:00", "17:00"), []string{"startTime"}},
		{"one digit", times("8:00", "17:00"), []string{"startTime"}},
		{"sixty minutes", times("08:60", "17:00"), []string{"startTime"}},
		{"break before the shift", with(day, Break{"07:00", "07:30"}), []string{"breaks[0]"}},
		{"break over the start", with(day, Break{"07:45", "08:15"}), []string{"breaks[0]"}},
		{"break over the end", with(day, Break{"16:45", "17:15"}), []string{"breaks[0]"}},
		{"empty break", with(day, Break{"12:00", "12:00"}), []string{"breaks[0]"}},
		{"break backwards", with(day, Break{"13:00", "12:00"}), []string{"breaks[0]"}},
		{"breaks overlap", with(day, Break{"12:00", "13:00"}, Break{"12:59", "13:30"}), []string{"breaks[1]"}},
		{"break malformed", with(day, Break{"12:00", "13:00"}, Break{"noon", "13"}), []string{"breaks[1].start", "breaks[1].end"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { wantFaults(t, tt.s.Validate(), tt.fields) })
	}
}

// wantFaults compares the members that an error names.
func wantFaults(t *testing.T, err error, fields []string) {
	t.Helper()
	if err == nil && len(fields) == 0 {
		return
	}
	e := errs.As(err)
	if err == nil || e.Code != errs.Invalid || len(e.Faults) != len(fields) {
		t.Fatalf("got %v, want faults of %v", err, fields)
	}
	for i, f := range e.Faults {
		if f.Field != fields[i] {
			t.Errorf("fault %d is of %s, want %s", i, f.Field, fields[i])
		}
	}
}

func TestValidateTellsTheBounds(t *testing.T) {
	s := Shift{Start: "22:00", End: "22:00", Zone: time.UTC}
	if m := errs.As(s.Validate()).Faults[0].Meta; m["min"] != Clock("22:01") || m["max"] != Clock("21:59") {
		t.Errorf("endTime must lie between %v and %v, want 22:01 and 21:59", m["min"], m["max"])
	}
	s.End, s.OpensBefore, s.ClosesAfter = "06:00", 60, 900
	if m := errs.As(s.Validate()).Faults[0].Meta; m["max"] != 899 {
		t.Errorf("closesAfterMinutes may be %v, want 899", m["max"])
	}
}
