// Package audit tests, on the whole server, the audit events.
package audit

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "audit", Run: auditScenarios},
}
