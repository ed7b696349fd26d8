// Package shift computes when the occurrences of a shift begin, end and may be
// clocked in for. Wall times are read in the shift's zone; margins are elapsed
// time.
package shift

import "time"

// minutesPerDay counts wall time: every day has as many.
const minutesPerDay = 24 * 60

// Clock is a wall time, HH:MM, from 00:00 to 23:59.
type Clock string

// Minutes returns the minutes from midnight to c, which is valid.
func (c Clock) Minutes() int {
	if len(c) != len("15:04") {
		return 0
	}
	return number(c[:2])*60 + number(c[3:])
}

// to returns the minutes from c to end, which is on the next day where it is
// earlier than c.
func (c Clock) to(end Clock) int {
	return (end.Minutes() - c.Minutes() + minutesPerDay) % minutesPerDay
}

// A Break is unpaid time within a shift.
type Break struct{ Start, End Clock }

// A Shift is a working time that recurs. Where End is earlier than Start, it is
// on the next day. In a valid one End differs from Start, the window is shorter
// than a day, and breaks lie within the shift and do not overlap.
type Shift struct {
	Start, End  Clock
	Zone        *time.Location
	OpensBefore int // minutes before Start from which one may clock in
	ClosesAfter int // minutes after End until which one may clock in
	Breaks      []Break
}

// Minutes returns the length of the shift in minutes of wall time; 0 where it ends when it
// starts.
func (s Shift) Minutes() int { return s.Start.to(s.End) }

// span returns where a break begins and ends, in minutes of wall time after the
// shift's start.
func (s Shift) span(b Break) (from, to int) { return s.Start.to(b.Start), s.Start.to(b.End) }
