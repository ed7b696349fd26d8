package shift

import (
	"fmt"
	"time"

	"workforce/internal/errs"
)

// ParseClock reads a wall time, HH:MM from 00:00 to 23:59.
func ParseClock(text string) (Clock, bool) {
	_, err := time.Parse("15:04", text)
	return Clock(text), err == nil && len(text) == len("15:04")
}

// Check adds the faults of a working time whose wall times are valid: it ends when it
// starts (rule SH-03), it lasts 24 hours or more with its margins (rule SH-04), or a
// break is outside of it or over another.
func (s Shift) Check(faults *errs.Faults) {
	length := s.Minutes()
	if length == 0 {
		faults.Add("endTime", errs.SameAs, errs.Meta{"other": "startTime"})
		return
	}
	if left := s.Room(); s.OpensBefore > left {
		faults.Add("opensBeforeMinutes", errs.OutOfRange, errs.Meta{"min": 0, "max": left})
	} else if left -= s.OpensBefore; s.ClosesAfter > left {
		faults.Add("closesAfterMinutes", errs.OutOfRange, errs.Meta{"min": 0, "max": left})
	}
	for i := range s.Breaks {
		s.checkBreak(faults, i, length)
	}
}

// Room returns how many minutes the two margins of a working time may have together.
func (s Shift) Room() int { return minutesPerDay - 1 - s.Minutes() }

// checkBreak adds the first fault of a break.
func (s Shift) checkBreak(faults *errs.Faults, i, length int) {
	at := fmt.Sprintf("breaks.%d.", i)
	from, to := s.span(s.Breaks[i])
	switch {
	case from == to:
		faults.Add(at+"end", errs.SameAs, errs.Meta{"other": "start"})
		return
	case from >= length:
		faults.Add(at+"start", errs.NotWithin, errs.Meta{"other": "startTime, endTime"})
		return
	case to > length || to < from:
		faults.Add(at+"end", errs.NotWithin, errs.Meta{"other": "startTime, endTime"})
		return
	}
	for _, other := range s.Breaks[:i] {
		if f, t := s.span(other); from < t && f < to {
			faults.Add(at+"start", errs.Crosses, errs.Meta{"other": "breaks"})
			return
		}
	}
}
