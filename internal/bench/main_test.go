package bench

import (
	"log"
	"os"
	"testing"

	"workforce/internal/testdb"
)

func TestMain(m *testing.M) {
	if at := os.Getenv(aloneDatabase); at != "" {
		log.Fatal(serveAlone(at, os.Getenv(aloneKey)))
	}
	os.Exit(testdb.Main(m))
}
