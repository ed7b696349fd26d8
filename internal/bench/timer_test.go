package bench

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-sql-driver/mysql"

	"workforce/internal/database"
	"workforce/internal/sealed"
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

// A handTimers starts timers as one would write it: a statement for each thing that is read or
// written.
type handTimers struct {
	db     *sql.DB
	writer *sync.Mutex // of SQLite, whose own wait for the lock starves some; nil on MariaDB
	prints []byte      // key

	record, turn, state, runs, task, project, weeks, site, stop, start, event, addTask, addProject, outcome *sql.Stmt
}

func newHandTimers(db *sql.DB, key sealed.Key) (*handTimers, error) {
	h := &handTimers{db: db, prints: key.Derive("requests")}
	if _, ok := db.Driver().(*mysql.MySQLDriver); !ok {
		h.writer = new(sync.Mutex)
	}
	const add = " SET tracked_seconds = tracked_seconds + ?, entry_count = entry_count + ?, timers = timers + ?, timers_started = timers_started + ? WHERE id = ?"
	return h, prepareAll(db, map[**sql.Stmt]string{
		&h.record:  "INSERT INTO request_records (company_id, user_id, device_id, request_id, fingerprint, outcome, created_at) VALUES (?, ?, ?, ?, ?, '', ?)",
		&h.turn:    "UPDATE clock_states SET events = events + 1 WHERE user_id = ?",
		&h.state:   "SELECT COALESCE(s.timezone, c.timezone), s.timers FROM clock_states s JOIN companies c ON c.id = s.company_id WHERE s.user_id = ?",
		&h.runs:    "SELECT id, task_id, project_id, started_at, slot, date, last_date, timezone FROM time_entries WHERE user_id = ? AND slot IS NOT NULL ORDER BY started_at, id",
		&h.task:    "SELECT title, project_id, category_id FROM tasks WHERE id = ? AND company_id = ? AND deleted_at IS NULL",
		&h.project: "SELECT status, open_to_all, starts_on, ends_on FROM projects WHERE id = ? AND company_id = ?",
		&h.weeks:   "SELECT COUNT(*) FROM time_weeks WHERE user_id = ? AND state <> 'rejected' AND starts_on <= ? AND ends_on >= ?",
		&h.site: "SELECT address_id FROM attendances WHERE company_id = ? AND user_id = ? AND clocked_in_at <= ? AND (open_marker = 1 OR clocked_out_at > ?) " +
			"ORDER BY clocked_in_at DESC LIMIT 1",
		&h.stop: "UPDATE time_entries SET ended_at = ?, updated_at = ?, slot = NULL, seconds = ?, last_date = ? WHERE id = ?",
		&h.start: "INSERT INTO time_entries (company_id, user_id, task_id, project_id, category_id, address_id, kind, started_at, seconds, date, last_date, timezone, slot, tags, created_at, updated_at) " +
			"VALUES (?, ?, ?, ?, ?, ?, 'timer', ?, 0, ?, '9998-12-31', ?, 1, ?, ?, ?)",
		&h.event: "INSERT INTO audit_events (company_id, actor_id, action, subject_type, subject_id, at, address, request_id, `before`, `after`) " +
			"VALUES (?, ?, ?, 'TimeEntry', ?, ?, '127.0.0.1', ?, ?, ?)",
		&h.addTask: "UPDATE tasks" + add, &h.addProject: "UPDATE projects" + add,
		&h.outcome: "UPDATE request_records SET outcome = ?, created_at = ? WHERE id = ?",
	})
}

// errRefused says that a person may not start the timer.
var errRefused = errors.New("the timer is refused")

type startedJSON struct {
	ID      int     `json:"id,string"`
	Kind    string  `json:"kind"`
	Date    string  `json:"date"`
	EndedAt *string `json:"endedAt"`
	Task    struct {
		ID    int    `json:"id,string"`
		Title string `json:"title"`
	} `json:"task"`
}

