// Package task holds the rules of tasks: which status may follow which, when a recurring
// task is due, and by which words a task is found.
package task

import "slices"

// A Status is that of a task.
type Status string

// The statuses.
const (
	Open       Status = "open"
	InProgress Status = "in_progress"
	Done       Status = "done"
	Cancelled  Status = "cancelled"
)

// follows are the statuses that may follow each.
var follows = map[Status][]Status{
	Open:       {InProgress, Done, Cancelled},
	InProgress: {Open, Done, Cancelled},
	Done:       {Open, InProgress},
	Cancelled:  {Open},
}

// Follows reports whether a task may go from one status to another; it may always stay.
// A done task may be reopened but not cancelled, a cancelled one only be reopened.
func Follows(from, to Status) bool { return from == to || slices.Contains(follows[from], to) }
