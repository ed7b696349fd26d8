// Package plantest gives tests of a domain a planner of shifts.
package plantest

import (
	"log/slog"

	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/app/plan"
	"workforce/internal/sealed"
)

// New returns the planner of a world. Its jobs are queued, and run by nobody.
func New(w *apptest.World) *plan.Planner {
	notifications := notify.New(sealed.NewSealer("messages", sealed.Key{}))
	notifications.Now = w.Now
	log := slog.New(slog.DiscardHandler)
	p := &plan.Planner{DB: w.DB, Now: w.Now, Notify: notifications, Jobs: job.New(), Audit: &audit.Recorder{DB: w.DB, Now: w.Now, Log: log}}
	for _, k := range p.Kinds() {
		p.Jobs.Add(k)
	}
	p.Jobs.DB, p.Jobs.Now, p.Jobs.Log = w.DB, w.Now, log
	return p
}
