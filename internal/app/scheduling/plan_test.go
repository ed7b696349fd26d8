package scheduling_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/clockstate"
	"workforce/ent/employeeshift"
	entJob "workforce/ent/job"
	"workforce/graph/model"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/job"
	"workforce/internal/app/organization"
	"workforce/internal/app/people"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/scalar"
	"workforce/internal/setting"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// ensure makes the occurrences of people.
func ensure(t *testing.T, w *rostertest.World, people ...*ent.User) {
	t.Helper()
	for _, u := range people {
		if err := w.Plans.Ensure(w.System(), w.Company.ID, u.ID); err != nil {
			t.Fatal(err)
		}
	}
}

// dates lists the dates of a person's occurrences, the first and the last of those that
// follow one another.
func dates(w *rostertest.World, u *ent.User) string {
	var spans []string
	var first, last shift.Date
	for _, text := range w.Client().EmployeeShift.Query().Where(employeeshift.UserID(u.ID)).Order(ent.Asc(employeeshift.FieldDate)).Select(employeeshift.FieldDate).StringsX(w.System()) {
		d := shift.Date(text)
		if last != "" && d == last.AddDays(1) {
			last = d
			spans[len(spans)-1] = fmt.Sprint(first[5:], " to ", last[5:])
			continue
		}
		first, last = d, d
		spans = append(spans, string(d[5:]))
	}
	return strings.Join(spans, ", ")
}

// TestAhead makes occurrences of today and 14 days in any zone, and again from each new
// day on; what was not made while nothing ran is not made any more.
func TestAhead(t *testing.T) {
	w := rostertest.New(t)
	budi, day := w.User(t, "Budi"), w.Shift(t, "day", "08:00", "16:00")
	if _, err := w.Assign(budi, day, "2026-03-01"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ at, want string }{
		{"2026-03-11 10:00", "03-11 to 03-26"},
		{"2026-03-12 06:59", "03-11 to 03-26"}, // the 11th still in UTC
		{"2026-03-12 07:00", "03-11 to 03-27"},
		{"2026-04-20 10:00", "03-11 to 03-27, 04-20 to 05-05"}, // after nothing ran for weeks
		{"2026-04-20 11:00", "03-11 to 03-27, 04-20 to 05-05"},
	} {
		w.SetTime(t, tt.at)
		ensure(t, w, budi)
		rostertest.Want(t, tt.at, dates(w, budi), tt.want)
	}
	if got := w.Client().ClockState.Query().Where(clockstate.UserID(budi.ID)).OnlyX(w.System()); *got.PlannedUntil != "2026-05-05" || got.Timezone != nil {
		t.Errorf("planned until %v in zone %v", got.PlannedUntil, got.Timezone)
	}
}

// TestUntil is what makes somebody's day known in any zone.
func TestUntil(t *testing.T) {
	if got := scheduling.Until(time.Date(2026, 3, 11, 23, 59, 0, 0, time.UTC)); got != "2026-03-13" {
		t.Errorf("%s", got)
	}
}

// TestRowsToLock gives those a row who have none, and nobody of another company, 20 times
// at once.
func TestRowsToLock(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		_, err := db.ClockState.Delete().Where(clockstate.UserID(budi.ID)).Exec(ctx)
		return err
	})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			err := w.Transact(w.System(), func(ctx context.Context) error {
				return scheduling.Lock(ctx, w.Company.ID, []int{agus.ID, budi.ID, 4711})
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, u := range []*ent.User{budi, agus} {
		if n := w.Client().ClockState.Query().Where(clockstate.UserID(u.ID)).OnlyX(w.System()).Events; n < 20 {
			t.Errorf("%s: locked %d times", u.Name, n)
		}
	}
}

// TestInactive makes nothing for those who left.
func TestInactive(t *testing.T) {
	w := rostertest.New(t)
	gone, day := w.User(t, "Gone"), w.Shift(t, "day", "08:00", "16:00")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if err := db.ShiftAssignment.Create().SetCompanyID(w.Company.ID).SetUserID(gone.ID).SetShiftID(day.ID).SetStartsOn("2026-03-01").
			SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).SetEveryWeeks(1).Exec(ctx); err != nil {
			return err
		}
		return db.User.UpdateOne(gone).SetActive(false).Exec(ctx)
	})
	if err := w.Transact(w.System(), func(ctx context.Context) error { return w.Plans.Outdate(ctx, w.Company.ID, gone.ID) }); err != nil {
		t.Fatal(err)
	}
	rostertest.Want(t, "gone", dates(w, gone), "")
}

