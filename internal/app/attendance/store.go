package attendance

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/attendance"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/ent/facegallery"
	"workforce/ent/user"
	"workforce/internal/app/dayoff"
	"workforce/internal/app/leaves"
	"workforce/internal/app/overtime"
	"workforce/internal/app/rows"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// lockRow locks the row of a user's clock events until the transaction ends.
const lockRow = "UPDATE " + clockstate.Table + " SET " + clockstate.FieldEvents + " = " + clockstate.FieldEvents + " + 1 WHERE " +
	clockstate.FieldUserID + " = ?"

// updateGallery stores a gallery. Nobody audits it.
const updateGallery = "UPDATE " + facegallery.Table + " SET " + facegallery.FieldVersion + " = ?, " + facegallery.FieldSealed + " = ? WHERE " +
	facegallery.FieldUserID + " = ?"

// load reads what the event refers to and what the rules ask for, in one
// statement. The user's row is locked, so that their attendances do not change
// any more.
func (e *clockEvent) load(ctx context.Context, kind clockKind) error {
	site, current, person, planned := &ent.Address{}, &ent.Attendance{}, &ent.User{}, &ent.EmployeeShift{}
	previous, exempt := &ent.Attendance{}, ""
	into := append([]any{&e.timers, &e.overlaps, &e.shared, &e.holiday, &e.onLeave, &e.ended, &e.overtime, (*string)(&e.places), rows.Optional(&exempt)},
		rows.Into(siteColumns(site), openColumns(current), previousColumns(previous), personColumns(person), plannedColumns(planned))...)
	into = append(into, e.face.into()...)
	if err := e.query(ctx, kind).Each(func(scan rows.Scan) error { return scan(into...) }); err != nil {
		return err
	}
	e.site, e.occurrence = found(site, site.ID), found(planned, planned.ID)
	e.current, e.previous, e.person = found(current, current.ID), found(previous, previous.ID), found(person, person.ID)
	e.hasFace = e.face.version > 0
	if exempt != "" {
		e.exempt = slices.Sorted(strings.SplitSeq(exempt, ","))
	}
	return nil
}

// eventColumns lists what load reads, in the order of its destinations.
var eventColumns = siteColumns(&ent.Address{}).Of("site") + ", " + openColumns(&ent.Attendance{}).Of("c") + ", " +
	previousColumns(&ent.Attendance{}).Of("p") + ", " + personColumns(&ent.User{}).Of("u") + ", " + plannedColumns(&ent.EmployeeShift{}).Of("o")

// siteColumns are what the rules ask of a work site. Without one, the id is 0.
func siteColumns(site *ent.Address) rows.Columns {
	return rows.Columns{
		rows.Read(address.FieldID, rows.Optional(&site.ID)), rows.Read(address.FieldName, rows.Optional(&site.Name)),
		rows.Read(address.FieldLatitude, rows.Optional(&site.Latitude)), rows.Read(address.FieldLongitude, rows.Optional(&site.Longitude)),
		rows.Read(address.FieldRadius, &site.Radius),
		rows.Read(address.FieldPoints, rows.FromJSON(&site.Points)), rows.Read(address.FieldPolicies, rows.FromJSON(&site.Policies)),
		rows.Read(address.FieldActive, rows.Optional(&site.Active)),
	}
}

// openColumns are what the rules ask of the open attendance. Without one, the id
// is 0.
func openColumns(a *ent.Attendance) rows.Columns {
	return rows.Columns{
		rows.Read(attendance.FieldID, rows.Optional(&a.ID)), rows.Read(attendance.FieldEmployeeShiftID, rows.Optional(&a.EmployeeShiftID)),
		rows.Read(attendance.FieldAddressID, rows.Optional(&a.AddressID)), rows.Read(attendance.FieldWorkDate, rows.Optional(&a.WorkDate)),
		rows.Read(attendance.FieldClockedInAt, rows.Optional(&a.ClockedInAt)),
		rows.Read(attendance.FieldClockedInSource, rows.Optional((*string)(&a.ClockedInSource))),
		rows.Read(attendance.FieldClockedInZone, rows.Optional(&a.ClockedInZone)),
		rows.Read(attendance.FieldClockedInLatitude, rows.Optional(&a.ClockedInLatitude)),
		rows.Read(attendance.FieldClockedInLongitude, rows.Optional(&a.ClockedInLongitude)),
		rows.Read(attendance.FieldClockedInAccuracy, rows.Nullable(&a.ClockedInAccuracy)),
		rows.Read(attendance.FieldClockedInDeviceID, rows.Nullable(&a.ClockedInDeviceID)),
		rows.Read(attendance.FieldClockedInVerdict, rows.FromJSON(&a.ClockedInVerdict)),
	}
}

