package peopleimport

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
	"workforce/internal/app/files"
	"workforce/internal/app/job"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/policysql"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// A Service imports and exports people. Its methods are safe for concurrent use.
type Service struct {
	DB    *ent.Client
	Now   func() time.Time
	Jobs  *job.Runner // with the kind Invitations
	Plans *scheduling.Planner
	Audit *audit.Recorder

	// What imports by callers need; nil for a service of the operator's alone.
	Uploads *ratelimit.Limiter
	Tables  *admission.Lane // in which uploaded tables are read
	Files   *files.Service  // keeps tables until their job ends
	Objects *blob.Store     // the file store
}

// Options say how people are imported.
type Options struct {
	Company   int
	CreatedBy int                   // user who asked for it; 0 for the operator
	DryRun    bool                  // only look for faults
	Partial   bool                  // write the rows without faults; else all rows or none
	Invite    bool                  // invite new people, and known ones without a password, a hundred a minute
	Progress  func(done, total int) // called now and then; nil for nobody

	caller *viewer.Viewer // nil for the operator
}

// A Result says what an import did, or would do.
type Result struct {
	Created, Updated int // people who are new, and who were something else
	Invited          int // people whose invitations were queued, by this run alone
	Faults           []Fault
	More             int // faults beyond maxFaults, which are not listed
}

const (
	maxFaults = 1000
	chunk     = 500 // rows that are read or written by one statement, and by one transaction of a partial import
)

// Import creates the people of a table, and updates those whose e-mail address or
// employee number the company knows. A column that the table lacks keeps what a known
// person has; an empty cell clears it. Without Partial a fault of one row keeps all of
// them from being written. The caller must be the system, and in no transaction.
func (s *Service) Import(ctx context.Context, r io.Reader, o Options) (*Result, error) {
	ctx = ent.NewContext(ctx, s.DB)
	lines, faults, err := read(r)
	if err != nil || len(faults) > 0 {
		return (&Result{}).with(faults), err
	}
	i := &run{Service: s, Options: o, lines: lines}
	i.commit = func(ctx context.Context, step func(context.Context) error) error { return tx.Run(ctx, s.DB, step) }
	if o.Progress != nil {
		i.tell = func(_ context.Context, done, total int) error { o.Progress(done, total); return nil }
	}
	return i.do(ctx)
}

// A run is an import while it is done, outside of a transaction: all rows are looked at,
// then they are written in one transaction, or of a partial import each chunk in one.
type run struct {
	*Service
	Options
	lines  []line
	from   int     // the row up to which an earlier run wrote a partial import
	before *Result // what that one did

	looked *looked // what look found, for all rows or none; nil where they are to be checked again

	// commit runs a step in a transaction of its own.
	commit func(ctx context.Context, step func(context.Context) error) error
	// save records within a transaction what was done up to a row; nil for nobody.
	save func(ctx context.Context, r *Result, row int) error
	// tell says outside of transactions how much is done; nil for nobody.
	tell func(ctx context.Context, done, total int) error
}

// A looked is what was found of all rows, which holds as long as the company has the same
// version of its directory: then nobody else changed its people, businesses or
// designations. What another company's people took meanwhile, a unique key refuses.
type looked struct {
	version          int
	rows             []*planned
	created, updated int
}

// errFaults rolls back an import of all rows or none.
var errFaults = errors.New("peopleimport: there are faults")

// do does the import.
func (i *run) do(ctx context.Context) (*Result, error) {
	p, err := i.look(ctx)
	if err != nil || i.DryRun || len(p.faults) > 0 && !i.Partial || i.from == 0 && p.created+p.updated == 0 && !i.Invite {
		return p.result(), err
	}
	size := max(len(i.lines), 1)
	if i.Partial {
		size = chunk
	}
	if p, err = i.resume(ctx); err != nil {
		return nil, err
	}
	for at, part := range chunks(i.lines, size) {
		if len(part) > 0 && part[len(part)-1].row <= i.from {
			continue
		}
		if p, err = i.write(ctx, p, part); errors.Is(err, errFaults) {
			return p.result(), nil
		} else if err != nil {
			return nil, err
		}
		if err := i.progress(ctx, len(i.lines)+at+len(part)); err != nil {
			return nil, err
		}
	}
	return p.result(), nil
}

