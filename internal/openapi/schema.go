// Package openapi has the parts of openapi.json that are about no endpoint: JSON
// Schemas, headers, security schemes and errors.
package openapi

import (
	"bytes"
	"encoding/json"
	"slices"

	"workforce/internal/deprecation"
	"workforce/internal/variables"
)

// An Object is a JSON object whose members are sorted by name.
type Object = map[string]any

// A Ref refers to a component.
type Ref struct {
	Ref string `json:"$ref"`
}

// A Schema is a JSON Schema as far as OpenAPI documents here need it.
type Schema struct {
	Ref         string     `json:"$ref,omitempty"`
	Type        Types      `json:"type,omitempty"`
	AnyOf       []*Schema  `json:"anyOf,omitempty"`
	Description string     `json:"description,omitempty"`
	Format      string     `json:"format,omitempty"`
	Pattern     string     `json:"pattern,omitempty"`
	Enum        []any      `json:"enum,omitempty"`
	Default     any        `json:"default,omitempty"`
	Minimum     *int       `json:"minimum,omitempty"`
	Maximum     *int       `json:"maximum,omitempty"`
	Deprecated  bool       `json:"deprecated,omitempty"`
	Items       *Schema    `json:"items,omitempty"`
	Properties  Properties `json:"properties,omitempty"`
	Required    []string   `json:"required,omitempty"`
	Additional  bool       `json:"additionalProperties,omitempty"` // other members than Properties

	Coordinate bool `json:"-"` // decimal degrees
}

// IDPattern is that of ids.
const IDPattern = "^[0-9]+$"

// Types are the JSON types of a value; a single one is written without a list.
type Types []string

// MarshalJSON implements json.Marshaler.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// Properties keep their order.
type Properties []Property

type Property struct {
	Name   string
	Schema *Schema
}

// MarshalJSON implements json.Marshaler.
func (p Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range p {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.Schema)
		if err != nil {
			return nil, err
		}
		b.Write(append(append(name, ':'), value...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// OrNull returns s with null among its values.
func (s *Schema) OrNull() *Schema {
	if s.Ref != "" {
		return &Schema{AnyOf: []*Schema{s, {Type: Types{"null"}}}}
	}
	s.Type = append(s.Type, "null")
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}

// NotNull returns s without null among its values.
func (s *Schema) NotNull() *Schema {
	if len(s.AnyOf) == 2 {
		return s.AnyOf[0]
	}
	s.Type = slices.DeleteFunc(s.Type, func(t string) bool { return t == "null" })
	return s
}

// Equal reports whether two schemas are written the same.
func (s *Schema) Equal(other *Schema) bool {
	a, err := json.Marshal(s)
	b, err2 := json.Marshal(other)
	return err == nil && err2 == nil && bytes.Equal(a, b)
}

// About returns s with a description, which a value's own type may have given.
func (s *Schema) About(text string) *Schema {
	if text != "" {
		s.Description = text
	}
	return s
}

// Gone returns s with the notice that its member will go, which may be nil.
func (s *Schema) Gone(n *deprecation.Notice) *Schema {
	if n != nil {
		s.Deprecated, s.Description = true, n.Describe(s.Description)
	}
	return s
}

// Scalar returns the schema of a scalar; one that is not known here is text.
func Scalar(name string) *Schema {
	switch name {
	case "Int":
		return &Schema{Type: Types{"integer"}}
	case "Float":
		return &Schema{Type: Types{"number"}}
	case "Boolean":
		return &Schema{Type: Types{"boolean"}}
	case "ID":
		return &Schema{Type: Types{"string"}, Pattern: IDPattern}
	case "Time", "DateTime":
		return &Schema{Type: Types{"string"}, Format: "date-time"}
	case "Date":
		return &Schema{Type: Types{"string"}, Format: "date"}
	case "Coordinate":
		return &Schema{Type: Types{"string"}, Pattern: `^-?[0-9]+\.[0-9]{6}$`, Coordinate: true}
	case variables.Upload:
		return &Schema{Type: Types{"string"}, Format: "binary"}
	}
	return &Schema{Type: Types{"string"}}
}
