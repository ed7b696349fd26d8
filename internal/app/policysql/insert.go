package policysql

import (
	"context"
	"encoding/json"
	"strings"

	"workforce/ent"
)

// A Cell is the value of one column.
type Cell struct {
	column string
	value  any
	err    error
}

// Set returns a cell, of a column that a generated constant names. A nil pointer is NULL.
func Set(column string, value any) Cell { return Cell{column: column, value: value} }

// SetJSON returns a cell of a column of JSON.
func SetJSON(column string, v any) Cell {
	text, err := json.Marshal(v)
	return Cell{column, text, err}
}

// Insert writes a row in the transaction of ctx and returns its id. It is for rows of the
// viewer that every clock event writes, whose links the caller has checked: a builder of
// ent takes longer than the database, and checks them again. It applies no policy and no
// default, and nobody audits the row.
func Insert(ctx context.Context, table string, cells ...Cell) (int, error) {
	var text strings.Builder
	text.Grow(1 << 10)
	text.WriteString("INSERT INTO " + table + " (")
	args := make([]any, len(cells))
	for i, c := range cells {
		if c.err != nil {
			return 0, c.err
		}
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(c.column)
		args[i] = c.value
	}
	text.WriteString(") VALUES (?" + strings.Repeat(", ?", len(cells)-1) + ")")
	result, err := ent.FromContext(ctx).ExecContext(ctx, text.String(), args...)
	if err != nil {
		return 0, err
	}
	id, err := result.LastInsertId()
	return int(id), err
}

// InsertAll writes rows in the transaction of ctx, whose cells follow one another. As with
// Insert, it applies no policy and no default, and nobody audits the rows.
func InsertAll(ctx context.Context, table string, columns []string, cells []any) error {
	row := "(?" + strings.Repeat(",?", len(columns)-1) + ")" // short, for the cache of prepared statements
	text := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " + row +
		strings.Repeat(","+row, len(cells)/len(columns)-1)
	_, err := ent.FromContext(ctx).ExecContext(ctx, text, cells...)
	return err
}
