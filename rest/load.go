package rest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"workforce/internal/deprecation"
	"workforce/internal/variables"
)

// Load reads the operation documents of all layers and checks them against the
// schema, whose types read the variables of requests. A file of a later layer replaces
// one of the same relative path, and an empty one only removes it. README.md below a
// group's heading describes it, answers.json holds examples for openapi.json, and
// shapes.graphql fragments that all documents may use, the later layers' before
// others of the same name; other files, and names that
// begin with a dot, are ignored. The error lists every problem of
// every document as file:line:column.
func Load(schema *ast.Schema, types *variables.Types, layers ...fs.FS) (*API, error) {
	sources, of, notes, err := read(layers)
	if err != nil {
		return nil, err
	}
	known, err := extend(schema)
	if err != nil {
		return nil, err
	}
	var found problems
	var endpoints []*endpoint
	shapes := sources[shapesFile]
	delete(sources, shapesFile)
	for _, file := range slices.Sorted(maps.Keys(sources)) {
		c := compiler{schema: known, file: file, shapes: shapes}
		endpoints = append(endpoints, c.compile(sources[file])...)
		found = append(found, c.problems...)
	}
	found = append(found, clashes(endpoints)...)
	if len(found) > 0 {
		return nil, found.err()
	}
	api := &API{Types: types, schema: schema, uses: deprecation.NewUses(schema), notes: notes}
	api.endpoints = make(map[string]*endpoint, len(endpoints))
	for _, e := range endpoints {
		api.endpoints[e.pattern()] = e
		if r, ok := notes.answers[e.Operation]; ok && r.layer != of[e.File] { // another document was asked
			delete(notes.answers, e.Operation)
		}
		e.warns = e.deprecated != nil || api.uses.In(e.def.VariableDefinitions) ||
			slices.ContainsFunc(e.members, func(m *member) bool { return m.deprecated != nil })
	}
	return api, nil
}

// notes are what folders of documents say for openapi.json alone.
type notes struct {
	groups  map[string]string // by folder: its README.md below the heading
	answers map[string]record // of answers.json, by operation
}

// A record is a request that was sent and its answer, which openapi.json has as examples.
type record struct {
	Parameters   map[string]string
	Body, Answer any

	layer int // whose answers.json has it
}

const answersFile = "answers.json"

// shapesFile holds the fragments that all documents may use.
const shapesFile = "shapes.graphql"

func isNote(name string) bool { return name == answersFile || path.Base(name) == "README.md" }

// add reads a note of a layer.
func (n notes) add(name string, text []byte, layer int) error {
	if name != answersFile {
		_, about, _ := strings.Cut(string(text), "\n")
		n.groups[path.Dir(name)] = strings.TrimSpace(about)
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber() // which keeps the digits
	var all map[string]record
	if err := d.Decode(&all); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for operation, r := range all {
		r.layer = layer
		n.answers[operation] = r
	}
	return nil
}

// read returns the text of each document by its path, the layer that it is of, and the notes.
func read(layers []fs.FS) (sources map[string]string, of map[string]int, n notes, err error) {
	sources, of, n = map[string]string{}, map[string]int{}, notes{map[string]string{}, map[string]record{}}
	var failed []error
	for i, layer := range layers {
		failed = append(failed, fs.WalkDir(layer, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if base := path.Base(name); base != "." && strings.HasPrefix(base, ".") {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if d.IsDir() || path.Ext(name) != ".graphql" && !isNote(name) {
				return nil
			}
			text, err := fs.ReadFile(layer, name)
			if isNote(name) {
				return errors.Join(err, n.add(name, text, i))
			}
			if name == shapesFile {
				text = append(append(text, '\n'), sources[name]...) // whose fragments come after the layer's
			}
			sources[name], of[name] = string(text), i
			if strings.TrimSpace(sources[name]) == "" {
				delete(sources, name)
			}
			return err
		}))
	}
	return sources, of, n, errors.Join(failed...)
}

// clashes finds endpoints that no ServeMux can tell apart and operations that
// share a name.
func clashes(endpoints []*endpoint) (found problems) {
	patterns := make([]string, len(endpoints))
	for i, e := range endpoints {
		patterns[i] = e.pattern()
	}
	apart := distinct(patterns...) // else some pair is not
	for i, e := range endpoints {
		for _, other := range endpoints[:i] {
			if !apart && !distinct(e.pattern(), other.pattern()) {
				found.add(e.pos, "%s clashes with %s of %s", e.pattern(), other.pattern(), position(other.pos))
			}
			if e.File != other.File && e.Operation == other.Operation {
				found.add(e.def.Position, "operation %s is also in %s", e.Operation, position(other.def.Position))
			}
		}
	}
	return found
}

// distinct reports whether a ServeMux takes both patterns.
func distinct(patterns ...string) (ok bool) {
	defer func() { ok = recover() == nil }()
	mux := http.NewServeMux()
	for _, p := range patterns {
		mux.Handle(p, http.NotFoundHandler())
	}
	return true
}

// problems are what is wrong with documents, each with its place.
type problems gqlerror.List

func (p *problems) add(pos *ast.Position, format string, args ...any) {
	*p = append(*p, gqlerror.ErrorPosf(pos, format, args...))
}

// err joins the problems in the order of their places, each once.
func (p problems) err() error {
	slices.SortStableFunc(p, func(x, y *gqlerror.Error) int {
		fx, lx := location(x)
		fy, ly := location(y)
		return cmp.Or(cmp.Compare(fx, fy), cmp.Compare(lx.Line, ly.Line), cmp.Compare(lx.Column, ly.Column))
	})
	var list []error
	for i, e := range p {
		if i == 0 || e.Error() != p[i-1].Error() {
			list = append(list, e)
		}
	}
	return errors.Join(list...)
}

func location(e *gqlerror.Error) (file string, at gqlerror.Location) {
	file, _ = e.Extensions["file"].(string)
	if len(e.Locations) > 0 {
		at = e.Locations[0]
	}
	return file, at
}

func position(pos *ast.Position) string {
	return fmt.Sprintf("%s:%d:%d", pos.Src.Name, pos.Line, pos.Column)
}
