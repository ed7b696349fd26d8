package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// status runs a command and returns what it printed, how it ended and what it says of that.
func status(input string, args ...string) (out string, code int, said string) {
	var b bytes.Buffer
	err := run(context.Background(), args, streams{strings.NewReader(input), &b, os.Stderr})
	if err != nil {
		said = err.Error()
	}
	return b.String(), exitStatus(err), said
}

// TestApply applies files by the command, and holds how it ends.
func TestApply(t *testing.T) {
	dir := t.TempDir()
	at := newDatabase(t, dir)
	if _, err := command(t, nil, "company", "create", "--name=Acme", "--timezone=Asia/Jakarta", at); err != "" {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "company.yaml")
	const text = "shifts:\n  - name: Pagi\n    startTime: 08:00\n    endTime: 16:00\nroles: []\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	const json = `{"shifts": [{"name": "Pagi", "startTime": "08:30", "endTime": "16:00"}]}`
	steps := []struct {
		name, input, args string
		code              int
		out, said         string
	}{
		{"no file", "", "apply --company=1", 2, "", "apply: expected <file>"},
		{"no company", "", "apply " + file, 2, "", "apply: missing flags: --company=INT"},
		{"an unknown company", "", "apply " + file + " --company=7", 1, "", "no company 7"},
		{"a file that is not there", "", "apply " + file + "x --company=1", 1, "",
			"open " + file + "x: no such file or directory"},
		{"a dry run", "", "apply " + file + " --company=1 --dry-run", 3,
			"create shifts Pagi\n1 would be created, 0 updated, 0 deleted, 0 unchanged\n", ""},
		{"for good", "", "apply " + file + " --company=1", 0,
			"create shifts Pagi\n1 created, 0 updated, 0 deleted, 0 unchanged\n", ""},
		{"again", "", "apply " + file + " --company=1", 0, "0 created, 0 updated, 0 deleted, 1 unchanged\n", ""},
		{"a dry run of the same", "", "apply " + file + " --company=1 --dry-run", 0,
			"0 would be created, 0 updated, 0 deleted, 1 unchanged\n", ""},
		{"JSON", json, "apply - --company=1", 0, "update shifts Pagi: startTime \"08:00\" → \"08:30\"\n0 created, 1 updated, 0 deleted, 0 unchanged\n", ""},
		{"faults", "shifts:\n- name: Malam\n", "apply - --company=1", 1,
			"2\tshifts\tMalam\tstartTime\tVALIDATION_FAILED/required\tThis is required.\n" +
				"2\tshifts\tMalam\tendTime\tVALIDATION_FAILED/required\tThis is required.\n", "faults: 2; nothing was changed"},
		{"faults of a dry run", "shifts:\n- name: Malam\n  startTime: 1\n  endTime: 06:00\n",
			"apply - --company=1 --dry-run --language=id", 1,
			"3\tshifts\tMalam\tstartTime\tVALIDATION_FAILED/bad_format\tHarus seperti 08:00.\n",
			"faults: 1; nothing was changed"},
		{"prune", "shifts: []\n", "apply - --company=1 --prune", 0,
			"delete shifts Pagi\n0 created, 0 updated, 1 deleted, 0 unchanged\n", ""},
		{"export", "", "export definition --company=1", 0,
			"roles: []\n\ndesignations: []\n\nbusinesses: []\n\nsites: []\n\nshifts: []\n\n" +
				"rotations: []\n\nleaveTypes: []\n\nholidays: []\n\nassignments: []\n", ""},
		{"export nothing", "", "export definition --company=7", 1, "", "no company 7"},
	}
	for _, s := range steps {
		args := strings.Fields(s.args)
		out, code, said := status(s.input, append(args, at)...)
		if out != s.out || code != s.code || said != s.said {
			t.Errorf("%s: status %d, %q, printed\n%s\nwant status %d, %q,\n%s", s.name, code, said, out, s.code, s.said, s.out)
		}
	}
}

// TestApplyJSON prints facts as JSON, and the schema of files without a database.
func TestApplyJSON(t *testing.T) {
	at := newDatabase(t, t.TempDir())
	if _, err := command(t, nil, "company", "create", "--name=Acme", "--timezone=Asia/Jakarta", at); err != "" {
		t.Fatal(err)
	}
	out, code, _ := status("roles:\n- {name: Clerk, permissions: []}\n", "apply", "-", "--company=1", "--dry-run",
		"--json", at)
	var facts struct {
		DryRun, Applied bool
		Changes         []struct{ Action, Section, Name string }
		FaultCount      int
	}
	if err := json.Unmarshal([]byte(out), &facts); err != nil || code != 3 {
		t.Fatal(err, code, out)
	}
	if !facts.DryRun || facts.Applied || len(facts.Changes) != 1 || facts.Changes[0].Name != "Clerk" || facts.FaultCount != 0 {
		t.Errorf("got %s", out)
	}
	out, code, _ = status("roles:\n- name: Clerk\n", "apply", "-", "--company=1", "--json", at)
	if code != 1 || !strings.Contains(out, `"line": 2`) || !strings.Contains(out,
		`"code": "VALIDATION_FAILED/required"`) {
		t.Errorf("status %d, %s", code, out)
	}
	out, code, _ = status("", "apply", "--schema")
	if code != 0 || !json.Valid([]byte(out)) || !strings.Contains(out,
		`"https://json-schema.org/draft/2020-12/schema"`) {
		t.Errorf("status %d, %.200s", code, out)
	}
}
