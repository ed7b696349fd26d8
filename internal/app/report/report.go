// Package report is the use cases of reports: files of what somebody may read, which jobs
// make, and the schedules by which they are made again.
package report

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"workforce/ent"
	"workforce/ent/predicate"
	entProject "workforce/ent/project"
	entReport "workforce/ent/report"
	"workforce/graph/model"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/live"
	"workforce/internal/app/notify"
	"workforce/internal/app/policysql"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/timesheets"
	"workforce/internal/app/timetotals"
	"workforce/internal/blob"
	"workforce/internal/errs"
	"workforce/internal/report/pdf"
	"workforce/internal/request"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

const (
	// keptFor is how long the file of a report is kept.
	keptFor = 7 * 24 * time.Hour
	// sameFor is how long after its end a report is given to who asks for it again.
	sameFor = 5 * time.Minute
	// linkLife is how long the link to a file is valid.
	linkLife = 5 * time.Minute
	// maxOwn is how many reports of a person are made at once, or wait; maxCompany how many
	// of a company.
	maxOwn, maxCompany = 5, 200
	// retryAfter is when a report may be there that is being made.
	retryAfter = 2 * time.Second
)

// A Service makes reports. Its methods are safe for concurrent use.
type Service struct {
	DB      *ent.Client
	Now     func() time.Time // UTC, to the microsecond
	Jobs    *job.Runner
	Files   *files.Service
	Objects *blob.Store
	Sheets  *timesheets.Service
	Booked  *timetotals.Service
	Notify  *notify.Service
	Live    *live.Service
	Fonts   *pdf.Fonts // nil for those that are built in
	// PublicURL is the base of the links that messages have.
	PublicURL string
}

// A question is what a report shows, and for whom.
type question struct {
	owner, company   int
	kind             entReport.Kind
	format           entReport.Format
	subject, project *int // nil for all
	period           timesheet.Period
	language         string
	zone             string
	mark             bool
	schedule         *int // that asks; nil for the owner
}

