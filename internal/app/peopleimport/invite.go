package peopleimport

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/message"
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

// Invitations are sent by jobs of this kind, invited at a time and one job a minute for
// each company.
const (
	invitations = "invitations"
	invited     = 100
	inviteEvery = time.Minute
)

// An invitation is the payload of a job: ids of users.
type invitation struct{ Users []int }

// invite queues the invitations of people in the transaction of ctx, after those that
// wait, and returns how many. Whose invitation waits gets no other.
func (s *Service) invite(ctx context.Context, ids []int, o Options) (int, error) {
	jobs, err := ent.FromContext(ctx).Job.Query().
		Where(entJob.Kind(invitations), entJob.CompanyID(o.Company), entJob.StateIn(entJob.StateQueued, entJob.StateRunning)).
		Order(ent.Asc(entJob.FieldRunAt)).All(ctx)
	if err != nil {
		return 0, err
	}
	begins, waiting := s.Now(), map[int]bool{}
	for _, j := range jobs {
		if next := j.RunAt.Add(inviteEvery); j.State == entJob.StateQueued && next.After(begins) {
			begins = next
		}
		var payload invitation
		if err := json.Unmarshal([]byte(*j.Payload), &payload); err != nil {
			return 0, err
		}
		for _, id := range payload.Users {
			waiting[id] = true
		}
	}
	ids = slices.DeleteFunc(ids, func(id int) bool { return waiting[id] })
	for part := range slices.Chunk(ids, invited) {
		_, err := s.Jobs.Enqueue(ctx, job.Request{
			Kind: invitations, Company: o.Company, CreatedBy: o.CreatedBy, Payload: invitation{part}, After: begins,
		})
		if err != nil {
			return 0, err
		}
		begins = begins.Add(inviteEvery)
	}
	return len(ids), nil
}

// Invitations invites people by message who have no password yet, whose last day of
// work is not past, and who have no invitation that waits to be sent. Each gets one message,
// however often the job runs.
func Invitations(n *notify.Service) job.Kind {
	return job.Kind{Name: invitations, Run: func(ctx context.Context, r *job.Run) error {
		var payload invitation
		if err := r.Payload(&payload); err != nil {
			return err
		}
		return r.Finish(ctx, func(ctx context.Context) error {
			c, err := ent.FromContext(ctx).Company.Get(viewer.System(ctx), r.Company)
			if err != nil {
				return err
			}
			today := string(shift.DateOf(n.Now(), shift.ZoneNamed(c.Timezone)))
			var waiting []int
			err = ent.FromContext(ctx).Message.Query().Where(entMessage.UserIDIn(payload.Users...),
				entMessage.Kind(string(message.Invited)), entMessage.StatusEQ(entMessage.StatusQueued)).Select(entMessage.FieldUserID).Scan(viewer.System(ctx), &waiting)
			if err != nil {
				return err
			}
			users, err := ent.FromContext(ctx).User.Query().
				Where(user.IDIn(payload.Users...), user.CompanyID(r.Company), user.Active(true), user.PasswordHashIsNil(),
					user.Or(user.LeftOnIsNil(), user.LeftOnGTE(today)), user.IDNotIn(waiting...)).All(viewer.System(ctx))
			if err != nil {
				return err
			}
			for _, u := range users {
				if err := n.Notify(ctx, u, message.Invited, message.Facts{Username: u.Email}); err != nil {
					return err
				}
			}
			return nil
		})
	}}
}