// answer starts a timer, again when the database gives the transaction up.
func (h *handTimers) answer(w http.ResponseWriter, r *http.Request, c handCaller, a asked) error {
	task, err := strconv.Atoi(a.Variables["task"])
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, h.prints)
	mac.Write([]byte(a.Query))
	mac.Write([]byte(a.Variables["task"]))
	s := &handStart{handTimers: h, handCaller: c, id: r.Header.Get("X-Req-Id"), print: mac.Sum(nil), task: task}
	for try := 1; ; try++ {
		data, err := s.once(r.Context())
		if err == nil {
			sendBody(w, append(append([]byte(`{"data":`), data...), '}'))
			return nil
		}
		if try == 5 || !database.Retryable(err) {
			return err
		}
	}
}

// A handStart is one start of a timer.
type handStart struct {
	*handTimers
	handCaller
	id    string // of the request
	print []byte // its fingerprint
	task  int

	tx   *sql.Tx
	now  time.Time
	zone string
	sums []handSum
}

func (s *handStart) once(ctx context.Context) (data []byte, err error) {
	if s.writer != nil {
		s.writer.Lock()
		defer s.writer.Unlock()
	}
	if s.tx, err = s.db.BeginTx(ctx, nil); err != nil {
		return nil, err
	}
	defer func() { _ = s.tx.Rollback() }() // nothing after a commit
	at := time.Now().UTC().Truncate(time.Microsecond)
	s.now, s.sums = at.Truncate(time.Second), nil
	row, err := s.tx.StmtContext(ctx, s.record).ExecContext(ctx, s.company, s.user, s.device, s.id, s.print, at)
	if err != nil {
		return nil, err
	}
	record, err := row.LastInsertId()
	if err != nil {
		return nil, err
	}
	out, err := s.write(ctx, at)
	if err != nil {
		return nil, err
	}
	if data, err = json.Marshal(map[string]any{"startTimer": out}); err != nil {
		return nil, err
	}
	if _, err := s.tx.StmtContext(ctx, s.outcome).ExecContext(ctx, string(data), at, record); err != nil {
		return nil, err
	}
	return data, s.tx.Commit()
}

func (s *handStart) write(ctx context.Context, at time.Time) (*startedJSON, error) {
	if _, err := s.tx.StmtContext(ctx, s.turn).ExecContext(ctx, s.user); err != nil {
		return nil, err
	}
	var timers int
	if err := s.tx.StmtContext(ctx, s.state).QueryRowContext(ctx, s.user).Scan(&s.zone, &timers); err != nil {
		return nil, err
	}
	if timers > 0 {
		if err := s.stopRunning(ctx, at); err != nil {
			return nil, err
		}
	}
	var project, category *int
	out := &startedJSON{Kind: "timer", Date: string(shift.DateOf(s.now, handZone(s.zone)))}
	out.Task.ID = s.task
	if err := s.tx.StmtContext(ctx, s.handTimers.task).QueryRowContext(ctx, s.task, s.company).Scan(&out.Task.Title, &project, &category); err != nil {
		return nil, err
	}
	if err := s.check(ctx, project, out.Date); err != nil {
		return nil, err
	}
	var address *int
	err := s.tx.StmtContext(ctx, s.site).QueryRowContext(ctx, s.company, s.user, s.now.Add(time.Second), s.now).Scan(&address)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	row, err := s.tx.StmtContext(ctx, s.start).ExecContext(ctx, s.company, s.user, s.task, project, category, address, s.now, out.Date, s.zone, []byte("[]"), s.now, s.now)
	if err != nil {
		return nil, err
	}
	id, err := row.LastInsertId()
	if err != nil {
		return nil, err
	}
	out.ID = int(id)
	if err := s.recordEvent(ctx, "created", out.ID, at, nil, map[string]any{
		"address_id": address, "category_id": category, "created_at": s.now, "date": out.Date, "kind": "timer", "project_id": project,
		"seconds": 0, "started_at": s.now, "tags": []string{}, "task_id": s.task, "timezone": s.zone, "user_id": s.user,
		"corrects_id": nil, "ended_at": nil, "latitude": nil, "long_at": nil, "longitude": nil, "note": nil,
	}); err != nil {
		return nil, err
	}
	s.sums = append(s.sums, handSum{s.task, valueOf(project), 0, 1, 1, s.now.Unix()})
	return out, s.add(ctx)
}

