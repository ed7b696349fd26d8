package rest

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/deprecation"
	"workforce/internal/errs"
	"workforce/internal/openapi"
	"workforce/internal/rootfield"
)

// Info describes the service in its OpenAPI document.
type Info struct {
	Title, Version, Description string
	Servers                     []string // base URLs
	openapi.Part                         // what the service has besides the endpoints
}

// OpenAPI returns the OpenAPI 3.1 document of all endpoints: the requests from
// the variables, the answers from the selections, the words from the
// descriptions. The same endpoints give the same bytes.
func (a *API) OpenAPI(info Info) ([]byte, error) {
	d := description{
		schema: a.schema, shapes: maps.Clone(info.Schemas), sampling: map[string]bool{}, answers: a.answers,
		codes: map[errs.Code]bool{}, base: strings.Join(info.Servers[:min(1, len(info.Servers))], ""),
	}
	if d.shapes == nil {
		d.shapes = map[string]*openapi.Schema{}
	}
	for _, code := range info.Codes {
		d.codes[code] = true
	}
	paths := map[string]openapi.Object{}
	for path, operations := range info.Paths {
		paths[path] = operations
	}
	tags := maps.Clone(info.Tags)
	if tags == nil {
		tags = map[string]string{}
	}
	ids := map[string]int{}
	for _, e := range a.sorted() {
		if paths[e.Path] == nil {
			paths[e.Path] = openapi.Object{}
		}
		op := d.operation(e)
		if ids[e.Operation]++; ids[e.Operation] > 1 { // served at several paths
			op.ID += strconv.Itoa(ids[e.Operation])
		}
		paths[e.Path][strings.ToLower(e.Method)] = op
		for _, t := range op.Tags {
			tags[t] = a.groups[t]
		}
	}
	doc := struct {
		OpenAPI    string           `json:"openapi"`
		Info       openapi.Object   `json:"info"`
		Servers    []openapi.Object `json:"servers,omitempty"`
		Tags       []openapi.Object `json:"tags,omitempty"`
		Paths      any              `json:"paths"`
		Webhooks   openapi.Object   `json:"webhooks,omitempty"`
		Components openapi.Object   `json:"components"`
	}{
		OpenAPI: "3.1.0", Info: openapi.Object{
			"title": info.Title, "version": info.Version, "description": info.Description, "license": license,
		},
		Paths: paths, Webhooks: info.Webhooks, Components: openapi.Components(d.shapes, d.codes, d.base, info.SecuritySchemes),
	}
	for _, s := range info.Servers {
		doc.Servers = append(doc.Servers, openapi.Object{"url": s})
	}
	for _, t := range sortedKeys(tags) {
		tag := openapi.Object{"name": t}
		if tags[t] != "" {
			tag["description"] = tags[t]
		}
		doc.Tags = append(doc.Tags, tag)
	}
	all, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	headers, _ := doc.Components["headers"].(openapi.Object)
	maps.DeleteFunc(headers, func(name string, _ any) bool { // those that no answer has
		return !bytes.Contains(all, []byte(`"#/components/headers/`+name+`"`))
	})
	return json.MarshalIndent(doc, "", "  ")
}

// license is that of the service and its document, by a name as SPDX has it for licences that
// are not in its list.
var license = openapi.Object{"name": "Proprietary", "identifier": "LicenseRef-Proprietary"}

// A description gathers what the endpoints of one document share.
type description struct {
	schema *ast.Schema
	shapes map[string]*openapi.Schema // of objects and enums, by name
	codes  map[errs.Code]bool         // that endpoints fail with; true for the only one of a status
	base   string                     // of the links in examples

	going map[*ast.Field]*deprecation.Notice // members of the response that is described

	answers  map[string]record // of answers.json
	sampling map[string]bool   // named schemas that sample is inside of
}

type operationObject struct {
	ID          string                `json:"operationId"`
	Summary     string                `json:"summary,omitempty"`
	Description string                `json:"description,omitempty"`
	Deprecated  bool                  `json:"deprecated,omitempty"`
	Tags        []string              `json:"tags,omitempty"`
	Security    []map[string][]string `json:"security"`
	Parameters  []any                 `json:"parameters,omitempty"`
	RequestBody any                   `json:"requestBody,omitempty"`
	Responses   openapi.Object        `json:"responses"`
}

