// Package swap is the use cases of single days: what somebody works on a date instead of
// the usual plan, and requests for it.
package swap

import (
	"context"

	"workforce/internal/app/organization"
	"workforce/internal/app/scheduling"
)

// A Service plans days and swaps shifts. Its methods are safe for concurrent use.
type Service struct {
	Plans *scheduling.Planner
	// Managers returns who leads whom in the viewer's company.
	Managers func(context.Context) (*organization.Managers, error)
}
