package timesheet

import (
	"slices"
	"time"

	"workforce/internal/shift"
)

// A Punch is an event of a time clock that tells less than an attendance. No operation takes
// one: the tests pair them as worked intervals are. Kind is In, Out, or "" where the clock does not
// tell which: then every other is an in.
type Punch struct {
	At   time.Time
	Kind Kind
}

// A Kind says what a punch is.
type Kind string

// The kinds of punches.
const (
	In  Kind = "in"
	Out Kind = "out"
)

// Pairs returns the worked intervals of punches, in any order: each from an in to the next
// out. An out without an in, an in after an in, and an in without an out do not count.
func Pairs(punches []Punch) (out []shift.Interval) {
	var in *Punch
	for _, p := range byTime(punches) {
		switch {
		case in == nil && p.Kind != Out:
			in = &p
		case in != nil && p.Kind != In:
			out = append(out, shift.Interval{Start: in.At, End: p.At})
			in = nil
		}
	}
	return Union(out)
}

// FirstLast returns the interval from the first in to the last out of punches, in any
// order; none where there is none.
func FirstLast(punches []Punch) []shift.Interval {
	punches = byTime(punches)
	first := slices.IndexFunc(punches, func(p Punch) bool { return p.Kind != Out })
	if first < 0 {
		return nil
	}
	for _, p := range slices.Backward(punches) {
		if p.Kind != In {
			return Union([]shift.Interval{{Start: punches[first].At, End: p.At}})
		}
	}
	return nil
}

// byTime returns punches in the order of time.
func byTime(punches []Punch) []Punch {
	return slices.SortedStableFunc(slices.Values(punches), func(a, b Punch) int { return a.At.Compare(b.At) })
}
