package scheduling

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/internal/app/apptest"
)

// TestStore stores an occurrence as it is, and another in its place.
func TestStore(t *testing.T) {
	w := apptest.New(t)
	u := w.User(t, "Budi")
	assignments := make([]int, 2)
	o := &ent.EmployeeShift{
		CompanyID: w.Company.ID, UserID: u.ID, Date: "2026-03-12", ShiftVersion: 2, Origin: employeeshift.OriginAssignment,
		Name: "Pagi", Timezone: "Asia/Jakarta", StartAt: w.Now(), EndAt: w.Now().Add(8 * time.Hour), ClockInFrom: w.Now().Add(-time.Hour), ClockInUntil: w.Now().Add(9 * time.Hour),
		Breaks: []string{"12:00-13:00"}, BreakSeconds: 3, BreakMinutes: 4, BreakAfterMinutes: 5, LateGraceMinutes: new(6), EarlyGraceMinutes: new(7),
		HalfDayBelowMinutes: 8, AbsentBelowMinutes: 9, WorkingHours: employeeshift.WorkingHoursFirstLast, EvaluatedAt: new(w.Now().Add(10 * time.Hour)),
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		s := db.Shift.Create().SetCompanyID(w.Company.ID).SetName("Pagi").SetStartTime("08:00").SetEndTime("16:00").SaveX(ctx)
		for i := range assignments {
			assignments[i] = db.ShiftAssignment.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetShiftID(s.ID).
				SetStartsOn(fmt.Sprintf("2026-03-0%d", i+1)).SetWeekdays([]int{4}).SaveX(ctx).ID
		}
		o.ShiftID, o.AssignmentID = s.ID, &assignments[0]
		return nil
	})
	other := *o
	other.AssignmentID, other.ShiftVersion, other.Origin, other.Name, other.Timezone = &assignments[1], 12, employeeshift.OriginRotation, "Siang", "Asia/Makassar"
	other.StartAt, other.EndAt = o.StartAt.Add(time.Minute), o.EndAt.Add(2*time.Minute)
	other.ClockInFrom, other.ClockInUntil = o.ClockInFrom.Add(3*time.Minute), o.ClockInUntil.Add(4*time.Minute)
	other.Breaks, other.BreakSeconds, other.BreakMinutes, other.BreakAfterMinutes = []string{}, 13, 14, 15
	other.LateGraceMinutes, other.EarlyGraceMinutes, other.HalfDayBelowMinutes, other.AbsentBelowMinutes = new(16), new(17), 18, 19
	other.WorkingHours = employeeshift.WorkingHoursEveryValidPair
	bare := other
	bare.AssignmentID, bare.LateGraceMinutes, bare.EarlyGraceMinutes, bare.EvaluatedAt = nil, nil, nil, nil
	id := 0
	for _, want := range []ent.EmployeeShift{*o, other, bare} {
		w.Change(t, func(ctx context.Context, _ *ent.Client) error { return Store(ctx, []*ent.EmployeeShift{&want}, nil) })
		got := w.DB.EmployeeShift.Query().OnlyX(w.System())
		if id != 0 && got.ID != id {
			t.Errorf("id %d, want %d, as before", got.ID, id)
		}
		id, want.ID = got.ID, got.ID
		if got.String() != want.String() {
			t.Errorf("got  %s\nwant %s", got, &want)
		}
	}
	w.Change(t, func(ctx context.Context, _ *ent.Client) error { return Store(ctx, nil, []int{id}) })
	if n := w.DB.EmployeeShift.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d are left", n)
	}
}

// TestDue finds active people of one company at a time who lack occurrences.
func TestDue(t *testing.T) {
	w := apptest.New(t)
	first := w.Company.ID
	var ids []int
	for _, name := range []string{"None", "Short", "Planned", "Inactive", "Other"} {
		ids = append(ids, w.User(t, name).ID)
	}
	second := 0
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		second = db.Company.Create().SetName("Other").SetTimezone("Asia/Jakarta").SetCreatedAt(apptest.Now).SaveX(ctx).ID
		plan := func(id int, until string) {
			db.ClockState.Update().Where(clockstate.UserID(id)).SetPlannedUntil(until).ExecX(ctx)
		}
		plan(ids[1], "2026-03-26")
		plan(ids[2], "2026-03-27")
		return db.User.UpdateOneID(ids[3]).SetActive(false).Exec(ctx)
	})
	for _, statement := range []string{"UPDATE users SET company_id = ? WHERE id = ?", "UPDATE clock_states SET company_id = ? WHERE user_id = ?"} {
		if _, err := w.DB.ExecContext(w.System(), statement, second, ids[4]); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		company, of int
		want        []int
	}{{0, first, ids[:2]}, {first, first, ids[:2]}, {second, second, ids[4:]}} {
		of, got, err := due(w.System(), tt.company, "2026-03-27")
		if of != tt.of || !slices.Equal(got, tt.want) || err != nil {
			t.Errorf("of %d: %v of %d, %v, want %v of %d", tt.company, got, of, err, tt.want, tt.of)
		}
	}
}
