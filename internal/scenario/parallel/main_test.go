// Package parallel tests, on the whole server, what requests that arrive at the same
// time are answered and which rows they leave.
package parallel

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
