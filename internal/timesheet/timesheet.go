// Package timesheet adds up working time. Every interval is half-open, and
// every duration comes from instants alone.
package timesheet

import (
	"slices"
	"time"

	"workforce/internal/shift"
)

// Worked returns the worked time that no break covers. Breaks may overlap; worked
// intervals do not.
func Worked(worked, breaks []shift.Interval) time.Duration {
	var sum time.Duration
	breaks = merged(breaks)
	for _, s := range worked {
		sum += max(0, s.End.Sub(s.Start))
		for _, b := range breaks {
			sum -= overlap(s, b)
		}
	}
	return sum
}

// DueBreak returns the break that counts as taken by who worked so long: due after some
// minutes of work, and no longer than what was worked beyond them.
func DueBreak(worked time.Duration, minutes, after int) time.Duration {
	beyond := worked - time.Duration(after)*time.Minute
	return max(0, min(time.Duration(minutes)*time.Minute, beyond))
}

// Span returns the time from the start of the first interval to the end of the last:
// what a shift counts whose working hours are first in to last out (rule WH-01).
func Span(worked []shift.Interval) []shift.Interval {
	if len(worked) == 0 {
		return nil
	}
	span := worked[0]
	for _, s := range worked[1:] {
		if s.Start.Before(span.Start) {
			span.Start = s.Start
		}
		if s.End.After(span.End) {
			span.End = s.End
		}
	}
	return []shift.Interval{span}
}

// A Verdict says what the work for one occurrence counts as.
type Verdict string

// The verdicts.
const (
	Present Verdict = "present"
	HalfDay Verdict = "half_day"
	Absent  Verdict = "absent"
)

// VerdictOf returns what working for so long counts as, by a shift's thresholds in
// minutes; 0 is no threshold (rules WH-07 to WH-09).
func VerdictOf(worked time.Duration, halfDayBelow, absentBelow int) Verdict {
	switch {
	case worked < time.Duration(absentBelow)*time.Minute:
		return Absent
	case worked < time.Duration(halfDayBelow)*time.Minute:
		return HalfDay
	}
	return Present
}

// merged returns intervals that do not overlap and cover the same time.
func merged(in []shift.Interval) []shift.Interval {
	in = slices.SortedFunc(slices.Values(in), func(a, b shift.Interval) int { return a.Start.Compare(b.Start) })
	var out []shift.Interval
	for _, i := range in {
		if n := len(out); n > 0 && !i.Start.After(out[n-1].End) {
			if i.End.After(out[n-1].End) {
				out[n-1].End = i.End
			}
			continue
		}
		out = append(out, i)
	}
	return out
}

// overlap returns how long two intervals are both.
func overlap(a, b shift.Interval) time.Duration {
	start, end := a.Start, a.End
	if b.Start.After(start) {
		start = b.Start
	}
	if b.End.Before(end) {
		end = b.End
	}
	return max(0, end.Sub(start))
}

// Late returns how much later than start a first clock-in was, if that is more
// than the grace (rule WH-04); nil is no limit, and 0 is returned.
func Late(start, in time.Time, grace *int) time.Duration {
	if grace == nil || in.Sub(start) <= time.Duration(*grace)*time.Minute {
		return 0
	}
	return in.Sub(start)
}

// Early returns how much sooner than end a last clock-out was, if that is more
// than the grace (rule WH-05); nil is no limit, and 0 is returned.
func Early(end, out time.Time, grace *int) time.Duration {
	if grace == nil || end.Sub(out) <= time.Duration(*grace)*time.Minute {
		return 0
	}
	return end.Sub(out)
}

// Forgotten is how long beyond the expected hours an attendance may last before it
// counts as forgotten, and Longest how long any may last (rules FO-01, FO-04).
const (
	Forgotten = 2 * time.Hour
	Longest   = 16 * time.Hour
)

// CloseAt returns when an attendance that nobody closed is taken to have ended: when
// the hours expected of its shift and the tolerance were worked, breaks not
// counted, what was worked before it included (rule FO-01). It is after in.
func CloseAt(in time.Time, expected, before time.Duration, breaks []shift.Interval) time.Time {
	left := max(expected+Forgotten-before, time.Minute)
	out := in.Add(left)
	for _, b := range merged(breaks) {
		if b.End.After(in) && b.Start.Before(out) {
			out = out.Add(overlap(b, shift.Interval{Start: in, End: b.End}))
		}
	}
	if cap := in.Add(Longest); out.After(cap) {
		return cap
	}
	return out
}
