package database_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"sync"
	"testing"

	"workforce/internal/database"
	"workforce/internal/testdb"
)

// writer runs the statements of an Upsert.
type writer struct{ *database.DB }

func (w writer) Dialect() string { return w.DB.Dialect }

func (w writer) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return w.Writer.ExecContext(ctx, query, args...)
}

// TestUpsert writes new rows, and changes those that exist: some columns get the new value,
// to others it is added, and without either they stay as they are.
func TestUpsert(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := openCounters(t, url)
		columns, key := []string{"company", "key", "n", "name"}, []string{"company", "key"}
		put := func(u database.Upsert, cells ...any) {
			t.Helper()
			u.Table, u.Columns, u.Key = "counters", columns, key
			if err := u.Exec(t.Context(), db, cells...); err != nil {
				t.Fatal(err)
			}
		}
		put(database.Upsert{}, 1, "a", 1, "first", 1, "b", 2, nil)
		put(database.Upsert{}, 1, "a", 9, "ignored", 2, "a", 3, "other company")
		put(database.Upsert{Replace: []string{"name"}}, 1, "b", 9, "named", 1, "c", 4, "new")
		put(database.Upsert{Add: []string{"n"}, Replace: []string{"name"}}, 1, "a", 10, nil)
		want := []string{"1 a 11 -", "1 b 2 named", "1 c 4 new", "2 a 3 other company"}
		if got := counters(t, db); !slices.Equal(got, want) {
			t.Errorf("rows %q, want %q", got, want)
		}
		bad := database.Upsert{Table: "counters", Columns: columns, Key: key}
		if err := bad.Exec(t.Context(), db, 3, nil, 1, "no key"); err == nil {
			t.Error("a row that is against another constraint was left out without an error")
		}
	})
}

// TestUpsertAtOnce has 20 insert or change one row at once: all count.
func TestUpsertAtOnce(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db := openCounters(t, url)
		count := database.Upsert{
			Table: "counters", Columns: []string{"company", "key", "n"}, Key: []string{"company", "key"}, Add: []string{"n"},
		}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := count.Exec(t.Context(), db, 1, "a", 1); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got, want := counters(t, db), []string{"1 a 20 -"}; !slices.Equal(got, want) {
			t.Errorf("rows %q, want %q", got, want)
		}
	})
}

func openCounters(t *testing.T, url string) writer {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	_, err = db.Writer.ExecContext(t.Context(), "CREATE TABLE counters (company BIGINT NOT NULL,"+
		" `key` VARCHAR(9) NOT NULL, n BIGINT NOT NULL, name VARCHAR(20), UNIQUE (company, `key`))")
	if err != nil {
		t.Fatal(err)
	}
	return writer{db}
}

func counters(t *testing.T, db writer) (all []string) {
	t.Helper()
	rows, err := db.Reader.QueryContext(t.Context(),
		"SELECT company, `key`, n, COALESCE(name, '-') FROM counters ORDER BY 1, 2")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var company, n int
		var key, name string
		if err := rows.Scan(&company, &key, &n, &name); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%d %s %d %s", company, key, n, name))
	}
	if rows.Err() != nil {
		t.Fatal(rows.Err())
	}
	return all
}
