package leave_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/auditevent"
	entJob "workforce/ent/job"
	entMessage "workforce/ent/message"
	"workforce/graph/model"
	"workforce/internal/app/apptest/rostertest"
	"workforce/internal/app/input"
	"workforce/internal/app/scheduling"
	"workforce/internal/audittrail"
	"workforce/internal/request"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

// recharge runs the jobs that count leave anew, once they are due, and those that tell of it.
func (w *world) recharge(t testing.TB) {
	t.Helper()
	w.Advance(2 * time.Minute)
	w.RunJobs(t, scheduling.Recharging)
	w.RunJobs(t, "tell_shifts")
}

// organize runs a step as an administrator, and returns which leaves its answer names.
func (w *world) organize(t testing.TB, step func(context.Context) error) []int {
	t.Helper()
	info := &request.Info{}
	ctx := request.NewContext(w.As(w.Admin, viewer.Admin), info)
	ctx = audittrail.NewContext(ctx, audittrail.Trail{ActorID: w.Admin.ID, Now: w.World.Now})
	if err := w.Transact(ctx, step); err != nil {
		t.Fatal(err)
	}
	return info.Leaves
}

func (w *world) holiday(t testing.TB, date string, half bool) (id int) {
	w.organize(t, func(ctx context.Context) error {
		in := model.CreateHolidayInput{Name: date, Date: date, Half: input.Given(&half)}
		h, err := w.Organization.CreateHoliday(ctx, in)
		id = h.ID
		return err
	})
	return id
}

// approved returns a leave of budi's that his manager approved.
func (w *world) approved(t testing.TB, kind, from, to string, change ...func(*model.RequestLeaveInput)) int {
	t.Helper()
	id, err := w.request(kind, from, to, change...)
	if err == nil {
		err = w.decide(id, true)
	}
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// recharging is a world with the job that counts leave anew.
func recharging(t testing.TB) *world {
	w := newWorld(t)
	w.Plans.Jobs.Add(w.Recharging())
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		offs := w.Company.Settings.With(map[string]any{setting.WeeklyOffs.Name: []int{6, 7}})
		return db.Company.UpdateOneID(w.Company.ID).SetSettings(offs).Exec(ctx)
	})
	return w
}

// TestRecharge changes what people work in many ways, and has approved leave follow.
func TestRecharge(t *testing.T) {
	w := recharging(t)
	id := w.approved(t, "annual", "2026-03-23", "2026-03-25")
	kept := w.approved(t, "day", "2026-03-30", "2026-03-31", holidays)
	want := func(about, dates string) {
		t.Helper()
		w.recharge(t)
		rostertest.Want(t, about, w.dates(id), dates)
		rostertest.Want(t, about+", with holidays", w.dates(kept), "2026-03-30 2026-03-31 | ")
	}
	all := "2026-03-23 2026-03-24 2026-03-25 | "
	w.holiday(t, "2026-03-30", false)
	want("a holiday of leave that has holidays", all)
	h := w.holiday(t, "2026-03-24", false)
	want("a holiday", "2026-03-23 2026-03-25 | 2026-03-24")
	rostertest.Want(t, "balance", w.balance(t), "annual 3=2+0+1 hours 1=0+0+1")
	half := func(half bool) func(context.Context) error {
		return func(ctx context.Context) error {
			return w.Organization.UpdateHoliday(ctx, h, model.UpdateHolidayInput{Half: input.Given(&half)})
		}
	}
	rostertest.Want(t, "named", fmt.Sprint(w.organize(t, half(true))), fmt.Sprint([]int{id}))
	want("half of it", all)
	w.organize(t, half(false))
	want("all of it again", "2026-03-23 2026-03-25 | 2026-03-24")
	w.organize(t, func(ctx context.Context) error {
		return w.Organization.UpdateHoliday(ctx, h, model.UpdateHolidayInput{Date: input.Given(new("2026-03-25"))})
	})
	want("moved", "2026-03-23 2026-03-24 | 2026-03-25")
	w.organize(t, func(ctx context.Context) error { return w.Organization.DeleteHoliday(ctx, h) })
	want("deleted", all)
	plan := func(shifts []int) func(context.Context) error {
		return func(ctx context.Context) error {
			in := model.PlanDayInput{UserID: w.budi.ID, Date: "2026-03-23", ShiftIds: input.Given(shifts)}
			_, err := w.Roster.PlanDay(ctx, in)
			return err
		}
	}
	rostertest.Want(t, "named", fmt.Sprint(w.organize(t, plan([]int{}))), fmt.Sprint([]int{id, kept}))
	want("a day off", "2026-03-24 2026-03-25 | 2026-03-23")
	w.organize(t, plan(nil))
	want("the usual day", all)
	assigned := w.Client().ShiftAssignment.Query().OnlyIDX(w.System())
	w.organize(t, func(ctx context.Context) error {
		in := model.UpdateShiftAssignmentInput{EndsOn: input.Given(new("2026-03-23"))}
		return w.Roster.UpdateAssignment(ctx, assigned, in)
	})
	want("an assignment that ends, after which weekly offs decide", all)
	w.organize(t, func(ctx context.Context) error {
		ctx = viewer.NewContext(ctx, viewer.From(w.As(w.Admin, viewer.Owner)))
		return w.Organization.UpdateCompany(ctx, model.UpdateCompanyInput{
			Settings: input.Given(&model.CompanySettingsInput{WeeklyOffs: input.Given([]int{3})}),
		})
	})
	want("a weekly off", "2026-03-23 2026-03-24 | 2026-03-25")
	w.SetTime(t, "2026-03-24 10:00")
	w.holiday(t, "2026-03-23", false)
	w.holiday(t, "2026-03-24", false)
	want("a holiday of yesterday and one of today", "2026-03-23 | 2026-03-24 2026-03-25")
	w.told(t, id)
}