// key identifies the question, and who asks it.
func (q question) key() []byte {
	text := fmt.Sprintf("%d|%s|%s|%d|%d|%s|%s|%s|%s|%t|%d", q.owner, q.kind, q.format, input.Value(q.subject), input.Value(q.project),
		q.period.From, q.period.To, q.language, q.zone, q.mark, input.Value(q.schedule))
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// Generate has a report made of what the viewer reads, and returns its id: that of the same
// report until five minutes after its end.
func (s *Service) Generate(ctx context.Context, in model.GenerateReportInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	q, err := s.read(ctx, me, in)
	if err != nil {
		return 0, err
	}
	if id, err := s.same(ctx, q); id != 0 || err != nil {
		return id, err
	}
	if err := s.fits(ctx, me, q); err != nil {
		return 0, err
	}
	if err := scheduling.Lock(viewer.System(ctx), me.CompanyID, []int{me.UserID}); err != nil {
		return 0, err
	}
	if id, err := s.same(ctx, q); id != 0 || err != nil { // asked for by another request meanwhile
		return id, err
	}
	if err := s.bounded(ctx, q); err != nil {
		return 0, err
	}
	return s.queue(ctx, q)
}

// read checks what is asked for.
func (s *Service) read(ctx context.Context, me *viewer.Viewer, in model.GenerateReportInput) (question, error) {
	q := question{
		owner: me.UserID, company: me.CompanyID, kind: entReport.KindTask, format: formatOf(in.Format.Value()), zone: me.Timezone,
		language: languageOf(cmp.Or(request.From(ctx).Language, me.Locale)), subject: in.UserID.Value(), project: in.ProjectID.Value(),
		mark: in.ByteOrderMark.Value() != nil && *in.ByteOrderMark.Value(),
	}
	if k := in.Kind.Value(); k != nil {
		q.kind = *k
	}
	var err error
	if q.period, err = s.Sheets.Dates(ctx, boundOf(in.From.Value()), boundOf(in.To.Value())); err != nil {
		return q, err
	}
	return q, q.check(ctx, me)
}

// formatOf returns a format that was asked for, a workbook by default.
func formatOf(sent *entReport.Format) entReport.Format {
	if sent == nil {
		return entReport.FormatXlsx
	}
	return *sent
}

// check returns why a viewer does not get the report of a question: FORBIDDEN for its kind,
// NOT_FOUND on userId or projectId.
func (q question) check(ctx context.Context, me *viewer.Viewer) error {
	if scopeOf(me, q.kind) == viewer.None {
		return errs.Field(errs.Forbidden, "kind", nil)
	}
	if q.subject != nil {
		found, err := isReadable(ctx, me, q.kind, *q.subject)
		if err := input.Referenced("userId", found, err); err != nil {
			return err
		}
	}
	if q.project == nil {
		return nil
	}
	if q.kind != entReport.KindTask {
		return errs.Because("projectId", errs.Excludes, errs.Meta{"other": "kind"})
	}
	found, err := ent.FromContext(ctx).Project.Query().Where(entProject.ID(*q.project)).Exist(viewer.NewContext(ctx, me))
	return input.Referenced("projectId", found, err)
}

// same returns the report of a question that is being made, or ended less than five minutes
// ago; 0 for none. It lets go of one that ended before.
func (s *Service) same(ctx context.Context, q question) (int, error) {
	ctx = viewer.System(ctx)
	former, err := ent.FromContext(ctx).Report.Query().Where(entReport.Key(q.key())).Only(ctx)
	if err != nil {
		return 0, policysql.IgnoreNotFound(err)
	}
	if former.FinishedAt == nil || s.Now().Before(former.FinishedAt.Add(sameFor)) {
		return former.ID, nil
	}
	return 0, ent.FromContext(ctx).Report.Update().Where(entReport.ID(former.ID), entReport.FinishedAtNotNil()).ClearKey().Exec(ctx)
}

// fits returns VALIDATION_FAILED on format for a PDF with too many rows.
func (s *Service) fits(ctx context.Context, me *viewer.Viewer, q question) error {
	if q.format != entReport.FormatPdf {
		return nil
	}
	n := 0
	b := s.building(me, q, func([]cell) error {
		if n++; n > pdf.MaxRows {
			return errLong
		}
		return nil
	})
	_, err := b.each(ctx)
	return err
}

// errLong is the error of a PDF with too many rows.
var errLong = errs.Because("format", errs.TooMany, errs.Meta{"max": pdf.MaxRows})

// bounded returns RATE_LIMITED where as many reports are being made as may be.
func (s *Service) bounded(ctx context.Context, q question) error {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx).Report
	for _, bound := range []struct {
		query *ent.ReportQuery
		most  int
	}{{db.Query().Where(entReport.UserID(q.owner)), maxOwn}, {db.Query(), maxCompany}} {
		n, err := bound.query.Where(entReport.CompanyID(q.company), entReport.StatusIn(entReport.StatusQueued, entReport.StatusRunning)).Count(ctx)
		if err != nil {
			return err
		}
		if n >= bound.most {
			return errs.Limited(time.Minute, errs.Meta{"limit": bound.most})
		}
	}
	return nil
}

// A making is the payload of a job.
type making struct{ Report int }

// makingKind is the kind of the jobs that make reports.
const makingKind = "report"

// create writes the row of a report, in the transaction of ctx.
func (s *Service) create(ctx context.Context, q question) (*ent.Report, error) {
	now := s.Now()
	return ent.FromContext(ctx).Report.Create().SetCompanyID(q.company).SetUserID(q.owner).SetKind(q.kind).SetFormat(q.format).
		SetNillableSubjectID(q.subject).SetNillableProjectID(q.project).SetFromDate(string(q.period.From)).SetToDate(string(q.period.To)).
		SetLanguage(q.language).SetTimezone(q.zone).SetByteOrderMark(q.mark).SetNillableScheduleID(q.schedule).
		SetKey(q.key()).SetCreatedAt(now).SetExpiresAt(now.Add(keptFor)).Save(viewer.System(ctx))
}

