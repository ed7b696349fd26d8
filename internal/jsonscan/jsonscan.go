// Package jsonscan walks JSON text without decoding it. All functions but
// SkipString and SkipSpace take text that is valid JSON without space before it.
package jsonscan

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Members yields the members of an object in their order: the name as text, and
// the value as JSON without space around it. Both may share the object's memory.
func Members(object []byte) iter.Seq2[[]byte, []byte] { return MembersUntil(object, "") }

// MembersUntil is Members of an object in which nothing comes after the member last, whose
// value is not walked through: it ends where the object does.
func MembersUntil(object []byte, last string) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, value []byte) bool) {
		for i := SkipSpace(object, 1); object[i] != '}'; {
			end := SkipString(object, i)
			name := Text(object[i:end])
			i = SkipSpace(object, SkipSpace(object, end)+1) // past the colon
			if last != "" && string(name) == last {
				yield(name, bytes.TrimRight(object[i:bytes.LastIndexByte(object, '}')], " \n\t\r"))
				return
			}
			end = Skip(object, i)
			if !yield(name, object[i:end]) {
				return
			}
			i = next(object, end)
		}
	}
}

// Elements yields the elements of an array in their order, as JSON without space
// around it.
func Elements(array []byte) iter.Seq[[]byte] {
	return func(yield func(value []byte) bool) {
		for i := SkipSpace(array, 1); array[i] != ']'; {
			end := Skip(array, i)
			if !yield(array[i:end]) {
				return
			}
			i = next(array, end)
		}
	}
}

// next returns where the member or element begins that follows one that ends at
// i, or the index of the closing bracket.
func next(text []byte, i int) int {
	if i = SkipSpace(text, i); text[i] == ',' {
		i = SkipSpace(text, i+1)
	}
	return i
}

// Text returns the text of a string, which is given with its quotes. What is not
// UTF-8 is replaced as encoding/json does.
func Text(quoted []byte) []byte {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	var s string
	_ = json.Unmarshal(quoted, &s) // it is valid
	return []byte(s)
}

// IsText reports whether everything that a text with JSON's escapes stands for is
// UTF-8 without NUL: it has no \u0000 and no half of a surrogate pair. The text need
// not be valid JSON.
func IsText(text []byte) bool {
	if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 {
		return false
	}
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			return true
		}
		c, escaped := escape(text[i:])
		switch {
		case !escaped:
			text = text[i+2:]
			continue
		case c == 0:
			return false
		case utf16.IsSurrogate(c):
			low, paired := escape(text[i+6:])
			if !paired || utf16.DecodeRune(c, low) == unicode.ReplacementChar {
				return false
			}
			i += 6
		}
		text = text[i+6:]
	}
}

// escape returns what \uXXXX at the beginning of a text stands for; false for
// anything else.
func escape(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}

// Skip returns the index after the value that begins at i.
func Skip(text []byte, i int) int {
	switch text[i] {
	case '"':
		return SkipString(text, i)
	case '{', '[':
		return skipNested(text, i)
	}
	for i < len(text) && text[i] > ' ' && text[i] != ',' && text[i] != '}' && text[i] != ']' {
		i++
	}
	return i
}

func skipNested(text []byte, i int) int {
	for depth := 0; ; i++ {
		switch text[i] {
		case '"':
			i = SkipString(text, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}

// SkipString returns the index after the string that begins at i, or -1 where
// the text ends before the string.
func SkipString(text []byte, i int) int {
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

// SkipSpace returns the index of the first byte from i on that is not JSON's
// white space.
func SkipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}
