package roster_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/roster"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// TestRotations gives people a sequence of shifts.
func TestRotations(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	create := func(name string, days ...*int) error {
		return w.Do(func(ctx context.Context) error {
			_, err := w.Roster.CreateRotation(ctx, model.RotationInput{Name: name, Days: days})
			return err
		})
	}
	rostertest.WantCode(t, "no days", create("Empty"), "VALIDATION_FAILED days required")
	rostertest.WantCode(t, "57 days", create("Long", make([]*int, 57)...), "VALIDATION_FAILED days too_many")
	rostertest.WantCode(t, "no such shift", create("Wrong", new(4711)), "NOT_FOUND days")
	rostertest.WantCode(t, "two days, a night, off", create("2-1-1", &day.ID, &day.ID, &night.ID, nil), "")
	rostertest.WantCode(t, "the name again", create("2-1-1", &day.ID), "VALIDATION_FAILED name already_taken")
	give := func(id int, from string, first int, people ...*ent.User) (codes []string, err error) {
		in := model.AssignRotationInput{RotationID: id, StartsOn: from, FirstDay: input.Given(&first)}
		for _, u := range people {
			in.UserIds = append(in.UserIds, u.ID)
		}
		err = w.Do(func(ctx context.Context) error {
			list, err := w.Roster.AssignRotation(ctx, in)
			for _, a := range list {
				if a.Code != nil {
					codes = append(codes, *a.Code)
				}
			}
			return err
		})
		return codes, err
	}
	id := w.Client().Rotation.Query().OnlyIDX(w.System())
	_, err := give(id, "2026-03-12", 5, budi)
	rostertest.WantCode(t, "a fifth day of four", err, "VALIDATION_FAILED firstDay out_of_range")
	_, err = give(4711, "2026-03-12", 1, budi)
	rostertest.WantCode(t, "no such rotation", err, "NOT_FOUND rotationId")
	codes, err := give(id, "2026-03-12", 1, budi, agus)
	if err != nil || codes != nil {
		t.Fatal(codes, err)
	}
	rostertest.Want(t, "two days, a night, off", w.Occurrences(budi, "2026-03-10", "2026-03-16"),
		"12 day 07:00-17:00, 13 day 07:00-17:00, 14 night 21:00-07:00, 16 day 07:00-17:00")
	if _, err := give(id, "2026-03-14", 4, agus); err != nil {
		t.Fatal(err)
	}
	rostertest.Want(t, "another from Saturday", w.Occurrences(agus, "2026-03-12", "2026-03-17"),
		"12 day 07:00-17:00, 13 day 07:00-17:00, 15 day 07:00-17:00, 16 day 07:00-17:00, 17 night 21:00-07:00")
	early := w.Shift(t, "early", "05:00", "08:00")
	_, err = w.Assign(budi, early, "2026-03-15", rostertest.Until("2026-03-15"))
	rostertest.WantCode(t, "in the morning after the night", err, "CONFLICT userId")
	rostertest.WantCode(t, "delete one that people have", w.Do(func(ctx context.Context) error { return w.Roster.DeleteRotation(ctx, id) }), "CONFLICT")
	err = w.Do(func(ctx context.Context) error {
		return w.Roster.UpdateRotation(ctx, id, model.RotationInput{Name: "2-1-1", Days: []*int{&night.ID, &early.ID}})
	})
	rostertest.WantCode(t, "a morning after each night", err, "CONFLICT days")
	err = w.Do(func(ctx context.Context) error {
		return w.Roster.UpdateRotation(ctx, id, model.RotationInput{Name: "Nights", Days: []*int{&night.ID}})
	})
	rostertest.WantCode(t, "nights", err, "")
	rostertest.Want(t, "nights", w.Occurrences(budi, "2026-03-12", "2026-03-13"), "12 night 21:00-07:00, 13 night 21:00-07:00")
	given := w.Client().RotationAssignment.Query().Order(ent.Asc("id")).FirstX(w.System())
	end := func(on string) error {
		return w.Do(func(ctx context.Context) error {
			return w.Roster.EndRotation(ctx, given.ID, model.EndRotationInput{EndsOn: on})
		})
	}
	rostertest.WantCode(t, "end before today", end("2026-03-09"), "VALIDATION_FAILED endsOn out_of_range")
	rostertest.WantCode(t, "end", end("2026-03-12"), "")
	rostertest.Want(t, "ended", w.Occurrences(budi, "2026-03-12", "2026-03-30"), "12 night 21:00-07:00")
}

