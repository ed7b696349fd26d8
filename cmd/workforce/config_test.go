package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// printConfig runs config print and returns what it prints.
func printConfig(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if err := run(t.Context(), append([]string{"config", "print"}, args...), streams{strings.NewReader(""), &out,
		os.Stderr}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestConfigPrintHidesSecrets prints settings that hold secrets everywhere: they are
// comments, so that nobody gives back what stands for a secret.
func TestConfigPrintHidesSecrets(t *testing.T) {
	out := printConfig(t,
		"--database", "mysql://workforce:hunter2@db.test:3306/workforce",
		"--smtp-url", "smtps://budi:hunter2@mail.test:465", "--mail-from", "no-reply@demo.test",
		"--sms-url", "https://key:hunter2@gateway.test/hunter2?key=hunter2", "--sms-secret", "hunter2")
	if strings.Contains(out, "hunter2") {
		t.Errorf("printed:\n%s", out)
	}
	const secret = " # with a secret, which is not shown"
	lines := strings.Split(out, "\n")
	for _, want := range []string{
		"# WORKFORCE_DATABASE=mysql://workforce:xxxxx@db.test:3306/workforce" + secret,
		"# WORKFORCE_SMTP_URL=smtps://mail.test:465/xxxxx" + secret, "# WORKFORCE_SMS_URL=https://gateway.test/xxxxx" +
			secret,
		"# WORKFORCE_SMS_SECRET=xxxxx" + secret, "WORKFORCE_MAIL_FROM=no-reply@demo.test",
	} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %s in\n%s", want, out)
		}
	}
}

// TestConfigPrintRoundTrip gives what was printed back, through a shell, as the
// environment.
func TestConfigPrintRoundTrip(t *testing.T) {
	folder, fonts := t.TempDir(), t.TempDir()
	font, err := os.ReadFile("../../internal/report/pdf/font/DejaVuSans.ttf")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(fonts, "a.ttf"), font, 0o600); err != nil {
		t.Fatal(err)
	}
	out := printConfig(t,
		"--addr", "0.0.0.0:80", "--admin-addr", "127.0.0.1:9090", "--public-url", "https://api.example.id/x", "--database", "sqlite:/var/my data/w.db",
		"--no-migrate", "--files", "s3://w?endpoint=https://s3.test&region=id-1", "--secret-key-file", "/etc/it's.key", "--mail-from", "Workforce <no-reply@demo.test>",
		"--password-legacy", "base64", "--broker", "rediss://redis.test:6380", "--min-app-version", "android=2.3.0,ios=2.1.0", "--update-url", "https://example.id/app?a=1&b=2",
		"--cors-origins", "https://app.example.id", "--trusted-proxies", "10.0.0.0/8,::1",
		"--operations", folder, "--fonts", fonts,
		"--introspection", "--no-playground", "--no-docs", "--log-level", "warn", "--log-format", "json", "--shutdown-timeout", "90s",
		"--access-life", "1h30m", "--user-life", "10m", "--refresh-life", "48h", "--session-life", "1000h", "--registration-limit", "7",
		"--tls-domain", "api.example.id", "--tls-domain", "www.example.id", "--tls-cache", "/var/tls cache",
		"--acme-url", "https://ca.example.id/dir", "--acme-email", "ops@example.id", "--http-addr", ":8080",
		"--backup-to", "/var/backups", "--backup-every", "12h", "--backup-keep", "30",
		"--country", "SG", "--cache", "1536KiB", "--demo", "--demo-scale", "20", "--clock", "2026-03-10T09:00:00+07:00")
	for _, want := range []string{"WORKFORCE_ACCESS_LIFE=1h30m\n", "WORKFORCE_USER_LIFE=10m\n", "WORKFORCE_REFRESH_LIFE=48h\n", "WORKFORCE_SHUTDOWN_TIMEOUT=1m30s\n",
		"WORKFORCE_CACHE=1536KiB\n", "WORKFORCE_MIGRATE=false\n", "WORKFORCE_TLS_DOMAIN=api.example.id,www.example.id\n", "WORKFORCE_INTROSPECTION=true\n", "WORKFORCE_LOG_LEVEL=warn\n", "WORKFORCE_DEMO_SCALE=20\n", "WORKFORCE_CLOCK=2026-03-10T09:00:00+07:00\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no line %sin\n%s", want, out)
		}
	}
	shell := exec.Command("/bin/sh", "-c", "set -a; eval \"$PRINTED\"; unset PRINTED; env -0")
	shell.Env = []string{"PRINTED=" + out, "PATH=" + os.Getenv("PATH")}
	env, err := shell.Output()
	if err != nil {
		t.Fatal(err)
	}
	given := 0
	for entry := range strings.SplitSeq(string(env), "\x00") {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "WORKFORCE_") {
			t.Setenv(name, value)
			given++
		}
	}
	if again := printConfig(t); again != out || given < 25 {
		t.Errorf("%d variables given back; printed\n%s\nthen\n%s", given, out, again)
	}
}

