package executor

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/graph/generated"
	"workforce/internal/rootfield"
	"workforce/internal/viewer"
)

// TestCacheable lists documents whose responses are cached, and others.
func TestCacheable(t *testing.T) {
	e := newTestExecutor(t)
	schema := e.schema.Schema()
	for text, want := range map[string]bool{
		`{ employees { totalCount nodes { id name designations { id name } } } }`:                                         true,
		`query($p: Int = 2) { employees(page: $p, limit: 50) { nodes { ...N } } } fragment N on User { name }`:            true,
		`{ a: users(first: 3) { edges { cursor node { business { manager { roles { permissions } } } } } } }`:             true,
		`{ employees { nodes { ...on User { name } } } company { name } roleList { userCount } }`:                         true,
		`query($x: Boolean!) { employees @include(if: $x) { nodes { name @skip(if: $x) mobileNumber { number } } } }`:     true,
		`{ users { pageInfo { endCursor } } businesses { totalCount } designations { totalCount } roles { totalCount } }`: true,
		`{ user(id: 1) { __typename name } role(id: 1) { name } designation(id: 1) { name } business(id: 1) { name } }`:   true,

		`{ profile { name } }`:                          false,
		`{ viewer { name } }`:                           false,
		`{ permission { permissions } }`:                false,
		`{ employees { totalCount } profile { name } }`: false,
		`{ employees { totalCount } ...R } fragment R on Query { attendances { totalCount } }`: false,
		`{ addresses { totalCount } }`:                                        false,
		`{ sessions { totalCount } }`:                                         false,
		`{ __schema { types { name } } }`:                                     false,
		`{ employees { totalCount } __typename }`:                             false,
		`{ employees { nodes { ... @defer { name } } } }`:                     false,
		`mutation { deleteUser(id: 1) { deleted } }`:                          false,
		`mutation { updateUser(id: 1, input: {}) { designations { name } } }`: false,
	} {
		doc, err := gqlparser.LoadQueryWithRules(schema, text, nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := e.cacheable(doc.Operations[0]); got != want {
			t.Errorf("%s: cacheable %v, want %v", text, got, want)
		}
	}
}

// newTestExecutor returns an executor without a database.
func newTestExecutor(t *testing.T) *Executor {
	t.Helper()
	schema := generated.NewExecutableSchema(generated.Config{})
	fields, err := rootfield.Load(schema.Schema())
	if err != nil {
		t.Fatal(err)
	}
	return New(schema, Config{Fields: fields})
}

// TestDirectoryTypes proves that everything that @cached fields lead to is of the
// directory, and that their filters lead to nothing else.
func TestDirectoryTypes(t *testing.T) {
	e := newTestExecutor(t)
	schema := e.schema.Schema()
	seen := map[string]bool{}
	var walk func(def *ast.Definition)
	walk = func(def *ast.Definition) {
		if seen[def.Name] {
			return
		}
		seen[def.Name] = true
		for _, f := range def.Fields {
			if def.Name == "Company" && f.Name == "concernedLeaves" {
				continue // empty but in the answer of a mutation, which is not kept
			}
			walk(schema.Types[f.Type.Name()])
			for _, a := range f.Arguments {
				walk(schema.Types[a.Type.Name()])
			}
		}
	}
	roots := 0
	for _, f := range e.Fields {
		if !f.Cached {
			continue
		}
		roots++
		def := schema.Query.Fields.ForName(f.Name)
		walk(schema.Types[def.Type.Name()])
		for _, a := range def.Arguments {
			walk(schema.Types[a.Type.Name()])
		}
	}
	if roots < 11 {
		t.Errorf("%d fields are @cached", roots)
	}
	for name := range seen {
		def := schema.Types[name]
		entity, isFilter := strings.CutSuffix(name, "WhereInput")
		_, isOrder := strings.CutSuffix(name, "Order")
		switch {
		case def.Kind == ast.Scalar || def.Kind == ast.Enum || isOrder:
		case isFilter && e.inDirectory(entity):
		case !e.inDirectory(name):
			t.Errorf("@cached fields lead to %s, which is not of the directory", name)
		}
	}
}

// TestDirectoryFieldsAreColumns holds the types of the directory to what their
// rows say. A field that a resolver finds out may depend on the time, or on who
// asks: then answers with it cannot be kept.
func TestDirectoryFieldsAreColumns(t *testing.T) {
	e := newTestExecutor(t)
	var resolved []string
	for m := range reflect.TypeFor[generated.ResolverRoot]().Methods() {
		if m.Name == "Query" || m.Name == "Mutation" || !e.inDirectory(m.Name) {
			continue
		}
		for f := range m.Type.Out(0).Methods() {
			resolved = append(resolved, m.Name+"."+f.Name)
		}
	}
	want := []string{
		// The numbers of active people, which are rows of the directory.
		"Business.TotalUserCount", "Business.UserCount",
		"Company.ConcernedLeaves", // empty but in the answer of a mutation, which is not kept
		"Company.Settings",        // of the row alone, as are the next ones
		"Designation.TotalUserCount", "Designation.UserCount",
		"Role.Permissions",
		"User.Manager", "User.Managers", // of businesses and active people
		"User.Policies",
	}
	if !slices.Equal(resolved, want) {
		t.Errorf("resolved are %v, want %v", resolved, want)
	}
}

// TestQuestions proves that no two questions whose answers may differ have the
// same key.
func TestQuestions(t *testing.T) {
	op := &ast.OperationDefinition{}
	ask := func(vars map[string]any) *graphql.OperationContext {
		return &graphql.OperationContext{RawQuery: "q", Operation: op, Variables: vars}
	}
	plain := &viewer.Viewer{UserID: 1, CompanyID: 1}
	type asked struct {
		oc *graphql.OperationContext
		me *viewer.Viewer
	}
	all := []asked{
		{ask(nil), &viewer.Viewer{CompanyID: 2}},
		{ask(nil), &viewer.Viewer{CompanyID: 1, Permissions: []string{"a", "b"}}},
		{ask(nil), &viewer.Viewer{CompanyID: 1, Permissions: []string{"ab"}}},
		{ask(nil), &viewer.Viewer{CompanyID: 1, Permissions: []string{"a"}}},
		{ask(nil), &viewer.Viewer{CompanyID: 1, Businesses: []int{1}}},
		{ask(nil), &viewer.Viewer{CompanyID: 1, Businesses: []int{1, 2}}},
		{ask(nil), &viewer.Viewer{CompanyID: 1, Businesses: []int{12}}},
		{&graphql.OperationContext{RawQuery: "p", Operation: op}, plain},
		{&graphql.OperationContext{RawQuery: "q", Operation: &ast.OperationDefinition{Name: "A"}}, plain},
		{&graphql.OperationContext{RawQuery: "qA", Operation: op}, plain},
	}
	for _, v := range []any{
		nil, true, false, "", "a", "null", "1", 1, int64(1), 1.0, 1.5, json.Number("1"), json.Number("1.0"), "\xff", "\ufffd",
		[]any{}, []any{nil}, []any{"a", "b"}, []any{"ab"}, []any{[]any{"a"}, "b"}, map[string]any{},
		map[string]any{"b": nil}, map[string]any{"b": map[string]any{"c": 1}}, map[string]any{"b": 1, "c": 1},
	} {
		all = append(all, asked{ask(map[string]any{"a": v}), plain})
	}
	all = append(all, asked{ask(map[string]any{}), plain}, asked{ask(map[string]any{"b": 1, "a": 2}), plain}, asked{ask(map[string]any{"b": 2, "a": 1}), plain})
	keys := map[cacheKey]int{}
	for i, a := range all {
		key, ok := cacheKeyOf(a.oc, a.me)
		if !ok {
			t.Errorf("question %d has no key", i)
		}
		if again, _ := cacheKeyOf(a.oc, a.me); again != key {
			t.Errorf("question %d has two keys", i)
		}
		if other, taken := keys[key]; taken {
			t.Errorf("questions %d and %d have one key", other, i)
		}
		keys[key] = i
	}
	if _, ok := cacheKeyOf(ask(map[string]any{"a": struct{}{}}), plain); ok {
		t.Error("a variable of an unknown type has a key")
	}
	same, _ := cacheKeyOf(ask(nil), plain)
	if other, _ := cacheKeyOf(ask(nil), &viewer.Viewer{UserID: 2, SessionID: 3, DeviceID: 4, Locale: "en", CompanyID: 1}); other != same {
		t.Error("two of the same company and permissions ask different questions")
	}
}
