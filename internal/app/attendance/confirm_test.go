package attendance

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/auditevent"
	entJob "workforce/ent/job"
	"workforce/ent/shiftresult"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/job"
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
	err := w.confirm(w.on(w.user, 1), a.ID)
	if wantCode(t, "too late", err, "CONFLICT"); apptest.Conflict(err) != "TOO_LATE" {
		t.Errorf("too late: %s", apptest.Conflict(err))
	}
	w.Set(jakarta("17:00").Add(48*time.Hour - time.Second))
	wantCode(t, "in time", w.confirm(w.on(w.user, 1), a.ID), "")
	err = w.confirm(w.on(w.user, 1), a.ID)
	if wantCode(t, "again", err, "CONFLICT"); apptest.Conflict(err) != "NOT_PENDING" {
		t.Errorf("again: %s", apptest.Conflict(err))
	}
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

// TestClosingAgainstClockOut has a rule close an attendance on two instances while the
// employee clocks out: one of them ends it.
func TestClosingAgainstClockOut(t *testing.T) {
	for range 3 {
		w := newWorld(t)
		w.DB.EmployeeShift.UpdateOneID(w.today.ID).SetLateGraceMinutes(0).ExecX(w.System())
		a := w.attend(t, w.today, "08:00", "", nil)
		w.Set(jakarta("19:00"))
		var all sync.WaitGroup
		var refused atomic.Int32
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		for range 2 {
			kind := w.Days.Kinds()[1]
			kind.Every = 0
			r := job.New(kind)
			r.DB, r.Now, r.Log = w.DB, w.Now, slog.New(slog.DiscardHandler)
			w.Change(t, func(ctx context.Context, _ *ent.Client) error {
				_, err := r.Enqueue(ctx, job.Request{Kind: kind.Name})
				return err
			})
			running.Go(func() { r.Run(ctx) })
		}
		for range 20 {
			all.Go(func() {
				if err := w.clockOut(); err != nil {
					refused.Add(1)
				}
			})
		}
		all.Wait()
		for w.DB.Job.Query().Where(entJob.FinishedAtIsNil()).CountX(w.System()) > 0 {
			time.Sleep(time.Millisecond)
		}
		stop()
		running.Wait()
		closings := w.DB.AuditEvent.Query().Where(auditevent.Action(audit.AttendanceClosed)).CountX(w.System())
		ended := w.DB.Attendance.GetX(w.System(), a.ID)
		byRule := *ended.ClockedOutSource == entAttendance.ClockedOutSourceAuto
		if ended.OpenMarker != nil || byRule != (closings == 1) || closings > 1 || byRule != (refused.Load() == 20) || !byRule && refused.Load() != 0 {
			t.Errorf("ended by %s, %d closings, %d clock-outs refused", *ended.ClockedOutSource, closings, refused.Load())
		}
	}
}
