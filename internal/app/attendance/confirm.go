package attendance

import (
	"context"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/internal/app/approval"
	"workforce/internal/app/audit"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// Confirm confirms the end that a rule gave an attendance, and computes the result of its shift
// again. The attendance is the viewer's own, within the confirmDays of the company, or that of
// somebody about whom they decide. Of several confirmations at the same time one counts; CONFLICT
// for the others.
func (s *Service) Confirm(ctx context.Context, id int) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	visible := ent.FromContext(ctx).Attendance.Query().Where(entAttendance.ID(id))
	a, err := visible.Clone().Only(ctx)
	if err != nil {
		return err
	}
	if err := scheduling.Lock(viewer.System(ctx), a.CompanyID, []int{a.UserID}); err != nil {
		return err
	}
	if a, err = visible.Only(ctx); err != nil {
		return err
	}
	var about *ent.User // nil for the viewer
	if a.UserID != me.Self() {
		if about, err = approvable(ctx, a.UserID); err != nil {
			return err
		}
	} else if me.Scope("attendance", "write") == viewer.None {
		return errs.New(errs.Forbidden, nil)
	}
	if !a.NeedsConfirmation || a.ClockedOutReceivedAt == nil {
		return errs.Conflicts(errs.NotPending, "", nil)
	}
	until := a.ClockedOutReceivedAt.Add(time.Duration(setting.ConfirmDays.Of(me.Settings)) * 24 * time.Hour)
	if a.UserID == me.UserID && !s.Now().Before(until) {
		return errs.Conflicts(errs.TooLate, "", errs.Meta{"until": errs.Time{Time: until.In(shift.ZoneNamed(a.ClockedInZone))}})
	}
	today, date := shift.DateOf(s.Now(), shift.ZoneNamed(me.Timezone)), shift.Date(a.WorkDate)
	if err := approval.CheckLock(ctx, "attendance", about, today, "", date); err != nil {
		return err
	}
	n, err := ent.FromContext(ctx).Attendance.Update().Where(entAttendance.ID(id), entAttendance.NeedsConfirmation(true)).
		SetNeedsConfirmation(false).Save(viewer.System(ctx))
	if err == nil && n == 0 {
		err = errs.Conflicts(errs.NotPending, "", nil)
	}
	if err != nil {
		return err
	}
	if err := s.Days.ResultOf(ctx, a); err != nil {
		return err
	}
	if err := approval.ResetOvertime(ctx, me, a.UserID, date); err != nil {
		return err
	}
	return s.Audit.Record(ctx, audit.Event{
		Action: audit.AttendanceConfirmed, Company: a.CompanyID, Subject: ent.TypeAttendance, ID: id, Actor: me.UserID,
	})
}
