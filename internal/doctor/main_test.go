package doctor

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