// queue writes a report and its job, in the transaction of ctx.
func (s *Service) queue(ctx context.Context, q question) (int, error) {
	ctx = viewer.System(ctx)
	r, err := s.create(ctx, q)
	if err != nil {
		return 0, err
	}
	id, err := s.Jobs.Enqueue(ctx, job.Request{
		Kind: makingKind, Key: fmt.Sprint(makingKind, "-", r.ID), Company: q.company, CreatedBy: q.owner, Payload: making{r.ID},
	})
	if err == nil {
		err = r.Update().SetJobID(id).Exec(ctx)
	}
	s.changed(ctx, r)
	return r.ID, err
}

// changed tells who listens of a report, once the transaction of ctx is committed.
func (s *Service) changed(ctx context.Context, r *ent.Report) {
	s.Live.ReportChanged(ctx, r.CompanyID, r.ID, r.UserID)
}

// unfinished matches the report if it has not ended.
func unfinished(id int) predicate.Report {
	return entReport.And(entReport.ID(id), entReport.StatusIn(entReport.StatusQueued, entReport.StatusRunning))
}

// Cancel ends the making of a report. FORBIDDEN for one of a person whose reports the viewer
// does not change; CONFLICT for one that ended.
func (s *Service) Cancel(ctx context.Context, id int) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	r, err := ent.FromContext(ctx).Report.Query().Where(entReport.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	if err := mayChange(ctx, me, r.UserID); err != nil {
		return err
	}
	ctx = viewer.System(ctx)
	n, err := ent.FromContext(ctx).Report.Update().Where(unfinished(id)).
		SetStatus(entReport.StatusCancelled).SetFinishedAt(s.Now()).ClearKey().Save(ctx)
	if err == nil && n == 0 {
		err = errs.Conflicts(errs.Ended, "", errs.Meta{"state": string(r.Status)})
	}
	if err == nil && r.JobID != nil {
		_, err = s.Jobs.Cancel(ctx, r.CompanyID, *r.JobID)
	}
	s.changed(ctx, r)
	return err
}

// Ready returns why the viewer does not get the file of a report: FORBIDDEN for those of
// others, and where they may not read any more what it shows; REPORT_NOT_READY before it is
// there, and for one that failed or was cancelled.
func (s *Service) Ready(ctx context.Context, id int) error {
	r, err := ent.FromContext(ctx).Report.Query().Where(entReport.ID(id), entReport.ExpiresAtGT(s.Now())).Only(ctx)
	switch {
	case err != nil:
		return err
	case !mayGet(viewer.From(ctx), r):
		return errs.New(errs.Forbidden, nil)
	case r.Status == entReport.StatusDone:
		return nil
	}
	late := errs.New(errs.ReportNotReady, errs.Meta{"status": string(r.Status)})
	if r.FinishedAt == nil {
		late.RetryAfter = retryAfter
	}
	return late
}

// Link returns a link to the file of a report; nil for those who do not get it, and before
// it is there.
func (s *Service) Link(ctx context.Context, r *ent.Report) (*string, error) {
	if r.Object == nil || !mayGet(viewer.From(ctx), r) || !s.Now().Before(r.ExpiresAt) {
		return nil, nil
	}
	link, err := s.Objects.Temporary(*r.Object, FileName(r), linkLife)
	return &link, err
}

// LinkSeconds returns for how long the link of Link is valid; nil without one.
func (s *Service) LinkSeconds(ctx context.Context, r *ent.Report) (*int, error) {
	link, err := s.Link(ctx, r)
	if link == nil {
		return nil, err
	}
	return new(int(linkLife / time.Second)), err
}

// FileName returns the name under which the file of a report is saved.
func FileName(r *ent.Report) string {
	return fmt.Sprintf("%s-%s-%s.%s", r.Kind, r.FromDate, r.ToDate, r.Format)
}
