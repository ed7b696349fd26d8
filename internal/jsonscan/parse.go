package jsonscan

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// Why a text is refused.
var (
	ErrSyntax = errors.New("the text is not valid JSON")
	ErrText   = errors.New("the text holds what is not UTF-8, or NUL")
	ErrDepth  = errors.New("the text nests too deep")
)

// deepest is how deep a text may nest that is checked, as for encoding/json.
const deepest = 10_000

// A Size tells how much a value holds.
type Size struct {
	Values int // members and elements of all objects and arrays in it, its own included
	Depth  int // how deep these nest: 1 for a list of numbers, 0 for a number
}

// A Member is a member of an object.
type Member struct {
	Name  []byte // as text
	Value []byte // valid JSON without space around it
	Size
}

// ParseObject checks a text, which must be one valid JSON object whose strings are UTF-8
// without NUL, and returns its members in their order. They may share the text's memory.
// It reads the text once.
func ParseObject(text []byte) ([]Member, error) {
	c := checker{text: text, i: SkipSpace(text, 0)}
	if !c.at('{') {
		return nil, ErrSyntax
	}
	list := make([]Member, 0, 16)
	err := c.object(func(name []byte, begin int) {
		own := Size{c.size.Values - 1, max(0, c.size.Depth-1)} // without this object
		list = append(list, Member{Text(name), text[begin:c.i], own})
		c.size = Size{}
	})
	if err != nil {
		return nil, err
	}
	return list, c.end()
}

// Measure checks a text, which must be one valid JSON value whose strings are UTF-8 without
// NUL, and returns its size.
func Measure(text []byte) (Size, error) {
	c := checker{text: text, i: SkipSpace(text, 0)}
	if err := c.value(); err != nil {
		return Size{}, err
	}
	return c.size, c.end()
}

// A checker reads a text from its beginning.
type checker struct {
	text  []byte
	i     int  // where it is
	depth int  // of the objects and arrays around that
	size  Size // of what was read
}

func (c *checker) at(b byte) bool { return c.i < len(c.text) && c.text[c.i] == b }

// end checks that nothing but space follows.
func (c *checker) end() error {
	if SkipSpace(c.text, c.i) < len(c.text) {
		return ErrSyntax
	}
	return nil
}

func (c *checker) value() error {
	switch {
	case c.at('"'):
		return c.string()
	case c.at('{'):
		return c.object(nil)
	case c.at('['):
		return c.list(']', c.value)
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(c.text[c.i:], []byte(word)) {
			c.i += len(word)
			return nil
		}
	}
	return c.number()
}

// object reads an object, and calls visit, unless it is nil, after each member: with its
// name as it is written, and where its value begins.
func (c *checker) object(visit func(name []byte, begin int)) error {
	return c.list('}', func() error {
		begin := c.i
		if !c.at('"') {
			return ErrSyntax
		}
		if err := c.string(); err != nil {
			return err
		}
		name := c.text[begin:c.i]
		if c.i = SkipSpace(c.text, c.i); !c.at(':') {
			return ErrSyntax
		}
		c.i = SkipSpace(c.text, c.i+1)
		begin = c.i
		if err := c.value(); err != nil {
			return err
		}
		if visit != nil {
			visit(name, begin)
		}
		return nil
	})
}

// list reads what stands between brackets, with commas between the elements.
func (c *checker) list(closing byte, element func() error) error {
	if c.depth++; c.depth > deepest {
		return ErrDepth
	}
	c.size.Depth = max(c.size.Depth, c.depth)
	c.i = SkipSpace(c.text, c.i+1)
	for more := !c.at(closing); more; {
		c.size.Values++
		if err := element(); err != nil {
			return err
		}
		if c.i = SkipSpace(c.text, c.i); c.at(',') {
			c.i = SkipSpace(c.text, c.i+1)
			continue
		}
		more = false
	}
	if !c.at(closing) {
		return ErrSyntax
	}
	c.i++
	c.depth--
	return nil
}

// string reads a string.
func (c *checker) string() error {
	begin, escaped := c.i, false
	for c.i++; ; c.i++ {
		switch {
		case c.i >= len(c.text), c.text[c.i] < ' ' && c.text[c.i] != 0:
			return ErrSyntax
		case c.text[c.i] == '\\':
			escaped = true
			if err := c.escape(); err != nil {
				return err
			}
		case c.text[c.i] == '"':
			c.i++
			text := c.text[begin:c.i]
			if !utf8.Valid(text) || escaped && !IsText(text) || bytes.IndexByte(text, 0) >= 0 {
				return ErrText
			}
			return nil
		}
	}
}

// escape reads an escape but for its last byte.
func (c *checker) escape() error {
	rest := c.text[c.i+1:]
	if len(rest) > 0 && bytes.IndexByte([]byte(`"\/bfnrt`), rest[0]) >= 0 {
		c.i++
		return nil
	}
	if _, ok := escape(c.text[c.i:]); !ok {
		return ErrSyntax
	}
	c.i += 5
	return nil
}

// number reads a number.
func (c *checker) number() error {
	if c.at('-') {
		c.i++
	}
	if c.at('0') {
		c.i++
	} else if c.digits() == 0 {
		return ErrSyntax
	}
	if c.at('.') {
		c.i++
		if c.digits() == 0 {
			return ErrSyntax
		}
	}
	if c.at('e') || c.at('E') {
		if c.i++; c.at('+') || c.at('-') {
			c.i++
		}
		if c.digits() == 0 {
			return ErrSyntax
		}
	}
	return nil
}

// digits reads digits, and returns how many there are.
func (c *checker) digits() int {
	begin := c.i
	for c.i < len(c.text) && '0' <= c.text[c.i] && c.text[c.i] <= '9' {
		c.i++
	}
	return c.i - begin
}
