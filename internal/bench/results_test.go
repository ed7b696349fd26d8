package bench

import (
	"database/sql"
	"log/slog"
	"time"

	"workforce/ent"
	"workforce/internal/app/results"
	"workforce/internal/shift"
)

// A nightWork finds the results of one shift of each of a company's 10,000 people, as the job
// does after the shift is over.
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

// run finds them by the job of the server.
func (w *nightWork) run() (time.Duration, error) {
	days := &results.Service{DB: w.ent, Now: func() time.Time { return w.now }, Log: slog.New(slog.DiscardHandler)}
	return runJob(w.db, w.ent, w.now, w.company, "shift_results", days.Kinds())
}

func (w *nightWork) written() (n int, err error) {
	err = w.db.QueryRow("SELECT COUNT(*) FROM shift_results WHERE company_id = ?", w.company).Scan(&n)
	return n, err
}
