package fuzz

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/apitest"
	"workforce/internal/errs"
)

// A document is an operation that is being written.
type document struct {
	*driver
	declared  []string       // variables
	variables map[string]any // their values
}

// A selected field is one that an answer holds.
type selected struct {
	key   string
	typ   *ast.Type
	below []selected
}

// graphQL sends an operation.
func (d *driver) graphQL(t *testing.T, who string, header map[string]string) {
	t.Helper()
	doc := &document{driver: d, variables: map[string]any{}}
	kind, root := "query", d.schema.Query
	if d.IntN(3) == 0 {
		kind, root = "mutation", d.schema.Mutation
	}
	set, fields := doc.set(root, one(d, 1, 1, 1, 2, 4), 0)
	text := kind
	if len(doc.declared) > 0 {
		text += "(" + strings.Join(doc.declared, ",") + ")"
	}
	text += set
	body := apitest.Query(text, doc.variables)
	resp, answer := d.Send(t, "POST", "/graphql", body, header)
	err := refused(resp)
	if err == nil {
		err = d.checkAnswer(answer, fields)
	}
	if err != nil {
		t.Errorf("%s: %s\nheader %v\n%v\nanswer: %d %.2000s", who, clip(body), withoutTokens(header), err, resp.StatusCode, answer)
	}
	status := resp.StatusCode
	if strings.Contains(string(answer), string(errs.Unauthenticated)) {
		status = errs.Unauthenticated.Status()
	}
	d.keep(t, who, status, nil)
}

// set writes a selection set of up to n fields of an object.
func (d *document) set(def *ast.Definition, n, depth int) (text string, fields []selected) {
	var from []*ast.FieldDefinition
	for _, f := range def.Fields {
		if !strings.HasPrefix(f.Name, "__") && (depth < 5 || d.schema.Types[f.Type.Name()].IsLeafType()) {
			from = append(from, f)
		}
	}
	if len(from) == 0 || d.IntN(40) == 0 {
		return "{__typename}", []selected{{key: "__typename", typ: ast.NonNullNamedType("String", nil)}}
	}
	var b strings.Builder
	b.WriteByte('{')
	for i := range n {
		f, key := one(d.driver, from...), fmt.Sprint("f", i)
		b.WriteString(" " + key + ":" + f.Name + d.arguments(f))
		if d.IntN(25) == 0 {
			b.WriteString("@include(if:true)")
		}
		s := selected{key: key, typ: f.Type}
		if below := d.schema.Types[f.Type.Name()]; !below.IsLeafType() {
			var inner string
			inner, s.below = d.set(below, 1+d.IntN(4), depth+1)
			b.WriteString(inner)
		}
		fields = append(fields, s)
	}
	return b.String() + "}", fields
}

// arguments writes the arguments of a field: in the document, or as variables.
func (d *document) arguments(f *ast.FieldDefinition) string {
	var list []string
	for _, a := range f.Arguments {
		if !a.Type.NonNull && d.IntN(3) > 0 {
			continue
		}
		value := d.input(a.Name, a.Type, 4)
		if d.IntN(2) == 0 {
			if literal, ok := literalOf(value); ok {
				list = append(list, a.Name+":"+literal)
				continue
			}
		}
		name := fmt.Sprint("v", len(d.declared))
		d.declared = append(d.declared, "$"+name+":"+a.Type.String())
		d.variables[name] = jsonOf(value)
		list = append(list, a.Name+":$"+name)
	}
	if len(list) == 0 {
		return ""
	}
	return "(" + strings.Join(list, ",") + ")"
}

// An enum is the value of one, which is no text in a document.
type enum string

// input is a value of an input type, and sometimes another.
func (d *document) input(name string, typ *ast.Type, depth int) any {
	switch {
	case d.IntN(30) == 0:
		return d.other(2)
	case !typ.NonNull && d.IntN(12) == 0:
		return nil
	case typ.Elem != nil:
		list := []any{}
		for range one(d.driver, 0, 1, 1, 2, 3) {
			list = append(list, d.input(name, typ.Elem, depth))
		}
		return list
	}
	def := d.schema.Types[typ.NamedType]
	switch def.Kind {
	case ast.Enum:
		return enum(one(d.driver, def.EnumValues...).Name)
	case ast.InputObject:
		object := map[string]any{}
		for _, f := range d.members(def, depth) {
			object[f.Name] = d.input(f.Name, f.Type, depth-1)
		}
		return object
	}
	switch def.Name {
	case "Int":
		return d.integer()
	case "Float":
		return d.number()
	case "Boolean":
		return d.IntN(2) == 0
	case "Cursor":
		return one(d.driver, "gaFpAQ", "gqFpAaF2pEJ1ZGk", "gqFpAaF2kA", "gqFpAaF21v8AAAAA", "?", "", d.text("cursor"))
	case "ID":
		return d.text("id")
	case "Time":
		return d.text("at")
	case "Date":
		return d.text("date")
	}
	return d.text(name)
}

