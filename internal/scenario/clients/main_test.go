// Package clients tries what developers of clients copy: the sample clients of docs/clients, and the
// lines of the README.
package clients

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// missing skips a test where a program is not there. In CI it must be.
func missing(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip("SKIPPED: ", why)
}
