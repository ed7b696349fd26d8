package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestCompletion answers a shell that completes a command line.
func TestCompletion(t *testing.T) {
	for line, want := range map[string]string{
		"workforce back":                   "backup",
		"workforce user re":                "recover",
		"workforce serve --database x --f": "--files",
		"workforce serve --log-format=":    "",
		"workforce serve --log-format ":    "json",
		"workforce completion f":           "fish",
	} {
		t.Setenv("COMP_LINE", line)
		out, code, said := ended()
		if got := strings.Fields(out); code != 0 || (want != "" && !slices.Contains(got, want)) {
			t.Errorf("%s: %q, %d %s", line, got, code, said)
		}
	}
}

// TestCompletionScripts prints scripts that the shells, where there are any, can read.
func TestCompletionScripts(t *testing.T) {
	for shell := range scripts {
		out, code, said := ended("completion", shell)
		if code != 0 || !strings.Contains(out, "workforce") {
			t.Fatalf("%s: %q, %d %s", shell, out, code, said)
		}
		if path, err := exec.LookPath(shell); err == nil {
			read := exec.CommandContext(t.Context(), path, "-n")
			read.Stdin = strings.NewReader(out)
			if text, err := read.CombinedOutput(); err != nil {
				t.Errorf("%s: %v %s", shell, err, text)
			}
		}
	}
	if _, code, _ := ended("completion", "tcsh"); code != 2 {
		t.Errorf("status %d of an unknown shell, want 2", code)
	}
}
