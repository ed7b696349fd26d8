package results

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/auditevent"
	entExemption "workforce/ent/exemption"
	entMessage "workforce/ent/message"
	"workforce/internal/app/audit"
	"workforce/internal/setting"
	"workforce/internal/shift"
)

func shiftDate(text string) shift.Date { return shift.Date(text) }

func compact(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = strings.ReplaceAll(text, " ", "")
	}
	return fmt.Sprint(out)
}

// closedAt returns the end and the rule of an attendance; "open" for none.
func (w *world) closedAt(a *ent.Attendance) string {
	a = w.read(a)
	if a.ClockedOutAt == nil {
		return "open"
	}
	text := a.ClockedOutAt.Add(7*time.Hour).Format("02 15:04 ") + string(*a.ClosingRule)
	if !a.NeedsConfirmation || !a.AutoClosed || *a.ClockedOutSource != entAttendance.ClockedOutSourceAuto || a.ClockedOutLocal == nil {
		text += ", not marked as closed by rule"
	}
	return text
}

// TestClosing closes forgotten attendances at the instant that the settings give, once that
// is due.
func TestClosing(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in       string
		settings setting.Values
		flexible bool
		exempt   bool
		holiday  bool
		now      string
		want     string
	}{
		{"FO-01 not yet due", "08:00", nil, false, false, false, "18:59", "open"},
		{"FO-01 hours and tolerance", "08:00", nil, false, false, false, "19:00", "11 19:00 hours"},
		{"FO-01 the company's tolerance", "08:00", setting.Values{"forgottenToleranceMinutes": 60}, false, false, false, "23:00", "11 18:00 hours"},
		{"FO-01 at the end of the shift", "08:00", setting.Values{"closeAtShiftEnd": true}, false, false, false, "23:00", "11 17:00 shift_end"},
		{"FO-03 two days later", "08:00", nil, false, false, false, "2026-03-13 23:00", "11 19:00 hours"},
		{"FO-04 flexible, before the cap", "08:00", nil, true, false, false, "23:59", "open"},
		{"FO-04 flexible, at the cap", "08:00", nil, true, false, false, "2026-03-12 00:00", "12 00:00 cap"},
		{"FO-05 the company's cap", "08:00", setting.Values{"attendanceCapMinutes": 300}, false, false, false, "13:00", "11 13:00 cap"},
		{"FO-05 exempt", "08:00", setting.Values{"attendanceCapMinutes": 300}, false, true, false, "23:59", "open"},
		{"FO-05 exempt, after 16 hours", "08:00", setting.Values{"attendanceCapMinutes": 300}, false, true, false, "2026-03-12 00:00", "12 00:00 cap"},
		{"on a holiday, by the hours of the shift", "08:00", nil, false, false, true, "23:00", "11 19:00 hours"},
	} {
		w := newWorld(t)
		w.set(tt.settings)
		o := w.plan(t, w.budi, w.day, "2026-03-11", nil)
		if tt.flexible {
			w.DB.EmployeeShift.UpdateOne(o).ClearLateGraceMinutes().ClearEarlyGraceMinutes().ExecX(w.System())
		}
		if tt.exempt {
			w.do(func(ctx context.Context, db *ent.Client) {
				db.Exemption.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetRule(entExemption.RuleAutoClose).SetEndsOn("2026-03-11").SaveX(ctx)
			})
		}
		if tt.holiday {
			w.do(func(ctx context.Context, db *ent.Client) {
				db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Nyepi").SetDate("2026-03-11").SaveX(ctx)
			})
		}
		a, counted := w.attend(t, o, tt.in, ""), 0
		w.Closed = func() { counted++ }
		w.Set(jakarta(tt.in))
		w.run(t, w.closing())
		if tt.want != "open" && w.closedAt(a) != "open" {
			t.Fatalf("%s: closed at once: %s", tt.name, w.closedAt(a))
		}
		w.Set(jakarta(tt.now))
		w.run(t, w.closing(), w.closing())
		if got := w.closedAt(a); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		want := 0
		if tt.want != "open" {
			want = 1
		}
		if n := w.DB.AuditEvent.Query().Where(auditevent.Action(audit.AttendanceClosed)).CountX(w.System()); n != want {
			t.Errorf("%s: %d events in the audit, want %d", tt.name, n, want)
		}
		if n := w.told("attendance_closed"); n != want {
			t.Errorf("%s: told %d times, want %d", tt.name, n, want)
		}
		if counted != want {
			t.Errorf("%s: counted %d times, want %d", tt.name, counted, want)
		}
	}
}

