package roster_test

import (
	"context"
	"fmt"
	"testing"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftswap"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// on returns the id of a person's occurrence on a date.
func on(w *rostertest.World, u *ent.User, date string) int {
	return w.Client().EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.Date(date)).OnlyIDX(w.System())
}

// TestBoundsOfDays plans days as far as they go, for those whose shifts one changes.
func TestBoundsOfDays(t *testing.T) {
	w := rostertest.New(t)
	budi, manager := w.User(t, "Budi"), w.User(t, "Manager", viewer.Manager)
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day})
	plan := func(ctx context.Context, date string) error {
		return w.Transact(ctx, func(ctx context.Context) error {
			_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: budi.ID, Date: date, ShiftIds: input.Given([]int{night.ID})})
			return err
		})
	}
	admin := w.As(w.Admin, viewer.Admin)
	rostertest.WantCode(t, "in 366 days", plan(admin, "2027-03-12"), "")
	rostertest.WantCode(t, "in 367 days", plan(admin, "2027-03-13"), "VALIDATION_FAILED date out_of_range")
	rostertest.WantCode(t, "of somebody else's people", plan(w.As(manager, viewer.Manager, 4711), "2026-03-12"), "FORBIDDEN")
	rostertest.WantCode(t, "yesterday", plan(admin, "2026-03-10"), "")
	rostertest.Want(t, "yesterday, which was not worked", w.Occurrences(budi, "2026-03-10", "2026-03-10"), "10 night 21:00-07:00")
}

// TestExpectedDay plans a day as far as what is planned there is what was expected.
func TestExpectedDay(t *testing.T) {
	w := rostertest.New(t)
	budi := w.User(t, "Budi")
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	usual, off := []int(nil), []int{}
	days := map[string][]int{"usual": usual, "off": off, "day": {day.ID}, "both": {night.ID, day.ID}}
	shown := map[string]string{
		"usual": "<nil>", "off": "[]", "day": fmt.Sprintf("[%d]", day.ID), "both": fmt.Sprintf("[%d %d]", day.ID, night.ID),
	}
	plan := func(in model.PlanDayInput) error {
		in.UserID, in.Date = budi.ID, "2026-03-20"
		return w.Transact(w.As(w.Admin, viewer.Admin), func(ctx context.Context) error { _, err := w.Roster.PlanDay(ctx, in); return err })
	}
	for now, shifts := range days {
		for expected, list := range days {
			rostertest.WantCode(t, now, plan(model.PlanDayInput{ShiftIds: input.Given(shifts)}), "")
			err := plan(model.PlanDayInput{ShiftIds: input.Given([]int{night.ID}), ExpectedShiftIds: input.Given(list)})
			if now == expected {
				rostertest.WantCode(t, now+" as expected", err, "")
				continue
			}
			e, want := errs.As(err), fmt.Sprintf("map[theirs:map[shiftIds:%s] yours:map[shiftIds:[%d]]]", shown[now], night.ID)
			if got := fmt.Sprint(map[string]any(e.Meta)); e.Code != errs.VersionConflict || got != want {
				t.Errorf("%s instead of %s: %s %s, want %s", now, expected, e.Code, got, want)
			}
		}
	}
	rostertest.WantCode(t, "off", plan(model.PlanDayInput{ShiftIds: input.Given(off)}), "")
	e := errs.As(plan(model.PlanDayInput{ShiftIds: input.Given(off), ExpectedShiftIds: input.Given(usual)}))
	if got := fmt.Sprint(map[string]any(e.Meta)); e.Code != errs.VersionConflict || got != "map[theirs:map[] yours:map[]]" {
		t.Errorf("the same meanwhile: %s %s", e.Code, got)
	}
}

