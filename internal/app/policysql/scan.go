package policysql

import (
	stdsql "database/sql"
	"fmt"
	"time"
)

// stored is how SQLite's driver writes instants, all of them in UTC.
const stored = "2006-01-02 15:04:05.999999999-07:00"

// instant reads an instant. Of an expression, SQLite's driver returns it as it is stored.
type instant struct{ v *time.Time }

// Scan implements sql.Scanner.
func (i instant) Scan(from any) error { return assign(i.v, from) }

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
		if n, ok := from.(int64); ok {
			*to = n != 0
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
