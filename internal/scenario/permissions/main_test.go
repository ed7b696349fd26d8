// Package permissions tests, on the whole server, the table of permissions.
package permissions

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
