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
	"workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftassignment"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// An assigned is an assignment, as far as it says when it calls for occurrences.
type assigned struct {
	id   int
	days shift.Assignment
	zone string
}

// What is around now: of a user's occurrences and attendances, those from two
// days ago to two days ahead, no zone being more than a day away.
type around struct {
	occurrences []*ent.EmployeeShift // in order of start
	assignments []assigned           // all
	attendances []*ent.Attendance    // and those since the open one; in order, each with its occurrence
}

// around returns what is around now for a user. What their assignments call for
// yesterday, today and tomorrow, by each shift's own zone, is made first, once
// each.
func (r *Resolver) around(ctx context.Context, me *viewer.Viewer) (*around, error) {
	found, err := r.look(ctx, me)
	if err != nil {
		return nil, err
	}
	missing, err := r.missing(found.assignments, found.occurrences)
	if err != nil || len(missing) == 0 {
		return found, err
	}
	if err := r.make(viewer.System(ctx), missing); err != nil {
		return nil, err
	}
	return r.look(ctx, me)
}

// look finds what is around now for a user, as it is.
func (r *Resolver) look(ctx context.Context, me *viewer.Viewer) (*around, error) {
	s := aroundStatement(ctx, me, shift.DateOf(r.Now(), time.UTC))
	if s.err != nil {
		return nil, s.err
	}
	found := &around{}
	var (
		o    ent.EmployeeShift
		a    ent.Attendance
		call assigned
	)
	into := append(scanned(&o), entryScanned(&a)...)
	into = append(into, optional(&call.id), optional(&call.days.StartsOn), optional(&call.days.EndsOn),
		fromJSON(&call.days.Weekdays), optional(&call.days.EveryWeeks), optional(&call.zone))
	err := eachRow(ctx, s.text.String(), s.args, func(scan scan) error {
		o, a, call = ent.EmployeeShift{}, ent.Attendance{}, assigned{zone: me.Timezone}
		if err := scan(into...); err != nil {
			return err
		}
		found.add(o, a, call)
		return nil
	})
	found.sort()
	return found, err
}

// add takes in one row: an attendance with its occurrence, or one of the others.
func (f *around) add(o ent.EmployeeShift, a ent.Attendance, call assigned) {
	switch {
	case a.ID != 0:
		a.Edges.EmployeeShift = &o
		f.attendances = append(f.attendances, &a)
	case o.ID != 0:
		f.occurrences = append(f.occurrences, &o)
	default:
		f.assignments = append(f.assignments, call)
	}
}

// sort does what SQLite would read all of the company's attendances by time for.
func (f *around) sort() {
	slices.SortFunc(f.occurrences, func(a, b *ent.EmployeeShift) int {
		return cmp.Or(a.StartAt.Compare(b.StartAt), a.ID-b.ID)
	})
	slices.SortFunc(f.attendances, func(a, b *ent.Attendance) int {
		return cmp.Or(a.ClockedInAt.Compare(b.ClockedInAt), a.ID-b.ID)
	})
}

// aroundStatement is that of look: attendances with their occurrences, as the
// policy has it, then occurrences, then assignments. The first says what the
// columns are. As a join, it would read all of the user's occurrences; with an OR
// for the open attendance instead of an earlier start, all of their attendances.
// The index is what MariaDB would choose, once it had weighed six.
func aroundStatement(ctx context.Context, me *viewer.Viewer, near shift.Date) *statement {
	s, from, to := &statement{ctx: ctx}, near.AddDays(-2), near.AddDays(2)
	s.add(aroundAttendances, to, me.UserID, from, from, me.CompanyID, me.UserID)
	s.seen(attendance.Policy, attendance.Table, "a")
	s.add(aroundOccurrences, me.CompanyID, me.UserID, from, to)
	s.add(aroundAssignments, me.CompanyID, me.UserID)
	return s
}

var (
	aroundAttendances = "SELECT " + occurrenceColumns("o") + ", " + entryColumns + nulls(6) + `
FROM attendances a /*! FORCE INDEX (attendance_company_id_user_id_work_date) */ JOIN employee_shifts o ON o.id = a.employee_shift_id
WHERE a.work_date <= ? AND a.work_date >=
  COALESCE((SELECT x.work_date FROM attendances x WHERE x.user_id = ? AND x.open_marker = 1 AND x.work_date < ?), ?)
  AND a.company_id = ? AND a.user_id = ? AND `
	aroundOccurrences = " UNION ALL SELECT " + occurrenceColumns("o") + nulls(len(entryScanned(&ent.Attendance{}))+6) + `
FROM employee_shifts o WHERE o.company_id = ? AND o.user_id = ? AND o.date BETWEEN ? AND ?`
	aroundAssignments = " UNION ALL SELECT NULL" + nulls(len(scanned(&ent.EmployeeShift{}))+len(entryScanned(&ent.Attendance{}))-1) + `,
  t.id, t.starts_on, t.ends_on, t.weekdays, t.every_weeks, s.timezone
FROM shift_assignments t JOIN shifts s ON s.id = t.shift_id WHERE t.company_id = ? AND t.user_id = ?`
)

// nulls stands for n columns that a row does not have, after others.
func nulls(n int) string { return strings.Repeat(", NULL", n) }

// entryColumns are the columns of attendances that entryScanned reads.
const entryColumns = "a.id, a.employee_shift_id, a.address_id, a.work_date, a.open_marker, a.needs_confirmation, a.face_matched, " +
	"a.clocked_in_at, a.clocked_out_at"

// entryScanned returns where the entryColumns go. Of an attendance that is not
// there, the id stays 0.
func entryScanned(a *ent.Attendance) []any {
	return []any{
		optional(&a.ID), optional(&a.EmployeeShiftID), optional(&a.AddressID), optional(&a.WorkDate), nullable(&a.OpenMarker),
		optional(&a.NeedsConfirmation), nullable(&a.FaceMatched), optional(&a.ClockedInAt), nullable(&a.ClockedOutAt),
	}
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
	found, err := r.around(ctx, me)
	return err == nil && slices.ContainsFunc(found.occurrences, r.isToday), err
}
