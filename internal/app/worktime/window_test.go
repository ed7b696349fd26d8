package worktime

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftresult"
	"workforce/internal/app/apptest"
	"workforce/internal/shift"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestReadWindow compares the statement of the roster window with the same questions asked through
// ent, for people drawn at random and viewers of every role, on both databases.
func TestReadWindow(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w, random, older := newWorld(t, apptest.On(t, url)), rand.New(rand.NewPCG(3, 4)), 0
		for i := range 8 {
			u := w.drawn(t, random, fmt.Sprint("Person ", i))
			for _, role := range []string{viewer.Employee, viewer.Manager, viewer.Owner, ""} {
				ctx := w.As(u, role)
				me := viewer.From(ctx)
				got, err := w.service().readWindow(ctx, me)
				if err != nil {
					t.Fatal(err)
				}
				want := w.windowOf(ctx, me)
				if describe(got) != describe(want) {
					t.Errorf("viewer %+v:\ngot  %s\nwant %s", me, describe(got), describe(want))
				}
				if len(got.occurrences) > 0 && got.occurrences[0].Date < string(got.from) {
					older++
				}
			}
		}
		if older == 0 {
			t.Error("nobody has an open attendance that is older than the window")
		}
	})
}

// drawn adds a user with occurrences, attendances and results at random.
func (w *world) drawn(t *testing.T, random *rand.Rand, name string) *ent.User {
	t.Helper()
	one := func(n int) bool { return random.IntN(n) == 0 }
	u := w.User(t, name)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if one(2) {
			db.User.UpdateOneID(u.ID).SetJoinedOn("2026-03-01").SetLeftOn("2026-12-31").ExecX(ctx)
		}
		if one(4) {
			_, err := db.ClockState.Delete().Where(clockstate.UserID(u.ID)).Exec(ctx)
			return err
		}
		if one(2) {
			return nil
		}
		return db.ClockState.Update().Where(clockstate.UserID(u.ID)).SetPlannedUntil("2026-03-20").SetTimezone("Asia/Makassar").Exec(ctx)
	})
	var all []*ent.EmployeeShift
	for _, d := range []shift.Date{"2026-03-05", "2026-03-08", "2026-03-09", "2026-03-10", "2026-03-11", "2026-03-13", "2026-03-14"} {
		for _, start := range []shift.Clock{"04:00", "13:00"} {
			if one(3) {
				continue
			}
			o := w.plan(t, u, "Asia/Jakarta", start, start[:1]+"9:00", d, func(c *ent.EmployeeShiftCreate) {
				c.SetBreaks([]string{"12:00-13:00"}).SetBreakSeconds(random.IntN(60)).SetLateGraceMinutes(random.IntN(9)).SetHalfDayBelowMinutes(random.IntN(200))
			})
			for n, i := random.IntN(3), 0; i < n; i++ {
				in := o.StartAt.Add(time.Duration(i) * time.Hour)
				w.attend(t, o, w.sites[random.IntN(2)], in, in.Add(30*time.Minute), one(4))
			}
			all = append(all, o)
			if !one(3) {
				continue
			}
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				if one(2) {
					db.EmployeeShift.UpdateOneID(o.ID).SetEvaluatedAt(w.Now()).ExecX(ctx)
				}
				return db.ShiftResult.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetEmployeeShiftID(o.ID).SetDate(o.Date).SetStatus("half_day").
					SetLateSeconds(1).SetEarlySeconds(2).SetExpectedSeconds(3).SetOff(one(2)).SetEvaluatedAt(w.Now()).Exec(ctx)
			})
		}
	}
	if one(2) {
		o := all[random.IntN(min(4, len(all)))]
		w.attend(t, o, w.sites[0], o.StartAt.Add(3*time.Hour), time.Time{}, false)
	}
	return w.DB.User.GetX(w.System(), u.ID)
}

