package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftassignment"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// occurrences returns those of a user around now: yesterday's, today's and
// tomorrow's by each shift's own zone, in order of start. What their
// assignments call for is made first, once each.
func (r *Resolver) occurrences(ctx context.Context, userID int) ([]*ent.EmployeeShift, error) {
	ctx = viewer.System(ctx)
	db := ent.FromContext(ctx)
	assigned, err := db.ShiftAssignment.Query().Where(shiftassignment.UserID(userID)).WithShift().WithCompany().All(ctx)
	if err != nil {
		return nil, err
	}
	near := shift.DateOf(r.Now(), time.UTC) // no zone is more than a day away
	around := db.EmployeeShift.Query().
		Where(employeeshift.UserID(userID), employeeshift.DateGTE(string(near.AddDays(-2))), employeeshift.DateLTE(string(near.AddDays(2)))).
		Order(ent.Asc(employeeshift.FieldStartAt, employeeshift.FieldID))
	rows, err := around.Clone().All(ctx)
	if err != nil {
		return nil, err
	}
	missing, err := r.missing(ctx, assigned, rows)
	if err != nil || len(missing) == 0 {
		return rows, err
	}
	err = db.EmployeeShift.CreateBulk(missing...).
		OnConflictColumns(employeeshift.FieldAssignmentID, employeeshift.FieldDate).Ignore().Exec(ctx)
	if err != nil {
		return nil, err
	}
	return around.All(ctx)
}

// missing returns the occurrences around now that assignments call for and that
// no row stands for.
func (r *Resolver) missing(ctx context.Context, assigned []*ent.ShiftAssignment, rows []*ent.EmployeeShift) ([]*ent.EmployeeShiftCreate, error) {
	type key struct {
		assignment int
		date       string
	}
	have := map[key]bool{}
	for _, o := range rows {
		have[key{o.AssignmentID, o.Date}] = true
	}
	var missing []*ent.EmployeeShiftCreate
	for _, a := range assigned {
		s, err := pattern(a.Edges.Shift, a.Edges.Company)
		if err != nil {
			return nil, err
		}
		today := shift.DateOf(r.Now(), s.Zone)
		for _, d := range []shift.Date{today.AddDays(-1), today, today.AddDays(1)} {
			if days(a).Covers(d) && !have[key{a.ID, string(d)}] {
				missing = append(missing, makeOccurrence(ent.FromContext(ctx), a, s, d))
			}
		}
	}
	return missing, nil
}

// pattern returns what a shift's occurrences are computed from.
func pattern(s *ent.Shift, c *ent.Company) (shift.Shift, error) {
	name := c.Timezone
	if s.Timezone != nil {
		name = *s.Timezone
	}
	zone, err := time.LoadLocation(name)
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

// days returns when an assignment applies.
func days(a *ent.ShiftAssignment) shift.Assignment {
	out := shift.Assignment{StartsOn: shift.Date(a.StartsOn), Weekdays: a.Weekdays, EveryWeeks: a.EveryWeeks}
	if a.EndsOn != nil {
		out.EndsOn = shift.Date(*a.EndsOn)
	}
	return out
}

// makeOccurrence keeps what the shift says now: editing it later moves nothing.
func makeOccurrence(db *ent.Client, a *ent.ShiftAssignment, p shift.Shift, d shift.Date) *ent.EmployeeShiftCreate {
	s, o := a.Edges.Shift, p.On(d)
	return db.EmployeeShift.Create().
		SetCompanyID(a.CompanyID).SetUserID(a.UserID).SetAssignmentID(a.ID).SetShiftID(s.ID).SetShiftVersion(s.Version).
		SetName(s.Name).SetDate(string(d)).SetTimezone(p.Zone.String()).
		SetStartAt(o.StartAt.UTC()).SetEndAt(o.EndAt.UTC()).SetClockInFrom(o.ClockInFrom.UTC()).SetClockInUntil(o.ClockInUntil.UTC()).
		SetBreaks(s.Breaks).SetBreakSeconds(o.BreakSeconds).
		SetNillableLateGraceMinutes(s.LateGraceMinutes).SetNillableEarlyGraceMinutes(s.EarlyGraceMinutes).
		SetHalfDayBelowMinutes(s.HalfDayBelowMinutes).SetAbsentBelowMinutes(s.AbsentBelowMinutes).
		SetWorkingHours(employeeshift.WorkingHours(s.WorkingHours))
}

// windowOf returns when an occurrence may be clocked in for.
func windowOf(o *ent.EmployeeShift) shift.Occurrence {
	return shift.Occurrence{StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil}
}

// zoneOf returns the zone in which an occurrence's wall times were read. A name
// that is not known any more is UTC.
func zoneOf(o *ent.EmployeeShift) *time.Location {
	zone, err := time.LoadLocation(o.Timezone)
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

// openOf returns the open attendance of a user with its occurrence; nil for none.
func openOf(ctx context.Context, userID int) (*ent.Attendance, error) {
	a, err := ent.FromContext(ctx).Attendance.Query().
		Where(attendance.UserID(userID), attendance.OpenMarkerNotNil()).WithEmployeeShift().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return a, err
}

// isToday reports whether an occurrence is one of today: it starts on the local
// date, or may be clocked in for now.
func (r *Resolver) isToday(o *ent.EmployeeShift) bool {
	return o.Date == string(shift.DateOf(r.Now(), zoneOf(o))) || windowOf(o).Open(r.Now())
}

// occursToday reports whether a user has an occurrence today.
func (r *Resolver) occursToday(ctx context.Context, userID int) (bool, error) {
	rows, err := r.occurrences(ctx, userID)
	return slices.ContainsFunc(rows, r.isToday), err
}
