// Package graphql tests, on the whole server, the GraphQL API and its agreement with REST.
package graphql

import "workforce/internal/scenario/harness"

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{
	{Name: "graphql", Run: graphqlScenarios, SQLite: true},
}
