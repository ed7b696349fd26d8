package approval_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	entLeave "workforce/ent/leave"
	"workforce/ent/shiftswap"
	"workforce/ent/timeweek"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/database"
	"workforce/internal/viewer"
)

// TestInbox counts one of each kind of budi's, who is in the manager's team, of agus's, who is not, of
// the owner's and of the manager's own, but not what was decided, has expired or has no overtime.
func TestInbox(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	manager, owner := w.User(t, "Manager", viewer.Manager), w.User(t, "Owner")
	team := w.Business(t, "Team", nil, budi, manager, owner)
	day, evening := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "evening", "17:00", "19:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: day, manager: day, owner: day})
	for _, u := range []*ent.User{budi, agus, manager, owner} {
		w.Attend(t, u, "2026-03-10")
		w.Change(t, func(ctx context.Context, db *ent.Client) error { return addWaiting(ctx, db, w.Now(), u, agus, day) })
	}
	// A second shift with overtime on the date counts no date more.
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		o := db.EmployeeShift.Query().Where(employeeshift.UserID(budi.ID), employeeshift.Date("2026-03-10")).OnlyX(ctx)
		second := db.EmployeeShift.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetDate(o.Date).
			SetTimezone(o.Timezone).SetShiftID(evening.ID).SetShiftVersion(1).SetBreakSeconds(0).SetName("evening").
			SetStartAt(o.EndAt).SetEndAt(o.EndAt.Add(time.Hour)).
			SetClockInFrom(o.EndAt).SetClockInUntil(o.EndAt.Add(time.Hour)).SaveX(ctx)
		return db.ShiftResult.Create().SetCompanyID(o.CompanyID).SetUserID(o.UserID).SetEmployeeShiftID(second.ID).
			SetDate(o.Date).SetStatus("present").SetOvertimeSeconds(60).SetEvaluatedAt(w.Now()).Exec(ctx)
	})
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		role := w.Roles[viewer.Owner].ID
		return db.UserRole.Create().SetCompanyID(w.Company.ID).SetUserID(owner.ID).SetRoleID(role).Exec(ctx)
	})
	own := func(permissions ...string) context.Context {
		ctx := w.As(budi, viewer.Employee)
		viewer.From(ctx).Permissions = slices.Sorted(slices.Values(append(permissions, viewer.From(ctx).Permissions...)))
		return ctx
	}
	for _, tt := range []struct {
		name string
		ctx  context.Context
		want string
	}{
		{"an employee", w.As(budi, viewer.Employee), "{0 0 0 0 0 0 0 0 0}"},
		{"the colleague of swaps", w.As(agus, viewer.Employee), "{3 0 0 0 0 0 3 0 0}"},
		{"a manager", w.As(manager, viewer.Manager, team.ID), "{9 2 1 1 1 1 1 1 1}"},
		{"a manager of nobody", w.As(manager, viewer.Manager), "{0 0 0 0 0 0 0 0 0}"},
		{"an admin", w.As(w.Admin, viewer.Admin), "{27 6 3 3 3 3 3 3 3}"},
		{"an owner", w.As(owner, viewer.Owner), "{27 6 3 3 3 3 3 3 3}"},
		{"overtime needs both", own("attendance.approve.all", "attendance.read.all"), "{6 4 0 0 0 0 0 0 2}"},
	} {
		n := 0
		got, err := w.Desk.Inbox(database.RecordStatements(tt.ctx, func(context.Context, string) { n++ }))
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		if text := fmt.Sprint(*got); text != tt.want || n != 1 {
			t.Errorf("%s: %s by %d statements, want %s by 1", tt.name, text, n, tt.want)
		}
		if list, err := w.Desk.OvertimeWaiting(tt.ctx, nil); err != nil || len(list) != got.Overtime {
			t.Errorf("%s: %d dates of overtime are listed, %d wait: %v", tt.name, len(list), got.Overtime, err)
		}
	}
	if list, err := w.Desk.OvertimeWaiting(w.As(w.Admin, viewer.Admin), new(2)); err != nil || len(list) != 2 {
		t.Errorf("two dates of overtime: %v, %v", list, err)
	}
	w.Advance(15 * 24 * time.Hour) // what expires has, and overtime is too long ago
	got, err := w.Desk.Inbox(w.As(w.Admin, viewer.Admin))
	if text := fmt.Sprint(*got); err != nil || text != "{12 6 0 0 0 3 0 0 3}" {
		t.Errorf("a fortnight later: %s, %v", text, err)
	}
}

