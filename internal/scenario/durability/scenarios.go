// Package durability tests, on the whole server, what outlives crashes, lost connections and repeated requests, and the built command.
package durability

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "idempotency keys", Run: idempotencyScenarios},
}
