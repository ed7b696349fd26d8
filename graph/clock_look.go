package graph

import (
	"context"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/facetemplate"
	"workforce/ent/user"
)

// A clockEnd is one end of an attendance: of the time at which the one ends and
// the other begins, the latter's is a clock-in.
type clockEnd bool

// The ends of an attendance.
const (
	arrival   clockEnd = true
	departure clockEnd = false
)

// look finds all that the event refers to and all that speaks against it, in one
// statement: the turn was taken, so that none of the user's own attendances
// changes any more.
func (e *clockEvent) look(ctx context.Context, end clockEnd) error {
	s := e.statement(ctx, end)
	if s.err != nil {
		return s.err
	}
	site, current, person := &ent.Address{}, &ent.Attendance{}, &ent.User{}
	planned := &ent.EmployeeShift{}
	into := []any{
		&e.clashes, &e.shared, &e.known,
		optional(&site.ID), optional(&site.Name), optional(&site.Latitude), optional(&site.Longitude), &site.Radius,
		optional(&site.GeofenceIn), optional(&site.GeofenceOut),
		optional(&current.ID), optional(&current.EmployeeShiftID), optional(&current.ClockedInAt), optional(&current.ClockedInReceivedAt),
		optional(&person.ID), &person.JoinedOn, &person.LeftOn,
		optional(&planned.ID), optional(&planned.Date), optional(&planned.StartAt), optional(&planned.EndAt),
		optional(&planned.ClockInFrom), optional(&planned.ClockInUntil), optional(&planned.Timezone),
	}
	if err := eachRow(ctx, s.text.String(), s.args, func(scan scan) error { return scan(into...) }); err != nil {
		return err
	}
	e.site, e.occurrence = found(site, site.ID), found(planned, planned.ID)
	e.current, e.person = found(current, current.ID), found(person, person.ID)
	return nil
}

// found returns a row that was read, nil where the id says that there is none.
func found[T any](row *T, id int) *T {
	if id == 0 {
		return nil
	}
	return row
}

// statement is that of look. Every table is seen as its policy has it, but for
// what the company's other people did with the caller's device.
func (e *clockEvent) statement(ctx context.Context, end clockEnd) *statement {
	s, me := &statement{ctx: ctx}, e.me
	s.add("SELECT EXISTS (SELECT 1 FROM attendances x WHERE x.company_id = ? AND x.user_id = ? AND ", me.CompanyID, me.UserID)
	if end == arrival {
		s.add("x.clocked_out_at > ? AND x.clocked_in_at <= ? AND ", e.at, e.at)
	} else {
		s.add("x.clocked_out_at > c.clocked_in_at AND x.clocked_in_at < ? AND x.id <> c.id AND ", e.at)
	}
	s.seen(attendance.Policy, attendance.Table, "x")
	if end == arrival { // whoever clocked in or out with the device has signed in on it
		s.add(`), EXISTS (SELECT 1 FROM sessions s
  JOIN attendances x ON x.company_id = s.company_id AND x.user_id = s.user_id AND x.work_date = o.date
  WHERE s.device_id = ? AND s.company_id = ? AND s.user_id <> ? AND (x.clocked_in_device_id = ? OR x.clocked_out_device_id = ?)`,
			me.DeviceID, me.CompanyID, me.UserID, me.DeviceID, me.DeviceID)
		s.add("), EXISTS (SELECT 1 FROM face_templates f WHERE f.user_id = ? AND f.in_force = 1 AND ", me.UserID)
		s.seen(facetemplate.Policy, facetemplate.Table, "f")
		s.add("), ")
	} else {
		s.add("), FALSE, FALSE, ")
	}
	s.add(`site.id, site.name, site.latitude, site.longitude, site.radius, site.geofence_in, site.geofence_out,
  c.id, c.employee_shift_id, c.clocked_in_at, c.clocked_in_received_at, u.id, u.joined_on, u.left_on,
  o.id, o.date, o.start_at, o.end_at, o.clock_in_from, o.clock_in_until, o.timezone`)
	s.add(" FROM clock_states t LEFT JOIN attendances c ON c.user_id = ? AND c.open_marker = 1 AND ", me.UserID)
	s.seen(attendance.Policy, attendance.Table, "c")
	s.add(" LEFT JOIN employee_shifts o ON o.id = ? AND o.user_id = ? AND ", e.shiftID, me.UserID)
	s.seen(employeeshift.Policy, employeeshift.Table, "o")
	if e.addressID != nil {
		s.add(" LEFT JOIN addresses site ON site.id = ? AND ", *e.addressID)
	} else {
		s.add(" LEFT JOIN addresses site ON site.id = c.address_id AND ")
	}
	s.seen(address.Policy, address.Table, "site")
	s.add(" LEFT JOIN users u ON u.id = ? AND ", me.UserID)
	s.seen(user.Policy, user.Table, "u")
	s.add(" WHERE t.user_id = ?", me.UserID)
	return s
}
