package correction_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	entAttendance "workforce/ent/attendance"
	"workforce/ent/auditevent"
	entCorrection "workforce/ent/correction"
	"workforce/ent/employeeshift"
	entOvertimeApproval "workforce/ent/overtimeapproval"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/correction"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// A world has budi, whose shift is 08:00 to 16:00 every day, and his manager.
type world struct {
	*rostertest.World
	*correction.Service
	budi, manager *ent.User
	team          *ent.Business
	settings      setting.Values
}

func newWorld(t testing.TB) *world {
	w := &world{World: rostertest.New(t)}
	w.Service = &correction.Service{
		DB: w.Client(), Now: w.World.Now, Audit: w.World.Audit, Desk: w.World.Desk, Files: w.World.Files, Days: w.World.Days,
	}
	w.budi, w.manager = w.User(t, "Budi"), w.User(t, "Manager", viewer.Manager)
	w.team = w.Business(t, "Team", nil, w.budi)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Business.UpdateOneID(w.team.ID).SetManagerID(w.manager.ID).Exec(ctx)
	})
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{w.budi: w.Shift(t, "day", "08:00", "16:00")})
	return w
}

// as runs a step as somebody with a role.
func (w *world) as(u *ent.User, role string, step func(context.Context) error) error {
	ctx := w.As(u, role)
	if role == viewer.Manager {
		ctx = w.As(u, role, w.team.ID)
	}
	viewer.From(ctx).Settings = w.settings
	return w.Transact(ctx, step)
}

// occurrence returns the id of budi's occurrence on a date.
func (w *world) occurrence(date string) int {
	return w.Client().EmployeeShift.Query().Where(employeeshift.UserID(w.budi.ID), employeeshift.Date(date)).OnlyIDX(w.System())
}

func at(text string) input.Omittable[*time.Time] {
	t, err := time.ParseInLocation("2006-01-02 15:04", text, shift.ZoneNamed("Asia/Jakarta"))
	if err != nil {
		panic(err)
	}
	return input.Given(&t)
}

func (w *world) request(in model.RequestCorrectionInput) (id int, err error) {
	err = w.as(w.budi, viewer.Employee, func(ctx context.Context) error {
		id, err = w.Request(ctx, in)
		return err
	})
	return id, err
}

func (w *world) decide(id int, approve bool) error {
	return w.as(w.manager, viewer.Manager, func(ctx context.Context) error { return w.Decide(ctx, id, model.DecideInput{Approve: approve}) })
}

func (w *world) cancel(id int) error {
	return w.as(w.budi, viewer.Employee, func(ctx context.Context) error { return w.Cancel(ctx, id) })
}

// shown lists budi's attendances.
func (w *world) shown() string {
	var list []string
	for _, a := range w.Client().Attendance.Query().Where(entAttendance.UserID(w.budi.ID)).Order(ent.Asc(entAttendance.FieldClockedInAt)).AllX(w.System()) {
		text := a.ClockedInLocal + " " + string(a.ClockedInSource)
		if a.ClockedOutAt != nil {
			text += " - " + *a.ClockedOutLocal + " " + string(*a.ClockedOutSource)
		}
		list = append(list, fmt.Sprintf("%s marker=%v confirm=%v rule=%v", text, a.OpenMarker != nil, a.NeedsConfirmation, a.ClosingRule != nil))
	}
	return strings.Join(list, "\n")
}

// worked adds an attendance of 10 March; out of "" is open.
func (w *world) worked(t testing.TB, in, out string, change ...func(*ent.AttendanceUpdateOne)) int {
	w.Attend(t, w.budi, "2026-03-10")
	id := w.Client().Attendance.Query().Where(entAttendance.UserID(w.budi.ID)).Order(ent.Desc(entAttendance.FieldID)).FirstIDX(w.System())
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		u := db.Attendance.UpdateOneID(id).SetClockedInAt(at("2026-03-10 " + in).Value().UTC()).SetClockedInLocal("2026-03-10T" + in + ":00")
		if out == "" {
			u.ClearClockedOutAt().SetOpenMarker(1)
		} else {
			u.SetClockedOutAt(at("2026-03-10 " + out).Value().UTC()).SetClockedOutLocal("2026-03-10T" + out + ":00").SetClockedOutOffset(25200).
				SetClockedOutZone("Asia/Jakarta").SetClockedOutSource("app").SetClockedOutReceivedAt(w.World.Now())
		}
		for _, c := range change {
			c(u)
		}
		return u.Exec(ctx)
	})
	return id
}

