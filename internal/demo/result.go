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

// forgetful did not clock out of their last shift: a rule closed it, and they have not
// confirmed it.
const forgetful = "gita@demo.test"

// forget has a rule close the last attendance of forgetful.
func (f *filler) forget(ctx context.Context) error {
	a, err := f.db.Attendance.Query().Where(entAttendance.HasUserWith(user.Email(forgetful)), entAttendance.CompanyID(f.company.ID)).
		WithEmployeeShift().Order(ent.Desc(entAttendance.FieldClockedInAt)).First(ctx)
	if ent.IsNotFound(err) {
		return nil // of another company
	}
	if err != nil {
		return err
	}
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
	finder := &results.Service{Now: func() time.Time { return f.now }}
	_, err = finder.Recompute(ent.NewContext(ctx, f.db), f.company.ID, ids...)
	return err
}
