package harness

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entExemption "workforce/ent/exemption"
	entPosition "workforce/ent/position"
	entShift "workforce/ent/shift"
	entTimeEntry "workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/internal/app/tx"
	"workforce/internal/viewer"
)

// SaveRows makes rows about somebody of the entities that the demo has none of, and saves
// their ids, and those of an attendance and a device of theirs, by the names of the
// tables.
func SaveRows(t *testing.T, s *Server, email string) {
	t.Helper()
	ctx := viewer.System(t.Context())
	u := s.Store.Ent.User.Query().Where(user.EmailKey(email)).OnlyX(ctx)
	rows := map[string]int{}
	err := tx.With(ctx, s.Store.Ent, func(db *ent.Client) error { return addRows(ctx, db, u, rows) })
	if err != nil {
		t.Fatal(err)
	}
	for table, id := range rows {
		s.Vars[table] = strconv.Itoa(id)
	}
}

// addRows adds rows about a user, and their ids by table.
func addRows(ctx context.Context, db *ent.Client, u *ent.User, ids map[string]int) error {
	of, now := u.CompanyID, Morning.UTC()
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	phone := db.Device.Create().SetDeviceID("made").SetPlatform("ios").SetTokenHash(key).SetCreatedAt(now).SaveX(ctx).ID
	db.DeviceTrust.Create().SetCompanyID(of).SetUserID(u.ID).SetDeviceID(phone).SetTrustedAt(now).ExecX(ctx)
	done, err := db.Attendance.Query().Where(entAttendance.UserID(u.ID)).First(ctx)
	if err != nil {
		return fmt.Errorf("attendance of %s: %w", u.Email, err)
	}
	work, err := db.Shift.Query().Where(entShift.CompanyID(of)).First(ctx)
	if err != nil {
		return err
	}
	ids["devices"], ids["attendances"] = phone, done.ID
	ids["exemptions"] = db.Exemption.Create().SetCompanyID(of).SetUserID(u.ID).SetRule(entExemption.RuleSpeed).SetEndsOn("2026-12-31").SaveX(ctx).ID
	ids["api_keys"] = db.APIKey.Create().SetCompanyID(of).SetCreatorID(u.ID).SetName("x").
		SetPermissions([]string{"task.read.all"}).SetHash(key).
		SetCreatedAt(now).SetExpiresAt(now).SaveX(ctx).ID
	ids["face_resets"] = db.FaceReset.Create().SetCompanyID(of).SetUserID(u.ID).SetReason("x").SetRequestedAt(now).SaveX(ctx).ID
	ids["device_approvals"] = db.DeviceApproval.Create().SetCompanyID(of).SetUserID(u.ID).SetDeviceID(phone).SetPlatform("ios").
		SetRequestedAt(now).SetExpiresAt(now).SaveX(ctx).ID
	ids["positions"] = db.Position.Create().SetCompanyID(of).SetUserID(u.ID).SetRecordedAt(now).SetReceivedAt(now).SetLatitude(-6.2).SetLongitude(106.8).
		SetSource(entPosition.SourceReport).SaveX(ctx).ID
	ids["rotations"] = db.Rotation.Create().SetCompanyID(of).SetName("Rows of " + u.Name).SetDays([]int{work.ID, 0}).SaveX(ctx).ID
	ids["rotation_assignments"] = db.RotationAssignment.Create().SetCompanyID(of).SetUserID(u.ID).SetRotationID(ids["rotations"]).SetStartsOn("2027-01-01").SaveX(ctx).ID
	ids["fallback_shifts"] = db.FallbackShift.Create().SetCompanyID(of).SetUserID(u.ID).SetShiftID(work.ID).SetCreatedAt(now).SaveX(ctx).ID
	ids["planned_days"] = db.PlannedDay.Create().SetCompanyID(of).SetUserID(u.ID).SetDate("2027-01-01").SetShiftIds([]int{work.ID}).SaveX(ctx).ID
	ids["shift_swaps"] = db.ShiftSwap.Create().SetCompanyID(of).SetUserID(u.ID).SetDate("2027-01-01").SetShiftID(work.ID).
		SetWantedDate("2027-01-01").SetWantedShiftID(work.ID).SetExpiresAt(now).SetCreatedAt(now).SaveX(ctx).ID
	ids["leave_types"] = db.LeaveType.Create().SetCompanyID(of).SetName("Rows of " + u.Name).SaveX(ctx).ID
	ids["leaves"] = db.Leave.Create().SetCompanyID(of).SetUserID(u.ID).SetLeaveTypeID(ids["leave_types"]).SetStartsOn("2027-01-01").SetEndsOn("2027-01-01").
		SetDates([]string{"2027-01-01"}).SetReason("x").SetExpiresAt(now).SetCreatedAt(now).SaveX(ctx).ID
	ids["corrections"] = db.Correction.Create().SetCompanyID(of).SetUserID(u.ID).SetEmployeeShiftID(done.EmployeeShiftID).SetDate(done.WorkDate).
		SetCoversFrom(now).SetCoversUntil(now).SetReason("x").SetExpiresAt(now).SetCreatedAt(now).SaveX(ctx).ID
	ids["overtime_approvals"] = db.OvertimeApproval.Create().SetCompanyID(of).SetUserID(u.ID).SetDate("2026-01-01").SetApproved(true).SetSeconds(60).
		SetDecidedBy(u.ID).SetDecidedAt(now).SaveX(ctx).ID
	booked := db.Task.Create().SetCompanyID(of).SetCreatorID(u.ID).SetTitle("Time of " + u.Name).SetEntryCount(1).SetTrackedSeconds(60).
		SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx).ID
	ids["time_entries"] = db.TimeEntry.Create().SetCompanyID(of).SetUserID(u.ID).SetTaskID(booked).SetKind(entTimeEntry.KindBooked).
		SetStartedAt(now.Add(-time.Hour)).SetEndedAt(now.Add(-time.Hour + time.Minute)).SetSeconds(60).SetDate("2026-03-10").SetLastDate("2026-03-10").
		SetTimezone("Asia/Jakarta").SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx).ID
	ids["time_weeks"] = db.TimeWeek.Create().SetCompanyID(of).SetUserID(u.ID).SetStartsOn("2026-01-05").SetEndsOn("2026-01-11").SetSeconds(0).
		SetSubmittedAt(now).SaveX(ctx).ID
	ids["projects"] = db.Project.Create().SetCompanyID(of).SetName("Rows of " + u.Name).SetCreatedAt(now).SaveX(ctx).ID
	ids["task_categories"] = db.TaskCategory.Create().SetCompanyID(of).SetName("Rows of " + u.Name).SaveX(ctx).ID
	addTask(ctx, db, u, ids)
	addTicket(ctx, db, u, ids)
	return nil
}

