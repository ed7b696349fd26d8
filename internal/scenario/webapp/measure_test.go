package webapp

import (
	"os"
	"strconv"
	"testing"

	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

// TestMeasure measures, with WEB_BENCH set, how long screens take to be shown and how they
// scroll: to a manager of some twenty people, and to the owner of a company of 5,000.
func TestMeasure(t *testing.T) {
	if os.Getenv("WEB_BENCH") == "" {
		t.Skip("measured by make bench-web")
	}
	for email, scale := range map[string]int{manager: 1, demo.LargeOwner: 100} {
		t.Run(strconv.Itoa(50*scale), func(t *testing.T) {
			s := harness.New(t, testdb.SQLite(t), atLocalhost, func(c *server.Config) { c.DemoScale = scale })
			useAs(t, s, email, "measure.mjs", nil, map[string]func(string) string{})
		})
	}
}
