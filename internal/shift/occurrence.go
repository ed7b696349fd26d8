package shift

import "time"

// An Occurrence is a shift on one date.
//
// ClockInFrom and ClockInUntil are both inside the window, and the latter stands
// for its whole minute: a window until 13:00 is open at 13:00:59 and closed at
// 13:01.
type Occurrence struct {
	Date                      Date // local date of the start, by which it is counted
	StartAt, EndAt            time.Time
	ClockInFrom, ClockInUntil time.Time
	BreakSeconds              int
}

// An Interval is the time from Start until just before End.
type Interval struct{ Start, End time.Time }

// On returns the occurrence of a valid shift that starts on d. Times that the
// clocks skip or show twice on that day are read as the earlier offset has it,
// so that a night over the change is an hour shorter or longer.
func (s Shift) On(d Date) Occurrence {
	span := s.interval(d, 0, s.Minutes())
	o := Occurrence{
		Date:         d,
		StartAt:      span.Start,
		EndAt:        span.End,
		ClockInFrom:  span.Start.Add(-minutes(s.OpensBefore)),
		ClockInUntil: span.End.Add(minutes(s.ClosesAfter)),
	}
	for _, b := range s.BreaksOn(d) {
		o.BreakSeconds += int(b.End.Sub(b.Start) / time.Second)
	}
	return o
}

// BreaksOn returns the breaks of the occurrence that starts on d.
func (s Shift) BreaksOn(d Date) []Interval {
	breaks := make([]Interval, len(s.Breaks))
	for i, b := range s.Breaks {
		from, to := s.span(b)
		breaks[i] = s.interval(d, from, to)
	}
	return breaks
}

// interval returns the time between two wall times, given in minutes after the
// shift's start on d. It is empty, never negative, where skipped clocks put the
// first behind the second.
func (s Shift) interval(d Date, from, to int) Interval {
	start := s.Start.Minutes()
	i := Interval{d.At(start+from, s.Zone), d.At(start+to, s.Zone)}
	if i.End.Before(i.Start) {
		i.End = i.Start
	}
	return i
}

// Open reports whether one may clock in at t.
func (o Occurrence) Open(t time.Time) bool { return !t.Before(o.ClockInFrom) && !o.Over(t) }

// Over reports whether the window has ended by t.
func (o Occurrence) Over(t time.Time) bool { return !t.Before(o.ClockInUntil.Add(time.Minute)) }

// Overlaps reports whether the working times of two occurrences overlap.
// Touching is not overlapping.
func (o Occurrence) Overlaps(other Occurrence) bool {
	return o.StartAt.Before(other.EndAt) && other.StartAt.Before(o.EndAt)
}

// Clip shortens the windows of an occurrence and the next one, which starts when
// it ends or later: the next opens no sooner than the current ends, and the current
// closes when the next opens. The minute in which they touch is in both windows.
func Clip(current, next Occurrence) (Occurrence, Occurrence) {
	if next.ClockInFrom.Before(current.EndAt) {
		next.ClockInFrom = current.EndAt
	}
	if next.ClockInFrom.Before(current.ClockInUntil) {
		current.ClockInUntil = next.ClockInFrom
	}
	return current, next
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }
