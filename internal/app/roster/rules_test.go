package roster_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/roster"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// TestManagersOfATeam define no shifts, set no fallback of a business, and see whom they
// may not assign.
func TestManagersOfATeam(t *testing.T) {
	w := rostertest.New(t)
	manager, budi := w.User(t, "Manager", viewer.Manager), w.User(t, "Budi")
	unit, day := w.Business(t, "Unit", nil), w.Shift(t, "day", "08:00", "16:00")
	as := func(step func(ctx context.Context) error) error {
		return w.Transact(w.As(manager, viewer.Manager, unit.ID), step)
	}
	rostertest.WantCode(t, "a shift", as(func(ctx context.Context) error {
		_, err := w.Roster.CreateShift(ctx, model.CreateShiftInput{Name: "X", StartTime: "08:00", EndTime: "16:00"})
		return err
	}), "FORBIDDEN")
	rostertest.WantCode(t, "a fallback", as(func(ctx context.Context) error {
		_, err := w.Roster.SetFallback(ctx, model.FallbackShiftInput{ShiftID: input.Given(&day.ID), BusinessID: input.Given(&unit.ID)})
		return err
	}), "FORBIDDEN")
	err := as(func(ctx context.Context) error {
		list, err := w.Roster.AssignShifts(ctx, model.AssignShiftsInput{UserIds: []int{budi.ID, 4711}, ShiftID: day.ID, StartsOn: "2026-03-12"})
		if err == nil && (*list[0].Code != "FORBIDDEN" || *list[1].Code != "NOT_FOUND") {
			t.Errorf("answers %s and %s", *list[0].Code, *list[1].Code)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLockedOccurrences deletes no assignment whose occurrences are in a locked period, but
// by an owner.
func TestLockedOccurrences(t *testing.T) {
	w := rostertest.New(t)
	budi, day := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "16:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day})
	id := w.Client().ShiftAssignment.Query().OnlyIDX(w.System())
	remove := func(role, until string) error {
		ctx := w.As(w.Admin, role)
		viewer.From(ctx).Settings = setting.Values{"lockedFrom": "2026-03-01", "lockedUntil": until}
		return w.Transact(ctx, func(ctx context.Context) error { return w.Roster.DeleteAssignment(ctx, id) })
	}
	before := w.Occurrences(budi, "2026-03-01", "2026-03-31")
	rostertest.WantCode(t, "locked until yesterday", remove(viewer.Admin, "2026-03-10"), "CONFLICT")
	rostertest.Want(t, "after that", w.Occurrences(budi, "2026-03-01", "2026-03-31"), before)
	rostertest.WantCode(t, "by an owner", remove(viewer.Owner, "2026-03-10"), "")
	rostertest.Want(t, "removed", w.Occurrences(budi, "2026-03-01", "2026-03-31"), "")
}

// TestCorrectedOccurrences deletes no assignment for which somebody asked for a correction.
func TestCorrectedOccurrences(t *testing.T) {
	w := rostertest.New(t)
	budi, day := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "16:00")
	w.AssignYesterday(t, map[*ent.User]*ent.Shift{budi: day})
	w.Correct(t, budi, "2026-03-10")
	id := w.Client().ShiftAssignment.Query().OnlyIDX(w.System())
	err := w.Do(func(ctx context.Context) error { return w.Roster.DeleteAssignment(ctx, id) })
	if e := errs.As(err); e.Code != errs.Conflict || e.Meta["corrections"] != 1 {
		t.Errorf("delete an assignment: %v", err)
	}
}

// TestVersionsInBetween forgets the versions that a change makes void.
func TestVersionsInBetween(t *testing.T) {
	w := rostertest.New(t)
	s := w.Shift(t, "day", "08:00", "16:00")
	for i, from := range []string{"2026-03-13", "2026-03-15", "2026-03-12"} {
		err := w.Do(func(ctx context.Context) error {
			return w.Roster.UpdateShift(ctx, s.ID, model.UpdateShiftInput{From: input.Given(&from), StartTime: input.Given(new(fmt.Sprintf("0%d:30", i)))})
		})
		rostertest.WantCode(t, from, err, "")
	}
	versions, err := roster.FormerVersions(w.As(w.Admin, viewer.Admin), s)
	if err != nil || len(versions) != 1 || versions[0].StartTime != "08:00" {
		t.Errorf("former versions %v, %v; want the first alone", versions, err)
	}
}

// TestMinutes refuses minutes that are none.
func TestMinutes(t *testing.T) {
	w := rostertest.New(t)
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	for want, change := range map[string]func(*model.CreateShiftInput){
		"VALIDATION_FAILED opensBeforeMinutes out_of_range": func(in *model.CreateShiftInput) { in.OpensBeforeMinutes = number(-1) },
		"VALIDATION_FAILED lateGraceMinutes out_of_range":   func(in *model.CreateShiftInput) { in.LateGraceMinutes = number(1440) },
		"VALIDATION_FAILED earlyGraceMinutes out_of_range":  func(in *model.CreateShiftInput) { in.EarlyGraceMinutes = number(-1) },
	} {
		in := model.CreateShiftInput{Name: "X", StartTime: "08:00", EndTime: "16:00"}
		change(&in)
		rostertest.WantCode(t, want, w.Do(func(ctx context.Context) error { _, err := w.Roster.CreateShift(ctx, in); return err }), want)
	}
}

// TestUsedLater deletes no shift of a day that is planned for later, and no rotation that
// people have.
func TestUsedLater(t *testing.T) {
	w := rostertest.New(t)
	budi, day := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "16:00")
	night, early := w.Shift(t, "night", "22:00", "06:00"), w.Shift(t, "early", "05:00", "08:00")
	var ids []int
	err := w.Do(func(ctx context.Context) error {
		_, err := w.Roster.PlanDay(ctx, model.PlanDayInput{UserID: w.Admin.ID, Date: "2026-04-20", ShiftIds: input.Given([]int{day.ID})})
		for _, s := range []*ent.Shift{night, early} {
			if err != nil {
				return err
			}
			var r *ent.Rotation
			if r, err = w.Roster.CreateRotation(ctx, model.RotationInput{Name: s.Name, Days: []*int{&s.ID}}); err == nil {
				ids = append(ids, r.ID)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rostertest.WantCode(t, "the shift", w.Do(func(ctx context.Context) error { return w.Roster.DeleteShift(ctx, day.ID) }), "CONFLICT")
	give := func(id int, from string, until *string) string {
		code := ""
		err := w.Do(func(ctx context.Context) error {
			list, err := w.Roster.AssignRotation(ctx, model.AssignRotationInput{UserIds: []int{budi.ID}, RotationID: id, StartsOn: from, EndsOn: input.Given(until)})
			if err == nil && list[0].Code != nil {
				code = *list[0].Code
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	rostertest.Want(t, "nights", give(ids[0], "2026-03-12", new("2026-03-31")), "")
	rostertest.Want(t, "the morning after the last night", give(ids[1], "2026-03-14", new("2026-03-20")), "CONFLICT")
	err = w.Do(func(ctx context.Context) error { return w.Roster.DeleteRotation(ctx, ids[0]) })
	if e := errs.As(err); e.Code != errs.Conflict || e.Meta["assignments"] != 1 {
		t.Errorf("delete a rotation: %v", err)
	}
	id := w.Client().RotationAssignment.Query().OnlyIDX(w.System())
	rostertest.WantCode(t, "longer", w.Do(func(ctx context.Context) error {
		return w.Roster.EndRotation(ctx, id, model.EndRotationInput{EndsOn: "2026-04-01"})
	}), "VALIDATION_FAILED endsOn out_of_range")
}

// TestParted parts an assignment of every other week, and one with an attendance.
func TestParted(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, day := w.User(t, "Budi"), w.User(t, "Agus"), w.Shift(t, "day", "08:00", "16:00")
	part := func(id int, on string) *ent.ShiftAssignment {
		var second int
		err := w.Do(func(ctx context.Context) (err error) {
			second, err = w.Roster.SplitAssignment(ctx, id, model.SplitShiftAssignmentInput{Date: on})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return w.Client().ShiftAssignment.GetX(w.System(), second)
	}
	id, err := w.Assign(budi, day, "2026-03-09", func(in *model.AssignShiftInput) { in.EveryWeeks = input.Given(new(2)) })
	if err != nil {
		t.Fatal(err)
	}
	rostertest.Want(t, "in a week without", part(id, "2026-03-17").StartsOn, "2026-03-23")
	if id, err = w.Assign(agus, day, "2026-03-01"); err != nil {
		t.Fatal(err)
	}
	w.Attend(t, agus, "2026-03-11")
	second := part(id, "2026-03-11")
	o := w.Client().EmployeeShift.Query().Where(employeeshift.UserID(agus.ID), employeeshift.Date("2026-03-11")).OnlyX(w.System())
	if *o.AssignmentID != second.ID {
		t.Errorf("the attended one is of %d, want the second part, %d", *o.AssignmentID, second.ID)
	}
}

// TestWeekShows who is in the week of somebody, and with which clashes.
func TestWeekShows(t *testing.T) {
	w := rostertest.New(t)
	manager, budi, agus, gone := w.User(t, "Manager", viewer.Manager), w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Gone")
	unit, day := w.Business(t, "Unit", nil, budi, gone), w.Shift(t, "day", "08:00", "16:00")
	for _, u := range []*ent.User{budi, agus} {
		if _, err := w.Assign(u, day, "2026-03-11", rostertest.Until("2026-03-14")); err != nil {
			t.Fatal(err)
		}
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.User.UpdateOne(gone).SetActive(false).ExecX(ctx)
		db.User.UpdateOne(budi).SetJoinedOn("2026-03-12").ExecX(ctx)
		site := db.Address.Create().SetCompanyID(w.Company.ID).SetName("Site").SetAddress("").SetLatitude(1).SetLongitude(1).SetBusinessID(unit.ID).SaveX(ctx)
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Annual").SaveX(ctx)
		for date, half := range map[string]bool{"2026-03-11": false, "2026-03-12": true} {
			db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(agus.ID).SetLeaveTypeID(kind.ID).SetStartsOn(date).SetEndsOn(date).SetDates([]string{date}).
				SetHalf(half).SetState("approved").SetReason("").SetCreatedAt(apptest.Now).SetExpiresAt(apptest.Now).ExecX(ctx)
		}
		db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("half").SetDate("2026-03-12").SetHalf(true).ExecX(ctx)
		db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("whole").SetDate("2026-03-13").SetHalf(false).ExecX(ctx)
		return db.Holiday.Create().SetCompanyID(w.Company.ID).SetName("of a site").SetDate("2026-03-14").SetHalf(false).SetAddressID(site.ID).Exec(ctx)
	})
	week := func(ctx context.Context) (shown string) {
		err := w.Transact(ctx, func(ctx context.Context) error {
			out, err := w.Roster.Week(ctx, roster.Week{})
			if err != nil {
				return err
			}
			for _, p := range out.People {
				shown += p.Name + ":"
				for _, s := range p.Shifts {
					shown += fmt.Sprint(" ", s.Date[8:], s.Clashes)
				}
				shown += "; "
			}
			return nil
		})
		if err != nil {
			t.Fatal(apptest.Code(err))
		}
		return shown
	}
	rostertest.Want(t, "the manager's", week(w.As(manager, viewer.Manager, unit.ID)), "Budi: 11[employment] 12[] 13[holiday] 14[holiday]; Manager:; ")
	rostertest.Want(t, "an employee's own", week(w.As(agus, viewer.Employee)), "Agus: 11[leave] 12[] 13[holiday] 14[]; ")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		o := db.EmployeeShift.Query().Where(employeeshift.UserID(agus.ID), employeeshift.Date("2026-03-12")).OnlyX(ctx)
		db.ClockState.Update().ClearPlannedUntil().ExecX(ctx)
		s := db.Shift.Create().SetCompanyID(w.Company.ID).SetName("late").SetStartTime("15:00").SetEndTime("20:00").SaveX(ctx)
		return db.ShiftAssignment.Create().SetCompanyID(w.Company.ID).SetUserID(o.UserID).SetShiftID(s.ID).SetStartsOn("2026-03-12").SetEndsOn("2026-03-12").
			SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).SetEveryWeeks(1).Exec(ctx)
	})
	rostertest.Want(t, "overlapping", week(w.As(agus, viewer.Employee)), "Agus: 11[leave] 12[overlap] 12[overlap] 13[holiday] 14[]; ")
}

// TestWeekInZones shows shifts of two zones, the name of one of which has the separator of
// the statement: those that are made as those that are planned.
func TestWeekInZones(t *testing.T) {
	w := rostertest.New(t)
	budi := w.User(t, "Budi")
	day, late := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "a|b", "20:00", "04:30")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Shift.UpdateOne(late).SetColour("#1F77B4").SetTimezone("Asia/Kathmandu").Exec(ctx)
	})
	for s, weekday := range map[*ent.Shift]int{day: 4, late: 5} {
		if _, err := w.Assign(budi, s, "2026-03-11", rostertest.On(weekday)); err != nil {
			t.Fatal(err)
		}
	}
	week := func() (shown string) {
		out, err := w.Roster.Week(w.As(budi, viewer.Employee), roster.Week{})
		if err != nil {
			t.Fatal(apptest.Code(err))
		}
		for _, s := range out.People[0].Shifts {
			colour := "none"
			if s.Colour != nil {
				colour = *s.Colour
			}
			shown += fmt.Sprintln(s.EmployeeShiftID != nil, s.Date, s.Name, colour, s.StartAt.Format(time.RFC3339), s.EndAt.Format(time.RFC3339), s.Origin, s.Clashes)
		}
		return shown
	}
	thursday := "2026-03-12 day none 2026-03-12T08:00:00+07:00 2026-03-12T16:00:00+07:00 assignment []\n"
	friday := "2026-03-13 a|b #1F77B4 2026-03-13T20:00:00+05:45 2026-03-14T04:30:00+05:45 assignment []\n"
	rostertest.Want(t, "made", week(), "true "+thursday+"true "+friday)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.EmployeeShift.Delete().Where(employeeshift.Date("2026-03-13")).ExecX(ctx)
		return db.ClockState.Update().SetPlannedUntil("2026-03-15").Exec(ctx)
	})
	rostertest.Want(t, "planned, since the day after is not made", week(), "true "+thursday+"false "+friday)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.ClockState.Update().SetPlannedUntil("2026-03-16").Exec(ctx)
	})
	rostertest.Want(t, "made until the day after", week(), "true "+thursday)
}
