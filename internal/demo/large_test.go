package demo

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/business"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/ent/overtimeapproval"
	entProject "workforce/ent/project"
	"workforce/ent/shiftresult"
	entTask "workforce/ent/task"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/timeweek"
	"workforce/ent/user"
	"workforce/internal/app/results"
	"workforce/internal/app/tx"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func hashForTest(context.Context) (string, error) { return testHash, nil }

// fillLarge fills a database with the demo and its large company, and returns what was logged.
// stop is called with each line.
func fillLarge(ctx context.Context, db *ent.Client, now time.Time, scale int, stop func(line string)) (lines []string, err error) {
	log := slog.New(slog.NewTextHandler(lineWriter(func(line string) { lines = append(lines, line); stop(line) }), nil))
	if err := Fill(ctx, db, testNow, testHash); err != nil {
		return nil, err
	}
	return lines, FillLarge(ctx, db, log, now, scale, hashForTest)
}

type lineWriter func(string)

func (w lineWriter) Write(text []byte) (int, error) {
	w(string(text))
	return len(text), nil
}

func goOn(string) {}

// largeCounts returns how many rows of each kind there are, those of time and results too.
func largeCounts(t *testing.T, ctx context.Context, db *ent.Client) map[string]int {
	t.Helper()
	one, all := must[int](t), counts(t, ctx, db)
	all["results"] = one(db.ShiftResult.Query().Count(ctx))
	all["tasks"] = one(db.Task.Query().Count(ctx))
	all["time"] = one(db.TimeEntry.Query().Count(ctx))
	all["weeks"] = one(db.TimeWeek.Query().Count(ctx))
	all["tickets"] = one(db.Ticket.Query().Count(ctx))
	all["leave"] = one(db.Leave.Query().Count(ctx))
	return all
}

// TestLarge fills a large company of 100 people, and once more.
func TestLarge(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := openDB(t, url)
		if lines, err := fillLarge(ctx, db, testNow, 1, goOn); err != nil || lines != nil {
			t.Fatalf("scale 1: %v, logged %q", err, lines)
		}
		small := largeCounts(t, ctx, db)
		if small["companies"] != 2 {
			t.Errorf("scale 1: %d companies", small["companies"])
		}
		lines, err := fillLarge(ctx, db, testNow, 2, goOn)
		if err != nil || len(lines) < 10 {
			t.Fatalf("%v, logged %q", err, lines)
		}
		got := largeCounts(t, ctx, db)
		checkLargeCounts(t, small, got)
		checkLargeRows(t, ctx, db)
		for scale, want := range map[int]string{1: "", 2: "", 3: "stays as it was made"} {
			lines, err := fillLarge(ctx, db, testNow.AddDate(0, 0, 3), scale, goOn)
			if err != nil || (want == "") != (lines == nil) || !strings.Contains(strings.Join(lines, ""), want) {
				t.Errorf("again with scale %d: %v, logged %q", scale, err, lines)
			}
		}
		if diff := cmp.Diff(got, largeCounts(t, ctx, db)); diff != "" {
			t.Errorf("the next calls changed the rows (-before +after):\n%s", diff)
		}
	})
}

func checkLargeCounts(t *testing.T, small, got map[string]int) {
	t.Helper()
	for kind, want := range map[string]int{
		"companies": 1, "users": 100, "clock states": 100, "assignments": 100, "businesses": 4, "addresses": 2, "shifts": 2, "settings": 1,
		"weeks": 10*52 + 2, "tickets": 8, "leave": 2,
	} {
		if n := got[kind] - small[kind]; n != want {
			t.Errorf("%d %s, want %d", n, kind, want)
		}
	}
	planned, worked, known := got["occurrences"]-small["occurrences"], got["attendances"]-small["attendances"], got["results"]-small["results"]
	if past := 10*6*52 + 90*5*52; known < past || known > past+300 || planned < known+1000 || planned > known+1500 ||
		worked < known*90/100 || worked > known*93/100 {
		t.Errorf("%d occurrences, %d attendances, %d results, %d days of work in whole weeks", planned, worked, known, past)
	}
	if tasks := got["tasks"] - small["tasks"]; tasks < 12+10*13 || tasks > 12+10*14 {
		t.Errorf("%d tasks", tasks)
	}
	if booked := got["time"] - small["time"]; booked < 10*5*52*10/12 {
		t.Errorf("%d entries of booked time", booked)
	}
}

