// Package faults stops, freezes and kills servers and databases under load, and compares
// all that was acknowledged with the rows that are there.
package faults

import (
	"flag"
	"os"
	"testing"
	"time"

	"workforce/internal/testdb"
)

// long is how long each test goes on; 0 is its short form. make faults sets it.
var long = flag.Duration("faults", 0, "how long each test of faults goes on; 0 is its short form")

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// times repeats a test of faults: once, or until long is over.
func times(t *testing.T, test func(t *testing.T, n int)) {
	t.Helper()
	began := time.Now()
	for n := 0; n == 0 || time.Since(began) < *long && !t.Failed(); n++ {
		test(t, n)
	}
}
