package timesheet

import (
	"iter"
	"math"
	"slices"
	"time"

	"workforce/internal/shift"
)

// forever is longer than any work.
const forever = time.Duration(math.MaxInt64)

// Union returns the time that any interval of the lists covers: intervals by start that
// are not empty and neither overlap nor touch.
func Union(lists ...[]shift.Interval) []shift.Interval {
	if len(lists) == 1 && isUnion(lists[0]) {
		return lists[0]
	}
	all := slices.Concat(lists...)
	slices.SortFunc(all, func(a, b shift.Interval) int { return a.Start.Compare(b.Start) })
	out := all[:0]
	for _, i := range all {
		switch n := len(out); {
		case !i.Start.Before(i.End):
		case n == 0 || i.Start.After(out[n-1].End):
			out = append(out, i)
		case i.End.After(out[n-1].End):
			out[n-1].End = i.End
		}
	}
	return out
}

// isUnion reports whether a list is what Union returns.
func isUnion(list []shift.Interval) bool {
	for n, i := range list {
		if !i.Start.Before(i.End) || n > 0 && !i.Start.After(list[n-1].End) {
			return false
		}
	}
	return true
}

// Subtract returns the time that a covers and b does not, as Union has it: a itself where it is that.
func Subtract(a, b []shift.Interval) []shift.Interval {
	a, b = Union(a), Union(b)
	if len(b) == 0 {
		return slices.Clip(a)
	}
	out := make([]shift.Interval, 0, len(a)+len(b))
	for _, i := range a {
		for len(b) > 0 && !b[0].End.After(i.Start) {
			b = b[1:]
		}
		start := i.Start
		for n := 0; n < len(b) && b[n].Start.Before(i.End); n++ {
			if start.Before(b[n].Start) {
				out = append(out, shift.Interval{Start: start, End: b[n].Start})
			}
			start = b[n].End
		}
		if start.Before(i.End) {
			out = append(out, shift.Interval{Start: start, End: i.End})
		}
	}
	return out
}

// Intersect returns the time that both a and b cover, as Union has it.
func Intersect(a, b []shift.Interval) []shift.Interval { return Subtract(a, Subtract(a, b)) }

// Sum returns how long intervals that do not overlap last.
func Sum(list []shift.Interval) (sum time.Duration) {
	for _, i := range list {
		sum += i.End.Sub(i.Start)
	}
	return sum
}

// Span returns the time from the start of the first interval to the end of the last.
func Span(list []shift.Interval) []shift.Interval {
	if len(list) == 0 {
		return nil
	}
	span := list[0]
	for _, i := range list[1:] {
		if i.Start.Before(span.Start) {
			span.Start = i.Start
		}
		if i.End.After(span.End) {
			span.End = i.End
		}
	}
	return []shift.Interval{span}
}

// between returns the part of a union that lies between its first from and its first
// to: of nine hours, between 6 h and 6 h 30 min is the half hour after six hours.
func between(union []shift.Interval, from, to time.Duration) (out []shift.Interval) {
	var passed time.Duration
	for _, i := range union {
		length := i.End.Sub(i.Start)
		if start, end := max(from-passed, 0), min(to-passed, length); start < end {
			out = append(out, shift.Interval{Start: i.Start.Add(start), End: i.Start.Add(end)})
		}
		passed += length
	}
	return out
}

// instantOf returns when a union has lasted so long, which is more than 0; false where
// it never does.
func instantOf(union []shift.Interval, length time.Duration) (time.Time, bool) {
	for _, i := range union {
		if l := i.End.Sub(i.Start); l < length {
			length -= l
			continue
		}
		return i.Start.Add(length), true
	}
	return time.Time{}, false
}

// Split parts intervals at the midnights of a zone and yields the parts with their local
// dates. A day lasts from its first midnight to that of the next: 23, 24 or 25 hours.
func Split(list []shift.Interval, zone *time.Location) iter.Seq2[shift.Date, shift.Interval] {
	return func(yield func(shift.Date, shift.Interval) bool) {
		var date shift.Date
		var day shift.Interval
		for _, i := range list {
			for i.Start.Before(i.End) {
				if i.Start.Before(day.Start) || !i.Start.Before(day.End) {
					date, day = dayOf(i.Start, zone)
				}
				part := i
				if day.End.Before(part.End) {
					part.End = day.End
				}
				if !yield(date, part) {
					return
				}
				i.Start = part.End
			}
		}
	}
}

// DateOf returns the date of the day that an instant lies in, as Split has it.
func DateOf(t time.Time, zone *time.Location) shift.Date {
	date, _ := dayOf(t, zone)
	return date
}

// dayOf returns the day that an instant lies in. Where clocks are put back over midnight,
// what repeats the end of a day is part of the next.
func dayOf(t time.Time, zone *time.Location) (shift.Date, shift.Interval) {
	date := shift.DateOf(t, zone)
	for !t.Before(date.AddDays(1).In(zone)) {
		date = date.AddDays(1)
	}
	return date, shift.Interval{Start: date.In(zone), End: date.AddDays(1).In(zone)}
}

// A Period is the dates from From to To, both included.
type Period struct{ From, To shift.Date }

// Week returns the week of a date, where weeks begin on an ISO weekday: Monday is 1.
func Week(d shift.Date, firstWeekday int) Period {
	from := d.WeekFrom(firstWeekday)
	return Period{from, from.AddDays(6)}
}

// Month returns the calendar month of a date.
func Month(d shift.Date) Period {
	first := d[:len("2006-01-")] + "01"
	next := first.AddDays(31)
	return Period{first, (next[:len("2006-01-")] + "01").AddDays(-1)}
}

// Contains reports whether a date is one of the period.
func (p Period) Contains(d shift.Date) bool { return p.From <= d && d <= p.To }

// Overlaps reports whether two periods have a date in common.
func (p Period) Overlaps(other Period) bool {
	return max(p.From, other.From) <= min(p.To, other.To)
}

// Dates returns the dates of the period; none where it ends before it begins.
func (p Period) Dates() []shift.Date {
	dates := make([]shift.Date, 0, max(0, p.To.Days(p.From)+1))
	for d := p.From; d <= p.To; d = d.AddDays(1) {
		dates = append(dates, d)
	}
	return dates
}
