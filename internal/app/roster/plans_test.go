package roster

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/message"
	"workforce/ent/shiftswap"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// business adds a business below another one, where parent is not nil.
func (w *world) business(t testing.TB, name string, parent *ent.Business, people ...*ent.User) (b *ent.Business) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		create := db.Business.Create().SetCompanyID(w.Company.ID).SetName(name)
		if parent != nil {
			create.SetParentID(parent.ID)
		}
		if b, err = create.Save(ctx); err != nil {
			return err
		}
		for _, u := range people {
			if err := db.User.UpdateOne(u).SetBusinessID(b.ID).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return b.Unwrap()
}

// TestRotations gives people a sequence of shifts.
func TestRotations(t *testing.T) {
	w := newWorld(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	day, night := w.shift(t, "day", "08:00", "16:00"), w.shift(t, "night", "22:00", "06:00")
	create := func(name string, days ...*int) error {
		return w.do(func(ctx context.Context) error {
			_, err := w.CreateRotation(ctx, model.RotationInput{Name: name, Days: days})
			return err
		})
	}
	wantCode(t, "no days", create("Empty"), "VALIDATION_FAILED days required")
	wantCode(t, "57 days", create("Long", make([]*int, 57)...), "VALIDATION_FAILED days too_many")
	wantCode(t, "no such shift", create("Wrong", new(4711)), "NOT_FOUND days")
	wantCode(t, "two days, a night, off", create("2-1-1", &day.ID, &day.ID, &night.ID, nil), "")
	wantCode(t, "the name again", create("2-1-1", &day.ID), "VALIDATION_FAILED name already_taken")
	give := func(id int, from string, first int, people ...*ent.User) (codes []string, err error) {
		in := model.AssignRotationInput{RotationID: id, StartsOn: from, FirstDay: input.Given(&first)}
		for _, u := range people {
			in.UserIds = append(in.UserIds, u.ID)
		}
		err = w.do(func(ctx context.Context) error {
			list, err := w.AssignRotation(ctx, in)
			for _, a := range list {
				if a.Code != nil {
					codes = append(codes, *a.Code)
				}
			}
			return err
		})
		return codes, err
	}
	id := w.db().Rotation.Query().OnlyIDX(w.System())
	_, err := give(id, "2026-03-12", 5, budi)
	wantCode(t, "a fifth day of four", err, "VALIDATION_FAILED firstDay out_of_range")
	_, err = give(4711, "2026-03-12", 1, budi)
	wantCode(t, "no such rotation", err, "NOT_FOUND rotationId")
	codes, err := give(id, "2026-03-12", 1, budi, agus)
	if err != nil || codes != nil {
		t.Fatal(codes, err)
	}
	want(t, "two days, a night, off", w.occurrences(budi, "2026-03-10", "2026-03-16"),
		"12 day 07:00-17:00, 13 day 07:00-17:00, 14 night 21:00-07:00, 16 day 07:00-17:00")
	if _, err := give(id, "2026-03-14", 4, agus); err != nil {
		t.Fatal(err)
	}
	want(t, "another from Saturday", w.occurrences(agus, "2026-03-12", "2026-03-17"),
		"12 day 07:00-17:00, 13 day 07:00-17:00, 15 day 07:00-17:00, 16 day 07:00-17:00, 17 night 21:00-07:00")
	early := w.shift(t, "early", "05:00", "08:00")
	_, err = w.assign(budi, early, "2026-03-15", until("2026-03-15"))
	wantCode(t, "in the morning after the night", err, "CONFLICT userId")
	wantCode(t, "delete one that people have", w.do(func(ctx context.Context) error { return w.DeleteRotation(ctx, id) }), "CONFLICT")
	err = w.do(func(ctx context.Context) error {
		return w.UpdateRotation(ctx, id, model.RotationInput{Name: "2-1-1", Days: []*int{&night.ID, &early.ID}})
	})
	wantCode(t, "a morning after each night", err, "CONFLICT days")
	err = w.do(func(ctx context.Context) error {
		return w.UpdateRotation(ctx, id, model.RotationInput{Name: "Nights", Days: []*int{&night.ID}})
	})
	wantCode(t, "nights", err, "")
	want(t, "nights", w.occurrences(budi, "2026-03-12", "2026-03-13"), "12 night 21:00-07:00, 13 night 21:00-07:00")
	given := w.db().RotationAssignment.Query().Order(ent.Asc("id")).FirstX(w.System())
	end := func(on string) error {
		return w.do(func(ctx context.Context) error {
			return w.EndRotation(ctx, given.ID, model.EndRotationInput{EndsOn: on})
		})
	}
	wantCode(t, "end before today", end("2026-03-09"), "VALIDATION_FAILED endsOn out_of_range")
	wantCode(t, "end", end("2026-03-12"), "")
	want(t, "ended", w.occurrences(budi, "2026-03-12", "2026-03-30"), "12 night 21:00-07:00")
}

// TestFallbacks gives shifts for dates that nothing else plans.
func TestFallbacks(t *testing.T) {
	w := newWorld(t)
	budi, agus, citra := w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Citra")
	top := w.business(t, "Top", nil, budi)
	branch := w.business(t, "Branch", top, agus)
	var guard *ent.Designation
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		if guard, err = db.Designation.Create().SetCompanyID(w.Company.ID).SetName("Guard").Save(ctx); err != nil {
			return err
		}
		if err := db.Company.UpdateOne(w.Company).SetSettings(setting.Values{"weeklyOffs": []int{4}}).Exec(ctx); err != nil {
			return err
		}
		return db.UserDesignation.Create().SetCompanyID(w.Company.ID).SetUserID(citra.ID).SetDesignationID(guard.ID).Exec(ctx)
	})
	day, night, noon := w.shift(t, "day", "08:00", "16:00"), w.shift(t, "night", "22:00", "06:00"), w.shift(t, "noon", "12:00", "20:00")
	set := func(in model.FallbackShiftInput) error {
		return w.do(func(ctx context.Context) error { _, err := w.SetFallback(ctx, in); return err })
	}
	given := func(id int) input.Omittable[*int] { return input.Given(&id) }
	wantCode(t, "of nobody", set(model.FallbackShiftInput{ShiftID: given(day.ID)}), "VALIDATION_FAILED userId required")
	wantCode(t, "of two", set(model.FallbackShiftInput{ShiftID: given(day.ID), UserID: given(budi.ID), BusinessID: given(top.ID)}), "VALIDATION_FAILED businessId excludes")
	wantCode(t, "no such business", set(model.FallbackShiftInput{ShiftID: given(day.ID), BusinessID: given(4711)}), "NOT_FOUND businessId")
	wantCode(t, "no such shift", set(model.FallbackShiftInput{ShiftID: given(4711), BusinessID: given(top.ID)}), "NOT_FOUND shiftId")
	for _, in := range []model.FallbackShiftInput{
		{ShiftID: given(day.ID), BusinessID: given(top.ID)}, {ShiftID: given(noon.ID), DesignationID: given(guard.ID)}, {ShiftID: given(night.ID), UserID: given(budi.ID)},
	} {
		wantCode(t, "set", set(in), "")
	}
	w.run(t, making)
	want(t, "the person's own, but on a weekly off", w.occurrences(budi, "2026-03-11", "2026-03-13"), "11 night 21:00-07:00, 13 night 21:00-07:00")
	want(t, "that of the business above", w.occurrences(agus, "2026-03-11", "2026-03-13"), "11 day 07:00-17:00, 13 day 07:00-17:00")
	want(t, "the designation's", w.occurrences(citra, "2026-03-11", "2026-03-13"), "11 noon 11:00-21:00, 13 noon 11:00-21:00")
	if _, err := w.assign(agus, night, "2026-03-12", until("2026-03-13"), on(5)); err != nil {
		t.Fatal(err)
	}
	want(t, "A05 an assignment before it, on its dates", w.occurrences(agus, "2026-03-11", "2026-03-14"), "11 day 07:00-17:00, 13 night 21:00-07:00, 14 day 07:00-17:00")
	wantCode(t, "changed", set(model.FallbackShiftInput{ShiftID: given(noon.ID), BusinessID: given(branch.ID)}), "")
	w.run(t, making)
	want(t, "the nearer business's", w.occurrences(agus, "2026-03-11", "2026-03-11"), "11 noon 11:00-21:00")
	wantCode(t, "none", set(model.FallbackShiftInput{UserID: given(budi.ID)}), "")
	want(t, "the business's then", w.occurrences(budi, "2026-03-11", "2026-03-11"), "11 day 07:00-17:00")
}

// TestPlannedDays plans single dates.
func TestPlannedDays(t *testing.T) {
	w := newWorld(t)
	budi := w.User(t, "Budi")
	day, night, early := w.shift(t, "day", "08:00", "16:00"), w.shift(t, "night", "22:00", "06:00"), w.shift(t, "early", "05:00", "07:00")
	if _, err := w.assign(budi, day, "2026-03-01"); err != nil {
		t.Fatal(err)
	}
	plan := func(date string, shifts ...int) error {
		in := model.PlanDayInput{UserID: budi.ID, Date: date, ShiftIds: input.Given(shifts)}
		return w.do(func(ctx context.Context) error { _, err := w.PlanDay(ctx, in); return err })
	}
	wantCode(t, "a night", plan("2026-03-12", night.ID), "")
	want(t, "a night", w.occurrences(budi, "2026-03-11", "2026-03-13"), "11 day 07:00-17:00, 12 night 21:00-07:00, 13 day 07:00-17:00")
	wantCode(t, "two", plan("2026-03-12", early.ID, night.ID), "")
	want(t, "two", w.occurrences(budi, "2026-03-12", "2026-03-12"), "12 early 04:00-08:00, 12 night 21:00-07:00")
	wantCode(t, "the morning after a night", plan("2026-03-13", early.ID), "CONFLICT shiftIds")
	wantCode(t, "off", plan("2026-03-12", []int{}...), "")
	want(t, "off", w.occurrences(budi, "2026-03-12", "2026-03-12"), "")
	wantCode(t, "as usual", plan("2026-03-12", []int(nil)...), "")
	want(t, "as usual", w.occurrences(budi, "2026-03-12", "2026-03-12"), "12 day 07:00-17:00")
	w.attend(t, budi, "2026-03-10")
	wantCode(t, "off on a day that was worked", plan("2026-03-10", []int{}...), "CONFLICT shiftIds")
	wantCode(t, "another shift on a day that was worked", plan("2026-03-10", night.ID), "CONFLICT shiftIds")
	wantCode(t, "more on a day that was worked", plan("2026-03-10", day.ID, early.ID), "")
	want(t, "more", w.occurrences(budi, "2026-03-10", "2026-03-10"), "10 early 04:00-08:00, 10 day 07:00-17:00")
	wantCode(t, "three weeks ago", plan("2026-02-18", night.ID), "")
	want(t, "three weeks ago", w.occurrences(budi, "2026-02-17", "2026-02-19"), "18 night 21:00-07:00")
	wantCode(t, "too long ago", plan("2026-02-07", night.ID), "VALIDATION_FAILED date out_of_range")
	wantCode(t, "six shifts", plan("2026-03-12", 1, 2, 3, 4, 5, 6), "VALIDATION_FAILED shiftIds too_many")
	wantCode(t, "no such shift", plan("2026-03-12", 4711), "NOT_FOUND shiftIds")
}

// TestZones reads wall times in the zone of the shift, else of the person's work site,
// else of the company (rule SH-18), on days of 23 and 25 hours too.
func TestZones(t *testing.T) {
	w := newWorld(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	branch := w.business(t, "Berlin", nil, budi)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Address.Create().SetCompanyID(w.Company.ID).SetBusinessID(branch.ID).SetName("Berlin").SetAddress("").
			SetLatitude(52.5).SetLongitude(13.4).SetTimezone("Europe/Berlin").Exec(ctx)
	})
	w.at(t, "2026-03-27 12:00")
	night := w.shift(t, "night", "22:00", "06:00")
	tokyo := w.shift(t, "tokyo", "09:00", "12:00", func(in *model.CreateShiftInput) { in.Timezone = input.Given(new("Asia/Tokyo")) })
	for _, u := range []*ent.User{budi, agus} {
		if _, err := w.assign(u, night, "2026-03-27"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.assign(agus, tokyo, "2026-03-27"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		user        *ent.User
		shift, date string
		want        string
	}{
		{budi, "night", "2026-03-27", "Europe/Berlin 2026-03-27 21:00 8h"},
		{budi, "night", "2026-03-28", "Europe/Berlin 2026-03-28 21:00 7h"}, // clocks are put forward
		{agus, "night", "2026-03-28", "Asia/Jakarta 2026-03-28 15:00 8h"},
		{agus, "tokyo", "2026-03-28", "Asia/Tokyo 2026-03-28 00:00 3h"},
	} {
		o := w.db().EmployeeShift.Query().Where(employeeshift.UserID(tt.user.ID), employeeshift.Date(tt.date), employeeshift.Name(tt.shift)).OnlyX(w.System())
		got := fmt.Sprintf("%s %s %.0fh", o.Timezone, o.StartAt.UTC().Format("2006-01-02 15:04"), o.EndAt.Sub(o.StartAt).Hours())
		want(t, tt.user.Name+" "+tt.shift+" "+tt.date, got, tt.want)
	}
	w.at(t, "2026-10-20 12:00")
	if err := w.Ensure(w.System(), w.Company.ID, budi.ID); err != nil {
		t.Fatal(err)
	}
	o := w.db().EmployeeShift.Query().Where(employeeshift.UserID(budi.ID), employeeshift.Date("2026-10-24")).OnlyX(w.System())
	if h := o.EndAt.Sub(o.StartAt).Hours(); h != 9 {
		t.Errorf("the night in which clocks are put back lasts %v h", h)
	}
}

// TestSwaps asks for shifts of colleagues.
func TestSwaps(t *testing.T) {
	w := newWorld(t)
	budi, agus, manager, stranger := w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Manager", viewer.Manager), w.User(t, "Stranger")
	team := w.business(t, "Team", nil, budi, agus)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Business.UpdateOneID(team.ID).SetManagerID(manager.ID).Exec(ctx)
	})
	day, night := w.shift(t, "day", "08:00", "16:00"), w.shift(t, "night", "22:00", "06:00")
	for u, s := range map[*ent.User]*ent.Shift{budi: day, agus: night} {
		if _, err := w.assign(u, s, "2026-03-01"); err != nil {
			t.Fatal(err)
		}
	}
	of := func(u *ent.User, date string) int {
		return w.db().EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.Date(date)).OnlyIDX(w.System())
	}
	ask := func(u *ent.User, in model.RequestShiftSwapInput) (id int, err error) {
		err = w.as(w.As(u, viewer.Employee), func(ctx context.Context) error {
			id, err = w.RequestSwap(ctx, in)
			return err
		})
		return id, err
	}
	decide := func(u *ent.User, role string, id int, approve bool) error {
		ctx := w.As(u, role)
		if role == viewer.Manager {
			ctx = w.As(u, role, team.ID)
		}
		return w.as(ctx, func(ctx context.Context) error {
			return w.DecideSwap(ctx, id, model.DecideShiftSwapInput{Approve: approve})
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
		wantCode(t, name, err, tt.want)
	}
	swap := model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-12"), WithEmployeeShiftID: given(of(agus, "2026-03-12"))}
	id, err := ask(budi, swap)
	wantCode(t, "asked", err, "")
	_, err = ask(budi, swap)
	wantCode(t, "asked again", err, "CONFLICT employeeShiftId")
	wantCode(t, "decided by who asks", decide(budi, viewer.Employee, id, true), "FORBIDDEN")
	wantCode(t, "decided by somebody else", decide(stranger, viewer.Employee, id, true), "ent: shift_swap not found")
	wantCode(t, "approved before the colleague agreed", decide(manager, viewer.Manager, id, true), "CONFLICT")
	wantCode(t, "agreed", decide(agus, viewer.Employee, id, true), "")
	wantCode(t, "agreed again", decide(agus, viewer.Employee, id, true), "FORBIDDEN")
	var group sync.WaitGroup
	codes := make([]string, 20)
	for i := range codes {
		group.Go(func() { codes[i] = apptest.Code(decide(manager, viewer.Manager, id, true)) })
	}
	group.Wait()
	if n := strings.Count(fmt.Sprintf("%q", codes), `""`); n != 1 {
		t.Errorf("approved 20 times at once: %q", codes)
	}
	want(t, "who asked", w.occurrences(budi, "2026-03-12", "2026-03-13"), "12 night 21:00-07:00, 13 day 07:00-17:00")
	want(t, "the colleague", w.occurrences(agus, "2026-03-11", "2026-03-12"), "11 night 21:00-07:00, 12 day 07:00-17:00")
	wantCode(t, "taken back after that", w.as(w.As(budi, viewer.Employee), func(ctx context.Context) error { return w.CancelSwap(ctx, id) }), "CONFLICT")

	second, err := ask(budi, model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-14"), ShiftID: given(night.ID)})
	wantCode(t, "another shift", err, "")
	wantCode(t, "refused", decide(manager, viewer.Manager, second, false), "")
	third, err := ask(budi, model.RequestShiftSwapInput{EmployeeShiftID: of(budi, "2026-03-14"), ShiftID: given(night.ID)})
	wantCode(t, "once more", err, "")
	wantCode(t, "taken back by another", w.as(w.As(manager, viewer.Manager, team.ID), func(ctx context.Context) error { return w.CancelSwap(ctx, third) }), "FORBIDDEN")
	w.at(t, "2026-03-14 08:00")
	wantCode(t, "approved too late", decide(manager, viewer.Manager, third, true), "CONFLICT")
	w.run(t, "shift_swaps")
	w.run(t, telling)
	if got := w.db().ShiftSwap.GetX(w.System(), second).State; got != shiftswap.StateRefused {
		t.Errorf("the second is %s", got)
	}
	kinds := map[string]int{}
	for _, m := range w.db().Message.Query().Where(message.KindHasPrefix("swap")).AllX(w.System()) {
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
	w := newWorld(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	day, night := w.shift(t, "day", "08:00", "16:00"), w.shift(t, "night", "22:00", "06:00")
	for u, s := range map[*ent.User]*ent.Shift{budi: day, agus: night} {
		if _, err := w.assign(u, s, "2026-03-01"); err != nil {
			t.Fatal(err)
		}
	}
	of := func(u *ent.User, date string) int {
		return w.db().EmployeeShift.Query().Where(employeeshift.UserID(u.ID), employeeshift.Date(date)).OnlyIDX(w.System())
	}
	swap := func(a, b int) (n int, err error) {
		err = w.do(func(ctx context.Context) error {
			days, err := w.SwapShifts(ctx, model.SwapShiftsInput{EmployeeShiftID: a, WithEmployeeShiftID: b})
			n = len(days)
			return err
		})
		return n, err
	}
	n, err := swap(of(budi, "2026-03-13"), of(agus, "2026-03-15"))
	if err != nil || n != 4 {
		t.Fatalf("%d days planned, %v", n, err)
	}
	want(t, "Budi", w.occurrences(budi, "2026-03-12", "2026-03-16"), "12 day 07:00-17:00, 14 day 07:00-17:00, 15 day 07:00-17:00, 15 night 21:00-07:00, 16 day 07:00-17:00")
	want(t, "Agus", w.occurrences(agus, "2026-03-12", "2026-03-15"), "12 night 21:00-07:00, 13 day 07:00-17:00, 13 night 21:00-07:00, 14 night 21:00-07:00")
	_, err = swap(of(budi, "2026-03-12"), of(budi, "2026-03-14"))
	wantCode(t, "one's own", err, "VALIDATION_FAILED withEmployeeShiftId same_as")
	w.attend(t, budi, "2026-03-10")
	_, err = swap(of(budi, "2026-03-10"), of(agus, "2026-03-12"))
	wantCode(t, "one that was worked", err, "CONFLICT employeeShiftId")
}

// TestWeek reads the roster of a week.
func TestWeek(t *testing.T) {
	w := newWorld(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "agus")
	team := w.business(t, "Team", nil, budi)
	day, night := w.shift(t, "day", "08:00", "16:00"), w.shift(t, "night", "22:00", "06:00")
	if _, err := w.assign(budi, day, "2026-03-12", on(1, 2, 3, 4, 5)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.assign(agus, night, "2026-03-01", on(7)); err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if err := db.User.UpdateOne(budi).SetLeftOn("2026-03-12").Exec(ctx); err != nil {
			return err
		}
		return db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Nyepi").SetDate("2026-03-12").Exec(ctx)
	})
	show := func(ctx context.Context, of Week) string {
		r, err := w.Week(ctx, of)
		if err != nil {
			return apptest.Code(err)
		}
		text := fmt.Sprintf("%s to %s, %d:", r.StartsOn, r.EndsOn, r.TotalCount)
		for _, p := range r.People {
			text += " " + p.Name
			for _, s := range p.Shifts {
				text += fmt.Sprintf(" %s %s %v %v", s.Date[8:], s.Name, s.EmployeeShiftID != nil, s.Clashes)
			}
			text += ";"
		}
		return text
	}
	admin := w.As(w.admin, viewer.Admin)
	want(t, "this week", show(admin, Week{}),
		"2026-03-09 to 2026-03-15, 3: Admin; agus 15 night true []; Budi 12 day true [holiday] 13 day true [employment];")
	want(t, "a week that is not made yet", show(admin, Week{Date: new("2026-04-08"), BusinessID: &team.ID}),
		"2026-04-06 to 2026-04-12, 1: Budi 06 day false [employment] 07 day false [employment] 08 day false [employment] 09 day false [employment] 10 day false [employment];")
	want(t, "the second page", show(admin, Week{Page: new(2), Limit: new(1)}), "2026-03-09 to 2026-03-15, 3: agus 15 night true [];")
	want(t, "past the end", show(admin, Week{Page: new(9)}), "2026-03-09 to 2026-03-15, 3:")
	want(t, "no such page", show(admin, Week{Page: new(0)}), "VALIDATION_FAILED page out_of_range")
	want(t, "no such business", show(admin, Week{BusinessID: new(4711)}), "NOT_FOUND businessId")
	want(t, "an employee", show(w.As(agus, viewer.Employee), Week{}), "2026-03-09 to 2026-03-15, 1: agus 15 night true [];")
	sunday := w.As(w.admin, viewer.Admin)
	viewer.From(sunday).Settings = setting.Values{"firstWeekday": 7}
	want(t, "from Sunday", show(sunday, Week{BusinessID: &team.ID}), "2026-03-08 to 2026-03-14, 1: Budi 12 day true [holiday] 13 day true [employment];")
}
