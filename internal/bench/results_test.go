package bench

import (
	"database/sql"
	"log/slog"
	"strings"
	"time"

	"workforce/ent"
	"workforce/internal/app/results"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// A nightWork finds the results of one shift of each of a company's 10,000 people, as the
// job does after the shift is over, and as one would write it by hand.
type nightWork struct {
	db      *sql.DB
	ent     *ent.Client
	company int
	now     time.Time
}

// resultWorkload names the workload.
const resultWorkload = "verdicts"

func newNightWork(db *sql.DB, client *ent.Client, company int) *nightWork {
	return &nightWork{db: db, ent: client, company: company, now: time.Now().UTC().Truncate(time.Microsecond)}
}

// night gives everybody of a company a shift on a date that is long past, and most an
// attendance.
func (f *benchFill) night(c *benchCompany, users []int) {
	zone := handZone(f.zone)
	p := shift.Shift{Start: "09:00", End: "18:00", Zone: zone, OpensBefore: 60, ClosesAfter: 60, Breaks: []shift.Break{{Start: "12:00", End: "13:00"}}}
	date := shift.DateOf(f.now, zone).AddDays(-40)
	o, id := p.On(date), f.one("SELECT id FROM shifts WHERE company_id = ?", c.id)
	var occurrences, attendances [][]any
	for _, user := range users {
		occurrence := f.id("employee_shifts")
		occurrences = append(occurrences, occurrenceRow(c.id, user, id, occurrence, o, f.zone, nil))
		if f.random.IntN(20) > 0 {
			in := o.StartAt.Add(time.Duration(f.random.IntN(3600)-2700) * time.Second)
			out := o.EndAt.Add(time.Duration(f.random.IntN(7200)-3600) * time.Second)
			attendances = append(attendances, f.stay(c, user, occurrence, date, in, &out))
		}
	}
	f.insert("employee_shifts", occurrenceFields, occurrences)
	f.insert("attendances", stayFields, attendances)
}

func (w *nightWork) name() string { return resultWorkload }

func (w *nightWork) least() int { return 10_000 }

func (w *nightWork) ways() []way { return []way{{"ours", w.ours}, {"floor", w.byHand}} }

// reset removes the results.
func (w *nightWork) reset() error {
	for _, statement := range []string{
		"DELETE FROM shift_results WHERE company_id = ?", "UPDATE employee_shifts SET evaluated_at = NULL WHERE company_id = ?",
	} {
		if _, err := w.db.Exec(statement, w.company); err != nil {
			return err
		}
	}
	return nil
}

// ours finds them by the job of the server.
func (w *nightWork) ours() (time.Duration, error) {
	days := &results.Service{DB: w.ent, Now: func() time.Time { return w.now }, Log: slog.New(slog.DiscardHandler)}
	return runJob(w.db, w.ent, w.now, w.company, "shift_results", days.Kinds())
}

// byHand finds them as one would write it: a transaction for 200 shifts, which are read with
// what was clocked, and one insert for all of their results.
func (w *nightWork) byHand() (time.Duration, error) {
	start := time.Now()
	for {
		n, err := w.part()
		if err != nil || n == 0 {
			return time.Since(start), err
		}
	}
}

// part finds the next 200.
func (w *nightWork) part() (int, error) {
	tx, err := w.db.Begin()
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // nothing after a commit
	results, users, ids, err := w.read(tx)
	if err != nil || len(results) == 0 {
		return 0, err
	}
	marks := strings.Repeat(", ?", len(ids))[2:]
	if _, err := tx.Exec("UPDATE clock_states SET events = events + 1 WHERE user_id IN ("+marks+")", users...); err != nil {
		return 0, err
	}
	insert := "INSERT INTO shift_results (company_id, user_id, employee_shift_id, date, status, off, late_seconds, early_seconds, worked_seconds, " +
		"expected_seconds, overtime_seconds, evaluated_at) VALUES (?" + strings.Repeat(", ?", 11) + ")" +
		strings.Repeat(", (?"+strings.Repeat(", ?", 11)+")", len(ids)-1)
	if _, err := tx.Exec(insert, results...); err != nil {
		return 0, err
	}
	if _, err := tx.Exec("UPDATE employee_shifts SET evaluated_at = ? WHERE id IN ("+marks+")", append([]any{w.now}, ids...)...); err != nil {
		return 0, err
	}
	return len(ids), tx.Commit()
}

// read returns the columns of the next results one after the other, with the people and the
// shifts.
func (w *nightWork) read(tx *sql.Tx) (results, users, ids []any, err error) {
	rows, err := tx.Query("SELECT o.id, o.user_id, o.date, o.start_at, o.end_at, o.breaks, o.timezone, o.late_grace_minutes, o.early_grace_minutes, "+
		"o.half_day_below_minutes, o.absent_below_minutes, a.clocked_in_at, a.clocked_out_at, a.needs_confirmation, u.active, u.joined_on, u.left_on FROM employee_shifts o "+
		"LEFT JOIN attendances a ON a.user_id = o.user_id AND a.employee_shift_id = o.id "+
		"JOIN users u ON u.id = o.user_id "+
		"WHERE o.company_id = ? AND o.evaluated_at IS NULL AND o.clock_in_until <= ? AND (o.clock_in_until <= ? OR a.id IS NOT NULL) AND a.open_marker IS NULL ORDER BY o.clock_in_until, o.id LIMIT 200",
		w.company, w.now.Add(-time.Minute), w.now.Add(-72*time.Hour-time.Minute))
	if err != nil {
		return nil, nil, nil, err
	}
	defer rows.Close()
	first, last := "9", ""
	for rows.Next() {
		var o handOccurrence
		var user int
		var in, out *time.Time
		var unconfirmed *bool
		var active bool
		var joined, left *string
		if err := rows.Scan(&o.id, &user, &o.date, &o.startAt, &o.endAt, &o.breaks, &o.zone, &o.lateGrace, &o.earlyGrace, &o.halfDayBelow, &o.absentBelow, &in, &out, &unconfirmed, &active, &joined, &left); err != nil {
			return nil, nil, nil, err
		}
		if !active || unconfirmed != nil && *unconfirmed || joined != nil && o.date < *joined || left != nil && o.date > *left {
			return nil, nil, nil, errUnmade
		}
		first, last = min(first, o.date), max(last, o.date)
		breaks, err := o.breakTimes()
		if err != nil {
			return nil, nil, nil, err
		}
		expected := timesheet.Sum(timesheet.Subtract([]shift.Interval{{Start: o.startAt, End: o.endAt}}, breaks))
		var worked, late, early time.Duration
		status := timesheet.Absent
		if in != nil {
			worked = timesheet.Sum(timesheet.Subtract([]shift.Interval{{Start: *in, End: *out}}, breaks))
			status = timesheet.VerdictOf(worked, time.Duration(o.halfDayBelow)*time.Minute, time.Duration(o.absentBelow)*time.Minute)
			late, early = timesheet.Late(o.startAt, *in, o.lateGrace), timesheet.Early(o.endAt, *out, o.earlyGrace)
		}
		results = append(results, w.company, user, o.id, o.date, string(status), false, int(late.Seconds()), int(early.Seconds()), int(worked.Seconds()),
			int(expected.Seconds()), int(max(worked-expected, 0).Seconds()), w.now)
		users, ids = append(users, user), append(ids, o.id)
	}
	if err := rows.Err(); err != nil || len(ids) == 0 {
		return nil, nil, nil, err
	}
	return results, users, ids, w.ordinary(tx, first, last)
}

// ordinary fails where somebody has a day off between two dates.
func (w *nightWork) ordinary(tx *sql.Tx, first, last string) error {
	var n int
	err := tx.QueryRow("SELECT (SELECT COUNT(*) FROM holidays WHERE company_id = ? AND date BETWEEN ? AND ?) + "+
		"(SELECT COUNT(*) FROM leaves WHERE company_id = ? AND state = 'approved' AND ends_on >= ? AND starts_on <= ?)",
		w.company, first, last, w.company, first, last).Scan(&n)
	if err == nil && n > 0 {
		err = errUnmade
	}
	return err
}

// result returns the results that are there, without their ids.
func (w *nightWork) result() (string, error) {
	rows, err := w.db.Query("SELECT user_id, date, status, off, late_seconds, early_seconds, worked_seconds, expected_seconds, overtime_seconds "+
		"FROM shift_results WHERE company_id = ? ORDER BY user_id, date", w.company)
	if err != nil {
		return "", err
	}
	out, err := appendRows(nil, rows)
	return string(out), err
}
