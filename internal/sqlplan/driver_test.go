package sqlplan

import (
	"cmp"
	"database/sql/driver"
	"fmt"
	"strings"
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

// TestWithoutOrder leaves out the order of ids, and no other.
func TestWithoutOrder(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT `a`.`id` FROM `a` WHERE `a`.`b` > ? ORDER BY `a`.`id`": "SELECT `a`.`id` FROM `a` WHERE `a`.`b` > ?",
		"SELECT `a`.`id` FROM `a` ORDER BY `a`.`b`, `a`.`id`":          "",
		"SELECT `a`.`id` FROM `a` ORDER BY `b`.`id`":                   "",
		"SELECT `a`.`id` FROM `a` ORDER BY `a`.`id` LIMIT 2":           "",
		"SELECT `a`.`id` FROM `a`":                                     "",
		"SELECT 1":                                                     "",
	} {
		got, ok := withoutOrder(query)
		if ok != (want != "") || got != cmp.Or(want, query) {
			t.Errorf("%s: got %s, %v", query, got, ok)
		}
	}
}

// TestSortedBy sorts a page by its own columns, where it is sorted by columns.
func TestSortedBy(t *testing.T) {
	for order, want := range map[string]string{
		"`a`.`at` DESC, `a`.`id` DESC": "[`page`.`at` DESC `page`.`id` DESC] SELECT `a`.`id`, `a`.`at` FROM `a`",
		"`a`.`name` ASC, `a`.`id` ASC": "[`page`.`name` `page`.`id`] SELECT `a`.`id`, `a`.`name` FROM `a`",
		"`a`.`name`, `a`.`id`":         "[`page`.`name` `page`.`id`] SELECT `a`.`id`, `a`.`name` FROM `a`",
		"`a`.`at` IS NULL, `a`.`id`":   "[] SELECT `a`.`id` FROM `a`",
		"`b`.`at`, `a`.`id`":           "[] SELECT `a`.`id` FROM `a`",
	} {
		s := sql.Dialect(dialect.MySQL).Select("id").From(sql.Table("a")).OrderBy(strings.Split(order, ", ")...)
		page := s.Clone().Select(s.C("id")).ClearOrder()
		sorted := sortedBy(s, page, "id")
		if text, _ := page.Query(); fmt.Sprint(sorted)+" "+text != want {
			t.Errorf("%s: got %v %s, want %s", order, sorted, text, want)
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