// TestRefusedFlags names the flag of a value that cannot be read, and what is allowed.
func TestRefusedFlags(t *testing.T) {
	for arg, want := range map[string]string{
		"--cache=1.5GB":            `--cache: "1.5GB" must be a whole number of bytes, KiB, MiB or GiB, such as 64MiB or 0`,
		"--cache=-1":               `--cache: "-1" must be a whole number of bytes, KiB, MiB or GiB, such as 64MiB or 0`,
		"--log-level=loud":         `--log-level: "loud" must be one of debug, info, warn, error`,
		"--refresh-life=soon":      `--refresh-life: "soon" must be a duration such as 90s, 15m or 720h`,
		"--clock=now":              `--clock: "now" must be a time such as 2026-03-10T09:00:00+07:00`,
		"--access-life=0s":         "--access-life must be at least 1s, not 0s\n--user-life must be at least 1s, not 1ms\n--country \"id\" is no ISO 3166 country code such as ID",
		"--demo-scale=0":           "--demo-scale must be between 1 and 1000, not 0",
		"--demo-scale=-1":          "--demo-scale must be between 1 and 1000, not -1",
		"--demo-scale=1001":        "--demo-scale must be between 1 and 1000, not 1001\n--demo-scale is for --demo only",
		"--demo-scale=2":           "--demo-scale is for --demo only",
		"--demo-scale=large":       `--demo-scale: expected a valid 64 bit int but got "large"`,
		"--registration-limit=all": `--registration-limit: expected a valid 64 bit int but got "all"`,
	} {
		args := []string{"config", "print", arg}
		if arg == "--access-life=0s" {
			args = append(args, "--user-life=1ms", "--country=id")
		}
		err := run(t.Context(), args, streams{strings.NewReader(""), io.Discard, io.Discard})
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", arg, err, want)
		}
	}
	t.Setenv("WORKFORCE_LOG_LEVEL", "loud")
	if err := run(t.Context(), []string{"config", "print"}, streams{strings.NewReader(""), io.Discard, io.Discard}); err == nil || !strings.Contains(err.Error(), "--log-level") {
		t.Errorf("from the environment: %v", err)
	}
}

// TestConfigPrintDefaults gives the defaults back.
func TestConfigPrintDefaults(t *testing.T) {
	out := printConfig(t)
	for _, want := range []string{"WORKFORCE_ADDR=127.0.0.1:8080\n", "WORKFORCE_ACCESS_LIFE=15m\n", "WORKFORCE_REFRESH_LIFE=720h\n", "# WORKFORCE_SMS_SECRET=\n", "# WORKFORCE_CLOCK=\n", "WORKFORCE_CACHE=64MiB\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("no line %sin\n%s", want, out)
		}
	}
}
