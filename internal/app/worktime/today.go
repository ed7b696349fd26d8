package worktime

import (
	"cmp"
	"context"
	"time"

	"workforce/graph/model"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A Service shows the viewer their day. Its methods are safe for concurrent use.
type Service struct {
	Now   func() time.Time    // UTC, to the microsecond
	Plans *scheduling.Planner // makes occurrences
}

// Today returns the viewer's attendance of today, by two statements, or three if an address has
// days off of its own.
func (s *Service) Today(ctx context.Context) (_ *model.AttendanceToday, err error) {
	defer errs.Step(&err, "worktime: read today")
	d, err := s.today(ctx)
	if err != nil {
		return nil, err
	}
	// A night before the date counts by the holidays of its own date.
	nights := timesheet.Period{From: d.date.AddDays(-2), To: d.date}
	me := viewer.From(ctx)
	if d.off, err = ReadDaysOff(ctx, Company{ID: me.CompanyID, Settings: me.Settings}, []int{d.user}, nights); err != nil {
		return nil, err
	}
	return d.attendance(), nil
}

// ShiftsToday returns the viewer's occurrences of today.
func (s *Service) ShiftsToday(ctx context.Context) (_ []*model.ShiftToday, err error) {
	defer errs.Step(&err, "worktime: read the shifts of today")
	d, err := s.today(ctx)
	if err != nil {
		return nil, err
	}
	return d.shifts(), nil
}

// OccurrencesToday returns the ids of the viewer's occurrences that start on the local date, or
// may be clocked in for now.
func (s *Service) OccurrencesToday(ctx context.Context) (_ []int, err error) {
	defer errs.Step(&err, "worktime: read the occurrences of today")
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.window(ctx, me)
	if err != nil {
		return nil, err
	}
	ids, now := []int{}, s.Now()
	for _, o := range w.occurrences {
		if o.Date >= string(w.from) && o.isToday(now) {
			ids = append(ids, o.ID)
		}
	}
	return ids, nil
}

// today reads the viewer's day, without what frees them from its work.
func (s *Service) today(ctx context.Context) (*day, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.window(ctx, me)
	if err != nil {
		return nil, err
	}
	d, err := newDay(s.Now(), cmp.Or(w.zone, me.Timezone), w)
	if err != nil {
		return nil, err
	}
	d.user, d.policy = me.UserID, timesheet.PolicyOf(me.Settings)
	return d, nil
}
