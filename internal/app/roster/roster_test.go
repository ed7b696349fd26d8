package roster_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/roster"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// TestShiftsRefused tests what cannot be saved, with the field.
func TestShiftsRefused(t *testing.T) {
	w := rostertest.New(t)
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	tests := []struct {
		name   string
		change func(*model.CreateShiftInput)
		want   string
	}{
		{"no name", func(in *model.CreateShiftInput) { in.Name = " " }, "VALIDATION_FAILED name required"},
		{"no time", func(in *model.CreateShiftInput) { in.StartTime = "8:00" }, "VALIDATION_FAILED startTime bad_format"},
		{"SH-03 start is end", func(in *model.CreateShiftInput) { in.EndTime = in.StartTime }, "VALIDATION_FAILED endTime same_as"},
		{"SH-04 24 hours", func(in *model.CreateShiftInput) { in.OpensBeforeMinutes = number(900) }, "VALIDATION_FAILED opensBeforeMinutes out_of_range"},
		{"negative grace", func(in *model.CreateShiftInput) { in.LateGraceMinutes = number(-1) }, "VALIDATION_FAILED lateGraceMinutes out_of_range"},
		{"absent above half a day", func(in *model.CreateShiftInput) {
			in.HalfDayBelowMinutes, in.AbsentBelowMinutes = number(60), number(61)
		}, "VALIDATION_FAILED absentBelowMinutes out_of_range"},
		{"break outside", func(in *model.CreateShiftInput) {
			in.Breaks = input.Given([]*model.ShiftBreakInput{{Start: "18:00", End: "18:30"}})
		}, "VALIDATION_FAILED breaks.0.start not_within"},
		{"break without a time", func(in *model.CreateShiftInput) {
			in.Breaks = input.Given([]*model.ShiftBreakInput{{Start: "noon", End: "12:30"}})
		}, "VALIDATION_FAILED breaks.0.start bad_format"},
		{"eleven breaks", func(in *model.CreateShiftInput) {
			in.Breaks = input.Given(slices.Repeat([]*model.ShiftBreakInput{{Start: "12:00", End: "12:01"}}, 11))
		}, "VALIDATION_FAILED breaks too_many"},
		{"two kinds of breaks", func(in *model.CreateShiftInput) {
			in.Breaks, in.BreakMinutes = input.Given([]*model.ShiftBreakInput{{Start: "12:00", End: "12:30"}}), number(30)
		}, "VALIDATION_FAILED breakMinutes excludes"},
		{"a break as long as the shift", func(in *model.CreateShiftInput) { in.BreakMinutes = number(540) }, "VALIDATION_FAILED breakMinutes out_of_range"},
		{"unknown zone", func(in *model.CreateShiftInput) { in.Timezone = input.Given(new("Asia/Nowhere")) }, "VALIDATION_FAILED timezone bad_format"},
		{"no colour", func(in *model.CreateShiftInput) { in.Colour = input.Given(new("red")) }, "VALIDATION_FAILED colour bad_format"},
	}
	for _, tt := range tests {
		in := model.CreateShiftInput{Name: "Pagi", StartTime: "08:00", EndTime: "17:00"}
		tt.change(&in)
		err := w.Do(func(ctx context.Context) error {
			_, err := w.Roster.CreateShift(ctx, in)
			return err
		})
		rostertest.WantCode(t, tt.name, err, tt.want)
	}
	if n := w.Client().Shift.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d shifts were saved", n)
	}
	err := w.Do(func(ctx context.Context) error { // each threshold stands alone
		s, err := w.Roster.CreateShift(ctx, model.CreateShiftInput{Name: "Absent", StartTime: "08:00", EndTime: "17:00", AbsentBelowMinutes: number(240)})
		if err == nil && (s.HalfDayBelowMinutes != 0 || s.AbsentBelowMinutes != 240) {
			t.Errorf("saved %v", s)
		}
		return err
	})
	rostertest.WantCode(t, "absent without half a day", err, "")
	for role, code := range map[string]string{viewer.Employee: "FORBIDDEN", viewer.Manager: "FORBIDDEN", viewer.Admin: ""} {
		err := w.Transact(w.As(w.Admin, role), func(ctx context.Context) error {
			_, err := w.Roster.CreateShift(ctx, model.CreateShiftInput{Name: role, StartTime: "08:00", EndTime: "17:00"})
			return err
		})
		rostertest.WantCode(t, role, err, code)
	}
}

