package bench

import (
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
	"workforce/internal/shift"
)

// A planWork makes the occurrences of a company's 1,000 people, from two days ago to 15
// days ahead, as the hourly job does, and as one would write it by hand.
type planWork struct {
	db      *sql.DB
	ent     *ent.Client
	company int
	now     time.Time
	days    []shift.Date
}

func newPlanWork(db *sql.DB, client *ent.Client, company int) *planWork {
	w := &planWork{db: db, ent: client, company: company, now: time.Now().UTC().Truncate(time.Microsecond)}
	for ahead := -2; ahead <= 15; ahead++ {
		w.days = append(w.days, shift.DateOf(w.now, time.UTC).AddDays(ahead))
	}
	return w
}

// reset removes what was made.
func (w *planWork) reset() error {
	for _, statement := range []string{
		"DELETE FROM employee_shifts WHERE company_id = ?", "UPDATE clock_states SET planned_until = NULL WHERE company_id = ?",
	} {
		if _, err := w.db.Exec(statement, w.company); err != nil {
			return err
		}
	}
	return nil
}

// ours makes them by the job of the server, and returns how long that took.
func (w *planWork) ours() (took time.Duration, err error) {
	planner := &scheduling.Planner{DB: w.ent, Now: func() time.Time { return w.now }, Jobs: job.New()}
	return runJob(w.db, w.ent, w.now, w.company, "make_occurrences", planner.Kinds())
}

// byHand makes them as one would write it: a transaction for 100 people, with their
// assignments, and one insert for all of their occurrences.
func (w *planWork) byHand() (time.Duration, error) {
	start := time.Now()
	for {
		n, err := w.hundred()
		if err != nil || n == 0 {
			return time.Since(start), err
		}
	}
}

// hundred makes those of the next 100 people.
func (w *planWork) hundred() (int, error) {
	tx, err := w.db.Begin()
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // nothing after a commit
	last := string(w.days[len(w.days)-1])
	people, err := w.due(tx, last)
	if err != nil || len(people) == 0 {
		return 0, err
	}
	marks := strings.Repeat(", ?", len(people))[2:]
	rows, err := w.planned(tx, marks, people)
	if err != nil {
		return 0, err
	}
	for part := range slices.Chunk(rows, 100) { // short enough to be kept prepared
		var args []any
		for _, row := range part {
			args = append(args, row...)
		}
		insert := "INSERT INTO employee_shifts (company_id, user_id, assignment_id, shift_id, shift_version, name, date, start_at, end_at, clock_in_from, " +
			"clock_in_until, breaks, break_seconds, late_grace_minutes, early_grace_minutes, timezone) VALUES (?" + strings.Repeat(", ?", 15) + ")" +
			strings.Repeat(", (?"+strings.Repeat(", ?", 15)+")", len(part)-1)
		if _, err := tx.Exec(insert, args...); err != nil {
			return 0, err
		}
	}
	if _, err := tx.Exec("UPDATE clock_states SET planned_until = ? WHERE user_id IN ("+marks+")", append([]any{last}, people...)...); err != nil {
		return 0, err
	}
	return len(people), tx.Commit()
}

// due locks and returns the next 100 people whose occurrences are to be made.
func (w *planWork) due(tx *sql.Tx, last string) (people []any, err error) {
	rows, err := tx.Query("SELECT user_id FROM clock_states WHERE company_id = ? AND (planned_until IS NULL OR planned_until < ?) ORDER BY user_id LIMIT 100", w.company, last)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		people = append(people, id)
	}
	if err := rows.Err(); err != nil || len(people) == 0 {
		return nil, err
	}
	_, err = tx.Exec("UPDATE clock_states SET events = events + 1 WHERE user_id IN ("+strings.Repeat(", ?", len(people))[2:]+")", people...)
	return people, err
}

// planned returns the occurrences of people as rows.
func (w *planWork) planned(tx *sql.Tx, marks string, people []any) (out [][]any, err error) {
	rows, err := tx.Query("SELECT a.id, a.user_id, a.starts_on, a.ends_on, a.weekdays, a.every_weeks, s.id, s.version, s.name, s.start_time, s.end_time, s.breaks, "+
		"s.opens_before_minutes, s.closes_after_minutes, s.late_grace_minutes, s.early_grace_minutes, COALESCE(s.timezone, c.timezone) "+
		"FROM shift_assignments a JOIN shifts s ON s.id = a.shift_id JOIN companies c ON c.id = a.company_id WHERE a.user_id IN ("+marks+") ORDER BY a.id", people...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var assignment, user, id, version, opens, closes int
		var endsOn *string
		var late, early *int
		var weekdays, breaks []byte
		var name, start, end, zone string
		var a shift.Assignment
		if err := rows.Scan(&assignment, &user, &a.StartsOn, &endsOn, &weekdays, &a.EveryWeeks, &id, &version, &name, &start, &end, &breaks,
			&opens, &closes, &late, &early, &zone); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(weekdays, &a.Weekdays); err != nil {
			return nil, err
		}
		if endsOn != nil {
			a.EndsOn = shift.Date(*endsOn)
		}
		var texts []string
		if err := json.Unmarshal(breaks, &texts); err != nil {
			return nil, err
		}
		s := shift.Shift{Start: shift.Clock(start), End: shift.Clock(end), Zone: handZone(zone), OpensBefore: opens, ClosesAfter: closes, Breaks: scheduling.Breaks(texts)}
		for _, d := range w.days {
			o := s.On(d)
			if !a.Covers(d) || o.Over(w.now) && d < shift.DateOf(w.now, handZone(zone)) {
				continue
			}
			out = append(out, []any{
				w.company, user, assignment, id, version, name, string(d), o.StartAt.UTC(), o.EndAt.UTC(), o.ClockInFrom.UTC(), o.ClockInUntil.UTC(),
				breaks, o.BreakSeconds, late, early, zone,
			})
		}
	}
	return out, rows.Err()
}

// result returns the occurrences that are there, without their ids.
func (w *planWork) result() (string, error) {
	rows, err := w.db.Query("SELECT user_id, assignment_id, shift_id, shift_version, name, date, start_at, end_at, clock_in_from, clock_in_until, breaks, break_seconds, "+
		"break_minutes, break_after_minutes, late_grace_minutes, early_grace_minutes, half_day_below_minutes, absent_below_minutes, working_hours, origin, timezone "+
		"FROM employee_shifts WHERE company_id = ? ORDER BY user_id, date", w.company)
	if err != nil {
		return "", err
	}
	out, err := appendRows(nil, rows)
	return string(out), err
}

func (w *planWork) ways() []way { return []way{{"ours", w.ours}, {"floor", w.byHand}} }

func (w *planWork) least() int { return 15_000 }

// planWorkload names the workload.
const planWorkload = "make-occurrences"

func (w *planWork) name() string { return planWorkload }
