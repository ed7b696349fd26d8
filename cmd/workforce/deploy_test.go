package main

import (
	"os"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// TestDeployedSettings holds the variables that deploy sets, and the chart's names of settings, to the flags of serve.
func TestDeployedSettings(t *testing.T) {
	out := printConfig(t)
	for file, least := range map[string]int{
		"chart/templates/deployment.yaml": 9, "compose.yaml": 9, "Dockerfile": 4, "../.ci/chart/chart_test.go": 9,
	} {
		text, err := os.ReadFile("../../deploy/" + file)
		if err != nil {
			t.Fatal(err)
		}
		names := regexp.MustCompile(`\bWORKFORCE_[A-Z][A-Z_]*[A-Z]\b`).FindAllString(string(text), -1)
		if len(names) < least {
			t.Errorf("%s has %d variables, want at least %d", file, len(names), least)
		}
		for _, name := range names {
			if !regexp.MustCompile(`(?m)^(# )?` + name + `=`).MatchString(out) {
				t.Errorf("%s sets %s, which is no flag of serve", file, name)
			}
		}
	}
}

// TestDeployedStop has Kubernetes wait for as long as serve takes to stop.
func TestDeployedStop(t *testing.T) {
	text, err := os.ReadFile("../../deploy/chart/templates/deployment.yaml")
	if err != nil {
		t.Fatal(err)
	}
	given := regexp.MustCompile(`terminationGracePeriodSeconds: (\d+)`).FindSubmatch(text)
	stops := regexp.MustCompile(`(?m)^WORKFORCE_SHUTDOWN_TIMEOUT=(.+)$`).FindStringSubmatch(printConfig(t))
	if given == nil || stops == nil {
		t.Fatal("no times")
	}
	seconds, err := strconv.Atoi(string(given[1]))
	if err != nil {
		t.Fatal(err)
	}
	takes, err := time.ParseDuration(stops[1])
	if err != nil {
		t.Fatal(err)
	}
	if wait := time.Duration(seconds) * time.Second; wait < takes+5*time.Second {
		t.Errorf("serve stops within %v, and is killed after %v", takes, wait)
	}
}
