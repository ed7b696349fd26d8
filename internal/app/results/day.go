// Package results finds what became of people's days: the results of their shifts, which are
// stored once nothing changes them any more by itself, and the end of attendances that
// nobody closed.
package results

import (
	"log/slog"
	"time"

	"workforce/ent"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/live"
	"workforce/internal/app/notify"
)

// A Service finds results of shifts and closes forgotten attendances. Its methods are safe
// for concurrent use.
type Service struct {
	DB     *ent.Client      // in no transaction
	Now    func() time.Time // UTC, to the microsecond
	Log    *slog.Logger
	Notify *notify.Service
	Audit  *audit.Recorder
	Live   *live.Service // may be nil
	Closed func()        // called once the end that a rule gave an attendance is committed; may be nil
}

// Kinds returns the jobs of the days.
func (s *Service) Kinds() []job.Kind { return []job.Kind{s.evaluating(), s.closing()} }