// previousColumns are what the rules ask of the attendance before a clock-in. Without
// one, the id is 0.
func previousColumns(a *ent.Attendance) rows.Columns {
	return rows.Columns{
		rows.Read(attendance.FieldID, rows.Optional(&a.ID)), rows.Read(attendance.FieldClockedOutAt, rows.Nullable(&a.ClockedOutAt)),
		rows.Read(attendance.FieldClockedOutLatitude, rows.Nullable(&a.ClockedOutLatitude)),
		rows.Read(attendance.FieldClockedOutLongitude, rows.Nullable(&a.ClockedOutLongitude)),
		rows.Read(attendance.FieldClockedOutAccuracy, rows.Nullable(&a.ClockedOutAccuracy)),
	}
}

// personColumns are what the rules ask of a user. Without one, the id is 0.
func personColumns(u *ent.User) rows.Columns {
	return rows.Columns{
		rows.Read(user.FieldID, rows.Optional(&u.ID)), rows.Read(user.FieldJoinedOn, &u.JoinedOn), rows.Read(user.FieldLeftOn, &u.LeftOn),
		rows.Read(user.FieldPolicies, rows.FromJSON(&u.Policies)),
	}
}

// plannedColumns are what the rules ask of an occurrence. Without one, the id
// is 0.
func plannedColumns(o *ent.EmployeeShift) rows.Columns {
	return rows.Columns{
		rows.Read(employeeshift.FieldID, rows.Optional(&o.ID)), rows.Read(employeeshift.FieldDate, rows.Optional(&o.Date)),
		rows.Read(employeeshift.FieldStartAt, rows.Optional(&o.StartAt)), rows.Read(employeeshift.FieldEndAt, rows.Optional(&o.EndAt)),
		rows.Read(employeeshift.FieldClockInFrom, rows.Optional(&o.ClockInFrom)),
		rows.Read(employeeshift.FieldClockInUntil, rows.Optional(&o.ClockInUntil)),
		rows.Read(employeeshift.FieldTimezone, rows.Optional(&o.Timezone)), rows.Read(employeeshift.FieldEvaluatedAt, rows.Nullable(&o.EvaluatedAt)),
	}
}

// found returns a row that was read, nil where its id is 0.
func found[T any](row *T, id int) *T {
	if id == 0 {
		return nil
	}
	return row
}

// query is the statement of load. Every table is read within its policy, but for
// what others of the company did with the viewer's device and sent as their face.
func (e *clockEvent) query(ctx context.Context, kind clockKind) *rows.Query {
	q := rows.New(ctx)
	q.Add("SELECT t.timers, ")
	e.selectOverlap(q, kind)
	if kind == clockIn {
		e.selectShared(q)
		selectHoliday(e, q)
		leaves.SelectWhole(q, e.me.CompanyID, e.me.UserID)
		q.Add(", FALSE, ")
	} else {
		e.selectEnded(q)
	}
	overtime.SelectDecided(q, e.me.UserID, shift.DateOf(e.at, time.UTC))
	selectPlaces(q, e.me)
	selectExempt(q, e.me, kind)
	q.Add(eventColumns)
	selectFace(e, q)
	e.joinRows(q, kind)
	return q
}

// selectExempt selects the rules from which the viewer is exempt on the date of the
// occurrence, with commas between them.
func selectExempt(q *rows.Query, me *viewer.Viewer, kind clockKind) {
	date := "o.date"
	if kind == clockOut {
		date = "COALESCE(c.work_date, o.date)"
	}
	q.Add("(SELECT GROUP_CONCAT(x.rule) FROM exemptions x WHERE x.user_id = ? AND x.ends_on >= "+date+"), ", me.UserID)
}

// selectOverlap selects whether the event would make another attendance of the user
// overlap: one that a clock-in falls into, or one since the clock-in that a
// clock-out ends. Both are half-open. But for NOT, SQLite would read all of the company.
func (e *clockEvent) selectOverlap(q *rows.Query, kind clockKind) {
	q.Add("EXISTS (SELECT 1 FROM attendances x WHERE x.company_id = ? AND x.user_id = ? AND ", e.me.CompanyID, e.me.UserID)
	if kind == clockIn {
		q.Add("x.clocked_out_at > ? AND NOT (x.clocked_in_at > ?) AND ", e.at, e.at)
	} else {
		q.Add("x.clocked_out_at > c.clocked_in_at AND NOT (x.clocked_in_at >= ?) AND x.id <> c.id AND ", e.at)
	}
	q.WherePolicy(attendance.Policy, attendance.Table, "x")
	q.Add(")")
}

