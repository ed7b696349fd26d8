package report

import (
	"context"
	"strconv"
	"time"

	"workforce/ent"
	entReport "workforce/ent/report"
	"workforce/ent/reportschedule"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/auth/credential"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

const (
	// maxSchedules is how many schedules a person has.
	maxSchedules = 20
	// dueHour is the local hour at which scheduled reports are made, after the week or month.
	dueHour = 6
	// dueInterval is how often due schedules are looked for.
	dueInterval = time.Minute
)

// CreateSchedule has reports made for a person after each week or month, and returns the id of
// the schedule. FORBIDDEN on recipientId for somebody to whom the viewer may not have reports
// sent, and for one who does not read what the reports show.
func (s *Service) CreateSchedule(ctx context.Context, in model.CreateReportScheduleInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	q := question{
		owner: me.UserID, company: me.CompanyID, kind: in.Kind, format: formatOf(in.Format.Value()),
		subject: in.UserID.Value(), project: in.ProjectID.Value(),
	}
	if id := in.RecipientID.Value(); id != nil {
		q.owner = *id
	}
	if err := s.checkSchedule(ctx, me, q); err != nil {
		return 0, err
	}
	due, err := nextDue(me.Timezone, setting.FirstWeekday.Of(me.Settings), in.Every, s.Now())
	if err != nil {
		return 0, err
	}
	made, err := ent.FromContext(ctx).ReportSchedule.Create().SetCompanyID(me.CompanyID).SetUserID(q.owner).SetCreatedBy(me.UserID).
		SetKind(reportschedule.Kind(q.kind)).SetFormat(reportschedule.Format(q.format)).SetNillableSubjectID(q.subject).SetNillableProjectID(q.project).
		SetEvery(in.Every).SetDueAt(due).SetCreatedAt(s.Now()).Save(ctx)
	if err != nil {
		return 0, err
	}
	return made.ID, nil
}

// check returns why a schedule is refused.
func (s *Service) checkSchedule(ctx context.Context, me *viewer.Viewer, q question) error {
	if err := q.check(ctx, me); err != nil { // the viewer learns nothing of whom they do not read
		return err
	}
	if q.owner != me.UserID {
		seen, err := ent.FromContext(ctx).User.Query().Where(user.ID(q.owner)).Exist(ctx)
		if err := input.Referenced("recipientId", seen, err); err != nil {
			return err
		}
		if err := mayChange(ctx, me, q.owner); err != nil {
			return refusedRecipient(err)
		}
		reader, err := credential.Holder(ctx, q.owner, s.Now())
		if err != nil {
			return refusedRecipient(err)
		}
		if err := q.check(ctx, reader); err != nil {
			return refusedRecipient(err)
		}
	}
	if err := scheduling.Lock(viewer.System(ctx), me.CompanyID, []int{q.owner}); err != nil {
		return err
	}
	n, err := ent.FromContext(ctx).ReportSchedule.Query().Where(reportschedule.UserID(q.owner)).Count(viewer.System(ctx))
	if err == nil && n >= maxSchedules {
		err = errs.Conflicts(errs.LimitReached, "", errs.Meta{"max": maxSchedules})
	}
	return err
}

// refusedRecipient returns FORBIDDEN on recipientId for a person who is not reached, or who does
// not read what the reports show, and any other error as it is.
func refusedRecipient(err error) error {
	if errs.Is(err, errs.Forbidden) || errs.Is(err, errs.NotFound) {
		return errs.Field(errs.Forbidden, "recipientId", nil)
	}
	return err
}

func ignore(err error) error {
	if ent.IsNotFound(err) {
		return nil
	}
	return err
}

// changeable returns a schedule. FORBIDDEN for one that the viewer sees and does not change.
func (s *Service) changeableSchedule(ctx context.Context, me *viewer.Viewer, id int) (*ent.ReportSchedule, error) {
	found, err := ent.FromContext(ctx).ReportSchedule.Query().Where(reportschedule.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	return found, mayChange(ctx, me, found.UserID)
}

// UpdateSchedule changes a schedule. FORBIDDEN for one that the viewer sees and does not change. What
// was due while it was not active is left out.
func (s *Service) UpdateSchedule(ctx context.Context, id int, in model.UpdateReportScheduleInput) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	old, err := s.changeableSchedule(ctx, me, id)
	if err != nil {
		return err
	}
	u := old.Update()
	every, active := old.Every, old.Active
	if e := in.Every.Value(); e != nil {
		every = *e
	}
	if a := in.Active.Value(); a != nil {
		active = *a
	}
	if every != old.Every || active && !old.Active {
		due, err := nextDue(me.Timezone, setting.FirstWeekday.Of(me.Settings), every, s.Now())
		if err != nil {
			return err
		}
		u.SetDueAt(due)
	}
	return u.SetEvery(every).SetActive(active).Exec(ctx)
}

// DeleteSchedule deletes a schedule. FORBIDDEN for one that the viewer sees and does not change.
func (s *Service) DeleteSchedule(ctx context.Context, id int) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	if _, err := s.changeableSchedule(ctx, me, id); err != nil {
		return err
	}
	return ent.FromContext(ctx).ReportSchedule.DeleteOneID(id).Exec(ctx)
}

