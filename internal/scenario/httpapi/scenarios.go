// Package httpapi tests, on the whole server, what all HTTP requests have in common: headers, languages, errors, caching.
package httpapi

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "http", Run: httpScenarios, SQLite: true},
}
