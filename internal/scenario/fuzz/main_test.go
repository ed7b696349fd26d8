// Package fuzz drives both APIs with requests at random, made by their schemas, and
// holds every answer to what the schemas allow.
package fuzz

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
