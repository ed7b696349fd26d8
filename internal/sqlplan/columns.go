package sqlplan

import (
	"encoding/json"
	"strconv"
	"time"
)

// builtin write the built-in scalars.
var builtin = map[string]Writer{
	"ID":      writeID,
	"Int":     writeNumber,
	"String":  String,
	"Boolean": writeBoolean,
}

func writeText(text string) Writer {
	return func(to, _ []byte) ([]byte, bool) { return append(to, text...), true }
}

func writeID(to, value []byte) ([]byte, bool) {
	return append(append(append(to, '"'), value...), '"'), len(value) > 0
}

func writeNumber(to, value []byte) ([]byte, bool) { return append(to, value...), len(value) > 0 }

func writeBoolean(to, value []byte) ([]byte, bool) {
	b, err := strconv.ParseBool(string(value))
	return strconv.AppendBool(to, b), err == nil
}

// String writes a string.
func String(to, value []byte) ([]byte, bool) { return AppendString(to, value), true }

// AppendString appends text in quotes. Like gqlgen, it escapes only what JSON must
// escape.
func AppendString[T string | []byte](to []byte, text T) []byte {
	const hex = "0123456789ABCDEF"
	to = append(to, '"')
	start := 0
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		to = append(to, text[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			to = append(to, '\\', c)
		case '\n':
			to = append(to, `\n`...)
		case '\r':
			to = append(to, `\r`...)
		case '\t':
			to = append(to, `\t`...)
		default:
			to = append(to, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(to, text[start:]...), '"')
}

// writeStrings writes a list of strings that is stored as JSON.
func writeStrings(to, value []byte) ([]byte, bool) {
	var list []string
	if len(value) > 0 {
		if err := json.Unmarshal(value, &list); err != nil {
			return to, false
		}
	}
	to = append(to, '[')
	for i, s := range list {
		if i > 0 {
			to = append(to, ',')
		}
		to = AppendString(to, s)
	}
	return append(to, ']'), true
}

// Time writes an instant as RFC 3339, to the second. The bytes of an instant are
// RFC 3339 too, with a fraction of a second, and mostly in UTC.
func Time(to, value []byte) ([]byte, bool) {
	const seconds = len("2006-01-02T15:04:05")
	if n := len(value); n > seconds && value[4] == '-' && value[n-1] == 'Z' {
		return append(append(append(to, '"'), value[:seconds]...), `Z"`...), true
	}
	t, err := time.Parse(time.RFC3339Nano, string(value))
	return append(t.AppendFormat(append(to, '"'), time.RFC3339), '"'), err == nil
}