// selectShared selects whether somebody else clocked in or out with the viewer's device
// for a shift of the same date. Whoever clocked in or out with the device has signed in
// on it.
func (e *clockEvent) selectShared(q *rows.Query) {
	me := e.me
	q.Add(`, EXISTS (SELECT 1 FROM sessions s
  JOIN attendances x ON x.company_id = s.company_id AND x.user_id = s.user_id AND x.work_date = o.date
  WHERE s.device_id = ? AND s.company_id = ? AND s.user_id <> ? AND (x.clocked_in_device_id = ? OR x.clocked_out_device_id = ?)`,
		me.DeviceID, me.CompanyID, me.UserID, me.DeviceID, me.DeviceID)
	q.Add("), ")
}

// selectHoliday selects whether the date is a whole holiday at the site. Everybody sees
// the holidays of their company.
func selectHoliday(e *clockEvent, q *rows.Query) {
	q.Add("EXISTS (SELECT 1 FROM holidays x WHERE x.company_id = ? AND x.date = o.date AND x.half = FALSE AND (x.place = 0 OR x.place = site.id)), ",
		e.me.CompanyID)
}

// selectEnded selects whether the occurrence that a clock-out names, another than the
// open attendance's, has an attendance before that one.
func (e *clockEvent) selectEnded(q *rows.Query) {
	q.Add(`, FALSE, FALSE, FALSE, COALESCE(c.employee_shift_id <> ?, FALSE) AND EXISTS (SELECT 1 FROM attendances x
  WHERE x.user_id = ? AND x.employee_shift_id = ? AND NOT (x.clocked_in_at >= c.clocked_in_at) AND `, e.shiftID, e.me.UserID, e.shiftID)
	q.WherePolicy(attendance.Policy, attendance.Table, "x")
	q.Add("), ")
}

// joinRows joins the rows that the event refers to, each of them or NULL.
func (e *clockEvent) joinRows(q *rows.Query, kind clockKind) {
	me := e.me
	q.Add(" FROM clock_states t LEFT JOIN attendances c ON c.user_id = ? AND c.open_marker = 1 AND ", me.UserID)
	q.WherePolicy(attendance.Policy, attendance.Table, "c")
	if kind == clockIn {
		q.Add(" LEFT JOIN attendances p ON p.id = (SELECT x.id FROM attendances x WHERE x.company_id = ? AND x.user_id = ? "+
			"AND x.clocked_out_at <= ? AND x.clocked_out_latitude IS NOT NULL AND ", me.CompanyID, me.UserID, e.at)
		q.WherePolicy(attendance.Policy, attendance.Table, "x")
		q.Add(" ORDER BY x.clocked_out_at DESC LIMIT 1)")
	} else {
		q.Add(" LEFT JOIN attendances p ON FALSE") // the clock-in is nearer
	}
	q.Add(" LEFT JOIN employee_shifts o ON o.id = ? AND o.user_id = ? AND ", e.shiftID, me.UserID)
	q.WherePolicy(employeeshift.Policy, employeeshift.Table, "o")
	if e.addressID != nil {
		q.Add(" LEFT JOIN addresses site ON site.id = ? AND ", *e.addressID)
	} else {
		q.Add(" LEFT JOIN addresses site ON site.id = c.address_id AND ")
	}
	q.WherePolicy(address.Policy, address.Table, "site")
	q.Add(" LEFT JOIN users u ON u.id = ? AND ", me.UserID)
	q.WherePolicy(user.Policy, user.Table, "u")
	joinFace(e, q)
	q.Add(" WHERE t.user_id = ?", me.UserID)
}

// readRoster reads a user's roster window as it is stored.
func (s *Service) readRoster(ctx context.Context, me *viewer.Viewer) (*roster, error) {
	var (
		found roster
		o     ent.EmployeeShift
		a     ent.Attendance
		text  string
	)
	near := shift.DateOf(s.Now(), time.UTC)
	from, to := string(near.AddDays(-2)), string(near.AddDays(2))
	into := append(rows.Into(occurrenceColumns(&o), entryColumns(&a)), rows.Optional(&found.until), rows.Optional(&found.zone), rows.Optional(&text))
	err := rosterQuery(ctx, me, from, to).Each(func(scan rows.Scan) error {
		o, a, text = ent.EmployeeShift{}, ent.Attendance{}, ""
		if err := scan(into...); err != nil {
			return err
		}
		if text != "" {
			return found.addText(text)
		}
		found.add(&o, &a)
		return nil
	})
	found.link(from)
	return &found, err
}

