package variables

import (
	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/jsonscan"
)

// MaxDepth is how deep the objects and arrays of a request's values may nest, the
// outermost included.
const MaxDepth = 40

// Fits reports whether the variables in a valid JSON object of a size nest at most MaxDepth
// deep and hold at most maxValues values, not counting what is in a list that is longer than
// its type allows: that list is refused without being read. It allocates nothing.
func (t *Types) Fits(size jsonscan.Size, text []byte, maxValues int, list []Variable) bool {
	return size.Depth <= MaxDepth && (size.Values <= maxValues || size.Values-t.refused(text, list) <= maxValues)
}

// refused counts the values in the lists of a JSON object's variables that are longer
// than their types allow.
func (t *Types) refused(text []byte, list []Variable) (values int) {
	for name, value := range jsonscan.Members(text[jsonscan.SkipSpace(text, 0):]) {
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
			size, _ := jsonscan.Measure(text) // it is valid
			return size.Values
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

// An Object is a JSON object whose values have not been read yet.
type Object []jsonscan.Member

// Size returns that of the object.
func (o Object) Size() (size jsonscan.Size) {
	for _, m := range o {
		size.Values += 1 + m.Values
		size.Depth = max(size.Depth, m.Depth)
	}
	size.Depth++
	return size
}

// SplitObject returns the members of a valid JSON object, without their sizes. They share
// the text's memory.
func SplitObject(text []byte) Object {
	object := make(Object, 0, 16)
	for name, value := range jsonscan.Members(text[jsonscan.SkipSpace(text, 0):]) {
		object = append(object, jsonscan.Member{Name: name, Value: value})
	}
	return object
}

// Find returns a member; of several of one name, the last.
func (o Object) Find(name string) (m jsonscan.Member, ok bool) {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].Name) == name {
			return o[i], true
		}
	}
	return m, false
}
