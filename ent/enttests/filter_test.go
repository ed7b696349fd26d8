package enttests

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"

	"workforce/ent/migrate"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// filters returns the filter of each entity that has one in GraphQL.
func filters(t *testing.T) (map[string]*ast.Definition, *ast.SchemaDocument) {
	t.Helper()
	text, err := os.ReadFile("../../graph/ent.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := parser.ParseSchema(&ast.Source{Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]*ast.Definition)
	for _, def := range doc.Definitions {
		if name, ok := strings.CutSuffix(def.Name, "WhereInput"); ok {
			all[name] = def
		}
	}
	if len(all) == 0 {
		t.Fatal("no filters")
	}
	return all, doc
}

// operators are what a filter adds to the name of a field.
var operators = []string{"", "NEQ", "In", "NotIn", "GT", "GTE", "LT", "LTE", "IsNil", "NotNil",
	"Contains", "HasPrefix", "HasSuffix", "EqualFold", "ContainsFold"}

// TestFilteredFields proves that one filters only by what one can also read:
// else a filter would tell it, one guess at a time.
func TestFilteredFields(t *testing.T) {
	all, doc := filters(t)
	for name, filter := range all {
		fields := doc.Definitions.ForName(name).Fields
		for _, f := range filter.Fields {
			if slices.Contains([]string{"not", "and", "or"}, f.Name) || strings.HasPrefix(f.Name, "has") {
				continue
			}
			if !slices.ContainsFunc(operators, func(o string) bool {
				base, ok := strings.CutSuffix(f.Name, o)
				return ok && fields.ForName(base) != nil
			}) {
				t.Errorf("%s filters by %s, which it does not show", name, f.Name)
			}
		}
	}
}

// TestFilteredEdges proves the same of filters that follow an edge, for every
// permission alone: where it shows a row, it shows the row at the other end.
func TestFilteredEdges(t *testing.T) {
	client := connect(t, testdb.SQLite(t))
	oneCompany(t, client)
	insert(t, client, migrate.DesignationsTable, ours, 1, map[string]any{"parent_id": ours})
	insert(t, client, migrate.TaskCategoriesTable, ours, 1, map[string]any{"parent_id": ours})
	byName := make(map[string]entity)
	for _, e := range entities(t, client) {
		byName[e.name] = e
	}
	all, _ := filters(t)
	tried := 0
	for name, filter := range all {
		for _, f := range filter.Fields {
			edge, isEdge := strings.CutPrefix(strings.TrimSuffix(f.Name, "With"), "has")
			if !isEdge || !strings.HasSuffix(f.Name, "With") {
				continue
			}
			tried++
			target := byName[strings.TrimSuffix(f.Type.Elem.NamedType, "WhereInput")]
			row, end := linkedRow(t, byName[name], edge)
			for _, permission := range readPermissions() {
				ctx := viewer.NewContext(t.Context(), &viewer.Viewer{
					CompanyID: ours, UserID: ours, Permissions: []string{permission}, Businesses: []int{ours + 2},
				})
				if shows(t, ctx, byName[name], row) && !shows(t, ctx, target, end) {
					t.Errorf("%s filters by %s, which %s alone does not show", name, edge, permission)
				}
			}
		}
	}
	if tried == 0 {
		t.Error("no filter follows an edge")
	}
}

// readPermissions lists every permission to read.
func readPermissions() []string {
	var all []string
	for _, p := range viewer.Permissions(viewer.Owner) {
		if resource, ok := strings.CutSuffix(p, ".read.all"); ok {
			all = append(all, resource+".read.own", resource+".read.team", p)
		}
	}
	return all
}

// linkedRow returns the ids of a row that has an edge, and of one at its other
// end.
func linkedRow(t *testing.T, e entity, edge string) (int, int) {
	t.Helper()
	for _, row := range e.rows(t, ours, ours+1, ours+2) {
		q, _ := call(row, "Query"+edge)
		if id, err := call(q, "FirstID", system(t)); err == nil {
			return int(row.Elem().FieldByName("ID").Int()), id.(int)
		}
	}
	t.Fatalf("no %s has a %s", e.name, edge)
	return 0, 0
}

// shows reports whether somebody reads a row.
func shows(t *testing.T, ctx context.Context, e entity, id int) bool {
	t.Helper()
	there, err := call(e.query(t, hasID(id)), "Exist", ctx)
	if err != nil {
		t.Fatal(err)
	}
	return there.(bool)
}
