package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

func TestBuiltInOperationsAreReadable(t *testing.T) {
	if _, err := fs.Stat(Operations(), "README.md"); err != nil {
		t.Error(err)
	}
}

func TestLoadLayers(t *testing.T) {
	base := documentsOf(map[string]string{
		"task/running.graphql": `query Running @endpoint(method: GET, path: "/running") { running { id } }`,
		"task/detail.graphql":  `query Detail($id: ID!) @endpoint(method: GET, path: "/task/{id}") { task(id: $id) { id } }`,
		"README.md":            `not a document`,
		".git/x.graphql":       `not a document`,
		"task/.x.swp.graphql":  `not a document`,
	})
	over := documentsOf(map[string]string{
		"task/running.graphql": `query Mine @endpoint(method: GET, path: "/mine") { running { title } }`,
		"task/detail.graphql":  " \n",
		"task/extra.graphql":   `query Extra @endpoint(method: GET, path: "/extra") @endpoint(method: POST, path: "/extra") { running { id } }`,
	})
	api, err := load(loadSchema(t), base, over)
	if err != nil {
		t.Fatal(err)
	}
	want := `[{GET /extra Extra task/extra.graphql} {POST /extra Extra task/extra.graphql} {GET /mine Mine task/running.graphql}]`
	if got := fmt.Sprint(api.Endpoints()); got != want {
		t.Errorf("endpoints %s\nwant %s", got, want)
	}
}

