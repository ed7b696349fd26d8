package database

import "testing"

func TestStatements(t *testing.T) {
	for _, tt := range []struct{ text, kind, table string }{
		{"SELECT `users`.`id` FROM `users` WHERE `users`.`name` = ?", "select", "users"},
		{"SELECT * FROM (SELECT 1 FROM `tasks`) AS t", "select", "tasks"},
		{"WITH RECURSIVE t AS (\n SELECT id\n FROM businesses b)", "select", "businesses"},
		{"INSERT INTO `jobs` (`kind`) VALUES (?) RETURNING `id`", "insert", "jobs"},
		{"UPDATE `jobs` SET `state` = ?", "update", "jobs"},
		{"DELETE FROM `jobs`", "delete", "jobs"},
		{"PRAGMA user_version", "other", ""},
		{"SELECT 1", "select", ""},
		{"", "other", ""},
	} {
		if kind, table := kindNames[kindOf(tt.text)], tableOf(tt.text); kind != tt.kind || table != tt.table {
			t.Errorf("%s: %s of %q, want %s of %q", tt.text, kind, table, tt.kind, tt.table)
		}
	}
}

// TestMeasuringAllocatesNothing measures statements of work that is not traced.
func TestMeasuringAllocatesNothing(t *testing.T) {
	d, ctx := newDurations("sqlite"), t.Context()
	const text = "SELECT `users`.`id` FROM `users` WHERE `users`.`name` = ?"
	n := testing.AllocsPerRun(100, func() {
		d.begin(ctx, kindOf(text), text).end(nil)
		if d.begin(ctx, kindOf(text), text).read(nil, nil) != nil {
			t.Error("the rows are others")
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
