package timesheet

import (
	"time"

	"workforce/internal/shift"
)

// A Reason says by which rule a forgotten attendance is closed.
type Reason string

// The rules that close a forgotten attendance.
const (
	ByHours    Reason = "hours"     // the expected hours and the tolerance were worked
	ByShiftEnd Reason = "shift_end" // its shift ended
	ByCap      Reason = "cap"       // it lasted as long as one may
)

// A Closing says when and why an attendance that nobody closes is taken to have ended. It
// then needs confirmation.
type Closing struct {
	At     time.Time // after the clock-in, and at most Longest after it
	Reason Reason
	Due    time.Time // from when on it is closed: not before At, nor within the window unless the cap is reached
}

// Close returns when the open one of the entries of the occurrence is closed; false where
// none is open. It is closed when all entries, each from in to out, have the work that is
// expected and the tolerance, breaks not counted, or at the end of the shift where the
// company wants that; at least a minute after its start. A flexible shift, whose graces are
// both nil, and an exempt person have no such end. No attendance lasts longer than the
// company's cap; that of an exempt person no longer than Longest.
func (o Occurrence) Close(entries []Entry, off Off, p Policy, exempt bool) (Closing, bool) {
	var open *Entry
	for i, e := range entries {
		if e.Out.IsZero() {
			open = &entries[i]
		}
	}
	if open == nil {
		return Closing{}, false
	}
	longest := Longest
	if !exempt && p.Cap >= time.Minute {
		longest = min(longest, p.Cap)
	}
	latest := open.In.Add(longest)
	c := Closing{At: latest, Reason: ByCap}
	if at, reason, ok := o.end(*open, entries, off, p, latest); ok && !exempt && at.Before(latest) {
		c = Closing{At: at, Reason: reason}
	}
	c.Due = o.Until.Add(time.Minute)
	if c.Due.After(latest) {
		c.Due = latest
	}
	if c.Due.Before(c.At) {
		c.Due = c.At
	}
	return c, true
}

// end returns the end of an open entry by the hours or the end of its shift; false where
// it has none before latest.
func (o Occurrence) end(open Entry, entries []Entry, off Off, p Policy, latest time.Time) (time.Time, Reason, bool) {
	first := open.In.Add(time.Minute)
	if o.LateGrace == nil && o.EarlyGrace == nil {
		return latest, ByCap, false
	}
	if o.Expected(off) == 0 { // who works all the same, works the shift
		off = Off{}
	}
	if due, ok := o.due(off); ok && p.CloseAtEnd && !due.End.Before(first) {
		return due.End, ByShiftEnd, true
	}
	work := []shift.Interval{{Start: open.In, End: latest}}
	for _, e := range entries {
		if e.Out.IsZero() || !e.In.Before(open.In) {
			continue
		}
		if e.Out.After(open.In) {
			e.Out = open.In
		}
		work = append(work, shift.Interval{Start: e.In, End: e.Out})
	}
	enough := o.Expected(off) + p.CloseTolerance
	at, ok := instantOf(o.Count(work), enough)
	if enough <= 0 || ok && at.Before(first) {
		return first, ByHours, true
	}
	return at, ByHours, ok
}

// Reminders returns when somebody who is clocked in is reminded to clock out: some time
// after the end of the shift, and when no attendance may last longer. Zero is never.
func (o Occurrence) Reminders(in time.Time, off Off, p Policy) (afterEnd, atCap time.Time) {
	atCap = in.Add(Longest)
	if p.Cap >= time.Minute {
		atCap = in.Add(min(p.Cap, Longest))
	}
	due, ok := o.due(off)
	if end := due.End.Add(p.RemindAfter); ok && p.RemindAfter > 0 && end.After(in) && end.Before(atCap) {
		afterEnd = end
	}
	return afterEnd, atCap
}
