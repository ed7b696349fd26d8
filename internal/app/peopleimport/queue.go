package peopleimport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"workforce/ent"
	entFile "workforce/ent/file"
	entJob "workforce/ent/job"
	"workforce/ent/predicate"
	"workforce/ent/user"
	"workforce/ent/userimport"
	"workforce/graph/model"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/job"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

const (
	// keptFor is how long an import is told of, and how long its file waits for its job.
	keptFor = 7 * 24 * time.Hour
	// maxQueued is how many imports of a company wait or run.
	maxQueued = 20
	// importing is the kind of the jobs that import.
	importing = "user_import"
)

// A Job is an import that a job does, as far as it is known.
type Job struct {
	*ent.UserImport
	Status   model.ImportStatus
	Progress int // per cent
	Faults   []Fault
	Total    int // faults
}

// stored is a Fault as the row of an import has it, without texts.
type stored struct {
	Row    int         `json:"row"`
	Column string      `json:"column,omitempty"`
	Code   errs.Code   `json:"code"`
	Reason errs.Reason `json:"reason,omitempty"`
	Meta   errs.Meta   `json:"meta,omitempty"`
}

// queue has a job import a stored table, in the transaction of ctx. The same table in
// the same way, asked for by the same person while the first has not ended, is that one.
func (s *Service) queue(ctx context.Context, me *viewer.Viewer, in Upload, read opened) (*Job, error) {
	db, now := ent.FromContext(ctx), s.Now()
	waiting, err := db.UserImport.Query().Where(userimport.CompanyID(me.CompanyID), userimport.OutcomeIsNil()).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, row := range waiting {
		if *row.FileID == read.file.ID && row.CreatedBy == me.UserID &&
			row.DryRun == in.DryRun && row.Partial == in.Partial && row.Invite == in.Invite {
			if j, err := s.show(ctx, row); err != nil || j.Status != model.ImportStatusFailed {
				return j, err
			}
		}
	}
	if len(waiting) >= maxQueued {
		return nil, errs.Limited(time.Minute, errs.Meta{"limit": maxQueued})
	}
	if err := s.Files.Use(ctx, read.file.ID); err != nil {
		return nil, err
	}
	row, err := db.UserImport.Create().SetCompanyID(me.CompanyID).SetCreatedBy(me.UserID).SetFileID(read.file.ID).
		SetDryRun(in.DryRun).SetPartial(in.Partial).SetInvite(in.Invite).SetPeople(read.people).
		SetCreatedAt(now).SetExpiresAt(now.Add(keptFor)).Save(ctx)
	if err != nil {
		return nil, err
	}
	id, err := s.Jobs.Enqueue(ctx, job.Request{Kind: importing, Company: me.CompanyID, CreatedBy: me.UserID, Payload: payload{row.ID}})
	if err != nil {
		return nil, err
	}
	if row, err = row.Update().SetJobID(id).Save(ctx); err != nil {
		return nil, err
	}
	return s.show(ctx, row)
}

// A payload is that of a job.
type payload struct{ Import int }

// Find returns an import of the viewer's company. NOT_FOUND for none, and for viewers
// without user.write.all.
func (s *Service) Find(ctx context.Context, id int) (*Job, error) {
	me, err := mayImport(ctx)
	if errs.Is(err, errs.Forbidden) {
		err = errs.New(errs.NotFound, nil)
	}
	if err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	row, err := ent.FromContext(ctx).UserImport.Query().
		Where(userimport.ID(id), userimport.CompanyID(me.CompanyID), userimport.ExpiresAtGT(s.Now())).Only(ctx)
	if ent.IsNotFound(err) {
		err = errs.New(errs.NotFound, nil)
	}
	if err != nil {
		return nil, err
	}
	return s.show(ctx, row)
}

// Cancel ends an import of the viewer's company, for those with user.write.all, in the
// transaction of ctx. NOT_FOUND for none, CONFLICT for one that ended.
func (s *Service) Cancel(ctx context.Context, id int) (*Job, error) {
	if _, err := mayImport(ctx); err != nil {
		return nil, err
	}
	j, err := s.Find(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case j.Outcome != nil:
		return nil, errs.Conflicts(errs.Ended, "", nil)
	}
	system := viewer.System(ctx)
	err = s.end(system, j.UserImport, userimport.OutcomeCancelled, nil)
	if errors.Is(err, errEnded) {
		return nil, errs.Conflicts(errs.Ended, "", nil)
	}
	if err == nil && j.JobID != nil {
		_, err = s.Jobs.Cancel(system, j.CompanyID, *j.JobID)
	}
	if err != nil {
		return nil, err
	}
	return s.Find(ctx, id)
}

