// Package backup tries backups of whole servers, on SQLite and on MariaDB, and restores into both.
package backup

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
