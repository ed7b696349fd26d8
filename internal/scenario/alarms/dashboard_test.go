package alarms

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

// TestDashboard has Prometheus's tool read each query of the dashboard, whose metrics a server that has
// worked shows.
func TestDashboard(t *testing.T) {
	text, err := os.ReadFile("../../../deploy/grafana/workforce.json")
	if err != nil {
		t.Fatal(err)
	}
	var board struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &board); err != nil {
		t.Fatal(err)
	}
	var recorded strings.Builder
	recorded.WriteString("groups: [{name: dashboard, rules: [\n")
	shown := ""
	for _, p := range board.Panels {
		for _, target := range p.Targets {
			expr := strings.NewReplacer("$__rate_interval", "5m", "$instance", ".*").Replace(target.Expr)
			fmt.Fprintf(&recorded, "{record: 'panel:%d', expr: %q},\n", recorded.Len(), expr)
			shown += expr + "\n"
		}
	}
	recorded.WriteString("]}]\n")
	file := filepath.Join(t.TempDir(), "dashboard.yaml")
	if err := os.WriteFile(file, []byte(recorded.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := promtool(t, "check", "rules", file); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	s := harness.New(t, testdb.SQLite(t))
	s.SignIn(t, "budi", "budi@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	s.Must(t, []apitest.Scenario{harness.ClockIn("budi")})
	s.Send(t, "POST", "/attendance/clockIn", `{"addressId":"999999999"}`, s.HeaderOf("budi"))
	metrics := scrape(s) + "workforce_clock_ahead_seconds 0\nworkforce_jobs{} 0\n" // of MariaDB, and once jobs fail
	for _, name := range regexp.MustCompile(`\b(?:workforce|go|http|process)_\w+`).FindAllString(shown, -1) {
		if !regexp.MustCompile(`(?m)^` + name + `[ {]`).MatchString(metrics) {
			t.Errorf("no server has the metric %s", name)
		}
	}
}
