package attendance

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	"workforce/internal/app/dayoff"
	"workforce/internal/app/plan"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// A roster is a user's roster window: their occurrences and attendances from two
// days ago until in two days, since no zone is more than a day away.
type roster struct {
	occurrences []*ent.EmployeeShift // by start
	attendances []*ent.Attendance    // by start, each with its occurrence; since the open one if that is older
	holidays    []dayoff.Holiday     // of the company
	leave       []timeoff.Leave      // approved
	bounds      timesheet.Bounds     // first and last day of work
	until       string               // the last date for which occurrences were made; "" for none
	zone        string               // of the user's work site, an IANA name; "" for the company's
}

// roster returns a user's roster window. Occurrences that are planned for yesterday,
// today and tomorrow are made first.
func (s *Service) roster(ctx context.Context, me *viewer.Viewer) (*roster, error) {
	found, err := s.readRoster(ctx, me)
	if err != nil || shift.Date(found.until) >= plan.Until(s.Now()) {
		return found, err
	}
	if err := s.Plans.Ensure(ctx, me.CompanyID, me.UserID); err != nil {
		return nil, err
	}
	return s.readRoster(ctx, me)
}

// windowOf returns the times and the clock-in window of an occurrence.
func windowOf(o *ent.EmployeeShift) shift.Occurrence {
	return shift.Occurrence{StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil}
}

// zoneOf returns the zone of an occurrence.
func zoneOf(o *ent.EmployeeShift) *time.Location { return shift.ZoneNamed(o.Timezone) }

// isToday reports whether an occurrence is one of today: it starts on the local
// date, or may be clocked in for now.
func isToday(o *ent.EmployeeShift, now time.Time) bool {
	return o.Date == string(shift.DateOf(now, zoneOf(o))) || windowOf(o).Open(now)
}

// occursToday reports whether the viewer has an occurrence today.
func (s *Service) occursToday(ctx context.Context, me *viewer.Viewer) (bool, error) {
	found, err := s.roster(ctx, me)
	if err != nil {
		return false, err
	}
	now := s.Now()
	return slices.ContainsFunc(found.occurrences, func(o *ent.EmployeeShift) bool { return isToday(o, now) }), nil
}
