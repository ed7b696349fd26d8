package rows

import (
	"context"
	"maps"
	"testing"

	"workforce/ent"
	"workforce/ent/directoryversion"
	"workforce/internal/app/apptest"
	"workforce/internal/testdb"
)

// TestUpsert writes new rows, and changes the named columns of those that exist.
func TestUpsert(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := apptest.On(t, url)
		columns := []string{directoryversion.FieldID, directoryversion.FieldVersion}
		for _, write := range []func(context.Context) error{
			func(ctx context.Context) error {
				return InsertAll(ctx, directoryversion.Table, columns, []any{901, 1, 902, 2})
			},
			func(ctx context.Context) error {
				return Upsert(ctx, directoryversion.Table, columns, []any{902, 20, 903, 30}, columns[0], columns[1:])
			},
			func(ctx context.Context) error {
				return Upsert(ctx, directoryversion.Table, columns, []any{901, 10, 904, 40}, columns[0], columns[:1])
			},
			func(ctx context.Context) error {
				return Upsert(ctx, directoryversion.Table, columns, []any{904, 44}, columns[0], columns)
			},
		} {
			w.Change(t, func(ctx context.Context, _ *ent.Client) error { return write(ctx) })
		}
		got := map[int]int{}
		for _, v := range w.DB.DirectoryVersion.Query().Where(directoryversion.IDGT(900)).AllX(w.System()) {
			got[v.ID] = v.Version
		}
		if want := map[int]int{901: 1, 902: 20, 903: 30, 904: 44}; !maps.Equal(got, want) {
			t.Errorf("versions %v, want %v", got, want)
		}
		if err := w.Try(w.System(), func(ctx context.Context, _ *ent.Client) error {
			return InsertAll(ctx, directoryversion.Table, columns, []any{905, 5, 901, 5})
		}); err == nil {
			t.Error("a row that exists was inserted")
		}
	})
}
