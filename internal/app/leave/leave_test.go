package leave_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/holiday"
	entLeave "workforce/ent/leave"
	"workforce/ent/shiftresult"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/leave"
	"workforce/internal/app/worktime"
	"workforce/internal/setting"
	"workforce/internal/timesheet"
	"workforce/internal/viewer"
)

type world struct {
	*rostertest.World
	*leave.Service
	budi, manager *ent.User
	team          *ent.Business
	settings      setting.Values
	types         map[string]int
}

// newWorld has budi, who works from Monday to Friday, his manager, and types of leave.
func newWorld(t testing.TB) *world {
	w := &world{World: rostertest.New(t), settings: setting.Values{"weeklyOffs": []int{6, 7}}, types: map[string]int{}}
	w.Service = &leave.Service{Now: w.World.Now, Desk: w.World.Desk, Days: w.World.Days}
	w.budi, w.manager = w.User(t, "Budi"), w.User(t, "Manager", viewer.Manager)
	w.team = w.Business(t, "Team", nil, w.budi)
	day := w.Shift(t, "day", "08:00", "16:00")
	if _, err := w.Assign(w.budi, day, "2026-03-10", rostertest.On(1, 2, 3, 4, 5)); err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		of := w.Company.ID
		for name, set := range map[string]func(*ent.LeaveTypeCreate){
			"annual": func(t *ent.LeaveTypeCreate) { t.SetYearlyAllowance(3) },
			"hours":  func(t *ent.LeaveTypeCreate) { t.SetUnit("hour").SetYearlyAllowance(1) },
			"day":    func(t *ent.LeaveTypeCreate) { t.SetUnit("day") },
			"home":   func(t *ent.LeaveTypeCreate) { t.SetWorkFromHome(true) },
			"former": func(t *ent.LeaveTypeCreate) { t.SetActive(false) },
		} {
			create := db.LeaveType.Create().SetCompanyID(of).SetName(name)
			set(create)
			w.types[name] = create.SaveX(ctx).ID
		}
		db.Holiday.Create().SetCompanyID(of).SetName("Nyepi").SetDate("2026-03-19").ExecX(ctx)
		db.Holiday.Create().SetCompanyID(of).SetName("Half").SetDate("2026-03-18").SetHalf(true).ExecX(ctx)
		return db.Business.UpdateOneID(w.team.ID).SetManagerID(w.manager.ID).Exec(ctx)
	})
	return w
}

func (w *world) as(u *ent.User, role string, step func(context.Context) error) error {
	ctx := w.As(u, role)
	if role == viewer.Manager {
		ctx = w.As(u, role, w.team.ID)
	}
	viewer.From(ctx).Settings = w.settings
	return w.Transact(ctx, step)
}