// members chooses the members of an input object: the needed and some others.
func (d *document) members(def *ast.Definition, depth int) (list []*ast.FieldDefinition) {
	filter := strings.HasSuffix(def.Name, "WhereInput")
	for _, f := range def.Fields {
		nested := d.schema.Types[f.Type.Name()].Kind == ast.InputObject
		likely := 3 // of four
		if filter {
			likely = 0
		}
		if nested && depth <= 0 {
			continue
		}
		if f.Type.NonNull || d.IntN(4) < likely {
			list = append(list, f)
		}
	}
	if filter {
		for range d.IntN(4) {
			f := one(d.driver, def.Fields...)
			if d.schema.Types[f.Type.Name()].Kind != ast.InputObject || depth > 0 {
				list = append(list, f)
			}
		}
	}
	return list
}

// literalOf writes a value as GraphQL does; false for what that does not have.
func literalOf(value any) (string, bool) {
	switch v := value.(type) {
	case enum:
		return string(v), true
	case []any:
		var list []string
		for _, element := range v {
			text, ok := literalOf(element)
			if !ok {
				return "", false
			}
			list = append(list, text)
		}
		return "[" + strings.Join(list, ",") + "]", true
	case map[string]any:
		var list []string
		for name, member := range v {
			text, ok := literalOf(member)
			if !ok || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || name == "" {
				return "", false
			}
			list = append(list, name+":"+text)
		}
		slices.Sort(list)
		return "{" + strings.Join(list, ",") + "}", true
	case string:
		for _, c := range v {
			if c < ' ' || c > '~' {
				return "", false
			}
		}
	}
	text, err := json.Marshal(value)
	return string(text), err == nil
}

// jsonOf is a value as JSON has it.
func jsonOf(value any) any {
	switch v := value.(type) {
	case enum:
		return string(v)
	case []any:
		for i := range v {
			v[i] = jsonOf(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = jsonOf(v[name])
		}
	}
	return value
}

// checkAnswer returns an error when an answer is not what GraphQL and the schema
// allow, or the server's fault.
func (d *driver) checkAnswer(answer []byte, fields []selected) error {
	var a struct {
		Data   *json.RawMessage
		Errors []struct {
			Message    string
			Extensions struct {
				Code, RequestID string
				Meta            map[string]any
				Errors          []map[string]any
			}
		}
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return err
	}
	if len(a.Errors) == 0 {
		d.answered["GraphQL"]++
	}
	for _, e := range a.Errors {
		code := e.Extensions.Code
		d.answered["GraphQL "+code]++
		if code == errs.Internal.String() || errs.Code(code).Status() >= 500 && code != string(errs.Unavailable) {
			return fmt.Errorf("code %q", code)
		}
		if e.Message == "" || e.Extensions.RequestID == "" || e.Extensions.Meta == nil || e.Extensions.Errors == nil {
			return errors.New("an error without message, requestId, meta or errors")
		}
	}
	if a.Data == nil || string(*a.Data) == "null" {
		if len(a.Errors) == 0 {
			return errors.New("neither data nor errors")
		}
		return nil
	}
	return checkObject(d.schema, *a.Data, fields)
}

func checkObject(schema *ast.Schema, text []byte, fields []selected) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	if len(object) != len(fields) {
		return fmt.Errorf("%d members, want %d", len(object), len(fields))
	}
	for _, f := range fields {
		if err := checkValue(schema, object[f.key], f.typ, f.below); err != nil {
			return fmt.Errorf("%s: %w", f.key, err)
		}
	}
	return nil
}

func checkValue(schema *ast.Schema, text json.RawMessage, typ *ast.Type, below []selected) error {
	if text == nil || string(text) == "null" {
		if text == nil || typ.NonNull {
			return fmt.Errorf("%s where %s is wanted", text, typ)
		}
		return nil
	}
	if typ.Elem != nil {
		var list []json.RawMessage
		if err := json.Unmarshal(text, &list); err != nil {
			return err
		}
		for i, element := range list {
			if err := checkValue(schema, element, typ.Elem, below); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	}
	switch def := schema.Types[typ.NamedType]; {
	case def.Kind == ast.Enum:
		var s string
		if err := json.Unmarshal(text, &s); err != nil || def.EnumValues.ForName(s) == nil {
			return fmt.Errorf("%s is no %s", text, def.Name)
		}
	case !def.IsLeafType():
		return checkObject(schema, text, below)
	case def.Name == "Int":
		return json.Unmarshal(text, new(int))
	case def.Name == "Float":
		return json.Unmarshal(text, new(float64))
	case def.Name == "Boolean":
		return json.Unmarshal(text, new(bool))
	default:
		return json.Unmarshal(text, new(string))
	}
	return nil
}
