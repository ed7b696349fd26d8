// Package internal_test holds the rules between packages.
package internal_test

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "workforce/"

// A layer is some packages, and what they may import of this module. A name that begins with @ is
// a group; one that ends with /... stands for all packages below it too.
type layer struct{ packages, imports string }

// groups are packages with the same place.
var groups = map[string]string{
	// Values, rules and adapters: all of internal but what knows entities or the whole server.
	"@pure": `ent/entgql internal/admission internal/appversion internal/audittrail internal/backup internal/blob
		internal/booking internal/broker internal/calendar internal/certificate internal/contact internal/database
		internal/definition internal/deprecation internal/doctor
		internal/errs internal/face
		internal/geofence internal/graphqlhttp internal/image internal/jsonscan internal/message internal/middleware
		internal/migration
		internal/openapi internal/operation internal/pages internal/password internal/passwordkey internal/period
		internal/persisted internal/recurrence internal/report internal/report/pdf internal/report/workbook internal/request internal/revision
		internal/rootfield internal/scalar internal/sealed internal/setting internal/shift internal/sla internal/sqlplan
		internal/table internal/telemetry internal/textform internal/timesheet internal/token internal/tree internal/variables internal/verdict internal/viewer
		internal/web internal/websession`,
	// How a request is read and answered, which knows no entities.
	"@wire": `internal/deprecation internal/errs internal/jsonscan internal/message internal/openapi internal/operation
		internal/persisted internal/request internal/rootfield internal/scalar internal/variables`,
	"@ent": `@pure ent/...`,
	// What domains share.
	"@shared": `internal/app/audit internal/app/files internal/app/input internal/app/job internal/app/live internal/app/notify
		internal/app/policysql internal/app/ratelimit internal/app/scheduling internal/app/tx internal/app/worktime`,
	"@domain": `@ent graph/model @shared`,
}

// layers lists all packages of hand-written code, the lowest first: a package is of the first row
// that names it. Packages of helpers and of the whole server are not in it.
var layers = []layer{
	{`internal/errs`, ``},
	{`internal/graphqlhttp internal/variables internal/operation internal/openapi rest`, `@wire`},
	{`@pure`, `@pure`},
	{`ent/...`, `@ent`},
	{`graph/model graph/generated`, `@ent graph/model`},
	{`graph/connection`, `@ent`},

	{`internal/app/live`, `@ent internal/app/auth/credential internal/app/tx`},
	{`@shared`, `@ent graph/model @shared`},
	{`internal/app/auth/credential`, `@ent`},
	{`internal/app/auth/trust`, `@domain internal/app/auth/credential`},
	{`internal/app/auth`, `@domain internal/app/auth/credential internal/app/auth/trust`},
	{`internal/app/organization`, `@domain`},
	{`internal/app/people`, `@domain internal/app/auth internal/app/auth/credential internal/app/organization`},
	{`internal/app/bootstrap`, `@domain internal/app/auth internal/app/organization internal/app/people`},
	{`internal/app/approval`, `@domain internal/app/organization`},
	{`internal/app/results internal/app/roster`, `@domain internal/app/approval internal/app/organization`},
	{`internal/app/attendance internal/app/correction internal/app/leave`,
		`@domain internal/app/approval internal/app/organization internal/app/results`},
	{`internal/app/position internal/app/project internal/app/attachment internal/app/secretkey`, `@domain`},
	{`internal/app/task`, `@domain internal/app/attachment internal/app/project`},
	{`internal/app/ticket`, `@domain internal/app/attachment internal/app/organization`},
	{`internal/app/timesheets`, `@domain internal/app/organization`},
	{`internal/app/timeentry`, `@domain internal/app/approval internal/app/project`},
	{`internal/app/timetotals`, `@domain internal/app/timeentry`},
	{`internal/app/report`, `@domain internal/app/auth/credential internal/app/timesheets internal/app/timetotals`},
	{`internal/app/faceenrolment`, `@domain internal/app/auth internal/app/auth/credential internal/app/organization`},
	{`internal/app/peopleimport`, `@domain internal/app/auth/credential internal/app/organization internal/app/people`},
	{`internal/app/definition`, `@domain internal/app/leave internal/app/organization internal/app/people internal/app/roster`},
	{`internal/app/privacy`, `@domain internal/app/auth internal/app/auth/credential internal/app/organization`},

	{`graph`, `@ent graph/connection graph/generated graph/model internal/app/...`},
	{`internal/authentication`, `@ent internal/app/auth/credential internal/app/tx`},
	{`internal/executor`, `@ent internal/authentication internal/app/auth/credential @shared`},
}

