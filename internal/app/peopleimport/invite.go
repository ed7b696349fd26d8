package peopleimport

import (
	"context"
	"slices"
	"time"

	"workforce/ent"
	entJob "workforce/ent/job"
	"workforce/ent/user"
	"workforce/internal/app/job"
	"workforce/internal/app/notify"
	"workforce/internal/app/policysql"
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

// invite queues the invitations of new people in the transaction of ctx, after those that
// wait.
func (s *Service) invite(ctx context.Context, ids []int, o Options) error {
	last, err := ent.FromContext(ctx).Job.Query().
		Where(entJob.Kind(invitations), entJob.CompanyID(o.Company), entJob.StateEQ(entJob.StateQueued)).
		Order(ent.Desc(entJob.FieldRunAt)).First(ctx)
	if policysql.IgnoreNotFound(err) != nil {
		return err
	}
	begins := s.Now()
	if last != nil && last.RunAt.Add(inviteEvery).After(begins) {
		begins = last.RunAt.Add(inviteEvery)
	}
	for part := range slices.Chunk(ids, invited) {
		_, err := s.Jobs.Enqueue(ctx, job.Request{
			Kind: invitations, Company: o.Company, CreatedBy: o.CreatedBy, Payload: invitation{part}, After: begins,
		})
		if err != nil {
			return err
		}
		begins = begins.Add(inviteEvery)
	}
	return nil
}

// Invitations invites people by message who have no password yet, and whose last day of
// work is not past. Each gets one message,
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
			users, err := ent.FromContext(ctx).User.Query().
				Where(user.IDIn(payload.Users...), user.CompanyID(r.Company), user.Active(true), user.PasswordHashIsNil(),
					user.Or(user.LeftOnIsNil(), user.LeftOnGTE(today))).All(viewer.System(ctx))
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