// addTicket adds a ticket of a user with its parts, and their ids by table.
func addTicket(ctx context.Context, db *ent.Client, u *ent.User, ids map[string]int) {
	of, now := u.CompanyID, Morning.UTC()
	ids["ticket_categories"] = db.TicketCategory.Create().SetCompanyID(of).SetName("Rows of " + u.Name).SaveX(ctx).ID
	ids["tickets"] = db.Ticket.Create().SetCompanyID(of).SetRequesterID(u.ID).SetAssigneeID(u.ID).SetNumber(1000 + u.ID).SetSubject("Rows of " + u.Name).SetCategoryID(ids["ticket_categories"]).
		SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx).ID
	db.TicketFollower.Create().SetCompanyID(of).SetTicketID(ids["tickets"]).SetUserID(u.ID).ExecX(ctx)
	ids["ticket_comments"] = db.TicketComment.Create().SetCompanyID(of).SetTicketID(ids["tickets"]).SetUserID(u.ID).SetText("x").SetCreatedAt(now).SaveX(ctx).ID
	ids["ticket_attachments"] = db.TicketAttachment.Create().SetCompanyID(of).SetTicketID(ids["tickets"]).SetUserID(u.ID).SetName("x").SetURL("images/avatar.png").
		SetContentType("application/pdf").SetSize(1).SetCreatedAt(now).SaveX(ctx).ID
}

// addTask adds a task of a user with its parts, and their ids by table.
func addTask(ctx context.Context, db *ent.Client, u *ent.User, ids map[string]int) {
	of, now := u.CompanyID, Morning.UTC()
	ids["tasks"] = db.Task.Create().SetCompanyID(of).SetCreatorID(u.ID).SetTitle("Rows of " + u.Name).SetProjectID(ids["projects"]).SetCategoryID(ids["task_categories"]).
		SetCreatedAt(now).SetUpdatedAt(now).SaveX(ctx).ID
	db.TaskAssignee.Create().SetCompanyID(of).SetTaskID(ids["tasks"]).SetUserID(u.ID).ExecX(ctx)
	ids["task_checklist_items"] = db.TaskChecklistItem.Create().SetCompanyID(of).SetTaskID(ids["tasks"]).SetTitle("x").SetPosition(1).SaveX(ctx).ID
	ids["task_comments"] = db.TaskComment.Create().SetCompanyID(of).SetTaskID(ids["tasks"]).SetUserID(u.ID).SetText("x").SetCreatedAt(now).SaveX(ctx).ID
	ids["task_attachments"] = db.TaskAttachment.Create().SetCompanyID(of).SetTaskID(ids["tasks"]).SetUserID(u.ID).SetName("x").SetURL("images/avatar.png").
		SetContentType("application/pdf").SetSize(1).SetCreatedAt(now).SaveX(ctx).ID
	ids["task_images"] = db.TaskImage.Create().SetCompanyID(of).SetTaskID(ids["tasks"]).SetUserID(u.ID).SetURL("images/avatar.png").SetThumbnailURL("images/avatar.png").
		SetContentType("image/jpeg").SetWidth(1).SetHeight(1).SetSize(1).SetCreatedAt(now).SaveX(ctx).ID
}
