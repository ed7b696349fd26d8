package enttests

import (
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"

	"workforce/ent"
	"workforce/ent/migrate"
)

// TestPersonal fails for a table that refers to people, their sessions or their devices
// and does not say what becomes of its rows when a person is erased.
func TestPersonal(t *testing.T) {
	people := []string{"users", "sessions", "devices"}
	declared := map[string][]string{}
	for _, p := range ent.Personals {
		declared[p.Table] = append(declared[p.Table], p.By)
		if len(p.Columns) != len(p.Empty) {
			t.Errorf("%s: %d columns and %d values", p.Table, len(p.Columns), len(p.Empty))
		}
		if !slices.Contains(people, p.Of) {
			t.Errorf("%s is about rows of %q", p.Table, p.Of)
		}
	}
	for _, table := range migrate.Tables {
		var refers []string
		for _, key := range table.ForeignKeys {
			if slices.Contains(people, key.RefTable.Name) {
				refers = append(refers, key.Columns[0].Name)
			}
		}
		for _, c := range table.Columns {
			if slices.Contains([]string{"user_id", "session_id", "device_id", "actor_id"}, c.Name) || strings.HasSuffix(c.Name, "_by") {
				refers = append(refers, c.Name)
			}
		}
		own := declared[table.Name]
		if len(refers) > 0 && len(own)+len(ent.Mentions[table.Name]) == 0 {
			t.Errorf("%s refers to people by %q: declare about, erased, erasedWith or mentions", table.Name, refers)
		}
		for _, column := range slices.Concat(own, ent.Mentions[table.Name]) {
			if !slices.ContainsFunc(table.Columns, func(c *schema.Column) bool { return c.Name == column }) {
				t.Errorf("%s has no %s", table.Name, column)
			}
		}
	}
}
