package results

import (
	"context"
	"time"

	"workforce/ent"
	"workforce/ent/shiftresult"
	"workforce/internal/app/policysql"
	"workforce/internal/app/worktime"
	"workforce/internal/database"
	"workforce/internal/setting"
)

// due returns the next occurrences of a company after one, by the end of their windows, that
// may have a result now: the window is over, and what has no attendance waited for offline
// events. The context is the system's.
func due(ctx context.Context, c *ent.Company, now time.Time, after, limit int) ([]target, error) {
	over := now.Add(-time.Minute) // the last minute is a whole one
	waited := over.Add(-time.Duration(setting.OfflineHours.Of(c.Settings)) * time.Hour)
	q, list := policysql.New(ctx), []target{}
	q.Add(`SELECT o.id, o.user_id, o.date FROM employee_shifts o WHERE o.company_id = ? AND o.evaluated_at IS NULL AND o.clock_in_until <= ?
  AND (o.clock_in_until <= ? OR EXISTS (SELECT 1 FROM attendances a WHERE a.employee_shift_id = o.id))`, c.ID, over, waited)
	if after > 0 {
		const last = "(SELECT l.clock_in_until FROM employee_shifts l WHERE l.id = ?)"
		q.Add(" AND o.clock_in_until >= "+last+" AND (o.clock_in_until > "+last+" OR o.id > ?)", after, after, after)
	}
	q.Add(" ORDER BY o.clock_in_until, o.id LIMIT ?", limit)
	err := q.Each(func(scan policysql.Scan) error {
		var t target
		err := scan(&t.id, &t.user, &t.date)
		list = append(list, t)
		return err
	})
	return list, err
}

// readPeople returns what the days ask of people of a company, and how often the row of
// each was locked.
func readPeople(ctx context.Context, company int, ids []int) ([]worktime.Employee, map[int]int, error) {
	q, users, events := policysql.New(ctx), make([]worktime.Employee, 0, len(ids)), make(map[int]int, len(ids))
	q.Add("SELECT u.id, u.company_id, u.active, u.joined_on, u.left_on, c.events FROM users u LEFT JOIN clock_states c ON c.user_id = u.id WHERE ")
	q.In("u.id", ids) // with the company too, SQLite would read all of its people
	err := q.Each(func(scan policysql.Scan) error {
		u, of, n := worktime.Employee{}, 0, 0
		err := scan(&u.ID, &of, &u.Active, policysql.Nullable(&u.JoinedOn), policysql.Nullable(&u.LeftOn), policysql.Optional(&n))
		if of == company {
			users, events[u.ID] = append(users, u), n
		}
		return err
	})
	return users, events, err
}

// unchanged reports whether nobody else locked the rows of people, which this transaction
// locked once, after their days were read.
func (d *days) unchanged(ctx context.Context, users []int) (bool, error) {
	sum, now := 0, 0
	for _, id := range users {
		n, known := d.events[id]
		if !known {
			return false, nil
		}
		sum += n + 1
	}
	q := policysql.New(ctx)
	q.Add("SELECT SUM(c.events) FROM clock_states c WHERE ")
	q.In("c.user_id", users)
	err := q.Each(func(scan policysql.Scan) error { return scan(policysql.Optional(&now)) })
	return now == sum, err
}

// resultColumns are the columns of a result, first those that never change.
var resultColumns = []string{
	shiftresult.FieldEmployeeShiftID, shiftresult.FieldCompanyID, shiftresult.FieldUserID, shiftresult.FieldDate,
	shiftresult.FieldStatus, shiftresult.FieldOff, shiftresult.FieldLateSeconds, shiftresult.FieldEarlySeconds,
	shiftresult.FieldWorkedSeconds, shiftresult.FieldExpectedSeconds, shiftresult.FieldOvertimeSeconds, shiftresult.FieldEvaluatedAt,
}

// save writes results, in the place of those that there are.
func (sc scope) save(ctx context.Context, ids []int, found map[int]*finding) error {
	args := make([]any, 0, len(ids)*len(resultColumns))
	for _, id := range ids {
		f := found[id]
		args = append(args, id, sc.company, f.user, string(f.Date), string(f.Status), f.Assessment.Off,
			seconds(f.Late), seconds(f.Early), seconds(f.Worked), seconds(f.Expected), seconds(f.Overtime), sc.now)
	}
	return database.Upsert{
		Table: shiftresult.Table, Columns: resultColumns, Key: resultColumns[:1], Replace: resultColumns[4:],
	}.Exec(ctx, ent.FromContext(ctx), args...)
}

// mark marks occurrences as having a result, and returns how many did not have one, or all
// where results are found again.
func (sc scope) mark(ctx context.Context, ids []int) (int, error) {
	q := policysql.New(ctx)
	q.Add("UPDATE employee_shifts SET evaluated_at = ? WHERE ", sc.now)
	q.In("id", ids)
	if !sc.again {
		q.Add(" AND evaluated_at IS NULL")
	}
	return q.Exec()
}
