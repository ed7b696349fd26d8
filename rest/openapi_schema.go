package rest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/variables"
)

// A schema is a JSON Schema as far as OpenAPI documents here need it.
type schema struct {
	Ref         string     `json:"$ref,omitempty"`
	Type        types      `json:"type,omitempty"`
	AnyOf       []*schema  `json:"anyOf,omitempty"`
	Description string     `json:"description,omitempty"`
	Format      string     `json:"format,omitempty"`
	Pattern     string     `json:"pattern,omitempty"`
	Enum        []any      `json:"enum,omitempty"`
	Default     any        `json:"default,omitempty"`
	Minimum     *int       `json:"minimum,omitempty"`
	Maximum     *int       `json:"maximum,omitempty"`
	Deprecated  bool       `json:"deprecated,omitempty"`
	Items       *schema    `json:"items,omitempty"`
	Properties  properties `json:"properties,omitempty"`
	Required    []string   `json:"required,omitempty"`

	example    any  // a value of examples.json; nil for none
	coordinate bool // decimal degrees
}

// idPattern is that of ids.
const idPattern = "^[0-9]+$"

// types are the JSON types of a value; a single one is written without a list.
type types []string

// MarshalJSON implements json.Marshaler.
func (t types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// properties keep their order.
type properties []property

type property struct {
	name   string
	schema *schema
}

// MarshalJSON implements json.Marshaler.
func (p properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.schema)
		if err != nil {
			return nil, err
		}
		b.Write(append(append(name, ':'), value...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func isNull(t string) bool { return t == "null" }

// orNull returns s with null among its values.
func (s *schema) orNull() *schema {
	if s.Ref != "" {
		return &schema{AnyOf: []*schema{s, {Type: types{"null"}}}}
	}
	s.Type = append(s.Type, "null")
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

// about returns s with a description, which a value's own type may have given.
func (s *schema) about(text string) *schema {
	if text != "" {
		s.Description = text
	}
	return s
}

// leaf returns the schema of a scalar or enum. Requests may hold text where a
// number is expected and the other way round, where the documents say so.
func (d *description) leaf(name string, request bool) *schema {
	def := d.schema.Types[name]
	if def.Kind == ast.Enum {
		s := &schema{Type: types{"string"}, Description: def.Description}
		for _, v := range def.EnumValues {
			s.Enum = append(s.Enum, v.Name)
		}
		return s
	}
	s := scalar(name)
	if request && (name == "ID" || name == "Coordinate" || name == "Decimal") {
		s.Type = append(s.Type, map[bool]string{true: "integer", false: "number"}[name == "ID"])
		if name != "ID" {
			s.Pattern = ""
		}
	}
	return s.about(def.Description)
}

// scalar returns the schema of a scalar; one that is not known here is text.
func scalar(name string) *schema {
	switch name {
	case "Int":
		return &schema{Type: types{"integer"}}
	case "Float":
		return &schema{Type: types{"number"}}
	case "Boolean":
		return &schema{Type: types{"boolean"}}
	case "ID":
		return &schema{Type: types{"string"}, Pattern: idPattern}
	case "Time", "DateTime":
		return &schema{Type: types{"string"}, Format: "date-time"}
	case "Date":
		return &schema{Type: types{"string"}, Format: "date"}
	case "Coordinate":
		return &schema{Type: types{"string"}, Pattern: `^-?[0-9]+\.[0-9]{6}$`, coordinate: true}
	case variables.Upload:
		return &schema{Type: types{"string"}, Format: "binary"}
	}
	return &schema{Type: types{"string"}}
}

// input returns the schema of a value in a request.
func (d *description) input(t *ast.Type, nullable bool) *schema {
	var s *schema
	switch {
	case t.Elem != nil:
		s = &schema{Type: types{"array"}, Items: d.input(t.Elem, true)}
	case d.schema.Types[t.NamedType].Kind == ast.InputObject:
		d.inputObject(d.schema.Types[t.NamedType])
		s = &schema{Ref: "#/components/schemas/" + t.NamedType}
	default:
		s = d.leaf(t.NamedType, true)
		if builtIn(t.NamedType) {
			s.Description = ""
		}
	}
	if nullable && !t.NonNull {
		s = s.orNull()
	}
	return s
}

// builtIn reports whether a scalar is GraphQL's own, whose description says
// nothing about the member.
func builtIn(name string) bool {
	return slices.Contains([]string{"Int", "Float", "String", "Boolean", "ID"}, name)
}

func (d *description) inputObject(def *ast.Definition) {
	if d.inputs[def.Name] != nil {
		return
	}
	s := &schema{Type: types{"object"}, Description: def.Description}
	d.inputs[def.Name] = s // before its fields, which may be of its own type
	for _, f := range def.Fields {
		p := d.input(f.Type, true).about(f.Description)
		p.example = d.examples[def.Name+"."+f.Name]
		p.Default = constant(f.DefaultValue)
		s.Properties = append(s.Properties, property{f.Name, p})
		if f.Type.NonNull && f.DefaultValue == nil {
			s.Required = append(s.Required, f.Name)
		}
	}
}

// constant returns the value of a literal; nil for none.
func constant(v *ast.Value) any {
	value, err := v.Value(nil)
	if err != nil {
		return nil // the validator has refused it
	}
	return value
}

// output returns the schema of a selected value. Fields that become headers,
// according to the slot, are left out.
func (d *description) output(t *ast.Type, set ast.SelectionSet, at *slot, example any) *schema {
	var s *schema
	switch {
	case t.Elem != nil:
		s = &schema{Type: types{"array"}, Items: d.output(t.Elem, set, at, example)}
	case len(set) > 0:
		s = d.outputObject(set, at)
	default:
		s = d.leaf(t.NamedType, false)
		s.example = example
		if builtIn(t.NamedType) {
			s.Description = ""
		}
	}
	if !t.NonNull {
		s = s.orNull()
	}
	return s
}

func (d *description) outputObject(set ast.SelectionSet, at *slot) *schema {
	s := &schema{Type: types{"object"}}
	for _, k := range keys(set) {
		below := at.child([]byte(k.key))
		if below == nil {
			below = &slot{}
		}
		if below.header != "" {
			continue
		}
		def := k.field.Definition
		p := d.output(def.Type, k.set, below, d.exampleOf(k.field)).about(def.Description)
		p.Deprecated = def.Directives.ForName("deprecated") != nil
		s.Properties = append(s.Properties, property{k.key, p})
		if !k.optional {
			s.Required = append(s.Required, k.key)
		}
	}
	return s
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