// checkLargeRows fails unless the rows are those that the server itself would have written,
// and nothing is left that it would write.
func checkLargeRows(t *testing.T, ctx context.Context, db *ent.Client) {
	t.Helper()
	owner := must[*ent.User](t)(db.User.Query().Where(user.Email(LargeOwner)).Only(ctx))
	company := owner.CompanyID
	first := must[[]int](t)(db.User.Query().Where(user.CompanyID(company)).Order(ent.Asc(user.FieldID)).Limit(10).IDs(ctx))
	rows := must[[]*ent.Attendance](t)(db.Attendance.Query().Where(entAttendance.UserIDIn(first...)).
		WithUser().WithAddress().WithEmployeeShift(func(q *ent.EmployeeShiftQuery) { q.WithAssignment().WithShift() }).All(ctx))
	if len(rows) < 10*5*52*10/12 {
		t.Errorf("10 people have %d attendances", len(rows))
	}
	for _, a := range rows {
		checkEntry(t, a, testNow)
	}
	stored := func() []*ent.ShiftResult {
		all := must[[]*ent.ShiftResult](t)(db.ShiftResult.Query().Where(shiftresult.UserIDIn(first...)).Order(ent.Asc(shiftresult.FieldEmployeeShiftID)).All(ctx))
		for _, r := range all {
			r.EvaluatedAt = time.Time{}
		}
		return all
	}
	events := must[[]*ent.ClockState](t)(db.ClockState.Query().Where(clockstate.CompanyID(company)).All(ctx))
	for _, s := range events {
		n := 2*must[int](t)(db.Attendance.Query().Where(entAttendance.UserID(s.UserID)).Count(ctx)) + must[int](t)(db.ShiftResult.Query().Where(shiftresult.UserID(s.UserID)).Count(ctx))
		if s.Events != n || *s.PlannedUntil != "2026-03-26" {
			t.Errorf("user %d: %d events, want %d; planned until %s", s.UserID, s.Events, n, *s.PlannedUntil)
		}
	}
	before := stored()
	open := must[[]*ent.EmployeeShift](t)(db.EmployeeShift.Query().Where(employeeshift.CompanyID(company), employeeshift.EvaluatedAtIsNil()).All(ctx))
	for _, o := range open {
		if o.Date < "2026-03-07" {
			t.Errorf("no result of %s", o.Date)
		}
	}
	finder := &results.Service{Now: func() time.Time { return testNow }}
	err := tx.With(ctx, db, func(db *ent.Client) error {
		ids, err := db.EmployeeShift.Query().Where(employeeshift.UserIDIn(first...), employeeshift.DateLT("2026-03-12")).IDs(ctx)
		if err != nil {
			return err
		}
		_, err = finder.Recompute(ent.NewContext(ctx, db), company, ids...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	after := stored()
	if len(before) != len(after) {
		t.Errorf("%d results, the server finds %d", len(before), len(after))
	}
	for i := range min(len(before), len(after)) {
		if before[i].String() != after[i].String() {
			t.Fatalf("result %v, the server finds %v", before[i], after[i])
		}
	}
	checkLargeTime(t, ctx, db, company)
	checkLargeOvertime(t, ctx, db, owner)
}

// checkLargeOvertime fails unless the overtime of a month is decided about by who leads its person,
// but that of a few people in the last days and that of the owner, about which nobody else decides.
func checkLargeOvertime(t *testing.T, ctx context.Context, db *ent.Client, owner *ent.User) {
	t.Helper()
	leads := map[int]bool{}
	for _, b := range must[[]*ent.Business](t)(db.Business.Query().Where(business.CompanyID(owner.CompanyID)).All(ctx)) {
		if b.ManagerID != nil {
			leads[*b.ManagerID] = true
		}
	}
	decided := map[userDate]*ent.OvertimeApproval{}
	decisions := db.OvertimeApproval.Query().Where(overtimeapproval.CompanyID(owner.CompanyID))
	for _, d := range must[[]*ent.OvertimeApproval](t)(decisions.All(ctx)) {
		decided[userDate{d.UserID, d.Date}] = d
	}
	waits, results, refused := map[int]int{}, 0, 0
	for _, r := range must[[]*ent.ShiftResult](t)(db.ShiftResult.Query().
		Where(shiftresult.CompanyID(owner.CompanyID), shiftresult.OvertimeSecondsGT(0),
			shiftresult.DateGTE("2026-02-11")).All(ctx)) {
		results++
		switch d := decided[userDate{r.UserID, r.Date}]; {
		case d == nil && r.UserID != owner.ID:
			waits[r.UserID]++
			if waits[r.UserID] > 1 || r.Date < "2026-03-09" {
				t.Errorf("overtime of user %d on %s is undecided", r.UserID, r.Date)
			}
		case d == nil:
		case r.UserID == owner.ID, d.DecidedBy == r.UserID, !leads[d.DecidedBy], d.DecidedAt.After(testNow),
			d.Approved && d.Seconds != r.OvertimeSeconds:
			t.Errorf("overtime %v, decided %v", r, d)
		case !d.Approved:
			refused++
		}
	}
	if len(waits) != undecidedOvertime[LargeOwner] || results < 1000 || refused > 1 {
		t.Errorf("of %d dates of overtime those of %d people wait, %d are refused", results, len(waits), refused)
	}
}

// checkLargeTime compares the sums that tasks, projects and weeks keep with the entries.
func checkLargeTime(t *testing.T, ctx context.Context, db *ent.Client, company int) {
	t.Helper()
	sum := func(list []int) (n int) {
		for _, s := range list {
			n += s
		}
		return n
	}
	one := must[[]int](t)
	for _, k := range must[[]*ent.Task](t)(db.Task.Query().Where(entTask.CompanyID(company)).All(ctx)) {
		if n := sum(one(db.TimeEntry.Query().Where(entTimeEntry.TaskID(k.ID)).Select(entTimeEntry.FieldSeconds).Ints(ctx))); n != k.TrackedSeconds {
			t.Errorf("task %d has %d s, its entries %d", k.ID, k.TrackedSeconds, n)
		}
	}
	for _, p := range must[[]*ent.Project](t)(db.Project.Query().Where(entProject.CompanyID(company)).All(ctx)) {
		if n := sum(one(db.TimeEntry.Query().Where(entTimeEntry.ProjectID(p.ID)).Select(entTimeEntry.FieldSeconds).Ints(ctx))); n != p.TrackedSeconds {
			t.Errorf("project %d has %d s, its entries %d", p.ID, p.TrackedSeconds, n)
		}
	}
	for _, w := range must[[]*ent.TimeWeek](t)(db.TimeWeek.Query().Where(timeweek.CompanyID(company)).All(ctx)) {
		n := sum(one(db.TimeEntry.Query().Where(entTimeEntry.UserID(w.UserID), entTimeEntry.DateGTE(w.StartsOn), entTimeEntry.DateLTE(w.EndsOn)).Select(entTimeEntry.FieldSeconds).Ints(ctx)))
		if n != w.Seconds {
			t.Errorf("week %s of %d has %d s, its entries %d", w.StartsOn, w.UserID, w.Seconds, n)
		}
	}
}

var errMiddle = errors.New("stopped in the middle")

// TestLargeStopped stops the filling after each transaction and once in the middle of one,
// and goes on later: it is the same data.
func TestLargeStopped(t *testing.T) {
	ctx, db := openDB(t, testdb.SQLite(t))
	if _, err := fillLarge(ctx, db, testNow, 2, goOn); err != nil {
		t.Fatal(err)
	}
	want := workOf(t, ctx, db)
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := openDB(t, url)
		weeks := 0
		db.TimeWeek.Use(func(next ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
				if weeks++; weeks == 50 {
					return nil, errMiddle
				}
				return next.Mutate(ctx, m)
			})
		})
		now, starts := testNow, 0
		for done := false; !done; starts++ {
			if starts > 20 {
				t.Fatal("it never ends")
			}
			once, stop := context.WithCancel(ctx)
			steps := 0
			_, err := fillLarge(once, db, now, 2, func(line string) {
				if steps++; steps > 2 {
					stop()
				}
			})
			stop()
			if err != nil && !errors.Is(err, errMiddle) && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			done, now = err == nil, now.Add(7*time.Hour)
		}
		if got := workOf(t, ctx, db); !slices.Equal(got, want) || starts < 5 || weeks < 50 {
			t.Errorf("after %d starts: %d rows, want %d:\n%.2000s", starts, len(got), len(want), cmp.Diff(want, got))
		}
	})
}

