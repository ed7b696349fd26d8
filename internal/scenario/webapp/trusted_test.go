package webapp

import (
	"path/filepath"
	"testing"

	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// TestTrustedDocuments uses the app where the server runs the operations of a manifest, and the app's own, alone; and
// in a tab of another version of the app.
func TestTrustedDocuments(t *testing.T) {
	t.Parallel()
	s := harness.New(t, testdb.SQLite(t), atLocalhost, func(c *server.Config) {
		c.TrustedDocuments = filepath.Join("..", "graphql", "testdata", "codegen")
	})
	useAs(t, s, manager, "trusted.mjs", map[string]any{"serviceWorkers": "block"}, map[string]func(string) string{})
}
