// Package live tries subscriptions on whole servers: who is told of what, over
// WebSocket and server-sent events, and how connections end.
package live

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
