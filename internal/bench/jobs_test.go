package bench

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	"workforce/internal/app/job"
	"workforce/internal/app/tx"
	"workforce/internal/viewer"
)

// A jobWork is what a job does for a company.
type jobWork interface {
	name() string                // of the workload
	reset() error                // removes what was done
	run() (time.Duration, error) // does it, and returns how long that took
	written() (int, error)       // how many rows were written
	least() int                  // how many they are at least
}

// benchKind is the kind of the job that is measured: another one than the server's, which
// would take it.
const benchKind = "bench"

// runJob runs one of some kinds of jobs once, for a company, and returns how long that took.
func runJob(db *sql.DB, client *ent.Client, now time.Time, company int, name string, kinds []job.Kind) (took time.Duration, err error) {
	jobs := job.New()
	measured := kinds[slices.IndexFunc(kinds, func(k job.Kind) bool { return k.Name == name })]
	jobs.Add(job.Kind{Name: benchKind, Run: func(ctx context.Context, r *job.Run) error {
		start := time.Now()
		err = measured.Run(ctx, r)
		took = time.Since(start)
		return err
	}})
	jobs.DB, jobs.Now, jobs.Log = client, func() time.Time { return now }, slog.New(slog.DiscardHandler)
	ctx, end := context.WithCancel(viewer.System(context.Background()))
	defer end()
	queued := tx.Run(ctx, client, func(ctx context.Context) error {
		_, err := jobs.Enqueue(ctx, job.Request{Kind: benchKind, Company: company})
		return err
	})
	if queued != nil {
		return 0, queued
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		jobs.Run(ctx)
	}()
	for left := 1; left > 0; time.Sleep(5 * time.Millisecond) {
		if err := db.QueryRow("SELECT COUNT(*) FROM jobs WHERE kind = ? AND state IN ('queued', 'running')", benchKind).Scan(&left); err != nil {
			return 0, err
		}
	}
	end()
	<-done
	return took, err
}

// runJobs measures a job once.
func (c *comparison) runJobs(b *testing.B, w jobWork, round int) {
	b.Helper()
	if err := w.reset(); err != nil {
		b.Fatal(err)
	}
	u, err := measure(c.databasePID, func() (r loadResult, err error) {
		r.requests = 1
		r.elapsed, err = w.run()
		r.times = []time.Duration{r.elapsed}
		return r, err
	})
	if err != nil {
		b.Fatal(err)
	}
	if n, err := w.written(); err != nil || n < w.least() {
		b.Fatalf("%s: %d rows, want %d: %v", w.name(), n, w.least(), err)
	}
	key := speedKey{round, w.name(), c.loads[0], "ours"}
	c.speeds[key], c.costs[key] = u.perSecond(), float64(u.cpu+u.dbCPU)
	fmt.Println(u.line(fmt.Sprintf("Jobs/%s/%s/ours", w.name(), c.database)))
}
