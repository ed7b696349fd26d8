package approval_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	"workforce/graph/model"
	"workforce/internal/app/approval"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/timesheets"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// TestDecide approves the overtime of 08:00 to 20:00, where 8 hours are expected, and takes
// it back when work of the date or the week changes.
func TestDecide(t *testing.T) {
	w := rostertest.New(t)
	s := &approval.Overtime{Now: w.Now, Plans: w.Plans, Days: (&timesheets.Service{Now: w.Now}).Days}
	budi, agus, manager := w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Manager", viewer.Manager)
	team := w.Business(t, "Team", nil, budi, manager)
	day := w.Shift(t, "day", "08:00", "16:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: day})
	w.Attend(t, budi, "2026-03-10")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		a := db.Attendance.Query().Where(entAttendance.UserID(budi.ID)).OnlyX(ctx)
		return a.Update().SetClockedOutAt(a.ClockedOutAt.Add(4 * 3600e9)).Exec(ctx)
	})
	var settings setting.Values
	decide := func(approve bool, items ...*model.OvertimeItemInput) (text string) {
		ctx := w.As(manager, viewer.Manager, team.ID)
		viewer.From(ctx).Settings = settings
		err := w.Transact(ctx, func(ctx context.Context) error {
			list, err := s.Decide(ctx, model.DecideOvertimeInput{Items: items, Approve: approve})
			for _, d := range list {
				text += " " + input.Value(d.Code)
				if d.OvertimeApproval != nil {
					text += fmt.Sprint(d.OvertimeApproval.Approved, d.OvertimeApproval.Seconds)
				}
			}
			return err
		})
		rostertest.WantCode(t, "decided", err, "")
		return strings.TrimSpace(text)
	}
	of := func(u *ent.User, date string) *model.OvertimeItemInput {
		return &model.OvertimeItemInput{UserID: u.ID, Date: date}
	}
	kept := func() string {
		var list []string
		for _, a := range w.Client().OvertimeApproval.Query().Order(ent.Asc(entOvertimeApproval.FieldDate)).AllX(w.System()) {
			list = append(list, fmt.Sprint(a.Date, " ", a.Approved, " ", a.Seconds))
		}
		return strings.Join(list, ", ")
	}
	rostertest.Want(t, "each", decide(true, of(budi, "2026-03-10"), of(agus, "2026-03-10"), of(manager, "2026-03-10"), of(budi, "2026-03-09"), of(budi, "2026-03-12"),
		&model.OvertimeItemInput{UserID: 4711, Date: "2026-03-10"}), "true 14400 FORBIDDEN FORBIDDEN CONFLICT VALIDATION_FAILED NOT_FOUND")
	rostertest.Want(t, "kept", kept(), "2026-03-10 true 14400")
	rostertest.Want(t, "refused later", decide(false, of(budi, "2026-03-10"), of(budi, "2026-03-11")), "false 0 false 0")
	rostertest.Want(t, "kept", kept(), "2026-03-10 false 0, 2026-03-11 false 0")
	reset := func(date shift.Date) {
		v := &viewer.Viewer{UserID: budi.ID, CompanyID: budi.CompanyID, Settings: settings}
		w.Change(t, func(ctx context.Context, db *ent.Client) error { return approval.ResetOvertime(ctx, v, budi.ID, date) })
	}
	reset("2026-03-11")
	rostertest.Want(t, "another day", kept(), "2026-03-10 false 0")
	reset("2026-03-10")
	rostertest.Want(t, "the day", kept(), "")
	settings = setting.Values{"overtimeWeeklyMinutes": 40 * 60}
	rostertest.Want(t, "with a weekly rule", decide(true, of(budi, "2026-03-10")), "true 14400")
	reset("2026-03-16")
	rostertest.Want(t, "another week", kept(), "2026-03-10 true 14400")
	reset("2026-03-15")
	rostertest.Want(t, "the week", kept(), "")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Attendance.Update().Where(entAttendance.UserID(budi.ID)).SetNeedsConfirmation(true).Exec(ctx)
	})
	rostertest.Want(t, "not confirmed", decide(true, of(budi, "2026-03-10")), "CONFLICT")
	settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-10"}
	rostertest.Want(t, "locked", decide(false, of(budi, "2026-03-10")), "CONFLICT")
}