// TestCorrected keeps an occurrence that is not planned any more while a correction names
// it, and goes on with the others.
func TestCorrected(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, day := w.User(t, "Budi"), w.User(t, "Agus"), w.Shift(t, "day", "08:00", "16:00")
	for _, u := range []*ent.User{budi, agus} {
		if _, err := w.Assign(u, day, "2026-03-01"); err != nil {
			t.Fatal(err)
		}
	}
	w.Correct(t, budi, "2026-03-11")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.EmployeeShift.Update().ClearAssignmentID().ExecX(ctx)
		db.ShiftAssignment.Delete().ExecX(ctx)
		return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
	})
	ensure(t, w, budi, agus)
	rostertest.Want(t, "corrected", dates(w, budi), "03-11")
	rostertest.Want(t, "not corrected", dates(w, agus), "")
}

// TestDeletedMeanwhile names a shift that does not exist any more in every plan that has
// no key to it: it counts as none.
func TestDeletedMeanwhile(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, day := w.User(t, "Budi"), w.User(t, "Agus"), w.Shift(t, "day", "08:00", "16:00")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		err := db.PlannedDay.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetDate("2026-03-12").SetShiftIds([]int{4711, day.ID}).Exec(ctx)
		if err != nil {
			return err
		}
		r, err := db.Rotation.Create().SetCompanyID(w.Company.ID).SetName("R").SetDays([]int{4711, day.ID}).Save(ctx)
		if err != nil {
			return err
		}
		return db.RotationAssignment.Create().SetCompanyID(w.Company.ID).SetUserID(agus.ID).SetRotationID(r.ID).SetStartsOn("2026-03-12").SetFirstDay(1).Exec(ctx)
	})
	ensure(t, w, budi, agus)
	rostertest.Want(t, "of a planned day", w.Occurrences(budi, "2026-03-11", "2026-04-01"), "12 day 07:00-17:00")
	rostertest.Want(t, "of a rotation", w.Occurrences(agus, "2026-03-11", "2026-03-16"), "13 day 07:00-17:00, 15 day 07:00-17:00")
}

// TestOutdate makes the occurrences of a few at once, and those of more, or of a company,
// by one job after the commit.
func TestOutdate(t *testing.T) {
	w := rostertest.New(t)
	day := w.Shift(t, "day", "08:00", "16:00")
	var all []int
	for i := range 21 {
		all = append(all, w.User(t, fmt.Sprint("User ", i)).ID)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.ShiftAssignment.MapCreateBulk(all, func(c *ent.ShiftAssignmentCreate, i int) {
			c.SetCompanyID(w.Company.ID).SetUserID(all[i]).SetShiftID(day.ID).SetStartsOn("2026-03-01").SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).SetEveryWeeks(1)
		}).Exec(ctx)
	})
	for _, tt := range []struct {
		name string
		step func(ctx context.Context) error
		made int // people with occurrences in the transaction
		jobs int
	}{
		{"nobody", func(ctx context.Context) error { return w.Plans.Outdate(ctx, w.Company.ID) }, 0, 0},
		{"20", func(ctx context.Context) error { return w.Plans.Outdate(ctx, w.Company.ID, all[:20]...) }, 20, 0},
		{"21", func(ctx context.Context) error { return w.Plans.Outdate(ctx, w.Company.ID, all...) }, 0, 1},
		{"a company", func(ctx context.Context) error { return w.Plans.OutdateCompany(ctx, w.Company.ID) }, 0, 1},
		{"another company", func(ctx context.Context) error { return w.Plans.OutdateCompany(ctx, w.Company.ID+1) }, 0, 1},
	} {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			if _, err := db.EmployeeShift.Delete().Exec(ctx); err != nil {
				return err
			}
			if _, err := db.Job.Delete().Exec(ctx); err != nil {
				return err
			}
			return db.ClockState.Update().SetPlannedUntil("2026-03-26").Exec(ctx)
		})
		made := func() int {
			return len(w.Client().EmployeeShift.Query().Unique(true).Select(employeeshift.FieldUserID).IntsX(w.System()))
		}
		if err := w.Transact(w.System(), tt.step); err != nil {
			t.Fatal(tt.name, err)
		}
		if got := made(); got != tt.made {
			t.Errorf("%s: %d people have occurrences after the commit, want %d", tt.name, got, tt.made)
		}
		if got := w.Client().Job.Query().Where(entJob.Kind("make_occurrences")).CountX(w.System()); got != tt.jobs {
			t.Errorf("%s: %d jobs, want %d", tt.name, got, tt.jobs)
		}
		w.RunJobs(t, "make_occurrences")
		want := tt.made
		if tt.name == "21" || tt.name == "a company" {
			want = len(all)
		}
		if got := made(); got != want {
			t.Errorf("%s: %d people have occurrences after the job, want %d", tt.name, got, want)
		}
	}
}

