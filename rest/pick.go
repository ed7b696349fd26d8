package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/jsonscan"
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
// The data must be valid JSON.
func (o *document) pick(data []byte) (parts, error) {
	p := parts{headers: http.Header{}, walk: o.def.Operation != ast.Query}
	if data = bytes.TrimSpace(data); len(data) == 0 {
		return p, errData
	}
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
	if object[0] != '{' {
		return errData
	}
	last := ""
	for _, child := range s.slots {
		if child.last && !p.walk {
			last = child.key
		}
	}
	for key, value := range jsonscan.MembersUntil(object, last) {
		if child := s.child(key); child != nil {
			if err := p.visit(child, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// pickFromList makes the body of the bodies in a list's elements.
func (p *parts) pickFromList(s *slot, list []byte) error {
	if list[0] != '[' {
		return errData
	}
	all := append(make([]byte, 0, len(list)), '[')
	for value := range jsonscan.Elements(list) {
		one := parts{body: value, walk: p.walk}
		if !nullValue(value) {
			one.body = []byte("null")
			if err := one.pickFromObject(s, value); err != nil {
				return err
			}
		}
		all = append(comma(all), one.body...)
	}
	p.body = append(all, ']')
	return nil
}

// withoutHeaders returns a value without the fields that become headers.
func (p *parts) withoutHeaders(s *slot, value []byte) ([]byte, error) {
	if len(s.slots) == 0 || nullValue(value) {
		return value, nil
	}
	if value[0] != '{' {
		return nil, errData
	}
	rest := append(make([]byte, 0, len(value)), '{')
	for key, member := range jsonscan.Members(value) {
		if child := s.child(key); child != nil {
			if child.header != "" {
				if err := p.header(child, member); err != nil {
					return nil, err
				}
				continue
			}
			var err error
			if member, err = p.withoutHeaders(child, member); err != nil {
				return nil, err
			}
		}
		rest = append(append(append(comma(rest), '"'), key...), `":`...)
		rest = append(rest, member...)
	}
	return append(rest, '}'), nil
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
