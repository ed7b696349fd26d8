// Package roster is the use cases of shifts and of who has them.
package roster

import "workforce/internal/app/scheduling"

// A Service manages shifts, assignments, rotations and fallbacks. Its methods are safe for
// concurrent use.
type Service struct{ Plans *scheduling.Planner }

// maxPeople is how many people one call gives a shift.
const maxPeople = 1000