// TestClashes refuses what overlaps at any time, but what was not touched.
func TestClashes(t *testing.T) {
	w := rostertest.New(t)
	budi, agus := w.User(t, "Budi"), w.User(t, "Agus")
	day, late := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "late", "15:00", "20:00")
	plans := func(starts string) {
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			if _, err := db.EmployeeShift.Delete().Exec(ctx); err != nil {
				return err
			}
			if _, err := db.ShiftAssignment.Delete().Exec(ctx); err != nil {
				return err
			}
			for s, from := range map[*ent.Shift]string{day: "2026-03-01", late: starts} {
				if err := db.ShiftAssignment.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetShiftID(s.ID).SetStartsOn(from).
					SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).SetEveryWeeks(1).Exec(ctx); err != nil {
					return err
				}
			}
			return nil
		})
	}
	check := func(touched func(shift.Planned) bool) error {
		return w.Do(func(ctx context.Context) error {
			return w.Plans.Change(ctx, w.Company.ID, []int{agus.ID, budi.ID}, "2026-03-11", "field", touched)
		})
	}
	all := func(shift.Planned) bool { return true }
	none := func(shift.Planned) bool { return false }
	plans("2026-03-11")
	rostertest.WantCode(t, "today", check(all), "CONFLICT field")
	rostertest.WantCode(t, "untouched", check(none), "")
	plans("2027-04-15")
	rostertest.WantCode(t, "in 400 days", check(all), "CONFLICT field")
	plans("2027-04-16")
	rostertest.WantCode(t, "in 401 days", check(all), "CONFLICT field")
	rostertest.WantCode(t, "untouched then", check(none), "")
	rostertest.WantCode(t, "of nobody", w.Do(func(ctx context.Context) error {
		return w.Plans.Change(ctx, w.Company.ID, nil, "2026-03-11", "field", all)
	}), "")
}

// TestClashesInYears finds two shifts that meet in years, whichever was given first: where
// one begins then, where cycles of weeks meet late, where another working time begins, and
// where what hides a fallback shift ends.
func TestClashesInYears(t *testing.T) {
	w := rostertest.New(t)
	day, late, night, early := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "late", "15:00", "20:00"), w.Shift(t, "night", "22:00", "06:00"), w.Shift(t, "early", "05:00", "07:00")
	number := func(n int) input.Omittable[*int] { return input.Given(&n) }
	give := func(s *ent.Shift, from string, change ...func(*model.AssignShiftInput)) func(u *ent.User) error {
		return func(u *ent.User) error { _, err := w.Assign(u, s, from, change...); return err }
	}
	every := func(n int) func(*model.AssignShiftInput) {
		return func(in *model.AssignShiftInput) { in.EveryWeeks = number(n) }
	}
	rotation := func(name, from string, days ...*int) func(u *ent.User) error {
		var id int
		if err := w.Do(func(ctx context.Context) error {
			r, err := w.Roster.CreateRotation(ctx, model.RotationInput{Name: name, Days: days})
			if err == nil {
				id = r.ID
			}
			return err
		}); err != nil {
			t.Fatal(name, err)
		}
		return func(u *ent.User) error {
			return w.Do(func(ctx context.Context) error {
				list, err := w.Roster.AssignRotation(ctx, model.AssignRotationInput{UserIds: []int{u.ID}, RotationID: id, StartsOn: from})
				if err == nil && list[0].Code != nil {
					err = errs.Field(errs.Code(*list[0].Code), "userId", nil)
				}
				return err
			})
		}
	}
	nights := make([]*int, 55)
	nights[0] = &night.ID
	for name, both := range map[string][2]func(u *ent.User) error{
		"one begins in ten years":           {give(day, "2026-03-11"), give(late, "2036-03-11")},
		"both begin in years":               {give(day, "2030-03-11"), give(late, "2036-03-11")},
		"cycles of 7 and 8 weeks, in years": {give(day, "2031-01-06", every(7)), give(late, "2031-01-20", every(8), rostertest.On(3))},
		"one day in years":                  {give(day, "2026-03-11"), give(late, "2034-05-01", rostertest.Until("2034-05-01"))},
		"a night and the morning after it":  {give(night, "2026-03-11", rostertest.On(7)), give(early, "2034-05-01", rostertest.On(1))},
		"a rotation of 55 days and 8 weeks": {rotation("55", "2026-03-11", nights...), give(early, "2026-03-13", every(8), rostertest.On(5))},
		"the last date that there is":       {give(day, "2026-03-11"), give(late, "9998-12-31")},
	} {
		for i, order := range [][2]int{{0, 1}, {1, 0}} {
			u := w.User(t, fmt.Sprint(name, i))
			rostertest.WantCode(t, name+", the first", both[order[0]](u), "")
			rostertest.WantCode(t, name+", the other", both[order[1]](u), "CONFLICT userId")
		}
	}
	u := w.User(t, "No clash")
	for _, step := range []func(u *ent.User) error{
		give(day, "2026-03-09", every(2)), give(late, "2036-03-03", every(2)), // the weeks between
	} {
		rostertest.WantCode(t, "weeks that never meet", step(u), "")
	}

	hidden := w.User(t, "Hidden")
	rostertest.WantCode(t, "a fallback", w.Do(func(ctx context.Context) error {
		_, err := w.Roster.SetFallback(ctx, model.FallbackShiftInput{UserID: number(hidden.ID), ShiftID: number(early.ID)})
		return err
	}), "")
	rostertest.WantCode(t, "nights until in years, before mornings", give(night, "2026-03-11", rostertest.Until("2036-03-11"))(hidden), "CONFLICT userId")

	edited := w.User(t, "Edited")
	evening := w.Shift(t, "edited", "20:00", "21:00")
	rostertest.WantCode(t, "longer in a year", w.Do(func(ctx context.Context) error {
		return w.Roster.UpdateShift(ctx, evening.ID, model.UpdateShiftInput{From: input.Given(new("2027-04-15")), StartTime: input.Given(new("19:00"))})
	}), "")
	rostertest.WantCode(t, "before it", give(late, "2026-03-11")(edited), "")
	rostertest.WantCode(t, "into it", give(evening, "2026-03-11")(edited), "CONFLICT userId")
}

