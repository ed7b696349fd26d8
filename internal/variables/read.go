package variables

import (
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/jsonscan"
)

// A Mode says what a value may look like.
type Mode int

const (
	// GraphQL reads values as the specification says, but takes a number as text
	// and text as a number, as gqlparser does. Unknown members are faults, and one
	// value stands for a list of it.
	GraphQL Mode = iota
	// REST takes text for booleans too. Unknown members are ignored.
	REST
)

// A Variable is one variable of an operation.
type Variable struct {
	*ast.VariableDefinition
	Field    string // its name in the request and in faults
	Hidden   bool   // the paths of faults inside the value leave Field out
	Required bool   // fills a member marked @required
	Digits   int    // of the member that it fills, where that is marked @digits
}

// An Input is a value as a request holds it. One of its fields is set.
type Input struct {
	JSON  []byte   // valid, without space around it
	Texts []string // of one parameter; the last counts unless the type is a list
	Files []graphql.Upload
	// Uploads are files in place of null in JSON, by the path below the variable, such
	// as image or images.0; "" is the variable itself. It may be nil.
	Uploads map[string]graphql.Upload
}

func (in Input) isNull() bool { return len(in.JSON) > 0 && in.JSON[0] == 'n' }

// A Source returns what a request holds for a variable.
type Source func(v *Variable) (in Input, given bool)

// Members returns the source of a JSON object whose members are named after the
// Field of each variable.
func (o Object) Members(v *Variable) (in Input, given bool) {
	m, given := o.Find(v.Field)
	return Input{JSON: m.Value}, given
}

// A reading is the reading of one request.
type reading struct {
	*Types
	mode   Mode
	path   []step // to the value that is being read
	hidden bool   // the paths of faults inside that variable leave its name out
	faults errs.Faults
	absent []string // paths of missing members

	uploads map[string]graphql.Upload // of the variable
	placed  int                       // how many of them were read
}

// Read reads the variables of an operation. A variable that is not given has its
// default, or else stays absent. The faults are in the schema's order and at most
// MaxFaults; with any of them there are no values.
func (t *Types) Read(mode Mode, list []Variable, from Source) (values map[string]any, faults errs.Faults) {
	r := reading{Types: t, mode: mode, path: make([]step, 0, 8)}
	values = make(map[string]any, len(list))
	for i := range list {
		r.variable(&list[i], from, values)
	}
	if r.reportMissing(); len(r.faults) > 0 {
		return nil, r.faults
	}
	return values, nil
}

func (r *reading) variable(v *Variable, from Source, values map[string]any) {
	in, given := from(v)
	r.hidden, r.uploads, r.placed = v.Hidden, in.Uploads, 0
	r.enter(memberStep(v.Field))
	defer r.leave()
	if v.Required && !v.Type.NonNull && (!given || in.isNull()) {
		r.missing()
	}
	switch {
	case given:
		in.JSON = padded(in.JSON, v.Digits)
		values[v.Variable] = r.input(v.Type, in)
		if r.placed < len(in.Uploads) { // for something else than a file
			r.fault(errs.Unreadable, nil)
		}
	case v.DefaultValue != nil:
		values[v.Variable] = defaultOf(v)
	case v.Type.NonNull:
		r.fault(errs.Required, nil)
	}
}

// defaultOf returns the default of a variable, which is a literal that was
// checked with the document.
func defaultOf(v *Variable) any {
	value, _ := v.DefaultValue.Value(nil)
	if _, isList := value.([]any); v.Type.Elem != nil && value != nil && !isList {
		return []any{value}
	}
	return value
}

// input reads a value of any source.
func (r *reading) input(t *ast.Type, in Input) any {
	switch {
	case in.JSON != nil:
		return r.json(t, in.JSON)
	case t.Elem != nil:
		list := make([]any, 0, len(in.Texts)+len(in.Files))
		for i, text := range in.Texts {
			r.enter(indexStep(i))
			list = append(list, r.text(t.Elem, text))
			r.leave()
		}
		for i, file := range in.Files {
			r.enter(indexStep(i))
			list = append(list, r.file(t.Elem, file))
			r.leave()
		}
		return list
	case len(in.Files) > 0:
		return r.file(t, in.Files[len(in.Files)-1])
	}
	return r.text(t, in.Texts[len(in.Texts)-1])
}

