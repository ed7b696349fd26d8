// Package employment decides when a person is employed: from their first to their last
// day of work, both whole, in the time zone of their company.
package employment

import (
	"time"

	"workforce/internal/shift"
)

// A Period is when somebody is employed. A zero instant is no bound.
type Period struct {
	From  time.Time // start of the first day
	Until time.Time // end of the last day, which is the start of the next
}

// Between returns the period of a first and a last day, 2006-01-02, in a zone; nil is
// no bound.
func Between(first, last *string, zone *time.Location) Period {
	var p Period
	if first != nil {
		p.From = shift.Date(*first).In(zone)
	}
	if last != nil {
		p.Until = shift.Date(*last).AddDays(1).In(zone)
	}
	return p
}

// Contains reports whether somebody is employed at an instant.
func (p Period) Contains(t time.Time) bool {
	return !t.Before(p.From) && (p.Until.IsZero() || t.Before(p.Until))
}