// nextDue returns when the next week or month has ended in a zone, and its reports are due.
func nextDue(timezone string, firstWeekday int, every reportschedule.Every, now time.Time) (time.Time, error) {
	zone, err := shift.Zone(timezone)
	if err != nil {
		return time.Time{}, err
	}
	d := timesheet.DateOf(now, zone)
	for first := start(d, firstWeekday, every); ; first = start(unit(first, firstWeekday, every).To.AddDays(1), firstWeekday, every) {
		if due := dueOn(first, zone); due.After(now) {
			return due, nil
		}
	}
}

// dueOn returns when reports are due on a date.
func dueOn(d shift.Date, zone *time.Location) time.Time {
	midnight := d.In(zone)
	return time.Date(midnight.Year(), midnight.Month(), midnight.Day(), dueHour, 0, 0, 0, zone).UTC()
}

// unit returns the week or month of a date.
func unit(d shift.Date, firstWeekday int, every reportschedule.Every) timesheet.Period {
	if every == reportschedule.EveryWeek {
		return timesheet.Week(d, firstWeekday)
	}
	return timesheet.Month(d)
}

func start(d shift.Date, firstWeekday int, every reportschedule.Every) shift.Date {
	return unit(d, firstWeekday, every).From
}

// Asking asks for the reports that are due: once for each week or month, those that were
// missed too.
func (s *Service) Asking() job.Kind {
	return job.Kind{Name: "report_schedules", Every: dueInterval, Run: func(ctx context.Context, _ *job.Run) error {
		for last := 0; ; {
			due, err := s.DB.ReportSchedule.Query().Where(reportschedule.IDGT(last), reportschedule.Active(true), reportschedule.DueAtLTE(s.Now())).
				Order(ent.Asc(reportschedule.FieldID)).Limit(cleanBatch).All(ctx)
			if err != nil || len(due) == 0 {
				return err
			}
			for _, sched := range due {
				last = sched.ID
				for more := true; more && err == nil; {
					err = tx.Run(ctx, s.DB, func(ctx context.Context) (err error) {
						more, err = s.askDue(ctx, sched.ID)
						return err
					})
				}
				if err != nil {
					return err
				}
			}
		}
	}}
}

// askDue asks for the report of a schedule that is due, in the transaction of ctx, and reports
// whether there was one.
func (s *Service) askDue(ctx context.Context, id int) (bool, error) {
	db, now := ent.FromContext(ctx), s.Now()
	sched, err := db.ReportSchedule.Query().
		Where(reportschedule.ID(id), reportschedule.Active(true), reportschedule.DueAtLTE(now)).Only(ctx)
	if err != nil {
		return false, ignore(err)
	}
	c, err := db.Company.Get(ctx, sched.CompanyID)
	if err != nil {
		return false, err
	}
	zone, err := shift.Zone(c.Timezone)
	if err != nil {
		return false, err
	}
	first := setting.FirstWeekday.Of(c.Settings)
	next, err := nextDue(c.Timezone, first, sched.Every, sched.DueAt)
	if err != nil {
		return false, err
	}
	n, err := db.ReportSchedule.Update().Where(reportschedule.ID(id), reportschedule.DueAt(sched.DueAt)).SetDueAt(next).SetMadeAt(now).Save(ctx)
	if err != nil || n == 0 { // another instance was faster
		return false, err
	}
	me, err := credential.Holder(ctx, sched.UserID, now)
	if errs.Is(err, errs.Forbidden) { // nobody reads it any more
		return true, nil
	}
	if err != nil {
		return false, err
	}
	ended := unit(timesheet.DateOf(sched.DueAt, zone).AddDays(-1), first, sched.Every)
	q := question{
		owner: sched.UserID, company: sched.CompanyID, kind: entReport.Kind(sched.Kind), format: entReport.Format(sched.Format), subject: sched.SubjectID, project: sched.ProjectID,
		period: ended, language: languageOf(me.Locale), zone: c.Timezone, schedule: &sched.ID,
	}
	if id, err := s.same(ctx, q); id != 0 || err != nil {
		return true, err
	}
	_, err = s.queue(ctx, q)
	return true, err
}

// link returns where the file of a report is, for who has an access token.
func (s *Service) link(id int) string {
	return s.PublicURL + "/task/report/" + strconv.Itoa(id) + "/download"
}
