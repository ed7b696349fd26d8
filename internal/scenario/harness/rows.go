package harness

import (
	"context"
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