func TestRequest(t *testing.T) {
	w := newWorld(t)
	first := w.worked(t, "08:05", "12:00")
	site := w.Client().Address.Query().OnlyIDX(w.System())
	o, other := w.occurrence("2026-03-10"), w.occurrence("2026-03-11")
	for name, tt := range map[string]struct {
		in   model.RequestCorrectionInput
		want string
	}{
		"no reason":                {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 08:00"), Reason: " "}, "VALIDATION_FAILED reason required"},
		"a long reason":            {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 08:00"), Reason: strings.Repeat("x", 251)}, "VALIDATION_FAILED reason too_long"},
		"no change":                {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), Reason: "x"}, "VALIDATION_FAILED clockInAt required"},
		"the same":                 {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 08:05"), Reason: "x"}, "VALIDATION_FAILED clockInAt same_as"},
		"a new one without an end": {model.RequestCorrectionInput{EmployeeShiftID: o, ClockInAt: at("2026-03-10 13:00"), AddressID: input.Given(&site), Reason: "x"}, "VALIDATION_FAILED clockOutAt required"},
		"no occurrence":            {model.RequestCorrectionInput{EmployeeShiftID: 4711, AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 08:00"), Reason: "x"}, "NOT_FOUND employeeShiftId"},
		"another's attendance":     {model.RequestCorrectionInput{EmployeeShiftID: other, AttendanceID: input.Given(&first), ClockInAt: at("2026-03-11 08:00"), Reason: "x"}, "NOT_FOUND attendanceId"},
		"no site":                  {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), AddressID: input.Given(new(4711)), Reason: "x"}, "NOT_FOUND addressId"},
		"before the window":        {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 06:59"), Reason: "x"}, "SHIFT_WINDOW_CLOSED clockInAt"},
		"in the future":            {model.RequestCorrectionInput{EmployeeShiftID: other, ClockInAt: at("2026-03-11 10:01"), ClockOutAt: at("2026-03-11 11:00"), AddressID: input.Given(&site), Reason: "x"}, "VALIDATION_FAILED clockInAt out_of_range"},
		"an end in the future":     {model.RequestCorrectionInput{EmployeeShiftID: other, ClockInAt: at("2026-03-11 09:00"), ClockOutAt: at("2026-03-11 10:01"), AddressID: input.Given(&site), Reason: "x"}, "VALIDATION_FAILED clockOutAt out_of_range"},
		"ends when it begins":      {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), ClockOutAt: at("2026-03-10 08:05"), Reason: "x"}, "VALIDATION_FAILED clockOutAt out_of_range"},
		"begins when it ends":      {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 12:00"), Reason: "x"}, "VALIDATION_FAILED clockInAt out_of_range"},
		"longer than 16 hours":     {model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), ClockOutAt: at("2026-03-11 00:06"), Reason: "x"}, "VALIDATION_FAILED clockOutAt out_of_range"},
		"over another one":         {model.RequestCorrectionInput{EmployeeShiftID: o, ClockInAt: at("2026-03-10 11:59"), ClockOutAt: at("2026-03-10 16:00"), AddressID: input.Given(&site), Reason: "x"}, "CONFLICT clockInAt"},
		"around another one":       {model.RequestCorrectionInput{EmployeeShiftID: o, ClockInAt: at("2026-03-10 08:00"), ClockOutAt: at("2026-03-10 16:00"), AddressID: input.Given(&site), Reason: "x"}, "CONFLICT clockInAt"},
	} {
		_, err := w.request(tt.in)
		rostertest.WantCode(t, name, err, tt.want)
	}
	add := model.RequestCorrectionInput{EmployeeShiftID: o, ClockInAt: at("2026-03-10 12:00"), ClockOutAt: at("2026-03-10 16:00"), AddressID: input.Given(&site), Reason: "x"}
	over := add
	over.ClockInAt = at("2026-03-10 11:59")
	_, err := w.request(over)
	rostertest.Want(t, "what it is over", fmt.Sprint(errs.As(err).Meta), fmt.Sprintf("map[attendanceId:%d conflict:OVERLAP "+
		"since:2026-03-10T08:05:00+07:00 until:2026-03-10T12:00:00+07:00]", first))
	w.settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-10"}
	_, err = w.request(add)
	rostertest.WantCode(t, "locked", err, "CONFLICT employeeShiftId")
	w.settings = nil
	id, err := w.request(add)
	rostertest.WantCode(t, "the afternoon, which touches", err, "")
	change := model.RequestCorrectionInput{EmployeeShiftID: o, AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 08:00"), Reason: "x"}
	longer := change
	longer.ClockOutAt = at("2026-03-10 12:01")
	_, err = w.request(longer)
	rostertest.WantCode(t, "over one that waits", err, "CONFLICT employeeShiftId")
	second, err := w.request(change)
	rostertest.WantCode(t, "the morning", err, "")
	change.ClockInAt = at("2026-03-10 08:01")
	_, err = w.request(change)
	rostertest.WantCode(t, "of the same attendance", err, "CONFLICT employeeShiftId")
	rostertest.WantCode(t, "cancelled", w.cancel(second), "")
	rostertest.WantCode(t, "cancelled again", w.cancel(second), "CONFLICT")
	_, err = w.request(change)
	rostertest.WantCode(t, "after that", err, "")

	own := w.as(w.budi, viewer.Manager, func(ctx context.Context) error { return w.Decide(ctx, id, model.DecideInput{Approve: true}) })
	rostertest.WantCode(t, "one's own", own, "FORBIDDEN")
	rostertest.WantCode(t, "another team", w.Transact(w.As(w.manager, viewer.Manager, 4711), func(ctx context.Context) error {
		return w.Decide(ctx, id, model.DecideInput{Approve: true})
	}), "NOT_FOUND")
	w.settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-10"}
	rostertest.WantCode(t, "decided after the lock", w.decide(id, true), "CONFLICT")
	w.settings["lockGraceDays"] = 1
	rostertest.WantCode(t, "decided within the grace", w.decide(id, true), "")
	rostertest.Want(t, "both", w.shown(), "2026-03-10T08:05:00 app - 2026-03-10T12:00:00 app marker=false confirm=false rule=false\n"+
		"2026-03-10T12:00:00 correction - 2026-03-10T16:00:00 correction marker=false confirm=false rule=false")
	rostertest.WantCode(t, "cancelled in a locked period", w.cancel(id), "CONFLICT")
	w.settings = nil
	w.Advance(20 * 24 * time.Hour)
	waits := w.Client().Correction.Query().Where(entCorrection.StateEQ(entCorrection.StatePending)).OnlyIDX(w.System())
	rostertest.WantCode(t, "decided too late", w.decide(waits, true), "CONFLICT")
	w.Plans.Jobs.Add(w.Expiring())
	w.RunJobs(t, "corrections")
}