// told counts the messages of a kind.
func (w *world) told(kind string) int {
	return w.DB.Message.Query().Where(entMessage.Kind(kind)).CountX(w.System())
}

// TestRemind reminds people once after the end of the shift, and who is exempt once more
// at the cap; never where the company does not want it.
func TestRemind(t *testing.T) {
	for _, tt := range []struct {
		name     string
		settings setting.Values
		exempt   bool
		want     string // messages at 17:29, 17:30, 17:31, and an hour after the cap
	}{
		{"half an hour after the end", setting.Values{"forgottenToleranceMinutes": 480}, false, "[0 1 1 1]"},
		{"a quarter", setting.Values{"remindMinutes": 15, "forgottenToleranceMinutes": 480}, false, "[1 1 1 1]"},
		{"never", setting.Values{"remindMinutes": 0, "forgottenToleranceMinutes": 480}, false, "[0 0 0 0]"},
		{"exempt, at the cap too", setting.Values{"attendanceCapMinutes": 660}, true, "[0 1 1 2]"},
	} {
		w := newWorld(t)
		w.set(tt.settings)
		if tt.exempt {
			w.do(func(ctx context.Context, db *ent.Client) {
				db.Exemption.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetRule(entExemption.RuleAutoClose).SetEndsOn("2026-12-31").SaveX(ctx)
			})
		}
		a := w.attend(t, w.plan(t, w.budi, w.day, "2026-03-11", nil), "08:00", "")
		var got []int
		w.Set(jakarta("08:01"))
		w.run(t, w.closing())
		for _, at := range []string{"17:29", "17:30", "17:31", "20:00"} {
			for hour := w.Now().Add(time.Hour); hour.Before(jakarta(at)); hour = hour.Add(time.Hour) {
				w.Set(hour)
				w.run(t, w.closing())
			}
			w.Set(jakarta(at))
			w.run(t, w.closing())
			got = append(got, w.told("still_clocked_in"))
		}
		if fmt.Sprint(got) != tt.want || w.closedAt(a) != "open" {
			t.Errorf("%s: %v, %s; want %s, open", tt.name, got, w.closedAt(a), tt.want)
		}
	}
}

// TestCloseBeforeAnother closes no later than at a clock-in after it, which was recorded
// before.
func TestCloseBeforeAnother(t *testing.T) {
	w := newWorld(t)
	o := w.plan(t, w.budi, w.day, "2026-03-11", nil)
	w.attend(t, o, "15:00", "16:00")
	a := w.attend(t, o, "08:00", "")
	w.Set(jakarta("23:00"))
	w.run(t, w.closing())
	if got := w.closedAt(a); got != "11 15:00 clock_in" {
		t.Errorf("closed at %s", got)
	}
}

// TestCheckAt looks at an open attendance when something is due, and within the hour.
func TestCheckAt(t *testing.T) {
	w := newWorld(t)
	a := w.attend(t, w.plan(t, w.budi, w.day, "2026-03-11", nil), "08:00", "")
	for _, tt := range []struct{ now, want string }{
		{"08:10", "09:10"}, {"09:10", "10:10"}, {"17:00", "17:30"}, {"17:30", "18:30"}, {"18:30", "19:00"},
	} {
		w.Set(jakarta(tt.now))
		w.DB.Attendance.Update().Where(entAttendance.ID(a.ID)).ClearCheckAt().ExecX(w.System())
		w.run(t, w.closing())
		if got := w.read(a).CheckAt.Add(7 * time.Hour).Format("15:04"); got != tt.want {
			t.Errorf("at %s: due at %s, want %s", tt.now, got, tt.want)
		}
	}
	w.DB.Attendance.Update().Where(entAttendance.ID(a.ID)).SetCheckAt(jakarta("21:00")).ExecX(w.System())
	w.Set(jakarta("20:59"))
	w.run(t, w.closing())
	if w.closedAt(a) != "open" {
		t.Error("closed before it was due again")
	}
}

// TestExemptionEnds closes by the rule again after the last day of an exemption.
func TestExemptionEnds(t *testing.T) {
	w := newWorld(t)
	w.do(func(ctx context.Context, db *ent.Client) {
		db.Exemption.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetRule(entExemption.RuleAutoClose).SetEndsOn("2026-03-10").ExecX(ctx)
	})
	a := w.attend(t, w.plan(t, w.budi, w.day, "2026-03-11", nil), "08:00", "")
	w.Set(jakarta("19:00"))
	w.run(t, w.closing())
	if got := w.closedAt(a); got != "11 19:00 hours" {
		t.Errorf("closed at %s", got)
	}
}
