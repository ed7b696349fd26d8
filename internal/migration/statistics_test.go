package migration

import (
	"strings"
	"testing"

	"workforce/internal/testdb"
)

// TestPlans asks SQLite how it would find rows: by ids where those are given, and else by the
// index of a company that has the order asked for.
func TestPlans(t *testing.T) {
	db := pool(t, testdb.SQLite(t))
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if n := number(t, db.Reader, `SELECT COUNT(*) FROM sqlite_schema s WHERE type = 'index' AND name NOT IN (SELECT idx FROM sqlite_stat1)`); n > 0 {
		t.Errorf("nothing is known of %d indexes", n)
	}
	const tasks = "SELECT id, created_at FROM tasks WHERE company_id = 1 AND deleted_at IS NULL"
	for _, tt := range []struct{ query, want string }{
		{"SELECT name FROM users WHERE id >= 100 AND id <= 150 AND company_id = 1", "INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
		{"SELECT name FROM designations WHERE id IN (SELECT value FROM json_each('[1,2]')) AND company_id = 1 ORDER BY sort_name, id", "INTEGER PRIMARY KEY (rowid=?)"},
		{"SELECT name FROM designations WHERE company_id = 1 ORDER BY sort_name, id", "designation_company_id_sort_name (company_id=?)"},
		{"UPDATE employee_shifts SET evaluated_at = '2026-03-10' WHERE id IN (1" + strings.Repeat(", 2", 249) + ") AND evaluated_at IS NULL", "INTEGER PRIMARY KEY (rowid=?)"},
		{"SELECT * FROM attendances WHERE company_id = 1 ORDER BY clocked_in_at DESC, id DESC LIMIT 100", "attendance_company_id_clocked_in_at (company_id=?)"},
		{"SELECT * FROM attendances WHERE company_id = 1 AND work_date = '2026-03-10'" +
			" AND (clocked_in_review <> 'none' OR clocked_out_review <> 'none') ORDER BY id LIMIT 101",
			"attendance_company_id_work_date_needs_confirmation (company_id=? AND work_date=?)"},
		{"SELECT * FROM attendances WHERE company_id = 1 AND needs_confirmation" +
			" AND work_date >= '2026-02-24' ORDER BY work_date, id LIMIT 21",
			"attendance_company_id_work_date_needs_confirmation (company_id=? AND work_date>?)"},
		{"SELECT id FROM leaves WHERE company_id = 1 AND state = 'approved' AND starts_on <= '2026-03-31' AND ends_on >= '2026-03-01' AND user_id IN (1, 2)", "leave_company_id_user_id_ends_on (company_id=? AND user_id=? AND ends_on>?)"},
		{tasks + " ORDER BY created_at DESC, id DESC LIMIT 50", "COVERING INDEX task_company_id_deleted_at_created_at (company_id=? AND deleted_at=?)"},
		{tasks + " AND status = 'open' ORDER BY created_at DESC, id DESC LIMIT 50", "COVERING INDEX task_company_id_deleted_at_status_created_at (company_id=? AND deleted_at=? AND status=?)"},
		{tasks + " AND (creator_id = 7 OR id IN (SELECT task_id FROM task_assignees WHERE user_id = 7)) ORDER BY created_at DESC, id DESC LIMIT 50", "MULTI-INDEX OR"},
		{"SELECT * FROM tasks WHERE deleted_at < '2026-03-01' AND entry_count = 0 LIMIT 100", "task_deleted_at (deleted_at<?)"},
	} {
		rows, err := db.Reader.Query("EXPLAIN QUERY PLAN " + tt.query)
		if err != nil {
			t.Fatal(err)
		}
		var plan strings.Builder
		for rows.Next() {
			var line string
			if err := rows.Scan(new(int), new(int), new(int), &line); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(line + "\n")
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(plan.String(), tt.want) {
			t.Errorf("%s:\n%swant %s", tt.query, &plan, tt.want)
		}
	}
}
