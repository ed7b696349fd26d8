package statements

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entShift "workforce/ent/shift"
	entTask "workforce/ent/task"
	"workforce/ent/ticket"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestWidgets has the widgets, Attendance Today and the summary of a team take the same number
// of statements with 10 and with 1,000 rows of what they count.
func TestWidgets(t *testing.T) {
	for name, open := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		t.Run(name, func(t *testing.T) {
			few, many := countWidgets(t, open(t), 10), countWidgets(t, open(t), 1000)
			for what, n := range few {
				if many[what] != n {
					t.Errorf("%s: %d statements with 10 rows, %d with 1,000", what, n, many[what])
				}
			}
			t.Logf("statements: %v", few)
		})
	}
}

// countWidgets gives an owner n tasks, time entries, tickets, shifts and attendances of today,
// and n people, and returns how many statements each request takes.
func countWidgets(t *testing.T, database string, n int) map[string]int {
	c := counting{Server: harness.New(t, database, longTokens, harness.Uncached), n: n, counts: map[string]int{}}
	c.SignIn(t, "me", "admin@demo.test")
	harness.SaveRows(t, c.Server, "admin@demo.test")
	c.SaveShift(t, "me")
	c.multiply(t)
	me := harness.SignedIn("me")
	size := func(answer any, member string) int { return len(answer.(map[string]any)[member].([]any)) }
	if got := size(c.ask(t, "GET", "/attendance/today", me, ""), "entries"); got != n {
		t.Errorf("attendance today has %d entries, want %d", got, n)
	}
	c.ask(t, "GET", "/widget/timesheet", me, "")
	for path, member := range map[string]string{"/widget/tasks": "open", "/widget/ticket": "open"} {
		if got := c.ask(t, "GET", path+"?limit=50", me, "").(map[string]any)[member].(float64); int(got) < n {
			t.Errorf("%s counts %v, want %d or more", path, got, n)
		}
	}
	text, _ := json.Marshal(map[string]string{"query": `{attendanceSummary(limit:1000){totalCount groups{name count people{userId}}}}`})
	c.ask(t, "POST", "/graphql", me, string(text))
	return c.counts
}

// multiply makes n rows of each that there is one of.
func (c *counting) multiply(t *testing.T) {
	ctx, db := viewer.System(t.Context()), c.Store.Ent
	me := db.User.Query().Where(user.Email("admin@demo.test")).OnlyX(ctx)
	for from := 0; from < c.n; from += 100 {
		harness.Rewrite(t, ctx, db, func(db *ent.Client) {
			db.User.MapCreateBulk(make([]struct{}, min(100, c.n-from)), func(u *ent.UserCreate, i int) {
				email := fmt.Sprintf("person%d@many.test", from+i)
				u.SetCompanyID(me.CompanyID).SetName(email).SetEmail(email).SetEmailKey(email).SetCreatedAt(harness.Morning.UTC())
			}).ExecX(ctx)
		})
	}
	number := func(name string) int {
		id, err := strconv.Atoi(c.Vars[name])
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	c.copies(t, ctx, ticket.Table, ticket.Columns, number("tickets"), c.n-1, map[string]string{"number": "5000 + n.i"})
	c.copies(t, ctx, entTask.Table, entTask.Columns, number("tasks"), c.n-1, nil)
	c.exec(t, ctx, "INSERT INTO task_assignees (company_id, task_id, user_id) SELECT t.company_id, t.id, t.creator_id FROM tasks t WHERE t.creator_id = ? AND NOT EXISTS "+
		"(SELECT 1 FROM task_assignees a WHERE a.task_id = t.id)", me.ID)
	c.copies(t, ctx, entTimeEntry.Table, entTimeEntry.Columns, number("time_entries"), c.n-1, nil)
	today := db.EmployeeShift.Query().Where(employeeshift.ID(number("me.shift"))).OnlyX(ctx)
	c.copies(t, ctx, entShift.Table, entShift.Columns, today.ShiftID, c.n, map[string]string{"name": "CONCAT('Copy ', n.i)", "sort_name": "CONCAT('copy ', n.i)"})
	c.exec(t, ctx, harness.Copying(employeeshift.Table, employeeshift.Columns, map[string]string{"shift_id": "x.id"}, "shifts x ON x.sort_name LIKE 'copy %'"), today.ID)
	done := db.Attendance.Query().Where(entAttendance.OpenMarkerIsNil()).FirstX(ctx)
	c.exec(t, ctx, harness.Copying(entAttendance.Table, entAttendance.Columns, map[string]string{"user_id": "x.user_id", "employee_shift_id": "x.id", "work_date": "x.date"},
		"employee_shifts x ON x.shift_id IN (SELECT id FROM shifts WHERE sort_name LIKE 'copy %')"), done.ID)
}

// copies adds n copies of a row, of which some columns are expressions of n.i.
func (c *counting) copies(t *testing.T, ctx context.Context, table string, columns []string, id, n int, other map[string]string) {
	t.Helper()
	text := harness.Copying(table, columns, other, "n ON 1 = 1")
	text = strings.Replace(text, " SELECT ", fmt.Sprintf(" WITH RECURSIVE n(i) AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT ", n), 1)
	c.exec(t, ctx, text, id)
}

func (c *counting) exec(t *testing.T, ctx context.Context, text string, args ...any) {
	t.Helper()
	if _, err := c.Store.Ent.ExecContext(ctx, text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}