// schema is the packages that know the policies and hooks of entities.
const schema = "ent/schema ent/runtime ent/enttest ent/enttests"

// isIn reports whether a list of names has a package.
func isIn(list, pkg string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(name string) bool {
		if below, ok := strings.CutSuffix(name, "/..."); ok {
			return pkg == below || strings.HasPrefix(pkg, below+"/")
		}
		return name == pkg || name[0] == '@' && isIn(groups[name], pkg)
	})
}

// outside lists what packages of internal/app must not import of other modules:
// they know no HTTP, and of gqlgen only what generated data is made of.
var outside = regexp.MustCompile(`^(net/http|github\.com/99designs/gqlgen/.*)$`)

// whole is the packages about the whole server: they import what they need, except cmd, and only
// they and cmd import one of them.
const whole = "cmd/... internal/server/... internal/demo/... internal/scenario/... internal/bench/..."

// helpers is the packages for tests and development.
const helpers = "internal internal/testdb internal/apitest internal/mutants internal/generate " +
	"internal/app/apptest/... internal/app/report/reporttest internal/certificate/certtest"

// forbidden returns why a package must not import another; "" if it may.
func forbidden(pkg, imp string) string {
	switch imp, ours := strings.CutPrefix(imp, module); {
	case imp == "entgo.io/contrib/entgql":
		return "that is the generator: ent/entgql is what a server needs of it"
	case imp == "ent/migrate", imp == "entgo.io/ent/dialect/sql/schema" && pkg != "ent/migrate":
		return "only tests compare databases with the schema: a server has migrations in SQL"
	case strings.HasPrefix(imp, "go.opentelemetry.io/") && pkg != "internal/telemetry":
		return "internal/telemetry is the adapter of OpenTelemetry"
	case isIn(whole, pkg) && ours:
		if strings.HasPrefix(imp, "cmd/") {
			return "nothing imports cmd"
		}
		return ""
	case isIn(whole, pkg), isIn(helpers, pkg):
		return ""
	case pkg == "internal/app/input" && imp == "github.com/99designs/gqlgen/graphql": // for Omittable alone
		return ""
	case !ours && strings.HasPrefix(pkg, "internal/app/") && outside.MatchString(imp):
		return "internal/app knows no HTTP and no gqlgen"
	case !ours:
		return ""
	case isIn(schema, imp) && !isIn(schema, pkg):
		return "only the server and tests load policies and hooks"
	default:
		for _, l := range layers {
			if isIn(l.packages, pkg) {
				if isIn(l.imports, imp) {
					return ""
				}
				return "its layer imports " + l.imports
			}
		}
		return "the package is in no layer: add it to layers"
	}
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
		{"internal/database", "workforce/internal/telemetry", false},
		{"internal/app/job", "workforce/internal/telemetry", false},
		{"internal/telemetry", "workforce/ent", true},
		{"internal/telemetry", "go.opentelemetry.io/otel/trace", false},
		{"internal/middleware", "go.opentelemetry.io/otel/trace", true},
		{"internal/graphqlhttp", "workforce/internal/telemetry", true},
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
		{"internal/app/auth", "workforce/internal/app/auth/trust", false},
		{"internal/app/auth/trust", "workforce/internal/app/auth", true},
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
		{"internal/app/privacy", "entgo.io/ent/dialect/sql/schema", true},
	}
	for _, tt := range tests {
		if got := forbidden(tt.pkg, tt.imp); (got != "") != tt.want {
			t.Errorf("%s %s: %q, want it forbidden: %v", tt.pkg, tt.imp, got, tt.want)
		}
	}
}

// TestNoGRPC keeps gRPC out of the program: traces are sent over HTTP.
func TestNoGRPC(t *testing.T) {
	for pkg := range strings.FieldsSeq(goCommand(t, "list", "-deps", module+"cmd/workforce")) {
		if strings.HasPrefix(pkg, "google.golang.org/grpc") || strings.HasPrefix(pkg, "google.golang.org/genproto") {
			t.Errorf("the program has %s", pkg)
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
