package sla

import "time"

// A Level is what is told of a due time.
type Level int

// The levels, each after the one before.
const (
	Nothing Level = iota
	Soon          // it will be over within the time of warning
	Over
)

// A Clock is a due time that is watched.
type Clock struct {
	Due  *time.Time // nil for none, and once it is met
	Told Level
}

// Level returns what there is to tell at an instant, with a time of warning.
func (c Clock) Level(now time.Time, warn time.Duration) Level {
	switch {
	case c.Due == nil || now.Before(c.Due.Add(-warn)):
		return Nothing
	case now.Before(*c.Due):
		return Soon
	}
	return Over
}

// Reset returns the clock after its due time changed: what is not so any more may be told
// again.
func (c Clock) Reset(now time.Time, warn time.Duration) Clock {
	c.Told = min(c.Told, c.Level(now, warn))
	return c
}

// Next returns when there is more to tell than was told; nil for never.
func (c Clock) Next(warn time.Duration) *time.Time {
	switch {
	case c.Due == nil || c.Told == Over:
		return nil
	case c.Told == Soon || warn == 0:
		return c.Due
	}
	return new(c.Due.Add(-warn))
}

// First returns the first of the instants at which there is more to tell of some clocks;
// nil for never.
func First(warn time.Duration, clocks ...Clock) (first *time.Time) {
	for _, c := range clocks {
		if next := c.Next(warn); next != nil && (first == nil || next.Before(*first)) {
			first = next
		}
	}
	return first
}
