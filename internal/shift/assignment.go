package shift

import (
	"slices"

	"workforce/internal/errs"
)

// maxWeeks is the longest cycle of an assignment.
const maxWeeks = 8

// An Assignment says on which dates a person works a shift.
type Assignment struct {
	StartsOn   Date
	EndsOn     Date  // the last date; "" where it goes on
	Weekdays   []int // ISO: Monday is 1, Sunday 7
	EveryWeeks int   // 1 is every week; counted from the ISO week of StartsOn
}

// Validate returns nil, or VALIDATION_FAILED with every fault, named as in
// assignShift's input.
func (a Assignment) Validate() error {
	var faults errs.Faults
	if a.StartsOn == "" {
		faults.Add("startsOn", errs.Required, nil)
	}
	if a.EndsOn != "" && a.EndsOn < a.StartsOn {
		faults.Add("endsOn", errs.OutOfRange, errs.Meta{"min": a.StartsOn, "max": "9998-12-31"})
	}
	if len(a.Weekdays) == 0 {
		faults.Add("weekdays", errs.Required, nil)
	}
	if slices.ContainsFunc(a.Weekdays, func(day int) bool { return day < 1 || day > 7 }) {
		faults.Add("weekdays", errs.OutOfRange, errs.Meta{"min": 1, "max": 7})
	}
	if a.EveryWeeks < 1 || a.EveryWeeks > maxWeeks {
		faults.Add("everyWeeks", errs.OutOfRange, errs.Meta{"min": 1, "max": maxWeeks})
	}
	return faults.Err()
}

// Covers reports whether a valid assignment has an occurrence on d.
func (a Assignment) Covers(d Date) bool {
	if d < a.StartsOn || a.EndsOn != "" && d > a.EndsOn || !slices.Contains(a.Weekdays, d.Weekday()) {
		return false
	}
	week := d.Monday().Days(a.StartsOn.Monday()) / 7
	return week%max(a.EveryWeeks, 1) == 0
}
