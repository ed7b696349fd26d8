package harness

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"

	"workforce/ent"
	"workforce/internal/app/tx"
)

// Must returns a function that fails the test unless a query succeeds.
func Must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Rewrite changes rows in one transaction.
func Rewrite(t *testing.T, ctx context.Context, db *ent.Client, step func(*ent.Client)) {
	t.Helper()
	if err := tx.With(ctx, db, func(db *ent.Client) error { step(db); return nil }); err != nil {
		t.Fatal(err)
	}
}

// Copying is a statement that adds a copy of one row for each row of a join.
func Copying(table *schema.Table, other map[string]string, join string) string {
	var names, values []string
	for _, column := range table.Columns {
		if column.Name == "id" {
			continue
		}
		value, ok := other[column.Name]
		if !ok {
			value = "row_of.`" + column.Name + "`"
		}
		names, values = append(names, "`"+column.Name+"`"), append(values, value)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s row_of JOIN %s WHERE row_of.id = ?",
		table.Name, strings.Join(names, ", "), strings.Join(values, ", "), table.Name, join)
}