// A company of businesses with shifts of their own: Jakarta below Top, and Tokyo beside
// them with a site of its own zone. Budi works in Jakarta and is a guard.
type company struct {
	*rostertest.World
	top, jakarta, tokyo *ent.Business
	guard, clerk        *ent.Designation
	day, night, noon    *ent.Shift
	budi                *ent.User
	site                *ent.Address

	organization *organization.Service
	people       *people.Service
}

func newCompany(t *testing.T) *company {
	c := &company{World: rostertest.New(t)}
	c.organization = &organization.Service{Now: c.Now, Plans: c.Plans}
	c.people = &people.Service{Now: c.Now, Plans: c.Plans, Notify: c.Plans.Notify}
	c.budi = c.User(t, "Budi")
	c.top, c.tokyo = c.Business(t, "Top", nil), c.Business(t, "Tokyo", nil)
	c.jakarta = c.Business(t, "Jakarta", c.top, c.budi)
	c.day, c.night, c.noon = c.Shift(t, "day", "08:00", "16:00"), c.Shift(t, "night", "22:00", "06:00"), c.Shift(t, "noon", "12:00", "20:00")
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		made := func(name string) *ent.Designation {
			return db.Designation.Create().SetCompanyID(c.Company.ID).SetName(name).SaveX(ctx)
		}
		c.guard, c.clerk = made("Guard"), made("Clerk")
		c.site = db.Address.Create().SetCompanyID(c.Company.ID).SetName("Site").SetAddress("").SetLatitude(1).SetLongitude(1).
			SetBusinessID(c.tokyo.ID).SetTimezone("Asia/Tokyo").SaveX(ctx)
		fallback := func() *ent.FallbackShiftCreate {
			return db.FallbackShift.Create().SetCompanyID(c.Company.ID).SetCreatedAt(c.Now())
		}
		fallback().SetBusinessID(c.top.ID).SetShiftID(c.day.ID).ExecX(ctx)
		fallback().SetBusinessID(c.tokyo.ID).SetShiftID(c.night.ID).ExecX(ctx)
		fallback().SetDesignationID(c.guard.ID).SetShiftID(c.noon.ID).ExecX(ctx)
		return nil
	})
	ensure(t, c.World, c.budi)
	return c
}

// hold gives Budi designations, as the rows have it.
func (c *company) hold(t *testing.T, all ...*ent.Designation) {
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		for _, d := range all {
			db.UserDesignation.Create().SetCompanyID(c.Company.ID).SetUserID(c.budi.ID).SetDesignationID(d.ID).ExecX(ctx)
		}
		return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
	})
	ensure(t, c.World, c.budi)
}

// asOwner returns the context of an owner in the transaction of ctx.
func (c *company) asOwner(ctx context.Context) context.Context {
	return viewer.NewContext(ctx, viewer.From(c.As(c.Admin, viewer.Owner)))
}

