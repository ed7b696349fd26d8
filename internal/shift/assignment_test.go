package shift

import "testing"

func TestCovers(t *testing.T) {
	everyDay := []int{1, 2, 3, 4, 5, 6, 7}
	week := Assignment{StartsOn: "2026-03-10", Weekdays: everyDay, EveryWeeks: 1} // a Tuesday
	until := week
	until.EndsOn = "2026-03-25"
	fortnightly := Assignment{StartsOn: "2026-03-12", Weekdays: []int{1, 4}, EveryWeeks: 2} // a Thursday
	yearEnd := Assignment{StartsOn: "2025-12-31", Weekdays: everyDay, EveryWeeks: 2}
	tests := []struct {
		name string
		a    Assignment
		date Date
		want bool
	}{
		{"first day", week, "2026-03-10", true},
		{"day before", week, "2026-03-09", false},
		{"SH-10 open-ended", week, "9998-12-31", true},
		{"last day", until, "2026-03-25", true},
		{"day after the last", until, "2026-03-26", false},
		{"its weekday", fortnightly, "2026-03-12", true},
		{"another weekday", fortnightly, "2026-03-13", false},
		{"Monday of the next ISO week", fortnightly, "2026-03-16", false},
		{"Thursday of the next ISO week", fortnightly, "2026-03-19", false},
		{"Monday a fortnight on, not fourteen days", fortnightly, "2026-03-23", true},
		{"Thursday a fortnight on", fortnightly, "2026-03-26", true},
		{"week of the start, before it", fortnightly, "2026-03-09", false},
		{"same ISO week, next year", yearEnd, "2026-01-04", true},
		{"next ISO week", yearEnd, "2026-01-05", false},
		{"over clocks going forward", fortnightly, "2026-04-06", true},
		{"one day alone", Assignment{"2026-03-10", "2026-03-10", everyDay, 1}, "2026-03-10", true},
		{"no weekdays", Assignment{"2026-03-10", "", nil, 1}, "2026-03-10", false},
		{"zero value", Assignment{}, "2026-03-10", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.a.Covers(tt.date); got != tt.want {
				t.Errorf("%+v covers %s: %v, want %v", tt.a, tt.date, got, tt.want)
			}
		})
	}
}
