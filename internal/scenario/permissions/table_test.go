package permissions

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"workforce/internal/server"
	"workforce/internal/viewer"
	"workforce/rest"
)

var update = flag.Bool("update", false, "write docs/permissions.md anew")

// rootFieldsOf returns the root fields of the schema by name, without GraphQL's
// own.
func rootFieldsOf(schema *ast.Schema) map[string]*ast.FieldDefinition {
	all := map[string]*ast.FieldDefinition{}
	for _, root := range []*ast.Definition{schema.Query, schema.Mutation, schema.Subscription} {
		if root == nil {
			continue
		}
		for _, f := range root.Fields {
			if !strings.HasPrefix(f.Name, "__") {
				all[f.Name] = f
			}
		}
	}
	return all
}

// TestPermissionTable holds the table of permissions to the schema, and to the
// documents of the REST operations: none without a row, no row without one.
func TestPermissionTable(t *testing.T) {
	fields, rows := rootFieldsOf(server.Schema()), map[string]bool{}
	for _, o := range viewer.Operations() {
		if rows[o.Field] {
			t.Errorf("%s has two rows", o.Field)
		}
		if rows[o.Field] = true; fields[o.Field] == nil {
			t.Errorf("%s has a row and is no operation", o.Field)
		}
	}
	for name := range fields {
		if !rows[name] {
			t.Errorf("%s has no row in viewer.Operations: who may use it?", name)
		}
	}
	for field, paths := range endpointsByField(t) {
		if !rows[field] {
			t.Errorf("%q: %s has no row in viewer.Operations", paths, field)
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
	all := map[string][]string{}
	for _, e := range api.Endpoints() {
		text, err := fs.ReadFile(rest.Operations(), e.File)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := parser.ParseQuery(&ast.Source{Name: e.File, Input: string(text)})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range doc.Operations.ForName(e.Operation).SelectionSet {
			if f, ok := s.(*ast.Field); ok {
				all[f.Name] = append(all[f.Name], e.Method+" "+e.Path)
			}
		}
	}
	return all
}

const permissionsHead = `# Who may do what

Generated from the table in internal/viewer/operations.go; a test holds every operation, role and kind of row to it.
Renew it with ` + "`go test ./internal/scenario/permissions -run TestPermissionsDocument -update`" + `.

Permissions are resource.action.scope. A role's column tells the widest scope in which it may: **own** rows are those
about the caller, **team** those of the people in the businesses that the caller manages and in all below, **all** the
company's. What lies outside of it is left out of lists; by id it is NOT_FOUND, or FORBIDDEN where the caller sees it and
may not change it. Another company's row is NOT_FOUND for everybody. Where *self* stands, an operation is about the caller;
*yes* and *–* are for what names no row; *tokens* are all that it takes. Roles are read with every request, so a change holds
from the next one on.

Beyond the table: nobody gives or changes a role with a permission that they lack, nor changes a user who has one. Only
owners make, change and unmake owners, and the last active owner stays (CONFLICT). Giving roles needs role.write.all.
Inactive users are listed for those alone who have user.write in any scope. Built-in roles are fixed.

`

// TestPermissionsDocument holds docs/permissions.md to the table.
func TestPermissionsDocument(t *testing.T) {
	const file = "../../../docs/permissions.md"
	var b bytes.Buffer
	b.WriteString(permissionsHead + "| operation | REST | needs | " + strings.Join(viewer.Builtin, " | ") + " |\n|" + strings.Repeat("---|", 3+len(viewer.Builtin)) + "\n")
	endpoints := endpointsByField(t)
	for _, o := range viewer.Operations() {
		cells := []string{o.Field, strings.Join(endpoints[o.Field], "<br>"), o.Needs()}
		for _, role := range viewer.Builtin {
			cells = append(cells, scopeCell(o, role))
		}
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("docs/permissions.md is stale (%v): run this test with -update and look at what changed", err)
	}
}

// scopeCell says in which scope a role may use an operation.
func scopeCell(o viewer.Operation, role string) string {
	s := o.Scope(&viewer.Viewer{Permissions: viewer.Permissions(role)})
	switch {
	case o.Kind == viewer.Open:
		return "tokens"
	case s == viewer.None:
		return "–"
	case o.Kind == viewer.Self:
		return "self"
	case o.Kind == viewer.Make:
		return "yes"
	}
	return s.String()
}

// TestOutcomes pins down what the table says of some operations: the rest is
// the same rule.
func TestOutcomes(t *testing.T) {
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
		all := viewer.Operations()
		o := all[slices.IndexFunc(all, func(o viewer.Operation) bool { return o.Field == field })]
		var got []string
		for _, row := range []viewer.Scope{viewer.Own, viewer.Team, viewer.All, viewer.None} {
			got = append(got, string(o.Outcome(&viewer.Viewer{Permissions: viewer.Permissions(role)}, row)))
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %s, want %s", line, s, want)
		}
	}
}