// TestBoundsOfSwaps swaps nothing that is long ago or not there any more, and decides
// nobody's own request.
func TestBoundsOfSwaps(t *testing.T) {
	w := rostertest.New(t)
	manager, budi, agus := w.User(t, "Manager", viewer.Manager), w.User(t, "Budi"), w.User(t, "Agus")
	team := w.Business(t, "Team", nil, manager, budi, agus)
	day, early := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "early", "05:00", "08:00")
	w.SetTime(t, "2026-02-01 06:00")
	for u, s := range map[*ent.User]*ent.Shift{manager: day, budi: day, agus: early} {
		if _, err := w.Assign(u, s, "2026-02-01"); err != nil {
			t.Fatal(err)
		}
	}
	w.SetTime(t, "2026-03-11 04:00")
	for _, u := range []*ent.User{manager, budi, agus} {
		if err := w.Plans.Ensure(w.System(), w.Company.ID, u.ID); err != nil {
			t.Fatal(err)
		}
	}
	err := w.Do(func(ctx context.Context) error {
		_, err := w.Roster.SwapShifts(ctx, model.SwapShiftsInput{EmployeeShiftID: on(w, budi, "2026-02-02"), WithEmployeeShiftID: on(w, agus, "2026-03-12")})
		return err
	})
	rostertest.WantCode(t, "of weeks ago", err, "CONFLICT employeeShiftId")
	rostertest.Want(t, "why", apptest.Conflict(err), "TOO_LATE")
	request := func(u *ent.User, role string, with int) (id int) {
		t.Helper()
		err := w.Transact(w.As(u, role), func(ctx context.Context) (err error) {
			id, err = w.Roster.RequestSwap(ctx, model.RequestShiftSwapInput{EmployeeShiftID: on(w, u, "2026-03-12"), WithEmployeeShiftID: input.Given(&with)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	decide := func(u *ent.User, role string, id int) error {
		return w.Transact(w.As(u, role, team.ID), func(ctx context.Context) error {
			return w.Roster.DecideSwap(ctx, id, model.DecideShiftSwapInput{Approve: true})
		})
	}
	id := request(budi, viewer.Employee, on(w, agus, "2026-03-12"))
	starts := w.Client().EmployeeShift.GetX(w.System(), on(w, agus, "2026-03-12")).StartAt
	if got := w.Client().ShiftSwap.Query().Where(shiftswap.ID(id)).OnlyX(w.System()).ExpiresAt; !got.Equal(starts) {
		t.Errorf("expires at %v, want the start of the earlier shift, %v", got, starts)
	}
	rostertest.WantCode(t, "agreed", decide(agus, viewer.Employee, id), "")
	if err := w.Do(func(ctx context.Context) error {
		_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: budi.ID, Date: "2026-03-12", ShiftIds: input.Given([]int{})})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	err = decide(manager, viewer.Manager, id)
	rostertest.WantCode(t, "of a shift that is lost", err, "CONFLICT id")
	rostertest.Want(t, "why", apptest.Conflict(err), "CHANGED_MEANWHILE")
	own := request(manager, viewer.Manager, on(w, agus, "2026-03-13"))
	rostertest.WantCode(t, "agreed to the manager's", decide(agus, viewer.Employee, own), "")
	rostertest.WantCode(t, "the manager's own", decide(manager, viewer.Manager, own), "FORBIDDEN")
}

// TestSwapOfAnOwner is FORBIDDEN to all but owners; those whose shifts are swapped are told.
func TestSwapOfAnOwner(t *testing.T) {
	w := rostertest.New(t)
	owner, budi := w.User(t, "Owner", viewer.Owner), w.User(t, "Budi")
	day, early := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "early", "05:00", "08:00")
	for u, s := range map[*ent.User]*ent.Shift{owner: day, budi: early} {
		err := w.Transact(w.As(owner, viewer.Owner), func(ctx context.Context) error {
			_, err := w.Roster.AssignShift(ctx, model.AssignShiftInput{UserID: u.ID, ShiftID: s.ID, StartsOn: "2026-03-12"})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	swap := func(as context.Context) error {
		return w.Transact(as, func(ctx context.Context) error {
			_, err := w.Roster.SwapShifts(ctx, model.SwapShiftsInput{EmployeeShiftID: on(w, budi, "2026-03-12"), WithEmployeeShiftID: on(w, owner, "2026-03-12")})
			return err
		})
	}
	rostertest.WantCode(t, "by an admin", swap(w.As(w.Admin, viewer.Admin)), "FORBIDDEN")
	before := w.Client().Job.Query().CountX(w.System())
	rostertest.WantCode(t, "by an owner", swap(w.As(owner, viewer.Owner)), "")
	if n := w.Client().Job.Query().CountX(w.System()) - before; n != 2 {
		t.Errorf("%d are told, want both", n)
	}
}

// TestLockedDays swaps and plans nothing in a locked period, for whom it is locked.
func TestLockedDays(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: night})
	locked := setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-10"}
	as := func(u *ent.User, role string, step func(ctx context.Context) error) error {
		ctx := w.As(u, role)
		viewer.From(ctx).Settings = locked
		return w.Transact(ctx, step)
	}
	swap := func(first, second int) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Roster.SwapShifts(ctx, model.SwapShiftsInput{EmployeeShiftID: first, WithEmployeeShiftID: second})
			return err
		}
	}
	plan := func(date string, shifts []int) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: budi.ID, Date: date, ShiftIds: input.Given(shifts)})
			return err
		}
	}
	past, next := on(w, budi, "2026-03-10"), on(w, budi, "2026-03-12")
	for _, tt := range []struct {
		name string
		role string
		step func(ctx context.Context) error
		want string
	}{
		{"a past one away", viewer.Admin, swap(past, on(w, agus, "2026-03-12")), "CONFLICT employeeShiftId"},
		{"a past one back", viewer.Admin, swap(next, on(w, agus, "2026-03-10")), "CONFLICT employeeShiftId"},
		{"a past day", viewer.Admin, plan("2026-03-10", []int{night.ID}), "CONFLICT date"},
		{"a past day as usual", viewer.Admin, plan("2026-03-10", nil), "CONFLICT date"},
		{"later ones", viewer.Admin, swap(next, on(w, agus, "2026-03-12")), ""},
		{"a past one, by an owner", viewer.Owner, swap(past, on(w, agus, "2026-03-10")), ""},
		{"a past day, by an owner", viewer.Owner, plan("2026-03-09", []int{}), ""},
	} {
		rostertest.WantCode(t, tt.name, as(w.Admin, tt.role, tt.step), tt.want)
	}
	locked["lockGraceDays"] = 3
	rostertest.WantCode(t, "within the grace", as(w.Admin, viewer.Admin, plan("2026-03-08", []int{})), "")
	if _, err := w.Assign(w.Admin, w.Shift(t, "evening", "17:00", "18:00"), "2026-03-12"); err != nil {
		t.Fatal(err)
	}
	own := swap(on(w, w.Admin, "2026-03-12"), on(w, agus, "2026-03-10"))
	rostertest.WantCode(t, "for one's own, for whom there is no grace", as(w.Admin, viewer.Admin, own), "CONFLICT employeeShiftId")
	rostertest.WantCode(t, "by an owner", as(w.Admin, viewer.Owner, own), "")
}

