package privacy

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/ent/personexport"
	"workforce/graph/model"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/viewer"
)

const (
	// keptFor is how long the file of an export is kept, and how long a row waits for it.
	keptFor = 7 * 24 * time.Hour
	// sameFor is how long after its end an export is given to who asks for another.
	sameFor = 5 * time.Minute
	// linkLife is how long the link to a file is valid.
	linkLife = 5 * time.Minute
)

// An exportRequest is an export that a person asked for, with its job and its file, as far as
// these are there.
type exportRequest struct {
	*ent.PersonExport
	job  *ent.Job
	file *ent.File
}

// Ask has the viewer's own data exported by a job: the export that was asked for
// before, until five minutes after its end, else another in its place.
func (s *Service) Ask(ctx context.Context) (*model.DataExport, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	ctx = viewer.System(ctx)
	r, err := find(ctx, me.UserID)
	if err != nil {
		return nil, err
	}
	if r == nil || r.isOver(s.Now()) {
		if r != nil {
			err = s.drop(ctx, r.PersonExport)
		}
		if err == nil {
			r, err = s.queue(ctx, me)
		}
		if err != nil {
			return nil, err
		}
	}
	return s.show(r)
}

// Own returns the export that the viewer asked for last; nil for none, and once its file
// is deleted.
func (s *Service) Own(ctx context.Context) (*model.DataExport, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	r, err := find(viewer.System(ctx), me.UserID)
	if err != nil || r == nil || !s.Now().Before(r.ExpiresAt) {
		return nil, err
	}
	return s.show(r)
}

