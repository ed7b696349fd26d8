package results

import (
	"context"
	"fmt"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftresult"
	"workforce/internal/app/tx"
	"workforce/internal/setting"
)

// TestDue lists what may have a result as ent does, a page at a time.
func TestDue(t *testing.T) {
	w := newWorld(t)
	for i := range 12 {
		for n, u := range []*ent.User{w.budi, w.citra} {
			o := w.plan(t, u, w.day, shiftDate("2026-03-05").AddDays(i), func(c *ent.EmployeeShiftCreate) {
				if i%5 == 4 {
					c.SetEvaluatedAt(w.Now())
				}
			})
			if (i+n)%2 == 0 {
				w.attend(t, o, o.Date+" 08:00", o.Date+" 17:00")
			}
		}
	}
	w.Set(jakarta("18:01").AddDate(0, 0, 1))
	w.set(setting.Values{"offlineHours": 48})
	company := w.DB.Company.GetX(w.System(), w.Company.ID)
	over := w.Now().Add(-time.Minute)
	want := fmt.Sprint(targets(w.DB.EmployeeShift.Query().
		Where(employeeshift.EvaluatedAtIsNil(), employeeshift.ClockInUntilLTE(over), employeeshift.Or(
			employeeshift.ClockInUntilLTE(over.Add(-48*time.Hour)),
			func(s *sql.Selector) {
				a := sql.Table(entAttendance.Table)
				s.Where(sql.In(s.C(employeeshift.FieldID), sql.Select(a.C(entAttendance.FieldEmployeeShiftID)).From(a)))
			})).
		Order(ent.Asc(employeeshift.FieldClockInUntil, employeeshift.FieldID)).AllX(w.System())))
	for _, limit := range []int{1, 3, 100} {
		var got []target
		for last := 0; ; last = got[len(got)-1].id {
			var page []target
			err := w.Try(w.System(), func(ctx context.Context, _ *ent.Client) (err error) {
				page, err = due(ctx, company, w.Now(), last, limit)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, page...); len(page) < limit {
				break
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("by %d: got %v, want %s", limit, got, want)
		}
	}
}

// TestReadBefore writes what days came to that were read before their people were locked,
// and reads them again if somebody else locked them meanwhile.
func TestReadBefore(t *testing.T) {
	for _, meanwhile := range []bool{false, true} {
		w := newWorld(t)
		o := w.plan(t, w.budi, w.day, "2026-03-11", nil)
		a := w.attend(t, o, "08:00", "17:00")
		w.Set(jakarta("19:00"))
		sc := scope{w.Company.ID, targets([]*ent.EmployeeShift{o}), false, w.Now()}
		read, err := sc.load(ent.NewContext(w.System(), w.DB))
		if err != nil {
			t.Fatal(err)
		}
		w.do(func(ctx context.Context, db *ent.Client) {
			if meanwhile {
				if err := (scope{of: sc.of, company: sc.company}).lock(ctx); err != nil {
					t.Error(err)
				}
			}
			db.Attendance.UpdateOneID(a.ID).SetClockedOutAt(jakarta("10:00")).ExecX(ctx)
		})
		err = tx.Run(w.System(), w.DB, func(ctx context.Context) error {
			_, err := w.evaluate(ctx, sc, read)
			return err
		})
		want := 8 * 3600
		if meanwhile {
			want = 2 * 3600
		}
		if r := w.result(o); err != nil || r == nil || r.WorkedSeconds != want || r.Status != shiftresult.StatusPresent {
			t.Errorf("changed under the lock %v: %v %v, want %d s", meanwhile, r, err, want)
		}
	}
}