// TestReplanned changes what fallback shifts depend on: occurrences follow at once.
func TestReplanned(t *testing.T) {
	given := func(id int) input.Omittable[*int] { return input.Given(&id) }
	const day, night, noon, tokyo = "12 day 07:00-17:00", "12 night 21:00-07:00", "12 noon 11:00-21:00", " in Asia/Tokyo"
	for _, tt := range []struct {
		name   string
		before func(t *testing.T, c *company)
		was    string
		change func(ctx context.Context, c *company) error
		want   string
	}{
		{"a business moves", nil, day, func(ctx context.Context, c *company) error {
			return c.organization.MoveBusiness(ctx, c.jakarta.ID, &c.tokyo.ID)
		}, night + tokyo},
		{"a business above moves", nil, day, func(ctx context.Context, c *company) error {
			b, err := c.organization.CreateBusiness(ctx, model.CreateBusinessInput{Name: "Below Tokyo", ParentID: given(c.tokyo.ID)})
			if err != nil {
				return err
			}
			_, err = c.Roster.SetFallback(ctx, model.FallbackShiftInput{ShiftID: given(c.noon.ID), BusinessID: given(b.ID)})
			if err != nil {
				return err
			}
			return c.organization.UpdateBusiness(ctx, c.jakarta.ID, model.UpdateBusinessInput{ParentID: given(b.ID)})
		}, noon + tokyo},
		{"a business moves to the top", nil, day, func(ctx context.Context, c *company) error {
			return c.organization.MoveBusiness(ctx, c.jakarta.ID, nil)
		}, ""},
		{"a business is merged", nil, day, func(ctx context.Context, c *company) error {
			return c.organization.MergeBusinesses(ctx, c.jakarta.ID, c.tokyo.ID)
		}, night + tokyo},
		{"a business above is merged", nil, day, func(ctx context.Context, c *company) error {
			return c.organization.MergeBusinesses(ctx, c.top.ID, c.tokyo.ID)
		}, night + tokyo},
		{"a business is deleted", nil, day, func(ctx context.Context, c *company) error {
			return c.organization.DeleteBusiness(ctx, c.jakarta.ID, &c.tokyo.ID)
		}, night + tokyo},
		{"a person moves", nil, day, func(ctx context.Context, c *company) error {
			return c.people.UpdateUser(ctx, c.budi.ID, model.UpdateUserInput{BusinessID: given(c.tokyo.ID)})
		}, night + tokyo},
		{"a person leaves their business", nil, day, func(ctx context.Context, c *company) error {
			return c.people.UpdateUser(ctx, c.budi.ID, model.UpdateUserInput{BusinessID: input.Given[*int](nil)})
		}, ""},
		{"a person gets a designation", nil, day, func(ctx context.Context, c *company) error {
			return c.people.UpdateUser(ctx, c.budi.ID, model.UpdateUserInput{DesignationIds: input.Given([]int{c.guard.ID})})
		}, noon},
		{"a person loses a designation", func(t *testing.T, c *company) { c.hold(t, c.guard) }, noon, func(ctx context.Context, c *company) error {
			return c.people.UpdateUser(ctx, c.budi.ID, model.UpdateUserInput{DesignationIds: input.Given([]int{})})
		}, day},
		{"a designation is merged", func(t *testing.T, c *company) { c.hold(t, c.clerk) }, day, func(ctx context.Context, c *company) error {
			return c.organization.MergeDesignations(ctx, c.clerk.ID, c.guard.ID)
		}, noon},
		{"a designation is deleted", func(t *testing.T, c *company) { c.hold(t, c.guard) }, noon, func(ctx context.Context, c *company) error {
			return c.organization.DeleteDesignation(ctx, c.guard.ID, &c.clerk.ID)
		}, day},
		{"a designation is renamed", func(t *testing.T, c *company) {
			c.Change(t, func(ctx context.Context, db *ent.Client) error {
				return db.FallbackShift.Create().SetCompanyID(c.Company.ID).SetCreatedAt(c.Now()).SetDesignationID(c.clerk.ID).SetShiftID(c.night.ID).Exec(ctx)
			})
			c.hold(t, c.guard, c.clerk)
		}, night, func(ctx context.Context, c *company) error {
			return c.organization.UpdateDesignation(ctx, c.clerk.ID, model.UpdateDesignationInput{Name: input.Given(new("Writer"))})
		}, noon},
		{"the company's zone", nil, day, func(ctx context.Context, c *company) error {
			return c.organization.UpdateCompany(c.asOwner(ctx), model.UpdateCompanyInput{Timezone: input.Given(new("Asia/Makassar"))})
		}, day + " in Asia/Makassar"},
		{"the company's weekly offs", nil, day, func(ctx context.Context, c *company) error {
			return c.organization.UpdateCompany(c.asOwner(ctx), model.UpdateCompanyInput{Settings: input.Given(&model.CompanySettingsInput{WeeklyOffs: input.Given([]int{4})})})
		}, ""},
		{"a site gets a business", nil, day, func(ctx context.Context, c *company) error {
			return c.organization.UpdateAddress(ctx, c.site.ID, model.UpdateAddressInput{BusinessID: given(c.top.ID)})
		}, day + tokyo},
		{"a site of weekly offs", nil, day, func(ctx context.Context, c *company) error {
			degrees := input.Given(new(center))
			_, err := c.organization.CreateAddress(ctx, model.CreateAddressInput{Name: "Gate", Latitude: degrees, Longitude: degrees, BusinessID: given(c.top.ID), WeeklyOffs: input.Given([]int{4})})
			return err
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCompany(t)
			if tt.before != nil {
				tt.before(t, c)
			}
			rostertest.Want(t, "before", c.Occurrences(c.budi, "2026-03-12", "2026-03-12"), tt.was)
			err := c.Do(func(ctx context.Context) error { return tt.change(ctx, c) })
			if err != nil {
				t.Fatal(err)
			}
			c.RunJobs(t, "make_occurrences")
			got := c.Occurrences(c.budi, "2026-03-12", "2026-03-12")
			if zones := c.Client().EmployeeShift.Query().Where(employeeshift.UserID(c.budi.ID), employeeshift.Date("2026-03-12")).Select(employeeshift.FieldTimezone).StringsX(c.System()); len(zones) > 0 && zones[0] != "Asia/Jakarta" {
				got += " in " + zones[0]
			}
			rostertest.Want(t, "after", got, tt.want)
		})
	}
}

