package transfer

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"workforce/ent"
	"workforce/internal/admission"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/people"
	shifts "workforce/internal/app/plan"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A Service imports and exports people. Its methods are safe for concurrent use.
type Service struct {
	DB    *ent.Client
	Now   func() time.Time
	Jobs  *job.Runner // with the kind Invitations
	Plans *shifts.Planner
	Audit *audit.Recorder

	Uploads *ratelimit.Limiter // nil for a service of the operator's alone
	Tables  *admission.Lane    // in which uploaded tables are read; nil for a service of the operator's alone
}

// Options say how people are imported.
type Options struct {
	Company   int
	CreatedBy int                   // user who asked for it; 0 for the operator
	DryRun    bool                  // only look for faults
	Partial   bool                  // write the rows without faults; else all rows or none
	Invite    bool                  // send new people an invitation, a hundred a minute
	Progress  func(done, total int) // called now and then; nil for nobody

	caller *viewer.Viewer // nil for the operator
}

// A Result says what an import did, or would do.
type Result struct {
	Created, Updated int // people who are new, and who were something else
	Faults           []Fault
	More             int // faults beyond maxFaults, which are not listed
}

const (
	maxFaults = 1000
	chunk     = 500 // rows that are read or written by one statement
)

// Import creates the people of a table, and updates those whose e-mail address or
// employee number the company knows. A column that the table lacks keeps what a known
// person has; an empty cell clears it. Without Partial a fault of one row keeps all of
// them from being written. The caller must be the system, and in no transaction.
func (s *Service) Import(ctx context.Context, r io.Reader, o Options) (*Result, error) {
	if o.Progress == nil {
		o.Progress = func(int, int) {}
	}
	ctx = ent.NewContext(ctx, s.DB)
	lines, faults, err := read(r)
	if err != nil || len(faults) > 0 {
		return (&Result{}).with(faults), err
	}
	for try := 1; ; try++ {
		p, err := s.plan(ctx, lines, o)
		if err != nil {
			return nil, err
		}
		result := p.result()
		if o.DryRun || len(p.faults) > 0 && !o.Partial {
			return result, nil
		}
		if o.Partial {
			return result, s.writePartly(ctx, p, result, o)
		}
		err = tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.write(ctx, p.rows, 0, len(p.rows), o, p) })
		if try < tx.Tries && ent.IsConstraintError(err) { // somebody wrote an address since: look again
			continue
		}
		return result, conflict(err)
	}
}

// conflict returns err, or CONFLICT for that of a unique key.
func conflict(err error) error {
	if ent.IsConstraintError(err) {
		return &errs.Error{Code: errs.Conflict, Err: err}
	}
	return err
}

// with adds faults, by row and column, of which maxFaults are listed.
func (r *Result) with(faults []Fault) *Result {
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Or(a.Row-b.Row, a.place-b.place) })
	n := min(len(faults), maxFaults)
	r.Faults, r.More = faults[:n], len(faults)-n
	return r
}

// result counts the rows without faults.
func (p *plan) result() *Result {
	r := &Result{}
	for _, row := range p.rows {
		r.count(row, 1)
	}
	return r.with(p.faults)
}

func (r *Result) count(row *planned, n int) {
	switch {
	case row.user == nil:
		r.Created += n
	case row.changes():
		r.Updated += n
	}
}

// writePartly writes the rows by the chunk. Where a unique key refuses a chunk, since
// somebody wrote the same meanwhile, its rows are written one by one.
func (s *Service) writePartly(ctx context.Context, p *plan, result *Result, o Options) error {
	done := 0
	for rows := range slices.Chunk(p.rows, chunk) {
		run := func(rows []*planned) error {
			return tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.write(ctx, rows, done, len(p.rows), o, p) })
		}
		err := run(rows)
		if ent.IsConstraintError(err) {
			err = nil
			for i, row := range rows {
				failed := run(rows[i : i+1])
				if failed != nil && !ent.IsConstraintError(failed) {
					return failed
				}
				if failed != nil {
					result.count(row, -1)
					p.fault(row.line, "email", errs.AlreadyTaken, nil)
					result.with(p.faults)
				}
			}
		}
		if err != nil {
			return err
		}
		done += len(rows)
	}
	return nil
}

// write writes rows in the transaction of ctx: known people first, since they may give
// up an address that a new one gets.
func (s *Service) write(ctx context.Context, rows []*planned, done, total int, o Options, p *plan) error {
	if done == 0 {
		p.begins = s.Now()
	}
	var created []people.NewUser
	updated := 0
	for _, row := range rows {
		if row.user == nil {
			created = append(created, row.NewUser)
			continue
		}
		if row.changes() {
			updated++
			if err := people.ReplaceUser(ctx, p.company, s.Now(), row.user, row.NewUser); err != nil {
				return err
			}
		}
		if done++; done%chunk == 0 {
			o.Progress(done, total)
		}
	}
	var invited []int
	for part := range slices.Chunk(created, chunk) {
		users, err := people.CreateUsers(ctx, ent.FromContext(ctx), p.company, s.Now(), part...)
		if err != nil {
			return err
		}
		for _, u := range users {
			invited = append(invited, u.ID)
		}
		done += len(part)
		o.Progress(done, total)
	}
	if o.Invite {
		if err := s.invite(ctx, p, invited, o); err != nil {
			return err
		}
	}
	if len(created)+updated == 0 {
		return nil
	}
	if err := s.Plans.MakeSoon(ctx, o.Company); err != nil {
		return err
	}
	return s.Audit.Record(ctx, audit.Event{
		Action: "users.imported", Company: o.Company, Actor: o.CreatedBy, Subject: ent.TypeCompany, ID: o.Company,
		Facts: map[string]any{"created": len(created), "updated": updated},
	})
}

// system returns the context of a system job that reads outside of transactions.
func (s *Service) system(ctx context.Context) context.Context {
	return viewer.System(ent.NewContext(ctx, s.DB))
}
