// Package booking holds the rules of time that people book on tasks: which entries overlap,
// how long they may be, where running ones end, and what booked time adds up to.
package booking

import (
	"math"
	"time"

	"workforce/internal/errs"
	"workforce/internal/setting"
)

// Longest is how long an entry is at most, whatever the company sets.
const Longest = 365 * 24 * time.Hour

// NoLimit is the limit of a timer that is stopped, however long it ran.
const NoLimit = -1

// A Span is when an entry was worked. End is zero while it runs.
type Span struct {
	ID         int // 0 for one that is not stored yet
	Start, End time.Time
}

// Until returns the end of an entry, which for a running one is now.
func (s Span) Until(now time.Time) time.Time {
	if !s.End.IsZero() {
		return s.End
	}
	if now.Before(s.Start) {
		return s.Start
	}
	return now
}

// Seconds returns how long an entry lasts, to now while it runs.
func (s Span) Seconds(now time.Time) int { return int(s.Until(now).Sub(s.Start) / time.Second) }

// Overlapping returns the first of some entries that covers time of another one. A running
// entry counts to now, and is not endless; a new one takes a second at least. Touching is not
// overlapping, and no entry overlaps itself or one without length.
func Overlapping(e Span, others []Span, now time.Time) (Span, bool) {
	start, end := e.Start, e.Until(now)
	if e.End.IsZero() && !end.After(start) {
		end = start.Add(time.Second)
	}
	for _, o := range others {
		if o.ID != e.ID && start.Before(o.Until(now)) && o.Start.Before(end) {
			return o, true
		}
	}
	return Span{}, false
}

// Rules are what a company sets of entries.
type Rules struct {
	Ahead   time.Duration // by how much an instant may be ahead of now
	Limit   time.Duration // of an entry's length; 0 is Longest
	AtOnce  int           // timers of a person that run at the same time
	Stops   bool          // starting another timer stops the oldest, else it is refused
	Overlap bool          // entries of a person may cover the same time
	Timers  bool          // people book their own time by timers alone
	OnDuty  bool          // a timer starts while its person is clocked in, not else
}

// RulesOf returns the rules of a company.
func RulesOf(v setting.Values) Rules {
	return Rules{
		Ahead:   time.Duration(setting.AheadSeconds.Of(v)) * time.Second,
		Limit:   time.Duration(setting.EntryLimit.Of(v)) * time.Minute,
		AtOnce:  setting.RunningTimers.Of(v),
		Stops:   setting.TimerStops.Of(v),
		Overlap: setting.EntryOverlap.Of(v),
		Timers:  setting.TimersAlone.Of(v),
		OnDuty:  setting.TimerOnDuty.Of(v),
	}
}

// Check adds the faults of an entry's instants: a start or an end that is ahead of now, an end
// before the start or without one, and more time than the company's limit. What runs has no
// limit. A nil instant is none.
func (r Rules) Check(faults *errs.Faults, start, end *time.Time, now time.Time) {
	latest := now.Add(r.Ahead)
	for _, of := range []struct {
		field string
		at    *time.Time
	}{{"startAt", start}, {"endAt", end}} {
		if of.at != nil && of.at.After(latest) {
			faults.Add(of.field, errs.OutOfRange, errs.Meta{"min": "1000-01-01", "max": latest.Format(time.RFC3339)})
		}
	}
	switch {
	case end == nil:
	case start == nil:
		faults.Add("endAt", errs.Needs, errs.Meta{"other": "startAt"})
	case end.Before(*start), end.Sub(*start) > r.longest():
		faults.Add("endAt", errs.OutOfRange, errs.Meta{"min": start.Format(time.RFC3339), "max": start.Add(r.longest()).Format(time.RFC3339)})
	}
}

// longest returns how long a closed entry is at most.
func (r Rules) longest() time.Duration {
	switch {
	case r.Limit == NoLimit:
		return math.MaxInt64
	case r.Limit > 0:
		return min(r.Limit, Longest)
	}
	return Longest
}

// Long reports whether an entry is longer than the limit.
func (r Rules) Long(s Span, now time.Time) bool {
	return r.Limit > 0 && s.Until(now).Sub(s.Start) > r.Limit
}

// Exceeding returns which running timers, the oldest first, are to be stopped so that another
// may start; false where it may not.
func (r Rules) Exceeding(running []Span) ([]Span, bool) {
	excess := len(running) + 1 - max(r.AtOnce, 1)
	if excess <= 0 {
		return nil, true
	}
	return running[:excess], r.Stops
}

// StoppedAt returns when another timer, which begins at begun, stops the running one: at begun, or
// now if the running one began later, so that no time is lost.
func StoppedAt(running Span, begun, now time.Time) time.Time {
	if begun.After(running.Start) {
		return begun
	}
	return running.Until(now)
}

// Correction returns the least and the most seconds by which an entry may be corrected of which
// so many are left: nothing less than all of them.
func Correction(left int) (least, most int) {
	return -left, int(Longest/time.Second) - left
}

// Tracked returns what booked time adds up to at an instant: the seconds of entries that ended, and
// those of running ones, given how many there are and the sum of their starts in seconds since 1970.
func Tracked(seconds, timers int, started int64, now time.Time) int {
	return seconds + timers*int(now.Unix()) - int(started)
}
