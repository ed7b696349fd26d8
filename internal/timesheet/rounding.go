package timesheet

import (
	"time"

	"workforce/internal/shift"
)

// A Rounding says how intervals are shown. Nothing that is stored is ever rounded. Totals
// are sums of rounded intervals.
type Rounding struct {
	Mode    Mode
	Minutes int // to multiples of so many; 0 shows intervals as they are
}

// A Mode says what is rounded, and which way.
type Mode string

// The modes of wall times count from local midnight, for steps that divide a day; half a
// step goes up. The modes of lengths show the start in its minute, and round the length
// from there.
const (
	Outward    Mode = "default" // start down, end up
	Floor      Mode = "floor"   // both wall times down
	Ceil       Mode = "ceil"    // both up
	Closest    Mode = "closest" // both to the closest
	LengthDown Mode = "down"
	LengthUp   Mode = "up"
	Nearest    Mode = "nearest" // length to the nearest
)

// View returns an interval as it is shown in a zone. An empty interval stays as it is, and
// rounding again changes nothing.
func (r Rounding) View(i shift.Interval, zone *time.Location) shift.Interval {
	step := minutes(r.Minutes)
	if step <= 0 || !i.Start.Before(i.End) {
		return i
	}
	wall := func(t time.Time, up time.Duration) time.Time {
		_, offset := t.In(zone).Zone()
		east := time.Duration(offset) * time.Second
		return t.Add(up + east).Truncate(step).Add(-east)
	}
	ceil, half := step-1, step/2
	start := i.Start.Truncate(time.Minute)
	length := func(up time.Duration) shift.Interval {
		return shift.Interval{Start: start, End: start.Add((i.End.Sub(start) + up).Truncate(step))}
	}
	switch r.Mode {
	case Outward:
		return shift.Interval{Start: wall(i.Start, 0), End: wall(i.End, ceil)}
	case Floor:
		return shift.Interval{Start: wall(i.Start, 0), End: wall(i.End, 0)}
	case Ceil:
		return shift.Interval{Start: wall(i.Start, ceil), End: wall(i.End, ceil)}
	case Closest:
		return shift.Interval{Start: wall(i.Start, half), End: wall(i.End, half)}
	case LengthDown:
		return length(0)
	case LengthUp:
		return length(ceil)
	case Nearest:
		return length(half)
	}
	return i
}

// Total returns how long intervals last as they are shown: each is rounded, then summed.
func (r Rounding) Total(list []shift.Interval, zone *time.Location) (sum time.Duration) {
	for _, i := range list {
		i = r.View(i, zone)
		sum += i.End.Sub(i.Start)
	}
	return sum
}
