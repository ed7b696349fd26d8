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

// A layer is a group of packages, and what it may import of this module. Test
// helpers and the packages about the whole server import what they need.
type layer struct{ packages, imports string }

// pure matches the packages about values and the adapters: all of internal but
// those that know entities or the whole server, and what ent and they share of connections.
const pure = `ent/entgql|internal/(admission|appversion|archive|audit|blob|booking|broker|calendar|calibration|contact|cost|database|directory|employment|errs|face|geofence|graphqlhttp|image|jsonscan|message|middleware|` +
	`migration|operation|otp|pages|password|passwordkey|period|position|recurrence|report(/pdf|/workbook)?|request|revision|rootfield|scalar|sealed|setting|shift|sla|sqlplan|table|timeoff|timesheet|token|tree|variables|verdict|viewer)`

// shared matches the packages of internal/app that domains share.
const shared = `internal/app/(audit|files|input|job|live|notify|policysql|ratelimit|scheduling|tx|worktime)`

// schema matches the packages that know the policies and hooks of entities.
var schema = regexp.MustCompile(`^ent/(schema|runtime|enttest|enttests)$`)

// layers lists all packages of hand-written code, the lowest first.
var layers = []layer{
	{`internal/errs`, ``},
	{`internal/(cost|graphqlhttp|variables|operation|openapi)|rest`, `internal/(cost|errs|jsonscan|message|openapi|operation|request|rootfield|scalar|variables)`},
	{`internal/middleware`, pure},
	{pure, pure},
	{`ent(/.*)?`, pure + `|ent(/.*)?`},
	{`graph/(model|generated)`, pure + `|ent(/.*)?|graph/model`},
	{`graph/connection`, pure + `|ent(/.*)?`},
	{`internal/app/live`, pure + `|ent(/.*)?|internal/app/auth/credential|internal/app/tx`},
	{shared, pure + `|ent(/.*)?|graph/model|` + shared},
	{`internal/app/auth/credential`, pure + `|ent(/.*)?`},
	{`internal/app/profile`, domain()},
	{`internal/app/auth/trust`, domain("auth/credential")},
	{`internal/app/auth`, domain("auth/credential", "auth/trust", "profile")},
	{`internal/app/organization`, domain()},
	{`internal/app/people`, domain("auth", "auth/credential", "organization")},
	{`internal/app/bootstrap`, domain("auth", "organization", "people")},
	{`internal/app/approval`, domain("organization")},
	{`internal/app/(results|roster)`, domain("approval", "organization")},
	{`internal/app/(attendance|correction|leave)`, domain("approval", "organization", "results")},
	{`internal/app/(coordinate|project)`, domain()},
	{`internal/app/attachment`, domain()},
	{`internal/app/task`, domain("attachment", "project")},
	{`internal/app/ticket`, domain("attachment", "organization")},
	{`internal/app/timesheets`, domain("organization")},
	{`internal/app/timeentry`, domain("approval", "project")},
	{`internal/app/timetotals`, domain("timeentry")},
	{`internal/app/report`, domain("auth/credential", "timesheets", "timetotals")},
	{`internal/app/faceenrolment`, domain("auth", "auth/credential", "organization")},
	{`internal/app/peopleimport`, domain("auth/credential", "organization", "people")},
	{`internal/app/export`, domain()},
	{`internal/app/privacy`, domain("auth", "auth/credential", "organization")},
	{`graph`, pure + `|ent(/.*)?|graph/(connection|generated|model)|internal/app/.*`},
	{`internal/authentication`, pure + `|ent(/.*)?|internal/app/auth/credential|internal/app/tx`},
	{`internal/executor`, pure + `|ent(/.*)?|internal/authentication|internal/app/auth/credential|` + shared},
}

// domain returns what a domain of internal/app may import: the layers below, and
// the domains that are named.
func domain(others ...string) string {
	all := pure + `|ent(/.*)?|graph/model|` + shared
	for _, name := range others {
		all += `|internal/app/` + name
	}
	return all
}

// outside lists what packages of internal/app must not import of other modules:
// they know no HTTP, and of gqlgen only what generated data is made of.
var outside = regexp.MustCompile(`^(net/http|github\.com/99designs/gqlgen/.*)$`)

// whole matches the packages about the whole server: they import what they need,
// except cmd, and only they and cmd import one of them.
var whole = regexp.MustCompile(`^(cmd|internal/(server|demo|scenario|bench))(/|$)`)

