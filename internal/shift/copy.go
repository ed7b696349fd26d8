package shift

import (
	"maps"
	"slices"
)

// Overlapping is why a date stays whose shifts would be worked at the time of others.
const Overlapping = "overlap"

// A Copying is a week of somebody that gets other shifts, date by date.
type Copying struct {
	Plan  Plan
	First Date                               // of the week
	Want  map[Date][]int                     // the shifts of its dates; none is a day off
	Stays func(d Date) string                // why a date stays as it is; "" where it may change
	At    func(shift int, d Date) Occurrence // when a shift takes place
}

// Days returns the dates to plan, with their shifts: those of the week whose shifts are not the
// wanted ones. Some of these stay instead, each for a reason: that of Stays, or that a shift of the
// date would overlap another one. Of two dates that change and overlap, the later stays; overlaps
// that nothing of this changes are nobody's reason.
func (c Copying) Days() (plan map[Date][]int, stay map[Date]string) {
	plan, stay = map[Date][]int{}, map[Date]string{}
	for i := range 7 {
		d := c.First.AddDays(i)
		want := set(c.Want[d])
		if slices.Equal(set(shiftsOf(c.Plan.On(d))), want) {
			continue
		}
		if why := c.Stays(d); why != "" {
			stay[d] = why
		} else {
			plan[d] = want
		}
	}
	for len(plan) > 0 {
		d, overlaps := c.overlap(plan)
		if !overlaps {
			break
		}
		delete(plan, d)
		stay[d] = Overlapping
	}
	return plan, stay
}

// overlap returns a date of days that are planned, a shift of which overlaps another one.
func (c Copying) overlap(days map[Date][]int) (Date, bool) {
	p := c.Plan
	p.Days = maps.Clone(p.Days)
	if p.Days == nil {
		p.Days = map[Date][]int{}
	}
	maps.Copy(p.Days, days)
	changes := func(o Planned) bool {
		_, ok := days[o.Date]
		return ok
	}
	a, b, found := Overlap(p.Between(c.First.AddDays(-2), c.First.AddDays(8), c.At), changes)
	if changes(b) {
		return b.Date, found
	}
	return a.Date, found
}

func shiftsOf(entries []Entry) (shifts []int) {
	for _, e := range entries {
		shifts = append(shifts, e.Shift)
	}
	return shifts
}

// set returns ids in order, each once.
func set(ids []int) []int {
	ids = append([]int{}, ids...)
	slices.Sort(ids)
	return slices.Compact(ids)
}
