// Package permissions tests who may do what: every operation in every role, through
// both APIs of the whole server.
package permissions

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
