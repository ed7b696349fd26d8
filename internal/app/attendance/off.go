package attendance

import (
	"context"

	"workforce/ent"
	"workforce/ent/shiftresult"
	"workforce/internal/app/dayoff"
	"workforce/internal/app/works"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

// complete reads what the roster window does not have: what frees the viewer from a date on
// which they have not worked, and the results of the date that were stored.
func (d *day) complete(ctx context.Context, me *viewer.Viewer) (err error) {
	date := shift.Date(d.date)
	if len(d.entries) == 0 {
		c := dayoff.Company{ID: me.CompanyID, Settings: me.Settings}
		// A night before the date counts by the holidays of its own date.
		if d.free, err = dayoff.Read(ctx, c, []int{me.UserID}, timesheet.Period{From: date.AddDays(-2), To: date}); err != nil {
			return err
		}
	}
	var ids []int
	for _, o := range d.around {
		if o.Date == d.date && o.EvaluatedAt != nil {
			ids = append(ids, o.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := ent.FromContext(ctx).ShiftResult.Query().Where(shiftresult.EmployeeShiftIDIn(ids...)).All(viewer.System(ctx))
	d.stored = map[int]*timesheet.Assessment{}
	for _, r := range found {
		d.stored[r.EmployeeShiftID] = works.AssessmentOf(r)
	}
	return err
}