// TestRotationsInBetween keeps the rotation that begins after another one has ended, and
// not those that the other one lasts into.
func TestRotationsInBetween(t *testing.T) {
	w := rostertest.New(t)
	budi, day := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "16:00")
	rotations := map[string]int{}
	give := func(name, from, until string) {
		t.Helper()
		err := w.Do(func(ctx context.Context) error {
			r, err := w.Roster.CreateRotation(ctx, model.RotationInput{Name: name, Days: []*int{&day.ID}})
			if err != nil {
				return err
			}
			rotations[name] = r.ID
			in := model.AssignRotationInput{RotationID: r.ID, UserIds: []int{budi.ID}, StartsOn: from}
			if until != "" {
				in.EndsOn = input.Given(&until)
			}
			list, err := w.Roster.AssignRotation(ctx, in)
			if err == nil && list[0].AssignmentID == nil {
				t.Fatalf("%s: %s", name, *list[0].Code)
			}
			return err
		})
		if err != nil {
			t.Fatal(name, err)
		}
	}
	give("first", "2026-03-01", "")
	give("later", "2026-03-20", "2026-03-25")
	give("last", "2026-04-01", "")
	give("between", "2026-03-12", "2026-03-20")
	var got []string
	for _, r := range w.Client().RotationAssignment.Query().Order(ent.Asc("starts_on")).AllX(w.System()) {
		for name, id := range rotations {
			if id == r.RotationID {
				until := ""
				if r.EndsOn != nil {
					until = *r.EndsOn
				}
				got = append(got, fmt.Sprint(name, " ", r.StartsOn[5:], "–", until))
			}
		}
	}
	rostertest.Want(t, "rotations", fmt.Sprint(got), "[first 03-01–2026-03-11 between 03-12–2026-03-20 last 04-01–]")
	w.SetTime(t, "2026-03-28 10:00")
	if err := w.Plans.Ensure(w.System(), w.Company.ID, budi.ID); err != nil {
		t.Fatal(err)
	}
	rostertest.Want(t, "the last begins as planned", w.Occurrences(budi, "2026-03-28", "2026-04-01"), "01 day 07:00-17:00")
	give("open", "2026-03-30", "")
	if n := w.Client().RotationAssignment.Query().CountX(w.System()); n != 3 {
		t.Errorf("%d rotations, want one in the place of the last", n)
	}
}

