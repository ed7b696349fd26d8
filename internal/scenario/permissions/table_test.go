package permissions

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"workforce/ent"
	"workforce/internal/rootfield"
	"workforce/internal/server"
	"workforce/internal/viewer"
)

var writeDocument = flag.Bool("update", false, "write docs/permissions.md anew")

// serverOperations returns the operations of the server's schema.
func serverOperations(t *testing.T) []operation {
	t.Helper()
	all, err := operations(server.Schema())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestPermissionFacts compares the two places that name resources: @access of the
// root fields and the facts of the entities.
func TestPermissionFacts(t *testing.T) {
	for name, facts := range ent.Facts {
		if a := facts.Access; a != nil && a.Resource != "" && !viewer.IsPermission(a.Resource+".read.own") {
			t.Errorf("%s: viewer knows no resource %q", name, a.Resource)
		}
	}
	for _, o := range serverOperations(t) {
		if (o.effect == list || o.effect == about || o.effect == get) && o.Access.Resource != o.rows.Resource {
			t.Errorf("%s: @access says %q, the facts of %s %q", o.Name, o.Access.Resource, o.entity, o.rows.Resource)
		}
	}
}

// endpointsByField returns the REST operations that select each root field, as
// method and path.
func endpointsByField(t *testing.T) map[string][]string {
	t.Helper()
	api, err := server.LoadAPI("")
	if err != nil {
		t.Fatal(err)
	}
	all, definitions := map[string][]string{}, api.Definitions()
	for _, e := range api.Endpoints() {
		endpoint := e.Method + " " + e.Path
		for _, f := range rootfield.Selected(definitions[endpoint].SelectionSet) {
			all[f.Name] = append(all[f.Name], endpoint)
		}
	}
	return all
}

const permissionsHead = `# Who may do what

Generated from @access of the root fields (graph/*.graphqls) and the facts of the entities (ent/schema); a test tries every
operation in every role on every kind of row. ` + "`make generate`" + ` renews it.

A permission is resource.action.scope. The column of a role gives the widest scope in which the role may use the operation:

- **own**: rows about the caller. **team**: also rows about the people in the businesses that the caller manages, and in all
  businesses below them. **all**: every row of the company.
- **self**: the operation is about the caller. **yes**: the role may use an operation that names no row. **–**: the role may
  not use the operation, or sees no rows.
- **public**: no role decides; the operation asks for the tokens in its description, if any.

A list leaves out rows outside of the scope, a value computed from rows does not count them, and a subscription does not
show them: that is decided anew for each change. By id, such a row is
NOT_FOUND, or FORBIDDEN where the caller may see it but not change it. A row of another company is NOT_FOUND for everybody.
Roles are read with every request: a change of a role holds from the next request on.

Rules besides the table: nobody grants or changes a role with a permission that they lack, or changes a user who has one.
Only owners create, change and remove owners, and end their sessions and devices; the last active owner cannot be removed
(CONFLICT). Only owners have company.write and developer.read by a built-in role, and only they give these to others. Assigning
roles needs role.write.all. Only callers with user.write, in any scope, see inactive users in lists. Built-in roles cannot be
changed. Of people outside the scope of the caller's user.read and user.write, only the list form is shown: the other members
are null, lists are empty, and no filter uses them. The file of a report is for its owner alone, FORBIDDEN for all others who see
the report.

`

// TestPermissionsDocument compares docs/permissions.md with the operations.
func TestPermissionsDocument(t *testing.T) {
	const file = "../../../docs/permissions.md"
	var b bytes.Buffer
	b.WriteString(permissionsHead + "| operation | REST | needs | " + strings.Join(viewer.Builtin, " | ") + " |\n|" + strings.Repeat("---|", 3+len(viewer.Builtin)) + "\n")
	endpoints := endpointsByField(t)
	for _, o := range serverOperations(t) {
		cells := []string{o.Name, strings.Join(endpoints[o.Name], "<br>"), o.needs()}
		for _, role := range viewer.Builtin {
			cells = append(cells, scopeCell(o, role))
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	if *writeDocument {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("docs/permissions.md is stale (%v): run make generate and look at what changed", err)
	}
}

// scopeCell returns in which scope a role may use an operation.
func scopeCell(o operation, role string) string {
	v := &viewer.Viewer{Permissions: viewer.Permissions(role)}
	scope := viewer.None
	switch o.effect {
	case public:
		return "public"
	case own, create:
		if o.refused(v) {
			break
		}
		if o.effect == own {
			return "self"
		}
		return "yes"
	case aggregate, stream:
		scope = v.Scope(o.Access.Resource, o.Access.Action)
	case list, about, get:
		scope = o.reads(v)
	case update:
		scope = o.writes(v)
	}
	if scope == viewer.None {
		return "–"
	}
	return scope.String()
}

// TestOutcomes checks the expected outcomes of some operations; the others follow
// the same rules.
func TestOutcomes(t *testing.T) {
	all := serverOperations(t)
	for line, want := range map[string]string{
		"attendance employee":        "done NOT_FOUND NOT_FOUND NOT_FOUND",
		"attendance supervisor":      "done done NOT_FOUND NOT_FOUND",
		"attendance admin":           "done done done NOT_FOUND",
		"attendances employee":       "done left out left out left out",
		"attendances manager":        "done done left out left out",
		"users employee":             "done done done left out",
		"updateUser employee":        "FORBIDDEN FORBIDDEN FORBIDDEN NOT_FOUND",
		"updateUser admin":           "done done done NOT_FOUND",
		"revokeSession employee":     "done NOT_FOUND NOT_FOUND NOT_FOUND",
		"revokeAllSessions employee": "done FORBIDDEN FORBIDDEN NOT_FOUND",
		"auditEvent manager":         "NOT_FOUND NOT_FOUND NOT_FOUND NOT_FOUND",
		"auditEvent owner":           "done done done NOT_FOUND",
		"createRole manager":         "FORBIDDEN FORBIDDEN FORBIDDEN FORBIDDEN",
		"updateRole manager":         "FORBIDDEN FORBIDDEN FORBIDDEN NOT_FOUND",
		"clockIn employee":           "done done done done",
		"clockIn nobody":             "FORBIDDEN FORBIDDEN FORBIDDEN FORBIDDEN",
		"profile nobody":             "done done done done",
	} {
		field, role, _ := strings.Cut(line, " ")
		o := all[slices.IndexFunc(all, func(o operation) bool { return o.Name == field })]
		var got []string
		for _, row := range []viewer.Scope{viewer.Own, viewer.Team, viewer.All, viewer.None} {
			got = append(got, string(o.outcome(&viewer.Viewer{Permissions: viewer.Permissions(role)}, row)))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", line, s, want)
		}
	}
}
