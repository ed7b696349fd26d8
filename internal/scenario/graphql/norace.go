//go:build !race

package graphql

const raceEnabled = false