// stopRunning stops the timer that runs; nobody here has two.
func (s *handStart) stopRunning(ctx context.Context, at time.Time) error {
	var id, task, slot int
	var project *int
	var start time.Time
	var date, last, zone string
	if err := s.tx.StmtContext(ctx, s.runs).QueryRowContext(ctx, s.user).Scan(&id, &task, &project, &start, &slot, &date, &last, &zone); err != nil {
		return err
	}
	seconds := int(s.now.Sub(start) / time.Second)
	last = string(shift.DateOf(s.now, handZone(zone)))
	if s.now.After(start) {
		last = string(shift.DateOf(s.now.Add(-time.Second), handZone(zone)))
	}
	if _, err := s.tx.StmtContext(ctx, s.stop).ExecContext(ctx, s.now, s.now, seconds, last, id); err != nil {
		return err
	}
	was, is := map[string]any{"ended_at": nil}, map[string]any{"ended_at": s.now}
	if seconds > 0 {
		was["seconds"], is["seconds"] = 0, seconds
	}
	if err := s.recordEvent(ctx, "updated", id, at, was, is); err != nil {
		return err
	}
	s.sums = append(s.sums, handSum{task, valueOf(project), seconds, 0, -1, -start.Unix()})
	return nil
}

// check refuses a project that takes no time of everybody, and a locked week.
func (s *handStart) check(ctx context.Context, project *int, date string) error {
	if project != nil {
		var status string
		var open bool
		var first, last *string
		if err := s.tx.StmtContext(ctx, s.project).QueryRowContext(ctx, *project, s.company).Scan(&status, &open, &first, &last); err != nil {
			return err
		}
		if status != "active" || !open || first != nil && date < *first || last != nil && date > *last {
			return errRefused
		}
	}
	var weeks int
	if err := s.tx.StmtContext(ctx, s.weeks).QueryRowContext(ctx, s.user, date, date).Scan(&weeks); err != nil {
		return err
	}
	if weeks > 0 {
		return errRefused
	}
	return nil
}

func (s *handStart) recordEvent(ctx context.Context, verb string, id int, at time.Time, was, is map[string]any) error {
	var texts [2]*string
	for i, facts := range []map[string]any{was, is} {
		if facts == nil {
			continue
		}
		text, err := json.Marshal(facts)
		if err != nil {
			return err
		}
		texts[i] = new(string(text))
	}
	_, err := s.tx.StmtContext(ctx, s.event).ExecContext(ctx, s.company, s.user, "time_entry."+verb, id, at, s.id, texts[0], texts[1])
	return err
}

// A handSum is what a task and its project keep of an entry that began or ended.
type handSum struct {
	task, project             int // no project is 0
	seconds, entries, running int
	started                   int64
}

// add adds the sums to tasks and projects, in the order of their ids, so that nobody waits for
// one who waits for them.
func (s *handStart) add(ctx context.Context) error {
	for _, of := range []struct {
		stmt *sql.Stmt
		id   func(handSum) int
	}{{s.addTask, func(h handSum) int { return h.task }}, {s.addProject, func(h handSum) int { return h.project }}} {
		slices.SortFunc(s.sums, func(a, b handSum) int { return of.id(a) - of.id(b) })
		for _, h := range s.sums {
			if of.id(h) == 0 {
				continue
			}
			if _, err := s.tx.StmtContext(ctx, of.stmt).ExecContext(ctx, h.seconds, h.entries, h.running, h.started, of.id(h)); err != nil {
				return err
			}
		}
	}
	return nil
}

func valueOf(id *int) int {
	if id == nil {
		return 0
	}
	return *id
}
