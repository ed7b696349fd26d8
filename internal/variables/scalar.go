package variables

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"

	"workforce/internal/errs"
	"workforce/internal/jsonscan"
)

type kind int

const (
	aText kind = iota
	aNumber
	aBoolean
	aContainer // an object or an array
)

// A literal is a value that is not null, before its type is known.
type literal struct {
	kind kind
	text string // of text and numbers; "true" or "false"
}

// literalOf returns the literal of a JSON text.
func literalOf(text []byte) literal {
	switch text[0] {
	case '"':
		return literal{aText, string(jsonscan.Text(text))}
	case 't':
		return literal{aBoolean, "true"}
	case 'f':
		return literal{aBoolean, "false"}
	case '{', '[':
		return literal{kind: aContainer}
	}
	return literal{aNumber, string(text)}
}

// padded returns the text of digits that a shorter JSON number stands for, which has
// no leading zeros; any other value as it is.
func padded(value []byte, digits int) []byte {
	if len(value) == 0 || len(value) > digits || bytes.ContainsFunc(value, func(c rune) bool { return c < '0' || c > '9' }) {
		return value
	}
	return []byte(`"` + strings.Repeat("0", digits-len(value)) + string(value) + `"`)
}

// leaf reads a scalar or an enum.
func (r *reading) leaf(def *inputType, l literal) any {
	switch def.Name {
	case Upload:
		return r.wrong("file")
	case "Boolean":
		return r.boolean(l)
	case "Int":
		return r.integer(l)
	case "Float":
		return r.float(l)
	case "String":
		if l.kind == aText || l.kind == aNumber {
			return l.text
		}
		return r.wrong("string")
	case "ID":
		if l.kind == aText || l.kind == aNumber && !strings.ContainsAny(l.text, ".eE") {
			return l.text
		}
		return r.wrong("string")
	}
	if def.Kind == ast.Enum {
		return r.enum(def, l)
	}
	return r.scalar(def, l)
}

func (r *reading) boolean(l literal) any {
	if l.kind == aBoolean || l.kind == aText && r.mode == REST {
		switch l.text {
		case "true", "1":
			return true
		case "false", "0":
			return false
		}
	}
	return r.wrong("boolean")
}

// integer reads an integer as int64. In REST 1.0 and 1e3 are integers too, and one
// of more than 64 bits is the nearest of 64.
func (r *reading) integer(l literal) any {
	n, err := strconv.ParseInt(l.text, 10, 64)
	switch {
	case err == nil:
		return n
	case r.mode == GraphQL:
		return r.wrong("integer")
	}
	f, ok := decimal(l)
	if !ok || f != math.Trunc(f) {
		return r.wrong("integer")
	}
	switch {
	case f >= math.MaxInt64:
		return int64(math.MaxInt64)
	case f <= math.MinInt64:
		return int64(math.MinInt64)
	}
	return int64(f)
}

// float reads a finite number as float64.
func (r *reading) float(l literal) any {
	f, ok := decimal(l)
	if !ok {
		return r.wrong("number")
	}
	return f
}

// decimal returns the finite number of a literal in decimal notation.
func decimal(l literal) (float64, bool) {
	if strings.Trim(l.text, "+-.0123456789eE") != "" {
		return 0, false // true, NaN, Inf, hexadecimal, underscores
	}
	f, err := strconv.ParseFloat(l.text, 64)
	return f, err == nil
}

func (r *reading) enum(def *inputType, l literal) any {
	switch {
	case l.kind == aNumber && r.mode == GraphQL:
		r.fault(errs.Unreadable, nil)
	case l.kind != aText:
		return r.wrong("string")
	case !def.values[l.text]:
		r.fault(errs.NotOneOf, errs.Meta{"allowed": def.allowed})
	}
	return l.text
}

// scalar reads one of the schema's own scalars, which are text or numbers, and
// has it checked. The executor parses it.
func (r *reading) scalar(def *inputType, l literal) any {
	var v any = l.text
	switch l.kind {
	case aText:
	case aNumber:
		v = json.Number(l.text)
	default:
		return r.wrong("string")
	}
	if def.check == nil {
		return v
	}
	err := def.check(v)
	if err == nil || !errs.Is(err, errs.Invalid) {
		return v
	}
	e := errs.As(err)
	fault := errs.Fault{Code: errs.Invalid, Meta: e.Meta}
	if len(e.Faults) > 0 {
		fault = e.Faults[0]
	}
	return refuse(r, fault)
}