// TestExpire ends what nobody decided.
func TestExpire(t *testing.T) {
	w := newWorld(t)
	first := w.worked(t, "08:05", "12:00")
	id, err := w.request(model.RequestCorrectionInput{EmployeeShiftID: w.occurrence("2026-03-10"), AttendanceID: input.Given(&first), ClockInAt: at("2026-03-10 08:00"), Reason: "x"})
	if err != nil {
		t.Fatal(err)
	}
	w.Advance(14 * 24 * time.Hour)
	w.Plans.Jobs.Add(w.Expiring())
	w.RunJobs(t, "corrections")
	for range 200 { // the first due time of a periodic job comes soon
		if w.Client().Correction.GetX(w.System(), id).State == entCorrection.StateExpired {
			return
		}
		time.Sleep(10 * time.Millisecond)
		w.Advance(5 * time.Minute)
		w.RunJobs(t, "corrections")
	}
	t.Errorf("it is %s", w.Client().Correction.GetX(w.System(), id).State)
}

// TestApprovedKeepsHistory approves, cancels, and finds both versions.
func TestApprovedKeepsHistory(t *testing.T) {
	w := newWorld(t)
	id := w.worked(t, "08:05", "12:00", func(u *ent.AttendanceUpdateOne) {
		u.SetNeedsConfirmation(true).SetAutoClosed(true).SetClosingRule("hours").SetClockedOutSource("auto")
	})
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.OvertimeApproval.Create().SetCompanyID(w.Company.ID).SetUserID(w.budi.ID).SetDate("2026-03-10").SetApproved(true).SetSeconds(60).
			SetDecidedBy(w.manager.ID).SetDecidedAt(w.World.Now()).Exec(ctx)
	})
	before := w.shown()
	ask := func(out string) int {
		t.Helper()
		c, err := w.request(model.RequestCorrectionInput{EmployeeShiftID: w.occurrence("2026-03-10"), AttendanceID: input.Given(&id), ClockOutAt: at("2026-03-10 " + out), Reason: "x"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := ask("16:00")
	rostertest.WantCode(t, "approved", w.decide(first, true), "")
	rostertest.Want(t, "after", w.shown(), "2026-03-10T08:05:00 app - 2026-03-10T16:00:00 correction marker=false confirm=false rule=false")
	if n := w.Client().OvertimeApproval.Query().Where(entOvertimeApproval.UserID(w.budi.ID)).CountX(w.System()); n != 0 {
		t.Errorf("%d approvals of overtime are left", n)
	}
	c := w.Client().Correction.GetX(w.System(), first)
	if c.Before.Out.Local != "2026-03-10T12:00:00" || c.Before.ClosingRule != "hours" || c.After.Out.Local != "2026-03-10T16:00:00" {
		t.Errorf("kept %+v and %+v", c.Before, c.After)
	}
	second := ask("16:30")
	rostertest.WantCode(t, "approved", w.decide(second, true), "")
	err := w.cancel(first)
	rostertest.WantCode(t, "the first, cancelled before the second", err, "CONFLICT")
	rostertest.Want(t, "why", apptest.Conflict(err), "CHANGED_MEANWHILE")
	rostertest.WantCode(t, "the second, cancelled", w.cancel(second), "")
	rostertest.WantCode(t, "then the first, by the manager", w.as(w.manager, viewer.Manager, func(ctx context.Context) error { return w.Cancel(ctx, first) }), "")
	rostertest.Want(t, "as it was", w.shown(), before)
	if n := w.Client().AuditEvent.Query().Where(auditevent.ActionHasPrefix("attendance.correct"), auditevent.SubjectID(id)).CountX(w.System()); n != 4 {
		t.Errorf("%d events in the audit", n)
	}
}

// TestCancelOfApproveIsNothing corrects attendances at random, and takes it back.
func TestCancelOfApproveIsNothing(t *testing.T) {
	w := newWorld(t)
	site := 0
	clock := func(from, to int) string { return fmt.Sprintf("%02d:%02d", from+rand.N(to-from), rand.N(60)) }
	for i := range 40 {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			_, err := db.Attendance.Delete().Where(entAttendance.HasUserWith(), entAttendance.Not(entAttendance.IDIn(w.kept()...))).Exec(ctx)
			return err
		})
		in := model.RequestCorrectionInput{EmployeeShiftID: w.occurrence("2026-03-10"), Reason: "x"}
		var id *int
		if rand.N(4) > 0 || site == 0 {
			out := clock(12, 15)
			if rand.N(4) == 0 {
				out = ""
			}
			n := w.worked(t, clock(8, 12), out)
			id, site = &n, w.Client().Address.Query().FirstIDX(w.System())
			in.AttendanceID = input.Given(id)
		}
		if id == nil || rand.N(2) == 0 {
			in.ClockInAt = at("2026-03-10 " + clock(7, 10))
		}
		if id == nil || rand.N(2) == 0 {
			in.ClockOutAt = at("2026-03-10 " + clock(15, 20))
		}
		if id == nil {
			in.AddressID = input.Given(&site)
		}
		before := w.shown()
		c, err := w.request(in)
		if err != nil {
			if code := apptest.Code(err); !strings.HasPrefix(code, "VALIDATION_FAILED") {
				t.Errorf("%d: %s", i, code)
			}
			w.remove(t, id)
			continue
		}
		rostertest.WantCode(t, "approved", w.decide(c, true), "")
		if w.shown() == before {
			t.Errorf("%d: nothing has changed: %s", i, before)
		}
		rostertest.WantCode(t, "cancelled", w.cancel(c), "")
		rostertest.Want(t, "as it was", w.shown(), before)
		w.remove(t, id)
	}
}

