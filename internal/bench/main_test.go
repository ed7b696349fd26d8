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
	if addr := os.Getenv(aloneProbe); addr != "" {
		log.Fatal(probeAlone(addr))
	}
	os.Exit(testdb.Main(m))
}
