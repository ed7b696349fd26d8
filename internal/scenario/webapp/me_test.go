package webapp

import (
	"encoding/base64"
	"fmt"
	"image/color"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/address"
	"workforce/ent/attendance"
	"workforce/ent/correction"
	"workforce/ent/devicetrust"
	"workforce/ent/employeeshift"
	entLeave "workforce/ent/leave"
	"workforce/ent/leavetype"
	"workforce/ent/predicate"
	"workforce/ent/shiftswap"
	"workforce/ent/task"
	"workforce/ent/taskimage"
	"workforce/ent/timeentry"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// onDatabases uses the app on SQLite by the keyboard alone where that is tried, and with WEB_FULL on MariaDB
// by clicks.
func onDatabases(t *testing.T, use func(t *testing.T, s *harness.Server, keyboard bool)) {
	t.Helper()
	t.Parallel()
	databases := map[string]func(testing.TB) string{"sqlite": testdb.SQLite}
	if os.Getenv("WEB_FULL") != "" {
		databases["mysql"] = testdb.MySQL
	}
	for name, database := range databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			use(t, harness.New(t, database(t), atLocalhost), name == "sqlite")
		})
	}
}

// TestMe has an employee clock in and out at /app/me: not outside of the site, once inside of it,
// flagged outside of it, without a connection, and where the server refuses it.
func TestMe(t *testing.T) { onDatabases(t, useMe) }

func useMe(t *testing.T, s *harness.Server, keyboard bool) {
	t.Helper()
	planDay(t, s)
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	site := db.Address.Query().Where(address.Name("Kantor Pusat")).OnlyX(ctx)
	told := map[string]any{"latitude": site.Latitude, "longitude": site.Longitude, "keyboard": keyboard}
	today := s.Clock.Now().Format(time.DateOnly)
	of := attendance.And(attendance.WorkDate(today), attendance.HasUserWith(user.Email(employee)))
	useAs(t, s, employee, "me.mjs", told, map[string]func(string) string{
		"none": func(string) string {
			if n := db.Attendance.Query().Where(of).CountX(ctx); n != 0 {
				t.Errorf("%d attendances before the answer about the face", n)
			}
			return ""
		},
		"in": func(note string) string {
			a := db.Attendance.Query().Where(of).OnlyX(ctx)
			where := a.QueryAddress().OnlyX(ctx).Name
			if a.ClockedOutAt != nil || a.ClockedInGeofence != attendance.ClockedInGeofenceInside ||
				a.ClockedInNote == nil || *a.ClockedInNote != note || where != site.Name {
				t.Errorf("clocked in as %v at %s", a, where)
			}
			return ""
		},
		"later": func(string) string {
			s.Clock.Advance(5 * time.Minute)
			return s.Clock.Now().Format(time.RFC3339)
		},
		"geofenceIn":  func(action string) string { return policy(t, s, "geofenceIn: "+action) },
		"geofenceOut": func(action string) string { return policy(t, s, "geofenceOut: "+action) },
		"out": func(string) string {
			a := db.Attendance.Query().Where(of).OnlyX(ctx)
			if a.ClockedOutAt == nil || !strings.Contains(fmt.Sprint(a.ClockedOutFlags), "outside") {
				t.Errorf("clocked out as %v", a)
			}
			return ""
		},
	})
}

// policy changes what the company does about clock events.
func policy(t *testing.T, s *harness.Server, setting string) string {
	t.Helper()
	s.SignIn(t, "admin", "admin@demo.test")
	s.Says(t, "admin", `mutation { updateCompany(input: {settings: {`+setting+`}}) { id } }`,
		`{"updateCompany":{"id":"<digits>"}}`)
	return ""
}

// TestMeDays has an employee look at their days, ask for leave, a correction and a swap, and take some
// of that back.
func TestMeDays(t *testing.T) { onDatabases(t, useDays) }