// windowOf reads a roster window through ent. Attendances are those that the viewer sees; one's own
// occurrences everybody sees.
func (w *world) windowOf(ctx context.Context, me *viewer.Viewer) *window {
	system, today := w.System(), shift.DateOf(w.Now(), time.UTC)
	out := &window{from: today.AddDays(-2)}
	u := w.DB.User.GetX(system, me.UserID)
	out.bounds.Joined, out.bounds.Left = shift.Date(text(u.JoinedOn)), shift.Date(text(u.LeftOn))
	if state, err := w.DB.ClockState.Query().Where(clockstate.UserID(me.UserID)).Only(system); err == nil {
		out.until, out.zone = shift.Date(text(state.PlannedUntil)), text(state.Timezone)
	}
	from := string(out.from)
	if open, err := w.DB.Attendance.Query().Where(entAttendance.UserID(me.UserID), entAttendance.OpenMarker(1)).Only(system); err == nil {
		from = min(from, open.WorkDate)
	}
	for _, o := range w.DB.EmployeeShift.Query().
		Where(employeeshift.UserID(me.UserID), employeeshift.DateGTE(from), employeeshift.DateLTE(string(today.AddDays(2)))).
		Order(ent.Asc(employeeshift.FieldStartAt, employeeshift.FieldID)).AllX(system) {
		row := &occurrence{
			ID: o.ID, Name: o.Name, Date: o.Date, StartAt: o.StartAt, EndAt: o.EndAt, ClockInFrom: o.ClockInFrom, ClockInUntil: o.ClockInUntil,
			BreakSeconds: o.BreakSeconds,
			terms: terms{Timezone: o.Timezone, Breaks: o.Breaks, BreakMinutes: o.BreakMinutes, BreakAfterMinutes: o.BreakAfterMinutes,
				LateGraceMinutes: o.LateGraceMinutes, EarlyGraceMinutes: o.EarlyGraceMinutes,
				HalfDayBelowMinutes: o.HalfDayBelowMinutes, AbsentBelowMinutes: o.AbsentBelowMinutes},
		}
		for _, a := range w.DB.Attendance.Query().Where(entAttendance.EmployeeShiftID(o.ID)).
			Order(ent.Asc(entAttendance.FieldClockedInAt, entAttendance.FieldID)).AllX(ctx) {
			row.entries = append(row.entries, &entry{
				ID: a.ID, AddressID: a.AddressID, Open: a.OpenMarker != nil, NeedsConfirmation: a.NeedsConfirmation, FaceMatched: a.FaceMatched,
				ClockedInAt: a.ClockedInAt, ClockedOutAt: a.ClockedOutAt, shift: row,
			})
		}
		if o.EvaluatedAt != nil {
			for _, r := range w.DB.ShiftResult.Query().Where(shiftresult.EmployeeShiftID(o.ID)).AllX(system) {
				row.stored = assessmentOf(r)
			}
		}
		out.occurrences = append(out.occurrences, row)
	}
	return out
}

// text returns what p points to; "" for nil.
func text(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

// describe returns a window as text, with the values behind pointers.
func describe(w *window) string {
	lines := []string{fmt.Sprint(w.from, w.bounds, w.until, w.zone)}
	for _, o := range w.occurrences {
		lines = append(lines, fmt.Sprint(o.ID, o.Name, o.Date, o.StartAt.Unix(), o.EndAt.Unix(), o.ClockInFrom.Unix(), o.ClockInUntil.Unix(), o.BreakSeconds,
			o.Timezone, o.Breaks, o.BreakMinutes, o.BreakAfterMinutes, *o.LateGraceMinutes, o.EarlyGraceMinutes == nil, o.HalfDayBelowMinutes, o.AbsentBelowMinutes))
		if o.stored != nil {
			lines = append(lines, fmt.Sprintf("stored %+v", *o.stored))
		}
		for _, e := range o.entries {
			out := ""
			if e.ClockedOutAt != nil {
				out = fmt.Sprint(e.ClockedOutAt.Unix())
			}
			lines = append(lines, fmt.Sprint("entry ", e.ID, e.AddressID, e.Open, e.NeedsConfirmation, e.FaceMatched != nil, e.ClockedInAt.Unix(), out, e.shift.ID))
		}
	}
	return strings.Join(lines, "\n")
}
