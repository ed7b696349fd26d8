package shift

import "slices"

// An Assignment says on which dates a person works a shift.
type Assignment struct {
	StartsOn   Date
	EndsOn     Date  // the last date; "" where it goes on
	Weekdays   []int // ISO: Monday is 1, Sunday 7
	EveryWeeks int   // 1 is every week; counted from the ISO week of StartsOn
}

// holds reports whether d lies between the first and the last date.
func (a Assignment) holds(d Date) bool { return d >= a.StartsOn && (a.EndsOn == "" || d <= a.EndsOn) }

// Covers reports whether a valid assignment has an occurrence on d.
func (a Assignment) Covers(d Date) bool {
	if !a.holds(d) || !slices.Contains(a.Weekdays, d.Weekday()) {
		return false
	}
	week := d.Monday().Days(a.StartsOn.Monday()) / 7
	return week%max(a.EveryWeeks, 1) == 0
}