func useDays(t *testing.T, s *harness.Server, _ bool) {
	t.Helper()
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	budi := db.User.Query().Where(user.Email(employee)).OnlyX(ctx)
	leaveOf := func(text string) *ent.Leave {
		of := strings.SplitN(text, " ", 4)
		l, err := db.Leave.Query().Where(entLeave.UserID(budi.ID), entLeave.StartsOn(of[1]), entLeave.EndsOn(of[2]),
			entLeave.Reason(of[3])).Only(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	useAs(t, s, employee, "me-days.mjs", nil, map[string]func(string) string{
		"leave": func(text string) string {
			if l := leaveOf(text); string(l.State) != strings.Fields(text)[0] {
				t.Errorf("the leave is %s, want %s", l.State, text)
			}
			return ""
		},
		"approve": func(string) string {
			kind := db.LeaveType.Query().Where(leavetype.CompanyID(budi.CompanyID), leavetype.Name("Cuti tahunan")).OnlyX(ctx)
			ratna, now := db.User.Query().Where(user.Email(manager)).OnlyIDX(ctx), s.Clock.Now()
			db.Leave.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetLeaveTypeID(kind.ID).
				SetStartsOn("2026-03-26").SetEndsOn("2026-03-26").SetDates([]string{"2026-03-26"}).SetReason("one day").
				SetState(entLeave.StateApproved).SetDecidedAt(now).SetDecisionNote("enjoy").SetDecidedBy(ratna).SetCreatedAt(now).
				SetExpiresAt(now.Add(harness.Day)).SaveX(ctx)
			return ""
		},
		"correction": func(text string) string {
			clock, reason, _ := strings.Cut(text, " ")
			c := db.Correction.Query().Where(correction.UserID(budi.ID), correction.Reason(reason)).OnlyX(ctx)
			zone, err := time.LoadLocation("Asia/Jakarta")
			if err != nil {
				t.Error(err)
			}
			if c.ClockInAt != nil || c.ClockOutAt == nil || c.ClockOutAt.In(zone).Format("15:04") != clock {
				t.Errorf("the correction is %v, want a clock-out at %s", c, clock)
			}
			return ""
		},
		"missing": func(string) string {
			day := employeeshift.And(employeeshift.UserID(budi.ID), employeeshift.Date("2026-03-02"))
			of := db.Attendance.Query().Where(attendance.HasEmployeeShiftWith(day)).IDsX(ctx)
			db.Attendance.Delete().Where(attendance.IDIn(of...)).ExecX(ctx)
			last := db.Attendance.Query().Where(attendance.UserID(budi.ID)).
				Order(ent.Desc(attendance.FieldClockedInAt)).FirstX(ctx)
			return last.QueryAddress().OnlyX(ctx).Name
		},
		"swap": func(text string) string {
			date, wanted, _ := strings.Cut(text, " ")
			w := db.ShiftSwap.Query().Where(shiftswap.UserID(budi.ID), shiftswap.Date(date)).OnlyX(ctx)
			if name := w.QueryWantedShift().OnlyX(ctx).Name; name != wanted {
				t.Errorf("%s is wanted, want %s", name, wanted)
			}
			return ""
		},
	})
}

// TestMeWork has an employee start and stop a timer, photograph into a task, take a device away, say where
// positions may be kept, and save all that is stored about them.
func TestMeWork(t *testing.T) { onDatabases(t, useWork) }

func useWork(t *testing.T, s *harness.Server, _ bool) {
	t.Helper()
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	s.SignIn(t, "budi", employee) // on the device that is taken away
	s.Clock.Advance(2 * time.Minute)
	given := db.Task.Query().Where(task.HasAssigneesWith(user.Email(employee)), task.DeletedAtIsNil(),
		task.StatusIn(task.StatusOpen, task.StatusInProgress)).Order(ent.Asc(task.FieldID)).FirstX(ctx)
	told := map[string]string{"task": given.Title}
	told["picture"] = base64.StdEncoding.EncodeToString(harness.Picture(t, 8, 8, color.White))
	runs := []predicate.TimeEntry{
		timeentry.TaskID(given.ID), timeentry.HasUserWith(user.Email(employee)), timeentry.StartedAtNotNil(),
		timeentry.EndedAtIsNil(),
	}
	want := func(what string, got func() int) func(string) string {
		return func(text string) string {
			if n := got(); strconv.Itoa(n) != text {
				t.Errorf("%d %s, want %s", n, what, text)
			}
			return ""
		}
	}
	before := db.TaskImage.Query().Where(taskimage.TaskID(given.ID)).CountX(ctx)
	useAs(t, s, employee, "me-work.mjs", told, map[string]func(string) string{
		"runs": want("timers run", func() int { return db.TimeEntry.Query().Where(runs...).CountX(ctx) }),
		"photos": want("photos", func() int {
			return db.TaskImage.Query().Where(taskimage.TaskID(given.ID)).CountX(ctx) - before
		}),
		"devices": want("devices", func() int {
			return db.DeviceTrust.Query().Where(devicetrust.HasUserWith(user.Email(employee)),
				devicetrust.RevokedAtIsNil()).CountX(ctx)
		}),
		"consent": func(text string) string {
			at := db.User.Query().Where(user.Email(employee)).OnlyX(ctx).CoordinateConsentAt
			if strconv.FormatBool(at != nil) != text {
				t.Errorf("consent at %v, want %s", at, text)
			}
			return ""
		},
	})
}