// show returns an import with the state of its job.
func (s *Service) show(ctx context.Context, row *ent.UserImport) (*Job, error) {
	j := &Job{UserImport: row, Total: row.FaultCount}
	faults, err := decode(row.Faults)
	if err != nil {
		return nil, err
	}
	j.Faults = faults
	if row.Outcome != nil {
		j.Status = map[userimport.Outcome]model.ImportStatus{
			userimport.OutcomeDone: model.ImportStatusDone, userimport.OutcomeFailed: model.ImportStatusFailed,
			userimport.OutcomeCancelled: model.ImportStatusCancelled,
		}[*row.Outcome]
		if *row.Outcome == userimport.OutcomeDone {
			j.Progress = 100
		}
		return j, nil
	}
	var work *ent.Job
	if row.JobID != nil {
		if work, err = ent.FromContext(ctx).Job.Get(ctx, *row.JobID); policysql.IgnoreNotFound(err) != nil {
			return nil, err
		}
	}
	j.Status = statusOf(work)
	if work != nil && work.Total > 0 {
		j.Progress = min(99, 100*work.Progress/work.Total)
	}
	return j, nil
}

// statusOf returns how an import that has not ended stands by its job; nil is a job that
// is not there any more.
func statusOf(work *ent.Job) model.ImportStatus {
	switch {
	case work == nil:
		return model.ImportStatusFailed
	case work.State == entJob.StateQueued:
		return model.ImportStatusQueued
	case work.State == entJob.StateFailed, work.State == entJob.StateCancelled:
		return model.ImportStatusFailed
	}
	return model.ImportStatusRunning
}

// Importing imports the tables that wait.
func (s *Service) Importing() job.Kind {
	return job.Kind{Name: importing, Run: func(ctx context.Context, r *job.Run) error {
		var p payload
		if err := r.Payload(&p); err != nil {
			return err
		}
		row, err := s.DB.UserImport.Get(ctx, p.Import)
		if err != nil || row.Outcome != nil { // deleted or cancelled meanwhile, or done before its instance died
			return policysql.IgnoreNotFound(err)
		}
		switch err = s.doQueued(ctx, r, row); {
		case errors.Is(err, errEnded):
			return nil
		case errs.CodeOf(err) != errs.Internal && errs.CodeOf(err) != errs.Unavailable: // it would fail again
			failed := r.Commit(ctx, func(ctx context.Context) error { return s.fail(ctx, row.ID, errs.As(err)) })
			return errors.Join(err, failed)
		}
		return err
	}}
}

// doQueued does an import in the name of who asked for it, as far as an earlier run has
// not.
func (s *Service) doQueued(ctx context.Context, r *job.Run, row *ent.UserImport) error {
	caller, err := s.callerOf(ctx, row)
	if err != nil {
		return err
	}
	table, err := s.load(ctx, row)
	if err != nil {
		return err
	}
	faults, err := decode(row.Faults)
	if err != nil {
		return err
	}
	ctx = audittrail.NewContext(ctx, audittrail.Trail{ActorID: caller.UserID, Now: s.Now})
	last := 0
	if n := len(table.lines); n > 0 {
		last = table.lines[n-1].row
	}
	i := &run{
		Service: s, lines: table.lines, from: row.DoneRow, commit: r.Commit, tell: r.Progress,
		before: &Result{Created: row.Created, Updated: row.Updated, Faults: faults, More: row.FaultCount - len(faults)},
		Options: Options{
			Company: row.CompanyID, CreatedBy: row.CreatedBy, DryRun: row.DryRun, Partial: row.Partial, Invite: row.Invite, caller: caller,
		},
	}
	ended := false
	i.save = func(ctx context.Context, result *Result, done int) error {
		if ended = done == last; ended {
			return s.end(ctx, row, userimport.OutcomeDone, result)
		}
		return s.change(ctx, row, result, func(u *ent.UserImportUpdate) { u.SetDoneRow(done) })
	}
	result, err := i.do(ctx)
	if err != nil || ended {
		return err
	}
	if !row.DryRun && !row.Partial { // nobody was written
		result.Created, result.Updated = 0, 0
	}
	return r.Commit(ctx, func(ctx context.Context) error { return s.end(ctx, row, userimport.OutcomeDone, result) })
}

// callerOf returns who asked for an import as they are now, or FORBIDDEN where they may
// not import any more.
func (s *Service) callerOf(ctx context.Context, row *ent.UserImport) (*viewer.Viewer, error) {
	c, err := s.DB.Company.Get(ctx, row.CompanyID)
	if err != nil {
		return nil, err
	}
	u, err := s.DB.User.Query().Where(user.ID(row.CreatedBy), user.CompanyID(c.ID), user.Active(true)).WithRoles().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	if err != nil {
		return nil, err
	}
	zone, err := shift.Zone(c.Timezone)
	if err != nil {
		return nil, err
	}
	v := &viewer.Viewer{
		UserID: u.ID, CompanyID: c.ID, Locale: u.Locale, Timezone: c.Timezone, Settings: c.Settings,
		Permissions: credential.Permissions(u.Edges.Roles),
	}
	for _, r := range u.Edges.Roles {
		v.Owner = v.Owner || r.Builtin != nil && *r.Builtin == viewer.Owner
	}
	if v.Scope("user", "write") < viewer.All || !shift.EmploymentBetween(u.JoinedOn, u.LeftOn, zone).Contains(s.Now()) {
		return nil, errs.New(errs.Forbidden, nil)
	}
	return v, nil
}

