package demo

import (
	"context"
	"time"

	"workforce/ent"
	entReport "workforce/ent/report"
	"workforce/ent/user"
	"workforce/internal/app/report"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// AddReport has a report of the attendance of the last two weeks ready for the owner of the
// demo, unless there was any report. The context is the system's.
func AddReport(ctx context.Context, db *ent.Client, reports *report.Service, now time.Time) error {
	exists, err := db.Report.Query().Exist(ctx)
	if err != nil || exists {
		return err
	}
	u, err := db.User.Query().Where(user.EmailKey("admin@demo.test")).Only(ctx)
	if err != nil {
		return err
	}
	yesterday := timesheet.DateOf(now, shift.ZoneNamed("Asia/Jakarta")).AddDays(-1)
	err = reports.Seed(ctx, u.ID, entReport.KindAttendance, timesheet.Period{From: yesterday.AddDays(-13), To: yesterday})
	if ent.IsConstraintError(err) { // another instance was faster
		return nil
	}
	return err
}
