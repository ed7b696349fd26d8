package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"workforce/internal/database"
)

// TestJSON holds what commands print with --json, and how they end.
func TestJSON(t *testing.T) {
	dir := t.TempDir()
	at := "--database=sqlite:" + filepath.Join(dir, "w.db")
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	people := file("people.csv", "name,email\nSiti,siti@acme.test\n")
	faulty := file("faulty.csv", "name,email\n,siti@acme.test\n")
	days := file("days.ics", strings.ReplaceAll(`BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//test//EN
BEGIN:VEVENT
UID:1
DTSTART;VALUE=DATE:20270319
SUMMARY:Nyepi
END:VEVENT
END:VCALENDAR
`, "\n", "\r\n"))
	steps := []struct {
		name, args string
		code       int
		want       []string // in the JSON
	}{
		{"nothing to see yet", "migrate status", 1, nil},
		{"version", "version", 0, []string{`"version"`, `"revision"`}},
		{"company", "company create --name=Acme --timezone=Asia/Jakarta", 0, []string{`"id": 1`}},
		{"all applied", "migrate status", 0, []string{`"appliedAt": "20`, `"name": "00001`}},
		{"user", "user create --company=1 --name=Sri --email=sri@acme.test", 0, []string{`"id": 1`}},
		{"people, dry", "import users " + people + " --company=1 --dry-run", 3,
			[]string{`"created": 1`, `"written": false`, `"dryRun": true`, `"faults": []`}},
		{"people", "import users " + people + " --company=1", 0, []string{`"created": 1`, `"written": true`}},
		{"people again, dry", "import users " + people + " --company=1 --dry-run", 0, []string{`"created": 0`}},
		{"faults", "import users " + faulty + " --company=1 --dry-run", 1,
			[]string{`"row": 2`, `"column": "name"`, `"code": "VALIDATION_FAILED/required"`, `"faultCount": 1`}},
		{"holidays, dry", "import holidays " + days + " --company=1 --dry-run", 3,
			[]string{`"date": "2027-03-19"`, `"name": "Nyepi"`}},
		{"holidays", "import holidays " + days + " --company=1", 0, []string{`"unchanged": 0`}},
		{"holidays again, dry", "import holidays " + days + " --company=1 --dry-run", 0,
			[]string{`"unchanged": 1`, `"added": []`}},
		{"users", "user list", 0, []string{`"email": "siti@acme.test"`}},
		{"operations", "operations check " + t.TempDir(), 0, []string{`"endpoints": 5`}},
		{"an unknown flag", "user list --nothing", 2, nil},
	}
	for _, s := range steps {
		args := append(strings.Fields(s.args), "--json")
		if !strings.HasPrefix(s.args, "version") && !strings.HasPrefix(s.args, "operations") {
			args = append(args, at)
		}
		if s.name == "company" {
			if _, code, said := ended("migrate", "up", at); code != 0 {
				t.Fatal(said)
			}
		}
		out, code, said := ended(args...)
		if code != s.code || len(s.want) > 0 && !json.Valid([]byte(out)) {
			t.Errorf("%s: status %d, %s\n%s", s.name, code, said, out)
		}
		for _, want := range s.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %s in\n%s", s.name, want, out)
			}
		}
	}
	out, code, _ := ended("config", "print", "--json", "--sms-url=https://gateway.test", "--sms-secret=hunter2")
	if code != 0 || strings.Contains(out, "hunter2") || !strings.Contains(out, `"secret": true`) {
		t.Errorf("status %d\n%s", code, out)
	}
}

// TestPending ends migrate status as a dry run that would change something.
func TestPending(t *testing.T) {
	dir := t.TempDir()
	at := newDatabase(t, dir)
	db, err := database.Open(strings.TrimPrefix(at, "--database="), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	newest := "(SELECT version_id FROM goose_db_version ORDER BY version_id DESC LIMIT 1)"
	if _, err := db.Writer.Exec("DELETE FROM goose_db_version WHERE version_id = " + newest); err != nil {
		t.Fatal(err)
	}
	out, code, said := ended("migrate", "status", "--json", at)
	if code != 3 || said != "" || strings.Count(out, `"appliedAt": null`) != 1 {
		t.Errorf("status %d, %q\n%s", code, said, out)
	}
}
