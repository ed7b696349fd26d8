package variables

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
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
			if i = skipString(text, i) - 1; i < 0 {
				return true // cut off: for the syntax check to report
			}
		case '{', '[':
			if depth++; depth > MaxDepth {
				return false
			}
			if next := skipSpace(text, i+1); next < len(text) && text[next] != c+2 { // + 2 closes either, in ASCII
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
type Object []rawMember

type rawMember struct {
	name  []byte
	value []byte // valid JSON without space around it
}

var errNotObject = errors.New("the text is not one JSON object")

// ParseObject returns the members of a text that must be one valid JSON object.
// They share the text's memory.
func ParseObject(text []byte) (Object, error) {
	if text = text[skipSpace(text, 0):]; len(text) == 0 || text[0] != '{' || !json.Valid(text) {
		return nil, errNotObject
	}
	return SplitObject(text), nil
}

// SplitObject returns the members of a valid JSON object. They share the text's
// memory.
func SplitObject(text []byte) Object {
	return members(text[skipSpace(text, 0):], make(Object, 0, 16))
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

// members appends the members of an object, which must be valid, to list.
func members(object []byte, list Object) Object {
	i := skipSpace(object, 1)
	for object[i] != '}' {
		end := skipString(object, i)
		name := plainText(object[i:end])
		i = skipSpace(object, skipSpace(object, end)+1) // past the colon
		end = skip(object, i)
		list = append(list, rawMember{name, object[i:end]})
		i = nextValue(object, end)
	}
	return list
}

// nextValue returns where the next member or element begins after one that ends
// at i, or the index of the closing bracket.
func nextValue(text []byte, i int) int {
	if i = skipSpace(text, i); text[i] == ',' {
		i = skipSpace(text, i+1)
	}
	return i
}

// plainText returns the text of a JSON string, given with its quotes. What is
// not UTF-8 is replaced as encoding/json does.
func plainText(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // it is valid
	return []byte(s)
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// skip returns the index after the value that begins at i in a valid text.
func skip(text []byte, i int) int {
	switch text[i] {
	case '"':
		return skipString(text, i)
	case '{', '[':
		return skipNested(text, i)
	}
	for i < len(text) && text[i] > ' ' && text[i] != ',' && text[i] != '}' && text[i] != ']' {
		i++
	}
	return i
}

// skipNested returns the index after the object or array that begins at i in a
// valid text.
func skipNested(text []byte, i int) int {
	for depth := 0; ; i++ {
		switch text[i] {
		case '"':
			i = skipString(text, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// skipString returns the index after the string that begins at i, or -1 where
// the text ends before it.
func skipString(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return -1
}
