package policysql

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	entgo "entgo.io/ent"
)

// A Statement is the whole text of a query. In it :name stands for an argument, in(column, :name)
// for the condition that a column has one of the ids of an argument, and policy(x) for the
// condition under which the viewer sees rows of the table with the alias x.
type Statement struct{ pieces []piece }

// A piece is text and the mark that follows it, if any.
type piece struct{ text, arg, column, alias string }

var marks = regexp.MustCompile(`:(\w+)|\bin\(([\w.]+), :(\w+)\)|\bpolicy\((\w+)\)`)

// Parse reads the text of a statement.
func Parse(text string) Statement {
	var s Statement
	end := 0
	for _, at := range marks.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		s.pieces = append(s.pieces, piece{text: text[end:at[0]], arg: group(1) + group(3), column: group(2), alias: group(4)})
		end = at[1]
	}
	s.pieces = append(s.pieces, piece{text: text[end:]})
	return s
}

// Args are the arguments of a statement by name. That of in is a []int of few thousand ids at most.
type Args map[string]any

// Policies are the policies of a statement's tables by alias.
type Policies map[string]Policy

// A Policy is the policy of an entity, and its table.
type Policy struct {
	Policy entgo.Policy
	Table  string
}

// Select runs a statement for the viewer of ctx and returns its rows. Each column is read
// into the field of T whose tag `sql` is the column's name; a tag that ends with _ is a prefix
// of the tags of a struct's fields. NULL is the zero value. Slices, maps and structs are read
// from JSON. Every column has a field, and every field with a tag a column.
func Select[T any](ctx context.Context, s Statement, args Args, policies Policies) ([]T, error) {
	var list []T
	err := SelectEach(ctx, s, args, policies, func(row *T) error {
		list = append(list, *row)
		return nil
	})
	return list, err
}

// SelectEach is Select for many rows: it calls read with each of them. The row is valid during
// the call. read must not query in the same transaction.
func SelectEach[T any](ctx context.Context, s Statement, args Args, policies Policies, read func(row *T) error) error {
	q, err := s.query(ctx, args, policies)
	if err != nil {
		return err
	}
	result, err := q.run()
	if err != nil {
		return err
	}
	defer result.Close()
	columns, err := result.Columns()
	if err != nil {
		return err
	}
	row := new(T)
	into, err := destinations(row, columns)
	if err != nil {
		return err
	}
	for result.Next() {
		if err := result.Scan(into...); err != nil {
			return err
		}
		if err := read(row); err != nil {
			return err
		}
	}
	return result.Err()
}

// query returns the query that a statement makes of arguments.
func (s Statement) query(ctx context.Context, args Args, policies Policies) (*Query, error) {
	q := New(ctx)
	for _, p := range s.pieces {
		q.text.WriteString(p.text)
		switch {
		case p.alias != "":
			policy, ok := policies[p.alias]
			if !ok {
				return nil, fmt.Errorf("policysql: no policy of %s", p.alias)
			}
			q.WherePolicy(policy.Policy, policy.Table, p.alias)
		case p.arg != "":
			value, ok := args[p.arg]
			if !ok {
				return nil, fmt.Errorf("policysql: no argument %s", p.arg)
			}
			if p.column == "" {
				q.Add("?", value)
			} else if ids, isList := value.([]int); isList {
				q.In(p.column, ids)
			} else {
				return nil, fmt.Errorf("policysql: argument %s is no []int", p.arg)
			}
		}
	}
	return q, q.err
}

// destinations returns where the columns of a result are read, in their order.
func destinations(row any, columns []string) ([]any, error) {
	value := reflect.ValueOf(row).Elem()
	fields, into := rowFields(value.Type()), make([]any, len(columns))
	for i, name := range columns {
		field, ok := fields[name]
		if !ok {
			return nil, fmt.Errorf("policysql: %T has no field for the column %s", row, name)
		}
		into[i] = destination(value.FieldByIndex(field))
	}
	if len(columns) < len(fields) {
		return nil, fmt.Errorf("policysql: %T has %d fields for %d columns", row, len(fields), len(columns))
	}
	return into, nil
}

// fieldsByType keeps the fields of each type of rows, which do not change.
var fieldsByType sync.Map // of reflect.Type, to map[string][]int

// rowFields returns the index of each field of a struct that has a tag, by its column.
func rowFields(row reflect.Type) map[string][]int {
	if fields, ok := fieldsByType.Load(row); ok {
		return fields.(map[string][]int)
	}
	fields := map[string][]int{}
	addFields(fields, "", nil, row)
	fieldsByType.Store(row, fields)
	return fields
}

// addFields adds the fields of a struct that has a place in a row.
func addFields(to map[string][]int, prefix string, at []int, row reflect.Type) {
	for i := range row.NumField() {
		f := row.Field(i)
		name, index := f.Tag.Get("sql"), append(slices.Clone(at), i)
		switch {
		case f.Anonymous || strings.HasSuffix(name, "_"):
			addFields(to, prefix+name, index, f.Type)
		case name != "":
			to[prefix+name] = index
		}
	}
}

// destination returns where a column is read for a field.
func destination(field reflect.Value) any {
	if field.Kind() == reflect.String { // of a type of its own too
		return zeroed[string]{field.Addr().Convert(reflect.TypeFor[*string]()).Interface().(*string)}
	}
	switch to := field.Addr().Interface().(type) {
	case *int:
		return zeroed[int]{to}
	case *bool:
		return zeroed[bool]{to}
	case *float64:
		return zeroed[float64]{to}
	case *time.Time:
		return zeroed[time.Time]{to}
	case **int:
		return Nullable(to)
	case **bool:
		return Nullable(to)
	case **float64:
		return Nullable(to)
	case **string:
		return Nullable(to)
	case **time.Time:
		return Nullable(to)
	}
	return decoded{field}
}

// zeroed reads a column that may be null; null is the zero value.
type zeroed[T any] struct{ to *T }

// Scan implements sql.Scanner.
func (z zeroed[T]) Scan(from any) error {
	if from == nil {
		*z.to = *new(T)
		return nil
	}
	return assign(z.to, from)
}

// decoded reads a column of JSON that may be null; null is the zero value.
type decoded struct{ field reflect.Value }

// Scan implements sql.Scanner.
func (d decoded) Scan(from any) error {
	d.field.SetZero() // the value of another row is not changed
	var text string
	if err := (zeroed[string]{&text}).Scan(from); err != nil || text == "" {
		return err
	}
	return json.Unmarshal([]byte(text), d.field.Addr().Interface())
}
