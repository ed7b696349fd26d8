package sqlplan

import (
	"context"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

var versioned = Versions{
	Tables: []string{"users", "roles"},
	Select: func(_ context.Context, to *sql.Builder) {
		to.WriteString("SELECT version FROM versions WHERE id = ").Arg(7)
	},
}

// TestCountKeys keeps counts of versioned tables apart by text and arguments, and none of others.
func TestCountKeys(t *testing.T) {
	users := func(where ...*sql.Predicate) *sql.Selector {
		s := sql.Dialect(dialect.MySQL).Select().From(sql.Table("users"))
		for _, p := range where {
			s.Where(p)
		}
		return s.Count()
	}
	roles := sql.Dialect(dialect.MySQL).Select("id").From(sql.Table("roles"))
	keys := map[string]string{}
	for name, query := range map[string]*sql.Selector{
		"all": users(), "id 1": users(sql.EQ("id", 1)), "id 12": users(sql.EQ("id", 12)), `id "1"`: users(sql.EQ("id", "1")),
		"ids 1, 2": users(sql.In("id", 1, 2)), "by role": users(sql.In("role_id", roles)),
	} {
		key, ok := newCounts(versioned).key(query)
		if other := keys[key]; !ok || other != "" {
			t.Errorf("%s: %v, the key of %q", name, ok, other)
		}
		keys[key] = name
	}
	for name, query := range map[string]*sql.Selector{
		"another table":    sql.Dialect(dialect.MySQL).Select().From(sql.Table("users_of_old")).Count(),
		"a join":           sql.Dialect(dialect.MySQL).Select().From(sql.Table("users")).Join(sql.Table("tasks")).On("a", "b").Count(),
		"a table in where": users(sql.In("id", sql.Dialect(dialect.MySQL).Select("user_id").From(sql.Table("tasks")))),
		"a recursion":      users(sql.ExprP("business_id IN (WITH RECURSIVE below AS (SELECT 1) SELECT id FROM below)")),
		"no quotes":        users(sql.ExprP("EXISTS (SELECT 1 FROM tasks)")),
	} {
		if key, ok := newCounts(versioned).key(query); ok {
			t.Errorf("%s has the key %q", name, key)
		}
	}
}

// TestCounts reads the number and the version first, then the version alone while it stays,
// and counts anew when it changed.
func TestCounts(t *testing.T) {
	const number, version = "(SELECT COUNT(*) FROM `users`)", "(SELECT version FROM versions WHERE id = ?)"
	c := newCounts(versioned)
	for i, step := range []struct {
		selects string // of the statement
		columns []int  // what they are
		total   int    // 0 for not known
	}{
		{", " + number + ", " + version, []int{40, 5}, 40},
		{", " + version, []int{5}, 40},
		{", " + version, []int{6}, 0},
		{", " + number + ", " + version, []int{41, 6}, 41},
		{", " + version, nil, 0}, // a page without rows
		{", " + version, []int{6}, 41},
		{", " + version, []int{noVersion}, 0},
		{", " + number + ", " + version, []int{42, noVersion}, 42},
		{", " + number + ", " + version, []int{43, 8}, 43},
	} {
		s := sql.Dialect(dialect.MySQL).Select("id").From(sql.Table("users"))
		n := c.add(t.Context(), s)
		if text, _ := s.Query(); text != "SELECT `id`"+step.selects+" FROM `users`" {
			t.Errorf("step %d: %s", i, text)
		}
		if total, ok := n.total(step.columns); total != step.total || ok != (step.total > 0) {
			t.Errorf("step %d: %d, %v, want %d", i, total, ok, step.total)
		}
	}
	s := sql.Dialect(dialect.MySQL).Select("id").From(sql.Table("tasks"))
	n := c.add(t.Context(), s)
	if text, _ := s.Query(); text != "SELECT `id`, (SELECT COUNT(*) FROM `tasks`) FROM `tasks`" {
		t.Error(text)
	}
	if total, ok := n.total([]int{3}); total != 3 || !ok {
		t.Errorf("%d, %v, want 3", total, ok)
	}
}
