package privacy

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"entgo.io/ent/schema/field"

	"workforce/ent"
)

// A source is the rows of a table that an export has, by id.
type source struct {
	name    string // of the table
	columns []ent.ExportColumn
	where   string // condition; args are its arguments
	args    []any
	change  func(row []any) error // of what is stored; nil for none
	renamed map[string]string     // columns that are called otherwise in the export
}

// sourceOf returns the rows of a table for which a condition holds.
func sourceOf(e ent.Export, where string, args ...any) source {
	return source{name: e.Table, columns: e.Columns, where: where, args: args}
}

// index returns the place of a column.
func (s source) index(name string) int {
	for i, c := range s.columns {
		if c.Name == name {
			return i
		}
	}
	panic("export: " + s.name + " has no " + name)
}

// table returns the rows as a table of an archive.
func (s source) table(ctx context.Context, db *ent.Client) archiveTable {
	t := archiveTable{Name: s.name, Each: func(f func([]any) error) error { return s.each(ctx, db, f) }}
	for _, c := range s.columns {
		t.Columns = append(t.Columns, cmp.Or(s.renamed[c.Name], c.Name))
	}
	return t
}

// each calls f with the values of each row. It reads no more at a time than the
// database sends.
func (s source) each(ctx context.Context, db *ent.Client, f func([]any) error) (err error) {
	names := make([]string, len(s.columns))
	for i, c := range s.columns {
		names[i] = "`" + c.Name + "`"
	}
	rows, err := db.QueryContext(ctx, "SELECT "+strings.Join(names, ", ")+" FROM `"+s.name+"` WHERE "+s.where+" ORDER BY id", s.args...)
	if err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	defer func() { _ = rows.Close() }() // Err tells more
	into, values := make([]any, len(s.columns)), make([]any, len(s.columns))
	for i, c := range s.columns {
		into[i] = holder(c.Type)
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for i, v := range into {
			values[i] = held(v, s.columns[i].Type)
		}
		if s.change != nil {
			if err := s.change(values); err != nil {
				return fmt.Errorf("%s %v: %w", s.name, values[0], err)
			}
		}
		if err := f(values); err != nil {
			return err
		}
	}
	return rows.Err()
}

// holder returns what a value of a type is read into.
func holder(t field.Type) any {
	switch {
	case t == field.TypeBool:
		return new(sql.NullBool)
	case t == field.TypeTime:
		return new(sql.NullTime)
	case t.Float():
		return new(sql.NullFloat64)
	case t.Integer():
		return new(sql.NullInt64)
	}
	return new(sql.NullString)
}

// held returns the value that was read, as archives have it.
func held(v any, t field.Type) any {
	switch v := v.(type) {
	case *sql.NullBool:
		if v.Valid {
			return v.Bool
		}
	case *sql.NullTime:
		if v.Valid {
			return v.Time.UTC()
		}
	case *sql.NullFloat64:
		if v.Valid {
			return v.Float64
		}
	case *sql.NullInt64:
		if v.Valid {
			return v.Int64
		}
	case *sql.NullString:
		if v.Valid && t == field.TypeJSON && json.Valid([]byte(v.String)) {
			return json.RawMessage(v.String)
		}
		if v.Valid {
			return v.String
		}
	}
	return nil
}