// addWaiting adds requests of a person that wait, and others that do not.
func addWaiting(ctx context.Context, db *ent.Client, now time.Time, u, colleague *ent.User, day *ent.Shift) error {
	company, later := u.CompanyID, now.Add(time.Hour)
	a := db.Attendance.Query().Where(entAttendance.UserID(u.ID)).OnlyX(ctx)
	a.Update().SetClockedInReview(entAttendance.ClockedInReviewPending).
		SetClockedOutReview(entAttendance.ClockedOutReviewPending).ExecX(ctx)
	o := a.QueryEmployeeShift().OnlyX(ctx)
	db.ShiftResult.Create().SetCompanyID(company).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).
		SetStatus("present").SetOvertimeSeconds(60).SetEvaluatedAt(now).ExecX(ctx)
	kind := db.LeaveType.Create().SetCompanyID(company).SetName(u.Name).SaveX(ctx)
	leave := func(date string, expires time.Time, state entLeave.State) {
		db.Leave.Create().SetCompanyID(company).SetUserID(u.ID).SetLeaveTypeID(kind.ID).SetStartsOn(date).SetEndsOn(date).
			SetDates([]string{date}).SetReason("x").SetCreatedAt(now).SetExpiresAt(expires).SetState(state).ExecX(ctx)
	}
	for i, expires := range []time.Time{later, now} {
		db.Correction.Create().SetCompanyID(company).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetAttendanceID(a.ID).
			SetDate(o.Date).SetReason("x").SetCoversFrom(now).SetCoversUntil(later).
			SetCreatedAt(now).SetExpiresAt(expires).ExecX(ctx)
		leave("2026-04-01", expires, entLeave.StatePending)
		d := db.Device.Create().SetDeviceID("x").SetPlatform("web").SetCreatedAt(now).
			SetTokenHash(fmt.Appendf(nil, "%016d%016d", u.ID, i)).SaveX(ctx)
		db.DeviceApproval.Create().SetCompanyID(company).SetUserID(u.ID).SetDeviceID(d.ID).SetPlatform("web").
			SetRequestedAt(now).SetExpiresAt(expires).ExecX(ctx)
		for n, state := range []shiftswap.State{shiftswap.StateAsked, shiftswap.StateAgreed} {
			swap := db.ShiftSwap.Create().SetCompanyID(company).SetUserID(u.ID).SetShiftID(day.ID).SetWantedShiftID(day.ID).
				SetState(state).SetDate(fmt.Sprintf("2026-04-%d%d", i+1, n)).SetWantedDate("2026-04-01").
				SetCreatedAt(now).SetExpiresAt(expires)
			if u.ID != colleague.ID {
				swap.SetColleagueID(colleague.ID)
			}
			swap.ExecX(ctx)
		}
	}
	leave("2026-04-02", later, entLeave.StateApproved)
	for monday, state := range map[string]timeweek.State{"2026-03-02": "submitted", "2026-02-23": "approved"} {
		db.TimeWeek.Create().SetCompanyID(company).SetUserID(u.ID).SetStartsOn(monday).SetEndsOn("2026-03-08").
			SetSeconds(1).SetSubmittedAt(now).SetState(state).ExecX(ctx)
	}
	db.FaceReset.Create().SetCompanyID(company).SetUserID(u.ID).SetReason("x").SetRequestedAt(now).ExecX(ctx)
	return nil
}
