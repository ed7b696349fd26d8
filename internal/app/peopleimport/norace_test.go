//go:build !race

package peopleimport

const raceEnabled = false