// add adds a copy of one row: of an attendance, of an occurrence, or of a holiday in the
// columns of an attendance.
func (f *roster) add(o *ent.EmployeeShift, a *ent.Attendance) {
	switch {
	case a.ID != 0:
		row := *a
		f.attendances = append(f.attendances, &row)
	case o.ID != 0:
		row := *o
		f.occurrences = append(f.occurrences, &row)
	case a.WorkDate != "":
		f.holidays = append(f.holidays, dayoff.Holiday{Date: shift.Date(a.WorkDate), Place: a.AddressID, Half: a.NeedsConfirmation})
	}
}

// addText adds what the statement writes as text: approved leave, or the first and the last
// day of work.
func (f *roster) addText(text string) error {
	if bounds, ok := strings.CutPrefix(text, "employed|"); ok {
		joined, left, _ := strings.Cut(bounds, "|")
		f.bounds = timesheet.Bounds{Joined: shift.Date(joined), Left: shift.Date(left)}
		return nil
	}
	part := strings.SplitN(text, "|", 5)
	l := timeoff.Leave{Half: part[0] == "1", WorkFromHome: part[1] == "1", From: shift.Clock(part[2]), To: shift.Clock(part[3])}
	f.leave = append(f.leave, l)
	return json.Unmarshal([]byte(part[4]), &f.leave[len(f.leave)-1].Dates)
}

// link sorts by start, gives the attendances their occurrences, and keeps those of a date
// or later. SQLite would read all of the company's attendances by time for an ORDER BY.
func (f *roster) link(from string) {
	slices.SortFunc(f.occurrences, func(a, b *ent.EmployeeShift) int {
		return cmp.Or(a.StartAt.Compare(b.StartAt), a.ID-b.ID)
	})
	slices.SortFunc(f.attendances, func(a, b *ent.Attendance) int {
		return cmp.Or(a.ClockedInAt.Compare(b.ClockedInAt), a.ID-b.ID)
	})
	for _, a := range f.attendances {
		for _, o := range f.occurrences {
			if o.ID == a.EmployeeShiftID {
				a.Edges.EmployeeShift = o
			}
		}
	}
	f.occurrences = slices.DeleteFunc(f.occurrences, func(o *ent.EmployeeShift) bool { return o.Date < from })
}

// The parts of the statement of readRoster. Each has the columns of an occurrence, of an
// entry or a holiday, and of what is known of the user's plan. The index is the one that MariaDB chooses
// after considering six.
var (
	occurrences = occurrenceColumns(&ent.EmployeeShift{})
	entries     = entryColumns(&ent.Attendance{})

	// sinceOpen is the date of the open attendance if that is before the roster window, else
	// the first date of the window. An attendance has the date of its occurrence.
	sinceOpen = "COALESCE((SELECT x.work_date FROM attendances x WHERE x.user_id = ? AND x.open_marker = 1 AND x.work_date < ?), ?)"

	rosterAttendances = "SELECT " + occurrences.Nulls() + ", " + entries.Of("a") + ", NULL, NULL, NULL" + `
FROM attendances a /*! FORCE INDEX (attendance_company_id_user_id_work_date) */
WHERE a.work_date BETWEEN ` + sinceOpen + ` AND ? AND a.company_id = ? AND a.user_id = ? AND `
	rosterOccurrences = " UNION ALL SELECT " + occurrences.Of("o") + ", " + entries.Nulls() + ", NULL, NULL, NULL" + `
FROM employee_shifts o WHERE o.company_id = ? AND o.user_id = ? AND o.date BETWEEN ` + sinceOpen + " AND ?"
	rosterHolidays = " UNION ALL SELECT " + occurrences.Nulls() + ", NULL, NULL, h.place, h.date, NULL, h.half, NULL, NULL, NULL, NULL, NULL, NULL" + `
FROM holidays h WHERE h.company_id = ? AND h.date BETWEEN ? AND ?`
	rosterPlan = " UNION ALL SELECT " + occurrences.Nulls() + ", " + entries.Nulls() + `, t.planned_until, t.timezone,
  (SELECT CONCAT_WS('|', 'employed', COALESCE(u.joined_on, ''), COALESCE(u.left_on, '')) FROM users u WHERE u.id = t.user_id)
FROM clock_states t WHERE t.user_id = ?`
	rosterLeave = " UNION ALL SELECT " + occurrences.Nulls() + ", " + entries.Nulls() + `, NULL, NULL,
  CONCAT_WS('|', l.half, l.work_from_home, COALESCE(l.from_time, ''), COALESCE(l.to_time, ''), l.dates)
FROM leaves l WHERE l.company_id = ? AND l.user_id = ? AND l.state = 'approved' AND l.ends_on >= ? AND NOT (l.starts_on > ?)`
)

