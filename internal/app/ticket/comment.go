package ticket

import (
	"context"

	"workforce/ent"
	"workforce/ent/ticketcomment"
	"workforce/ent/ticketfollower"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// Comment adds a comment to a ticket that the viewer sees, tells the others, and returns its
// id. A comment of the requester ends a hold, one of anybody else answers the ticket. FORBIDDEN
// on internal for a viewer who does not see internal notes.
func (s *Service) Comment(ctx context.Context, in model.CreateTicketCommentInput) (int, error) {
	var faults errs.Faults
	text := attachment.CommentText(&faults, in.Text)
	if err := faults.Err(); err != nil {
		return 0, err
	}
	if _, err := find(ctx, "ticketId", in.TicketID); err != nil {
		return 0, err
	}
	t, err := s.lockSeen(ctx, in.TicketID)
	if err != nil {
		return 0, err
	}
	internal := input.Value(in.Internal.Value())
	db := ent.FromContext(ctx).TicketComment
	c, err := db.Create().SetCompanyID(t.CompanyID).SetTicketID(t.ID).SetUserID(viewer.From(ctx).UserID).
		SetText(text).SetInternal(internal).SetCreatedAt(s.Now()).Save(viewer.System(ctx))
	if err != nil {
		return 0, err
	}
	if internal {
		sees, err := db.Query().Where(ticketcomment.ID(c.ID)).Exist(ctx)
		if err == nil && !sees { // who does not see a note leaves none
			err = errs.Field(errs.Forbidden, "internal", nil)
		}
		if err == nil && t.AssigneeID != nil && *t.AssigneeID != t.RequesterID {
			err = s.tell(ctx, t, message.TicketNote, *t.AssigneeID)
		}
		return c.ID, err
	}
	if err := s.recordAnswer(ctx, t); err != nil {
		return 0, err
	}
	return c.ID, s.tellAll(ctx, t, message.TicketComment)
}

// recordAnswer applies a comment of the viewer to the clocks of a ticket.
func (s *Service) recordAnswer(ctx context.Context, t *ent.Ticket) error {
	after, restart := *t, false
	if answers(ctx, t) && t.RespondedAt == nil {
		after.RespondedAt = new(s.Now())
	}
	if t.RequesterID == viewer.From(ctx).UserID && t.HeldAt != nil {
		if err := s.endHold(ctx, &after); err != nil {
			return err
		}
		restart = true
	}
	if err := s.schedule(ctx, &after, restart); err != nil {
		return err
	}
	if err := s.save(ctx, t, &after); err != nil {
		return err
	}
	return s.publish(ctx, &after)
}

// UpdateComment changes the text of the viewer's comment.
func (s *Service) UpdateComment(ctx context.Context, id int, in model.UpdateTicketCommentInput) error {
	c, t, err := findComment(ctx, id)
	if err != nil {
		return err
	}
	text, err := attachment.EditComment(ctx, c.UserID, in.Text)
	if err != nil {
		return err
	}
	if err := c.Update().SetText(text).SetEditedAt(s.Now()).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	return s.publish(ctx, t)
}

// DeleteComment removes a comment of the viewer, or one of a ticket that they may change.
func (s *Service) DeleteComment(ctx context.Context, id int) error {
	c, t, err := findComment(ctx, id)
	if err != nil {
		return err
	}
	if c.UserID != viewer.From(ctx).UserID {
		if _, err := s.lock(ctx, t.ID); err != nil {
			return err
		}
	}
	if err := ent.FromContext(ctx).TicketComment.DeleteOne(c).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	return s.publish(ctx, t)
}

// findComment returns a comment that the viewer sees, with its ticket.
func findComment(ctx context.Context, id int) (*ent.TicketComment, *ent.Ticket, error) {
	c, err := ent.FromContext(ctx).TicketComment.Query().Where(ticketcomment.ID(id)).Only(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, err := ent.FromContext(ctx).Ticket.Get(ctx, c.TicketID)
	return c, t, err
}

// Follow makes the viewer a follower of a ticket that they see.
func (s *Service) Follow(ctx context.Context, id int) error {
	if _, err := find(ctx, "ticketId", id); err != nil {
		return err
	}
	t, err := s.lockSeen(ctx, id)
	if err != nil {
		return err
	}
	has, err := followersOf(ctx, id)
	if err != nil {
		return err
	}
	wanted := input.Distinct(append(has, viewer.From(ctx).UserID))
	if len(wanted) > maxFollowers {
		return errs.Because("ticketId", errs.TooMany, errs.Meta{"max": maxFollowers})
	}
	if err := follow(ctx, t, has, wanted); err != nil {
		return err
	}
	if len(wanted) > len(has) {
		if err := count(ctx, t); err != nil {
			return err
		}
	}
	return s.publish(ctx, t)
}

// Unfollow removes the viewer from the followers of a ticket.
func (s *Service) Unfollow(ctx context.Context, id int) error {
	if _, err := find(ctx, "ticketId", id); err != nil {
		return err
	}
	t, err := s.lockSeen(ctx, id)
	if err != nil {
		return err
	}
	me := viewer.From(ctx).UserID
	n, err := ent.FromContext(ctx).TicketFollower.Delete().Where(ticketfollower.TicketID(id), ticketfollower.UserID(me)).
		Exec(viewer.System(ctx))
	if err != nil {
		return err
	}
	if n > 0 {
		if err := count(ctx, t); err != nil {
			return err
		}
	}
	return s.publish(ctx, t)
}

// count counts the version of a ticket whose followers were changed beside updateTicket.
func count(ctx context.Context, t *ent.Ticket) error {
	return t.Update().AddVersion(1).Exec(viewer.System(ctx))
}
