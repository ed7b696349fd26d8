package worktime

import (
	"context"
	"fmt"
	"testing"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/internal/app/apptest"
	"workforce/internal/shift"
	"workforce/internal/timesheet"
)

// TestReadLeave reads the approved leave of a few people and of many, the longest too.
func TestReadLeave(t *testing.T) {
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
		add(budi, today.AddDays(1-LongestLeave), today, entLeave.StateApproved, whole)
		add(budi, today.AddDays(-1), today.AddDays(-1), entLeave.StateApproved, whole)
		add(budi, today.AddDays(1), today.AddDays(1), entLeave.StateApproved, whole)
		add(budi, today, today, entLeave.StatePending, whole)
		add(citra, today, today, entLeave.StateApproved, func(c *ent.LeaveCreate) { c.SetFromTime("08:00").SetToTime("10:00") })
		add(citra, today, today, entLeave.StateApproved, func(c *ent.LeaveCreate) { c.SetHalf(true).SetWorkFromHome(true) })
		return nil
	})
	many := []int{budi.ID, citra.ID}
	for id := citra.ID + 1; len(many) <= maxByPerson; id++ {
		many = append(many, id)
	}
	day := timesheet.Period{From: today, To: today}
	for name, people := range map[string][]int{"two": many[:2], "a hundred": many[:maxByPerson], "more": many} {
		found, err := ReadLeave(w.System(), w.Company.ID, people, day)
		if err != nil {
			t.Fatal(err)
		}
		own, others := found[budi.ID], found[citra.ID]
		if len(own) != 1 || len(own[0].Dates) != LongestLeave || !own[0].On(today) {
			t.Errorf("%s: leave of Budi %+v, want the longest", name, own)
		}
		if got := fmt.Sprintf("%+v", others); got != "[{Dates:[2026-03-11] Half:false From:08:00 To:10:00 WorkFromHome:false} {Dates:[2026-03-11] Half:true From: To: WorkFromHome:true}]" {
			t.Errorf("%s: leave of Citra %s", name, got)
		}
	}
	if found, err := ReadLeave(w.System(), w.Company.ID, append(many[2:], citra.ID, citra.ID), day); err != nil || len(found) != 1 {
		t.Errorf("%v, %v: not asked for", found, err)
	}
	if found, err := ReadLeave(w.System(), w.Company.ID, nil, day); err != nil || len(found) != 0 {
		t.Errorf("nobody: %v, %v", found, err)
	}
	if found, err := ReadLeave(w.System(), w.Company.ID+1, many, day); err != nil || len(found) != 0 {
		t.Errorf("another company: %v, %v", found, err)
	}
}