// TestWeeklyOffs leaves out the weekly offs of the address of the latest attendance, else
// of the business's address that has some, else of the company (rule SH-23).
func TestWeeklyOffs(t *testing.T) {
	c := newCompany(t)
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Company.UpdateOne(c.Company).SetSettings(setting.Values{"weeklyOffs": []int{4}}).Exec(ctx)
	})
	again := func(change func(ctx context.Context, db *ent.Client) error) string {
		t.Helper()
		c.Change(t, change)
		c.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
		})
		ensure(t, c.World, c.budi)
		var days []string
		for _, o := range c.Client().EmployeeShift.Query().Where(employeeshift.UserID(c.budi.ID), employeeshift.DateGTE("2026-03-12"), employeeshift.DateLTE("2026-03-15")).
			Order(ent.Asc(employeeshift.FieldDate)).AllX(c.System()) {
			days = append(days, o.Date[8:])
		}
		return strings.Join(days, " ")
	}
	at := func(business *ent.Business, name string, active bool, offs ...int) func(ctx context.Context, db *ent.Client) error {
		return func(ctx context.Context, db *ent.Client) error {
			return db.Address.Create().SetCompanyID(c.Company.ID).SetName(name).SetAddress("").SetLatitude(1).SetLongitude(1).SetBusinessID(business.ID).
				SetActive(active).SetWeeklyOffs(append([]int{}, offs...)).Exec(ctx)
		}
	}
	nothing := func(context.Context, *ent.Client) error { return nil }
	rostertest.Want(t, "the company's", again(nothing), "13 14 15")
	rostertest.Want(t, "of an address of another business", again(at(c.tokyo, "Other", true, 6)), "13 14 15")
	rostertest.Want(t, "of an archived address", again(at(c.jakarta, "Closed", false, 6)), "13 14 15")
	rostertest.Want(t, "of an address of a business above", again(at(c.top, "Above", true, 5)), "12 14 15")
	rostertest.Want(t, "of an address of the business", again(at(c.jakarta, "Z", true, 6)), "12 13 15")
	rostertest.Want(t, "of its first address by name", again(at(c.jakarta, "A", true, 7)), "12 13 14")
	rostertest.Want(t, "of one that is never off", again(at(c.jakarta, "0", true)), "12 13 14 15")
	c.Attend(t, c.budi, "2026-03-11") // at Site
	rostertest.Want(t, "the latest attendance was at an address without any: the company's", again(nothing), "13 14 15")
	rostertest.Want(t, "at an address with some", again(func(ctx context.Context, db *ent.Client) error {
		return db.Address.UpdateOne(c.site).SetWeeklyOffs([]int{5, 7}).Exec(ctx)
	}), "12 14")
	c.Attend(t, c.budi, "2026-03-12")
	rostertest.Want(t, "the latest at another one", again(func(ctx context.Context, db *ent.Client) error {
		_, err := db.ExecContext(ctx, "UPDATE attendances SET address_id = (SELECT id FROM addresses WHERE name = 'Z') WHERE work_date = '2026-03-12'")
		return err
	}), "12 13 15")
}

