package rest

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"
)

// Info describes the service in its OpenAPI document.
type Info struct {
	Title, Version, Description string
	Servers                     []string // base URLs
}

type (
	object = map[string]any
	ref    struct {
		Ref string `json:"$ref"`
	}
)

// OpenAPI returns the OpenAPI 3.1 document of all endpoints: the requests from
// the variables, the answers from the selections, the words from the
// descriptions. The same endpoints give the same bytes.
func (a *API) OpenAPI(info Info) ([]byte, error) {
	d := description{schema: a.schema, inputs: map[string]*schema{}}
	paths := map[string]object{}
	tags := map[string]bool{}
	ids := map[string]int{}
	for _, e := range a.sorted() {
		if paths[e.Path] == nil {
			paths[e.Path] = object{}
		}
		op := d.operation(e)
		if ids[e.Operation]++; ids[e.Operation] > 1 { // served at several paths
			op.ID += strconv.Itoa(ids[e.Operation])
		}
		paths[e.Path][strings.ToLower(e.Method)] = op
		for _, t := range op.Tags {
			tags[t] = true
		}
	}
	doc := struct {
		OpenAPI    string   `json:"openapi"`
		Info       object   `json:"info"`
		Servers    []object `json:"servers,omitempty"`
		Tags       []object `json:"tags,omitempty"`
		Paths      any      `json:"paths"`
		Components object   `json:"components"`
	}{
		OpenAPI: "3.1.0", Info: object{"title": info.Title, "version": info.Version, "description": info.Description},
		Paths: paths, Components: d.components(),
	}
	for _, s := range info.Servers {
		doc.Servers = append(doc.Servers, object{"url": s})
	}
	for _, t := range sortedKeys(tags) {
		doc.Tags = append(doc.Tags, object{"name": t})
	}
	return json.MarshalIndent(doc, "", "  ")
}

// A description gathers what the endpoints of one document share.
type description struct {
	schema *ast.Schema
	inputs map[string]*schema // of input objects, by name
}

type operationObject struct {
	ID          string                `json:"operationId"`
	Summary     string                `json:"summary,omitempty"`
	Description string                `json:"description,omitempty"`
	Tags        []string              `json:"tags,omitempty"`
	Security    []map[string][]string `json:"security"`
	Parameters  []any                 `json:"parameters,omitempty"`
	RequestBody any                   `json:"requestBody,omitempty"`
	Responses   object                `json:"responses"`
}

func (d *description) operation(e *endpoint) *operationObject {
	summary, _, _ := strings.Cut(e.def.Description, "\n")
	op := &operationObject{
		ID: lowerFirst(e.Operation), Summary: strings.TrimSuffix(summary, "."), Description: e.def.Description,
		Security: security(e.responseField()), Parameters: d.parameters(e), RequestBody: d.requestBody(e),
		Responses: object{"200": d.response(e), "default": ref{"#/components/responses/Problem"}},
	}
	if tag := path.Dir(e.File); tag != "." {
		op.Tags = []string{tag}
	}
	return op
}

func lowerFirst(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToLower(first)) + s[n:]
}

// parameters lists what is in the path and the query string, and the headers
// that every request may have.
func (d *description) parameters(e *endpoint) (list []any) {
	for _, m := range e.members {
		in := "query"
		if e.inPath(m.wire) {
			in = "path"
		} else if e.hasBody() {
			continue
		}
		s := d.input(m.Type, false)
		s.Default = constant(m.DefaultValue)
		o := object{"name": m.wire, "in": in, "required": in == "path" || m.required, "schema": e.bounded(m, s)}
		if m.doc != "" {
			o["description"] = m.doc
		}
		list = append(list, o)
	}
	for _, h := range requestHeaders {
		if h.reads || e.Method != http.MethodGet {
			list = append(list, ref{"#/components/parameters/" + h.name})
		}
	}
	return list
}

// bounded adds the limits of page and limit.
func (o *document) bounded(m *member, s *schema) *schema {
	page, limit, ok := o.paging()
	if ok && (m == page || m == limit) {
		one, most := 1, maxLimit
		s.Minimum = &one
		if m == limit {
			s.Maximum = &most
		}
	}
	return s
}

func (d *description) requestBody(e *endpoint) any {
	s := &schema{Type: types{"object"}}
	for _, m := range e.members {
		if e.inPath(m.wire) {
			continue
		}
		p := e.bounded(m, d.input(m.Type, true))
		p = p.about(m.doc)
		p.Default = constant(m.DefaultValue)
		s.Properties = append(s.Properties, property{m.wire, p})
		if m.required {
			s.Required = append(s.Required, m.wire)
		}
	}
	if !e.hasBody() || len(s.Properties) == 0 {
		return nil
	}
	media := "application/json"
	if e.uploads() {
		media = "multipart/form-data"
	}
	return object{"required": len(s.Required) > 0, "content": object{media: object{"schema": s}}}
}

func (d *description) response(e *endpoint) object {
	body, inList := e.response.find()
	s := d.output(body.field.Definition.Type, body.set, body)
	if inList {
		s = &schema{Type: types{"array"}, Items: s}
	}
	if s.Type = slices.DeleteFunc(s.Type, isNull); e.nullable && !inList {
		s.Type = append(s.Type, "null")
	}
	out := object{"description": "Success.", "content": object{"application/json": object{"schema": s}}}
	if headers := d.headers(e); len(headers) > 0 {
		out["headers"] = headers
	}
	return out
}

// headers describes the headers that hold parts of the answer.
func (d *description) headers(e *endpoint) object {
	found := object{}
	var walk func(s *slot)
	walk = func(s *slot) {
		if s.header != "" {
			found[s.header] = object{"description": s.field.Definition.Description, "schema": d.leaf(s.field.Definition.Type.Name(), false)}
		}
		for _, below := range s.slots {
			walk(below)
		}
	}
	walk(e.response)
	if _, _, ok := e.paging(); ok && found[totalHeader] != nil {
		found["Link"] = object{
			"description": "RFC 8288: first, prev, next and last page, when limit is given.",
			"schema":      &schema{Type: types{"string"}},
		}
	}
	return found
}

// responseField returns the root field that the body comes from.
func (o *document) responseField() *ast.Field {
	for _, s := range o.response.slots {
		if body, _ := s.find(); body != nil {
			return s.field
		}
	}
	return nil
}
