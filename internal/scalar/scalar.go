// Package scalar reads and writes the custom scalars of the GraphQL schema.
package scalar

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"workforce/internal/errs"
	"workforce/internal/geofence"
	"workforce/internal/operation"
	"workforce/internal/shift"
)

// MarshalID writes an id as numeric text.
func MarshalID(id int) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) {
		var buf [24]byte
		b := append(buf[:0], '"')
		b = strconv.AppendInt(b, int64(id), 10)
		_, _ = w.Write(append(b, '"')) // a write to a buffer
	})
}

// UnmarshalID reads an id from numeric text or a whole number. Text that is not
// an id is 0, which no row has: whoever looks it up finds nothing, and reports it
// in its turn. Another type is a fault.
func UnmarshalID(v any) (int, error) {
	text, err := text(v)
	if err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(text, 10, 32)
	if err != nil || id <= 0 || text[0] == '+' || text[0] == '0' {
		return 0, nil
	}
	return int(id), nil
}

// MarshalTime writes an instant as RFC 3339 with offset, to the second: in UTC, but in the
// answers of endpoints as it is.
func MarshalTime(t time.Time) graphql.ContextMarshaler {
	return graphql.ContextWriterFunc(func(ctx context.Context, w io.Writer) error {
		if !graphql.HasOperationContext(ctx) || !operation.IsTrusted(graphql.GetOperationContext(ctx)) {
			t = t.UTC()
		}
		_, err := io.WriteString(w, `"`+t.Format(time.RFC3339)+`"`)
		return err
	})
}

// UnmarshalTime reads an instant as ReadTime does.
func UnmarshalTime(_ context.Context, v any) (time.Time, error) { return ReadTime(v) }

// ReadTime reads an instant of the years 1000 to 9998, which every database
// stores, from RFC 3339 with offset, to the microsecond. A space in the offset's
// place of a plus sign is read as one.
func ReadTime(v any) (time.Time, error) {
	s, ok := v.(string)
	if !ok {
		return time.Time{}, badFormat("2026-03-10T08:00:00+07:00")
	}
	if n := len(s); n > 6 && s[n-6] == ' ' {
		s = s[:n-6] + "+" + s[n-5:]
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if t = t.UTC(); err != nil || t.Year() < 1000 || t.Year() > 9998 {
		return time.Time{}, badFormat("2026-03-10T08:00:00+07:00")
	}
	return t.Truncate(time.Microsecond), nil
}

// MarshalDate writes a local date, YYYY-MM-DD.
func MarshalDate(d string) graphql.Marshaler { return graphql.MarshalString(d) }

// UnmarshalDate reads a local date, YYYY-MM-DD.
func UnmarshalDate(v any) (string, error) {
	s, ok := v.(string)
	if !ok {
		return "", badFormat("2026-03-10")
	}
	if _, err := shift.ParseDate(s); err != nil {
		return "", badFormat("2026-03-10")
	}
	return s, nil
}

// MarshalDegrees writes decimal degrees as text with six decimals.
func MarshalDegrees(d float64) graphql.Marshaler {
	return graphql.MarshalString(geofence.FormatDegrees(d))
}

// UnmarshalDegrees reads decimal degrees from text or a number.
func UnmarshalDegrees(v any) (float64, error) {
	var c Coordinate
	if err := c.UnmarshalGQL(v); err != nil {
		return 0, err
	}
	if !c.Valid {
		return 0, badFormat("-6.200000")
	}
	return c.Degrees, nil
}

// A Coordinate is decimal degrees as they were sent. What cannot be read is
// marked as not valid, so that a resolver can report every fault at once.
type Coordinate struct {
	Degrees float64
	Valid   bool
}

// UnmarshalGQL reads text or a number; another type is a fault.
func (c *Coordinate) UnmarshalGQL(v any) error {
	if n, ok := v.(json.Number); ok && len(n) <= geofence.MaxDegrees { // JSON writes small numbers with exponents
		d, err := n.Float64()
		*c = Coordinate{Degrees: d, Valid: err == nil}
		return nil
	}
	text, err := text(v)
	if err != nil {
		return err
	}
	d, ok := geofence.ParseDegrees(text)
	*c = Coordinate{Degrees: d, Valid: ok}
	return nil
}

// MarshalGQL writes decimal degrees as text with six decimals.
func (c Coordinate) MarshalGQL(w io.Writer) { MarshalDegrees(c.Degrees).MarshalGQL(w) }

// text returns text or a number as text.
func text(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case int, int32, int64:
		return fmt.Sprint(v), nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	}
	return "", wrongType("string, number")
}

func wrongType(expected string) error {
	return &errs.Error{Code: errs.Invalid, Faults: []errs.Fault{{Code: errs.Invalid, Reason: errs.WrongType, Meta: errs.Meta{"expected": expected}}}}
}

// badFormat is a fault of text that is not of a form; expected is an example of it.
func badFormat(expected string) error {
	return &errs.Error{Code: errs.Invalid, Faults: []errs.Fault{{Code: errs.Invalid, Reason: errs.BadFormat, Meta: errs.Meta{"expected": expected}}}}
}
