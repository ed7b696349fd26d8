// Package hostile sends requests that are made to cost much, and measures what
// they cost the server's process.
package hostile

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
