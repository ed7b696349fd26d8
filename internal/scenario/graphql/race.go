//go:build race

package graphql

const raceEnabled = true // the race detector makes everything several times slower
