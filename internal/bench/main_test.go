package bench

import (
	"log"
	"os"
	"strings"
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
	if servers := os.Getenv(aloneBalancer); servers != "" {
		log.Fatal(balanceAlone(strings.Split(servers, ",")))
	}
	os.Exit(testdb.Main(m))
}
