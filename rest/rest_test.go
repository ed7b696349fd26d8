package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/errs"
	"workforce/internal/graphqlhttp"
	"workforce/internal/variables"
)

// loadSchema returns the schema of the tests.
func loadSchema(t testing.TB) *ast.Schema {
	t.Helper()
	text, err := os.ReadFile("testdata/schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(text)})
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// load loads documents whose scalars have no checks.
func load(schema *ast.Schema, layers ...fs.FS) (*API, error) {
	return Load(schema, variables.NewTypes(schema, variables.Options{}), layers...)
}

// loadAPI returns the endpoints of testdata/operations.
func loadAPI(t testing.TB) *API {
	t.Helper()
	api, err := load(loadSchema(t), os.DirFS("testdata/operations"))
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// A canned schema executes nothing: it answers each operation with the same data
// and errors, and keeps what it was asked.
type canned struct {
	schema *ast.Schema
	data   string
	errors []*gqlerror.Error
	seen   *graphql.OperationContext
	ctx    context.Context // of the operation
	files  []string        // contents of the uploads
}

func (c *canned) Schema() *ast.Schema { return c.schema }

func (c *canned) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

func (c *canned) Exec(ctx context.Context) graphql.ResponseHandler {
	c.seen, c.ctx, c.files = graphql.GetOperationContext(ctx), ctx, nil
	for _, v := range c.seen.Variables {
		list, _ := v.([]any)
		for _, v := range list {
			if up, ok := v.(graphql.Upload); ok {
				text, _ := io.ReadAll(up.File)
				c.files = append(c.files, up.Filename+"="+string(text))
			}
		}
	}
	for _, e := range c.errors {
		graphql.AddError(ctx, e)
	}
	return graphql.OneShot(&graphql.Response{Data: []byte(c.data)})
}

// A service is the test documents on gqlgen's own server.
type service struct {
	*http.ServeMux
	*canned
	api *API
}

func newService(t testing.TB) *service {
	s := &service{http.NewServeMux(), &canned{schema: loadSchema(t), data: `{}`}, loadAPI(t)}
	gql := handler.New(s.canned)
	gql.AddTransport(s.api)
	graphqlhttp.New(s.schema, s.api.Types, nil, nil).Install(gql, nil)
	gql.SetErrorPresenter(graphqlhttp.Presenter(func(_ context.Context, err error) error { return err }))
	if err := s.api.Register(s.ServeMux, gql); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *service) do(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.canned.seen = nil
	s.ServeHTTP(w, r)
	return w
}

// variables returns the variables of the last operation as JSON.
func (s *service) variables(t testing.TB) string {
	t.Helper()
	if s.seen == nil {
		return "not executed"
	}
	text, err := json.Marshal(s.seen.Variables)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// faults returns status, code and faults of an error, as in "422
// VALIDATION_FAILED title:This is required."
func faults(t testing.TB, w *httptest.ResponseRecorder) string {
	t.Helper()
	var p errs.Problem
	d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil || p.Status != w.Code {
		t.Fatalf("%d %s: not a problem: %v", w.Code, w.Body, err)
	}
	out := http.StatusText(w.Code) + " " + p.Code
	for _, f := range p.Errors {
		out += "\n" + f.Field + ": "
		if f.Code != p.Code {
			out += f.Code + " "
		}
		out += f.Detail
	}
	return out
}

func documentsOf(files map[string]string) fs.FS {
	m := fstest.MapFS{}
	for name, text := range files {
		m[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}