// TestOccurrencesAreMade makes those of today until in two weeks, and of a night that goes on, once, whoever asks.
func TestOccurrencesAreMade(t *testing.T) {
	w := rostertest.New(t)
	budi := w.User(t, "Budi")
	day, night := w.Shift(t, "day", "07:00", "19:00"), w.Shift(t, "night", "19:00", "07:00")
	for _, s := range []*ent.Shift{day, night} {
		if _, err := w.Assign(budi, s, "2026-03-01"); err != nil {
			t.Fatal(err)
		}
	}
	rostertest.Want(t, "SH-08 clipped, but what is past", w.Occurrences(budi, "2026-03-10", "2026-03-11"),
		"11 day 07:00-19:00, 11 night 19:00-07:00")
	rostertest.Want(t, "the last", w.Occurrences(budi, "2026-03-26", "2026-05-01"), "26 day 07:00-19:00, 26 night 19:00-07:00")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
	})
	before := w.Client().EmployeeShift.Query().IDsX(w.System())
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := w.Plans.Ensure(w.System(), w.Company.ID, budi.ID); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if after := w.Client().EmployeeShift.Query().IDsX(w.System()); !slices.Equal(before, after) {
		t.Errorf("%d occurrences, then %d", len(before), len(after))
	}
	w.SetTime(t, "2026-03-12 10:00")
	if err := w.Plans.Ensure(w.System(), w.Company.ID, budi.ID); err != nil {
		t.Fatal(err)
	}
	rostertest.Want(t, "a day later", w.Occurrences(budi, "2026-03-27", "2026-05-01"), "27 day 07:00-19:00, 27 night 19:00-07:00")
}