// chunks returns parts of a list of so many elements, each with the place where it begins.
func chunks(lines []line, size int) func(yield func(int, []line) bool) {
	return func(yield func(int, []line) bool) {
		at := 0
		for part := range slices.Chunk(lines, size) {
			if !yield(at, part) {
				return
			}
			at += len(part)
		}
	}
}

// progress tells how much is done of twice the rows: each is looked at, then written.
func (i *run) progress(ctx context.Context, done int) error {
	if i.tell == nil {
		return nil
	}
	return i.tell(ctx, done, 2*len(i.lines))
}

// look checks all rows.
func (i *run) look(ctx context.Context) (*plan, error) {
	version, err := i.version(ctx)
	if err != nil {
		return &plan{}, err
	}
	p, err := i.plan(ctx, i.Options)
	if err != nil {
		return p, err
	}
	if !i.Partial && !i.DryRun && version != 0 {
		i.looked = &looked{version: version}
	}
	for at, part := range chunks(i.lines, chunk) {
		rows, err := p.check(ctx, part)
		if err != nil {
			return p, err
		}
		if i.looked != nil {
			i.looked.rows, i.looked.created, i.looked.updated = append(i.looked.rows, rows...), p.created, p.updated
		}
		if err := i.progress(ctx, at+len(part)); err != nil {
			return p, err
		}
	}
	if p.leaving { // who owns the company is not part of its directory
		i.looked = nil
	}
	return p, nil
}

// version returns that of the company's directory; 0 for none.
func (i *run) version(ctx context.Context) (int, error) {
	v, err := ent.FromContext(ctx).DirectoryVersion.Get(viewer.System(ctx), i.Company)
	if err != nil {
		return 0, policysql.IgnoreNotFound(err)
	}
	return v.Version, nil
}

// resume returns the plan with which writing begins: after the rows that an earlier run
// wrote.
func (i *run) resume(ctx context.Context) (*plan, error) {
	p, err := i.plan(ctx, i.Options)
	if err != nil || i.from == 0 {
		return p, err
	}
	written := slices.IndexFunc(i.lines, func(l line) bool { return l.row > i.from })
	if written < 0 {
		written = len(i.lines)
	}
	for part := range slices.Chunk(i.lines[:written], chunk) {
		if _, err := p.check(ctx, part); err != nil {
			return nil, err
		}
	}
	p.created, p.updated, p.faults, p.more = i.before.Created, i.before.Updated, i.before.Faults, i.before.More
	return p, nil
}

// write checks rows again and writes them, in one transaction, and returns the plan that
// includes them. Where somebody wrote the same address since, it does so again.
func (i *run) write(ctx context.Context, p *plan, lines []line) (next *plan, err error) {
	for try := 1; ; try++ {
		err = i.commit(ctx, func(ctx context.Context) error {
			next = p.clone()
			return i.step(ctx, next, lines)
		})
		if try == tx.Tries || !ent.IsConstraintError(err) {
			return next, conflict(err)
		}
		i.looked = nil
	}
}

// step checks rows and writes them in the transaction of ctx.
func (i *run) step(ctx context.Context, p *plan, lines []line) error {
	if err := organization.Lock(i.within(ctx, p.company)); err != nil { // imports of a company come one after the other
		return err
	}
	if err := p.loadOwners(ctx, i.Options); err != nil {
		return err
	}
	rows, err := i.check(ctx, p, lines)
	if err != nil {
		return err
	}
	if len(p.faults) > 0 && !i.Partial {
		return errFaults
	}
	if err := i.writeRows(ctx, p, rows, i.Options); err != nil || i.save == nil || len(lines) == 0 {
		return err
	}
	return i.save(ctx, p.result(), lines[len(lines)-1].row)
}