// load reads the table of an import.
func (s *Service) load(ctx context.Context, row *ent.UserImport) (opened, error) {
	f, err := s.DB.File.Query().Where(entFile.ID(*row.FileID)).Only(ctx)
	if err != nil {
		return opened{}, err
	}
	in, err := s.Objects.Get(ctx, f.Name)
	if err != nil {
		return opened{}, &errs.Error{Code: errs.Unavailable, Err: err}
	}
	out, err := s.readTable(ctx, in)
	if err := errors.Join(err, in.Close()); err != nil {
		return out, err
	}
	if len(out.faults) > 0 {
		return out, fmt.Errorf("peopleimport: the table of import %d has changed: %v", row.ID, out.faults[0])
	}
	return out, nil
}

// errEnded is returned for an import that ended meanwhile: it was cancelled.
var errEnded = errors.New("peopleimport: the import has ended")

// change records what an import that has not ended did, in the transaction of ctx.
func (s *Service) change(ctx context.Context, row *ent.UserImport, r *Result, set func(*ent.UserImportUpdate)) error {
	u := ent.FromContext(ctx).UserImport.Update().Where(userimport.ID(row.ID), userimport.OutcomeIsNil())
	if r != nil {
		text, err := encode(r.Faults)
		if err != nil {
			return err
		}
		u.SetCreated(r.Created).SetUpdated(r.Updated).SetFaultCount(len(r.Faults) + r.More).SetFaults(text)
	}
	set(u)
	n, err := u.Save(viewer.System(ctx))
	if err == nil && n == 0 {
		err = errEnded
	}
	return err
}

// end records how an import ended, and drops its file, in the transaction of ctx. Without
// a result that stays as it is.
func (s *Service) end(ctx context.Context, row *ent.UserImport, outcome userimport.Outcome, r *Result) error {
	err := s.change(ctx, row, r, func(u *ent.UserImportUpdate) { u.SetOutcome(outcome).SetFinishedAt(s.Now()).ClearFileID() })
	if err != nil {
		return err
	}
	return s.Files.Release(ctx, row.FileID)
}

// fail ends an import that cannot be done, in the transaction of ctx. What was written of
// a partial one counts.
func (s *Service) fail(ctx context.Context, id int, why *errs.Error) error {
	row, err := ent.FromContext(ctx).UserImport.Get(ctx, id)
	if err != nil {
		return err
	}
	faults, err := decode(row.Faults)
	if err != nil {
		return err
	}
	r := &Result{Created: row.Created, Updated: row.Updated, More: row.FaultCount - len(faults)}
	return s.end(ctx, row, userimport.OutcomeFailed, r.with(append(faults, Fault{Fault: errs.Fault{Code: why.Code, Meta: why.Meta}})))
}

func encode(faults []Fault) (string, error) {
	list := make([]stored, len(faults))
	for i, f := range faults {
		list[i] = stored{f.Row, f.Column, f.Code, f.Reason, f.Meta}
	}
	text, err := json.Marshal(list)
	return string(text), err
}

func decode(text *string) (faults []Fault, err error) {
	if text == nil {
		return nil, nil
	}
	var list []stored
	in := json.NewDecoder(strings.NewReader(*text))
	in.UseNumber() // whole numbers are said as they are
	err = in.Decode(&list)
	for _, f := range list {
		faults = append(faults, Fault{Row: f.Row, Column: f.Column, Fault: errs.Fault{Field: f.Column, Code: f.Code, Reason: f.Reason, Meta: f.Meta}})
	}
	return faults, err
}

// cleanBatch is how many imports are looked up at once.
const cleanBatch = 100

// Clean ends the imports whose job ended without ending them, and deletes those whose
// time is over, with their files.
func (s *Service) Clean(ctx context.Context) error {
	left := userimport.And(userimport.OutcomeIsNil(), userimport.CreatedAtLT(s.Now().Add(-time.Hour)))
	err := s.each(ctx, left, func(ctx context.Context, row *ent.UserImport) error {
		j, err := s.show(ctx, row)
		if err != nil || j.Status != model.ImportStatusFailed {
			return err
		}
		return s.fail(ctx, row.ID, errs.New(errs.Unavailable, nil))
	})
	if err != nil {
		return err
	}
	return s.each(ctx, userimport.ExpiresAtLTE(s.Now()), func(ctx context.Context, row *ent.UserImport) error {
		if row.Outcome == nil {
			if err := s.end(ctx, row, userimport.OutcomeFailed, nil); err != nil {
				return err
			}
		}
		return ent.FromContext(ctx).UserImport.DeleteOneID(row.ID).Exec(ctx)
	})
}

// each runs a step for every import of some, in a transaction for each.
func (s *Service) each(ctx context.Context, some predicate.UserImport, step func(context.Context, *ent.UserImport) error) error {
	for last := 0; ; {
		list, err := s.DB.UserImport.Query().Where(some, userimport.IDGT(last)).Order(ent.Asc(userimport.FieldID)).Limit(cleanBatch).All(ctx)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, row := range list {
			last = row.ID
			err := tx.Run(ctx, s.DB, func(ctx context.Context) error { return step(ctx, row) })
			if err != nil && !errors.Is(err, errEnded) {
				return err
			}
		}
	}
}
