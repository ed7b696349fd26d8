package worktime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"testing"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/internal/app/apptest"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// TestLeaveOfDates reads the approved leave of a few people and of many, the longest too, for a date and
// those beside it.
func TestLeaveOfDates(t *testing.T) {
	w := apptest.New(t)
	budi, citra := w.User(t, "Budi"), w.User(t, "Citra")
	today := shift.Date("2026-03-11")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Cuti").SaveX(ctx).ID
		add := func(u *ent.User, from, to shift.Date, state entLeave.State, change func(*ent.LeaveCreate)) {
			var dates []string
			for _, d := range (timesheet.Period{From: from, To: to}).Dates() {
				dates = append(dates, string(d))
			}
			c := db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetLeaveTypeID(kind).SetStartsOn(string(from)).SetEndsOn(string(to)).
				SetDates(dates).SetReason("Libur").SetState(state).SetExpiresAt(w.Now()).SetCreatedAt(w.Now())
			change(c)
			c.ExecX(ctx)
		}
		whole := func(*ent.LeaveCreate) {}
		add(budi, today.AddDays(-LongestLeave), today.AddDays(-1), entLeave.StateApproved, whole)
		add(budi, today.AddDays(-2), today.AddDays(-2), entLeave.StateApproved, whole)
		add(budi, today.AddDays(2), today.AddDays(2), entLeave.StateApproved, whole)
		add(budi, today, today, entLeave.StatePending, whole)
		add(citra, today, today, entLeave.StateApproved, func(c *ent.LeaveCreate) { c.SetFromTime("08:00").SetToTime("10:00") })
		add(citra, today, today, entLeave.StateApproved, func(c *ent.LeaveCreate) { c.SetHalf(true).SetWorkFromHome(true) })
		return nil
	})
	many := []int{budi.ID, citra.ID}
	for id := citra.ID + 1; len(many) <= 100; id++ {
		many = append(many, id)
	}
	day := timesheet.Period{From: today, To: today}
	for name, people := range map[string][]int{"two": many[:2], "a hundred": many[:100], "more": many} {
		off, err := ReadDaysOff(w.System(), Company{ID: w.Company.ID}, people, day)
		if err != nil {
			t.Fatal(err)
		}
		own, others := off.Leave(budi.ID), off.Leave(citra.ID)
		if len(own) != 1 || len(own[0].Dates) != LongestLeave || !own[0].On(today.AddDays(-1)) {
			t.Errorf("%s: leave of Budi %+v, want the longest", name, own)
		}
		slices.SortFunc(others, func(a, b timesheet.Leave) int { return cmp.Compare(b.From, a.From) })
		if got := fmt.Sprintf("%+v", others); got != "[{Dates:[2026-03-11] Half:false From:08:00 To:10:00 WorkFromHome:false} {Dates:[2026-03-11] Half:true From: To: WorkFromHome:true}]" {
			t.Errorf("%s: leave of Citra %s", name, got)
		}
	}
	for name, tt := range map[string]struct {
		company int
		people  []int
		want    int // people with leave
	}{
		"one of two":      {w.Company.ID, append(many[2:], citra.ID, citra.ID), 1},
		"nobody":          {w.Company.ID, nil, 0},
		"another company": {w.Company.ID + 1, many, 0},
	} {
		if off, err := ReadDaysOff(w.System(), Company{ID: tt.company}, tt.people, day); err != nil || len(off.leave) != tt.want {
			t.Errorf("%s: leave of %v %v, want of %d", name, off, err, tt.want)
		}
	}
}