// TestEndedRotations looks only at the dates that a rotation leaves: what overlaps
// elsewhere stays, a fallback shift that would overlap is refused. Of 20 ends at once none
// takes an earlier one back, and each takes few statements.
func TestEndedRotations(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	night, early, day := w.Shift(t, "night", "22:00", "06:00"), w.Shift(t, "early", "05:00", "08:00"), w.Shift(t, "day", "12:00", "16:00")
	turns := map[*ent.User]int{}
	err := w.Do(func(ctx context.Context) error {
		r, err := w.Roster.CreateRotation(ctx, model.RotationInput{Name: "nights", Days: []*int{&night.ID}})
		if err != nil {
			return err
		}
		list, err := w.Roster.AssignRotation(ctx, model.AssignRotationInput{UserIds: []int{budi.ID, agus.ID}, RotationID: r.ID, StartsOn: "2026-03-09"})
		turns[budi], turns[agus] = *list[0].AssignmentID, *list[1].AssignmentID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error { // that overlap already, before the end and behind it
		for _, on := range []string{"2026-03-13", "2026-03-25"} {
			for _, s := range []*ent.Shift{early, night} {
				if err := db.ShiftAssignment.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetShiftID(s.ID).SetStartsOn(on).SetEndsOn(on).
					SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).SetEveryWeeks(1).Exec(ctx); err != nil {
					return err
				}
			}
		}
		db.FallbackShift.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetShiftID(day.ID).SetCreatedAt(apptest.Now).ExecX(ctx)
		db.FallbackShift.Create().SetCompanyID(w.Company.ID).SetUserID(agus.ID).SetShiftID(early.ID).SetCreatedAt(apptest.Now).ExecX(ctx)
		return nil
	})
	end := func(u *ent.User, on string) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			return w.Roster.EndRotation(ctx, turns[u], model.EndRotationInput{EndsOn: on})
		}
	}
	rostertest.WantCode(t, "a fallback in the morning after the last night", w.Do(end(agus, "2026-03-17")), "CONFLICT endsOn")
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() { _ = w.Do(end(budi, fmt.Sprintf("2026-03-%d", 20+i%10))) })
	}
	group.Wait()
	if r := w.Client().RotationAssignment.GetX(w.System(), turns[budi]); r.EndsOn == nil || *r.EndsOn != "2026-03-20" {
		t.Errorf("ends on %v, want the earliest", r.EndsOn)
	}
	if n := statements(t, w, end(budi, "2026-03-18")); n > 45 {
		t.Errorf("%d statements", n)
	}
	rostertest.Want(t, "ended", w.Occurrences(budi, "2026-03-17", "2026-03-20"), "17 night 21:00-07:00, 18 night 21:00-07:00, 19 day 11:00-17:00, 20 day 11:00-17:00")
}

// TestFallbacks gives shifts for dates that nothing else plans.
func TestFallbacks(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, citra := w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Citra")
	top := w.Business(t, "Top", nil, budi)
	branch := w.Business(t, "Branch", top, agus)
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
	day, night, noon := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00"), w.Shift(t, "noon", "12:00", "20:00")
	set := func(in model.FallbackShiftInput) error {
		return w.Do(func(ctx context.Context) error { _, err := w.Roster.SetFallback(ctx, in); return err })
	}
	given := func(id int) input.Omittable[*int] { return input.Given(&id) }
	rostertest.WantCode(t, "of nobody", set(model.FallbackShiftInput{ShiftID: given(day.ID)}), "VALIDATION_FAILED userId required")
	rostertest.WantCode(t, "of two", set(model.FallbackShiftInput{ShiftID: given(day.ID), UserID: given(budi.ID), BusinessID: given(top.ID)}), "VALIDATION_FAILED businessId excludes")
	rostertest.WantCode(t, "no such business", set(model.FallbackShiftInput{ShiftID: given(day.ID), BusinessID: given(4711)}), "NOT_FOUND businessId")
	rostertest.WantCode(t, "no such shift", set(model.FallbackShiftInput{ShiftID: given(4711), BusinessID: given(top.ID)}), "NOT_FOUND shiftId")
	for _, in := range []model.FallbackShiftInput{
		{ShiftID: given(day.ID), BusinessID: given(top.ID)}, {ShiftID: given(noon.ID), DesignationID: given(guard.ID)}, {ShiftID: given(night.ID), UserID: given(budi.ID)},
	} {
		rostertest.WantCode(t, "set", set(in), "")
	}
	w.RunJobs(t, "make_occurrences")
	rostertest.Want(t, "the person's own, but on a weekly off", w.Occurrences(budi, "2026-03-11", "2026-03-13"), "11 night 21:00-07:00, 13 night 21:00-07:00")
	rostertest.Want(t, "that of the business above", w.Occurrences(agus, "2026-03-11", "2026-03-13"), "11 day 07:00-17:00, 13 day 07:00-17:00")
	rostertest.Want(t, "the designation's", w.Occurrences(citra, "2026-03-11", "2026-03-13"), "11 noon 11:00-21:00, 13 noon 11:00-21:00")
	if _, err := w.Assign(agus, night, "2026-03-12", rostertest.Until("2026-03-13"), rostertest.On(5)); err != nil {
		t.Fatal(err)
	}
	rostertest.Want(t, "A05 an assignment before it, on its dates", w.Occurrences(agus, "2026-03-11", "2026-03-14"), "11 day 07:00-17:00, 13 night 21:00-07:00, 14 day 07:00-17:00")
	rostertest.WantCode(t, "changed", set(model.FallbackShiftInput{ShiftID: given(noon.ID), BusinessID: given(branch.ID)}), "")
	w.RunJobs(t, "make_occurrences")
	rostertest.Want(t, "the nearer business's", w.Occurrences(agus, "2026-03-11", "2026-03-11"), "11 noon 11:00-21:00")
	rostertest.WantCode(t, "none", set(model.FallbackShiftInput{UserID: given(budi.ID)}), "")
	rostertest.Want(t, "the business's then", w.Occurrences(budi, "2026-03-11", "2026-03-11"), "11 day 07:00-17:00")
}

