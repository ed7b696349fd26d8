package sqlplan

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// A ValueWriter appends a Go value as JSON. It returns false if gqlgen must write it.
type ValueWriter func(to []byte, v reflect.Value) ([]byte, bool)

// builtinValues write the built-in scalars.
var builtinValues = map[string]ValueWriter{
	"ID": func(to []byte, v reflect.Value) ([]byte, bool) {
		return append(strconv.AppendInt(append(to, '"'), v.Int(), 10), '"'), true
	},
	"Int":     func(to []byte, v reflect.Value) ([]byte, bool) { return strconv.AppendInt(to, v.Int(), 10), true },
	"String":  StringValue,
	"Boolean": func(to []byte, v reflect.Value) ([]byte, bool) { return strconv.AppendBool(to, v.Bool()), true },
	"Float": func(to []byte, v reflect.Value) ([]byte, bool) {
		f := v.Float()
		return strconv.AppendFloat(to, f, 'g', -1, 64), !math.IsInf(f, 0) && !math.IsNaN(f)
	},
}

// kinds are the Go kinds of the built-in scalars.
var kinds = map[string]reflect.Kind{
	"ID": reflect.Int, "Int": reflect.Int, "String": reflect.String, "Boolean": reflect.Bool, "Float": reflect.Float64,
}

// StringValue writes a string.
func StringValue(to []byte, v reflect.Value) ([]byte, bool) {
	return AppendString(to, v.String()), true
}

// valueWriter returns the writer of a Go type as a GraphQL type, with the selection
// of a field; false if gqlgen must write it.
func (c *Compiler) valueWriter(oc *graphql.OperationContext, f graphql.CollectedField, typ *ast.Type, t reflect.Type) (ValueWriter, bool) {
	switch {
	case t.Kind() == reflect.Pointer:
		w, ok := c.valueWriter(oc, f, typ, t.Elem())
		return func(to []byte, v reflect.Value) ([]byte, bool) {
			if v.IsNil() {
				return append(to, "null"...), !typ.NonNull
			}
			return w(to, v.Elem())
		}, ok
	case typ.Elem != nil:
		return c.listWriter(oc, f, typ, t)
	}
	def := c.schema.Types[typ.NamedType]
	switch def.Kind {
	case ast.Object:
		return c.structWriter(oc, def, f, t)
	case ast.Enum:
		return c.enumWriter(oc, def, t)
	case ast.Scalar:
		return c.scalarWriter(oc, def.Name, t)
	}
	return nil, false
}

// listWriter returns the writer of a slice.
func (c *Compiler) listWriter(oc *graphql.OperationContext, f graphql.CollectedField, typ *ast.Type, t reflect.Type) (ValueWriter, bool) {
	if t.Kind() != reflect.Slice {
		return nil, false
	}
	w, ok := c.valueWriter(oc, f, typ.Elem, t.Elem())
	return func(to []byte, v reflect.Value) ([]byte, bool) {
		if v.IsNil() && !typ.NonNull {
			return append(to, "null"...), true
		}
		to = append(to, '[')
		ok := true
		for i := range v.Len() {
			if i > 0 {
				to = append(to, ',')
			}
			if to, ok = w(to, v.Index(i)); !ok {
				return to, false
			}
		}
		return append(to, ']'), true
	}, ok
}

var marshaler = reflect.TypeFor[graphql.Marshaler]()

// enumWriter returns the writer of an enum, which knows what the Go type's own MarshalGQL
// writes for each of its values.
func (c *Compiler) enumWriter(oc *graphql.OperationContext, def *ast.Definition, t reflect.Type) (ValueWriter, bool) {
	w, ok := c.scalarWriter(oc, def.Name, t)
	if !ok || t.Kind() != reflect.String {
		return w, ok
	}
	texts := make(map[string][]byte, len(def.EnumValues))
	for _, value := range def.EnumValues {
		v := reflect.New(t).Elem()
		v.SetString(value.Name)
		if text, ok := w(nil, v); ok {
			texts[value.Name] = text
		}
	}
	return func(to []byte, v reflect.Value) ([]byte, bool) {
		if text := texts[v.String()]; text != nil {
			return append(to, text...), true
		}
		return w(to, v)
	}, true
}

// scalarWriter returns the writer of a scalar or an enum: the Go type's own
// MarshalGQL if it has one.
func (c *Compiler) scalarWriter(oc *graphql.OperationContext, name string, t reflect.Type) (ValueWriter, bool) {
	if t.Implements(marshaler) {
		return func(to []byte, v reflect.Value) ([]byte, bool) {
			v.Interface().(graphql.Marshaler).MarshalGQL((*appender)(&to))
			return to, true
		}, true
	}
	if kind, ok := kinds[name]; ok && kind != t.Kind() {
		return nil, false
	}
	if w := c.own.Values[name]; w != nil && c.own.Of(oc) {
		return w, true
	}
	w := c.values[name]
	return w, w != nil
}

// structWriter returns the writer of a struct whose fields are those of an object.
func (c *Compiler) structWriter(oc *graphql.OperationContext, def *ast.Definition, f graphql.CollectedField, t reflect.Type) (ValueWriter, bool) {
	type member struct {
		key   string
		text  string // of __typename
		index int    // of the struct's field
		write ValueWriter
	}
	if t.Kind() != reflect.Struct {
		return nil, false
	}
	var members []member
	for i, m := range graphql.CollectFields(oc, f.Selections, append([]string{def.Name}, def.Interfaces...)) {
		if !plain(m) {
			return nil, false
		}
		out, ok := member{key: key(i == 0, m.Alias)}, true
		if m.Name == "__typename" {
			out.text = `"` + def.Name + `"`
		} else if out.index = findField(t, m.Definition); out.index < 0 {
			return nil, false
		} else {
			out.write, ok = c.valueWriter(oc, m, m.Definition.Type, t.Field(out.index).Type)
		}
		if !ok {
			return nil, false
		}
		members = append(members, out)
	}
	end := closing(len(members))
	return func(to []byte, v reflect.Value) ([]byte, bool) {
		ok := true
		for i := range members {
			m := &members[i]
			to = append(append(to, m.key...), m.text...)
			if m.write != nil {
				if to, ok = m.write(to, v.Field(m.index)); !ok {
					return to, false
				}
			}
		}
		return append(to, end...), true
	}, true
}

// findField returns the index of a GraphQL field in a struct; -1 if the struct does
// not have it, or has a method or a resolver for it.
func findField(t reflect.Type, def *ast.FieldDefinition) int {
	name := def.Name
	if d := def.Directives.ForName("goField"); d != nil {
		if a := d.Arguments.ForName("name"); a != nil {
			name = a.Value.Raw
		}
	}
	if hasResolver(def) {
		return -1
	}
	for i := range reflect.PointerTo(t).NumMethod() {
		if strings.EqualFold(reflect.PointerTo(t).Method(i).Name, name) {
			return -1
		}
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && !f.Anonymous && strings.EqualFold(f.Name, name) {
			return i
		}
	}
	return -1
}

// hasResolver reports whether a resolver answers a field, whatever a column or a struct has
// of its name.
func hasResolver(def *ast.FieldDefinition) bool {
	d := def.Directives.ForName("goField")
	if d == nil {
		return false
	}
	a := d.Arguments.ForName("forceResolver")
	return a != nil && a.Value.Raw == "true"
}