// TestDaily makes the occurrences of everybody by the job, in batches.
func TestDaily(t *testing.T) {
	w := rostertest.New(t)
	s := w.Shift(t, "day", "08:00", "17:00")
	var ids []int
	for i := range 105 {
		ids = append(ids, w.User(t, fmt.Sprint("User ", i)).ID)
	}
	gone := w.User(t, "Gone")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(gone).SetActive(false).Exec(ctx)
	})
	err := w.Do(func(ctx context.Context) error {
		list, err := w.Roster.AssignShifts(ctx, model.AssignShiftsInput{UserIds: append(ids, gone.ID, 4711), ShiftID: s.ID, StartsOn: "2026-03-11"})
		for i, a := range list {
			if ok := i < len(ids); ok != (a.AssignmentID != nil) || ok != (a.Code == nil) || !ok && *a.Code != "NOT_FOUND" {
				t.Errorf("%d: %+v", i, a)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if n := w.Client().EmployeeShift.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d occurrences in the transaction that assigned many", n)
	}
	w.RunJobs(t, "make_occurrences")
	if n, want := w.Client().EmployeeShift.Query().CountX(w.System()), 16*len(ids); n != want {
		t.Errorf("%d occurrences, want %d", n, want)
	}
	if n := w.Client().ClockState.Query().Where(clockstate.PlannedUntil("2026-03-26")).CountX(w.System()); n < len(ids) {
		t.Errorf("%d people are planned until then", n)
	}
	w.RunJobs(t, "tell_shifts")
	if n := w.Client().Message.Query().CountX(w.System()); n != len(ids) {
		t.Errorf("%d messages, want %d", n, len(ids))
	}
}

// TestAssignments tests rules SH-11 and SH-12 on rows.
func TestAssignments(t *testing.T) {
	w := rostertest.New(t)
	early, mid, noon, late := w.Shift(t, "08–12", "08:00", "12:00"), w.Shift(t, "11–15", "11:00", "15:00"), w.Shift(t, "12–16", "12:00", "16:00"), w.Shift(t, "15–19", "15:00", "19:00")
	tests := []struct {
		name  string
		first func(u *ent.User) error
		then  func(u *ent.User) error
		want  string
	}{
		{"A09 several shifts a day", func(u *ent.User) error { _, err := w.Assign(u, early, "2026-03-12"); return err },
			func(u *ent.User) error { _, err := w.Assign(u, noon, "2026-03-12"); return err }, ""},
		{"A10 overlapping", func(u *ent.User) error { _, err := w.Assign(u, early, "2026-03-12"); return err },
			func(u *ent.User) error { _, err := w.Assign(u, mid, "2026-03-12"); return err }, "CONFLICT userId"},
		{"A10 the second of two", func(u *ent.User) error {
			_, err := w.Assign(u, early, "2026-03-12")
			if err == nil {
				_, err = w.Assign(u, noon, "2026-03-12")
			}
			return err
		}, func(u *ent.User) error { _, err := w.Assign(u, late, "2026-03-12"); return err }, "CONFLICT userId"},
		{"A11 a period within an open-ended one", func(u *ent.User) error { _, err := w.Assign(u, early, "2026-03-01"); return err },
			func(u *ent.User) error {
				_, err := w.Assign(u, early, "2026-03-20", rostertest.Until("2026-03-22"))
				return err
			}, "CONFLICT userId"},
		{"after the first ended", func(u *ent.User) error {
			_, err := w.Assign(u, early, "2026-03-01", rostertest.Until("2026-03-19"))
			return err
		},
			func(u *ent.User) error { _, err := w.Assign(u, mid, "2026-03-20"); return err }, ""},
		{"on other weekdays", func(u *ent.User) error { _, err := w.Assign(u, early, "2026-03-01", rostertest.On(1, 2)); return err },
			func(u *ent.User) error { _, err := w.Assign(u, mid, "2026-03-01", rostertest.On(3, 4, 5)); return err }, ""},
		{"a year from now", func(u *ent.User) error { _, err := w.Assign(u, early, "2027-03-01"); return err },
			func(u *ent.User) error { _, err := w.Assign(u, mid, "2026-03-01"); return err }, "CONFLICT userId"},
	}
	for i, tt := range tests {
		u := w.User(t, fmt.Sprint("Person ", i))
		if err := tt.first(u); err != nil {
			t.Fatal(tt.name, err)
		}
		before := w.Client().ShiftAssignment.Query().CountX(w.System())
		rostertest.WantCode(t, tt.name, tt.then(u), tt.want)
		if after := w.Client().ShiftAssignment.Query().CountX(w.System()); (after > before) != (tt.want == "") {
			t.Errorf("%s: %d assignments, then %d", tt.name, before, after)
		}
	}
	u := w.User(t, "One shift a day")
	one := func(s *ent.Shift) error {
		return w.With(setting.Values{"severalShifts": false}, func(ctx context.Context) error {
			_, err := w.Roster.AssignShift(ctx, model.AssignShiftInput{UserID: u.ID, ShiftID: s.ID, StartsOn: "2026-03-12"})
			return err
		})
	}
	rostertest.WantCode(t, "A09 the first", one(early), "")
	err := one(noon)
	rostertest.WantCode(t, "A09 the second, with the setting off", err, "CONFLICT userId")
	rostertest.Want(t, "why", apptest.Conflict(err), "ONE_SHIFT_A_DAY")
}

// TestAssignmentsRefused tests the members of an assignment.
func TestAssignmentsRefused(t *testing.T) {
	w := rostertest.New(t)
	budi, s := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "17:00")
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	for name, tt := range map[string]struct {
		change func(*model.AssignShiftInput)
		want   string
	}{
		"nobody":            {func(in *model.AssignShiftInput) { in.UserID = 4711 }, "NOT_FOUND userId"},
		"no shift":          {func(in *model.AssignShiftInput) { in.ShiftID = 4711 }, "NOT_FOUND shiftId"},
		"ends before":       {func(in *model.AssignShiftInput) { in.EndsOn = input.Given(new("2026-03-10")) }, "VALIDATION_FAILED endsOn out_of_range"},
		"no weekday":        {func(in *model.AssignShiftInput) { in.Weekdays = input.Given([]int{}) }, "VALIDATION_FAILED weekdays required"},
		"an eighth weekday": {func(in *model.AssignShiftInput) { in.Weekdays = input.Given([]int{8}) }, "VALIDATION_FAILED weekdays not_one_of"},
		"nine weeks":        {func(in *model.AssignShiftInput) { in.EveryWeeks = number(9) }, "VALIDATION_FAILED everyWeeks out_of_range"},
		"every week":        {func(in *model.AssignShiftInput) { in.EveryWeeks = number(8) }, ""},
	} {
		_, err := w.Assign(budi, s, "2026-03-11", tt.change)
		if got := apptest.Code(err); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Shift.UpdateOneID(s.ID).SetActive(false).Exec(ctx)
	})
	_, err := w.Assign(budi, s, "2026-05-11")
	rostertest.WantCode(t, "an archived shift", err, "CONFLICT shiftId")
	manager := w.User(t, "Manager", viewer.Manager)
	err = w.Transact(w.As(manager, viewer.Manager), func(ctx context.Context) error {
		_, err := w.Roster.AssignShift(ctx, model.AssignShiftInput{UserID: budi.ID, ShiftID: s.ID, StartsOn: "2026-03-11"})
		return err
	})
	rostertest.WantCode(t, "a manager of others", err, "FORBIDDEN")
}

