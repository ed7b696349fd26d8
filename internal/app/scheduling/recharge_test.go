package scheduling_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/ent/leave"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/plantest"
	"workforce/internal/app/job"
	"workforce/internal/app/scheduling"
	"workforce/internal/request"
)

// TestRecharge names the leave that a change concerns, and queues a job now and one a minute later.
func TestRecharge(t *testing.T) {
	w := apptest.New(t) // on 2026-03-11
	plans := plantest.New(w)
	plans.Jobs.Add(job.Kind{Name: scheduling.Recharging})
	budi, ani := w.User(t, "Budi"), w.User(t, "Ani")
	ids := map[string]int{}
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		kind := db.LeaveType.Create().SetCompanyID(w.Company.ID).SetName("Any").SaveX(ctx)
		add := func(name string, u *ent.User, state leave.State, from, to string, expires time.Duration) {
			ids[name] = db.Leave.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetLeaveTypeID(kind.ID).SetState(state).
				SetStartsOn(from).SetEndsOn(to).SetDates([]string{from}).SetReason("x").
				SetCreatedAt(w.Now()).SetExpiresAt(w.Now().Add(expires)).SaveX(ctx).ID
		}
		add("past", budi, leave.StateApproved, "2026-03-02", "2026-03-09", time.Hour)
		add("today", budi, leave.StateApproved, "2026-03-02", "2026-03-11", time.Hour)
		add("waits", budi, leave.StatePending, "2026-03-20", "2026-03-20", time.Hour)
		add("expired", budi, leave.StatePending, "2026-03-20", "2026-03-20", -time.Hour)
		add("refused", budi, leave.StateRefused, "2026-03-20", "2026-03-20", time.Hour)
		add("ani's", ani, leave.StateApproved, "2026-03-20", "2026-03-22", time.Hour)
		return nil
	})
	for name, tt := range map[string]struct {
		of   scheduling.Recharge
		want []string
	}{
		"everybody":   {scheduling.Recharge{}, []string{"today", "waits", "ani's"}},
		"one person":  {scheduling.Recharge{Users: []int{ani.ID}}, []string{"ani's"}},
		"a date":      {scheduling.Recharge{From: "2026-03-19", To: "2026-03-20"}, []string{"waits", "ani's"}},
		"before it":   {scheduling.Recharge{From: "2026-03-19", To: "2026-03-19"}, nil},
		"a late date": {scheduling.Recharge{From: "2026-03-22", To: "2026-03-22"}, []string{"ani's"}},
		"past dates":  {scheduling.Recharge{From: "2026-03-01", To: "2026-03-08"}, nil},
	} {
		info := &request.Info{}
		var want []int
		for _, l := range tt.want {
			want = append(want, ids[l])
		}
		before := w.DB.Job.Query().Where(entJob.Kind(scheduling.Recharging)).CountX(w.System())
		err := w.Try(request.NewContext(w.System(), info), func(ctx context.Context, _ *ent.Client) error {
			return plans.Recharge(ctx, w.Company.ID, tt.of)
		})
		queued := w.DB.Job.Query().Where(entJob.Kind(scheduling.Recharging)).CountX(w.System()) - before
		if jobs := min(2, 2*len(want)); err != nil || fmt.Sprint(info.Leaves) != fmt.Sprint(want) || queued != jobs {
			t.Errorf("%s: %v and %d jobs, %v; want %v and %d", name, info.Leaves, queued, err, want, jobs)
		}
	}
}
