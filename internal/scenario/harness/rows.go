package harness

import (
	"context"
	"fmt"
	"strings"
	"testing"

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

// Copying is a statement that adds a copy of one row of a table for each row of a join. Some
// columns have other values, which are expressions.
func Copying(table string, columns []string, other map[string]string, join string) string {
	var names, values []string
	for _, column := range columns {
		if column == "id" {
			continue
		}
		value, ok := other[column]
		if !ok {
			value = "row_of.`" + column + "`"
		}
		names, values = append(names, "`"+column+"`"), append(values, value)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s row_of JOIN %s WHERE row_of.id = ?",
		table, strings.Join(names, ", "), strings.Join(values, ", "), table, join)
}