// rosterQuery is the statement of readRoster: attendances, within the policy, then
// occurrences, the company's holidays, what is known of the plan, and approved leave. With an OR for the open attendance
// instead of an earlier start SQLite would read all of the user's attendances.
func rosterQuery(ctx context.Context, me *viewer.Viewer, from, to string) *rows.Query {
	q := rows.New(ctx)
	q.Add(rosterAttendances, me.UserID, from, from, to, me.CompanyID, me.UserID)
	q.WherePolicy(attendance.Policy, attendance.Table, "a")
	q.Add(rosterOccurrences, me.CompanyID, me.UserID, me.UserID, from, from, to)
	q.Add(rosterHolidays, me.CompanyID, from, to)
	q.Add(rosterPlan, me.UserID)
	q.Add(rosterLeave, me.CompanyID, me.UserID, from, to)
	return q
}

// occurrenceColumns are what is read of an occurrence. Without one, the id is 0.
func occurrenceColumns(o *ent.EmployeeShift) rows.Columns {
	return rows.Columns{
		rows.Read(employeeshift.FieldID, rows.Optional(&o.ID)),
		rows.Read(employeeshift.FieldName, rows.Optional(&o.Name)), rows.Read(employeeshift.FieldDate, rows.Optional(&o.Date)),
		rows.Read(employeeshift.FieldStartAt, rows.Optional(&o.StartAt)), rows.Read(employeeshift.FieldEndAt, rows.Optional(&o.EndAt)),
		rows.Read(employeeshift.FieldClockInFrom, rows.Optional(&o.ClockInFrom)), rows.Read(employeeshift.FieldClockInUntil, rows.Optional(&o.ClockInUntil)),
		rows.Read(employeeshift.FieldBreaks, rows.FromJSON(&o.Breaks)), rows.Read(employeeshift.FieldBreakSeconds, rows.Optional(&o.BreakSeconds)),
		rows.Read(employeeshift.FieldBreakMinutes, rows.Optional(&o.BreakMinutes)), rows.Read(employeeshift.FieldBreakAfterMinutes, rows.Optional(&o.BreakAfterMinutes)),
		rows.Read(employeeshift.FieldLateGraceMinutes, rows.Nullable(&o.LateGraceMinutes)),
		rows.Read(employeeshift.FieldEarlyGraceMinutes, rows.Nullable(&o.EarlyGraceMinutes)),
		rows.Read(employeeshift.FieldHalfDayBelowMinutes, rows.Optional(&o.HalfDayBelowMinutes)),
		rows.Read(employeeshift.FieldAbsentBelowMinutes, rows.Optional(&o.AbsentBelowMinutes)),
		rows.Read(employeeshift.FieldWorkingHours, rows.Optional((*string)(&o.WorkingHours))), rows.Read(employeeshift.FieldTimezone, rows.Optional(&o.Timezone)),
		rows.Read(employeeshift.FieldEvaluatedAt, rows.Nullable(&o.EvaluatedAt)),
	}
}

// entryColumns are what is read of an attendance. Without one, the id is 0.
func entryColumns(a *ent.Attendance) rows.Columns {
	return rows.Columns{
		rows.Read(attendance.FieldID, rows.Optional(&a.ID)), rows.Read(attendance.FieldEmployeeShiftID, rows.Optional(&a.EmployeeShiftID)),
		rows.Read(attendance.FieldAddressID, rows.Optional(&a.AddressID)), rows.Read(attendance.FieldWorkDate, rows.Optional(&a.WorkDate)),
		rows.Read(attendance.FieldOpenMarker, rows.Nullable(&a.OpenMarker)), rows.Read(attendance.FieldNeedsConfirmation, rows.Optional(&a.NeedsConfirmation)),
		rows.Read(attendance.FieldFaceMatched, rows.Nullable(&a.FaceMatched)), rows.Read(attendance.FieldClockedInAt, rows.Optional(&a.ClockedInAt)),
		rows.Read(attendance.FieldClockedOutAt, rows.Nullable(&a.ClockedOutAt)),
	}
}
