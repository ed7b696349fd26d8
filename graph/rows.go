package graph

import (
	"cmp"
	"context"
	stdsql "database/sql"
	"encoding/json"
	"strings"
	"time"

	entgo "entgo.io/ent"
	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/employeeshift"
)

// scan reads the columns of a row, as database/sql does.
type scan func(into ...any) error

// eachRow runs a statement that joins what ent would read one entity at a time,
// and has every row of its result read. Whoever writes one sees to it that it
// shows nothing but what the caller sees.
func eachRow(ctx context.Context, query string, args []any, read func(scan) error) error {
	rows, err := ent.FromContext(ctx).QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // Err tells more
	for rows.Next() {
		if err := read(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// optional reads a column that may be null, which leaves v as it is.
func optional[T any](v *T) stdsql.Scanner { return into[T]{v} }

type into[T any] struct{ v *T }

// Scan implements sql.Scanner. What databases send most is read without the
// detours of database/sql, which goes by way of text.
func (i into[T]) Scan(from any) error {
	if from == nil {
		return nil
	}
	switch to := any(i.v).(type) {
	case *int:
		if n, ok := from.(int64); ok {
			*to = int(n)
			return nil
		}
	case *string:
		if text, ok := from.([]byte); ok {
			*to = string(text)
			return nil
		}
	case *time.Time:
		if t, ok := from.(time.Time); ok {
			*to = t
			return nil
		}
	}
	var n stdsql.Null[T]
	if err := n.Scan(from); err != nil || !n.Valid {
		return err
	}
	*i.v = n.V
	return nil
}

// nullable reads a column that may be null, which *v then is too.
func nullable[T any](v **T) stdsql.Scanner { return intoNew[T]{v} }

type intoNew[T any] struct{ v **T }

// Scan implements sql.Scanner.
func (i intoNew[T]) Scan(from any) error {
	*i.v = nil
	if from == nil {
		return nil
	}
	*i.v = new(T)
	return into[T]{*i.v}.Scan(from)
}

// fromJSON reads a column of JSON that may be null, which leaves v as it is.
func fromJSON(v any) stdsql.Scanner { return jsonInto{v} }

type jsonInto struct{ v any }

// Scan implements sql.Scanner.
func (i jsonInto) Scan(from any) error {
	var text []byte
	if err := (into[[]byte]{&text}).Scan(from); err != nil || text == nil {
		return err
	}
	return json.Unmarshal(text, i.v)
}

// A sight is what a policy lets the caller see of a table.
type sight []func(*sql.Selector)

// WhereP notes a filter of the policy.
func (s *sight) WhereP(filters ...func(*sql.Selector)) { *s = append(*s, filters...) }

// A statement is the text of one that joins tables, with its arguments.
type statement struct {
	ctx  context.Context
	text strings.Builder
	args []any
	err  error // of a policy, the first
}

// add appends text and the arguments for it.
func (s *statement) add(text string, args ...any) {
	s.text.WriteString(text)
	s.args = append(s.args, args...)
}

// seen appends the condition under which the caller sees rows of a table, which
// the statement knows under an alias, by the policy of its entity.
func (s *statement) seen(policy entgo.Policy, table, alias string) {
	var filters sight
	if err := policy.EvalQuery(s.ctx, &filters); err != nil {
		s.err = cmp.Or(s.err, err)
		return
	}
	rows := sql.Select().From(sql.Table(table).As(alias))
	for _, filter := range filters {
		filter(rows)
	}
	if rows.P() == nil {
		s.add("TRUE")
		return
	}
	condition, args := rows.P().Query()
	s.add("("+condition+")", args...)
}

// occurrenceColumns lists the columns of employee_shifts that scanned reads, of
// a table with an alias.
func occurrenceColumns(alias string) string {
	return alias + "." + strings.Join([]string{
		employeeshift.FieldID, employeeshift.FieldAssignmentID, employeeshift.FieldName, employeeshift.FieldDate,
		employeeshift.FieldStartAt, employeeshift.FieldEndAt, employeeshift.FieldClockInFrom, employeeshift.FieldClockInUntil,
		employeeshift.FieldBreaks, employeeshift.FieldBreakSeconds, employeeshift.FieldLateGraceMinutes, employeeshift.FieldEarlyGraceMinutes,
		employeeshift.FieldHalfDayBelowMinutes, employeeshift.FieldAbsentBelowMinutes, employeeshift.FieldWorkingHours, employeeshift.FieldTimezone,
	}, ", "+alias+".")
}

// scanned returns where the occurrenceColumns go. Of an occurrence that is not
// there, the id stays 0.
func scanned(o *ent.EmployeeShift) []any {
	return []any{
		optional(&o.ID), optional(&o.AssignmentID), optional(&o.Name), optional(&o.Date),
		optional(&o.StartAt), optional(&o.EndAt), optional(&o.ClockInFrom), optional(&o.ClockInUntil),
		fromJSON(&o.Breaks), optional(&o.BreakSeconds), nullable(&o.LateGraceMinutes), nullable(&o.EarlyGraceMinutes),
		optional(&o.HalfDayBelowMinutes), optional(&o.AbsentBelowMinutes), optional((*string)(&o.WorkingHours)), optional(&o.Timezone),
	}
}
