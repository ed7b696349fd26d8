package shift

import (
	"time"
)

// An Employment is when somebody is employed: from their first to their last day of work, both
// whole, in the time zone of their company. A zero instant is no bound.
type Employment struct {
	From  time.Time // start of the first day
	Until time.Time // end of the last day, which is the start of the next
}

// EmploymentBetween returns the period of a first and a last day, 2006-01-02, in a zone; nil is
// no bound.
func EmploymentBetween(first, last *string, zone *time.Location) Employment {
	var p Employment
	if first != nil {
		p.From = Date(*first).In(zone)
	}
	if last != nil {
		p.Until = Date(*last).AddDays(1).In(zone)
	}
	return p
}

// Contains reports whether somebody is employed at an instant.
func (p Employment) Contains(t time.Time) bool {
	return !t.Before(p.From) && (p.Until.IsZero() || t.Before(p.Until))
}