// kept returns the attendances that corrections name.
func (w *world) kept() []int {
	return w.Client().Attendance.Query().Where(entAttendance.UserIDNEQ(w.budi.ID)).IDsX(w.System())
}

// remove deletes an attendance with what names it.
func (w *world) remove(t *testing.T, id *int) {
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if err := db.Correction.Update().ClearAttendanceID().Exec(ctx); err != nil {
			return err
		}
		_, err := db.Attendance.Delete().Where(entAttendance.UserID(w.budi.ID)).Exec(ctx)
		return err
	})
}

// TestDecideMany answers for each of many requests.
func TestDecideMany(t *testing.T) {
	w := newWorld(t)
	w.worked(t, "08:05", "09:00")
	site := w.Client().Address.Query().OnlyIDX(w.System())
	var ids []int
	for _, hours := range [][2]string{{"09:00", "10:00"}, {"10:00", "11:00"}, {"11:00", "12:00"}} {
		id, err := w.request(model.RequestCorrectionInput{
			EmployeeShiftID: w.occurrence("2026-03-10"), ClockInAt: at("2026-03-10 " + hours[0]), ClockOutAt: at("2026-03-10 " + hours[1]), AddressID: input.Given(&site), Reason: "x",
		})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	rostertest.WantCode(t, "refused", w.decide(ids[2], false), "")
	w.worked(t, "10:30", "10:45") // meanwhile
	var got []string
	err := w.as(w.manager, viewer.Manager, func(ctx context.Context) error {
		list, err := w.Service.DecideMany(ctx, model.DecideCorrectionsInput{Ids: append(ids, 4711), Approve: true})
		for _, d := range list {
			got = append(got, input.Value(d.Code))
		}
		return err
	})
	rostertest.WantCode(t, "many", err, "")
	rostertest.Want(t, "many", strings.Join(got, ","), ",CONFLICT,CONFLICT,NOT_FOUND")
	err = w.as(w.manager, viewer.Manager, func(ctx context.Context) error {
		_, err := w.Service.DecideMany(ctx, model.DecideCorrectionsInput{Ids: make([]int, 101)})
		return err
	})
	rostertest.WantCode(t, "too many", err, "VALIDATION_FAILED ids too_many")
}

// TestDecideAtOnce decides and cancels one request many times at once.
func TestDecideAtOnce(t *testing.T) {
	for range 3 {
		w := newWorld(t)
		id := w.worked(t, "08:05", "12:00")
		before := w.shown()
		c, err := w.request(model.RequestCorrectionInput{EmployeeShiftID: w.occurrence("2026-03-10"), AttendanceID: input.Given(&id), ClockOutAt: at("2026-03-10 16:00"), Reason: "x"})
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		codes := make([]string, 20)
		for i := range codes {
			group.Go(func() {
				if i%2 == 0 {
					codes[i] = "decide " + apptest.Code(w.decide(c, true))
				} else {
					codes[i] = "cancel " + apptest.Code(w.cancel(c))
				}
			})
		}
		group.Wait()
		all := fmt.Sprintf("%q", codes)
		if strings.Count(all, `"cancel "`) != 1 || strings.Count(all, `"decide "`) > 1 || strings.Count(all, "CONFLICT")+strings.Count(all, `"cancel "`)+strings.Count(all, `"decide "`) != 20 {
			t.Errorf("answered %s", all)
		}
		rostertest.Want(t, "cancelled", w.shown(), before)
	}
}
