package rows

import (
	stdsql "database/sql"
	"database/sql/driver"
	"fmt"
	"reflect"
	"time"
)

// scan assigns the values of a row.
func scan(values []driver.Value, into []any) error {
	if len(values) != len(into) {
		return fmt.Errorf("rows: %d destinations for %d columns", len(into), len(values))
	}
	for i, v := range values {
		if err := scanOne(v, into[i]); err != nil {
			return fmt.Errorf("rows: column %d: %w", i, err)
		}
	}
	return nil
}

func scanOne(from driver.Value, into any) error {
	switch to := into.(type) {
	case *int:
		return assign(to, from)
	case *int64:
		return assign(to, from)
	case *float64:
		return assign(to, from)
	case *bool:
		return assign(to, from)
	case *string:
		return assign(to, from)
	case *time.Time:
		return assign(to, from)
	case *stdsql.RawBytes:
		return raw(to, from)
	case stdsql.Scanner:
		return to.Scan(from)
	case *[]byte:
		return raw((*stdsql.RawBytes)(to), from)
	}
	return scanNamed(from, reflect.ValueOf(into))
}

// scanNamed assigns a value to a type of its own, or to a pointer that is nil for null.
func scanNamed(from driver.Value, into reflect.Value) (err error) {
	if into.Kind() == reflect.Pointer {
		switch to := into.Elem(); to.Kind() {
		case reflect.String:
			var text string
			err = assign(&text, from)
			to.SetString(text)
			return err
		case reflect.Int, reflect.Int64:
			var n int64
			err = assign(&n, from)
			to.SetInt(n)
			return err
		case reflect.Pointer:
			to.SetZero()
			if from == nil {
				return nil
			}
			to.Set(reflect.New(to.Type().Elem()))
			return scanOne(from, to.Interface())
		}
	}
	return fmt.Errorf("a %s cannot be read into", into.Type())
}

// stored is how SQLite's driver writes instants, all of them in UTC.
const stored = "2006-01-02 15:04:05.999999999-07:00"

// assign assigns a value that is not null. The types that drivers return most are
// assigned directly: database/sql converts by way of text.
func assign[T any](v *T, from any) error {
	switch to := any(v).(type) {
	case *int:
		if n, ok := from.(int64); ok {
			*to = int(n)
			return nil
		}
	case *int64:
		if n, ok := from.(int64); ok {
			*to = n
			return nil
		}
	case *bool:
		switch v := from.(type) {
		case bool:
			*to = v
			return nil
		case int64:
			*to = v != 0
			return nil
		}
	case *string:
		switch text := from.(type) {
		case []byte:
			*to = string(text)
			return nil
		case string:
			*to = text
			return nil
		}
	case *time.Time:
		switch t := from.(type) {
		case time.Time:
			*to = t
			return nil
		case string:
			at, err := time.Parse(stored, t)
			*to = at.UTC() // whatever the machine's zone is
			return err
		}
	}
	var n stdsql.Null[T]
	if err := n.Scan(from); err != nil {
		return err
	}
	if !n.Valid {
		return fmt.Errorf("null cannot be read into a %T", v)
	}
	*v = n.V
	return nil
}

// raw reads the text of a value into the bytes of an earlier one; nil for null.
func raw(to *stdsql.RawBytes, from driver.Value) error {
	if *to == nil {
		*to = make(stdsql.RawBytes, 0, 64)
	}
	switch v := from.(type) {
	case nil:
		*to = nil
	case []byte:
		*to = append((*to)[:0], v...)
	case string:
		*to = append((*to)[:0], v...)
	default:
		return fmt.Errorf("a %T cannot be read as text", from)
	}
	return nil
}
