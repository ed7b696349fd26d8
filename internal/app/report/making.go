package report

import (
	"bytes"
	"context"
	stdsql "database/sql"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"

	"workforce/ent"
	entReport "workforce/ent/report"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/job"
	"workforce/internal/app/policysql"
	"workforce/internal/app/tx"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/report"
	"workforce/internal/report/pdf"
	"workforce/internal/report/workbook"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// attempts is how often a report is tried.
const attempts = 3

// mediaTypes are those of the formats.
var mediaTypes = map[entReport.Format]string{
	entReport.FormatCsv: "text/csv", entReport.FormatPdf: "application/pdf",
	entReport.FormatXlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}

// errEnded is the error of making a report that was cancelled or deleted meanwhile. The files
// service erases what nobody names.
var errEnded = errors.New("report: it has ended")

// Making makes the files of reports.
func (s *Service) Making() job.Kind {
	return job.Kind{Name: makingKind, Attempts: attempts, Run: func(ctx context.Context, r *job.Run) error {
		var p making
		if err := r.Payload(&p); err != nil {
			return err
		}
		asked, err := s.DB.Report.Get(ctx, p.Report)
		if err != nil || asked.FinishedAt != nil { // deleted or cancelled meanwhile, or made before its instance died
			return policysql.IgnoreNotFound(err)
		}
		err = s.make(ctx, r, asked)
		code := errs.CodeOf(err)
		final := r.Attempt >= attempts || code != errs.Internal && code != errs.Unavailable
		switch {
		case errors.Is(err, errEnded):
			return nil
		case err != nil && final && ctx.Err() == nil:
			return errors.Join(err, s.fail(ctx, asked, code))
		}
		return err
	}}
}

// fail ends a report that cannot be made.
func (s *Service) fail(ctx context.Context, r *ent.Report, why errs.Code) error {
	return tx.Run(ctx, s.DB, func(ctx context.Context) error {
		n, err := ent.FromContext(ctx).Report.Update().Where(unfinished(r.ID)).
			SetStatus(entReport.StatusFailed).SetFailure(why.String()).SetFinishedAt(s.Now()).Save(ctx)
		if err == nil && n > 0 {
			s.changed(ctx, r)
		}
		return err
	})
}

// questionOf returns what a report was asked for.
func questionOf(r *ent.Report) question {
	return question{
		owner: r.UserID, company: r.CompanyID, kind: r.Kind, format: r.Format, subject: r.SubjectID, project: r.ProjectID,
		period:   timesheet.Period{From: shift.Date(r.FromDate), To: shift.Date(r.ToDate)},
		language: r.Language, zone: r.Timezone, mark: r.ByteOrderMark, schedule: r.ScheduleID,
	}
}

// make makes the file of a report as its owner reads now what it shows: FORBIDDEN where they
// do not any more. What a run that is stopped leaves is named by no row.
func (s *Service) make(ctx context.Context, r *job.Run, asked *ent.Report) error {
	me, err := credential.Holder(ctx, asked.UserID, s.Now())
	if err != nil {
		return err
	}
	if scopeOf(me, asked.Kind) == viewer.None {
		return errs.New(errs.Forbidden, nil)
	}
	if err := s.update(ctx, r, asked, func(u *ent.ReportUpdate) { u.SetStatus(entReport.StatusRunning).SetProgress(0) }); err != nil {
		return err
	}
	b := s.building(me, questionOf(asked), nil)
	percent := 0
	b.progress = func(done, total int) error {
		now := 95 * done / max(total, 1)
		if now < percent+5 {
			return nil
		}
		percent = now
		return s.update(ctx, r, asked, func(u *ent.ReportUpdate) { u.SetProgress(percent) })
	}
	f, err := b.store(ctx)
	if err != nil {
		return err
	}
	return r.Commit(ctx, func(ctx context.Context) error { return b.finish(ctx, asked, f) })
}

// store makes the file of a report.
func (b *building) store(ctx context.Context) (*ent.File, error) {
	out, err := os.CreateTemp("", "report")
	if err != nil {
		return nil, err
	}
	defer out.Close()
	if err := os.Remove(out.Name()); err != nil { // nothing is left of it, however the process ends
		return nil, err
	}
	if err := b.write(ctx, out); err != nil {
		return nil, err
	}
	return b.Files.PutFile(ctx, b.company, mediaTypes[b.format], out)
}

// Seed makes a report of somebody's own at once, in a new company.
func (s *Service) Seed(ctx context.Context, userID int, kind entReport.Kind, p timesheet.Period) error {
	ctx = viewer.System(ent.NewContext(ctx, s.DB))
	me, err := credential.Holder(ctx, userID, s.Now())
	if err != nil {
		return err
	}
	b := s.building(me, question{
		owner: userID, company: me.CompanyID, kind: kind, format: entReport.FormatXlsx, period: p, language: languageOf(me.Locale), zone: me.Timezone,
	}, nil)
	f, err := b.store(ctx)
	if err != nil {
		return err
	}
	return tx.Run(ctx, s.DB, func(ctx context.Context) error {
		asked, err := s.create(ctx, b.question)
		if err != nil {
			return err
		}
		return b.finish(ctx, asked, f)
	})
}

// update changes a report that has not ended, while the run has its lease.
func (s *Service) update(ctx context.Context, r *job.Run, asked *ent.Report, set func(*ent.ReportUpdate)) error {
	return r.Commit(ctx, func(ctx context.Context) error {
		u := ent.FromContext(ctx).Report.Update().Where(unfinished(asked.ID))
		set(u)
		n, err := u.Save(ctx)
		if err == nil && n == 0 {
			err = errEnded
		}
		s.changed(ctx, asked)
		return err
	})
}

// finish names the file, and tells the person of a scheduled report, in the transaction of ctx.
func (b *building) finish(ctx context.Context, asked *ent.Report, f *ent.File) error {
	made, err := json.Marshal(reachOf(b.me, asked.Kind))
	if err != nil {
		return err
	}
	if err := b.Files.Use(ctx, f.ID); err != nil {
		return err
	}
	now := b.Now()
	n, err := ent.FromContext(ctx).Report.Update().Where(unfinished(asked.ID), entReport.FileIDIsNil()).
		SetStatus(entReport.StatusDone).SetProgress(100).SetRows(b.rows).SetSize(f.Size).SetReach(string(made)).
		SetFileID(f.ID).SetObject(f.Name).SetFinishedAt(now).SetExpiresAt(now.Add(keptFor)).Save(ctx)
	if err == nil && n == 0 {
		err = errEnded
	}
	if err == nil && asked.ScheduleID != nil {
		err = b.tell(ctx, asked)
	}
	b.changed(ctx, asked)
	return err
}

// tell tells the owner of a report where it is.
func (b *building) tell(ctx context.Context, r *ent.Report) error {
	u, err := ent.FromContext(ctx).User.Get(ctx, r.UserID)
	if err != nil {
		return err
	}
	return b.Notify.Notify(ctx, u, message.ReportReady, message.Facts{
		Title: b.words.of(string(r.Kind)) + " " + r.FromDate + " - " + r.ToDate,
		Link:  b.link(r.ID),
	})
}

// write writes a report, read in one transaction that sees one state of the database.
func (b *building) write(ctx context.Context, out io.Writer) error {
	tx, err := b.DB.BeginTx(ctx, &stdsql.TxOptions{Isolation: stdsql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it changed nothing
	ctx = viewer.NewContext(ent.NewContext(ctx, tx.Client()), b.me)
	company, err := tx.Company.Query().Only(ctx)
	if err != nil {
		return err
	}
	logo, err := b.logo(ctx, company)
	if err != nil {
		return err
	}
	h, err := b.head(ctx, company, logo)
	if err != nil {
		return err
	}
	w, err := b.writer(out, h)
	if err != nil {
		return err
	}
	b.emit = w.Row
	summary, err := b.each(ctx)
	if err != nil {
		return err
	}
	return w.Close(summary)
}

// writer returns the writer of the format of a report.
func (b *building) writer(out io.Writer, h report.Head) (report.Writer, error) {
	switch b.format {
	case entReport.FormatPdf:
		return pdf.New(out, h, b.Now(), b.Fonts)
	case entReport.FormatCsv:
		return report.NewCSV(out, h, b.mark)
	}
	return workbook.New(out, h, b.Now())
}

// logo returns the company's logo if it is in the store; nil for the default.
func (b *building) logo(ctx context.Context, c *ent.Company) ([]byte, error) {
	name, ok := strings.CutPrefix(c.Logo, blob.Ref(""))
	if !ok {
		return nil, nil
	}
	in, err := b.Objects.Get(ctx, name)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, &errs.Error{Code: errs.Unavailable, Err: err}
	}
	defer in.Close()
	var data bytes.Buffer
	_, err = data.ReadFrom(in)
	return data.Bytes(), err
}
