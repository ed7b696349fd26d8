package sqlplan

import (
	"database/sql/driver"
	"fmt"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// TestCountRows changes the statements that count ids, and no other.
func TestCountRows(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT COUNT(`users`.`id`) FROM `users` WHERE `users`.`id` > ?": "SELECT COUNT(*) FROM `users` WHERE `users`.`id` > ?",
		"SELECT COUNT(DISTINCT `users`.`id`) FROM `users`":               "SELECT COUNT(DISTINCT `users`.`id`) FROM `users`",
		"SELECT COUNT(`users`.`email`) FROM `users`":                     "SELECT COUNT(`users`.`email`) FROM `users`",
		"SELECT `users`.`id` FROM `users`":                               "SELECT `users`.`id` FROM `users`",
	} {
		if got := countRows(query); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}

// TestExtend adds columns to what ent selects of one table, and to no other query.
func TestExtend(t *testing.T) {
	o := &object{columns: []string{"id", "at"}, table: &table{instants: map[string]bool{"at": true}}}
	for _, tt := range []struct{ query, dialect, want, seen string }{
		{"SELECT `users`.`id` FROM `users` LIMIT 2", dialect.MySQL, "SELECT `users`.`id`, `users`.`id`, `users`.`at` FROM `users` LIMIT 2", "[id]"},
		{"SELECT `users`.`id`, `users`.`at` FROM `users` WHERE `users`.`at` > ?", dialect.SQLite,
			"SELECT `users`.`id`, `users`.`at`, `users`.`id`, +`users`.`at` FROM `users` WHERE `users`.`at` > ?", "[id at]"},
		{"SELECT DISTINCT `users`.`id` FROM `users`", dialect.MySQL, "", ""},
		{"SELECT `users`.`id`, COUNT(*) FROM `users`", dialect.MySQL, "", ""},
		{"SELECT 1", dialect.MySQL, "", ""},
	} {
		r := &reader{added: o}
		got, ok := r.extend(tt.query, tt.dialect)
		if ok != (tt.want != "") || ok && (got != tt.want || fmt.Sprint(r.seen.columns) != tt.seen) {
			t.Errorf("%s: %s with %v seen, %v; want %s with %s", tt.query, got, r.seen.columns, ok, tt.want, tt.seen)
		}
	}
}

// TestSeenRows gives ent the values of its own columns, whatever the driver does with its
// buffer for the next row.
func TestSeenRows(t *testing.T) {
	rows, buffer := &seenRows{columns: []string{"id", "name"}}, []byte("Budi")
	if n := rows.add([]driver.Value{int64(7), buffer, "more"}); n != 2 {
		t.Errorf("%d columns seen, want 2", n)
	}
	copy(buffer, "Sari")
	rows.add([]driver.Value{int64(8), nil, "more"})
	var got []string
	for rows.Next() {
		var id sql.NullInt64
		var name sql.NullString
		if err := rows.Scan(&id, &name); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(id.Int64, name))
	}
	if want := "[7 {Budi true} 8 { false}]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if err := (&seenRows{columns: []string{"id"}, values: []driver.Value{int64(7)}}).Scan(new(int)); err == nil {
		t.Error("scanned into what is no scanner")
	}
}
