package scheduling

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	entLeave "workforce/ent/leave"
	"workforce/ent/predicate"
	"workforce/internal/app/job"
	"workforce/internal/audittrail"
	"workforce/internal/errs"
	"workforce/internal/request"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// Recharging is the kind of jobs that count the dates of leave anew.
const Recharging = "recharge_leaves"

// MaxConcerned is how many leaves the answer of a mutation names.
const MaxConcerned = 100

// A Recharge says of which leave dates are counted anew. It is the payload of such a job.
type Recharge struct {
	Users []int // of whom; nil for everybody of the company
	From  shift.Date
	To    shift.Date // the last date; "" for none
}

// rechargeAgain is after how long dates are counted anew once more: who asked for leave while the
// change was being committed did not see it.
const rechargeAgain = time.Minute

// Recharge has the dates of leave of a company counted anew after the transaction of ctx, and
// notes the leaves for its answer. Where there is no such leave it writes nothing.
func (s *Planner) Recharge(ctx context.Context, company int, of Recharge) (err error) {
	defer errs.Step(&err, "scheduling: have leave counted anew")
	ctx = viewer.System(ctx)
	if first := shift.DateOf(s.Now(), time.UTC).AddDays(-1); of.From < first { // today, in whichever zone
		of.From = first
	}
	if of.To != "" && of.To < of.From {
		return nil
	}
	people := [][]int{nil}
	if of.Users != nil {
		people = slices.Collect(slices.Chunk(Sorted(of.Users...), Written))
	}
	trail, _ := audittrail.From(ctx)
	for _, part := range people {
		of.Users = part
		ids, err := ent.FromContext(ctx).Leave.Query().Where(of.Leaves(company, s.Now())...).
			Order(ent.Asc(entLeave.FieldID)).Limit(MaxConcerned).IDs(ctx)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			continue
		}
		info := request.From(ctx)
		info.Leaves = append(info.Leaves, ids...)
		for _, after := range []time.Time{{}, s.Now().Add(rechargeAgain)} {
			_, err := s.Jobs.Enqueue(ctx, job.Request{
				Kind: Recharging, Company: company, CreatedBy: trail.ActorID, Payload: of, After: after,
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Leaves matches the waiting and approved leave of a company whose period has some of the dates.
func (of Recharge) Leaves(company int, now time.Time) []predicate.Leave {
	where := []predicate.Leave{
		entLeave.CompanyID(company), entLeave.EndsOnGTE(string(of.From)),
		entLeave.Or(
			entLeave.StateEQ(entLeave.StateApproved),
			entLeave.And(entLeave.StateEQ(entLeave.StatePending), entLeave.ExpiresAtGT(now)),
		),
	}
	if of.To != "" {
		where = append(where, entLeave.StartsOnLTE(string(of.To)))
	}
	if of.Users != nil {
		where = append(where, entLeave.UserIDIn(of.Users...))
	}
	return where
}