// TestSharedFragments holds that documents use the fragments of all layers, a later layer's
// before others of the same name, and that the file holds nothing else.
func TestSharedFragments(t *testing.T) {
	base := documentsOf(map[string]string{
		"shapes.graphql":      `fragment Short on Task { id ...Named } fragment Named on Task { title }`,
		"task/detail.graphql": `query Detail($id: ID!) @endpoint(method: GET, path: "/task/{id}") { task(id: $id) { ...Short } }`,
		"task/own.graphql":    `query Own @endpoint(method: GET, path: "/own") { running { ...Short } } fragment Short on Task { id }`,
	})
	over := documentsOf(map[string]string{"shapes.graphql": `fragment Named on Task { name: title }`})
	api, err := load(loadSchema(t), base, over)
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]string{
		"GET /task/{id}": "... Short\n}\n}\nfragment Short on Task {\nid\n... Named\n}\nfragment Named on Task {\nname: title\n}",
		"GET /own":       "... Short\n}\n}\nfragment Short on Task {\nid\n}",
	} {
		if got := api.endpoints[pattern].query; !strings.HasSuffix(strings.TrimSpace(got), want) {
			t.Errorf("%s: %s\nwant an end of %s", pattern, got, want)
		}
	}
	for text, want := range map[string]string{
		`query Q { running { id } }`: "shapes.graphql:1:1: shapes.graphql holds fragments; this is an operation",
		`}`:                          "shapes.graphql:1:1: Unexpected }",
	} {
		_, err := load(loadSchema(t), base, documentsOf(map[string]string{"shapes.graphql": text}))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestRecordedExamples holds that a request and its answer are examples of the document that was
// asked, and of none that replaces it.
func TestRecordedExamples(t *testing.T) {
	const detail = `query Detail($id: ID!) @endpoint(method: GET, path: "/task/{id}") { task(id: $id) { title id } }`
	base := map[string]string{
		"task/detail.graphql": detail,
		"answers.json":        `{"Detail":{"parameters":{"id":"17"},"answer":{"id":"17","title":"Lampu"}}}`,
	}
	changed := strings.Replace(detail, "title id", "id", 1)
	for name, tt := range map[string]struct {
		over map[string]string
		want string
	}{
		"recorded": {nil, `17 {"title":"Lampu","id":"17"}`},
		"replaced": {map[string]string{"task/detail.graphql": changed}, ` {"id":"42"}`},
		"recorded anew": {map[string]string{
			"task/detail.graphql": changed, "answers.json": `{"Detail":{"parameters":{"id":"3"},"answer":{"id":"3"}}}`,
		}, `3 {"id":"3"}`},
	} {
		api, err := load(loadSchema(t), documentsOf(base), documentsOf(tt.over))
		if err != nil {
			t.Fatal(err)
		}
		if got := exampleOf(t, api, "/task/{id}"); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// exampleOf returns the examples of the first parameter and of the answer of a GET.
func exampleOf(t *testing.T, api *API, path string) string {
	t.Helper()
	text, err := api.OpenAPI(Info{Title: "Test", Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Example string }
			Responses  map[string]struct {
				Content map[string]struct{ Example json.RawMessage }
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	var flat bytes.Buffer
	op := doc.Paths[path]["get"]
	if err := json.Compact(&flat, op.Responses["200"].Content["application/json"].Example); err != nil {
		t.Fatal(err)
	}
	return op.Parameters[0].Example + " " + flat.String()
}

func TestLoadMissingFolder(t *testing.T) {
	if _, err := load(loadSchema(t), os.DirFS("testdata/none")); err == nil {
		t.Error("a missing folder is no error")
	}
}

func TestLoadLeavesTheSchemaAlone(t *testing.T) {
	schema := loadSchema(t)
	if _, err := load(schema, os.DirFS("testdata/operations")); err != nil {
		t.Fatal(err)
	}
	if schema.Directives["endpoint"] != nil || schema.Types["RestMethod"] != nil {
		t.Error("the schema knows the directives of documents")
	}
}

// TestPlain holds that the executor would take each document from a client too: what is left
// of it is plain GraphQL that is valid for the schema, and refers to the schema's definitions.
func TestPlain(t *testing.T) {
	var sources []*ast.Source
	files, err := filepath.Glob("../graph/*.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: file, Input: string(text)})
	}
	for name, tt := range map[string]struct {
		schema    *ast.Schema
		documents fs.FS
	}{
		"built in": {gqlparser.MustLoadSchema(sources...), Operations()},
		"of tests": {loadSchema(t), os.DirFS("testdata/operations")},
	} {
		api, err := load(tt.schema, tt.documents)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range api.endpoints {
			doc, err := gqlparser.LoadQueryWithRules(tt.schema, e.query, nil)
			if err != nil {
				t.Errorf("%s, %s: %v", name, e.File, err)
				continue
			}
			if ours, again := definitions(e.prepared.Definition.SelectionSet), definitions(doc.Operations[0].SelectionSet); !slices.Equal(ours, again) {
				t.Errorf("%s, %s: %v, want %v", name, e.File, ours, again)
			}
		}
	}
}

// definitions returns those of all selected fields.
func definitions(set ast.SelectionSet) (list []*ast.FieldDefinition) {
	fields(set, func(f *ast.Field, _ bool) {
		list = append(append(list, f.Definition), definitions(f.SelectionSet)...)
	})
	return list
}

func TestLoadRefusesSchemasWithTheSameNames(t *testing.T) {
	for _, own := range []string{"directive @header on FIELD", "scalar RestMethod"} {
		schema := gqlparser.MustLoadSchema(&ast.Source{Input: "type Query { a: Int } " + own})
		if _, err := load(schema); err == nil || !strings.Contains(err.Error(), "of its own") {
			t.Errorf("%s: %v", own, err)
		}
	}
}

// TestLoadProblems shows what each kind of bad document is told.
func TestLoadProblems(t *testing.T) {
	const at = ` @endpoint(method: GET, path: "/x") `
	tests := []struct{ name, text, want string }{
		{"syntax", "query A" + at + "{ running { id }", `d.graphql:1:60: Expected Name, found <EOF>`},
		{"fragment alone", "fragment F on Task { id }", "d.graphql:1:1: there is no operation"},
		{"unknown field", "query A" + at + "{\n  runing { id }\n}", `d.graphql:2:3: Cannot query field "runing" on type "Query". Did you mean "running"?`},
		{"no endpoint", "query A { running { id } }", "d.graphql:1:1: @endpoint is missing"},
		{"no path", "query A @endpoint(method: GET) { running { id } }", `d.graphql:1:10: Directive "@endpoint" argument "path" of type "String!" is required, but it was not provided.`},
		{"bad method", `query A @endpoint(method: TRACE, path: "/x") { running { id } }`, `d.graphql:1:27: Value "TRACE" does not exist in "RestMethod!" enum.`},
		{"relative path", `query A @endpoint(method: GET, path: "x") { running { id } }`, `d.graphql:1:10: bad path "x": want /segment or /{variable}, repeated`},
		{"trailing slash", `query A @endpoint(method: GET, path: "/x/") { running { id } }`, `bad path "/x/"`},
		{"unclean path", `query A @endpoint(method: GET, path: "/x/../y") { running { id } }`, `bad path "/x/../y"`},
		{"rest wildcard", `query A @endpoint(method: GET, path: "/x/{id...}") { running { id } }`, `bad path "/x/{id...}"`},
		{"path with query", `query A @endpoint(method: GET, path: "/x?y=1") { running { id } }`, `bad path "/x?y=1"`},
		{"path of no variable", `query A @endpoint(method: GET, path: "/x/{id}") { running { id } }`, `d.graphql:1:10: {id} is in the path but no variable has that name`},
		{"wildcard twice", `query A($id: ID!) @endpoint(method: GET, path: "/{id}/{id}") { task(id: $id) { id } }`, `{id} is twice in the path`},
		{"path from a variable", `query A($p: String!) @endpoint(method: GET, path: $p) { running { id } }`, `path of @endpoint must be written out`},
		{"list in path", `query A($d: [ID!]) @endpoint(method: GET, path: "/x/{d}") { employees(designationIds: $d) { totalCount } }`, `d.graphql:1:9: $d is [ID!] and cannot be in a path`},
		{"object in query", `mutation A($i: TaskInput!)` + at + `{ saveTask(input: $i) { id } }`, `d.graphql:1:12: $i is TaskInput! and cannot be in a query string`},
		{"upload in query", `mutation A($i: [Upload!]!)` + at + `{ saveImages(taskId: 1, images: $i) { id } }`, `$i is [Upload!]! and cannot be in a query string`},
		{"unused variable", `query A($id: ID)` + at + `{ running { id } }`, `Variable "$id" is never used in operation "A".`},
		{"same wire name", `query A($page: Int, $limit: Int @param(name: "page"))` + at + `{ employees(page: $page, limit: $limit) { totalCount } }`, `two variables are called "page" in requests`},
		{"bad wire name", `query A($page: Int @param(name: "a.b"))` + at + `{ employees(page: $page) { totalCount } }`, `"a.b" cannot be the name of a member`},
		{"several operations", "query A" + at + "{ running { id } }\nquery B" + at + "{ running { id } }", "d.graphql:2:1: a document holds one operation; this is another"},
		{"no name", "query" + at + "{ running { id } }", "d.graphql:1:1: the operation has no name"},
		{"subscription", "subscription A" + at + "{ changed { id } }", "d.graphql:1:1: a subscription cannot be an endpoint"},
		{"ambiguous body", "query A" + at + "{\n running { id }\n encryptionKeys }", "d.graphql:3:2: there are several root fields: mark the body with @body"},
		{"only headers", "query A" + at + `{ encryptionKeys @header(name: "X") }`, "@header is for single values; encryptionKeys is [String!]!"},
		{"body twice", "query A" + at + `{ running @body { id @body } }`, "@body is there more than once"},
		{"body repeated", "query A" + at + `{ running @body @body { id } }`, `The directive "@body" can only be used once at this location.`},
		{"body and header", "query A" + at + `{ running { id @body @header(name: "X") } }`, "a field cannot be both body and header"},
		{"header twice", "query A" + at + `{ running { id @header(name: "X") title @header(name: "X") status } }`, "the header X is there more than once"},
		{"header in list", "query A" + at + `{ employees { nodes { name @header(name: "X") } } }`, "@header cannot be inside a list"},
		{"bad header", "query A" + at + `{ running { id @header(name: "X: y") title } }`, `"X: y" cannot be the name of a header`},
		{"header on object", "query A" + at + `{ employees { totalCount nodes { mobileNumber @header(name: "X") { number } } } }`, "@header cannot be inside a list"},
		{"fragment cycle", "query A" + at + "{ running { ...F } } fragment F on Task { ...F }", `Cannot spread fragment "F" within itself`},
		{"body from a variable", "query A($v: Boolean!)" + at + "{ running { title @file @body(nullable: $v) } }", "nullable of @body must be written out"},
		{"too long", "query A" + at + "{ running { " + strings.Repeat("id ", 1000) + "} }", "d.graphql: exceeded token limit of 1000"},
		{"body on an unknown field", "query A" + at + "{ nothing @body { id } }", `Cannot query field "nothing"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := load(loadSchema(t), documentsOf(map[string]string{"d.graphql": tt.text}))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Load(%s)\n= %v\nwant %s", tt.text, err, tt.want)
			}
		})
	}
}

func TestLoadListsAllProblemsInOrder(t *testing.T) {
	_, err := load(loadSchema(t), documentsOf(map[string]string{
		"b.graphql": "query B @endpoint(method: GET, path: \"/b\") { nope\n also }",
		"a.graphql": `query A { running { id } }`,
		"c.graphql": `query C @endpoint(method: GET, path: "/task/{id}") { running { id } }`,
		"d.graphql": `query D @endpoint(method: GET, path: "/same") { running { id } }`,
		"e.graphql": `query D @endpoint(method: GET, path: "/same") { running { id } }`,
		"f.graphql": `query F($x: ID!, $y: ID!) @endpoint(method: GET, path: "/f/{x}/g") @endpoint(method: GET, path: "/f/g/{y}") { a: task(id: $x) @body { id } b: task(id: $y) { id } }`,
	}))
	want := []string{
		`a.graphql:1:1: @endpoint is missing`,
		`b.graphql:1:46: Cannot query field "nope" on type "Query". Did you mean "nodes"?`,
		`b.graphql:2:2: Cannot query field "also" on type "Query".`,
		`c.graphql:1:10: {id} is in the path but no variable has that name`,
		`e.graphql:1:1: operation D is also in d.graphql:1:1`,
		`e.graphql:1:10: GET /same clashes with GET /same of d.graphql:1:10`,
		`f.graphql:1:69: GET /f/g/{y} clashes with GET /f/{x}/g of f.graphql:1:28`,
	}
	if err == nil || err.Error() != strings.Join(want, "\n") {
		t.Errorf("got\n%v\nwant\n%s", err, strings.Join(want, "\n"))
	}
}

func TestRegisterNamesTheFileOfAClash(t *testing.T) {
	api := loadAPI(t)
	mux := http.NewServeMux()
	mux.Handle("GET /{x}/{y}", http.NotFoundHandler()) // less specific: fine
	mux.Handle("GET /task/{other}", http.NotFoundHandler())
	err := api.Register(mux, http.NotFoundHandler())
	want := `task/detail.graphql:1:29: GET /task/{id} clashes with the route "GET /task/{other}"`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
