package policysql

import (
	"context"
	"maps"
	"testing"

	"workforce/ent"
	"workforce/ent/directoryversion"
	"workforce/internal/app/apptest"
	"workforce/internal/testdb"
)

// TestInsertAll writes several rows, all or none.
func TestInsertAll(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := apptest.On(t, url)
		columns := []string{directoryversion.FieldID, directoryversion.FieldVersion}
		w.Change(t, func(ctx context.Context, _ *ent.Client) error {
			return InsertAll(ctx, directoryversion.Table, columns, []any{901, 1, 902, 2})
		})
		got := map[int]int{}
		for _, v := range w.DB.DirectoryVersion.Query().Where(directoryversion.IDGT(900)).AllX(w.System()) {
			got[v.ID] = v.Version
		}
		if want := map[int]int{901: 1, 902: 2}; !maps.Equal(got, want) {
			t.Errorf("versions %v, want %v", got, want)
		}
		if err := w.Try(w.System(), func(ctx context.Context, _ *ent.Client) error {
			return InsertAll(ctx, directoryversion.Table, columns, []any{905, 5, 901, 5})
		}); err == nil {
			t.Error("a row that exists was inserted")
		}
	})
}
