package migration

import (
	"context"
	"errors"
	"strings"
	"testing"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

// TestRestore fills tables of an older schema, and migrates them; what fails leaves the database
// marked, and what is not empty is refused.
func TestRestore(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, err := database.Open(url, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		s, err := open(db.Writer, db.Dialect, files)
		if err != nil {
			t.Fatal(err)
		}
		tables := func() (n int) {
			t.Helper()
			made, err := s.made(t.Context(), db.Writer)
			if err != nil {
				t.Fatal(err)
			}
			return len(made)
		}
		newest := s.newest()
		failed := errors.New("no")
		refused := Restore{Version: newest, Check: func(context.Context) error { return failed }}
		if err := refused.Run(t.Context(), db); !errors.Is(err, failed) {
			t.Errorf("a check that fails: %v", err)
		}
		if _, err := Status(t.Context(), db); err != nil {
			t.Errorf("it left a mark: %v", err)
		}
		newer := Restore{Version: newest + 1}
		if err := newer.Run(t.Context(), db); err == nil || !strings.Contains(err.Error(), "use a newer one") {
			t.Errorf("a newer schema: %v", err)
		}
		var ids []string
		older := Restore{
			Version: 42, // before object_holds
			Check:   func(context.Context) error { return nil },
			Fill: func(ctx context.Context, id string, again bool) error {
				ids = append(ids, id)
				var n int
				if err := db.Writer.QueryRowContext(ctx, s.madeQuery, "object_holds").Scan(&n); err != nil || n != 0 {
					t.Errorf("%d tables of a later migration, %v", n, err)
				}
				if again != (len(ids) > 1) {
					t.Errorf("restore %d: again %v", len(ids), again)
				}
				if _, err := db.Writer.ExecContext(ctx,
					"INSERT INTO decoys (text, created_at) VALUES ('x', '2026-03-10 02:00:00')"); err != nil {
					return err
				}
				if len(ids) == 1 {
					return failed
				}
				return nil
			},
			Finish: func(ctx context.Context, id string) error {
				var holds, decoys int
				err := db.Writer.QueryRowContext(ctx,
					"SELECT (SELECT COUNT(*) FROM object_holds), (SELECT COUNT(*) FROM decoys)").Scan(&holds, &decoys)
				if err != nil || decoys != 1 || id != ids[0] {
					t.Errorf("%d rows, %v", decoys, err)
				}
				return err
			},
		}
		if err := older.Run(t.Context(), db); !errors.Is(err, failed) {
			t.Fatalf("a restore that fails: %v", err)
		}
		if err := Up(t.Context(), db); !errors.Is(err, ErrRestoring) {
			t.Errorf("a marked database: %v", err)
		}
		if err := older.Run(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		if left, err := Pending(t.Context(), db); err != nil || len(left) > 0 || ids[1] != ids[0] {
			t.Errorf("%d migrations are pending, %v, ids %v", len(left), err, ids)
		}
		before := tables()
		if err := older.Run(t.Context(), db); err == nil || !strings.Contains(err.Error(), "not empty") ||
			tables() != before {
			t.Errorf("a database with tables: %v", err)
		}
		if _, err := Status(t.Context(), db); err != nil {
			t.Errorf("it left a mark: %v", err)
		}
	})
}
