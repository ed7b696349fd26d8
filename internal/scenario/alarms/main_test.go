// Package alarms causes what operators are alarmed of, and has Prometheus's own tool say which alarms
// the metrics of then set off.
package alarms

import (
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// rules is the file of the alarms.
const rules = "../../../deploy/prometheus/workforce.rules.yaml"

// promtool runs Prometheus's tool.
func promtool(t *testing.T, args ...string) (string, error) {
	t.Helper()
	path, err := exec.LookPath("promtool")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("no promtool (Debian: as root .ci/need promtool)")
		}
		t.Skip("SKIPPED, alarms are not tested: no promtool (Debian: as root .ci/need promtool)")
	}
	out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
	return string(out), err
}

// scrape reads the metrics of a server as Prometheus does.
func scrape(s *harness.Server) string {
	w := httptest.NewRecorder()
	s.Admin.ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		return ""
	}
	return w.Body.String()
}

var (
	sample  = regexp.MustCompile(`(?m)^(\w+)(\{.*\})? (\S+)$`)
	rising  = regexp.MustCompile(`(?m)^# TYPE (\w+) (?:counter|histogram)$`)
	ofGroup = regexp.MustCompile(`_(bucket|sum|count)$`)
)

// A state is a scrape: values by series, and the names of those that only rise.
type state struct {
	values map[string]string
	rise   map[string]bool
}

func parse(text string) state {
	s := state{map[string]string{}, map[string]bool{}}
	for _, m := range rising.FindAllStringSubmatch(text, -1) {
		s.rise[m[1]] = true
	}
	for _, m := range sample.FindAllStringSubmatch(text, -1) {
		labels := strings.TrimSuffix(strings.TrimPrefix(m[2], "{"), "}")
		if labels != "" {
			labels += ","
		}
		s.values[m[1]+"{"+labels+`instance="one",job="workforce"}`] = strings.Replace(m[3], "+Inf", "Inf", 1)
	}
	up := "1"
	if text == "" {
		up = "0"
	}
	s.values[`up{instance="one",job="workforce"}`] = up
	return s
}

// calm is for how many minutes all is as before, and trouble for how many what was caused goes on.
const calm, trouble = 30, 120

// history are the values of a series by the minute: at first as before, then as after, and what only
// rises goes on to rise as fast.
func history(name string, before, after state) string {
	old, known := before.values[name]
	value, still := after.values[name]
	metric, _, _ := strings.Cut(name, "{")
	var all []string
	for range calm {
		if !known {
			old = "_"
			if before.rise[metric] || before.rise[ofGroup.ReplaceAllString(metric, "")] {
				old = "0"
			}
		}
		all = append(all, old)
	}
	var from, to float64
	_, _ = fmt.Sscan(old, &from)
	_, _ = fmt.Sscan(value, &to)
	for n := range trouble {
		switch {
		case !still:
			all = append(all, "_")
		case after.rise[metric] || after.rise[ofGroup.ReplaceAllString(metric, "")]:
			all = append(all, fmt.Sprint(from+float64(n+1)*(to-from)))
		default:
			all = append(all, value)
		}
	}
	return strings.Join(all, " ")
}

// setsOff holds that an alarm is quiet before something and goes off after it.
func setsOff(t *testing.T, alarm, before, after string) {
	t.Helper()
	first, then := parse(before), parse(after)
	absolute, err := filepath.Abs(rules)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rule_files: [%q]\ntests:\n- interval: 1m\n  input_series:\n", absolute)
	names := map[string]bool{}
	for _, s := range []state{first, then} {
		for name := range s.values {
			if !names[name] && !strings.HasPrefix(name, "go_memstats") {
				fmt.Fprintf(&b, "  - {series: '%s', values: '%s'}\n", name, history(name, first, then))
			}
			names[name] = true
		}
	}
	firing := fmt.Sprintf("ALERTS{alertname=%q,alertstate=\"firing\"}", alarm)
	fmt.Fprintf(&b, "  promql_expr_test:\n  - {expr: 'count(%s)', eval_time: %dm, exp_samples: []}\n", firing, calm-1)
	fmt.Fprintf(&b, "  - expr: 'clamp_max(count(max_over_time(%s[%dm])), 1)'\n", firing, trouble)
	fmt.Fprintf(&b, "    eval_time: %dm\n    exp_samples: [{labels: '{}', value: 1}]\n", calm+trouble-1)
	file := filepath.Join(t.TempDir(), "history.yaml")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := promtool(t, "test", "rules", file); err != nil {
		t.Errorf("%s: %v\n%s", alarm, err, out)
	}
}