func (d *description) operation(e *endpoint) *operationObject {
	op := &operationObject{
		ID: lowerFirst(e.Operation), Summary: words(e.Operation),
		Description: e.deprecated.Describe(e.def.Description), Deprecated: e.deprecated != nil,
		Security: openapi.Security(e.responseField()), Parameters: d.parameters(e), RequestBody: d.requestBody(e),
		Responses: d.failures(e),
	}
	d.going = e.going
	op.Responses["200"] = d.response(e)
	if e.tagged() {
		op.Responses["304"] = openapi.Object{"description": "The answer is the one whose ETag If-None-Match names.", "headers": openapi.HeaderRefs("X-Req-Id", "ETag")}
	}
	if tag := path.Dir(e.File); tag != "." {
		op.Tags = []string{tag}
	}
	return op
}

// words splits the name of an operation at its capitals: GetUsersList is Get Users
// List.
func words(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// tagged reports whether answers have an ETag: those of a GET that only reads.
func (e *endpoint) tagged() bool {
	return e.Method == http.MethodGet && e.def.Operation == ast.Query && !e.secret
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
		o := openapi.Object{"name": m.wire, "in": in, "required": in == "path" || m.required, "schema": e.bounded(m, s)}
		if about := m.deprecated.Describe(m.doc); about != "" {
			o["description"] = about
		}
		if m.deprecated != nil {
			o["deprecated"] = true
		}
		if example := d.parameter(e, m, s); example != nil {
			o["example"] = example
		}
		list = append(list, o)
	}
	var kind openapi.Kind
	switch {
	case e.tagged():
		kind = openapi.Tagged
	case e.Method != http.MethodGet && e.remembers():
		kind = openapi.Remembered
	}
	return append(list, openapi.RequestHeaders(kind)...)
}

// bounded adds the limits of page and limit.
func (o *document) bounded(m *member, s *openapi.Schema) *openapi.Schema {
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
	s := &openapi.Schema{Type: openapi.Types{"object"}}
	for _, m := range e.members {
		if e.inPath(m.wire) {
			continue
		}
		p := e.bounded(m, d.input(m.Type, !m.required))
		p = p.About(m.doc).Gone(m.deprecated)
		p.Default = constant(m.DefaultValue)
		s.Properties = append(s.Properties, openapi.Property{Name: m.wire, Schema: p})
		if m.required {
			s.Required = append(s.Required, m.wire)
		}
	}
	if !e.hasBody() || len(s.Properties) == 0 {
		return nil
	}
	required, media := len(s.Required) > 0, "application/json"
	if e.uploads() {
		media = "multipart/form-data"
	}
	s = d.named(e.Operation+"Request", s)
	content := openapi.Object{"schema": s}
	if !e.uploads() {
		content["example"] = d.request(e, s)
	}
	return openapi.Object{"required": required, "content": openapi.Object{media: content}}
}

func (d *description) response(e *endpoint) openapi.Object {
	if e.file {
		return openapi.Object{"description": "The file, or the part of it that Range asks for.", "headers": d.headers(e), "content": openapi.Object{
			"*/*": openapi.Object{"schema": &openapi.Schema{Type: openapi.Types{"string"}, Format: "binary"}},
		}}
	}
	body, inList := e.response.find()
	s := d.output(body.field.Definition.Type, body.set, body)
	if inList {
		s = &openapi.Schema{Type: openapi.Types{"array"}, Items: s}
	}
	if s = s.NotNull(); e.nullable && !inList {
		s = s.OrNull()
	}
	out := openapi.Object{"description": "Success.", "content": openapi.Object{"application/json": openapi.Object{"schema": s, "example": d.answer(e, s)}}}
	out["headers"] = d.headers(e)
	return out
}

// headers describes the headers that hold parts of the answer.
func (d *description) headers(e *endpoint) openapi.Object {
	found := openapi.HeaderRefs("X-Req-Id", "Content-Language")
	for _, f := range rootfield.Selected(e.def.SelectionSet) {
		if facts := rootfield.Read(f.Definition); facts.Limit.Event != "" {
			maps.Copy(found, openapi.HeaderRefs("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"))
		} else if e.def.Operation == ast.Mutation && !facts.NeverRemembered {
			maps.Copy(found, openapi.HeaderRefs("Idempotent-Replayed"))
		}
	}
	if e.tagged() {
		maps.Copy(found, openapi.HeaderRefs("ETag"))
	}
	if e.warns {
		maps.Copy(found, openapi.HeaderRefs("Deprecation", "Sunset", "Link"))
	}
	var walk func(s *slot)
	walk = func(s *slot) {
		if s.header != "" {
			found[s.header] = openapi.Object{"description": s.field.Definition.Description, "schema": d.leaf(s.field.Definition.Type.Name(), false)}
		}
		for _, below := range s.slots {
			walk(below)
		}
	}
	walk(e.response)
	if _, _, ok := e.paging(); ok && found[totalHeader] != nil {
		maps.Copy(found, openapi.HeaderRefs("Link"))
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
