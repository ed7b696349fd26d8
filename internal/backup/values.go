package backup

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// A kind is what values of a column are, in both kinds of database.
type kind string

// Kinds, and how a value stands in JSON. NULL is null.
const (
	integer kind = "int"   // number
	real    kind = "real"  // number
	text    kind = "text"  // string; also JSON
	binary  kind = "bytes" // string, base64
	instant kind = "time"  // string, RFC 3339, UTC, to the microsecond
)

// kinds are the kinds of columns by what the databases call their types.
var kinds = map[string]kind{
	"integer": integer, "bool": integer, "bigint": integer, "int": integer, "smallint": integer, "tinyint": integer,
	"real": real, "double": real,
	"text": text, "varchar": text, "char": text, "json": text, "longtext": text, "mediumtext": text, "enum": text,
	"blob": binary, "binary": binary, "varbinary": binary, "longblob": binary,
	"datetime": instant,
}

// kindOf returns the kind of a column by its type in the database, such as varchar(80).
func kindOf(declared string) (kind, error) {
	name, _, _ := strings.Cut(strings.ToLower(declared), "(")
	name, _, _ = strings.Cut(name, " ")
	k, ok := kinds[name]
	if !ok {
		return "", fmt.Errorf("columns of type %s are not known", declared)
	}
	return k, nil
}

const timeForm = "2006-01-02T15:04:05.999999Z07:00"

// appendValue appends a value, as the drivers return it, as JSON.
func (k kind) appendValue(to []byte, value any) ([]byte, error) {
	if value == nil {
		return append(to, "null"...), nil
	}
	switch k {
	case integer:
		return appendInteger(to, value)
	case real:
		if number, ok := value.(float64); ok {
			value = number
		}
		if raw, ok := value.([]byte); ok {
			return append(to, raw...), nil
		}
		encoded, err := json.Marshal(value)
		return append(to, encoded...), err
	case instant:
		at, ok := value.(time.Time)
		if !ok {
			return nil, fmt.Errorf("%v is no time", value)
		}
		return at.UTC().AppendFormat(append(to, '"'), timeForm+`"`), nil
	case binary:
		raw, ok := value.([]byte)
		if !ok {
			return nil, fmt.Errorf("a value of type %T is no bytes", value)
		}
		return append(base64.StdEncoding.AppendEncode(append(to, '"'), raw), '"'), nil
	}
	return appendText(to, value)
}

func appendInteger(to []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case int64:
		return strconv.AppendInt(to, v, 10), nil
	case bool:
		if v {
			return append(to, '1'), nil
		}
		return append(to, '0'), nil
	case []byte:
		return append(to, v...), nil
	}
	return nil, fmt.Errorf("a value of type %T is no integer", value)
}

func appendText(to []byte, value any) ([]byte, error) {
	var s string
	switch v := value.(type) {
	case string:
		s = v
	case []byte:
		s = string(v)
	default:
		return nil, fmt.Errorf("a value of type %T is no text", value)
	}
	if !utf8.ValidString(s) {
		return nil, fmt.Errorf("a text is not UTF-8")
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(s)
	return append(to, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...), err
}

// parse reads a value from JSON, as the drivers take it.
func (k kind) parse(raw json.RawMessage) (any, error) {
	if string(raw) == "null" {
		return nil, nil
	}
	switch k {
	case integer:
		return strconv.ParseInt(string(raw), 10, 64)
	case real:
		return strconv.ParseFloat(string(raw), 64)
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	switch k {
	case text:
		return s, nil
	case binary:
		return base64.StdEncoding.DecodeString(s)
	case instant:
		at, err := time.Parse(timeForm, s)
		return at.UTC(), err
	}
	return nil, fmt.Errorf("columns of kind %q are not known", k)
}
