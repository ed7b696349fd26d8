//go:build !race

package graphqlhttp

const raceEnabled = false
