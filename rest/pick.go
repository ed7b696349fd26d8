package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"
)

// parts are what an operation's data holds for the response.
type parts struct {
	body    []byte // nil: there is none, or null
	headers http.Header
	walk    bool // every value: the order of keys may not be the document's
}

var errData = errors.New("rest: the executor's data is not what the operation asked for")

// pick takes the body and the headers out of an operation's data. The body is
// the executor's own bytes, not a copy, wherever nothing has to be cut out. What
// comes last in its object is not looked through, which for a list is nearly all;
// but that of a mutation may be the outcome of another version of the document.
func (o *document) pick(data []byte) (parts, error) {
	p := parts{headers: http.Header{}, walk: o.def.Operation != ast.Query}
	err := p.visit(o.response, data)
	return p, err
}

// visit looks at the value of one slot.
func (p *parts) visit(s *slot, value []byte) (err error) {
	switch {
	case s.header != "":
		return p.header(s, value)
	case nullValue(value):
		return nil
	case s.body:
		p.body, err = p.withoutHeaders(s, value)
		return err
	case s.list:
		return p.pickFromList(s, value)
	}
	return p.pickFromObject(s, value)
}

// pickFromObject visits the slots of an object.
func (p *parts) pickFromObject(s *slot, object []byte) error {
	last := ""
	for _, child := range s.slots {
		if child.last && !p.walk {
			last = child.key
		}
	}
	return eachValue(object, '{', last, func(key, value []byte) error {
		if child := s.child(key); child != nil {
			return p.visit(child, value)
		}
		return nil
	})
}

// pickFromList makes the body of the bodies in a list's elements.
func (p *parts) pickFromList(s *slot, list []byte) error {
	all := append(make([]byte, 0, len(list)), '[')
	err := eachValue(list, '[', "", func(_, value []byte) error {
		one := parts{body: value, walk: p.walk}
		if !nullValue(value) {
			one.body = []byte("null")
			if err := one.pickFromObject(s, value); err != nil {
				return err
			}
		}
		all = append(comma(all), one.body...)
		return nil
	})
	p.body = append(all, ']')
	return err
}

// withoutHeaders returns a value without the fields that become headers.
func (p *parts) withoutHeaders(s *slot, value []byte) ([]byte, error) {
	if len(s.slots) == 0 || nullValue(value) {
		return value, nil
	}
	rest := append(make([]byte, 0, len(value)), '{')
	err := eachValue(value, '{', "", func(key, value []byte) (err error) {
		if child := s.child(key); child != nil {
			if child.header != "" {
				return p.header(child, value)
			}
			if value, err = p.withoutHeaders(child, value); err != nil {
				return err
			}
		}
		rest = append(append(append(comma(rest), '"'), key...), `":`...)
		rest = append(rest, value...)
		return nil
	})
	return append(rest, '}'), err
}

// comma separates what comes from what an object or list holds already.
func comma(text []byte) []byte {
	if len(text) > 1 {
		return append(text, ',')
	}
	return text
}

// header sets a header from a value: text without quotes, numbers and booleans as
// they are. Null sets none.
func (p *parts) header(s *slot, value []byte) error {
	text := string(value)
	if nullValue(value) {
		return nil
	}
	if value[0] == '"' {
		if err := json.Unmarshal(value, &text); err != nil {
			return errData
		}
	}
	p.headers.Set(s.header, text)
	return nil
}

func (s *slot) child(key []byte) *slot {
	for _, b := range s.slots {
		if b.key == string(key) {
			return b
		}
	}
	return nil
}

func nullValue(value []byte) bool { return string(value) == "null" }

// eachValue calls f for the members of an object ('{') or the elements of a list
// ('['), which have no key. Keys and values are subslices of the text. Values are
// delimited and not checked, since they are the executor's own: that of the key
// last ends where the object does.
func eachValue(text []byte, open byte, last string, f func(key, value []byte) error) error {
	i := space(text, 0)
	if i >= len(text) || text[i] != open {
		return errData
	}
	closing := open + 2 // in ASCII, for both
	for i = space(text, i+1); i < len(text) && text[i] != closing; {
		var key []byte
		if open == '{' {
			i, key = readKey(text, i)
		}
		end := -1
		if last != "" && string(key) == last {
			end = endOfLast(text, i)
		}
		if end < 0 {
			end = skip(text, i)
		}
		if i < 0 || end <= i {
			return errData
		}
		if err := f(key, text[i:end]); err != nil {
			return err
		}
		if i = space(text, end); i < len(text) && text[i] == ',' {
			i = space(text, i+1)
		}
	}
	if i >= len(text) {
		return errData
	}
	return nil
}

// readKey reads a member's key and its colon, and returns where the value
// begins, or -1. Keys are GraphQL names and hold no escapes.
func readKey(text []byte, i int) (int, []byte) {
	end := skip(text, i)
	if end < i+2 || text[i] != '"' {
		return -1, nil
	}
	colon := space(text, end)
	if colon >= len(text) || text[colon] != ':' {
		return -1, nil
	}
	return space(text, colon+1), text[i+1 : end-1]
}

func space(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
		i++
	}
	return i
}

// endOfLast returns the index after the object or list that begins at i and ends
// where the object that is text does, or -1 where it does not look so.
func endOfLast(text []byte, i int) int {
	rest := bytes.TrimRight(text, " \n\t\r")
	inner, closed := bytes.CutSuffix(rest, []byte("}"))
	inner = bytes.TrimRight(inner, " \n\t\r")
	end := len(inner)
	if !closed || i < 0 || i+1 >= end || text[i]|0x20 != '{' || inner[end-1] != text[i]+2 {
		return -1
	}
	return end
}

// skip returns the index after the JSON value that begins at i, or -1.
func skip(text []byte, i int) int {
	if i < 0 || i >= len(text) {
		return -1
	}
	switch text[i] {
	case '"':
		return skipString(text, i)
	case '{', '[':
		return skipNested(text, i)
	}
	end := bytes.IndexAny(text[i:], ",}] \n\t\r")
	if end < 0 {
		return -1
	}
	return i + end
}

// skipNested returns the index after the object or list that begins at i, or -1.
func skipNested(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			if i = skipString(text, i) - 1; i < 0 {
				return -1
			}
		case c|0x20 == '{': // [ too
			depth++
		case c|0x20 == '}': // ] too
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// skipString returns the index after the string that begins at i, or -1.
func skipString(text []byte, i int) int {
	for i++; ; i++ {
		n := bytes.IndexByte(text[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		escapes := 0
		for text[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}
