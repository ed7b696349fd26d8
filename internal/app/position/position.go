// Package position decides which positions of a phone are stored, and which of those are
// shown.
package position

import (
	"math"
	"slices"
	"time"

	"workforce/internal/geofence"
)

// A Drop is why a position is not stored; "" for one that is.
type Drop string

// The reasons, the one that counts before others first.
const (
	NoConsent Drop = "no_consent"
	Ahead     Drop = "ahead"
	TooOld    Drop = "too_old"
	OffDuty   Drop = "off_duty"
)

// Hidden is why a stored position is not shown; "" for one that is.
type Hidden string

// The reasons, the one that counts before others first.
const (
	Invalid    Hidden = "invalid"    // not on Earth, 0,0, or with a negative accuracy
	Inaccurate Hidden = "inaccurate" // by more metres than allowed
	Impossible Hidden = "impossible" // faster from the last shown one than allowed
	Still      Hidden = "still"      // the place of the last shown one, soon after it
)

// A position is still where it is nearer than stillMeters to the last shown one, and
// less than heartbeat after it.
const (
	stillMeters = 10
	heartbeat   = 15 * time.Minute
)

// An Interval is one of work: from clock-in to clock-out, both included. A zero To is
// open.
type Interval struct{ From, To time.Time }

// Duty says when positions of a person are stored.
type Duty struct {
	Consent  bool
	Earliest time.Time
	Latest   time.Time
	Worked   []Interval
}

// Drop returns why a position that was recorded at an instant is not stored.
func (d Duty) Drop(at time.Time) Drop {
	switch {
	case !d.Consent:
		return NoConsent
	case at.After(d.Latest):
		return Ahead
	case at.Before(d.Earliest):
		return TooOld
	case !slices.ContainsFunc(d.Worked, func(i Interval) bool {
		return !at.Before(i.From) && (i.To.IsZero() || !at.After(i.To))
	}):
		return OffDuty
	}
	return ""
}

// A Fix is a position at an instant.
type Fix struct {
	At       time.Time
	Point    geofence.Point
	Accuracy *float64 // metres; nil where the phone did not say
	Hidden   Hidden
}

// Limits are what positions are judged by.
type Limits struct {
	AccuracyMeters int
	SpeedKmh       int
}

// Judge sets Hidden of new positions, in the order of their instants. Each is judged
// against the one shown before it, which is another new one or a known one. Both are
// sorted in place; known ones come first at the same instant.
func (l Limits) Judge(fresh []*Fix, known []Fix) {
	slices.SortStableFunc(fresh, func(a, b *Fix) int { return a.At.Compare(b.At) })
	slices.SortStableFunc(known, func(a, b Fix) int { return a.At.Compare(b.At) })
	var last *Fix
	for _, f := range fresh {
		for len(known) > 0 && !known[0].At.After(f.At) {
			if known[0].Hidden == "" {
				last = &known[0]
			}
			known = known[1:]
		}
		if f.Hidden = l.hide(f, last); f.Hidden == "" {
			last = f
		}
	}
}

// hide returns why a position is not shown after the last shown one; nil for none.
func (l Limits) hide(f, last *Fix) Hidden {
	switch {
	case !f.Point.Valid(), f.Point.IsZero(), f.Accuracy != nil && *f.Accuracy < 0:
		return Invalid
	case f.Accuracy != nil && *f.Accuracy > float64(l.AccuracyMeters):
		return Inaccurate
	case last == nil:
		return ""
	}
	elapsed, slack := f.At.Sub(last.At), l.slack(f)+l.slack(last)
	switch {
	case math.Ceil(geofence.Speed(last.Point, f.Point, slack, elapsed)) > float64(l.SpeedKmh):
		return Impossible
	case geofence.Distance(last.Point, f.Point) < stillMeters && elapsed < heartbeat:
		return Still
	}
	return ""
}

// slack returns by how many metres a position may be off: the most that is accurate
// enough where the phone did not say.
func (l Limits) slack(f *Fix) float64 {
	if f.Accuracy == nil {
		return float64(l.AccuracyMeters)
	}
	return *f.Accuracy
}