// told checks what is told of the first change of a leave, and who the audit says made it.
func (w *world) told(t *testing.T, id int) {
	t.Helper()
	for name, u := range map[string]*ent.User{"budi": w.budi, "manager": w.manager} {
		kind := map[string]string{"budi": "leave_recounted", "manager": "team_leave_recounted"}[name]
		n := w.Client().Message.Query().Where(entMessage.UserID(u.ID), entMessage.Kind(kind)).CountX(w.System())
		if n != 9 {
			t.Errorf("%s is told %d times, want 9", name, n)
		}
	}
	e := w.Client().AuditEvent.Query().Where(
		auditevent.Action("leave.updated"), auditevent.SubjectID(id), auditevent.ActorID(w.Admin.ID),
	).AllX(w.System())
	if len(e) != 9 {
		t.Errorf("the audit has %d changes, want 9", len(e))
	}
}

// TestRechargeOverdraws has approved leave take more than is left: it stays.
func TestRechargeOverdraws(t *testing.T) {
	w := recharging(t)
	h := w.holiday(t, "2026-03-25", false)
	w.approved(t, "annual", "2026-03-23", "2026-03-26")
	w.organize(t, func(ctx context.Context) error { return w.Organization.DeleteHoliday(ctx, h) })
	w.recharge(t)
	rostertest.Want(t, "balance", w.balance(t), "annual 3=4+0+-1 hours 1=0+0+1")
	_, err := w.request("annual", "2026-04-01", "2026-04-01")
	rostertest.WantCode(t, "more", err, "CONFLICT endsOn")
}

// TestRechargeOfOthers gives a date that gets work to one of the leaves that may take it.
func TestRechargeOfOthers(t *testing.T) {
	w := recharging(t)
	h := w.holiday(t, "2026-03-24", false)
	first := w.approved(t, "day", "2026-03-23", "2026-03-24")
	second := w.approved(t, "day", "2026-03-24", "2026-03-25")
	waits, err := w.request("annual", "2026-03-24", "2026-03-27")
	rostertest.WantCode(t, "asked", err, "")
	w.organize(t, func(ctx context.Context) error { return w.Organization.DeleteHoliday(ctx, h) })
	w.holiday(t, "2026-03-27", false)
	w.recharge(t)
	rostertest.Want(t, "first", w.dates(first), "2026-03-23 2026-03-24 | ")
	rostertest.Want(t, "second", w.dates(second), "2026-03-25 | 2026-03-24")
	rostertest.Want(t, "waiting", w.dates(waits), "2026-03-26 | 2026-03-24 2026-03-25 2026-03-27")
}

// TestRechargeAtOnce makes twenty changes at once, each of which is counted once.
func TestRechargeAtOnce(t *testing.T) {
	w := recharging(t)
	id := w.approved(t, "day", "2026-03-20", "2026-04-18")
	var group sync.WaitGroup
	for i := range 20 {
		group.Go(func() {
			d := time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i).Format("2006-01-02")
			w.holiday(t, d, false)
		})
	}
	group.Wait()
	w.recharge(t)
	rostertest.Want(t, "dates", strings.Split(w.dates(id), " | ")[0],
		"2026-04-09 2026-04-10 2026-04-13 2026-04-14 2026-04-15 2026-04-16 2026-04-17")
}

// TestRechargeOfNobody queues nothing where nobody has leave on the date.
func TestRechargeOfNobody(t *testing.T) {
	w := recharging(t)
	w.approved(t, "annual", "2026-03-23", "2026-03-25")
	w.holiday(t, "2026-03-26", false)
	w.holiday(t, "2026-03-10", false)
	if n := w.Client().Job.Query().Where(entJob.Kind(scheduling.Recharging)).CountX(w.System()); n != 0 {
		t.Errorf("%d jobs", n)
	}
}

// TestDaysOfPlan takes days of leave where shifts are planned, not where weekly offs are.
func TestDaysOfPlan(t *testing.T) {
	w := newWorld(t)
	w.settings = setting.Values{}
	id, err := w.request("day", "2026-03-20", "2026-03-23")
	rostertest.WantCode(t, "from Friday to Monday", err, "")
	rostertest.Want(t, "its dates", w.dates(id), "2026-03-20 2026-03-23 | 2026-03-21 2026-03-22")
}
