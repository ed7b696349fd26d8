package results

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftresult"
	"workforce/internal/app/tx"
	"workforce/internal/setting"
)

// TestResults gives each occurrence its result once: by the job, when the window is over
// and nothing is open, and absence after the wait for offline events.
func TestResults(t *testing.T) {
	w := newWorld(t)
	worked := w.plan(t, w.budi, w.day, "2026-03-11", nil)
	w.attend(t, worked, "08:00", "18:30")
	empty := w.plan(t, w.citra, w.day, "2026-03-11", nil)
	w.Set(jakarta("18:00").Add(59 * time.Second))
	w.run(t, w.evaluating())
	if r := w.result(worked); r != nil {
		t.Errorf("within the window: %v", r)
	}
	w.Set(jakarta("18:31"))
	w.run(t, w.evaluating())
	r := w.result(worked)
	got := fmt.Sprintf("%s %s %d %d %d %d %d %v", r.Status, r.Date, r.LateSeconds, r.EarlySeconds, r.WorkedSeconds, r.ExpectedSeconds, r.OvertimeSeconds, r.Off)
	if got != "present 2026-03-11 0 0 34200 28800 5400 false" {
		t.Errorf("present: %s", got)
	}
	if r := w.result(empty); r != nil {
		t.Errorf("absent before the wait: %v", r)
	}
	w.Set(jakarta("18:00").Add(72*time.Hour + time.Minute - time.Microsecond))
	w.run(t, w.evaluating())
	if r := w.result(empty); r != nil {
		t.Errorf("absent before the wait: %v", r)
	}
	w.Set(jakarta("18:01").Add(72 * time.Hour))
	w.run(t, w.evaluating())
	if r := w.result(empty); r == nil || r.Status != shiftresult.StatusAbsent {
		t.Fatalf("after the wait: %v, want absent", r)
	}
	before := *w.result(worked)
	w.set(setting.Values{"overtimeToleranceMinutes": 200, "offlineHours": 1})
	w.do(func(ctx context.Context, db *ent.Client) {
		db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Nyepi").SetDate("2026-03-11").SaveX(ctx)
	})
	w.Advance(24 * time.Hour)
	w.run(t, w.evaluating())
	if after := w.result(worked); after.EvaluatedAt != before.EvaluatedAt || after.OvertimeSeconds != before.OvertimeSeconds || w.result(empty).Status != shiftresult.StatusAbsent {
		t.Errorf("later settings and holidays changed %v to %v", before, after)
	}
	err := tx.Run(w.System(), w.DB, func(ctx context.Context) error {
		n, err := w.Recompute(ctx, w.Company.ID, worked.ID, empty.ID)
		if n != 2 {
			t.Errorf("%d results found anew, want 2", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := w.result(worked); r.OvertimeSeconds != 34200 || !r.Off || r.ExpectedSeconds != 0 {
		t.Errorf("anew, on what is a holiday now: %v", r)
	}
	if r := w.result(empty); r.Status != shiftresult.StatusHoliday {
		t.Errorf("anew, on what is a holiday now: %v", r)
	}
	if n := w.DB.ShiftResult.Query().CountX(w.System()); n != 2 {
		t.Errorf("%d results, want 2", n)
	}
}

// TestAbsentBounds marks nobody absent before the first and after the last day of work, nor
// the inactive, nor for a fallback shift where another of the date was worked (A05, A21,
// A22).
func TestAbsentBounds(t *testing.T) {
	w := newWorld(t)
	w.Set(jakarta("10:00").AddDate(0, 0, 10))
	left := w.User(t, "Dewi")
	w.do(func(ctx context.Context, db *ent.Client) {
		db.User.UpdateOneID(w.budi.ID).SetJoinedOn("2026-03-10").SetLeftOn("2026-03-11").ExecX(ctx)
	})
	var got []string
	var list []*ent.EmployeeShift
	for _, date := range []string{"2026-03-09", "2026-03-10", "2026-03-11", "2026-03-12"} {
		list = append(list, w.plan(t, w.budi, w.day, shiftDate(date), nil))
	}
	list = append(list, w.plan(t, left, w.day, "2026-03-11", nil))
	w.do(func(ctx context.Context, db *ent.Client) { db.User.UpdateOneID(left.ID).SetActive(false).ExecX(ctx) })
	fallback := func(c *ent.EmployeeShiftCreate) { c.SetOrigin(employeeshift.OriginFallback) }
	var other *ent.Shift
	w.do(func(ctx context.Context, db *ent.Client) {
		other = db.Shift.Create().SetCompanyID(w.Company.ID).SetName("Lain").SetStartTime("08:00").SetEndTime("12:00").SaveX(ctx)
	})
	w.attend(t, w.plan(t, w.citra, w.day, "2026-03-11", nil), "08:00", "17:00")
	list = append(list, w.plan(t, w.citra, other, "2026-03-11", fallback), w.plan(t, w.citra, other, "2026-03-12", fallback))
	w.run(t, w.evaluating())
	for _, o := range list {
		r := w.result(o)
		got = append(got, fmt.Sprint(o.Date[8:], r.Status, r.ExpectedSeconds))
	}
	want := "[09none0 10absent28800 11absent28800 12none0 11none0 11none0 12absent14400]"
	if text := compact(got); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
}

// TestOpenWaits finds no result while an attendance is open, nor a final one before the end
// that a rule gave is confirmed.
func TestOpenWaits(t *testing.T) {
	w := newWorld(t)
	o := w.plan(t, w.budi, w.day, "2026-03-11", nil)
	a := w.attend(t, o, "08:30", "")
	w.Set(jakarta("18:30"))
	w.run(t, w.evaluating())
	if r := w.result(o); r != nil {
		t.Errorf("while it is open: %v", r)
	}
	w.Set(jakarta("23:00"))
	w.run(t, w.closing(), w.evaluating())
	if r := w.result(o); r == nil || r.Status != shiftresult.StatusNeedsConfirmation || r.LateSeconds != 1800 || r.OvertimeSeconds != 0 {
		t.Errorf("closed by rule: %v", r)
	}
	w.Advance(100 * time.Hour)
	w.run(t, w.evaluating())
	if r := w.result(o); r.Status != shiftresult.StatusNeedsConfirmation {
		t.Errorf("unconfirmed for days: %v", r)
	}
	w.DB.Attendance.UpdateOne(a).SetNeedsConfirmation(false).ExecX(w.System())
	if err := tx.Run(w.System(), w.DB, func(ctx context.Context) error { return w.ResultOf(ctx, a) }); err != nil {
		t.Fatal(err)
	}
	if r := w.result(o); r.Status != shiftresult.StatusPresent || r.OvertimeSeconds != 7200 {
		t.Errorf("confirmed: %v", r)
	}
}

// TestCatchUp goes on where a run ended, does nothing twice, and finds a week of results
// after it stood still; what fails for one person does not stop the others (WH-12).
func TestCatchUp(t *testing.T) {
	w := newWorld(t)
	var bad *ent.EmployeeShift
	for i := range 250 {
		u := w.User(t, fmt.Sprint("Orang ", i))
		o := w.plan(t, u, w.day, shiftDate("2026-03-11").AddDays(i%7), nil)
		if i == 17 {
			bad = o
		}
	}
	if _, err := w.DB.ExecContext(w.System(), "UPDATE employee_shifts SET breaks = 'no JSON' WHERE id = ?", bad.ID); err != nil {
		t.Fatal(err)
	}
	w.Set(jakarta("10:00").AddDate(0, 0, 14))
	w.run(t, w.evaluating())
	if n := w.DB.ShiftResult.Query().CountX(w.System()); n != 249 || w.result(bad) != nil {
		t.Errorf("%d results, want all but the one that fails", n)
	}
	first := w.DB.ShiftResult.Query().Order(ent.Asc(shiftresult.FieldID)).FirstX(w.System())
	if _, err := w.DB.ExecContext(w.System(), "UPDATE employee_shifts SET breaks = NULL WHERE id = ?", bad.ID); err != nil {
		t.Fatal(err)
	}
	w.Advance(time.Hour)
	w.run(t, w.evaluating())
	if n := w.DB.ShiftResult.Query().CountX(w.System()); n != 250 || w.result(bad) == nil {
		t.Errorf("%d results, want 250", n)
	}
	if again := w.DB.ShiftResult.GetX(w.System(), first.ID); !again.EvaluatedAt.Equal(first.EvaluatedAt) {
		t.Error("a result was found twice")
	}
}

// TestTogether runs the job on two instances at once, with people who ask for results anew.
func TestTogether(t *testing.T) {
	w := newWorld(t)
	var ids []int
	for i := range 30 {
		u := w.User(t, fmt.Sprint("Orang ", i))
		o := w.plan(t, u, w.day, "2026-03-11", nil)
		w.attend(t, o, "08:00", "17:00")
		ids = append(ids, o.ID)
	}
	w.Set(jakarta("19:00"))
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			err := tx.Run(w.System(), w.DB, func(ctx context.Context) error {
				if i%2 == 0 {
					_, err := w.Recompute(ctx, w.Company.ID, ids...)
					return err
				}
				list := make([]*ent.EmployeeShift, len(ids))
				for n, id := range ids {
					list[n] = ent.FromContext(ctx).EmployeeShift.GetX(ctx, id)
				}
				_, err := w.evaluate(ctx, scope{w.Company.ID, targets(list), false, w.Now()}, nil)
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := w.DB.ShiftResult.Query().Where(shiftresult.StatusEQ(shiftresult.StatusPresent)).CountX(w.System()); n != 30 {
		t.Errorf("%d results, want one of each", n)
	}
}

// TestWeeklyOvertime changes the overtime of later days of the week with a result that is
// found anew, and nothing else of them.
func TestWeeklyOvertime(t *testing.T) {
	w := newWorld(t)
	w.set(setting.Values{"overtimeWeeklyMinutes": 10 * 60, "overtimeDailyMinutes": 20 * 60})
	monday := w.plan(t, w.budi, w.day, "2026-03-09", nil)
	tuesday := w.plan(t, w.budi, w.day, "2026-03-10", nil)
	a := w.attend(t, monday, "2026-03-09 08:00", "2026-03-09 12:00")
	w.attend(t, tuesday, "2026-03-10 08:00", "2026-03-10 17:00")
	w.run(t, w.evaluating())
	if m, u := w.result(monday).OvertimeSeconds, w.result(tuesday).OvertimeSeconds; m != 0 || u != 2*3600 {
		t.Errorf("overtime %d and %d, want 0 and 2 h", m, u)
	}
	w.DB.Attendance.UpdateOne(a).SetClockedOutAt(jakarta("2026-03-09 17:00")).ExecX(w.System())
	if err := tx.Run(w.System(), w.DB, func(ctx context.Context) error {
		_, err := w.Recompute(ctx, w.Company.ID, monday.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if m, u := w.result(monday), w.result(tuesday); m.WorkedSeconds != 8*3600 || m.OvertimeSeconds != 0 || u.OvertimeSeconds != 6*3600 {
		t.Errorf("overtime %d and %d, want 0 and 6 h", m.OvertimeSeconds, u.OvertimeSeconds)
	}
	w.DB.Attendance.UpdateOne(a).SetOpenMarker(1).ClearClockedOutAt().ExecX(w.System())
	if err := tx.Run(w.System(), w.DB, func(ctx context.Context) error {
		_, err := w.Recompute(ctx, w.Company.ID, monday.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if w.result(monday) != nil || w.DB.EmployeeShift.GetX(w.System(), monday.ID).EvaluatedAt != nil {
		t.Error("an open attendance has a result")
	}
}
