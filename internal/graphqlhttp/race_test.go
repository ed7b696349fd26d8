//go:build race

package graphqlhttp

const raceEnabled = true
