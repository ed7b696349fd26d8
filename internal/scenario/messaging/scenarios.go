// Package messaging tests, on the whole server, messages, mail, the gateway and its delivery reports.
package messaging

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "messaging", Run: messagingScenarios, SQLite: true},
	{Name: "callback", Run: callbackScenarios},
	{Name: "messages sent again", Run: againScenarios},
}
