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
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// offStatus returns the status of a day on which the viewer has not worked: holiday,
// weekly_off where no shift is planned either, else none.
func offStatus(ctx context.Context, me *viewer.Viewer, d *day) (model.DayStatus, error) {
	c, err := calendarOf(ctx, me, shift.Date(d.date))
	if err != nil {
		return "", err
	}
	on := c.Day(shift.Date(d.date))
	off := timesheet.Off{WeeklyOff: on.WeeklyOff && !d.planned()}
	if on.Free() {
		off.Holiday = timesheet.Whole
	}
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

// ownSite selects where somebody works: the address of their latest attendance, else the
// one address of their business.
const ownSite = `COALESCE((SELECT x.address_id FROM attendances x WHERE x.company_id = ? AND x.user_id = ? ORDER BY x.work_date DESC, x.id DESC LIMIT 1),
 (SELECT CASE WHEN COUNT(*) = 1 THEN MIN(b.id) END FROM users u JOIN addresses b ON b.business_id = u.business_id WHERE u.id = ? AND b.active = 1))`

// calendarOf reads what the calendar of the viewer's address says of a date, in one
// statement.
func calendarOf(ctx context.Context, me *viewer.Viewer, date shift.Date) (calendar.Calendar, error) {
	c := calendar.Calendar{WeeklyOffs: setting.WeeklyOffs.Of(me.Settings)}
	var h ent.Holiday
	var offs []int
	into := append(rows.Into(holidayColumns(&h)), rows.FromJSON(&offs))
	err := calendarQuery(ctx, me, date).Each(func(scan rows.Scan) error {
		h, offs = ent.Holiday{}, nil
		if err := scan(into...); err != nil {
			return err
		}
		if h.ID == 0 {
			c.AddressOffs = offs
		} else {
			c.Holidays = append(c.Holidays, calendar.Holiday{Name: h.Name, Date: date, Half: h.Half, Address: h.AddressID != nil})
		}
		return nil
	})
	return c, err
}

// calendarQuery is the statement of calendarOf: the holidays of the date, and the
// address.
func calendarQuery(ctx context.Context, me *viewer.Viewer, date shift.Date) *rows.Query {
	q, columns := rows.New(ctx), holidayColumns(&ent.Holiday{})
	q.Add("SELECT "+columns.Of("h")+", NULL FROM holidays h WHERE h.company_id = ? AND h.date = ? AND (h.place = 0 OR h.place = "+ownSite+") AND ",
		me.CompanyID, string(date), me.CompanyID, me.UserID, me.UserID)
	q.WherePolicy(holiday.Policy, holiday.Table, "h")
	q.Add(" UNION ALL SELECT "+columns.Nulls()+", site.weekly_offs FROM addresses site WHERE site.id = "+ownSite+" AND ", me.CompanyID, me.UserID, me.UserID)
	q.WherePolicy(address.Policy, address.Table, "site")
	return q
}

// holidayColumns are what is read of a holiday. Without one, the id is 0.
func holidayColumns(h *ent.Holiday) rows.Columns {
	return rows.Columns{
		rows.Read(holiday.FieldID, rows.Optional(&h.ID)), rows.Read(holiday.FieldName, rows.Optional(&h.Name)),
		rows.Read(holiday.FieldHalf, rows.Optional(&h.Half)), rows.Read(holiday.FieldAddressID, rows.Nullable(&h.AddressID)),
	}
}
