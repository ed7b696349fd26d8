package server

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/deprecation"
	"workforce/rest"
)

// TestLoadAPI loads the built-in documents once, and gives each server a copy: what one
// sets of it is not the other's.
func TestLoadAPI(t *testing.T) {
	one, err := LoadAPI("")
	if err != nil {
		t.Fatal(err)
	}
	two, err := LoadAPI("")
	if err != nil {
		t.Fatal(err)
	}
	if op := "GET /user"; one.Definitions()[op] == nil || one.Definitions()[op] != two.Definitions()[op] {
		t.Error("the documents were loaded twice")
	}
	if two.Types = nil; one == two || one.Types == nil {
		t.Error("two servers share what is set of their documents")
	}
}

// TestOperatorsDocuments serves an operator's documents beside the built-in ones, and
// refuses wrong ones before the database is touched.
func TestOperatorsDocuments(t *testing.T) {
	dir := t.TempDir()
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "name.graphql"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := Config{Database: "sqlite:" + filepath.Join(t.TempDir(), "x.db"), SecretKeyFile: "x.key", Operations: dir}
	write(`query Name @endpoint(method: GET, path: "/name") { profile { name } }`)
	p, err := s.parse()
	if err != nil {
		t.Fatal(err)
	}
	api, err := p.documents()
	if err != nil {
		t.Fatal(err)
	}
	openAPI, err := api.OpenAPI(apiInfo(""))
	has := func(path string) bool {
		return slices.ContainsFunc(api.Endpoints(), func(e rest.Endpoint) bool { return e.Path == path })
	}
	if err != nil || !has("/name") || !has("/user") || !strings.Contains(string(openAPI), `"/name"`) {
		t.Errorf("the documents are %v, %v", api.Endpoints(), err)
	}
	write("query Name { nothing }")
	_, err = New(t.Context(), s, slog.New(slog.DiscardHandler))
	if err == nil || !strings.HasPrefix(err.Error(), "--operations: ") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(strings.TrimPrefix(s.Database, "sqlite:")); !os.IsNotExist(err) {
		t.Errorf("the database was touched: %v", err)
	}
}

// TestDeprecatedSince holds that what the schema marks @deprecated says since when.
func TestDeprecatedSince(t *testing.T) {
	marks := 0
	hold := func(place string, list ast.DirectiveList) {
		n, err := deprecation.Read(list, place)
		if err != nil {
			t.Errorf("%s: %v", place, err)
		}
		if n != nil {
			marks++
		}
	}
	for _, def := range Schema().Types {
		for _, v := range def.EnumValues {
			hold(def.Name+"."+v.Name, v.Directives)
		}
		for _, f := range def.Fields {
			hold(def.Name+"."+f.Name, f.Directives)
			for _, a := range f.Arguments {
				hold(def.Name+"."+f.Name+"("+a.Name+":)", a.Directives)
			}
		}
	}
	if want := strings.Count(string(SDL()), " @deprecated("); marks != want {
		t.Errorf("%d marks were read, the schema has %d", marks, want)
	}
}

// TestServeOpenAPI serves openapi.json with the server's URL, made once, and tells nothing of
// why it could not be made.
func TestServeOpenAPI(t *testing.T) {
	dir := t.TempDir()
	s := Config{Database: "sqlite:" + dir + "/x.db", SecretKeyFile: dir + "/x.key", Migrate: true, PublicURL: "https://work.test"}
	srv, err := New(t.Context(), s, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = srv.Store.Close() })
	get := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		srv.serveOpenAPI(w, httptest.NewRequestWithContext(t.Context(), "GET", "/openapi.json", nil))
		return w
	}
	if w := get(); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"url": "https://work.test"`) {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
	one, _ := srv.OpenAPI()
	if two, _ := srv.OpenAPI(); &one[0] != &two[0] {
		t.Error("it was made twice")
	}
	srv.OpenAPI = func() ([]byte, error) { return nil, errors.New("the cause") }
	if w := get(); w.Code != http.StatusInternalServerError || strings.Contains(w.Body.String(), "the cause") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}
