package attendance

import (
	"context"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/holiday"
	"workforce/graph/model"
	"workforce/internal/app/rows"
	"workforce/internal/calendar"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/timeoff"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// offStatus returns the status of a day on which the viewer has not worked: holiday,
// weekly_off where no shift is planned either, on_leave, work_from_home, else none.
func offStatus(ctx context.Context, me *viewer.Viewer, d *day) (model.DayStatus, error) {
	c, leave, err := calendarOf(ctx, me, shift.Date(d.date))
	if err != nil {
		return "", err
	}
	on := c.Day(shift.Date(d.date))
	off := timesheet.Off{WeeklyOff: on.WeeklyOff && !d.planned()}
	if on.Free() {
		off.Holiday = timesheet.Whole
	}
	timeoff.Free(&off, leave, shift.Date(d.date), d.zone)
	return model.DayStatus(off.Status()), nil
}

// planned reports whether the date has an occurrence.
func (d *day) planned() bool {
	for _, o := range d.occurrences {
		if o.Date == d.date {
			return true
		}
	}
	return false
}

// lastSite selects the address of somebody's latest attendance: where they work.
const lastSite = `(SELECT x.address_id FROM attendances x WHERE x.company_id = ? AND x.user_id = ? ORDER BY x.work_date DESC, x.id DESC LIMIT 1)`

// calendarOf reads what the calendar of the viewer's address says of a date, and their
// approved leave, in one statement.
func calendarOf(ctx context.Context, me *viewer.Viewer, date shift.Date) (calendar.Calendar, []timeoff.Leave, error) {
	c := calendar.Calendar{WeeklyOffs: setting.WeeklyOffs.Of(me.Settings)}
	var h ent.Holiday
	var offs []int
	var leave []timeoff.Leave
	var from, to string
	var home *bool // nil for no leave
	into := append(rows.Into(holidayColumns(&h)), rows.FromJSON(&offs), rows.Optional(&from), rows.Optional(&to), &home)
	err := calendarQuery(ctx, me, date).Each(func(scan rows.Scan) error {
		h, offs, from, to, home = ent.Holiday{}, nil, "", "", nil
		if err := scan(into...); err != nil {
			return err
		}
		switch {
		case home != nil:
			leave = append(leave, timeoff.Leave{
				Dates: []shift.Date{date}, Half: h.Half, From: shift.Clock(from), To: shift.Clock(to), WorkFromHome: *home,
			})
		case h.ID == 0:
			c.AddressOffs = offs
		default:
			c.Holidays = append(c.Holidays, calendar.Holiday{Name: h.Name, Date: date, Half: h.Half, Address: h.AddressID != nil})
		}
		return nil
	})
	return c, leave, err
}

// calendarQuery is the statement of calendarOf: the holidays of the date, the address, and
// the leave of the date, whose half is in the column of a holiday's.
func calendarQuery(ctx context.Context, me *viewer.Viewer, date shift.Date) *rows.Query {
	q, columns := rows.New(ctx), holidayColumns(&ent.Holiday{})
	q.Add("SELECT "+columns.Of("h")+", NULL, NULL, NULL, NULL FROM holidays h WHERE h.company_id = ? AND h.date = ? AND (h.place = 0 OR h.place = "+lastSite+") AND ",
		me.CompanyID, string(date), me.CompanyID, me.UserID)
	q.WherePolicy(holiday.Policy, holiday.Table, "h")
	q.Add(" UNION ALL SELECT "+columns.Nulls()+", site.weekly_offs, NULL, NULL, NULL FROM addresses site WHERE site.id = "+lastSite+" AND ", me.CompanyID, me.UserID)
	q.WherePolicy(address.Policy, address.Table, "site")
	q.Add(" UNION ALL SELECT NULL, NULL, l.half, NULL, NULL, l.from_time, l.to_time, l.work_from_home FROM leaves l WHERE l.company_id = ? AND l.user_id = ? "+
		"AND l.state = 'approved' AND l.starts_on <= ? AND l.ends_on >= ? AND INSTR(l.dates, ?) > 0", me.CompanyID, me.UserID, string(date), string(date), string(date))
	return q
}

// holidayColumns are what is read of a holiday. Without one, the id is 0.
func holidayColumns(h *ent.Holiday) rows.Columns {
	return rows.Columns{
		rows.Read(holiday.FieldID, rows.Optional(&h.ID)), rows.Read(holiday.FieldName, rows.Optional(&h.Name)),
		rows.Read(holiday.FieldHalf, rows.Optional(&h.Half)), rows.Read(holiday.FieldAddressID, rows.Nullable(&h.AddressID)),
	}
}