// exempt matches helpers of tests and of development.
var exempt = regexp.MustCompile(`^internal(/(testdb|apitest|mutants|generate|app/apptest(/.*)?))?$`)

// forbidden returns why a package must not import another; "" if it may.
func forbidden(pkg, imp string) string {
	switch imp, ours := strings.CutPrefix(imp, module); {
	case imp == "entgo.io/contrib/entgql":
		return "that is the generator: ent/entgql is what a server needs of it"
	case imp == "ent/migrate", imp == "entgo.io/ent/dialect/sql/schema" && pkg != "ent/migrate":
		return "only tests compare databases with the schema: a server has migrations in SQL"
	case whole.MatchString(pkg) && ours:
		if strings.HasPrefix(imp, "cmd/") {
			return "nothing imports cmd"
		}
		return ""
	case whole.MatchString(pkg), exempt.MatchString(pkg):
		return ""
	case pkg == "internal/app/input" && imp == "github.com/99designs/gqlgen/graphql": // for Omittable alone
		return ""
	case !ours && strings.HasPrefix(pkg, "internal/app/") && outside.MatchString(imp):
		return "internal/app knows no HTTP and no gqlgen"
	case !ours:
		return ""
	case schema.MatchString(imp) && !schema.MatchString(pkg):
		return "only the server and tests load policies and hooks"
	default:
		for _, l := range layers {
			if matches(l.packages, pkg) {
				if matches(l.imports, imp) {
					return ""
				}
				return "its layer imports " + l.imports
			}
		}
		return "the package is in no layer: add it to layers"
	}
}

func matches(pattern, name string) bool {
	return regexp.MustCompile(`^(`+pattern+`)$`).MatchString(name) && name != ""
}

// TestImports keeps the dependency arrows pointing one way.
func TestImports(t *testing.T) {
	list := goCommand(t, "list", "-e", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...")
	for line := range strings.Lines(list) {
		pkg, imports, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, module)), " ")
		for imp := range strings.FieldsSeq(imports) {
			if why := forbidden(pkg, imp); why != "" {
				t.Errorf("%s must not import %s: %s", pkg, imp, why)
			}
		}
	}
}

// TestForbidden checks the rules themselves.
func TestForbidden(t *testing.T) {
	tests := []struct {
		pkg, imp string
		want     bool
	}{
		{"internal/errs", "workforce/internal/shift", true},
		{"internal/shift", "workforce/internal/errs", false},
		{"internal/shift", "workforce/ent", true},
		{"internal/shift", "workforce/internal/app/tx", true},
		{"internal/unheard", "workforce/internal/errs", true},
		{"ent/schema", "workforce/internal/viewer", false},
		{"ent/schema", "workforce/graph", true},
		{"ent", "workforce/rest", true},
		{"ent/runtime", "workforce/ent/schema", false},
		{"ent", "workforce/ent/schema", true},
		{"internal/app/auth", "workforce/ent/runtime", true},
		{"graph", "workforce/ent", false},
		{"graph", "workforce/internal/app/auth", false},
		{"graph", "workforce/internal/executor", true},
		{"graph", "workforce/rest", true},
		{"internal/app/auth", "workforce/internal/app/profile", false},
		{"internal/app/profile", "workforce/internal/app/auth", true},
		{"internal/app/attendance", "workforce/internal/app/people", true},
		{"internal/app/attendance", "workforce/graph/model", false},
		{"internal/app/attendance", "workforce/graph", true},
		{"internal/app/attendance", "net/http", true},
		{"internal/app/attendance", "github.com/99designs/gqlgen/graphql", true},
		{"internal/app/input", "github.com/99designs/gqlgen/graphql", false},
		{"rest", "workforce/ent", true},
		{"rest", "workforce/internal/graphqlhttp", true},
		{"rest", "workforce/internal/variables", false},
		{"internal/executor", "workforce/internal/app/auth/credential", false},
		{"internal/executor", "workforce/internal/app/people", true},
		{"internal/server", "workforce/rest", false},
		{"internal/server", "workforce/cmd/workforce", true},
		{"rest", "workforce/internal/server", true},
		{"ent", "workforce/ent/migrate", true},
		{"internal/server", "workforce/ent/migrate", true},
		{"internal/app/export", "entgo.io/ent/dialect/sql/schema", true},
	}
	for _, tt := range tests {
		if got := forbidden(tt.pkg, tt.imp); (got != "") != tt.want {
			t.Errorf("%s %s: %q, want it forbidden: %v", tt.pkg, tt.imp, got, tt.want)
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