// TestRequestsOfLockedDays asks for, and approves, nothing of a period that was locked
// before the shift begins: it is tomorrow in the company when it is still today at the site.
func TestRequestsOfLockedDays(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, citra := w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Citra")
	honolulu := func(in *model.CreateShiftInput) { in.Timezone = input.Given(new("Pacific/Honolulu")) }
	day, late := w.Shift(t, "day", "08:00", "16:00", honolulu), w.Shift(t, "late", "20:00", "22:00", honolulu)
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: late, citra: day}) // 10:00 in Jakarta is 17:00 of the day before
	locked := setting.Values{}
	as := func(u *ent.User, role string, step func(ctx context.Context) error) error {
		ctx := w.As(u, role)
		viewer.From(ctx).Settings = locked
		return w.Transact(ctx, step)
	}
	var id int
	ask := func(u *ent.User, mine, other int) error {
		return as(u, viewer.Employee, func(ctx context.Context) (err error) {
			id, err = w.Roster.RequestSwap(ctx, model.RequestShiftSwapInput{EmployeeShiftID: mine, WithEmployeeShiftID: input.Given(&other)})
			return err
		})
	}
	decide := func(u *ent.User, role string) error {
		return as(u, role, func(ctx context.Context) error {
			return w.Roster.DecideSwap(ctx, id, model.DecideShiftSwapInput{Approve: true})
		})
	}
	rostertest.WantCode(t, "asked in time", ask(budi, on(w, budi, "2026-03-11"), on(w, agus, "2026-03-10")), "")
	rostertest.WantCode(t, "agreed", decide(agus, viewer.Employee), "")
	locked["lockedFrom"], locked["lockedUntil"] = "2026-03-01", "2026-03-10"
	rostertest.WantCode(t, "approved too late", decide(w.Admin, viewer.Admin), "CONFLICT id")
	asked := id
	rostertest.WantCode(t, "a colleague's locked one", ask(citra, on(w, citra, "2026-03-12"), on(w, agus, "2026-03-10")), "CONFLICT withEmployeeShiftId")
	rostertest.WantCode(t, "one's own locked one", ask(agus, on(w, agus, "2026-03-10"), on(w, citra, "2026-03-12")), "CONFLICT employeeShiftId")
	id = asked
	rostertest.WantCode(t, "approved by an owner", decide(w.Admin, viewer.Owner), "")
}

