package shift

import (
	"fmt"
	"testing"
	"time"
)

// TestCopying copies into the week of Monday 2026-03-16, of somebody who works days (1) from Monday to
// Friday. 2 is a night that ends at 06:00, 3 an early shift that begins at 05:00, 4 one at any hour.
func TestCopying(t *testing.T) {
	hours := map[int]Shift{
		1: {Start: "08:00", End: "17:00"}, 2: {Start: "22:00", End: "06:00"},
		3: {Start: "05:00", End: "13:00"}, 4: {Start: "00:00", End: "23:59"},
	}
	at := func(id int, d Date) Occurrence {
		s := hours[id]
		s.Zone = time.UTC
		return s.On(d)
	}
	weekdays := []int{1, 2, 3, 4, 5}
	rule := Assignment{StartsOn: "2026-01-01", Weekdays: weekdays, EveryWeeks: 1}
	works := Plan{Assignments: []Assigned{{ID: 7, Shift: 1, Assignment: rule}}}
	with := func(d Date, shifts ...int) Plan {
		p := works
		p.Days = map[Date][]int{d: shifts}
		return p
	}
	for _, tt := range []struct {
		name       string
		plan       Plan
		want       map[int][]int // by weekday; others are as the plan has them
		stays      map[Date]string
		days, left string
	}{
		{"the same", works, nil, nil, "map[]", "map[]"},
		{"the same in another order", with("2026-03-16", 2, 1), map[int][]int{1: {1, 2}}, nil, "map[]", "map[]"},
		{"the same, twice", works, map[int][]int{1: {1, 1}}, nil, "map[]", "map[]"},
		{"another shift, and one more on a day off", works, map[int][]int{3: {4}, 7: {1}}, nil,
			"map[2026-03-18:[4] 2026-03-22:[1]]", "map[]"},
		{"a day off", works, map[int][]int{1: {}}, nil, "map[2026-03-16:[]]", "map[]"},
		{"a planned day goes", with("2026-03-21", 1), map[int][]int{6: {}}, nil, "map[2026-03-21:[]]", "map[]"},
		{"two shifts", works, map[int][]int{2: {2, 1, 2}}, nil, "map[2026-03-17:[1 2]]", "map[]"},
		{"what stays", works, map[int][]int{1: {2}, 2: {4}}, map[Date]string{"2026-03-16": "past", "2026-03-18": "leave"},
			"map[2026-03-17:[4]]", "map[2026-03-16:past]"},
		{"over the next date, which changes", works, map[int][]int{1: {2}, 2: {3}}, nil,
			"map[2026-03-16:[2]]", "map[2026-03-17:overlap]"},
		{"over the next date, which stays", with("2026-03-17", 3), map[int][]int{1: {2}, 2: {4}},
			map[Date]string{"2026-03-17": "worked"}, "map[]", "map[2026-03-16:overlap 2026-03-17:worked]"},
		{"over the week after", with("2026-03-23", 3), map[int][]int{7: {2}}, nil, "map[]", "map[2026-03-22:overlap]"},
		{"over the week before", with("2026-03-15", 2), map[int][]int{1: {3}}, nil, "map[]", "map[2026-03-16:overlap]"},
		{"over itself", works, map[int][]int{1: {1, 4}}, nil, "map[]", "map[2026-03-16:overlap]"},
		{"one that stays brings another back", works, map[int][]int{1: {2}, 2: {3, 4}, 3: {3}}, nil,
			"map[2026-03-16:[2] 2026-03-18:[3]]", "map[2026-03-17:overlap]"},
		{"a former overlap is nobody's reason", with("2026-03-19", 1, 4), map[int][]int{1: {4}}, nil,
			"map[2026-03-16:[4]]", "map[]"},
	} {
		c := Copying{
			Plan: tt.plan, First: "2026-03-16", Want: map[Date][]int{}, At: at,
			Stays: func(d Date) string { return tt.stays[d] },
		}
		for i := range 7 {
			d := c.First.AddDays(i)
			if c.Want[d] = shiftsOf(tt.plan.On(d)); tt.want[i+1] != nil {
				c.Want[d] = tt.want[i+1]
			}
		}
		days, left := c.Days()
		if fmt.Sprint(days) != tt.days || fmt.Sprint(left) != tt.left {
			t.Errorf("%s: %v, %v; want %s, %s", tt.name, days, left, tt.days, tt.left)
		}
	}
	if got := len(works.Days); got != 0 {
		t.Errorf("the plan has %d planned days", got)
	}
}
