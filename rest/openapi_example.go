package rest

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"workforce/internal/openapi"
)

// placeholder is the example of a text of which nothing is known.
const placeholder = "example text"

// sample returns a value that a schema allows.
func (d *description) sample(s *openapi.Schema) any {
	switch {
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

// sampleShape returns a value of a named schema; null inside of itself.
func (d *description) sampleShape(name string) any {
	if d.sampling[name] {
		return nil
	}
	d.sampling[name] = true
	defer delete(d.sampling, name)
	return d.sample(d.shapes[name])
}

// request returns the example of a request's body.
func (d *description) request(e *endpoint, s *openapi.Schema) any {
	if r := d.answers[e.Operation]; r.Body != nil {
		return d.ordered(s, r.Body)
	}
	return d.sample(s)
}

// answer returns the example of an answer.
func (d *description) answer(e *endpoint, s *openapi.Schema) any {
	if r, ok := d.answers[e.Operation]; ok {
		return d.ordered(s, r.Answer)
	}
	return d.sample(s)
}

// parameter returns the example of a parameter, or nil.
func (d *description) parameter(e *endpoint, m *member, s *openapi.Schema) any {
	text, ok := d.answers[e.Operation].Parameters[m.wire]
	switch {
	case !ok:
		return nil
	case slices.Contains(s.Type, "integer") && !slices.Contains(s.Type, "string"):
		return json.Number(text)
	case slices.Contains(s.Type, "boolean"):
		return text == "true"
	}
	return text
}

// ordered returns a value with the members of its objects in the order of a schema.
func (d *description) ordered(s *openapi.Schema, value any) any {
	for s.Ref != "" || len(s.AnyOf) > 0 {
		if s.Ref != "" {
			s = d.shapes[strings.TrimPrefix(s.Ref, openapi.Schemas)]
		} else {
			s = s.AnyOf[0]
		}
	}
	switch value := value.(type) {
	case []any:
		if s.Items == nil {
			return value // a shared fragment was replaced since it was recorded
		}
		list := make([]any, len(value))
		for i, item := range value {
			list[i] = d.ordered(s.Items, item)
		}
		return list
	case map[string]any:
		list := orderedValues{}
		for _, p := range s.Properties {
			if member, ok := value[p.Name]; ok {
				list = append(list, orderedValue{p.Name, d.ordered(p.Schema, member)})
			}
		}
		return list
	}
	return value
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