// check checks rows in the transaction of ctx, unless what was found before still holds.
func (i *run) check(ctx context.Context, p *plan, lines []line) (rows []*planned, err error) {
	if i.looked != nil {
		if version, err := i.version(ctx); err != nil || version == i.looked.version {
			p.created, p.updated = i.looked.created, i.looked.updated
			return i.looked.rows, err
		}
	}
	for part := range slices.Chunk(lines, chunk) {
		checked, err := p.check(ctx, part)
		if err != nil {
			return nil, err
		}
		rows = append(rows, checked...)
	}
	return rows, nil
}

// within returns the context of who imports into a company: the caller, else the operator,
// who stands for its owners.
func (o Options) within(ctx context.Context, c *ent.Company) context.Context {
	if o.caller != nil {
		return viewer.NewContext(ctx, o.caller)
	}
	return viewer.NewContext(ctx, &viewer.Viewer{CompanyID: c.ID, Timezone: c.Timezone, Owner: true})
}

// conflict returns err, or CONFLICT for that of a unique key.
func conflict(err error) error {
	if ent.IsConstraintError(err) {
		return errs.Conflicts(errs.Duplicate, "", nil).Wrap(err)
	}
	return err
}

// with adds faults, by row and column, of which maxFaults are listed.
func (r *Result) with(faults []Fault) *Result {
	slices.SortStableFunc(faults, func(a, b Fault) int { return cmp.Or(a.Row-b.Row, a.place-b.place) })
	n := min(len(faults), maxFaults)
	r.Faults, r.More = faults[:n], r.More+len(faults)-n
	return r
}

// rechargeLeave has the leave of people counted anew whose shifts may follow from other businesses
// or designations.
func (s *Service) rechargeLeave(ctx context.Context, updated []people.Replacement, o Options) error {
	if len(updated) == 0 {
		return nil
	}
	ids := make([]int, len(updated))
	for i, u := range updated {
		ids[i] = u.User.ID
	}
	return s.Plans.Recharge(ctx, o.Company, scheduling.Recharge{Users: ids})
}

// writeRows writes rows in the transaction of ctx: known people first, since they may
// give up an address that a new one gets.
func (s *Service) writeRows(ctx context.Context, p *plan, rows []*planned, o Options) error {
	ctx = viewer.System(ctx)
	var created []people.NewUser
	var updated []people.Replacement
	var invited []int
	for _, row := range rows {
		if row.user == nil {
			created = append(created, row.NewUser)
			continue
		}
		if row.changes() {
			updated = append(updated, people.Replacement{User: row.user, To: row.NewUser})
		}
		if u := row.user; u.Active && u.PasswordHash == nil && (row.LeftOn == "" || row.LeftOn >= p.today) {
			invited = append(invited, u.ID)
		}
	}
	for part := range slices.Chunk(updated, chunk) {
		if err := people.ReplaceUsers(ctx, p.company, s.Now(), part...); err != nil {
			return err
		}
	}
	for part := range slices.Chunk(created, chunk) {
		users, err := people.CreateUsers(ctx, ent.FromContext(ctx), p.company, s.Now(), part...)
		if err != nil {
			return err
		}
		for _, u := range users {
			if u.LeftOn == nil || *u.LeftOn >= p.today {
				invited = append(invited, u.ID)
			}
		}
	}
	if o.Invite {
		n, err := s.invite(ctx, invited, o)
		if err != nil {
			return err
		}
		p.invited += n
	}
	if len(created)+len(updated) == 0 {
		return nil
	}
	if err := s.Plans.MakeSoon(ctx, o.Company); err != nil {
		return err
	}
	if err := s.rechargeLeave(ctx, updated, o); err != nil {
		return err
	}
	return s.Audit.Record(ctx, audit.Event{
		Action: "users.imported", Company: o.Company, Actor: o.CreatedBy, Subject: ent.TypeCompany, ID: o.Company,
		Facts: map[string]any{"created": len(created), "updated": len(updated)},
	})
}

// system returns the context of a system job that reads outside of transactions.
func (s *Service) system(ctx context.Context) context.Context {
	return viewer.System(ent.NewContext(ctx, s.DB))
}
