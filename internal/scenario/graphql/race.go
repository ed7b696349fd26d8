//go:build race

package main

const raceEnabled = true // the race detector makes everything several times slower