// TestPastStays plans a past date and finds what was made of it as it was, attended or not,
// whatever was edited since.
func TestPastStays(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	day, early := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "early", "05:00", "07:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: day})
	w.Attend(t, budi, "2026-03-10")
	err := w.Do(func(ctx context.Context) error {
		tokyo := model.UpdateShiftInput{Name: input.Given(new("Siang")), Timezone: input.Given(new("Asia/Tokyo"))}
		return w.Roster.UpdateShift(ctx, day.ID, tokyo)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.EmployeeShift.Update().Where(employeeshift.Date("2026-03-10")).SetEvaluatedAt(w.Now()).ExecX(ctx)
		return db.ShiftVersion.Update().SetTimezone("Asia/Makassar").Exec(ctx)
	})
	for _, u := range []*ent.User{budi, agus} {
		before := w.Client().EmployeeShift.GetX(w.System(), on(w, u, "2026-03-10"))
		rostertest.WantCode(t, u.Name, w.Do(func(ctx context.Context) error {
			_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: u.ID, Date: "2026-03-10", ShiftIds: input.Given([]int{early.ID, day.ID})})
			return err
		}), "")
		after := w.Client().EmployeeShift.GetX(w.System(), before.ID)
		rostertest.Want(t, u.Name, after.String(), before.String())
		rostertest.Want(t, u.Name+" has more", w.Occurrences(u, "2026-03-10", "2026-03-10"), "10 early 04:00-07:00, 10 day 07:00-17:00")
	}
}

// TestWorkedTwice has nobody work a shift of a date twice.
func TestWorkedTwice(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: day})
	before := w.Occurrences(budi, "2026-03-11", "2026-03-20") + w.Occurrences(agus, "2026-03-11", "2026-03-20")
	swap := func() error {
		return w.Do(func(ctx context.Context) error {
			_, err := w.Roster.SwapShifts(ctx, model.SwapShiftsInput{EmployeeShiftID: on(w, budi, "2026-03-13"), WithEmployeeShiftID: on(w, agus, "2026-03-15")})
			return err
		})
	}
	rostertest.WantCode(t, "both work both dates", swap(), "CONFLICT employeeShiftId")
	rostertest.Want(t, "after that", w.Occurrences(budi, "2026-03-11", "2026-03-20")+w.Occurrences(agus, "2026-03-11", "2026-03-20"), before)
	plan := func(u *ent.User, date string, shifts ...int) {
		t.Helper()
		err := w.Do(func(ctx context.Context) error {
			_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: u.ID, Date: date, ShiftIds: input.Given(shifts)})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	plan(budi, "2026-03-15", []int{}...)
	rostertest.WantCode(t, "one of them works both", swap(), "CONFLICT employeeShiftId")
	plan(agus, "2026-03-13", []int{}...)
	rostertest.WantCode(t, "each works one", swap(), "")

	plan(budi, "2026-03-17", day.ID, night.ID)
	var id int
	err := w.Transact(w.As(budi, viewer.Employee), func(ctx context.Context) (err error) {
		own := w.Client().EmployeeShift.Query().Where(employeeshift.UserID(budi.ID), employeeshift.Date("2026-03-17"), employeeshift.ShiftID(day.ID)).OnlyIDX(w.System())
		id, err = w.Roster.RequestSwap(ctx, model.RequestShiftSwapInput{EmployeeShiftID: own, ShiftID: input.Given(&night.ID)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rostertest.WantCode(t, "a night for the night that one has", w.Do(func(ctx context.Context) error {
		return w.Roster.DecideSwap(ctx, id, model.DecideShiftSwapInput{Approve: true})
	}), "CONFLICT id")
}

// TestSwapWithNobody asks for no shift of somebody who is inactive.
func TestSwapWithNobody(t *testing.T) {
	w := rostertest.New(t)
	budi, gone := w.User(t, "Budi"), w.User(t, "Gone")
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, gone: night})
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(gone).SetActive(false).Exec(ctx)
	})
	other := on(w, gone, "2026-03-12")
	err := w.Transact(w.As(budi, viewer.Employee), func(ctx context.Context) error {
		_, err := w.Roster.RequestSwap(ctx, model.RequestShiftSwapInput{EmployeeShiftID: on(w, budi, "2026-03-12"), WithEmployeeShiftID: input.Given(&other)})
		return err
	})
	rostertest.WantCode(t, "asked", err, "NOT_FOUND withEmployeeShiftId")
}

// TestCorrectedDays plans no shift away for which somebody asked for a correction.
func TestCorrectedDays(t *testing.T) {
	w := rostertest.New(t)
	budi, day, night := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day})
	for _, date := range []string{"2026-03-10", "2026-03-11"} {
		w.Correct(t, budi, date)
		for about, shifts := range map[string][]int{"off": {}, "another": {night.ID}} {
			err := w.Do(func(ctx context.Context) error {
				_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: budi.ID, Date: date, ShiftIds: input.Given(shifts)})
				return err
			})
			rostertest.WantCode(t, about+" on "+date, err, "CONFLICT shiftIds")
		}
		rostertest.Want(t, date, w.Occurrences(budi, date, date), date[8:]+" day 07:00-17:00")
	}
}
