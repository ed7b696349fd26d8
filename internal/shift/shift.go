// Package shift computes when the occurrences of a shift begin, end and may be
// clocked in for. Wall times are read in the shift's zone; margins are elapsed
// time.
package shift

import (
	"fmt"
	"time"

	"workforce/internal/errs"
)

// minutesPerDay counts wall time: every day has as many.
const minutesPerDay = 24 * 60

// Clock is a wall time, HH:MM, from 00:00 to 23:59.
type Clock string

// Valid reports whether c is a wall time.
func (c Clock) Valid() bool {
	_, err := time.Parse("15:04", string(c))
	return err == nil && len(c) == len("15:04")
}

// minutes returns the minutes from midnight to c, which is valid.
func (c Clock) minutes() int {
	t, _ := time.Parse("15:04", string(c))
	return t.Hour()*60 + t.Minute()
}

// plus returns the wall time n minutes after c.
func (c Clock) plus(n int) Clock {
	n = (c.minutes() + n) % minutesPerDay
	return Clock(fmt.Sprintf("%02d:%02d", n/60, n%60))
}

// to returns the minutes from c to end, which is on the next day where it is
// earlier than c.
func (c Clock) to(end Clock) int {
	return (end.minutes() - c.minutes() + minutesPerDay) % minutesPerDay
}

// A Break is unpaid time within a shift.
type Break struct{ Start, End Clock }

// A Shift is a working time that recurs. Where End is earlier than Start, it is
// on the next day.
type Shift struct {
	Start, End  Clock
	Zone        *time.Location
	OpensBefore int // minutes before Start from which one may clock in
	ClosesAfter int // minutes after End until which one may clock in
	Breaks      []Break
}

// Validate returns nil for a shift that occurrences can be computed of, else
// VALIDATION_FAILED with the faults named as in createShift's input: every
// member that is wrong by itself, or where none is, those that do not go
// together.
func (s Shift) Validate() error {
	faults := s.malformed()
	if len(faults) == 0 {
		faults = s.contradictions()
	}
	return faults.Err()
}

func (s Shift) malformed() (faults errs.Faults) {
	clock := func(field string, c Clock) {
		if !c.Valid() {
			faults.Add(field, errs.BadFormat, errs.Meta{"expected": "HH:MM"})
		}
	}
	margin := func(field string, minutes int) {
		if most := minutesPerDay - 2; minutes < 0 || minutes > most { // a shift has a minute at least
			faults.Add(field, errs.OutOfRange, errs.Meta{"min": 0, "max": most})
		}
	}
	clock("startTime", s.Start)
	clock("endTime", s.End)
	if s.Zone == nil {
		faults.Add("timezone", errs.Required, nil)
	}
	margin("opensBeforeMinutes", s.OpensBefore)
	margin("closesAfterMinutes", s.ClosesAfter)
	for i, b := range s.Breaks {
		clock(fmt.Sprintf("breaks[%d].start", i), b.Start)
		clock(fmt.Sprintf("breaks[%d].end", i), b.End)
	}
	return faults
}

// contradictions finds what is wrong between well-formed members: start equal
// to end, a shift that with its margins fills a day, and breaks outside of the
// shift or across one another.
func (s Shift) contradictions() (faults errs.Faults) {
	length := s.Start.to(s.End)
	if length == 0 {
		faults.Add("endTime", errs.OutOfRange, errs.Meta{"min": s.Start.plus(1), "max": s.Start.plus(minutesPerDay - 1)})
		return faults
	}
	room := minutesPerDay - 1 - length // for both margins
	if s.OpensBefore > room {
		faults.Add("opensBeforeMinutes", errs.OutOfRange, errs.Meta{"min": 0, "max": room})
	} else if s.OpensBefore+s.ClosesAfter > room {
		faults.Add("closesAfterMinutes", errs.OutOfRange, errs.Meta{"min": 0, "max": room - s.OpensBefore})
	}
	for i := range s.Breaks {
		if !s.breakFits(i) {
			faults.Add(fmt.Sprintf("breaks[%d]", i), errs.OutOfRange, errs.Meta{"min": s.Start, "max": s.End})
		}
	}
	return faults
}

// breakFits reports whether a break lies within the shift and clear of the
// breaks listed before it.
func (s Shift) breakFits(i int) bool {
	from, to := s.span(s.Breaks[i])
	if from >= to || to > s.Start.to(s.End) {
		return false
	}
	for _, earlier := range s.Breaks[:i] {
		if f, t := s.span(earlier); from < t && f < to {
			return false
		}
	}
	return true
}

// span returns where a break begins and ends, in minutes of wall time after the
// shift's start.
func (s Shift) span(b Break) (from, to int) { return s.Start.to(b.Start), s.Start.to(b.End) }
