// Package plantest gives tests of a domain a planner of shifts.
package plantest

import (
	"context"
	"log/slog"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/app/scheduling"
	"workforce/internal/sealed"
)

// New returns the planner of a world. Its jobs are queued, and run by nobody.
func New(w *apptest.World) *scheduling.Planner {
	log := slog.New(slog.DiscardHandler)
	notifications := notify.New(sealed.NewSealer("messages", sealed.Key{}))
	notifications.DB, notifications.Now, notifications.Log = w.DB, w.Now, log
	p := &scheduling.Planner{
		DB: w.DB, Now: w.Now, Notify: notifications, Jobs: job.New(), Audit: &audit.Recorder{DB: w.DB, Now: w.Now, Log: log},
	}
	for _, k := range p.Kinds() {
		p.Jobs.Add(k)
	}
	p.Jobs.DB, p.Jobs.Now, p.Jobs.Log = w.DB, w.Now, log
	return p
}

// Add stores an occurrence in the transaction of ctx, and returns it as it is stored.
func Add(ctx context.Context, o *ent.EmployeeShift) (*ent.EmployeeShift, error) {
	if err := scheduling.Store(ctx, []*ent.EmployeeShift{o}, nil); err != nil {
		return nil, err
	}
	return ent.FromContext(ctx).EmployeeShift.Query().
		Where(employeeshift.UserID(o.UserID), employeeshift.Date(o.Date), employeeshift.ShiftID(o.ShiftID)).Only(ctx)
}
