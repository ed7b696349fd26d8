package internal_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	ruleID   = regexp.MustCompile(`\b(SH|WH|CL|GE|FO|ID|OT)-\d\d\b`)
	ruleName = regexp.MustCompile("`(?:[A-Za-z]+\\.)*?((?:[A-Za-z]+\\.)?[A-Za-z]+)`")
	funcName = regexp.MustCompile(`(?m)^func (?:\((?:\w+ )?\*?(\w+)[^)]*\) )?(\w+)`)
)

// TestRules compares docs/rules.md with the code: the functions and tests that it
// names exist, and it lists every rule that code or tests name.
func TestRules(t *testing.T) {
	text, err := os.ReadFile("../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if row, ok := strings.CutPrefix(line, "| "); ok && ruleID.MatchString(row) {
			listed[ruleID.FindString(row)] = true
		}
	}
	functions := map[string]bool{} // by name, and behind that of their package or receiver
	err = filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, f := range funcName.FindAllSubmatch(source, -1) {
			qualifier := string(f[1])
			if qualifier == "" {
				qualifier = filepath.Base(filepath.Dir(path))
				functions[string(f[2])] = true
			}
			functions[qualifier+"."+string(f[2])] = true
		}
		for _, id := range ruleID.FindAllString(string(source), -1) {
			if !listed[id] {
				t.Errorf("%s names rule %s, which docs/rules.md does not list", path, id)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, tables, _ := strings.Cut(string(text), "\n## ")
	for _, name := range ruleName.FindAllStringSubmatch(tables, -1) {
		if !functions[name[1]] {
			t.Errorf("docs/rules.md names %s, which is no function", name[0])
		}
	}
}
