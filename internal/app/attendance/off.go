package attendance

import (
	"context"

	"workforce/graph/model"
	"workforce/internal/app/dayoff"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// offStatus returns the status of a day on which the viewer has not worked: holiday,
// weekly_off where no shift is planned either, on_leave, work_from_home, else none.
func offStatus(ctx context.Context, me *viewer.Viewer, d *day) (model.DayStatus, error) {
	date := shift.Date(d.date)
	t, err := dayoff.Read(ctx, dayoff.Company{ID: me.CompanyID, Settings: me.Settings}, []int{me.UserID}, timesheet.Period{From: date, To: date})
	if err != nil {
		return "", err
	}
	off := t.Of(me.UserID, date, t.Site(me.UserID), d.zone)
	off.WeeklyOff = off.WeeklyOff && !d.planned()
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