// TestParallelAssignments gives somebody overlapping shifts 20 times at once: one is
// accepted.
func TestParallelAssignments(t *testing.T) {
	w := rostertest.New(t)
	budi := w.User(t, "Budi")
	a, b := w.Shift(t, "08–12", "08:00", "12:00"), w.Shift(t, "11–15", "11:00", "15:00")
	var group sync.WaitGroup
	codes := make([]string, 20)
	for i := range codes {
		group.Go(func() {
			_, err := w.Assign(budi, []*ent.Shift{a, b}[i%2], "2026-03-12")
			codes[i] = apptest.Code(err)
		})
	}
	group.Wait()
	slices.Sort(codes)
	if codes[0] != "" || codes[1] != "CONFLICT userId" || codes[19] != "CONFLICT userId" {
		t.Errorf("answers %q", codes)
	}
	if n := w.Client().ShiftAssignment.Query().CountX(w.System()); n != 1 {
		t.Errorf("%d assignments", n)
	}
}

// TestPartedAtOnce parts an assignment 20 times at once, and once more later: it is done
// once, and all are told the same second part.
func TestPartedAtOnce(t *testing.T) {
	w := rostertest.New(t)
	budi, day := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "16:00")
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	for _, weeks := range []int{1, 3} {
		id, err := w.Assign(budi, day, []string{1: "2026-03-12", 3: "2027-03-12"}[weeks], func(in *model.AssignShiftInput) {
			in.EveryWeeks = number(weeks)
			if weeks == 1 {
				in.EndsOn = input.Given(new("2026-12-31"))
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		before := w.Client().ShiftAssignment.Query().CountX(w.System())
		part := func() string {
			var second int
			err := w.Do(func(ctx context.Context) (err error) {
				second, err = w.Roster.SplitAssignment(ctx, id, model.SplitShiftAssignmentInput{Date: []string{1: "2026-03-20", 3: "2027-03-20"}[weeks]})
				return err
			})
			return fmt.Sprint(second, apptest.Code(err))
		}
		var group sync.WaitGroup
		answers := make([]string, 20)
		for i := range answers {
			group.Go(func() { answers[i] = part() })
		}
		group.Wait()
		answers = append(answers, part())
		slices.Sort(answers)
		if answers[0] != answers[20] {
			t.Errorf("every %d weeks: answers %q, want one", weeks, answers)
		}
		if n := w.Client().ShiftAssignment.Query().CountX(w.System()) - before; n != 1 {
			t.Errorf("every %d weeks: %d second parts", weeks, n)
		}
	}
}

// TestEditedShift edits a shift from a date on.
func TestEditedShift(t *testing.T) {
	w := rostertest.New(t)
	budi, s := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "17:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: s})
	if err := w.Plans.Ensure(w.System(), w.Company.ID, budi.ID); err != nil {
		t.Fatal(err)
	}
	ids := w.Client().EmployeeShift.Query().Order(ent.Asc(employeeshift.FieldDate)).IDsX(w.System())
	w.Attend(t, budi, "2026-03-11")
	edit := func(from string, change func(*model.UpdateShiftInput)) error {
		in := model.UpdateShiftInput{}
		if from != "" {
			in.From = input.Given(&from)
		}
		change(&in)
		return w.Do(func(ctx context.Context) error { return w.Roster.UpdateShift(ctx, s.ID, in) })
	}
	starts := func(at string) func(*model.UpdateShiftInput) {
		return func(in *model.UpdateShiftInput) { in.StartTime = input.Given(&at) }
	}
	rostertest.WantCode(t, "yesterday", edit("2026-03-10", starts("09:00")), "VALIDATION_FAILED from out_of_range")
	rostertest.WantCode(t, "in 401 days", edit("2027-04-16", starts("09:00")), "VALIDATION_FAILED from out_of_range")
	rostertest.WantCode(t, "from Friday", edit("2026-03-13", starts("09:00")), "")
	rostertest.Want(t, "from Friday", w.Occurrences(budi, "2026-03-10", "2026-03-14"),
		"10 day 07:00-18:00, 11 day 07:00-18:00, 12 day 07:00-18:00, 13 day 08:00-18:00, 14 day 08:00-18:00")
	rostertest.WantCode(t, "from today", edit("", starts("07:00")), "")
	rostertest.Want(t, "from today, but what is attended", w.Occurrences(budi, "2026-03-10", "2026-03-14"),
		"10 day 07:00-18:00, 11 day 07:00-18:00, 12 day 06:00-18:00, 13 day 06:00-18:00, 14 day 06:00-18:00")
	if after := w.Client().EmployeeShift.Query().Order(ent.Asc(employeeshift.FieldDate)).IDsX(w.System()); !slices.Equal(ids, after) {
		t.Error("occurrences have other ids")
	}
	rostertest.WantCode(t, "its name", edit("", func(in *model.UpdateShiftInput) { in.Name = input.Given(new("Siang")) }), "")
	rostertest.Want(t, "renamed, but what is past or attended", w.Occurrences(budi, "2026-03-10", "2026-03-12"),
		"10 day 07:00-18:00, 11 day 07:00-18:00, 12 Siang 06:00-18:00")
	versions, err := roster.FormerVersions(w.As(w.Admin, viewer.Admin), s)
	if err != nil || len(versions) != 1 || versions[0].StartTime != "08:00" || versions[0].AppliesFrom != "0001-01-01" {
		t.Errorf("former versions %v, %v", versions, err)
	}
	evening := w.Shift(t, "evening", "17:00", "20:00")
	if _, err := w.Assign(budi, evening, "2026-03-01"); err != nil {
		t.Fatal(err)
	}
	rostertest.WantCode(t, "into another shift", edit("", func(in *model.UpdateShiftInput) { in.EndTime = input.Given(new("17:30")) }), "CONFLICT endTime")
	rostertest.Want(t, "as it was", w.Occurrences(budi, "2026-03-12", "2026-03-12"), "12 Siang 06:00-17:00, 12 evening 17:00-21:00")
}

// TestDeletedShift deletes shifts that nothing uses.
func TestDeletedShift(t *testing.T) {
	w := rostertest.New(t)
	budi := w.User(t, "Budi")
	used, rotated, planned, free := w.Shift(t, "used", "08:00", "17:00"), w.Shift(t, "rotated", "08:00", "17:00"), w.Shift(t, "planned", "08:00", "17:00"), w.Shift(t, "free", "08:00", "17:00")
	if _, err := w.Assign(budi, used, "2026-03-01"); err != nil {
		t.Fatal(err)
	}
	err := w.Do(func(ctx context.Context) error {
		_, err := w.Roster.CreateRotation(ctx, model.RotationInput{Name: "R", Days: []*int{&rotated.ID}})
		if err == nil {
			_, err = w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: w.Admin.ID, Date: "2026-03-12", ShiftIds: input.Given([]int{planned.ID})})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for s, code := range map[*ent.Shift]string{used: "CONFLICT", rotated: "CONFLICT", planned: "CONFLICT", free: ""} {
		rostertest.WantCode(t, s.Name, w.Do(func(ctx context.Context) error { return w.Roster.DeleteShift(ctx, s.ID) }), code)
	}
	rostertest.WantCode(t, "again", w.Do(func(ctx context.Context) error { return w.Roster.DeleteShift(ctx, free.ID) }), "ent: shift not found")
}

// TestEndedAssignments ends, parts and deletes assignments (rule SH-13).
func TestEndedAssignments(t *testing.T) {
	w := rostertest.New(t)
	budi, s := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "17:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: s})
	id := w.Client().ShiftAssignment.Query().OnlyIDX(w.System())
	w.Attend(t, budi, "2026-03-10")
	end := func(on string) error {
		return w.Do(func(ctx context.Context) error {
			return w.Roster.UpdateAssignment(ctx, id, model.UpdateShiftAssignmentInput{EndsOn: input.Given(&on)})
		})
	}
	part := func(id int, on string) (second int, err error) {
		err = w.Do(func(ctx context.Context) error {
			second, err = w.Roster.SplitAssignment(ctx, id, model.SplitShiftAssignmentInput{Date: on})
			return err
		})
		return second, err
	}
	remove := func(id int) error {
		return w.Do(func(ctx context.Context) error { return w.Roster.DeleteAssignment(ctx, id) })
	}
	rostertest.WantCode(t, "before it starts", end("2026-02-28"), "VALIDATION_FAILED endsOn out_of_range")
	rostertest.WantCode(t, "before an attendance", end("2026-03-09"), "CONFLICT")
	rostertest.WantCode(t, "with an attendance", remove(id), "CONFLICT")
	rostertest.WantCode(t, "in two weeks", end("2026-03-20"), "")
	rostertest.Want(t, "ended", w.Occurrences(budi, "2026-03-19", "2026-03-30"), "19 day 07:00-18:00, 20 day 07:00-18:00")
	_, err := part(id, "2026-03-01")
	rostertest.WantCode(t, "at its start", err, "VALIDATION_FAILED date out_of_range")
	_, err = part(id, "2026-03-21")
	rostertest.WantCode(t, "after its end", err, "VALIDATION_FAILED date out_of_range")
	before := w.Occurrences(budi, "2026-03-01", "2026-04-01")
	second, err := part(id, "2026-03-15")
	rostertest.WantCode(t, "parted", err, "")
	rostertest.Want(t, "the same occurrences", w.Occurrences(budi, "2026-03-01", "2026-04-01"), before)
	rostertest.WantCode(t, "the second part goes", remove(second), "")
	rostertest.Want(t, "the first stays", w.Occurrences(budi, "2026-03-13", "2026-04-01"), "13 day 07:00-18:00, 14 day 07:00-18:00")
	rostertest.WantCode(t, "gone", remove(second), "ent: shift_assignment not found")
}

// TestMarginsFit shortens the margins that are not given to what the day has left.
func TestMarginsFit(t *testing.T) {
	w := rostertest.New(t)
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	none := input.Omittable[*int]{}
	for _, tt := range []struct {
		end           string
		opens, closes input.Omittable[*int]
		want          [2]int
	}{
		{"16:00", none, none, [2]int{60, 60}},
		{"22:29", none, none, [2]int{60, 30}},
		{"23:29", none, none, [2]int{30, 0}},
		{"23:59", none, none, [2]int{0, 0}},
		{"22:29", number(10), none, [2]int{10, 60}},
		{"22:29", none, number(60), [2]int{30, 60}},
	} {
		err := w.Do(func(ctx context.Context) error {
			s, err := w.Roster.CreateShift(ctx, model.CreateShiftInput{
				Name: "Jaga", StartTime: "00:00", EndTime: tt.end, OpensBeforeMinutes: tt.opens, ClosesAfterMinutes: tt.closes,
			})
			if err == nil && [2]int{s.OpensBeforeMinutes, s.ClosesAfterMinutes} != tt.want {
				t.Errorf("until %s: %d and %d, want %v", tt.end, s.OpensBeforeMinutes, s.ClosesAfterMinutes, tt.want)
			}
			return err
		})
		if err != nil {
			t.Errorf("until %s: %v", tt.end, err)
		}
	}
}
