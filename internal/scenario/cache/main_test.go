// Package cache tests, on the whole server, the response cache and the cache of identities.
package cache

import (
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }
