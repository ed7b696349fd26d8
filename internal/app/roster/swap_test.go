package roster_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"workforce/ent"
	"workforce/ent/employeeshift"
	entMessage "workforce/ent/message"
	"workforce/ent/shiftswap"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/viewer"
)

// TestPlannedDays plans single dates.
func TestPlannedDays(t *testing.T) {
	w := rostertest.New(t)
	budi := w.User(t, "Budi")
	day, night, early := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00"), w.Shift(t, "early", "05:00", "07:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day})
	plan := func(date string, shifts ...int) error {
		in := model.PlanDayInput{UserID: budi.ID, Date: date, ShiftIds: input.Given(shifts)}
		return w.Do(func(ctx context.Context) error { _, err := w.Roster.PlanDay(ctx, in); return err })
	}
	rostertest.WantCode(t, "a night", plan("2026-03-12", night.ID), "")
	rostertest.Want(t, "a night", w.Occurrences(budi, "2026-03-11", "2026-03-13"), "11 day 07:00-17:00, 12 night 21:00-07:00, 13 day 07:00-17:00")
	rostertest.WantCode(t, "two", plan("2026-03-12", early.ID, night.ID), "")
	rostertest.Want(t, "two", w.Occurrences(budi, "2026-03-12", "2026-03-12"), "12 early 04:00-08:00, 12 night 21:00-07:00")
	rostertest.WantCode(t, "the morning after a night", plan("2026-03-13", early.ID), "CONFLICT shiftIds")
	rostertest.WantCode(t, "off", plan("2026-03-12", []int{}...), "")
	rostertest.Want(t, "off", w.Occurrences(budi, "2026-03-12", "2026-03-12"), "")
	rostertest.WantCode(t, "as usual", plan("2026-03-12", []int(nil)...), "")
	rostertest.Want(t, "as usual", w.Occurrences(budi, "2026-03-12", "2026-03-12"), "12 day 07:00-17:00")
	w.Attend(t, budi, "2026-03-10")
	rostertest.WantCode(t, "off on a day that was worked", plan("2026-03-10", []int{}...), "CONFLICT shiftIds")
	rostertest.WantCode(t, "another shift on a day that was worked", plan("2026-03-10", night.ID), "CONFLICT shiftIds")
	rostertest.WantCode(t, "more on a day that was worked", plan("2026-03-10", day.ID, early.ID), "")
	rostertest.Want(t, "more", w.Occurrences(budi, "2026-03-10", "2026-03-10"), "10 early 04:00-07:00, 10 day 07:00-17:00")
	rostertest.WantCode(t, "three weeks ago", plan("2026-02-18", night.ID), "")
	rostertest.Want(t, "three weeks ago", w.Occurrences(budi, "2026-02-17", "2026-02-19"), "18 night 21:00-07:00")
	rostertest.WantCode(t, "too long ago", plan("2026-02-07", night.ID), "VALIDATION_FAILED date out_of_range")
	rostertest.WantCode(t, "six shifts", plan("2026-03-12", 1, 2, 3, 4, 5, 6), "VALIDATION_FAILED shiftIds too_many")
	rostertest.WantCode(t, "no such shift", plan("2026-03-12", 4711), "NOT_FOUND shiftIds")
}

// TestSwaps asks for shifts of colleagues.
func TestSwaps(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, manager, stranger := w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Manager", viewer.Manager), w.User(t, "Stranger")
	team := w.Business(t, "Team", nil, budi, agus)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Business.UpdateOneID(team.ID).SetManagerID(manager.ID).Exec(ctx)
	})
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: night})
	of := func(u *ent.User, date string) int {
		return w.Client().EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.Date(date)).OnlyIDX(w.System())
	}
	ask := func(u *ent.User, in model.RequestShiftSwapInput) (id int, err error) {
		err = w.Transact(w.As(u, viewer.Employee), func(ctx context.Context) error {
			id, err = w.Roster.RequestSwap(ctx, in)
			return err
		})
		return id, err
	}
	decide := func(u *ent.User, role string, id int, approve bool) error {
		ctx := w.As(u, role)
		if role == viewer.Manager {
			ctx = w.As(u, role, team.ID)
		}
		return w.Transact(ctx, func(ctx context.Context) error {
			return w.Roster.DecideSwap(ctx, id, model.DecideShiftSwapInput{Approve: approve})
		})
	}
	given := func(id int) input.Omittable[*int] { return input.Given(&id) }
	for name, tt := range map[string]struct {
		in   model.RequestShiftSwapInput
		want string
	}{
		"of nothing":     {model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12")}, "VALIDATION_FAILED withEmployeeShiftId required"},
		"of both":        {model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12"), WithEmployeeShiftID: given(1), ShiftID: given(1)}, "VALIDATION_FAILED shiftId excludes"},
		"of another's":   {model.RequestShiftSwapInput{EmployeeShiftID: of(agus, "2026-03-12"), ShiftID: given(day.ID)}, "NOT_FOUND employeeShiftId"},
		"of a past one":  {model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-10"), ShiftID: given(night.ID)}, "CONFLICT employeeShiftId"},
		"for the same":   {model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12"), ShiftID: given(day.ID)}, "VALIDATION_FAILED shiftId same_as"},
		"for one's own":  {model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12"), WithEmployeeShiftID: given(of(budi, "2026-03-13"))}, "VALIDATION_FAILED withEmployeeShiftId same_as"},
		"for none":       {model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12"), WithEmployeeShiftID: given(4711)}, "NOT_FOUND withEmployeeShiftId"},
		"for no shift":   {model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12"), ShiftID: given(4711)}, "NOT_FOUND shiftId"},
		"with long note": {model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12"), ShiftID: given(night.ID), Note: input.Given(new(strings.Repeat("x", 251)))}, "VALIDATION_FAILED note too_long"},
	} {
		_, err := ask(budi, tt.in)
		rostertest.WantCode(t, name, err, tt.want)
	}
	swap := model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12"), WithEmployeeShiftID: given(of(agus, "2026-03-12"))}
	id, err := ask(budi, swap)
	rostertest.WantCode(t, "asked", err, "")
	_, err = ask(budi, swap)
	rostertest.WantCode(t, "asked again", err, "CONFLICT employeeShiftId")
	rostertest.WantCode(t, "decided by who asks", decide(budi, viewer.Employee, id, true), "FORBIDDEN")
	rostertest.WantCode(t, "decided by somebody else", decide(stranger, viewer.Employee, id, true), "ent: shift_swap not found")
	rostertest.WantCode(t, "approved before the colleague agreed", decide(manager, viewer.Manager, id, true), "CONFLICT")
	rostertest.WantCode(t, "agreed", decide(agus, viewer.Employee, id, true), "")
	rostertest.WantCode(t, "agreed again", decide(agus, viewer.Employee, id, true), "FORBIDDEN")
	var group sync.WaitGroup
	codes := make([]string, 20)
	for i := range codes {
		group.Go(func() { codes[i] = apptest.Code(decide(manager, viewer.Manager, id, true)) })
	}
	group.Wait()
	if n := strings.Count(fmt.Sprintf("%q", codes), `""`); n != 1 {
		t.Errorf("approved 20 times at once: %q", codes)
	}
	rostertest.Want(t, "who asked", w.Occurrences(budi, "2026-03-12", "2026-03-13"), "12 night 21:00-07:00, 13 day 07:00-17:00")
	rostertest.Want(t, "the colleague", w.Occurrences(agus, "2026-03-11", "2026-03-12"), "11 night 21:00-07:00, 12 day 07:00-17:00")
	rostertest.WantCode(t, "taken back after that", w.Transact(w.As(budi, viewer.Employee), func(ctx context.Context) error { return w.Roster.CancelSwap(ctx, id) }), "CONFLICT")

	second, err := ask(budi, model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-14"), ShiftID: given(night.ID)})
	rostertest.WantCode(t, "another shift", err, "")
	rostertest.WantCode(t, "refused", decide(manager, viewer.Manager, second, false), "")
	third, err := ask(budi, model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-14"), ShiftID: given(night.ID)})
	rostertest.WantCode(t, "once more", err, "")
	rostertest.WantCode(t, "taken back by another", w.Transact(w.As(manager, viewer.Manager, team.ID), func(ctx context.Context) error { return w.Roster.CancelSwap(ctx, third) }), "FORBIDDEN")
	w.SetTime(t, "2026-03-14 08:00")
	err = decide(manager, viewer.Manager, third, true)
	rostertest.WantCode(t, "approved too late", err, "CONFLICT")
	rostertest.Want(t, "why", apptest.Conflict(err), "TOO_LATE")
	w.RunJobs(t, "shift_swaps")
	w.RunJobs(t, "tell_shifts")
	if got := w.Client().ShiftSwap.GetX(w.System(), second).State; got != shiftswap.StateRefused {
		t.Errorf("the second is %s", got)
	}
	kinds := map[string]int{}
	for _, m := range w.Client().Message.Query().Where(entMessage.KindHasPrefix("swap")).AllX(w.System()) {
		kinds[fmt.Sprint(m.Kind, " ", m.UserID)]++
	}
	for _, k := range []string{fmt.Sprint("swap_asked ", agus.ID), fmt.Sprint("swap_asked ", manager.ID), fmt.Sprint("swap_approved ", budi.ID), fmt.Sprint("swap_refused ", budi.ID)} {
		if kinds[k] == 0 {
			t.Errorf("no message %s: %v", k, kinds)
		}
	}
}

// TestManagersSwap swaps the shifts of two people without their asking.
func TestManagersSwap(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day, agus: night})
	of := func(u *ent.User, date string) int {
		return w.Client().EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.Date(date)).OnlyIDX(w.System())
	}
	swap := func(a, b int) (n int, err error) {
		err = w.Do(func(ctx context.Context) error {
			days, err := w.Roster.SwapShifts(ctx, model.SwapShiftsInput{EmployeeShiftID: a, WithEmployeeShiftID: b})
			n = len(days)
			return err
		})
		return n, err
	}
	n, err := swap(of(budi, "2026-03-13"), of(agus, "2026-03-15"))
	if err != nil || n != 4 {
		t.Fatalf("%d days planned, %v", n, err)
	}
	rostertest.Want(t, "Budi", w.Occurrences(budi, "2026-03-12", "2026-03-16"), "12 day 07:00-17:00, 14 day 07:00-17:00, 15 day 07:00-17:00, 15 night 21:00-07:00, 16 day 07:00-17:00")
	rostertest.Want(t, "Agus", w.Occurrences(agus, "2026-03-12", "2026-03-15"), "12 night 21:00-07:00, 13 day 07:00-17:00, 13 night 21:00-07:00, 14 night 21:00-07:00")
	_, err = swap(of(budi, "2026-03-12"), of(budi, "2026-03-14"))
	rostertest.WantCode(t, "one's own", err, "VALIDATION_FAILED withEmployeeShiftId same_as")
	w.Attend(t, budi, "2026-03-10")
	_, err = swap(of(budi, "2026-03-10"), of(agus, "2026-03-12"))
	rostertest.WantCode(t, "one that was worked", err, "CONFLICT employeeShiftId")
}
