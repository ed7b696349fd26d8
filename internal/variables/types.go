// Package variables reads the values of a request by the schema's input types:
// the variables of a GraphQL request and the members of a REST one. It checks
// every value, reports all that is wrong at once, and returns what gqlgen's
// executor takes.
package variables

import (
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
)

// Upload is the name of the scalar that stands for an uploaded file.
const Upload = "Upload"

// Types are the input types of a schema, prepared for reading. They are
// read-only and safe for concurrent use.
type Types struct {
	byName map[string]*inputType
}

// Options are what a schema says of its types in Go. All maps are optional.
type Options struct {
	// Scalars check values of the schema's own scalars, by name. A check gets a
	// string or a json.Number. Only a VALIDATION_FAILED error counts, and of that
	// the first fault; the executor reports the others.
	Scalars map[string]func(value any) error

	// Readers read the JSON text of a value of an input type in one go, into what
	// the executor takes for it. The key is the type without "!": "Point" for one
	// value, "[Point]" for a list. A reader reports false for text that it cannot
	// read, which is then read member by member.
	Readers map[string]func(json []byte) (value any, ok bool)

	// Lists bound the lists of a type, by the name of the type.
	Lists map[string]List
}

// A List bounds the lists of a type. One that is longer is not read.
type List struct {
	Most  int
	Fault errs.Fault // of a longer one, without its field
}

// An inputType is a scalar, an enum or an input object.
type inputType struct {
	*ast.Definition
	check    func(any) error               // of a scalar
	allowed  string                        // values of an enum, joined
	values   map[string]bool               // of an enum
	fields   map[string]*field             // of an input object
	needed   []*field                      // those that may not be left out, in the schema's order
	read     func(json []byte) (any, bool) // nil: there is no reader
	readList func(json []byte) (any, bool) // reads a list of the type
	bound    List                          // of lists of the type; zero: none
}

// A field is one of an input object.
type field struct {
	name     string
	index    int // in the schema's order
	typ      *ast.Type
	nonNull  bool // without a default
	digits   int  // of one marked @digits
	required bool // marked @required: nullable, and refused by the resolver when absent or null
}

// NewTypes prepares the input types of a schema.
func NewTypes(schema *ast.Schema, o Options) *Types {
	t := &Types{byName: map[string]*inputType{}}
	for name, def := range schema.Types {
		it := &inputType{Definition: def, check: o.Scalars[name], read: o.Readers[name], readList: o.Readers["["+name+"]"], bound: o.Lists[name]}
		switch def.Kind {
		case ast.Scalar:
		case ast.Enum:
			it.enum()
		case ast.InputObject:
			it.object()
		default:
			continue
		}
		t.byName[name] = it
	}
	return t
}

func (t *inputType) enum() {
	names := make([]string, len(t.EnumValues))
	t.values = make(map[string]bool, len(names))
	for i, v := range t.EnumValues {
		names[i], t.values[v.Name] = v.Name, true
	}
	t.allowed = strings.Join(names, ", ")
}

func (t *inputType) object() {
	t.fields = make(map[string]*field, len(t.Fields))
	for i, def := range t.Fields {
		f := &field{name: def.Name, index: i, typ: def.Type, nonNull: def.Type.NonNull && def.DefaultValue == nil}
		f.required = !def.Type.NonNull && def.Directives.ForName("required") != nil
		f.digits = Digits(def)
		t.fields[f.name] = f
		if f.nonNull || f.required {
			t.needed = append(t.needed, f)
		}
	}
}

// Digits returns how many digits the text of a member has; 0 for one that is not
// marked @digits.
func Digits(def *ast.FieldDefinition) int {
	d := def.Directives.ForName("digits")
	if d == nil {
		return 0
	}
	n, _ := d.ArgumentMap(nil)["count"].(int64)
	return int(n)
}
