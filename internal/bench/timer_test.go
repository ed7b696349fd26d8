package bench

import (
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"workforce/internal/shift"
)

// startQuery starts a timer, which stops the one that runs.
const startQuery = `mutation Start($task: ID!) {
  startTimer(input: {taskId: $task}) { id kind date endedAt task { id title } }
}`

// run has each person of a company run a timer since an hour ago.
func (f *benchFill) run(c *benchCompany) {
	var rows [][]any
	start := f.now.Add(-time.Hour).Truncate(time.Second)
	for i, user := range c.users {
		t := c.tasks[i%len(c.tasks)]
		rows = append(rows, []any{
			f.id("time_entries"), c.id, user, t.id, t.project, t.category, c.site, "timer", start, string(shift.DateOf(start, handZone(f.zone))),
			"9998-12-31", f.zone, 1, "[]", start, start,
		})
	}
	f.insert("time_entries", "id, company_id, user_id, task_id, project_id, category_id, address_id, kind, started_at, date, last_date, timezone, slot, tags, created_at, updated_at", rows)
	f.exec("UPDATE clock_states SET timers = 1 WHERE company_id = ?", c.id)
	for column, table := range map[string]string{"task_id": "tasks", "project_id": "projects"} {
		f.exec("UPDATE "+table+" SET entry_count = (SELECT COUNT(*) FROM time_entries e WHERE e."+column+" = "+table+".id) WHERE company_id = ?", c.id)
		f.exec("UPDATE "+table+" SET timers = entry_count, timers_started = entry_count * ? WHERE company_id = ?", start.Unix(), c.id)
	}
}

// A timerWork is the workload of people who start timers.
type timerWork struct {
	db      *sql.DB
	company *benchCompany
	set     *requestSet
}

// timerTables hold what starting timers writes.
var timerTables = []string{"time_entries", "tasks", "projects", "clock_states"}

// newTimerWork returns the timers of a company's people. It keeps what starting one changes, to
// put it back.
func newTimerWork(db *sql.DB, company *benchCompany) (*timerWork, error) {
	for _, table := range timerTables {
		if _, err := db.Exec("CREATE TABLE bench_"+table+" AS SELECT * FROM "+table+" WHERE company_id = ?", company.id); err != nil {
			return nil, err
		}
		if _, err := db.Exec("CREATE UNIQUE INDEX bench_" + table + "_id ON bench_" + table + " (id)"); err != nil {
			return nil, err
		}
	}
	return &timerWork{db: db, company: company, set: &requestSet{once: true}}, nil
}

// starts is how often each person starts a timer in one measurement, at most.
const starts = 8

func (w *timerWork) request(i int) []byte {
	t := w.company.tasks[(i*7+i/len(w.company.callers)+1)%len(w.company.tasks)]
	body, _ := json.Marshal(map[string]any{ // text
		"operationName": "Start", "query": startQuery, "variables": map[string]any{"task": strconv.Itoa(t.id)},
	})
	return render("POST", "/graphql", w.company.callers[i%len(w.company.callers)].token, string(body), "X-Req-Id: "+rand.Text())
}

func (w *timerWork) sample() []byte { return w.request(0) }

// begin takes back what was written, and renders the requests anew, with other ids.
func (w *timerWork) begin() error {
	w.set.all = make([][]byte, starts*len(w.company.callers))
	for i := range w.set.all {
		w.set.all[i] = w.request(i)
	}
	w.set.next.Store(0)
	return w.reset()
}

// reset takes back what was written, the ids that were given out too.
func (w *timerWork) reset() error {
	statements := []string{
		"DELETE FROM time_entries WHERE company_id = ? AND id NOT IN (SELECT id FROM bench_time_entries)",
		"DELETE FROM audit_events WHERE company_id = ?", "DELETE FROM request_records WHERE company_id = ?",
	}
	for table, columns := range map[string]string{
		"time_entries": "ended_at slot seconds last_date updated_at", "tasks": "tracked_seconds entry_count timers timers_started",
		"projects": "tracked_seconds entry_count timers timers_started", "clock_states": "events timers",
	} {
		sets := ""
		for column := range strings.FieldsSeq(columns) {
			sets += ", " + column + " = (SELECT b." + column + " FROM bench_" + table + " b WHERE b.id = " + table + ".id)"
		}
		statements = append(statements, "UPDATE "+table+" SET "+sets[2:]+" WHERE company_id = ?")
	}
	for _, statement := range statements {
		if _, err := w.db.Exec(statement, w.company.id); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	next := "UPDATE sqlite_sequence SET seq = (SELECT MAX(id) FROM time_entries) WHERE name = 'time_entries'"
	if !isSQLite(w.db) {
		next = "ALTER TABLE time_entries AUTO_INCREMENT = 1"
	}
	if _, err := w.db.Exec(next); err != nil {
		return err
	}
	awaitPurge(w.db)
	return nil
}

// isSQLite reports whether a database has what SQLite alone has.
func isSQLite(db *sql.DB) bool {
	var n int
	return db.QueryRow("SELECT COUNT(*) FROM sqlite_sequence").Scan(&n) == nil
}

// moving are the values that differ from one start of a timer to the next.
var moving = regexp.MustCompile(`(?m)^(id|at|request_id|fingerprint|created_at|updated_at|started_at|ended_at|seconds|timers_started|tracked_seconds): .+$|` +
	`\d{4}-\d\d-\d\dT[\d:.]+Z|"seconds":\d+`)

// written returns the rows that starting timers left; of values that always differ, only that
// they are there.
func (w *timerWork) written() ([]byte, error) {
	var out []byte
	for _, query := range []string{
		"SELECT * FROM time_entries WHERE company_id = ? AND user_id = " + strconv.Itoa(w.company.callers[0].user) + " ORDER BY id",
		"SELECT id, entry_count, timers, timers_started, tracked_seconds FROM tasks WHERE company_id = ? ORDER BY id LIMIT 20",
		"SELECT id, entry_count, timers, timers_started, tracked_seconds FROM projects WHERE company_id = ? ORDER BY id",
		"SELECT user_id, timers FROM clock_states WHERE company_id = ? ORDER BY id LIMIT 2",
		"SELECT * FROM audit_events WHERE company_id = ? ORDER BY id", "SELECT * FROM request_records WHERE company_id = ?",
	} {
		rows, err := w.db.Query(query, w.company.id)
		if err != nil {
			return nil, err
		}
		if out, err = appendRows(append(out, query...), rows); err != nil {
			return nil, err
		}
	}
	return moving.ReplaceAll(out, []byte("$1 set")), nil
}
