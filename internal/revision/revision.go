// Package revision says how a correction changes an attendance, and how it is undone. What
// was measured at a clock event stays; only times, the work site and what follows from them
// change.
package revision

import (
	"time"

	"workforce/internal/shift"
)

// Source is the source of an end whose time a correction set.
const Source = "correction"

// An End is one end of an attendance.
type End struct {
	At         time.Time  `json:"at"`
	Local      string     `json:"local"`  // wall time, 2006-01-02T15:04:05
	Offset     int        `json:"offset"` // seconds east of UTC
	Zone       string     `json:"zone"`   // IANA name
	Source     string     `json:"source"`
	ReceivedAt *time.Time `json:"receivedAt,omitempty"` // of a clock-out: when the server heard of it
}

// A Version is an attendance at one time. The zero value is none.
type Version struct {
	In                End    `json:"in,omitzero"`
	Out               *End   `json:"out,omitempty"` // nil while it is open
	AddressID         int    `json:"addressId,omitempty"`
	NeedsConfirmation bool   `json:"needsConfirmation,omitempty"`
	ClosingRule       string `json:"closingRule,omitempty"` // what closed it; "" where somebody clocked out
}

// Exists reports whether there is an attendance.
func (v Version) Exists() bool { return !v.In.At.IsZero() }

// A Change is what a correction asks for. What is nil stays.
type Change struct {
	In, Out   *time.Time
	AddressID *int
}

// Apply returns the version after a change that is approved now. Times are told in a zone
// of the occurrence. A clock-out is confirmed by it, whether it changes or not.
func (c Change) Apply(before Version, zone *time.Location, now time.Time) Version {
	after := before
	if c.In != nil {
		after.In = endAt(*c.In, zone)
	}
	if c.Out != nil {
		out := endAt(*c.Out, zone)
		out.ReceivedAt = &now
		after.Out, after.ClosingRule = &out, ""
	}
	if c.AddressID != nil {
		after.AddressID = *c.AddressID
	}
	after.NeedsConfirmation = false
	return after
}

// endAt returns an end that a correction sets.
func endAt(at time.Time, zone *time.Location) End {
	local, offset := shift.Wall(at, zone)
	return End{At: at, Local: local, Offset: offset, Zone: zone.String(), Source: Source}
}

// Equal reports whether two versions are the same.
func (v Version) Equal(other Version) bool {
	switch {
	case v.AddressID != other.AddressID || v.NeedsConfirmation != other.NeedsConfirmation || v.ClosingRule != other.ClosingRule || !v.In.equal(other.In):
		return false
	case v.Out == nil || other.Out == nil:
		return v.Out == other.Out
	}
	return v.Out.equal(*other.Out)
}

func (e End) equal(other End) bool {
	return e.At.Equal(other.At) && e.Local == other.Local && e.Offset == other.Offset && e.Zone == other.Zone && e.Source == other.Source
}

// Covers returns the time that a version covers; an open one lasts for as long as an
// attendance lasts at most.
func (v Version) Covers(longest time.Duration) shift.Interval {
	if v.Out == nil {
		return shift.Interval{Start: v.In.At, End: v.In.At.Add(longest)}
	}
	return shift.Interval{Start: v.In.At, End: v.Out.At}
}

// Overlap reports whether two half-open intervals have an instant in common.
func Overlap(a, b shift.Interval) bool { return a.Start.Before(b.End) && b.Start.Before(a.End) }
