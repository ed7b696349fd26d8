package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfigFile gives settings by a file: flags win over the environment, and that over the file.
func TestConfigFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "workforce.yaml")
	text := `# comments are kept out
addr: 127.0.0.1:1
log-level: debug
cache: 1MiB
backup-keep: 3
playground: false
access-life: 10m
clock: null
trusted-proxies:
  - 10.0.0.0/8
  - 192.168.0.0/16
country: "SG"
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("WORKFORCE_LOG_LEVEL", "warn")
	t.Setenv("WORKFORCE_COUNTRY", "MY")
	check := func(out string) {
		t.Helper()
		for _, line := range []string{
			"WORKFORCE_ADDR=127.0.0.1:1", "WORKFORCE_LOG_LEVEL=warn", "WORKFORCE_CACHE=1MiB", "WORKFORCE_BACKUP_KEEP=3",
			"WORKFORCE_PLAYGROUND=false", "WORKFORCE_ACCESS_LIFE=10m", "WORKFORCE_TRUSTED_PROXIES=10.0.0.0/8,192.168.0.0/16",
			"WORKFORCE_COUNTRY=ID", "# WORKFORCE_CLOCK=",
		} {
			if !strings.Contains("\n"+out, "\n"+line+"\n") {
				t.Errorf("no line %s in\n%s", line, out)
			}
		}
	}
	check(printConfig(t, "--config", path, "--country=ID"))
	t.Setenv("WORKFORCE_CONFIG", path)
	check(printConfig(t, "--country=ID"))
}

// TestConfigFileOfCommands has other commands take from the file what flags they share with serve.
func TestConfigFileOfCommands(t *testing.T) {
	dir := t.TempDir()
	at := newDatabase(t, dir)
	path := filepath.Join(dir, "workforce.yaml")
	text := "database: " + strings.TrimPrefix(at, "--database=") + "\naddr: 127.0.0.1:1\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := command(t, nil, "user", "list", "--config", path); err != "" || !strings.Contains(out, "COMPANY") {
		t.Errorf("%q %s", out, err)
	}
}

// TestConfigFileFaults refuses files, with the line at fault.
func TestConfigFileFaults(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct{ text, want string }{
		"an unknown setting":    {"addr: 127.0.0.1:1\nadress: x\n", `line 2: there is no setting "adress"; workforce serve`},
		"a setting of --config": {"config: other.yaml\n", `line 1: there is no setting "config"`},
		"a flag with its --":    {"--addr: x\n", `line 1: there is no setting "--addr"`},
		"a mapping":             {"addr:\n  host: x\n", "line 1: must be a value, or a list of values"},
		"a list of text":        {"- addr\n", "must have a line NAME: VALUE for each setting"},
		"twice":                 {"addr: x\naddr: y\n", "[2:1] mapping key \"addr\" already defined at [1:1]"},
		"no YAML":               {"addr: [x\n", "[1:7] sequence end token ']' not found"},
		"a wrong value":         {"backup-every: often\n", `--backup-every: "often" must be a duration such as 90s`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, "faulty.yaml")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, code, said := ended("config", "print", "--config", path)
			if code != 2 || !strings.Contains(said, tt.want) {
				t.Errorf("status %d, %s", code, said)
			}
		})
	}
	if _, code, said := ended("config", "print", "--config", filepath.Join(dir, "none.yaml")); code != 2 ||
		!strings.Contains(said, "no such file") {
		t.Errorf("status %d, %s", code, said)
	}
}

// ended runs a command, and returns what it printed, its exit status and what it says of that.
func ended(args ...string) (out string, code int, said string) {
	var b strings.Builder
	err := run(context.Background(), args, streams{strings.NewReader(""), &b, &b})
	if err != nil {
		said = err.Error()
	}
	return b.String(), exitStatus(err), said
}
