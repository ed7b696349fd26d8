// Package roster is the use cases of shifts, of who has them, and of single days: what somebody
// works on a date instead of the usual plan, and requests for it.
package roster

import (
	"context"

	"workforce/internal/app/organization"
	"workforce/internal/app/scheduling"
)

// A Service manages shifts, assignments, rotations, fallbacks, planned days and swaps. Its
// methods are safe for concurrent use.
type Service struct {
	Plans *scheduling.Planner
	// Managers returns who leads whom in the viewer's company; for swaps.
	Managers func(context.Context) (*organization.Managers, error)
}

// maxPeople is how many people one call gives a shift.
const maxPeople = 1000
