package timesheet

import (
	"cmp"
	"slices"
	"time"

	"workforce/internal/shift"
)

// An Assessment is what one occurrence came to, to be stored, in whole seconds.
type Assessment struct {
	Status Status
	// Ready says that it may be stored: the window is over, nothing is open, and an absence
	// waited for offline events. What is to be confirmed is ready.
	Ready                                   bool
	Off                                     bool // there was work although none was expected
	Late, Early, Worked, Expected, Overtime time.Duration
}

// Assess returns what works came to, in their order. Each has an Off of its own: a person
// may work at two sites on one date. Works are all those of each date, and of each week
// where there is a weekly rule. Overtime is that of the date or the week which lies in the
// work of the occurrence; work that is open or to be confirmed is none.
func Assess(works []Work, offs []Off, p Policy, now time.Time) []Assessment {
	s := sheet{Sheets: &Sheets{policy: p}, works: slices.Clone(works)}
	s.inSeconds()
	now = now.Truncate(time.Second)
	out := make([]Assessment, len(works))
	expected := map[shift.Date]time.Duration{}
	for i, w := range s.works {
		r := w.Judge(w.Entries, offs[i], p, now)
		s.results = append(s.results, r)
		a := &out[i]
		a.Status, a.Off, a.Late, a.Early = r.Status, r.Off, r.Late, r.Early
		a.Ready = w.ready(r, len(w.Entries) > 0, p, now)
		if len(w.Entries) > 0 || !offs[i].NotEmployed {
			a.Expected = w.Expected(offs[i]).Truncate(time.Second)
		}
		expected[w.Date] += a.Expected
	}
	closed := s.share(func(r *Result) []shift.Interval { return r.Closed })
	dates := s.confirmedDates(closed, expected)
	for i, extra := range Overtime(dates, p) {
		for n, w := range s.works {
			if w.Date == dates[i].Date && s.results[n].confirmed {
				out[n].Overtime += Sum(Intersect(extra, closed[n]))
			}
		}
	}
	for i := range out {
		out[i].Worked = Sum(closed[i])
	}
	return out
}

// ready reports whether a result may be stored.
func (o Occurrence) ready(r Result, worked bool, p Policy, now time.Time) bool {
	switch {
	case r.open || !o.over(now):
		return false
	case worked && (!r.confirmed || r.Status != Absent):
		return true
	}
	return o.waited(p, now)
}

// confirmedDates returns the dates of the works in order, with the closed and confirmed
// work of each.
func (s *sheet) confirmedDates(closed [][]shift.Interval, expected map[shift.Date]time.Duration) []WorkedDate {
	by := map[shift.Date]*WorkedDate{}
	for i, w := range s.works {
		if by[w.Date] == nil {
			by[w.Date] = &WorkedDate{Date: w.Date, Expected: expected[w.Date]}
		}
		if s.results[i].confirmed {
			by[w.Date].Worked = append(by[w.Date].Worked, closed[i]...)
		}
	}
	dates := make([]WorkedDate, 0, len(by))
	for _, d := range by {
		d.Worked = Union(d.Worked)
		dates = append(dates, *d)
	}
	slices.SortFunc(dates, func(a, b WorkedDate) int { return cmp.Compare(a.Date, b.Date) })
	return dates
}
