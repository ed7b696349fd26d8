// Package servicetest gives the tests of a domain what use cases share, wired as internal/server wires it.
package servicetest

import (
	"log/slog"
	"testing"

	"workforce/internal/admission"
	"workforce/internal/app/approval"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/app/audit"
	"workforce/internal/app/files"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/results"
	"workforce/internal/app/scheduling"
	"workforce/internal/blob"
	"workforce/internal/sealed"
)

// Services are what use cases share. Jobs and messages are queued: nobody runs or sends them.
type Services struct {
	Plans        *scheduling.Planner
	Jobs         *job.Runner
	Notify       *notify.Service
	Audit        *audit.Recorder
	Objects      *blob.Store // a temporary folder
	Files        *files.Service
	Organization *organization.Service
	Desk         *approval.Desk
	Days         *results.Service
}

// New returns the services of a world.
func New(t testing.TB, w *apptest.World) *Services {
	t.Helper()
	config := blob.Config{PublicURL: "http://wf.test", Keys: sealed.NewRing(sealed.Key{}).Derive("file links"), Now: w.Now}
	store, err := blob.Open(t.Context(), "file:"+t.TempDir(), config)
	if err != nil {
		t.Fatal(err)
	}
	plans := plantest.New(w)
	s := &Services{Plans: plans, Jobs: plans.Jobs, Notify: plans.Notify, Audit: plans.Audit, Objects: store}
	s.Files = &files.Service{
		DB: w.DB, Now: w.Now, Store: store, Pictures: admission.NewLane(1, 1), Uploads: &ratelimit.Limiter{Now: w.Now},
	}
	s.Organization = &organization.Service{Files: s.Files, Now: w.Now, Plans: plans}
	s.Desk = &approval.Desk{Plans: plans, Managers: s.Organization.Managers}
	s.Days = &results.Service{DB: w.DB, Now: w.Now, Log: slog.New(slog.DiscardHandler), Notify: s.Notify, Audit: s.Audit}
	return s
}
