package people

import (
	"context"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	"workforce/ent/user"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/ratelimit"
	"workforce/internal/app/scheduling"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// Invite sends the invitation of a user again, unless one waits to be sent to their present
// address. Requests for one user run one after the other.
func (s *Service) Invite(ctx context.Context, id int) error {
	u, err := changeable(ctx, id)
	if err != nil {
		return err
	}
	system := viewer.System(ctx)
	if err := scheduling.Lock(system, u.CompanyID, []int{id}); err != nil {
		return err
	}
	if u, err = ent.FromContext(ctx).User.Query().Where(user.ID(id)).Only(system); err != nil {
		return err
	}
	switch {
	case u.PasswordHash != nil:
		return errs.Conflicts(errs.HasPassword, "", nil)
	case !u.Active:
		return errs.Conflicts(errs.State, "", errs.Meta{"state": "inactive"})
	case u.LeftOn != nil && *u.LeftOn < organization.Today(ctx, s.Now()):
		return errs.Conflicts(errs.State, "", errs.Meta{"state": "left"})
	}
	waits, err := s.checkInvitations(system, u)
	if err != nil || waits {
		return err
	}
	if err := s.Limiter.Count(system, ratelimit.Code); err != nil {
		return err
	}
	if err := s.Notify.Notify(ctx, u, message.Invited, message.Facts{Username: u.Email}); err != nil {
		return err
	}
	return s.Audit.Record(ctx, audit.Event{Action: audit.UserInvited, Company: u.CompanyID, Subject: ent.TypeUser, ID: id})
}

// checkInvitations reports whether an invitation of a user waits to be sent to their present
// address. RATE_LIMITED where they were sent as many as they may be.
func (s *Service) checkInvitations(ctx context.Context, u *ent.User) (waits bool, err error) {
	now := s.Now()
	list, err := ent.FromContext(ctx).Message.Query().
		Where(entMessage.UserID(u.ID), entMessage.Kind(string(message.Invited)),
			entMessage.CreatedAtGT(now.Add(-24*time.Hour))).
		Order(ent.Desc(entMessage.FieldCreatedAt, entMessage.FieldID)).All(ctx)
	if err != nil {
		return false, err
	}
	var sent []time.Time
	for _, m := range list {
		if m.Status == entMessage.StatusQueued && m.Destination == notify.Address(u, m.Channel) {
			return true, nil
		}
		sent = append(sent, m.CreatedAt)
	}
	if wait, limit := auth.UntilInvitation(sent, now); wait > 0 {
		return false, ratelimit.TooMany(wait, limit)
	}
	return false, nil
}