// find returns the export that a person asked for last; nil for none.
func find(ctx context.Context, user int) (*exportRequest, error) {
	db := ent.FromContext(ctx)
	row, err := db.PersonExport.Query().Where(personexport.UserID(user)).Only(ctx)
	if err != nil {
		return nil, policysql.IgnoreNotFound(err)
	}
	r := &exportRequest{PersonExport: row}
	if row.JobID != nil {
		if r.job, err = db.Job.Get(ctx, *row.JobID); policysql.IgnoreNotFound(err) != nil {
			return nil, err
		}
	}
	if row.FileID != nil {
		if r.file, err = db.File.Get(ctx, *row.FileID); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// isOver reports whether an export ended so long ago that another one may be made.
func (r *exportRequest) isOver(now time.Time) bool {
	ended := r.FinishedAt
	switch {
	case ended != nil:
	case r.job == nil: // it failed, and was deleted
		return true
	default:
		ended = r.job.FinishedAt
	}
	return ended != nil && !now.Before(ended.Add(sameFor))
}

// A making is the payload of a job.
type making struct{ Export int }

// makingKind is the kind of the jobs that make exports.
const makingKind = "person_export"

// exportUpsert writes the row of a person's export unless there is one.
var exportUpsert = database.Upsert{
	Table: personexport.Table,
	Columns: []string{
		personexport.FieldCompanyID, personexport.FieldUserID, personexport.FieldCreatedAt, personexport.FieldExpiresAt,
	},
	Key: []string{personexport.FieldUserID},
}

// queue writes the row of an export and its job, in the transaction of ctx. Of several
// requests of a person one does, and the others find it.
func (s *Service) queue(ctx context.Context, me *viewer.Viewer) (*exportRequest, error) {
	db, now := ent.FromContext(ctx), s.Now()
	err := exportUpsert.Exec(ctx, db, me.CompanyID, me.UserID, now, now.Add(keptFor))
	if err != nil {
		return nil, err
	}
	row, err := db.PersonExport.Query().Where(personexport.UserID(me.UserID)).Only(ctx)
	if err != nil {
		return nil, err
	}
	if row.JobID == nil {
		id, err := s.Jobs.Enqueue(ctx, job.Request{
			Kind: makingKind, Key: fmt.Sprint(makingKind, "-", row.ID), Company: me.CompanyID, CreatedBy: me.UserID, Payload: making{row.ID},
		})
		if err == nil {
			err = row.Update().SetJobID(id).Exec(ctx)
		}
		if err == nil {
			err = s.Audit.Record(ctx, audit.Event{Action: audit.UserExported, Company: me.CompanyID, Subject: ent.TypeUser, ID: me.UserID})
		}
		if err != nil {
			return nil, err
		}
	}
	return find(ctx, me.UserID)
}

// drop deletes an export with its file, in the transaction of ctx, unless it changed
// meanwhile.
func (s *Service) drop(ctx context.Context, row *ent.PersonExport) error {
	same := personexport.FileIDIsNil()
	if row.FileID != nil {
		same = personexport.FileID(*row.FileID)
	}
	n, err := ent.FromContext(ctx).PersonExport.Delete().Where(personexport.ID(row.ID), same).Exec(ctx)
	if err != nil || n == 0 {
		return err
	}
	return s.Files.Release(ctx, row.FileID)
}

// show returns an export as the person sees it, with a new link once it is done.
func (s *Service) show(r *exportRequest) (*model.DataExport, error) {
	out := &model.DataExport{ID: r.ID, Status: model.DataExportStatusFailed, CreatedAt: r.CreatedAt}
	if r.file != nil {
		saveAs := "export-" + r.CreatedAt.UTC().Format(time.DateOnly)
		url, err := s.Objects.Temporary(r.file.Name, saveAs, linkLife)
		seconds := int(linkLife / time.Second)
		out.Status, out.Progress, out.ExpiresAt, out.Size, out.URL, out.ExpiresIn = model.DataExportStatusDone, 100, &r.ExpiresAt, &r.file.Size, &url, &seconds
		return out, err
	}
	if r.job == nil {
		return out, nil
	}
	switch r.job.State {
	case entJob.StateQueued:
		out.Status = model.DataExportStatusQueued
	case entJob.StateRunning:
		out.Status = model.DataExportStatusRunning
	}
	if r.job.Total > 0 {
		out.Progress = 100 * r.job.Progress / r.job.Total
	}
	return out, nil
}

// Making makes the file of an export that a person asked for.
func (s *Service) Making() job.Kind {
	return job.Kind{Name: makingKind, Run: func(ctx context.Context, r *job.Run) error {
		var p making
		if err := r.Payload(&p); err != nil {
			return err
		}
		row, err := s.DB.PersonExport.Get(ctx, p.Export)
		if err != nil || row.FileID != nil { // deleted meanwhile, or made before its instance died
			return policysql.IgnoreNotFound(err)
		}
		if err := s.make(ctx, r, row); !errors.Is(err, errDropped) {
			return err
		}
		return nil
	}}
}

// errDropped is the error of making an export that was deleted meanwhile. The files
// service erases what nobody names.
var errDropped = errors.New("export: it was deleted meanwhile")

// make makes the file of an export. What a run that is stopped leaves is named by no row.
func (s *Service) make(ctx context.Context, r *job.Run, row *ent.PersonExport) error {
	out, err := os.CreateTemp("", "export")
	if err != nil {
		return err
	}
	defer out.Close()
	if err := os.Remove(out.Name()); err != nil { // nothing is left of it, however the process ends
		return err
	}
	progress := func(done, total int) error { return r.Progress(ctx, done, total) }
	if err := s.person(ctx, out, row.CompanyID, row.UserID, progress); err != nil {
		return err
	}
	f, err := s.Files.PutFile(ctx, row.CompanyID, mediaType, out)
	if err != nil {
		return err
	}
	return r.Commit(ctx, func(ctx context.Context) error {
		if err := s.Files.Use(ctx, f.ID); err != nil {
			return err
		}
		now := s.Now()
		n, err := ent.FromContext(ctx).PersonExport.Update().Where(personexport.ID(row.ID), personexport.FileIDIsNil()).
			SetFileID(f.ID).SetFinishedAt(now).SetExpiresAt(now.Add(keptFor)).Save(ctx)
		if err == nil && n == 0 {
			err = errDropped
		}
		return err
	})
}

// cleanBatch is how many exports are looked up at once.
const cleanBatch = 100

// Clean deletes the exports whose time is over, with their files.
func (s *Service) Clean(ctx context.Context) error {
	for {
		due, err := s.DB.PersonExport.Query().Where(personexport.ExpiresAtLTE(s.Now())).Limit(cleanBatch).All(ctx)
		if err != nil {
			return err
		}
		for _, row := range due {
			if err := tx.Run(ctx, s.DB, func(ctx context.Context) error { return s.drop(ctx, row) }); err != nil {
				return err
			}
		}
		if len(due) < cleanBatch {
			return nil
		}
	}
}
