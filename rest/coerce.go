package rest

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
)

// A coercion turns what a request holds into what the schema's types ask for,
// and notes every fault under the path of the value.
type coercion struct {
	schema  *ast.Schema
	scalars map[string]func(any) error
	faults  errs.Faults
	path    []step
}

// A step is one part of the path to a value: a name, or without one an index.
type step struct {
	name  string
	index int
}

// fault notes what is wrong with the value at hand.
func (c *coercion) fault(reason errs.Reason, meta errs.Meta) {
	c.faults.Add(c.at(), reason, meta)
}

// missing notes the members that resolvers would find missing, besides those that
// have a fault already.
func (c *coercion) missing(list []*member, vars map[string]any) {
	for _, m := range list {
		faulty := slices.ContainsFunc(c.faults, func(f errs.Fault) bool { return f.Field == m.wire })
		if m.required && !m.Type.NonNull && vars[m.Variable] == nil && !faulty {
			c.faults.Add(m.wire, errs.Required, nil)
		}
	}
}

// wrong notes that the value is not of the expected type.
func (c *coercion) wrong(expected string) any {
	c.fault(errs.WrongType, errs.Meta{"expected": expected})
	return nil
}

// at spells the path, as in faceLandmark[3].x.
func (c *coercion) at() string {
	var b strings.Builder
	for i, s := range c.path {
		switch {
		case s.name == "":
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case i > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// in coerces a value one step further down.
func (c *coercion) in(s step, t *ast.Type, v any) any {
	c.path = append(c.path, s)
	v = c.value(t, v)
	c.path = c.path[:len(c.path)-1]
	return v
}

// value coerces one value. It may change lists and objects in place.
func (c *coercion) value(t *ast.Type, v any) any {
	if _, read := v.(readList); read {
		return v
	}
	if v == nil {
		if t.NonNull {
			c.fault(errs.Required, nil)
		}
		return nil
	}
	if t.Elem != nil {
		return c.list(t.Elem, v)
	}
	def := c.schema.Types[t.NamedType]
	switch def.Kind {
	case ast.InputObject:
		return c.object(def, v)
	case ast.Enum:
		return c.enum(def, v)
	}
	return c.scalar(def.Name, v)
}

func (c *coercion) list(elem *ast.Type, v any) any {
	list, ok := v.([]any)
	if !ok {
		return c.wrong("array")
	}
	for i, v := range list {
		list[i] = c.in(step{index: i}, elem, v)
	}
	return list
}

// object coerces the fields of an input object and drops what is not one.
func (c *coercion) object(def *ast.Definition, v any) any {
	object, ok := v.(map[string]any)
	if !ok {
		return c.wrong("object")
	}
	for name := range object {
		if def.Fields.ForName(name) == nil {
			delete(object, name)
		}
	}
	for _, f := range def.Fields {
		if v, given := object[f.Name]; given {
			object[f.Name] = c.in(step{name: f.Name}, f.Type, v)
		} else if f.Type.NonNull && f.DefaultValue == nil {
			c.in(step{name: f.Name}, f.Type, nil)
		}
	}
	return object
}

func (c *coercion) enum(def *ast.Definition, v any) any {
	s, ok := v.(string)
	if !ok {
		return c.wrong("string")
	}
	if def.EnumValues.ForName(s) == nil {
		c.fault(errs.NotOneOf, errs.Meta{"allowed": strings.Join(names(def), ", ")})
	}
	return s
}

func names(def *ast.Definition) []string {
	list := make([]string, len(def.EnumValues))
	for i, v := range def.EnumValues {
		list[i] = v.Name
	}
	return list
}

func (c *coercion) scalar(name string, v any) any {
	switch name {
	case uploadType:
		if _, ok := v.(graphql.Upload); !ok {
			return c.wrong("file")
		}
		return v
	case "Boolean":
		return c.boolean(v)
	}
	literal, ok := v.(string)
	if n, number := v.(json.Number); number {
		literal, ok = n.String(), true
	}
	switch name {
	case "Int":
		return c.integer(literal)
	case "Float":
		return c.float(literal)
	case "String":
		if !ok {
			return c.wrong("string")
		}
		return literal
	case "ID":
		if _, number := v.(json.Number); !ok || number && !whole(literal) {
			return c.wrong("string")
		}
		return literal
	}
	if !ok {
		return c.wrong("string")
	}
	return c.custom(name, v)
}

func (c *coercion) boolean(v any) any {
	switch v {
	case true, "true", "1":
		return true
	case false, "false", "0":
		return false
	}
	return c.wrong("boolean")
}

// integer reads a 32-bit integer, as GraphQL has them; 1.0 and 1e3 are integers.
func (c *coercion) integer(literal string) any {
	f, ok := decimal(literal)
	if !ok || f != math.Trunc(f) {
		return c.wrong("integer")
	}
	if f < math.MinInt32 || f > math.MaxInt32 {
		c.fault(errs.OutOfRange, errs.Meta{"min": math.MinInt32, "max": math.MaxInt32})
		return nil
	}
	return int64(f)
}

func (c *coercion) float(literal string) any {
	f, ok := decimal(literal)
	if !ok {
		return c.wrong("number")
	}
	return f
}

// decimal reads a finite number in decimal notation.
func decimal(literal string) (float64, bool) {
	if strings.Trim(literal, "+-.0123456789eE") != "" {
		return 0, false // NaN, Inf, hexadecimal, underscores
	}
	f, err := strconv.ParseFloat(literal, 64)
	return f, err == nil
}

// whole reports whether a JSON number is written without fraction and exponent.
func whole(literal string) bool { return !strings.ContainsAny(literal, ".eE") }

// custom lets the check of a scalar, if there is one, judge a value.
func (c *coercion) custom(name string, v any) any {
	check := c.scalars[name]
	if check == nil {
		return v
	}
	err := check(v)
	if err == nil || !errs.Is(err, errs.Invalid) {
		return v // the executor will say what it thinks of it
	}
	fault := errs.Fault{Code: errs.Invalid}
	if list := errs.As(err).Faults; len(list) > 0 {
		fault = list[0]
	}
	fault.Field = c.at()
	c.faults = append(c.faults, fault)
	return nil
}
