// Package live tries subscriptions on whole servers: who is told of what, over
// WebSocket and server-sent events, and how connections end.
package live

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