// center is the position of work sites, in both directions.
var center = scalar.Coordinate{Degrees: 1, Valid: true}

// TestWhoseShifts tells whose shifts somebody may change, and with which shifts.
func TestWhoseShifts(t *testing.T) {
	w := rostertest.New(t)
	manager, owner, budi, agus, gone := w.User(t, "Manager", viewer.Manager), w.User(t, "Owner", viewer.Owner), w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Gone")
	unit := w.Business(t, "Unit", nil, budi, owner, gone)
	day, old := w.Shift(t, "day", "08:00", "16:00"), w.Shift(t, "old", "08:00", "16:00")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.Shift.UpdateOne(old).SetActive(false).ExecX(ctx)
		return db.User.UpdateOne(gone).SetActive(false).Exec(ctx)
	})
	as := w.As(manager, viewer.Manager, unit.ID)
	found, err := scheduling.Writable(as, []int{budi.ID, agus.ID, owner.ID, gone.ID, 4711})
	if err != nil || len(found) != 1 || found[budi.ID] == nil {
		t.Errorf("the manager changes %v, %v", found, err)
	}
	for u, want := range map[*ent.User]string{budi: "", agus: "FORBIDDEN", owner: "FORBIDDEN", gone: "NOT_FOUND field"} {
		rostertest.WantCode(t, u.Name, scheduling.WritableOne(as, "field", u.ID), want)
	}
	rostertest.WantCode(t, "an owner, by an owner", scheduling.MayChange(w.As(w.Admin, viewer.Owner), owner.ID), "")
	rostertest.WantCode(t, "a shift", scheduling.Assignable(as, "field", day.ID, day.ID), "")
	rostertest.WantCode(t, "an archived one", scheduling.Assignable(as, "field", day.ID, old.ID), "CONFLICT field")
	rostertest.WantCode(t, "none", scheduling.Assignable(as, "field", day.ID, 4711), "NOT_FOUND field")
}

// TestSeveral refuses two assignments on a date where the company wants one a day.
func TestSeveral(t *testing.T) {
	w := rostertest.New(t)
	budi := w.User(t, "Budi")
	for name, hours := range map[string][2]string{"early": {"08:00", "12:00"}, "late": {"13:00", "17:00"}} {
		s := w.Shift(t, name, hours[0], hours[1])
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			return db.ShiftAssignment.Create().SetCompanyID(w.Company.ID).SetUserID(budi.ID).SetShiftID(s.ID).SetStartsOn("2026-03-01").
				SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).SetEveryWeeks(1).Exec(ctx)
		})
	}
	for several, want := range map[bool]string{true: "", false: "CONFLICT field"} {
		err := w.With(setting.Values{"severalShifts": several}, func(ctx context.Context) error {
			return w.Plans.Change(ctx, w.Company.ID, []int{budi.ID}, "2026-03-11", "field", func(shift.Planned) bool { return true })
		})
		rostertest.WantCode(t, fmt.Sprint(several), err, want)
		if text := errs.ProblemOf(err, "en").Detail; !several && !strings.Contains(text, " are both on 2026-03-09; a person may have one shift a day.") {
			t.Errorf("it says %q", text)
		}
	}
}

// TestClashOfZones looks at people with the same plan in different zones apart: a shift of
// a fixed zone overlaps that of Tokyo alone.
func TestClashOfZones(t *testing.T) {
	c := newCompany(t)
	jakarta := "Asia/Jakarta"
	fixed := c.Shift(t, "fixed", "06:00", "07:00", func(in *model.CreateShiftInput) { in.Timezone = input.Given(&jakarta) })
	citra := c.User(t, "Citra")
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		for _, u := range []*ent.User{c.budi, citra} {
			db.User.UpdateOne(u).ClearBusinessID().ExecX(ctx)
			for _, s := range []*ent.Shift{fixed, c.day} { // 08:00 in Tokyo is 06:00 in Jakarta
				db.ShiftAssignment.Create().SetCompanyID(c.Company.ID).SetUserID(u.ID).SetShiftID(s.ID).SetStartsOn("2026-03-01").
					SetWeekdays([]int{1, 2, 3, 4, 5, 6, 7}).SetEveryWeeks(1).ExecX(ctx)
			}
		}
		db.FallbackShift.Delete().ExecX(ctx)
		return db.User.UpdateOne(citra).SetBusinessID(c.tokyo.ID).Exec(ctx)
	})
	all := func(shift.Planned) bool { return true }
	for _, tt := range []struct {
		u    *ent.User
		want string
	}{{c.budi, ""}, {citra, "CONFLICT field"}} {
		var err error
		clashErr := c.Do(func(ctx context.Context) error {
			clashes, err := scheduling.NewClashes(ctx, c.Company.ID, []int{c.budi.ID, citra.ID}, "2026-03-11")
			if err != nil {
				return err
			}
			for _, p := range clashes.People { // the same assignments, so that the zone alone differs
				for i := range p.Plan.Assignments {
					p.Plan.Assignments[i].ID = i
				}
			}
			if err := clashes.Of(c.budi.ID, "field", all); err != nil || tt.u == c.budi {
				return err
			}
			return clashes.Of(tt.u.ID, "field", all)
		})
		if err == nil {
			err = clashErr
		}
		rostertest.WantCode(t, tt.u.Name, err, tt.want)
	}
}

