package variables

import (
	"encoding/json"
	"errors"

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
	depth, values := 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"':
			if i = jsonscan.SkipString(text, i) - 1; i < 0 {
				return true // cut off: for the syntax check to report
			}
		case '{', '[':
			if depth++; depth > MaxDepth {
				return false
			}
			if next := jsonscan.SkipSpace(text, i+1); next < len(text) && text[next] != c+2 { // + 2 closes either, in ASCII
				values++
			}
		case ',':
			values++
		case '}', ']':
			depth--
		}
		if values > maxValues {
			return false
		}
	}
	return true
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
