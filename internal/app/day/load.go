package day

import (
	"context"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/user"
	"workforce/internal/app/dayoff"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// days are what is known of the days of people of a company.
type days struct {
	company     *ent.Company
	policy      timesheet.Policy
	users       map[int]*ent.User
	occurrences map[int][]*ent.EmployeeShift // of each person, by start
	entries     map[int][]*ent.Attendance    // of each occurrence, by clock-in
	latest      map[int][]*ent.Attendance    // of each person, by date
	free        *dayoff.Table                // holidays and leave
}

// employment is what the days ask of people; messages ask for all.
var employment = []string{user.FieldCompanyID, user.FieldActive, user.FieldJoinedOn, user.FieldLeftOn}

// load reads the days of people of a company, in a number of statements that does not
// grow with them, and some columns of the people; all for none. The context is the system's.
func load(ctx context.Context, company *ent.Company, ids []int, p timesheet.Period, columns ...string) (*days, error) {
	d := &days{
		company: company, policy: timesheet.PolicyOf(company.Settings), users: map[int]*ent.User{},
		occurrences: map[int][]*ent.EmployeeShift{}, entries: map[int][]*ent.Attendance{}, latest: map[int][]*ent.Attendance{},
	}
	db, from, to := ent.FromContext(ctx), string(p.From), string(p.To)
	people := db.User.Query().Where(user.IDIn(ids...)) // with the company too, SQLite would read all of its people
	if len(columns) > 0 {
		people.Select(columns...)
	}
	users, err := people.All(ctx)
	if err != nil {
		return nil, err
	}
	for _, u := range users {
		if u.CompanyID == company.ID {
			d.users[u.ID] = u
		}
	}
	planned, err := db.EmployeeShift.Query().
		Where(employeeshift.CompanyID(company.ID), employeeshift.UserIDIn(ids...), employeeshift.DateGTE(from), employeeshift.DateLTE(to)).
		Select(employeeshift.FieldUserID, employeeshift.FieldOrigin, employeeshift.FieldDate, employeeshift.FieldTimezone,
			employeeshift.FieldStartAt, employeeshift.FieldEndAt, employeeshift.FieldClockInUntil, employeeshift.FieldBreaks,
			employeeshift.FieldBreakMinutes, employeeshift.FieldBreakAfterMinutes, employeeshift.FieldLateGraceMinutes,
			employeeshift.FieldEarlyGraceMinutes, employeeshift.FieldHalfDayBelowMinutes, employeeshift.FieldAbsentBelowMinutes,
			employeeshift.FieldEvaluatedAt).
		Order(ent.Asc(employeeshift.FieldStartAt, employeeshift.FieldID)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range planned {
		d.occurrences[o.UserID] = append(d.occurrences[o.UserID], o)
	}
	worked, err := db.Attendance.Query().
		Where(attendance.CompanyID(company.ID), attendance.UserIDIn(ids...), attendance.WorkDateGTE(from), attendance.WorkDateLTE(to)).
		Select(attendance.FieldUserID, attendance.FieldEmployeeShiftID, attendance.FieldAddressID, attendance.FieldWorkDate,
			attendance.FieldOpenMarker, attendance.FieldNeedsConfirmation, attendance.FieldClockedInAt, attendance.FieldClockedOutAt).
		Order(ent.Asc(attendance.FieldWorkDate, attendance.FieldClockedInAt, attendance.FieldID)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, a := range worked {
		d.entries[a.EmployeeShiftID] = append(d.entries[a.EmployeeShiftID], a)
		d.latest[a.UserID] = append(d.latest[a.UserID], a)
	}
	d.free, err = dayoff.Read(ctx, dayoff.Company{ID: company.ID, Settings: company.Settings}, ids, p)
	return d, err
}

// site returns the address where an occurrence was worked, else that of the person's last
// attendance before its date; 0 for none.
func (d *days) site(o *ent.EmployeeShift) int {
	if own := d.entries[o.ID]; len(own) > 0 {
		return own[0].AddressID
	}
	site := d.free.Site(o.UserID)
	for _, a := range d.latest[o.UserID] {
		if a.WorkDate > o.Date {
			break
		}
		site = a.AddressID
	}
	return site
}

// off returns what frees the person of an occurrence from its work.
func (d *days) off(o *ent.EmployeeShift) timesheet.Off {
	off := d.free.Of(o.UserID, shift.Date(o.Date), d.site(o), shift.ZoneNamed(o.Timezone))
	off.WeeklyOff = false // a shift is planned
	off.NotEmployed = !d.employed(o) || d.replaced(o)
	return off
}

// employed reports whether the person of an occurrence is expected on its date.
func (d *days) employed(o *ent.EmployeeShift) bool {
	u := d.users[o.UserID]
	if u == nil {
		return false
	}
	bounds := timesheet.Bounds{Inactive: !u.Active}
	if u.JoinedOn != nil {
		bounds.Joined = shift.Date(*u.JoinedOn)
	}
	if u.LeftOn != nil {
		bounds.Left = shift.Date(*u.LeftOn)
	}
	return bounds.Contain(shift.Date(o.Date))
}

// replaced reports whether an occurrence is of a fallback shift, which counts only where
// no other shift of the date was worked.
func (d *days) replaced(o *ent.EmployeeShift) bool {
	if o.Origin != employeeshift.OriginFallback {
		return false
	}
	for _, other := range d.occurrences[o.UserID] {
		if other.Date == o.Date && other.Origin != employeeshift.OriginFallback && len(d.entries[other.ID]) > 0 {
			return true
		}
	}
	return false
}

// work returns an occurrence with its entries.
func (d *days) work(o *ent.EmployeeShift) timesheet.Work {
	return timesheet.Work{Occurrence: WorkOf(o), Entries: EntriesOf(d.entries[o.ID])}
}
