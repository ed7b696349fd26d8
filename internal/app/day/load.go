package day

import (
	"context"

	"workforce/ent"
	"workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/holiday"
	"workforce/ent/user"
	"workforce/internal/app/leaves"
	"workforce/internal/app/plan"
	"workforce/internal/app/rows"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
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
	holidays    map[string][]*ent.Holiday    // of each date
	leave       map[int][]timeoff.Leave      // approved, of each person
	before      map[int]int                  // the site of each person's last attendance before the dates; 0 for none
}

// load reads the days of people of a company, in a number of statements that does not
// grow with them. The context is the system's.
func load(ctx context.Context, company *ent.Company, ids []int, p timesheet.Period) (*days, error) {
	d := &days{
		company: company, policy: timesheet.PolicyOf(company.Settings), users: map[int]*ent.User{},
		occurrences: map[int][]*ent.EmployeeShift{}, entries: map[int][]*ent.Attendance{}, latest: map[int][]*ent.Attendance{},
		holidays: map[string][]*ent.Holiday{}, before: map[int]int{},
	}
	db, from, to := ent.FromContext(ctx), string(p.From), string(p.To)
	users, err := db.User.Query().Where(user.IDIn(ids...), user.CompanyID(company.ID)).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, u := range users {
		d.users[u.ID] = u
	}
	planned, err := db.EmployeeShift.Query().
		Where(employeeshift.CompanyID(company.ID), employeeshift.UserIDIn(ids...), employeeshift.DateGTE(from), employeeshift.DateLTE(to)).
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
	if d.leave, err = leaves.Approved(ctx, company.ID, ids, p); err != nil {
		return nil, err
	}
	return d, d.readHolidays(ctx, ids, from, to)
}

// readHolidays reads the holidays of the dates and, where one is of a site alone, where
// people worked before.
func (d *days) readHolidays(ctx context.Context, ids []int, from, to string) error {
	list, err := ent.FromContext(ctx).Holiday.Query().
		Where(holiday.CompanyID(d.company.ID), holiday.DateGTE(from), holiday.DateLTE(to)).All(ctx)
	local := false
	for _, h := range list {
		d.holidays[h.Date] = append(d.holidays[h.Date], h)
		local = local || h.Place != 0
	}
	if err != nil || !local {
		return err
	}
	q := rows.New(ctx)
	q.Add("SELECT u.id, (SELECT x.address_id FROM attendances x WHERE x.company_id = ? AND x.user_id = u.id AND x.work_date < ? "+
		"ORDER BY x.work_date DESC, x.id DESC LIMIT 1) FROM users u WHERE u.id IN (NULL", d.company.ID, from)
	for _, id := range ids {
		q.Add(", ?", id)
	}
	q.Add(")")
	return q.Each(func(scan rows.Scan) error {
		var id, site int
		err := scan(&id, rows.Optional(&site))
		d.before[id] = site
		return err
	})
}

// site returns the address where an occurrence was worked, else that of the person's last
// attendance before its date; 0 for none.
func (d *days) site(o *ent.EmployeeShift) int {
	if own := d.entries[o.ID]; len(own) > 0 {
		return own[0].AddressID
	}
	site := d.before[o.UserID]
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
	off := timesheet.Off{NotEmployed: !d.employed(o) || d.replaced(o)}
	for _, h := range d.holidays[o.Date] {
		switch {
		case h.Place != 0 && h.Place != d.site(o):
		case h.Half:
			off.Holiday = max(off.Holiday, timesheet.Half)
		default:
			off.Holiday = timesheet.Whole
		}
	}
	timeoff.Free(&off, d.leave[o.UserID], shift.Date(o.Date), shift.ZoneNamed(o.Timezone))
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
