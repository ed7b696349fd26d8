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

// A span is a period with what frees the viewer from the work of its dates.
type span struct {
	timesheet.Period
	zone     *time.Location
	plan     shift.Plan
	free     *worktime.DaysOff
	site     int // where the viewer works, for free
	approved []timesheet.Leave
}

// readSpan reads what frees the viewer from the work of the dates of a period.
func (s *Service) readSpan(ctx context.Context, me *viewer.Viewer, p timesheet.Period) (*span, error) {
	out := &span{Period: p}
	people, table, err := scheduling.Load(viewer.System(ctx), me.CompanyID, []int{me.UserID}, p.From)
	if err != nil {
		return nil, err
	}
	out.zone = shift.ZoneNamed(table.Company)
	if person := people[me.UserID]; person != nil {
		out.plan = person.Plan
		if person.Zone != "" {
			out.zone = shift.ZoneNamed(person.Zone)
		}
	}
	if out.free, err = worktime.ReadDaysOff(ctx, worktime.Company{ID: me.CompanyID, Settings: me.Settings}, []int{me.UserID}, p); err != nil {
		return nil, err
	}
	out.site, out.approved = out.free.Site(me.UserID), out.free.Leave(me.UserID)
	return out, nil
}

// off returns what frees the viewer from the work of a date. A weekly off on which a shift
// is planned is none.
func (s *span) off(d shift.Date) (off timesheet.Off) {
	off = s.free.On(d, s.site)
	off.WeeklyOff = off.WeeklyOff && len(s.plan.On(d)) == 0
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
