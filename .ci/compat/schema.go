package compat

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// SchemaBreaks returns what a client of the GraphQL schema before may not survive.
func SchemaBreaks(before, after []byte) ([]string, error) {
	var schemas []*ast.Schema
	for _, text := range [][]byte{before, after} {
		schema, err := gqlparser.LoadSchema(&ast.Source{Input: string(text)})
		if err != nil {
			return nil, err
		}
		schemas = append(schemas, schema)
	}
	var c comparison
	for _, name := range slices.Sorted(maps.Keys(schemas[0].Types)) {
		c.types(schemas[0].Types[name], schemas[1].Types[name])
	}
	return c, nil
}

// A comparison is a list of breaks, each with its place, such as Query.users(first:).
type comparison []string

func (c *comparison) add(place, format string, args ...any) {
	*c = append(*c, place+": "+fmt.Sprintf(format, args...))
}

func (c *comparison) types(before, after *ast.Definition) {
	switch {
	case after == nil:
		c.add(before.Name, "is gone")
		return
	case before.Kind != after.Kind:
		c.add(before.Name, "was %s, is %s", before.Kind, after.Kind)
		return
	}
	for _, name := range before.Interfaces {
		if !slices.Contains(after.Interfaces, name) {
			c.add(before.Name, "is no %s any more", name)
		}
	}
	for _, name := range before.Types {
		if !slices.Contains(after.Types, name) {
			c.add(before.Name, "has no %s any more", name)
		}
	}
	for _, v := range before.EnumValues {
		if after.EnumValues.ForName(v.Name) == nil {
			c.add(before.Name+"."+v.Name, "is gone")
		}
	}
	for _, f := range before.Fields {
		place, now := before.Name+"."+f.Name, after.Fields.ForName(f.Name)
		switch {
		case now == nil:
			c.add(place, "is gone")
		case before.Kind == ast.InputObject:
			c.input(place, inputField(f), inputField(now))
		default:
			c.field(place, f, now)
		}
	}
	for _, f := range after.Fields {
		if after.Kind == ast.InputObject && before.Fields.ForName(f.Name) == nil && inputField(f).required {
			c.add(after.Name+"."+f.Name, "is new and required")
		}
	}
}

// field compares a field of an object or an interface.
func (c *comparison) field(place string, before, after *ast.FieldDefinition) {
	if !narrower(after.Type, before.Type) {
		c.add(place, "was %s, is %s", before.Type, after.Type)
	}
	for _, name := range []string{"token", "access"} { // who may call it, and with what
		if was, is := written(before.Directives.ForName(name)), written(after.Directives.ForName(name)); was != is {
			c.add(place, "was @%s(%s), is @%s(%s)", name, was, name, is)
		}
	}
	for _, a := range before.Arguments {
		place := place + "(" + a.Name + ":)"
		if now := after.Arguments.ForName(a.Name); now == nil {
			c.add(place, "is gone")
		} else {
			c.input(place, argument(a), argument(now))
		}
	}
	for _, a := range after.Arguments {
		if before.Arguments.ForName(a.Name) == nil && argument(a).required {
			c.add(place+"("+a.Name+":)", "is new and required")
		}
	}
}

// An input is an argument, or a field of an input object.
type input struct {
	*ast.Type
	standard string // its default; "" for none
	required bool
}

func argument(a *ast.ArgumentDefinition) input {
	return newInput(a.Type, a.DefaultValue, a.Directives)
}

func inputField(f *ast.FieldDefinition) input {
	return newInput(f.Type, f.DefaultValue, f.Directives)
}

func newInput(t *ast.Type, standard *ast.Value, list ast.DirectiveList) input {
	in := input{Type: t, required: t.NonNull && standard == nil || list.ForName("required") != nil}
	if standard != nil {
		in.standard = standard.String()
	}
	return in
}

func (c *comparison) input(place string, before, after input) {
	switch {
	case !narrower(before.Type, after.Type):
		c.add(place, "was %s, is %s", before.Type, after.Type)
	case after.required && !before.required:
		c.add(place, "is required")
	case before.standard != after.standard:
		c.add(place, "had the default %s, has %s", orNone(before.standard), orNone(after.standard))
	}
}

func orNone(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

// narrower reports whether each value of a type is one of another.
func narrower(t, of *ast.Type) bool {
	switch {
	case of.NonNull && !t.NonNull, (t.Elem == nil) != (of.Elem == nil):
		return false
	case t.Elem != nil:
		return narrower(t.Elem, of.Elem)
	}
	return t.NamedType == of.NamedType
}

// written returns the arguments of a directive, by name.
func written(d *ast.Directive) string {
	if d == nil {
		return "none"
	}
	var args []string
	for _, a := range d.Arguments {
		args = append(args, a.Name+": "+a.Value.String())
	}
	slices.Sort(args)
	return strings.Join(args, ", ")
}
