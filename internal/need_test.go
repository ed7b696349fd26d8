package internal_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fakes are the programs that .ci/need calls. FAKE_UID and FAKE_APT say what they
// answer; an installed package puts its program into the first folder of PATH.
var fakes = map[string]string{
	"id":        `echo "$FAKE_UID"`,
	"apt-cache": `[ "$FAKE_APT" = empty ] || echo "chromium - web browser"`,
	"apt-get": `[ "$FAKE_APT" != offline ] || { echo "E: no network" >&2; exit 100; }
case $1 in install) cp "$0" "${PATH%%:*}/chromium" ;; esac`,
}

// TestNeed runs .ci/need where Chromium is not installed: it installs it as root, and
// else says in one line what to install, which is an error in CI alone.
func TestNeed(t *testing.T) {
	tests := []struct {
		name, uid, apt, ci string
		ok                 bool
		want               string // the last line
	}{
		{"root", "0", "works", "", true, "chromium is missing: installing it with apt-get"},
		{"root in CI", "0", "works", "true", true, "chromium is missing: installing it with apt-get"},
		{"not root", "1000", "works", "", true, "chromium is missing: install Chromium (Debian: apt-get install chromium)"},
		{"not root in CI", "1000", "works", "true", false, "chromium is missing: install Chromium (Debian: apt-get install chromium)"},
		{"no network", "0", "offline", "", true, "chromium is missing and apt-get does not install it: install Chromium (Debian: apt-get install chromium)"},
		{"no network in CI", "0", "offline", "true", false, "chromium is missing and apt-get does not install it: install Chromium (Debian: apt-get install chromium)"},
		{"no such package", "0", "empty", "", true, "chromium is missing and apt-get does not install it: install Chromium (Debian: apt-get install chromium)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bin := t.TempDir()
			for name, body := range fakes {
				if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for _, name := range []string{"cut", "cp"} {
				path, err := exec.LookPath(name)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command("/bin/sh", "../.ci/need", "chromium")
			cmd.Env = []string{"PATH=" + bin, "FAKE_UID=" + tt.uid, "FAKE_APT=" + tt.apt, "CI=" + tt.ci}
			out, err := cmd.CombinedOutput()
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			if (err == nil) != tt.ok || lines[len(lines)-1] != tt.want {
				t.Errorf("%v, want success: %v\n%swant %s", err, tt.ok, out, tt.want)
			}
			if tt.uid != "0" && len(lines) > 1 {
				t.Errorf("%d lines:\n%s", len(lines), out)
			}
			if _, err := os.Stat(filepath.Join(bin, "chromium")); (err == nil) != (tt.uid == "0" && tt.apt == "works") {
				t.Errorf("installed: %v\n%s", err == nil, out)
			}
		})
	}
}