func (w *world) request(kind, from, to string, change ...func(*model.RequestLeaveInput)) (id int, err error) {
	in := model.RequestLeaveInput{TypeID: w.types[kind], StartsOn: from, EndsOn: to, Reason: "x"}
	for _, c := range change {
		c(&in)
	}
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

func half(in *model.RequestLeaveInput) { in.Half = input.Given(new(true)) }

func hours(from, to string) func(*model.RequestLeaveInput) {
	return func(in *model.RequestLeaveInput) { in.FromTime, in.ToTime = input.Given(&from), input.Given(&to) }
}

func holidays(in *model.RequestLeaveInput) { in.IncludeHolidays = input.Given(new(true)) }

func (w *world) dates(id int) string {
	l := w.Client().Leave.GetX(w.System(), id)
	return strings.Join(l.Dates, " ") + " | " + strings.Join(l.Skipped, " ")
}

func TestRequest(t *testing.T) {
	w := newWorld(t)
	for name, tt := range map[string]struct {
		kind, from, to string
		change         func(*model.RequestLeaveInput)
		want           string
	}{
		"ends before it begins": {"annual", "2026-03-12", "2026-03-11", nil, "VALIDATION_FAILED endsOn out_of_range"},
		"367 days":              {"day", "2026-03-12", "2027-03-13", nil, "VALIDATION_FAILED endsOn out_of_range"},
		"no reason":             {"annual", "2026-03-12", "2026-03-12", func(in *model.RequestLeaveInput) { in.Reason = "" }, "VALIDATION_FAILED reason required"},
		"no type":               {"none", "2026-03-12", "2026-03-12", nil, "NOT_FOUND typeId"},
		"an archived type":      {"former", "2026-03-12", "2026-03-12", nil, "CONFLICT typeId"},
		"half of a whole":       {"day", "2026-03-12", "2026-03-12", half, "VALIDATION_FAILED half excludes"},
		"half at home":          {"home", "2026-03-12", "2026-03-12", half, "VALIDATION_FAILED half excludes"},
		"hours of half days":    {"annual", "2026-03-12", "2026-03-12", hours("08:00", "09:00"), "VALIDATION_FAILED fromTime excludes"},
		"no time":               {"hours", "2026-03-12", "2026-03-12", hours("8", "09:00"), "VALIDATION_FAILED fromTime bad_format"},
		"no hours":              {"hours", "2026-03-12", "2026-03-12", hours("08:00", "08:00"), "VALIDATION_FAILED toTime same_as"},
		"one end":               {"hours", "2026-03-12", "2026-03-12", func(in *model.RequestLeaveInput) { in.FromTime = input.Given(new("08:00")) }, "VALIDATION_FAILED fromTime needs"},
		"hours and half":        {"hours", "2026-03-12", "2026-03-12", func(in *model.RequestLeaveInput) { half(in); hours("08:00", "09:00")(in) }, "VALIDATION_FAILED half excludes"},
		"a weekend":             {"annual", "2026-03-14", "2026-03-15", nil, "CONFLICT startsOn"},
		"a holiday":             {"annual", "2026-03-19", "2026-03-19", nil, "CONFLICT startsOn"},
		"more than is left":     {"annual", "2026-03-16", "2026-03-20", nil, "CONFLICT endsOn"},
		"more hours than a day": {"hours", "2026-03-12", "2026-03-12", hours("08:00", "16:01"), "CONFLICT endsOn"},
	} {
		if tt.change == nil {
			tt.change = func(*model.RequestLeaveInput) {}
		}
		_, err := w.request(tt.kind, tt.from, tt.to, tt.change)
		rostertest.WantCode(t, name, err, tt.want)
	}
	first, err := w.request("day", "2026-03-13", "2026-03-19")
	rostertest.WantCode(t, "over a weekend and a holiday", err, "")
	rostertest.Want(t, "its dates", w.dates(first), "2026-03-13 2026-03-16 2026-03-17 2026-03-18 | 2026-03-14 2026-03-15 2026-03-19")
	_, err = w.request("annual", "2026-03-18", "2026-03-18", half)
	rostertest.WantCode(t, "half of a day that waits", err, "CONFLICT startsOn")
	rostertest.WantCode(t, "approved by oneself", w.as(w.budi, viewer.Manager, func(ctx context.Context) error {
		return w.Decide(ctx, first, model.DecideInput{Approve: true})
	}), "FORBIDDEN")
	rostertest.WantCode(t, "approved", w.decide(first, true), "")
	rostertest.WantCode(t, "approved again", w.decide(first, true), "CONFLICT")
	home, err := w.request("home", "2026-03-17", "2026-03-20")
	rostertest.WantCode(t, "at home after it", err, "")
	rostertest.Want(t, "its dates", w.dates(home), "2026-03-20 | 2026-03-17 2026-03-18 2026-03-19")
	rostertest.WantCode(t, "taken back", w.cancel(home), "")
	home, err = w.request("home", "2026-03-17", "2026-03-20", holidays)
	rostertest.WantCode(t, "on holidays too", err, "")
	rostertest.Want(t, "its dates", w.dates(home), "2026-03-19 2026-03-20 | 2026-03-17 2026-03-18")
	_, err = w.request("home", "2026-03-17", "2026-03-18", holidays)
	rostertest.WantCode(t, "on leave alone", err, "CONFLICT startsOn")
	var preview *model.LeavePreview
	err = w.as(w.budi, viewer.Employee, func(ctx context.Context) (err error) {
		preview, err = w.Preview(ctx, leave.Preview{StartsOn: "2026-03-18", EndsOn: "2026-03-23"})
		return err
	})
	rostertest.WantCode(t, "preview", err, "")
	text := fmt.Sprint(preview.Dates)
	for _, s := range preview.Skipped {
		text += fmt.Sprint(" ", s.Date, " ", s.Reason)
	}
	rostertest.Want(t, "preview", text, "[2026-03-20 2026-03-23] 2026-03-18 leave 2026-03-19 holiday 2026-03-21 weekly_off 2026-03-22 weekly_off")
	off, err := worktime.ReadDaysOff(w.System(), worktime.Company{ID: w.Company.ID}, []int{w.budi.ID, w.manager.ID}, timesheet.Period{From: "2026-03-18", To: "2026-03-30"})
	if err != nil {
		t.Fatal(err)
	}
	if approved := off.Leave(w.budi.ID); len(approved) != 1 || !approved[0].On("2026-03-18") || len(off.Leave(w.manager.ID)) > 0 {
		t.Errorf("approved: %v, of the manager %v", approved, off.Leave(w.manager.ID))
	}
	w.settings = w.settings.With(map[string]any{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-10"})
	_, err = w.request("day", "2026-03-10", "2026-03-12")
	rostertest.WantCode(t, "locked", err, "CONFLICT startsOn")
	rostertest.WantCode(t, "cancelled by the manager", w.as(w.manager, viewer.Manager, func(ctx context.Context) error { return w.Cancel(ctx, first) }), "")
	if s := w.Client().Leave.GetX(w.System(), first).State; s != entLeave.StateCancelled {
		t.Errorf("it is %s", s)
	}
}

// balance lists budi's allowances of the year: what they are, and what is used, waits and
// is left of them.
func (w *world) balance(t testing.TB) (text string) {
	t.Helper()
	err := w.as(w.budi, viewer.Employee, func(ctx context.Context) error {
		list, err := w.Balances(ctx, nil, new(2026))
		for _, b := range list {
			text += fmt.Sprintf("%s %v=%v+%v+%v ", b.LeaveType.Name, b.Allowance, b.Used, b.Pending, b.Remaining)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

// TestLeaveDay has a company say how many minutes are a day of leave.
func TestLeaveDay(t *testing.T) {
	w := newWorld(t)
	w.settings = w.settings.With(map[string]any{"leaveDayMinutes": 360})
	_, err := w.request("hours", "2026-03-20", "2026-03-20", hours("08:00", "15:00"))
	rostertest.WantCode(t, "seven hours", err, "CONFLICT endsOn")
	_, err = w.request("hours", "2026-03-20", "2026-03-20", hours("08:00", "14:00"))
	rostertest.WantCode(t, "six hours", err, "")
	rostertest.Want(t, "balance", w.balance(t), "annual 3=0+0+3 hours 1=0+1+0")
}

// TestBalance takes an allowance apart.
func TestBalance(t *testing.T) {
	w := newWorld(t)
	balance := func() string { return w.balance(t) }
	rostertest.Want(t, "at first", balance(), "annual 3=0+0+3 hours 1=0+0+1")
	a, err := w.request("annual", "2026-03-16", "2026-03-17")
	rostertest.WantCode(t, "two days", err, "")
	b, err := w.request("annual", "2026-03-18", "2026-03-18", half)
	rostertest.WantCode(t, "half a day", err, "")
	_, err = w.request("hours", "2026-03-20", "2026-03-20", hours("08:00", "14:00"))
	rostertest.WantCode(t, "six hours", err, "")
	rostertest.WantCode(t, "approved", w.decide(a, true), "")
	rostertest.Want(t, "then", balance(), "annual 3=2+0.5+0.5 hours 1=0+0.75+0.25")
	rostertest.WantCode(t, "refused", w.decide(b, false), "")
	_, err = w.request("annual", "2026-12-31", "2027-01-04")
	rostertest.WantCode(t, "over New Year", err, "")
	rostertest.Want(t, "then", balance(), "annual 3=2+1+0 hours 1=0+0.75+0.25")
	w.Advance(15 * 24 * time.Hour)
	rostertest.Want(t, "once what waits has expired", balance(), "annual 3=2+0+1 hours 1=0+0+1")
	rostertest.WantCode(t, "another's, which one does not read", w.as(w.budi, viewer.Employee, func(ctx context.Context) error {
		_, err := w.Balances(ctx, &w.manager.ID, nil)
		return err
	}), "NOT_FOUND userId")
}

// TestBalanceAtOnce never gives more than an allowance.
func TestBalanceAtOnce(t *testing.T) {
	w := newWorld(t)
	var group sync.WaitGroup
	codes := make([]string, 20)
	for i := range codes {
		group.Go(func() {
			d := time.Date(2026, 3, 16, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 7*i).Format("2006-01-02")
			_, err := w.request("annual", d, d)
			codes[i] = apptest.Code(err)
		})
	}
	group.Wait()
	if all := fmt.Sprintf("%q", codes); strings.Count(all, `""`) != 3 || strings.Count(all, "CONFLICT endsOn") != 17 {
		t.Errorf("answered %s", all)
	}
}

// TestDecideAtOnce decides and cancels one leave many times at once.
func TestDecideAtOnce(t *testing.T) {
	w := newWorld(t)
	id, err := w.request("annual", "2026-03-16", "2026-03-16")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	codes := make([]string, 20)
	for i := range codes {
		group.Go(func() {
			if i%2 == 0 {
				codes[i] = "decide " + apptest.Code(w.decide(id, true))
			} else {
				codes[i] = "cancel " + apptest.Code(w.cancel(id))
			}
		})
	}
	group.Wait()
	all := fmt.Sprintf("%q", codes)
	if strings.Count(all, `"cancel "`) != 1 || strings.Count(all, `"decide "`) > 1 || strings.Count(all, "CONFLICT") < 18 {
		t.Errorf("answered %s", all)
	}
	if s := w.Client().Leave.GetX(w.System(), id).State; s != entLeave.StateCancelled {
		t.Errorf("it is %s", s)
	}
}

// TestAbsentBecomesWorkFromHome makes a day that counts as absent one of work at home, and
// takes that back.
func TestAbsentBecomesWorkFromHome(t *testing.T) {
	w := newWorld(t)
	w.Advance(8 * 24 * time.Hour)
	o := w.Client().EmployeeShift.Query().Where(employeeshift.UserID(w.budi.ID), employeeshift.Date("2026-03-11")).OnlyIDX(w.System())
	status := func() string {
		return string(w.Client().ShiftResult.Query().Where(shiftresult.EmployeeShiftID(o)).OnlyX(w.System()).Status)
	}
	w.Change(t, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Days.Recompute(ctx, w.Company.ID, o)
		return err
	})
	rostertest.Want(t, "at first", status(), "absent")
	id, err := w.request("home", "2026-03-11", "2026-03-11")
	rostertest.WantCode(t, "asked", err, "")
	rostertest.Want(t, "while it waits", status(), "absent")
	rostertest.WantCode(t, "approved", w.decide(id, true), "")
	rostertest.Want(t, "approved", status(), "work_from_home")
	rostertest.WantCode(t, "cancelled", w.cancel(id), "")
	rostertest.Want(t, "cancelled", status(), "absent")
	id, err = w.request("annual", "2026-03-11", "2026-03-11")
	rostertest.WantCode(t, "asked", err, "")
	rostertest.WantCode(t, "approved", w.decide(id, true), "")
	rostertest.Want(t, "on leave", status(), "on_leave")
}

// TestLeaveBesideHome takes no day of leave where work at home was approved.
func TestLeaveBesideHome(t *testing.T) {
	w := newWorld(t)
	w.approved(t, "home", "2026-03-17", "2026-03-17")
	id, err := w.request("annual", "2026-03-17", "2026-03-18")
	rostertest.WantCode(t, "asked", err, "")
	rostertest.Want(t, "dates", w.dates(id), "2026-03-18 | 2026-03-17")
}

// TestHoursOfNight takes hours of leave after midnight from the shift that began the day
// before, and takes that back.
func TestHoursOfNight(t *testing.T) {
	w := newWorld(t)
	if _, err := w.Assign(w.budi, w.Shift(t, "night", "22:00", "06:00"), "2026-03-12", rostertest.Until("2026-03-12")); err != nil {
		t.Fatal(err)
	}
	w.Advance(8 * 24 * time.Hour)
	find := func(name, date string) int {
		return w.Client().EmployeeShift.Query().Where(employeeshift.UserID(w.budi.ID), employeeshift.Name(name), employeeshift.Date(date)).OnlyIDX(w.System())
	}
	night, before, after := find("night", "2026-03-12"), find("day", "2026-03-12"), find("day", "2026-03-13")
	expected := func() (text string) {
		for _, o := range []int{before, night, after} {
			text += fmt.Sprint(w.Client().ShiftResult.Query().Where(shiftresult.EmployeeShiftID(o)).OnlyX(w.System()).ExpectedSeconds/3600, " ")
		}
		return strings.TrimSpace(text)
	}
	w.Change(t, func(ctx context.Context, _ *ent.Client) error {
		_, err := w.Days.Recompute(ctx, w.Company.ID, before, night, after)
		return err
	})
	rostertest.Want(t, "at first", expected(), "8 8 8")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Later").SetDate("2026-03-12").Exec(ctx)
	})
	id, err := w.request("hours", "2026-03-13", "2026-03-13", hours("03:00", "06:00"))
	rostertest.WantCode(t, "asked", err, "")
	rostertest.WantCode(t, "approved", w.decide(id, true), "")
	rostertest.Want(t, "the night alone has changed, as of now", expected(), "8 0 8")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		_, err := db.Holiday.Delete().Where(holiday.Name("Later")).Exec(ctx)
		return err
	})
	rostertest.WantCode(t, "cancelled", w.cancel(id), "")
	rostertest.Want(t, "cancelled", expected(), "8 8 8")
	id, err = w.request("hours", "2026-03-13", "2026-03-13", hours("03:00", "06:00"))
	rostertest.WantCode(t, "asked again", err, "")
	rostertest.WantCode(t, "approved", w.decide(id, true), "")
	rostertest.Want(t, "three hours less", expected(), "8 5 8")
	w.settings = w.settings.With(map[string]any{"lockedFrom": "2026-03-12", "lockedUntil": "2026-03-12"})
	rostertest.WantCode(t, "once the night is locked", w.cancel(id), "CONFLICT")
}
