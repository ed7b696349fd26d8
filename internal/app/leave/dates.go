package leave

import (
	"context"
	"time"

	"workforce/graph/model"
	"workforce/internal/app/scheduling"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// checkPeriod adds the faults of the dates of a leave.
func checkPeriod(faults *errs.Faults, from, to string) timesheet.Period {
	if last := string(shift.Date(from).AddDays(worktime.LongestLeave - 1)); to < from || to > last {
		faults.Add("endsOn", errs.OutOfRange, errs.Meta{"min": from, "max": last})
	}
	return timesheet.Period{From: shift.Date(from), To: shift.Date(to)}
}

// A span is a period with what frees somebody from the work of its dates.
type span struct {
	timesheet.Period
	zone     *time.Location
	plan     shift.Plan
	free     *worktime.DaysOff
	site     int // where the person works, for free
	approved []timesheet.Leave
}

// readSpan reads what frees the viewer from the work of the dates of a period.
func (s *Service) readSpan(ctx context.Context, me *viewer.Viewer, p timesheet.Period) (*span, error) {
	spans, err := readSpans(ctx, worktime.Company{ID: me.CompanyID, Settings: me.Settings}, []int{me.UserID}, p)
	return spans[me.UserID], err
}

// readSpans reads what frees people of a company from the work of the dates of a period, in a
// number of statements that does not grow with them.
func readSpans(ctx context.Context, of worktime.Company, ids []int, p timesheet.Period) (map[int]*span, error) {
	people, table, err := scheduling.Load(viewer.System(ctx), of.ID, ids, p.From)
	if err != nil {
		return nil, err
	}
	free, err := worktime.ReadDaysOff(ctx, of, ids, p)
	if err != nil {
		return nil, err
	}
	spans := map[int]*span{}
	for id, person := range people {
		spans[id] = &span{
			Period: p, zone: shift.ZoneNamed(person.Zone, table.Company), plan: person.Plan,
			free: free, site: free.Site(id), approved: free.Leave(id),
		}
	}
	return spans, nil
}

// work returns what frees the person from the work of a date, leave left out. Where something
// plans their shifts, a date without one is a weekly off, and no other is.
func (s *span) work(d shift.Date) timesheet.Off {
	off := s.free.On(d, s.site)
	off.WeeklyOff = s.plan.DayOff(d, off.WeeklyOff)
	return off
}

// idle reports whether nothing is to be worked on a date, whatever leave there is.
func (s *span) idle(d shift.Date) bool {
	off := s.work(d)
	return off.WeeklyOff || off.Holiday == timesheet.Whole
}

// off returns what frees the person from the work of a date.
func (s *span) off(d shift.Date) timesheet.Off {
	off := s.work(d)
	var whole []timesheet.Leave
	for _, l := range s.approved {
		if l.Part() == timesheet.Whole {
			whole = append(whole, l)
		}
	}
	timesheet.FreeByLeave(&off, whole, d, s.zone)
	if off.WorkFromHome { // the day is taken all the same
		off.Leave = timesheet.Whole
	}
	return off
}

// dates parts the dates of the period by whether leave applies to them. Where no shift is
// planned, a weekly off is as a holiday.
func (s *span) dates(holidays bool) (applies, skipped []shift.Date) {
	return timesheet.Applicable(s.Period, func(d shift.Date) timesheet.Off {
		off := s.off(d)
		if off.WeeklyOff {
			off.Holiday = timesheet.Whole
		}
		return off
	}, holidays)
}

// reason says why leave does not apply to a date.
func (s *span) reason(d shift.Date) model.SkippedReason {
	switch off := s.off(d); {
	case off.Leave == timesheet.Whole:
		return model.SkippedReasonLeave
	case off.Holiday == timesheet.Whole:
		return model.SkippedReasonHoliday
	}
	return model.SkippedReasonWeeklyOff
}

// A Preview asks on which dates a leave would apply.
type Preview struct {
	StartsOn, EndsOn string
	IncludeHolidays  bool
}

// Preview returns on which dates of a period leave of the viewer's would apply.
func (s *Service) Preview(ctx context.Context, of Preview) (*model.LeavePreview, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	var faults errs.Faults
	p := checkPeriod(&faults, of.StartsOn, of.EndsOn)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	span, err := s.readSpan(ctx, me, p)
	if err != nil {
		return nil, err
	}
	applies, skipped := span.dates(of.IncludeHolidays)
	out := &model.LeavePreview{Dates: texts(applies), Skipped: []*model.SkippedDate{}}
	for _, d := range skipped {
		out.Skipped = append(out.Skipped, &model.SkippedDate{Date: string(d), Reason: span.reason(d)})
	}
	return out, nil
}

// texts returns dates as text.
func texts(dates []shift.Date) []string {
	out := make([]string, len(dates))
	for i, d := range dates {
		out[i] = string(d)
	}
	return out
}
