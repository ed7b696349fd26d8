package shift

import (
	"cmp"
	"slices"
)

// An Origin says what plans an occurrence.
type Origin string

// The origins. On each date the first of them that plans anything counts alone
// (rule SH-09).
const (
	ByDay        Origin = "planned_day"
	ByAssignment Origin = "assignment"
	ByRotation   Origin = "rotation"
	ByFallback   Origin = "fallback"
)

// An Assigned is an assignment of a shift, both by id.
type Assigned struct {
	ID, Shift int
	Assignment
}

// A Rotation is a sequence of shifts, one a day, that begins anew after its last.
type Rotation struct {
	StartsOn Date
	EndsOn   Date  // the last date; "" where it goes on
	FirstDay int   // the day of the sequence that falls on StartsOn; the first is 1
	Days     []int // the shift of each day, by id; 0 is a day off
}

// on returns the shift of a date, 0 for a day off; ok is false outside of the period.
func (r Rotation) on(d Date) (shift int, ok bool) {
	if d < r.StartsOn || r.EndsOn != "" && d > r.EndsOn || len(r.Days) == 0 {
		return 0, false
	}
	return r.Days[(d.Days(r.StartsOn)+r.FirstDay-1)%len(r.Days)], true
}

// A Plan is everything that plans the shifts of one person.
type Plan struct {
	Days        map[Date][]int // the shifts of single dates; none is a day off
	Assignments []Assigned
	Rotations   []Rotation // of which no two cover the same date
	Fallback    int        // the shift of dates that nothing else plans; 0 for none
	WeeklyOffs  []int      // ISO weekdays on which the fallback does not count
}

// An Entry is a shift that a plan has for a date.
type Entry struct {
	Shift      int
	Assignment int // 0 where none plans it
	Origin     Origin
}

// On returns what the plan has for a date.
func (p *Plan) On(d Date) []Entry {
	if shifts, ok := p.Days[d]; ok {
		entries := make([]Entry, len(shifts))
		for i, id := range shifts {
			entries[i] = Entry{Shift: id, Origin: ByDay}
		}
		return entries
	}
	var entries []Entry
	for _, a := range p.Assignments {
		if a.Covers(d) {
			entries = append(entries, Entry{a.Shift, a.ID, ByAssignment})
		}
	}
	if entries != nil {
		return entries
	}
	for _, r := range p.Rotations {
		if id, ok := r.on(d); ok && id != 0 {
			return []Entry{{Shift: id, Origin: ByRotation}}
		} else if ok {
			return nil
		}
	}
	if p.Fallback != 0 && !slices.Contains(p.WeeklyOffs, d.Weekday()) {
		return []Entry{{Shift: p.Fallback, Origin: ByFallback}}
	}
	return nil
}

// DayOff reports whether nothing is to be worked on a date. Where something plans for it, it is
// one without a shift; where nothing does, weeklyOff says whether it is one.
func (p *Plan) DayOff(d Date, weeklyOff bool) bool {
	return len(p.On(d)) == 0 && (weeklyOff || p.covers(d))
}

// covers reports whether something plans for a date: shifts, or a day off.
func (p *Plan) covers(d Date) bool {
	if _, planned := p.Days[d]; planned || p.Fallback != 0 {
		return true
	}
	return slices.ContainsFunc(p.Assignments, func(a Assigned) bool { return a.holds(d) }) ||
		slices.ContainsFunc(p.Rotations, func(r Rotation) bool {
			_, ok := r.on(d)
			return ok
		})
}

// A Planned is an occurrence that a plan has.
type Planned struct {
	Entry
	Occurrence
}

// Between returns what the plan has for the dates from first to last, by start. at
// gives the occurrence of a shift on a date; one without length, all of which the clocks
// skip on that date, is left out. Windows are not clipped yet.
func (p *Plan) Between(first, last Date, at func(shift int, d Date) Occurrence) []Planned {
	var all []Planned
	for d := first; d <= last; d = d.AddDays(1) {
		for _, e := range p.On(d) {
			if o := at(e.Shift, d); o.EndAt.After(o.StartAt) {
				all = append(all, Planned{e, o})
			}
		}
	}
	SortPlanned(all)
	return all
}

// SortPlanned sorts by start, then by shift.
func SortPlanned(all []Planned) {
	slices.SortFunc(all, func(a, b Planned) int { return cmp.Or(a.StartAt.Compare(b.StartAt), a.Shift-b.Shift) })
}

// Overlap returns the first two of planned occurrences, by start, whose working times
// overlap, and one of which is touched (rule SH-12).
func Overlap(all []Planned, touched func(Planned) bool) (a, b Planned, found bool) {
	latest := 0 // of those so far, the one that ends last
	for i := 1; i < len(all); i++ {
		if all[latest].Overlaps(all[i].Occurrence) && (touched(all[latest]) || touched(all[i])) {
			return all[latest], all[i], true
		}
		if all[i].EndAt.After(all[latest].EndAt) {
			latest = i
		}
	}
	return a, b, false
}

// Together returns the first two of planned occurrences that assignments plan for the
// same date, and one of which is touched.
func Together(all []Planned, touched func(Planned) bool) (a, b Planned, found bool) {
	on := map[Date]Planned{}
	for _, p := range all {
		if p.Origin != ByAssignment {
			continue
		}
		if other, ok := on[p.Date]; ok && (touched(other) || touched(p)) {
			return other, p, true
		}
		on[p.Date] = p
	}
	return a, b, false
}
