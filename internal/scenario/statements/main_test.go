// Package statements tests, on the whole server, the number of SQL statements.
package statements

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
