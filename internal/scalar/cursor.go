package scalar

import (
	"encoding/base64"
	"fmt"
	"io"

	"github.com/99designs/gqlgen/graphql"

	"workforce/ent/entgql"
	"workforce/internal/errs"
)

// MarshalCursor writes the cursor of a row in a connection.
func MarshalCursor(c entgql.Cursor[int]) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { c.MarshalGQL(w) })
}

// UnmarshalCursor reads a cursor as MarshalCursor writes it: an id, and the value
// by which the rows are ordered. The decoder is given nothing else, since it makes
// room for as many elements as a list or map says that it has.
func UnmarshalCursor(v any) (c entgql.Cursor[int], err error) {
	text, ok := v.(string)
	if !ok {
		return c, errs.Because("", errs.WrongType, errs.Meta{"expected": "string"})
	}
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err == nil && !isCursor(raw) {
		err = fmt.Errorf("not a cursor: %d bytes", len(raw))
	}
	if err == nil {
		err = c.UnmarshalGQL(text)
	}
	if err != nil {
		return c, errs.Because("", errs.Unreadable, nil)
	}
	return c, nil
}

// The parts of a cursor in MessagePack.
const (
	oneMember  = "\x81\xa1i"
	twoMembers = "\x82\xa1i"
	valueKey   = "\xa1v"
)

// isCursor reports whether a text in MessagePack is a map of i, an integer, and v
// or nothing: v is a number, text, a boolean, null or a time.
func isCursor(raw []byte) bool {
	if len(raw) < len(twoMembers)+1 {
		return false
	}
	head, rest := string(raw[:len(twoMembers)]), raw[len(twoMembers):]
	size := integerSize(rest[0])
	if size == 0 || size > len(rest) {
		return false
	}
	rest = rest[size:]
	if head == oneMember {
		return len(rest) == 0
	}
	if head != twoMembers || len(rest) <= len(valueKey) || string(rest[:len(valueKey)]) != valueKey {
		return false
	}
	return isScalar(rest[len(valueKey):])
}

// integerSize returns how many bytes an integer has that begins with a code; 0
// for another code.
func integerSize(code byte) int {
	switch {
	case code < 0x80 || code >= 0xe0:
		return 1
	case code >= 0xcc && code <= 0xcf: // unsigned
		return 1 + 1<<(code-0xcc)
	case code >= 0xd0 && code <= 0xd3: // signed
		return 1 + 1<<(code-0xd0)
	}
	return 0
}

// isScalar reports whether a value is neither a map nor a list, nor bytes, nor an
// extension but time.
func isScalar(value []byte) bool {
	switch code := value[0]; {
	case integerSize(code) > 0, code >= 0xa0 && code <= 0xbf, code >= 0xd9 && code <= 0xdb: // integers, text
		return true
	case code == 0xc0, code == 0xc2, code == 0xc3, code == 0xca, code == 0xcb: // null, booleans, floats
		return true
	case code == 0xd6, code == 0xd7: // time of 4 and 8 bytes
		return len(value) > 1 && value[1] == 0xff
	case code == 0xc7: // time of 12 bytes
		return len(value) > 2 && value[2] == 0xff
	}
	return false
}
