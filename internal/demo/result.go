package demo

import (
	"context"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/user"
	"workforce/internal/app/results"
	"workforce/internal/app/worktime"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// forgetful did not clock out of their last shift, which was one or two days ago: a rule closed it,
// and they have not confirmed it. The first is of the decider's people, the other is not.
var forgetful = []string{"kartika@demo.test", "gita@demo.test"}

// forget has a rule close the last attendance of each of forgetful.
func (f *filler) forget(ctx context.Context) error {
	for _, email := range forgetful {
		a, err := f.db.Attendance.Query().
			Where(entAttendance.HasUserWith(user.Email(email)), entAttendance.CompanyID(f.company.ID)).
			WithEmployeeShift().Order(ent.Desc(entAttendance.FieldClockedInAt)).First(ctx)
		if ent.IsNotFound(err) {
			continue // of another company
		}
		if err != nil {
			return err
		}
		if err := f.closeByRule(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// closeByRule has a rule end an attendance of somebody who never clocked out.
func (f *filler) closeByRule(ctx context.Context, a *ent.Attendance) error {
	work := worktime.NewOccurrence(a.Edges.EmployeeShift)
	closing, _ := work.Close([]timesheet.Entry{{In: a.ClockedInAt}}, timesheet.Off{}, timesheet.Defaults(), false)
	local, offset := shift.Wall(closing.At, f.zone)
	return a.Update().SetNeedsConfirmation(true).SetAutoClosed(true).SetClosingRule(entAttendance.ClosingRule(closing.Reason)).
		SetClockedOutAt(closing.At).SetClockedOutReceivedAt(closing.Due).SetClockedOutLocal(local).SetClockedOutOffset(offset).
		SetClockedOutSource(entAttendance.ClockedOutSourceAuto).ClearClockedOutLatitude().ClearClockedOutLongitude().
		ClearClockedOutDistance().ClearClockedOutGeofence().Exec(ctx)
}

// addResults finds the results of the past shifts. Absence waits for offline events, as
// everywhere.
func (f *filler) addResults(ctx context.Context) error {
	ids, err := f.db.EmployeeShift.Query().
		Where(employeeshift.CompanyID(f.company.ID), employeeshift.DateLT(string(f.today()))).IDs(ctx)
	if err != nil {
		return err
	}
	return f.findResults(ctx, ids)
}

// findResults finds the results of occurrences that have any by now.
func (f *filler) findResults(ctx context.Context, ids []int) error {
	finder := &results.Service{Now: func() time.Time { return f.now }}
	_, err := finder.Recompute(ent.NewContext(ctx, f.db), f.company.ID, ids...)
	return err
}