// TestArchivedFallback gives nobody a fallback shift while it is archived.
func TestArchivedFallback(t *testing.T) {
	w := rostertest.New(t)
	budi, day := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "16:00")
	err := w.Do(func(ctx context.Context) error {
		_, err := w.Roster.SetFallback(ctx, model.FallbackShiftInput{ShiftID: input.Given(&day.ID), UserID: input.Given(&budi.ID)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		active bool
		want   string
	}{{true, "12 day 07:00-17:00"}, {false, ""}, {false, ""}, {true, "12 day 07:00-17:00"}} {
		rostertest.WantCode(t, "changed", w.Do(func(ctx context.Context) error {
			return w.Roster.UpdateShift(ctx, day.ID, model.UpdateShiftInput{Active: input.Given(&tt.active)})
		}), "")
		w.RunJobs(t, "make_occurrences")
		rostertest.Want(t, fmt.Sprint("active ", tt.active), w.Occurrences(budi, "2026-03-12", "2026-03-12"), tt.want)
	}
}

// TestZones reads wall times in the zone of the shift, else of the person's work site,
// else of the company (rule SH-18), on days of 23 and 25 hours too.
func TestZones(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	branch := w.Business(t, "Berlin", nil, budi)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Address.Create().SetCompanyID(w.Company.ID).SetBusinessID(branch.ID).SetName("Berlin").SetAddress("").
			SetLatitude(52.5).SetLongitude(13.4).SetTimezone("Europe/Berlin").Exec(ctx)
	})
	w.SetTime(t, "2026-03-27 12:00")
	night := w.Shift(t, "night", "22:00", "06:00")
	tokyo := w.Shift(t, "tokyo", "09:00", "12:00", func(in *model.CreateShiftInput) { in.Timezone = input.Given(new("Asia/Tokyo")) })
	for _, u := range []*ent.User{budi, agus} {
		if _, err := w.Assign(u, night, "2026-03-27"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Assign(agus, tokyo, "2026-03-27"); err != nil {
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
		o := w.Client().EmployeeShift.Query().Where(employeeshift.UserID(tt.user.ID), employeeshift.Date(tt.date), employeeshift.Name(tt.shift)).OnlyX(w.System())
		got := fmt.Sprintf("%s %s %.0fh", o.Timezone, o.StartAt.UTC().Format("2006-01-02 15:04"), o.EndAt.Sub(o.StartAt).Hours())
		rostertest.Want(t, tt.user.Name+" "+tt.shift+" "+tt.date, got, tt.want)
	}
	w.SetTime(t, "2026-10-20 12:00")
	if err := w.Plans.Ensure(w.System(), w.Company.ID, budi.ID); err != nil {
		t.Fatal(err)
	}
	o := w.Client().EmployeeShift.Query().Where(employeeshift.UserID(budi.ID), employeeshift.Date("2026-10-24")).OnlyX(w.System())
	if h := o.EndAt.Sub(o.StartAt).Hours(); h != 9 {
		t.Errorf("the night in which clocks are put back lasts %v h", h)
	}
}

// TestWeek reads the roster of a week.
func TestWeek(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "agus")
	team := w.Business(t, "Team", nil, budi)
	day, night := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "night", "22:00", "06:00")
	if _, err := w.Assign(budi, day, "2026-03-12", rostertest.On(1, 2, 3, 4, 5)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Assign(agus, night, "2026-03-01", rostertest.On(7)); err != nil {
		t.Fatal(err)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if err := db.User.UpdateOne(budi).SetLeftOn("2026-03-12").Exec(ctx); err != nil {
			return err
		}
		return db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("Nyepi").SetDate("2026-03-12").Exec(ctx)
	})
	show := func(ctx context.Context, of roster.Week) string {
		r, err := w.Roster.Week(ctx, of)
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
	admin := w.As(w.Admin, viewer.Admin)
	rostertest.Want(t, "this week", show(admin, roster.Week{}),
		"2026-03-09 to 2026-03-15, 3: Admin; agus 15 night true []; Budi 12 day true [holiday] 13 day true [employment];")
	stored := show(admin, roster.Week{Date: new("2026-03-18")})
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
	})
	rostertest.Want(t, "what is stored is what is planned", show(admin, roster.Week{Date: new("2026-03-18")}), stored)
	rostertest.Want(t, "a week that is not made yet", show(admin, roster.Week{Date: new("2026-04-08"), BusinessID: &team.ID}),
		"2026-04-06 to 2026-04-12, 1: Budi 06 day false [employment] 07 day false [employment] 08 day false [employment] 09 day false [employment] 10 day false [employment];")
	rostertest.Want(t, "the second page", show(admin, roster.Week{Page: new(2), Limit: new(1)}), "2026-03-09 to 2026-03-15, 3: agus 15 night true [];")
	rostertest.Want(t, "past the end", show(admin, roster.Week{Page: new(9)}), "2026-03-09 to 2026-03-15, 3:")
	rostertest.Want(t, "no such page", show(admin, roster.Week{Page: new(0)}), "VALIDATION_FAILED page out_of_range")
	rostertest.Want(t, "no such business", show(admin, roster.Week{BusinessID: new(4711)}), "NOT_FOUND businessId")
	rostertest.Want(t, "an employee", show(w.As(agus, viewer.Employee), roster.Week{}), "2026-03-09 to 2026-03-15, 1: agus 15 night true [];")
	sunday := w.As(w.Admin, viewer.Admin)
	viewer.From(sunday).Settings = setting.Values{"firstWeekday": 7}
	rostertest.Want(t, "from Sunday", show(sunday, roster.Week{BusinessID: &team.ID}), "2026-03-08 to 2026-03-14, 1: Budi 12 day true [holiday] 13 day true [employment];")
}

// TestEditedPlannedDay edits a shift into another one of a day that was planned for weeks
// ahead, of which no occurrences are made yet.
func TestEditedPlannedDay(t *testing.T) {
	w := rostertest.New(t)
	budi := w.User(t, "Budi")
	day, evening := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "evening", "16:00", "20:00")
	err := w.Do(func(ctx context.Context) error {
		_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: budi.ID, Date: "2026-04-20", ShiftIds: input.Given([]int{day.ID, evening.ID})})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	edit := func(end string) error {
		return w.Do(func(ctx context.Context) error {
			return w.Roster.UpdateShift(ctx, day.ID, model.UpdateShiftInput{EndTime: input.Given(&end)})
		})
	}
	rostertest.WantCode(t, "into the evening", edit("16:30"), "CONFLICT endTime")
	rostertest.WantCode(t, "before it", edit("15:30"), "")
}
