package attendance

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftassignment"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// An assignment tells on which dates it plans occurrences.
type assignment struct {
	id   int
	days shift.Assignment
	zone string
}

// A roster is a user's roster window: their occurrences and attendances from two
// days ago until in two days, since no zone is more than a day away.
type roster struct {
	occurrences []*ent.EmployeeShift // by start
	assignments []assignment         // all
	attendances []*ent.Attendance    // by start, each with its occurrence; since the open one if that is older
}

// roster returns a user's roster window. The occurrences that their assignments
// plan for yesterday, today and tomorrow are created first.
func (s *Service) roster(ctx context.Context, me *viewer.Viewer) (*roster, error) {
	found, err := s.readRoster(ctx, me)
	if err != nil {
		return nil, err
	}
	missing, err := missingDates(s.Now(), found.assignments, found.occurrences)
	if err != nil || len(missing) == 0 {
		return found, err
	}
	if err := s.createOccurrences(viewer.System(ctx), me.UserID, missing); err != nil {
		return nil, err
	}
	return s.readRoster(ctx, me)
}

// missingDates returns the dates yesterday, today and tomorrow, by each shift's
// zone, for which an assignment has no occurrence yet, by assignment.
func missingDates(now time.Time, assignments []assignment, rows []*ent.EmployeeShift) (map[int][]shift.Date, error) {
	missing := map[int][]shift.Date{}
	for _, a := range assignments {
		zone, err := shift.Zone(a.zone)
		if err != nil {
			return nil, fmt.Errorf("assignment %d: %w", a.id, err)
		}
		today := shift.DateOf(now, zone)
		for _, d := range []shift.Date{today.AddDays(-1), today, today.AddDays(1)} {
			exists := func(o *ent.EmployeeShift) bool { return o.AssignmentID == a.id && o.Date == string(d) }
			if a.days.Covers(d) && !slices.ContainsFunc(rows, exists) {
				missing[a.id] = append(missing[a.id], d)
			}
		}
	}
	return missing, nil
}

// createOccurrences creates the missing occurrences of a user's assignments, unless
// another request did so meanwhile. Their windows are clipped by those of the
// user's other occurrences.
func (s *Service) createOccurrences(ctx context.Context, userID int, missing map[int][]shift.Date) error {
	db := ent.FromContext(ctx)
	assignments, err := db.ShiftAssignment.Query().
		Where(shiftassignment.UserID(userID)).WithShift().WithCompany().All(ctx)
	if err != nil {
		return err
	}
	planned, err := plan(assignments, shift.DateOf(s.Now(), time.UTC))
	if err != nil {
		return err
	}
	var creates []*ent.EmployeeShiftCreate
	for _, p := range planned {
		if slices.Contains(missing[p.assignment.ID], p.occurrence.Date) {
			creates = append(creates, NewOccurrence(db, p.assignment, p.assignment.Edges.Shift, p.zone, p.occurrence))
		}
	}
	return db.EmployeeShift.CreateBulk(creates...).
		OnConflictColumns(employeeshift.FieldAssignmentID, employeeshift.FieldDate).Ignore().Exec(ctx)
}

// A plannedOccurrence is what an assignment plans for one date.
type plannedOccurrence struct {
	assignment *ent.ShiftAssignment
	zone       *time.Location
	occurrence shift.Occurrence
}

// plan returns what assignments plan from two days before a date until two days
// after it, by start, with clipped windows.
func plan(assignments []*ent.ShiftAssignment, near shift.Date) ([]plannedOccurrence, error) {
	var all []plannedOccurrence
	for _, a := range assignments {
		p, err := pattern(a.Edges.Shift, a.Edges.Company)
		if err != nil {
			return nil, err
		}
		days := shift.Assignment{StartsOn: shift.Date(a.StartsOn), Weekdays: a.Weekdays, EveryWeeks: a.EveryWeeks}
		if a.EndsOn != nil {
			days.EndsOn = shift.Date(*a.EndsOn)
		}
		for d := near.AddDays(-2); d <= near.AddDays(2); d = d.AddDays(1) {
			if days.Covers(d) {
				all = append(all, plannedOccurrence{a, p.Zone, p.On(d)})
			}
		}
	}
	slices.SortFunc(all, func(a, b plannedOccurrence) int {
		return cmp.Or(a.occurrence.StartAt.Compare(b.occurrence.StartAt), a.assignment.ID-b.assignment.ID)
	})
	for i := 1; i < len(all); i++ {
		before, after := &all[i-1].occurrence, &all[i].occurrence
		if !before.Overlaps(*after) {
			*before, *after = shift.Clip(*before, *after)
		}
	}
	return all, nil
}

