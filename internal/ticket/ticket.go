// Package ticket holds the rules of tickets: which status may follow which.
package ticket

import "slices"

// A Status is that of a ticket. Waiting is none: it is a hold of the clock.
type Status string

// The statuses.
const (
	Open       Status = "open"
	InProgress Status = "in_progress"
	Resolved   Status = "resolved"
	Closed     Status = "closed"
)

// follows are the statuses that may follow each.
var follows = map[Status][]Status{
	Open:       {InProgress, Resolved, Closed},
	InProgress: {Open, Resolved, Closed},
	Resolved:   {Open, InProgress, Closed},
	Closed:     {Open},
}

// Follows reports whether a ticket may go from one status to another; it may always stay.
// A closed one may only be opened again.
func Follows(from, to Status) bool { return from == to || slices.Contains(follows[from], to) }

// Done reports whether nobody works on a ticket any more.
func (s Status) Done() bool { return s == Resolved || s == Closed }
