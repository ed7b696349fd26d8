package variables

import (
	"encoding/json"
	"errors"
	"math"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/jsonscan"
)

// MaxDepth is how deep the objects and arrays of a JSON text may nest, the
// outermost included.
const MaxDepth = 40

// Fits reports whether a JSON text nests at most MaxDepth deep and holds at most
// maxValues values, counting those of objects and arrays inside it and not the
// text's own. It stops at the first excess and allocates nothing. The text need
// not be valid.
func Fits(text []byte, maxValues int) bool {
	values, deep := count(text, maxValues)
	return !deep && values <= maxValues
}

// Fits reports whether the variables in a JSON object fit as the function Fits says,
// not counting what is in a list that is longer than its type allows: that list is
// refused without being read. It allocates nothing.
func (t *Types) Fits(text []byte, maxValues int, list []Variable) bool {
	if Fits(text, maxValues) {
		return true
	}
	refused := t.refused(text, list)
	return refused > 0 && Fits(text, maxValues+refused)
}

// refused counts the values in the lists of a JSON object's variables that are longer
// than their types allow; 0 for a text that is no valid object.
func (t *Types) refused(text []byte, list []Variable) (values int) {
	text = text[jsonscan.SkipSpace(text, 0):]
	if deeper(text) || len(text) == 0 || text[0] != '{' || !json.Valid(text) {
		return 0
	}
	for name, value := range jsonscan.Members(text) {
		for i := range list {
			if v := &list[i]; v.Variable == string(name) || v.Field == string(name) {
				values += t.refusedIn(v.Type, value)
			}
		}
	}
	return values
}

// refusedIn counts the values in the lists inside a value that are longer than their
// types allow.
func (t *Types) refusedIn(typ *ast.Type, text []byte) (values int) {
	switch {
	case typ.Elem != nil && text[0] == '[':
		if elem := t.byName[typ.Elem.NamedType]; elem != nil && elem.bound.isExceeded(text) {
			values, _ = count(text, math.MaxInt)
			return values
		}
		for value := range jsonscan.Elements(text) {
			values += t.refusedIn(typ.Elem, value)
		}
	case typ.Elem == nil && text[0] == '{':
		for name, value := range jsonscan.Members(text) {
			if f := t.byName[typ.NamedType].fields[string(name)]; f != nil {
				values += t.refusedIn(f.typ, value)
			}
		}
	}
	return values
}

// isExceeded reports whether an array is longer than the list may be. It looks no
// further than that.
func (l List) isExceeded(array []byte) bool {
	if l.Most == 0 {
		return false
	}
	n := 0
	for range jsonscan.Elements(array) {
		if n++; n > l.Most {
			return true
		}
	}
	return false
}

// deeper reports whether a text nests deeper than MaxDepth.
func deeper(text []byte) bool {
	_, deep := count(text, math.MaxInt)
	return deep
}

// count counts the values of a text, until there are more than most or the text is
// deeper than MaxDepth.
func count(text []byte, most int) (values int, deep bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			if i = jsonscan.SkipString(text, i) - 1; i < 0 {
				return values, false // cut off: for the syntax check to report
			}
		case '{', '[':
			if depth++; depth > MaxDepth {
				return values, true
			}
			if next := jsonscan.SkipSpace(text, i+1); next < len(text) && text[next] != c+2 { // + 2 closes either, in ASCII
				values++
			}
		case ',':
			values++
		case '}', ']':
			depth--
		}
		if values > most {
			break
		}
	}
	return values, false
}

// An Object is a JSON object whose values have not been read yet.
type Object []member

type member struct {
	name  []byte
	value []byte // valid JSON without space around it
}

var errNotObject = errors.New("the text is not one JSON object")

// ParseObject returns the members of a text that must be one valid JSON object.
// They share the text's memory.
func ParseObject(text []byte) (Object, error) {
	if text = text[jsonscan.SkipSpace(text, 0):]; len(text) == 0 || text[0] != '{' || !json.Valid(text) {
		return nil, errNotObject
	}
	return SplitObject(text), nil
}

// SplitObject returns the members of a valid JSON object. They share the text's
// memory.
func SplitObject(text []byte) Object {
	object := make(Object, 0, 16)
	for name, value := range jsonscan.Members(text[jsonscan.SkipSpace(text, 0):]) {
		object = append(object, member{name, value})
	}
	return object
}

// Get returns the JSON text of a member; of several of one name, the last.
func (o Object) Get(name string) (value []byte, ok bool) {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].name) == name {
			return o[i].value, true
		}
	}
	return nil, false
}
