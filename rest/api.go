// Package rest serves HTTP paths by GraphQL operations. An endpoint is one
// operation document: its variables are the request, its selection set is the
// response, its descriptions are the documentation. REST runs on the GraphQL
// server's own executor, as one more of its transports, and so shares its
// transactions, errors and limits.
package rest

import (
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/deprecation"
	"workforce/internal/operation"
	"workforce/internal/variables"
)

//go:embed operations
var documents embed.FS

// Operations returns the built-in operation documents.
func Operations() fs.FS {
	layer, err := fs.Sub(documents, "operations")
	if err != nil {
		panic(err) // only for a name that is not a valid path
	}
	return layer
}

// An API is a set of endpoints. It is a gqlgen transport for the requests that a
// ServeMux matched to one of its patterns. The server's executor must have
// operation.Extension and an operation.Cache.
type API struct {
	// Types read the variables of requests.
	Types *variables.Types

	// Check decides whether the caller may ask for an operation, before anything
	// of the request's body or query string is read. Optional.
	Check operation.Check

	// Admit lets an operation run, once the request's body is read. Optional.
	Admit operation.Admit

	// End is told of the end of each operation that Check let pass. Optional.
	End operation.End

	// File answers with the object that a link of the store leads to, to be saved under
	// a name. Needed where a document has @file.
	File func(w http.ResponseWriter, r *http.Request, link, name string)

	// Docs has answers link to the reference where they use what will go.
	Docs bool

	schema    *ast.Schema
	uses      deprecation.Uses
	endpoints map[string]*endpoint // by ServeMux pattern
	notes                          // what folders say besides documents
}

var _ graphql.Transport = (*API)(nil)

// An Endpoint is one method and path and the operation behind it.
type Endpoint struct {
	Method, Path string
	Operation    string // name of the operation
	File         string // its document, relative to its layer
}

func (e Endpoint) pattern() string { return e.Method + " " + e.Path }

// Endpoints returns all endpoints by path, then method.
func (a *API) Endpoints() []Endpoint {
	list := make([]Endpoint, 0, len(a.endpoints))
	for _, e := range a.sorted() {
		list = append(list, e.Endpoint)
	}
	return list
}

func (a *API) sorted() []*endpoint {
	return slices.SortedFunc(maps.Values(a.endpoints), func(x, y *endpoint) int {
		if c := strings.Compare(x.Path, y.Path); c != 0 {
			return c
		}
		return strings.Compare(x.Method, y.Method)
	})
}

// Register routes every endpoint on mux to h, the server that has the API among
// its transports. A pattern that clashes with one on mux already is an error
// that names the document.
func (a *API) Register(mux *http.ServeMux, h http.Handler) (err error) {
	var current *endpoint
	defer func() {
		if r := recover(); r != nil { // ServeMux panics on clashing patterns
			_, other, _ := strings.Cut(fmt.Sprint(r), "conflicts with pattern ")
			other, _, _ = strings.Cut(other, " (registered")
			err = fmt.Errorf("%s: %s clashes with the route %s", position(current.pos), current.pattern(), other)
		}
	}()
	for _, current = range a.sorted() {
		mux.Handle(current.pattern(), h)
	}
	return nil
}

// Definitions returns the operation behind each ServeMux pattern.
func (a *API) Definitions() map[string]*ast.OperationDefinition {
	all := make(map[string]*ast.OperationDefinition, len(a.endpoints))
	for pattern, e := range a.endpoints {
		all[pattern] = e.def
	}
	return all
}

// Texts returns the text of the operation behind each ServeMux pattern, with the fragments
// that it uses, by which the executor knows it.
func (a *API) Texts() map[string]string {
	all := make(map[string]string, len(a.endpoints))
	for pattern, e := range a.endpoints {
		all[pattern] = e.query
	}
	return all
}

// Writes reports whether a pattern is that of an endpoint that changes data by
// GET. HEAD is not allowed there.
func (a *API) Writes(pattern string) bool {
	e := a.endpoints[pattern]
	return e != nil && e.Method == http.MethodGet && e.def.Operation == ast.Mutation
}

// Supports implements graphql.Transport.
func (a *API) Supports(r *http.Request) bool { return a.endpoints[r.Pattern] != nil }

// Do implements graphql.Transport.
func (a *API) Do(w http.ResponseWriter, r *http.Request, exec graphql.GraphExecutor) {
	a.serve(w, r, exec, a.endpoints[r.Pattern])
}
