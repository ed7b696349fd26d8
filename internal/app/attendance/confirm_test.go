package attendance

import (
	"context"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	"workforce/ent/shiftresult"
	"workforce/internal/app/audit"
	"workforce/internal/app/tx"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// confirm confirms an attendance as somebody.
func (w *world) confirm(ctx context.Context, id int) error {
	return tx.Run(ctx, w.DB, func(ctx context.Context) error { return w.Confirm(ctx, id) })
}

// TestConfirm lets the employee confirm what a rule closed within confirmDays, and
// afterwards who approves attendance; each finds the result of the shift anew.
func TestConfirm(t *testing.T) {
	w := newTeam(t)
	closed := func() *ent.Attendance {
		return w.attend(t, w.today, "2026-03-11 08:00", "2026-03-11 17:00", func(a *ent.AttendanceUpdateOne) { a.SetNeedsConfirmation(true) })
	}
	a := closed()
	w.Set(jakarta("18:01"))
	result := func() shiftresult.Status {
		return w.DB.ShiftResult.Query().OnlyX(w.System()).Status
	}
	if err := tx.Run(w.System(), w.DB, func(ctx context.Context) error {
		n, err := w.Days.Recompute(ctx, w.Company.ID, w.today.ID)
		if n != 1 {
			t.Errorf("%d results, want 1", n)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got := result(); got != shiftresult.StatusNeedsConfirmation {
		t.Errorf("before: %s", got)
	}
	if err := w.confirm(w.on(w.stranger, 1), a.ID); !ent.IsNotFound(err) {
		t.Errorf("who may not read it: %v, want not found", err)
	}
	w.settings = setting.Values{"confirmDays": 2}
	w.Set(jakarta("17:00").Add(48 * time.Hour))
	wantCode(t, "too late", w.confirm(w.on(w.user, 1), a.ID), "CONFLICT")
	w.Set(jakarta("17:00").Add(48*time.Hour - time.Second))
	wantCode(t, "in time", w.confirm(w.on(w.user, 1), a.ID), "")
	wantCode(t, "again", w.confirm(w.on(w.user, 1), a.ID), "CONFLICT")
	if got := result(); got != shiftresult.StatusPresent {
		t.Errorf("after: %s", got)
	}
	w.DB.Attendance.UpdateOneID(a.ID).SetNeedsConfirmation(true).ExecX(w.System())
	w.Advance(10 * 24 * time.Hour)
	wantCode(t, "the manager, later", w.confirm(w.As(w.manager, viewer.Manager, w.unit), a.ID), "")
	if n := w.DB.AuditEvent.Query().Where(auditevent.Action(audit.AttendanceConfirmed)).CountX(w.System()); n != 2 {
		t.Errorf("%d events in the audit, want 2", n)
	}
}

// TestLateEvent has the result of a shift found anew after a clock-in that was recorded
// offline.
func TestLateEvent(t *testing.T) {
	w := newWorld(t)
	w.Set(jakarta("18:30"))
	w.DB.EmployeeShift.UpdateOneID(w.today.ID).SetEvaluatedAt(w.Now()).ExecX(w.System())
	if _, err := w.clockIn(recordedIn(jakarta("09:00"))); err != nil {
		t.Fatal(err)
	}
	if o := w.DB.EmployeeShift.GetX(w.System(), w.today.ID); o.EvaluatedAt != nil {
		t.Errorf("evaluated at %v, want it open again", o.EvaluatedAt)
	}
}
