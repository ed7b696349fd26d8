package rest

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"workforce/internal/deprecation"
	"workforce/internal/openapi"

	"github.com/vektah/gqlparser/v2/ast"
)

// leaf returns the schema of a scalar or enum. Requests may hold text where a
// number is expected and the other way round, where the documents say so.
func (d *description) leaf(name string, request bool) *openapi.Schema {
	def := d.schema.Types[name]
	if def.Kind == ast.Enum {
		s := &openapi.Schema{Type: openapi.Types{"string"}}
		if !strings.HasPrefix(def.Description, name+" is enum for the field ") { // ent's own words
			s.Description = def.Description
		}
		for _, v := range def.EnumValues {
			s.Enum = append(s.Enum, v.Name)
			if gone, _ := deprecation.Read(v.Directives, v.Name); gone != nil { // which JSON Schema cannot say of a value
				s.Description = strings.TrimSpace(s.Description + "\n\n" + v.Name + ": " + gone.Describe(""))
			}
		}
		return d.named(name, s)
	}
	s := openapi.Scalar(name)
	if request && (name == "ID" || name == "Coordinate" || name == "Decimal") {
		s.Type = append(s.Type, map[bool]string{true: "integer", false: "number"}[name == "ID"])
		if name != "ID" {
			s.Pattern = ""
		}
	}
	return s.About(def.Description)
}

// input returns the schema of a value in a request.
func (d *description) input(t *ast.Type, nullable bool) *openapi.Schema {
	var s *openapi.Schema
	switch {
	case t.Elem != nil:
		s = &openapi.Schema{Type: openapi.Types{"array"}, Items: d.input(t.Elem, true)}
	case d.schema.Types[t.NamedType].Kind == ast.InputObject:
		s = d.inputObject(d.schema.Types[t.NamedType])
	default:
		s = d.leaf(t.NamedType, true)
		if builtIn(t.NamedType) {
			s.Description = ""
		}
	}
	if nullable && !t.NonNull {
		s = s.OrNull()
	}
	return s
}

// builtIn reports whether a scalar is GraphQL's own, whose description says
// nothing about the member.
func builtIn(name string) bool {
	return slices.Contains([]string{"Int", "Float", "String", "Boolean", "ID"}, name)
}

// inputObject refers to the schema of an input object, which it adds when it is new.
func (d *description) inputObject(def *ast.Definition) *openapi.Schema {
	ref := &openapi.Schema{Ref: openapi.Schemas + def.Name}
	if d.shapes[def.Name] != nil {
		return ref
	}
	s := &openapi.Schema{Type: openapi.Types{"object"}, Description: def.Description}
	d.shapes[def.Name] = s // before its fields, which may be of its own type
	for _, f := range def.Fields {
		gone, _ := deprecation.Read(f.Directives, f.Name)
		p := d.input(f.Type, true).About(f.Description).Gone(gone)
		p.Default = constant(f.DefaultValue)
		s.Properties = append(s.Properties, openapi.Property{Name: f.Name, Schema: p})
		if f.Type.NonNull && f.DefaultValue == nil {
			s.Required = append(s.Required, f.Name)
		}
	}
	return ref
}

// named refers to a schema by its name, or by the next free number after it where another
// schema has the name.
func (d *description) named(name string, s *openapi.Schema) *openapi.Schema {
	for n := 1; ; n++ {
		key := name
		if n > 1 {
			key += strconv.Itoa(n)
		}
		if other := d.shapes[key]; other == nil {
			d.shapes[key] = s
		} else if !other.Equal(s) {
			continue
		}
		return &openapi.Schema{Ref: openapi.Schemas + key}
	}
}

// shapeName returns the name of the schema of a selected object: that of the fragment which
// is the whole selection, else that of its type.
func shapeName(t *ast.Type, set ast.SelectionSet) string {
	if len(set) == 1 {
		if f, ok := set[0].(*ast.FragmentSpread); ok {
			return f.Name
		}
	}
	return t.Name()
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
func (d *description) output(t *ast.Type, set ast.SelectionSet, at *slot) *openapi.Schema {
	var s *openapi.Schema
	switch {
	case t.Elem != nil:
		s = &openapi.Schema{Type: openapi.Types{"array"}, Items: d.output(t.Elem, set, at)}
	case len(set) > 0:
		s = d.outputObject(t, set, at)
	default:
		s = d.leaf(t.NamedType, false)
		if builtIn(t.NamedType) {
			s.Description = ""
		}
	}
	if !t.NonNull {
		s = s.OrNull()
	}
	return s
}

func (d *description) outputObject(t *ast.Type, set ast.SelectionSet, at *slot) *openapi.Schema {
	s := &openapi.Schema{Type: openapi.Types{"object"}, Description: d.schema.Types[t.Name()].Description}
	for _, k := range keys(set) {
		below := at.child([]byte(k.key))
		if below == nil {
			below = &slot{}
		}
		if below.header != "" {
			continue
		}
		def := k.field.Definition
		p := d.output(def.Type, k.set, below).About(def.Description).Gone(d.going[k.field])
		s.Properties = append(s.Properties, openapi.Property{Name: k.key, Schema: p})
		if !k.optional {
			s.Required = append(s.Required, k.key)
		}
	}
	return d.named(shapeName(t, set), s)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