// workOf lists what the people of the large company worked and booked.
func workOf(t *testing.T, ctx context.Context, db *ent.Client) (lines []string) {
	t.Helper()
	company := must[*ent.User](t)(db.User.Query().Where(user.Email(LargeOwner)).Only(ctx)).CompanyID
	for _, text := range []string{
		`SELECT u.email, o.date, o.start_at, o.evaluated_at, a.clocked_in_at, a.clocked_out_at, a.clocked_in_latitude, a.clocked_out_distance,
			r.status, r.late_seconds, r.worked_seconds, r.overtime_seconds FROM employee_shifts o JOIN users u ON u.id = o.user_id
			LEFT JOIN attendances a ON a.user_id = o.user_id AND a.employee_shift_id = o.id LEFT JOIN shift_results r ON r.employee_shift_id = o.id
			WHERE o.company_id = ?`,
		`SELECT u.email, e.date, e.started_at, e.ended_at, NULL, NULL, NULL, e.seconds, k.title, NULL, NULL, NULL FROM time_entries e
			JOIN users u ON u.id = e.user_id JOIN tasks k ON k.id = e.task_id WHERE e.company_id = ?`,
	} {
		rows, err := db.QueryContext(ctx, text, company)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var email, date string
			var at [4]sql.NullTime
			var latitude sql.NullFloat64
			var status sql.NullString
			var n [4]sql.NullInt64
			if err := rows.Scan(&email, &date, &at[0], &at[1], &at[2], &at[3], &latitude, &n[0], &status, &n[1], &n[2], &n[3]); err != nil {
				t.Fatal(err)
			}
			lines = append(lines, fmt.Sprint(email, " ", date, at, latitude, status, n))
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(lines)
	return lines
}

// TestLargeColumns compares which columns of a row are null, and the types of the others, with
// those of rows that were made one by one.
func TestLargeColumns(t *testing.T) {
	ctx, db := openDB(t, testdb.SQLite(t))
	if _, err := fillLarge(ctx, db, testNow, 2, goOn); err != nil {
		t.Fatal(err)
	}
	large := must[*ent.User](t)(db.User.Query().Where(user.Email(LargeOwner)).Only(ctx)).CompanyID
	for table, where := range map[string]string{
		employeeshift.Table: "evaluated_at IS NOT NULL AND late_grace_minutes IS NOT NULL",
		entAttendance.Table: "clocked_out_at IS NOT NULL AND auto_closed = 0 AND " +
			"'pending' NOT IN (clocked_in_review, clocked_out_review)",
		shiftresult.Table: "status = 'present'", overtimeapproval.Table: "1 = 1",
		entTimeEntry.Table: "kind = 'booked' AND note IS NULL", timeweek.Table: "state = 'approved'",
	} {
		var columns []string
		for _, c := range query(t, ctx, db, "SELECT name FROM pragma_table_info('"+table+"') WHERE name <> 'category_id'") {
			columns = append(columns, fmt.Sprintf("'%s ' || typeof(%s)", c, c))
		}
		var shapes []string
		for _, company := range []int{1, large} {
			text := fmt.Sprintf("SELECT DISTINCT %s FROM %s WHERE company_id = %d AND %s", strings.Join(columns, " || ' ' || "), table, company, where)
			shapes = append(shapes, strings.Join(query(t, ctx, db, text), "\n"))
		}
		if shapes[0] != shapes[1] || shapes[1] == "" {
			t.Errorf("%s: one by one\n%s\nin bulk\n%s", table, shapes[0], shapes[1])
		}
	}
}

func query(t *testing.T, ctx context.Context, db *ent.Client, text string) (list []string) {
	t.Helper()
	rows, err := db.QueryContext(viewer.System(ctx), text)
	if err != nil {
		t.Fatal(text, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			t.Fatal(err)
		}
		list = append(list, s)
	}
	return list
}
