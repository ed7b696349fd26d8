// Package internal_test holds the rules between packages.
package internal_test

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

const module = "workforce/"

// forbidden matches "importer imported" pairs that docs/architecture.md rules
// out. The test helpers testdb and apitest are free to import what they need.
var forbidden = regexp.MustCompile(`^(` +
	`internal/errs (internal|ent|graph|rest|cmd)|` +
	`internal/\S* (ent|graph|rest|cmd)|` +
	`ent\S* (graph|rest|cmd)|` +
	`graph\S* (rest|cmd)|` +
	`rest\S* (ent|graph|cmd|internal/graphqlhttp)|` +
	`\S+ cmd)(/|$)`)

var exempt = regexp.MustCompile(`^internal/(testdb|apitest)$`)

// TestImports keeps the dependency arrows pointing one way.
func TestImports(t *testing.T) {
	list := goCommand(t, "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...")
	for line := range strings.Lines(list) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, module)), " ")
		for imp := range strings.FieldsSeq(imports) {
			imp, ours := strings.CutPrefix(imp, module)
			if pair := pkg + " " + imp; ours && !exempt.MatchString(pkg) && forbidden.MatchString(pair) {
				t.Errorf("forbidden import: %s", pair)
			}
		}
	}
}

// TestForbidden holds the rule itself against what it should say.
func TestForbidden(t *testing.T) {
	tests := []struct {
		pair string
		want bool
	}{
		{"internal/errs internal/clock", true},
		{"internal/clock internal/errs", false},
		{"internal/clock ent", true},
		{"internal/clock ent/user", true},
		{"internal/clock internal/entropy", false},
		{"ent/schema internal/viewer", false},
		{"ent/schema graph", true},
		{"ent rest", true},
		{"graph ent", false},
		{"graph/model rest", true},
		{"graph cmd/workforce", true},
		{"rest graph/generated", true},
		{"rest ent", true},
		{"rest internal/graphqlhttp", true},
		{"rest internal/errs", false},
		{"cmd/workforce rest", false},
		{"docs cmd/workforce", true},
	}
	for _, tt := range tests {
		if got := forbidden.MatchString(tt.pair); got != tt.want {
			t.Errorf("%s: forbidden %v, want %v", tt.pair, got, tt.want)
		}
	}
}

// TestSQLiteLibc holds modernc.org/libc at the one version that modernc.org/sqlite
// was made with; with any other it may misbehave.
func TestSQLiteLibc(t *testing.T) {
	const libc = "modernc.org/libc"
	want := requirement(t, goCommand(t, "list", "-m", "-f", "{{.GoMod}}", "modernc.org/sqlite"), libc)
	if got := requirement(t, goCommand(t, "env", "GOMOD"), libc); got != want {
		t.Errorf("go.mod requires %s %s, want %s", libc, got, want)
	}
	if got := goCommand(t, "list", "-m", "-f", "{{.Version}}", libc); got != want {
		t.Errorf("the build uses %s %s, want %s", libc, got, want)
	}
}

// requirement returns the version of a module that a go.mod file asks for.
func requirement(t *testing.T, file, path string) string {
	t.Helper()
	var mod struct {
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal([]byte(goCommand(t, "mod", "edit", "-json", file)), &mod); err != nil {
		t.Fatal(err)
	}
	for _, r := range mod.Require {
		if r.Path == path {
			return r.Version
		}
	}
	t.Fatalf("%s does not require %s", file, path)
	return ""
}

// goCommand returns what the go command prints, without the final newline.
func goCommand(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if e, ok := err.(*exec.ExitError); ok {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, e.Stderr)
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