func (r *reading) text(t *ast.Type, text string) any {
	if t.Elem != nil {
		return r.wrong("array")
	}
	def := r.byName[t.NamedType]
	if def.Kind == ast.InputObject {
		return r.wrong("object")
	}
	return r.leaf(def, literal{kind: aText, text: text})
}

func (r *reading) file(t *ast.Type, file graphql.Upload) any {
	if t.NamedType != Upload {
		return r.wrong("string")
	}
	return file
}

// upload returns the file that takes the place of null in JSON.
func (r *reading) upload(t *ast.Type, text []byte) (file graphql.Upload, ok bool) {
	if len(r.uploads) == 0 || t.NamedType != Upload || text[0] != 'n' {
		return file, false
	}
	if file, ok = r.uploads[r.below()]; ok {
		r.placed++
	}
	return file, ok
}

// json reads a JSON value.
func (r *reading) json(t *ast.Type, text []byte) any {
	if file, ok := r.upload(t, text); ok {
		return file
	}
	switch {
	case r.full():
		return nil
	case text[0] == 'n':
		if t.NonNull {
			r.fault(errs.Required, nil)
		}
		return nil
	case t.Elem != nil:
		return r.list(t.Elem, text)
	}
	def := r.byName[t.NamedType]
	if def.read != nil {
		if v, ok := def.read(text); ok {
			return v
		}
	}
	if def.Kind == ast.InputObject {
		return r.object(def, text)
	}
	return r.leaf(def, literalOf(text))
}

func (r *reading) list(elem *ast.Type, text []byte) any {
	if text[0] != '[' {
		if r.mode == REST {
			return r.wrong("array")
		}
		return []any{r.json(elem, text)}
	}
	if elem.Elem == nil {
		def := r.byName[elem.NamedType]
		if def.bound.isExceeded(text) {
			return refuse(r, def.bound.Fault)
		}
		if def.readList != nil {
			if v, ok := def.readList(text); ok {
				return v
			}
		}
	}
	list := []any{}
	for value := range jsonscan.Elements(text) {
		r.enter(indexStep(len(list)))
		list = append(list, r.json(elem, value))
		r.leave()
	}
	return list
}

// A sentField is a member of an input object that the request holds.
type sentField struct {
	*field
	value []byte
}

// object reads an input object: its members in the schema's order, then those
// that it does not have.
func (r *reading) object(def *inputType, text []byte) any {
	if text[0] != '{' {
		return r.wrong("object")
	}
	var buffer [16]sentField
	list, unknown := buffer[:0], []string(nil)
	for name, value := range jsonscan.Members(text) {
		if f := def.fields[string(name)]; f != nil {
			list = append(list, sentField{f, value})
		} else if r.mode == GraphQL {
			unknown = append(unknown, string(name))
		}
	}
	slices.SortStableFunc(list, func(x, y sentField) int { return x.index - y.index })
	object := make(map[string]any, len(list))
	needed := def.needed
	for i, m := range list {
		if i+1 < len(list) && list[i+1].field == m.field {
			continue // repeated: the last counts
		}
		for len(needed) > 0 && needed[0].index <= m.index {
			if needed[0] != m.field || m.required && m.value[0] == 'n' {
				r.absence(needed[0])
			}
			needed = needed[1:]
		}
		r.enter(memberStep(m.name))
		object[m.name] = r.json(m.typ, padded(m.value, m.digits))
		r.leave()
	}
	for _, f := range needed {
		r.absence(f)
	}
	r.unknown(unknown)
	return object
}

// absence records a field that the request does not hold, or of those marked
// @required, holds as null.
func (r *reading) absence(f *field) {
	r.enter(memberStep(f.name))
	defer r.leave()
	if f.required {
		r.missing()
		return
	}
	r.fault(errs.Required, nil)
}

// unknown records the members that an input object does not have, by name.
func (r *reading) unknown(names []string) {
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		r.enter(memberStep(name))
		r.fault(errs.Unreadable, nil)
		r.leave()
	}
}
