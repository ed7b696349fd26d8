package harness

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"
)

// A Querier is a database, a connection or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Rows reads all rows of all tables, each as text that is the same in both kinds of database, in
// the order of the texts.
func Rows(t testing.TB, db Querier, dialect string) map[string][]string {
	t.Helper()
	tables := Column(t, db, map[string]string{
		"sqlite3": "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
		"mysql":   "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()",
	}[dialect])
	all := map[string][]string{}
	for _, table := range tables {
		all[table] = rowsOf(t, db, table)
	}
	return all
}

func rowsOf(t testing.TB, db Querier, table string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT * FROM `"+table+"`")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	values := make([]any, len(names))
	for i := range values {
		values[i] = new(any)
	}
	for rows.Next() {
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		fields := map[string]string{}
		for i, name := range names {
			fields[name] = plain(*values[i].(*any))
		}
		all = append(all, fmt.Sprint(fields))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

// plain is a value as both kinds of database have it.
func plain(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case bool:
		return map[bool]string{true: "1", false: "0"}[v]
	case time.Time:
		return v.UTC().Format(time.RFC3339Nano)
	case []byte:
		return string(v)
	}
	return fmt.Sprint(v)
}

// Column reads the texts of a query of one column.
func Column(t testing.TB, db Querier, query string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// Difference tells the first row that is not the same.
func Difference(got, want []string) string {
	at := func(list []string, i int) string {
		if i < len(list) {
			return list[i]
		}
		return "no row"
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			return fmt.Sprintf("%d rows, want %d:\n%s\nwant\n%s", len(got), len(want), at(got, i), at(want, i))
		}
	}
	return "the same"
}
