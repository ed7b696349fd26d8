// Package definition applies files that describe a company to it, and writes such files.
package definition

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"workforce/ent"
	"workforce/internal/admission"
	"workforce/internal/app/audit"
	"workforce/internal/app/leave"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/roster"
	"workforce/internal/app/tx"
	"workforce/internal/audittrail"
	"workforce/internal/definition"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A Service applies and writes definitions of companies. Its methods are safe for concurrent use.
type Service struct {
	DB           *ent.Client // in no transaction
	Now          func() time.Time
	Audit        *audit.Recorder
	Organization *organization.Service
	Roster       *roster.Service
	Leaves       *leave.Service
	People       *people.Service

	// What files of callers need; nil for a service of the operator's alone.
	Uploads *ratelimit.Limiter
	Reading *admission.Lane // in which they are read
}

// Options say how a file is applied.
type Options struct {
	DryRun bool // change nothing
	Prune  bool // delete what the sections of the file do not name
}

// The actions of changes.
const (
	Create = "create"
	Update = "update"
	Delete = "delete"
)

// A Member is one that changes. Its values are as a file has them.
type Member struct {
	Name     string
	From, To any
}

// A Change is what a file changes, or would.
type Change struct {
	Action  string // Create, Update or Delete
	Section string
	Name    string   // what the element is called
	Members []Member // of an update
}

// A Result says what a file changed, or would.
type Result struct {
	Changes   []Change // in the order in which they are made
	Unchanged int      // elements of the file that are as it says
	Faults    []definition.Fault
	More      int  // faults beyond the first 1,000
	Applied   bool // it was written: there are no faults, and it was no dry run
}

// maxFaults is how many faults a result lists.
const maxFaults = 1000

// errUndone rolls back a dry run, and what has faults.
var errUndone = errors.New("definition: undone")

// Apply applies a file to a company as the operator: all of it or, with a fault, nothing. A dry run does the
// same work, which is then undone. ctx is in no transaction.
func (s *Service) Apply(ctx context.Context, company int, data []byte, o Options) (*Result, error) {
	ctx = audittrail.NewContext(ctx, audittrail.Trail{Now: s.Now})
	file, faults := definition.Read(data)
	if len(faults) > 0 {
		return (&Result{}).with(faults), nil
	}
	return s.apply(ctx, file, o, func(ctx context.Context) (context.Context, error) { return s.operator(ctx, company) })
}

// operator returns the context of the operator, who changes a company in the transaction of ctx.
func (s *Service) operator(ctx context.Context, company int) (context.Context, error) {
	c, err := ent.FromContext(ctx).Company.Get(viewer.System(ctx), company)
	if err != nil {
		return nil, err
	}
	return viewer.Operator(ctx, c.ID, c.Timezone, c.Settings), nil
}

// ApplyUpload applies a file to the company of the viewer, who needs company.write.all, and for each change
// what it needs by itself. RATE_LIMITED where they uploaded too much; PAYLOAD_TOO_LARGE. ctx is in no
// transaction.
func (s *Service) ApplyUpload(ctx context.Context, field string, file io.Reader, o Options) (*Result, error) {
	me, err := viewer.Require(ctx)
	if err == nil && me.Scope("company", "write") < viewer.All {
		err = errs.New(errs.Forbidden, nil)
	}
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, definition.MaxBytes+1))
	switch {
	case err != nil:
		return nil, &errs.Error{Code: errs.Unavailable, Err: err}
	case len(data) > definition.MaxBytes:
		return nil, errs.Field(errs.PayloadTooLarge, field, errs.Meta{"limit": definition.MaxBytes})
	}
	if err := s.Uploads.Upload(ctx, s.DB, len(data)); err != nil {
		return nil, err
	}
	read, faults, err := s.read(ctx, data)
	if err != nil || len(faults) > 0 {
		return (&Result{}).with(faults), err
	}
	return s.apply(ctx, read, o, func(ctx context.Context) (context.Context, error) { return ctx, nil })
}

// read reads a file of a caller in its turn.
func (s *Service) read(ctx context.Context, data []byte) (*definition.File, []definition.Fault, error) {
	leave, err := s.Reading.Enter(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	file, faults := definition.Read(data)
	return file, faults, nil
}

// apply applies a file in a transaction of its own. as returns the context of who does it.
func (s *Service) apply(
	ctx context.Context, file *definition.File, o Options, as func(context.Context) (context.Context, error),
) (result *Result, err error) {
	defer errs.Step(&err, "definition: apply")
	err = tx.Run(ctx, s.DB, func(ctx context.Context) error {
		ctx, err := as(ctx)
		if err != nil {
			return err
		}
		r := newRun(s, file, o)
		if err := r.do(ctx); err != nil {
			return err
		}
		result = r.result.with(r.faults)
		if len(r.faults) > 0 || o.DryRun {
			return errUndone
		}
		result.Applied = true
		return r.record(ctx)
	})
	if errors.Is(err, errUndone) {
		err = nil
	}
	if ent.IsConstraintError(err) { // somebody wrote the same meanwhile
		err = errs.Conflicts(errs.Duplicate, "", nil).Wrap(err)
	}
	return result, err
}

// with adds faults in the order of their lines, of which maxFaults are listed.
func (r *Result) with(faults []definition.Fault) *Result {
	slices.SortStableFunc(faults, func(a, b definition.Fault) int { return cmp.Compare(a.Line, b.Line) })
	n := min(len(faults), maxFaults)
	r.Faults, r.More = faults[:n], len(faults)-n
	return r
}

// record records in the audit that a file was applied; one that changes nothing is not.
func (r *run) record(ctx context.Context) error {
	if len(r.result.Changes) == 0 {
		return nil
	}
	count := map[string]any{Create: 0, Update: 0, Delete: 0}
	for _, c := range r.result.Changes {
		count[c.Action] = count[c.Action].(int) + 1
	}
	company := viewer.From(ctx).CompanyID
	return r.Audit.Record(ctx, audit.Event{
		Action: audit.DefinitionApplied, Company: company, Subject: ent.TypeCompany, ID: company,
		Facts: map[string]any{"created": count[Create], "updated": count[Update], "deleted": count[Delete]},
	})
}
