package graph

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftassignment"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// aroundQuery is the statement that finds a user's occurrences between two dates,
// and their assignments. As a join, it would read all of their occurrences.
var aroundQuery = `
SELECT ` + occurrenceColumns("o") + `, NULL, NULL, NULL, NULL, NULL, NULL
FROM employee_shifts o
WHERE o.company_id = ? AND o.user_id = ? AND o.date BETWEEN ? AND ?
UNION ALL
SELECT ` + strings.Repeat("NULL, ", len(scanned(&ent.EmployeeShift{}))) + `
  a.id, a.starts_on, a.ends_on, a.weekdays, a.every_weeks, COALESCE(s.timezone, c.timezone)
FROM shift_assignments a JOIN shifts s ON s.id = a.shift_id JOIN companies c ON c.id = a.company_id
WHERE a.company_id = ? AND a.user_id = ?`

// An assigned is an assignment, as far as it says when it calls for occurrences.
type assigned struct {
	id   int
	days shift.Assignment
	zone string
}

// occurrences returns those of a user around now: yesterday's, today's and
// tomorrow's by each shift's own zone, in order of start. What their
// assignments call for is made first, once each.
func (r *Resolver) occurrences(ctx context.Context, me *viewer.Viewer) ([]*ent.EmployeeShift, error) {
	assignments, rows, err := r.around(ctx, me)
	if err != nil {
		return nil, err
	}
	missing, err := r.missing(assignments, rows)
	if err != nil || len(missing) == 0 {
		return rows, err
	}
	if err := r.make(viewer.System(ctx), missing); err != nil {
		return nil, err
	}
	_, rows, err = r.around(ctx, me)
	return rows, err
}

// around returns a user's assignments, and their occurrences from two days ago to
// two days ahead, in order of start.
func (r *Resolver) around(ctx context.Context, me *viewer.Viewer) (assignments []assigned, found []*ent.EmployeeShift, err error) {
	near := shift.DateOf(r.Now(), time.UTC) // no zone is more than a day away
	args := []any{me.CompanyID, me.UserID, near.AddDays(-2), near.AddDays(2), me.CompanyID, me.UserID}
	err = eachRow(ctx, aroundQuery, args, func(scan scan) error {
		o, a := &ent.EmployeeShift{}, assigned{}
		err := scan(append(scanned(o), optional(&a.id), optional(&a.days.StartsOn), optional(&a.days.EndsOn),
			fromJSON(&a.days.Weekdays), optional(&a.days.EveryWeeks), optional(&a.zone))...)
		if o.ID != 0 {
			found = append(found, o)
		} else {
			assignments = append(assignments, a)
		}
		return err
	})
	slices.SortFunc(found, func(a, b *ent.EmployeeShift) int {
		return cmp.Or(a.StartAt.Compare(b.StartAt), a.ID-b.ID)
	})
	return assignments, found, err
}

// missing returns the dates around now for which assignments call and that no
// row stands for, by assignment.
func (r *Resolver) missing(assignments []assigned, rows []*ent.EmployeeShift) (map[int][]shift.Date, error) {
	missing := map[int][]shift.Date{}
	for _, a := range assignments {
		zone, err := shift.Zone(a.zone)
		if err != nil {
			return nil, fmt.Errorf("assignment %d: %w", a.id, err)
		}
		today := shift.DateOf(r.Now(), zone)
		for _, d := range []shift.Date{today.AddDays(-1), today, today.AddDays(1)} {
			made := func(o *ent.EmployeeShift) bool { return o.AssignmentID == a.id && o.Date == string(d) }
			if a.days.Covers(d) && !slices.ContainsFunc(rows, made) {
				missing[a.id] = append(missing[a.id], d)
			}
		}
	}
	return missing, nil
}

// make makes the occurrences of assignments on dates, those which nobody has
// made in the meantime.
func (r *Resolver) make(ctx context.Context, missing map[int][]shift.Date) error {
	db := ent.FromContext(ctx)
	assignments, err := db.ShiftAssignment.Query().
		Where(shiftassignment.IDIn(slices.Collect(maps.Keys(missing))...)).WithShift().WithCompany().All(ctx)
	if err != nil {
		return err
	}
	var rows []*ent.EmployeeShiftCreate
	for _, a := range assignments {
		p, err := pattern(a.Edges.Shift, a.Edges.Company)
		if err != nil {
			return err
		}
		for _, d := range missing[a.ID] {
			rows = append(rows, makeOccurrence(db, a, p, d))
		}
	}
	return db.EmployeeShift.CreateBulk(rows...).
		OnConflictColumns(employeeshift.FieldAssignmentID, employeeshift.FieldDate).Ignore().Exec(ctx)
}

// pattern returns what a shift's occurrences are computed from.
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
	zone, err := shift.Zone(o.Timezone)
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
func (r *Resolver) isToday(o *ent.EmployeeShift) bool {
	return o.Date == string(shift.DateOf(r.Now(), zoneOf(o))) || windowOf(o).Open(r.Now())
}

// occursToday reports whether the caller has an occurrence today.
func (r *Resolver) occursToday(ctx context.Context, me *viewer.Viewer) (bool, error) {
	rows, err := r.occurrences(ctx, me)
	return slices.ContainsFunc(rows, r.isToday), err
}
