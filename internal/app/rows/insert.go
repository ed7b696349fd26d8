package rows

import (
	"context"
	"encoding/json"
	"strings"

	"entgo.io/ent/dialect"

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

// Upsert writes rows in the transaction of ctx, whose cells follow one another. A row whose
// key exists has some of its columns changed. As with Insert, it applies no policy and no
// default, and nobody audits the rows.
func Upsert(ctx context.Context, table string, columns []string, cells []any, key string, changed []string) error {
	db := ent.FromContext(ctx)
	clause, value := " ON CONFLICT ("+key+") DO UPDATE SET ", "excluded."
	if db.Dialect() == dialect.MySQL {
		clause, value = " ON DUPLICATE KEY UPDATE ", "VALUES "
	}
	text := insertion(table, columns, len(cells))
	text.WriteString(clause)
	for i, column := range changed {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteString(column + " = " + value)
		if value == "VALUES " {
			text.WriteString("(" + column + ")")
		} else {
			text.WriteString(column)
		}
	}
	_, err := db.ExecContext(ctx, text.String(), cells...)
	return err
}

// InsertAll writes rows in the transaction of ctx, whose cells follow one another. As with
// Insert, it applies no policy and no default, and nobody audits the rows.
func InsertAll(ctx context.Context, table string, columns []string, cells []any) error {
	_, err := ent.FromContext(ctx).ExecContext(ctx, insertion(table, columns, len(cells)).String(), cells...)
	return err
}

// insertion returns the statement that inserts rows with so many cells.
func insertion(table string, columns []string, cells int) *strings.Builder {
	row := "(?" + strings.Repeat(",?", len(columns)-1) + ")" // short, for the cache of prepared statements
	var text strings.Builder
	text.WriteString("INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " + row)
	text.WriteString(strings.Repeat(","+row, cells/len(columns)-1))
	return &text
}
