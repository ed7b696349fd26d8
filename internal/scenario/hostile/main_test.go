// Package hostile sends requests that are made to cost much, and measures what
// they cost the server's process.
package hostile

import (
	"flag"
	"os"
	"testing"

	"workforce/internal/testdb"
)

// TestMain has eight tests run at once, of which most wait.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(testdb.Main(m))
}
