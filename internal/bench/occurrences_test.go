package bench

import (
	"database/sql"
	"time"

	"workforce/ent"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
)

// A planWork makes the occurrences of a company's 1,000 people, from two days ago to 15
// days ahead, as the hourly job does.
type planWork struct {
	db      *sql.DB
	ent     *ent.Client
	company int
	now     time.Time
}

func newPlanWork(db *sql.DB, client *ent.Client, company int) *planWork {
	return &planWork{db: db, ent: client, company: company, now: time.Now().UTC().Truncate(time.Microsecond)}
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

// run makes them by the job of the server.
func (w *planWork) run() (took time.Duration, err error) {
	planner := &scheduling.Planner{DB: w.ent, Now: func() time.Time { return w.now }, Jobs: job.New()}
	return runJob(w.db, w.ent, w.now, w.company, "make_occurrences", planner.Kinds())
}

func (w *planWork) written() (n int, err error) {
	err = w.db.QueryRow("SELECT COUNT(*) FROM employee_shifts WHERE company_id = ?", w.company).Scan(&n)
	return n, err
}

func (w *planWork) least() int { return 15_000 }

// planWorkload names the workload.
const planWorkload = "make-occurrences"

func (w *planWork) name() string { return planWorkload }