// pattern returns the working time of a shift, in its zone or the company's.
func pattern(s *ent.Shift, c *ent.Company) (shift.Shift, error) {
	name := c.Timezone
	if s.Timezone != nil {
		name = *s.Timezone
	}
	zone, err := shift.Zone(name)
	if err != nil {
		return shift.Shift{}, fmt.Errorf("shift %d: %w", s.ID, err)
	}
	return shift.Shift{
		Start: shift.Clock(s.StartTime), End: shift.Clock(s.EndTime), Zone: zone,
		OpensBefore: s.OpensBeforeMinutes, ClosesAfter: s.ClosesAfterMinutes, Breaks: breaks(s.Breaks),
	}, nil
}

// breaks reads breaks as they are stored, each as 12:00-13:00.
func breaks(stored []string) []shift.Break {
	out := make([]shift.Break, len(stored))
	for i, text := range stored {
		from, to, _ := strings.Cut(text, "-")
		out[i] = shift.Break{Start: shift.Clock(from), End: shift.Clock(to)}
	}
	return out
}

// NewOccurrence returns the creation of an assignment's occurrence. It copies what
// the shift says now, so that editing the shift later moves nothing.
func NewOccurrence(db *ent.Client, a *ent.ShiftAssignment, s *ent.Shift, zone *time.Location, o shift.Occurrence) *ent.EmployeeShiftCreate {
	return db.EmployeeShift.Create().
		SetCompanyID(a.CompanyID).SetUserID(a.UserID).SetAssignmentID(a.ID).SetShiftID(s.ID).SetShiftVersion(s.Version).
		SetName(s.Name).SetDate(string(o.Date)).SetTimezone(zone.String()).
		SetStartAt(o.StartAt.UTC()).SetEndAt(o.EndAt.UTC()).SetClockInFrom(o.ClockInFrom.UTC()).SetClockInUntil(o.ClockInUntil.UTC()).
		SetBreaks(s.Breaks).SetBreakSeconds(o.BreakSeconds).
		SetNillableLateGraceMinutes(s.LateGraceMinutes).SetNillableEarlyGraceMinutes(s.EarlyGraceMinutes).
		SetHalfDayBelowMinutes(s.HalfDayBelowMinutes).SetAbsentBelowMinutes(s.AbsentBelowMinutes).
		SetWorkingHours(employeeshift.WorkingHours(s.WorkingHours))
}

// windowOf returns the times and the clock-in window of an occurrence.
func windowOf(o *ent.EmployeeShift) shift.Occurrence {
	return shift.Occurrence{StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil}
}

// zoneOf returns the zone of an occurrence.
func zoneOf(o *ent.EmployeeShift) *time.Location { return zoneNamed(o.Timezone) }

// zoneNamed returns the zone of a name that was valid once; UTC where it is not known
// any more.
func zoneNamed(name string) *time.Location {
	zone, err := shift.Zone(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// breaksOf returns the breaks of an occurrence.
func breaksOf(o *ent.EmployeeShift) []shift.Interval {
	zone := zoneOf(o)
	clock := func(t time.Time) shift.Clock { return shift.Clock(t.In(zone).Format("15:04")) }
	s := shift.Shift{Start: clock(o.StartAt), End: clock(o.EndAt), Zone: zone, Breaks: breaks(o.Breaks)}
	return s.BreaksOn(shift.Date(o.Date))
}

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
