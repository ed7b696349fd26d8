package timesheet

import (
	"testing"
	"time"

	"workforce/internal/shift"
)

// at returns a time of day on 2026-03-10, hours beyond 24 on the next.
func at(hour, minute int) time.Time {
	return time.Date(2026, 3, 10, hour, minute, 0, 0, time.UTC)
}

func span(from, to int) shift.Interval { return shift.Interval{Start: at(from, 0), End: at(to, 0)} }

func TestWorked(t *testing.T) {
	lunch := []shift.Interval{span(12, 13)}
	tests := []struct {
		name           string
		worked, breaks []shift.Interval
		want           time.Duration
	}{
		{"nothing", nil, lunch, 0},
		{"over lunch (A55)", []shift.Interval{span(9, 18)}, lunch, 8 * time.Hour},
		{"no lunch (A56)", []shift.Interval{span(9, 18)}, nil, 9 * time.Hour},
		{"around lunch", []shift.Interval{span(8, 12), span(13, 17)}, lunch, 8 * time.Hour},
		{"in lunch alone", []shift.Interval{span(12, 13)}, lunch, 0},
		{"overlapping breaks count once", []shift.Interval{span(8, 17)}, []shift.Interval{span(12, 14), span(13, 15)}, 6 * time.Hour},
		{"end before start", []shift.Interval{span(17, 8)}, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sum(Subtract(tt.worked, tt.breaks)); got != tt.want {
				t.Errorf("worked %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSpan(t *testing.T) {
	tests := []struct {
		name   string
		worked []shift.Interval
		want   time.Duration
	}{
		{"nothing", nil, 0},
		{"one interval", []shift.Interval{span(8, 12)}, 4 * time.Hour},
		{"gaps count (A27)", []shift.Interval{span(8, 10), span(10, 13), span(15, 17)}, 9 * time.Hour},
		{"in any order", []shift.Interval{span(15, 17), span(8, 10)}, 9 * time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sum(Span(tt.worked)); got != tt.want {
				t.Errorf("span lasts %v, want %v", got, tt.want)
			}
		})
	}
}

func TestVerdictOf(t *testing.T) {
	tests := []struct {
		name         string
		worked       time.Duration
		half, absent int
		want         Status
	}{
		{"no thresholds", 0, 0, 0, Present},
		{"half day (A16)", 90 * time.Minute, 120, 0, HalfDay},
		{"absent (A17)", 90 * time.Minute, 0, 120, Absent},
		{"between both (A18)", 90 * time.Minute, 120, 60, HalfDay},
		{"below both (A18)", 45 * time.Minute, 120, 60, Absent},
		{"at the threshold", 120 * time.Minute, 120, 60, Present},
		{"a second below", 120*time.Minute - time.Second, 120, 60, HalfDay},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := VerdictOf(tt.worked, minutes(tt.half), minutes(tt.absent)); got != tt.want {
				t.Errorf("VerdictOf = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestLateAndEarly(t *testing.T) {
	sixty, none := 60, 0
	tests := []struct {
		name  string
		by    time.Duration
		grace *int
		want  time.Duration
	}{
		{"on time", 0, &none, 0},
		{"one second, no grace", time.Second, &none, time.Second},
		{"within the grace", 60 * time.Minute, &sixty, 0},
		{"beyond the grace, all of it counts (A15)", 90 * time.Minute, &sixty, 90 * time.Minute},
		{"no grace", 5 * time.Hour, nil, 0},
		{"the other way", -time.Hour, &none, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Late(at(8, 0), at(8, 0).Add(tt.by), tt.grace); got != tt.want {
				t.Errorf("Late = %v, want %v", got, tt.want)
			}
			if got := Early(at(17, 0), at(17, 0).Add(-tt.by), tt.grace); got != tt.want {
				t.Errorf("Early = %v, want %v", got, tt.want)
			}
		})
	}
}
