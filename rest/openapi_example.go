package rest

import (
	"bytes"
	"encoding/json"
	"strings"

	"workforce/internal/openapi"

	"github.com/vektah/gqlparser/v2/ast"
)

// placeholder is the example of a text of which nothing is known.
const placeholder = "example text"

// sample returns a value of a schema: that of examples.json, for a list the whole of it or
// its only item, else one that its type and format allow.
func (d *description) sample(s *openapi.Schema) any {
	switch {
	case s.Example != nil && (s.Items == nil || isList(s.Example)):
		return s.Example
	case s.Default != nil:
		return s.Default
	case s.Ref != "":
		return d.sampleShape(strings.TrimPrefix(s.Ref, openapi.Schemas))
	case len(s.AnyOf) > 0:
		return d.sample(s.AnyOf[0])
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.Type) == 0:
		return nil
	}
	switch s.Type[0] {
	case "object":
		return d.sampleObject(s)
	case "array":
		return []any{d.sample(s.Items)}
	case "integer":
		return 1
	case "number":
		return 0.5
	case "boolean":
		return true
	}
	switch {
	case s.Format == "date-time":
		return openapi.ExampleTime
	case s.Format == "date":
		return openapi.ExampleTime[:len("2026-03-10")]
	case s.Pattern == openapi.IDPattern:
		return "42"
	case s.Coordinate:
		return "-6.200000"
	}
	return placeholder
}

func isList(v any) bool {
	_, ok := v.([]any)
	return ok
}

// sampleShape returns a value of a named schema; null inside of itself.
func (d *description) sampleShape(name string) any {
	if d.sampling[name] {
		return nil
	}
	d.sampling[name] = true
	defer delete(d.sampling, name)
	return d.sample(d.shapes[name])
}

// exampleOf returns the example of a field: that of Type.field, else of its name.
func (d *description) exampleOf(f *ast.Field) any {
	if value := d.examples[f.ObjectDefinition.Name+"."+f.Name]; value != nil {
		return value
	}
	return d.examples[f.Name]
}

// addExample gives a member of a request its example: that of Operation.member, else of its
// name. null leaves it out.
func (d *description) addExample(s *openapi.Schema, operation, member string) {
	value, ok := d.examples[operation+"."+member]
	if !ok {
		value, ok = d.examples[member]
	}
	s.Example, s.Unsampled = value, ok && value == nil
}

// orderedValues are the members of an object, in order.
type orderedValues []orderedValue

type orderedValue struct {
	name  string
	value any
}

func (d *description) sampleObject(s *openapi.Schema) orderedValues {
	list := orderedValues{}
	for _, p := range s.Properties {
		if p.Schema.Unsampled {
			continue
		}
		list = append(list, orderedValue{p.Name, d.sample(p.Schema)})
	}
	return list
}

// MarshalJSON implements json.Marshaler.
func (o orderedValues) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(f.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(f.value)
		if err != nil {
			return nil, err
		}
		b.Write(append(append(name, ':'), value...))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}