// TestTold tells people once of their shifts, though the job fails after its commit, and who asks,
// but nobody who left.
func TestTold(t *testing.T) {
	w := rostertest.New(t)
	budi, agus, gone := w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Gone")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOne(gone).SetActive(false).Exec(ctx)
	})
	err := w.Do(func(ctx context.Context) error {
		return w.Plans.Tell(ctx, message.SwapAsked, scheduling.Notice{Date: "2026-03-12", About: agus.ID}, budi.ID, gone.ID)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range w.Plans.Jobs.Kinds() {
		run := k.Run
		k.Run = func(ctx context.Context, r *job.Run) error { return errors.Join(run(ctx, r), errors.New("died")) }
		w.Plans.Jobs.Add(k)
	}
	w.RunJobs(t, "tell_shifts")
	if !w.Client().Job.Query().Where(entJob.Kind("tell_shifts"), entJob.StateEQ(entJob.StateDone)).ExistX(w.System()) {
		t.Error("people are told again")
	}
	rows := w.Client().Message.Query().AllX(w.System())
	if len(rows) != 1 || rows[0].UserID != budi.ID {
		t.Fatalf("%d messages, want one for Budi", len(rows))
	}
	text, err := w.Plans.Notify.Sealer.Open(*rows[0].SealedText, fmt.Sprint(rows[0].CompanyID), fmt.Sprint(budi.ID))
	if err != nil || !strings.Contains(string(text), "Agus") {
		t.Errorf("%s, %v; want who asks", text, err)
	}
}

// TestNotAnyMore makes nothing again that was made, of no other company, and with no
// shift or site that is archived.
func TestNotAnyMore(t *testing.T) {
	c := newCompany(t)
	rows := func() int {
		return c.Client().EmployeeShift.Query().Where(employeeshift.UserID(c.budi.ID)).CountX(c.System())
	}
	if rows() == 0 {
		t.Fatal("nothing was made")
	}
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		_, err := db.EmployeeShift.Delete().Exec(ctx)
		return err
	})
	ensure(t, c.World, c.budi)
	if n := rows(); n != 0 {
		t.Errorf("%d occurrences were made again", n)
	}
	if err := c.Transact(c.System(), func(ctx context.Context) error { return c.Plans.OutdateCompany(ctx, c.Company.ID+1) }); err != nil {
		t.Fatal(err)
	}
	ensure(t, c.World, c.budi)
	if n := rows(); n != 0 {
		t.Errorf("%d occurrences were made again as another company's are outdated", n)
	}
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.User.UpdateOne(c.budi).SetBusinessID(c.tokyo.ID).ExecX(ctx)
		db.Address.UpdateOne(c.site).SetActive(false).ExecX(ctx)
		return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
	})
	ensure(t, c.World, c.budi)
	rostertest.Want(t, "the zone of an archived site", c.Occurrences(c.budi, "2026-03-12", "2026-03-12"), "12 night 21:00-07:00")
	if zone := c.Client().ClockState.Query().Where(clockstate.UserID(c.budi.ID)).OnlyX(c.System()).Timezone; zone != nil {
		t.Errorf("zone %s, want the company's", *zone)
	}
	c.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.Address.UpdateOne(c.site).SetActive(true).ExecX(ctx)
		db.Shift.UpdateOne(c.night).SetActive(false).ExecX(ctx)
		return db.ClockState.Update().ClearPlannedUntil().Exec(ctx)
	})
	ensure(t, c.World, c.budi)
	rostertest.Want(t, "an archived shift", c.Occurrences(c.budi, "2026-03-12", "2026-03-12"), "")
	if zone := c.Client().ClockState.Query().Where(clockstate.UserID(c.budi.ID)).OnlyX(c.System()).Timezone; zone == nil || *zone != "Asia/Tokyo" {
		t.Errorf("zone %v, want that of the site", zone)
	}
}
