package ticket

import (
	"context"

	"workforce/ent"
	"workforce/ent/ticketcomment"
	"workforce/ent/ticketfollower"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/errs"
	"workforce/internal/message"
	"workforce/internal/viewer"
)

// Parts manages the comments and the followers of tickets.
type Parts struct{ *Service }

// Comment adds a comment to a ticket that the viewer sees, tells the others, and returns its
// id. That of the requester ends a hold, that of somebody else answers the ticket. FORBIDDEN
// for an internal note of who does not see them.
func (s Parts) Comment(ctx context.Context, in model.CreateTicketCommentInput) (int, error) {
	var faults errs.Faults
	said := comment(&faults, in.Text)
	if err := faults.Err(); err != nil {
		return 0, err
	}
	if _, err := seen(ctx, "ticketId", in.TicketID); err != nil {
		return 0, err
	}
	t, err := s.lockSeen(ctx, in.TicketID)
	if err != nil {
		return 0, err
	}
	internal := input.Value(in.Internal.Value())
	db := ent.FromContext(ctx).TicketComment
	c, err := db.Create().SetCompanyID(t.CompanyID).SetTicketID(t.ID).SetUserID(viewer.From(ctx).UserID).
		SetText(said).SetInternal(internal).SetCreatedAt(s.Now()).Save(viewer.System(ctx))
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
	if err := s.answered(ctx, t); err != nil {
		return 0, err
	}
	return c.ID, s.tellAll(ctx, t, message.TicketComment)
}

// answered has the clocks of a ticket know of a comment of the viewer.
func (s Parts) answered(ctx context.Context, t *ent.Ticket) error {
	after, anew := *t, false
	if answers(ctx, t) && t.RespondedAt == nil {
		after.RespondedAt = new(s.Now())
	}
	if t.RequesterID == viewer.From(ctx).UserID && t.HeldAt != nil {
		if err := s.endHold(ctx, &after); err != nil {
			return err
		}
		anew = true
	}
	if err := s.schedule(ctx, &after, anew); err != nil {
		return err
	}
	if err := s.save(ctx, t, &after); err != nil {
		return err
	}
	return s.changed(ctx, &after)
}

// comment returns the text of a comment.
func comment(faults *errs.Faults, text string) string {
	said := input.Text(faults, "text", &text, maxText)
	if said == "" {
		faults.Add("text", errs.Required, nil)
	}
	return said
}

// UpdateComment changes the text of the viewer's comment.
func (s Parts) UpdateComment(ctx context.Context, id int, in model.UpdateTicketCommentInput) error {
	c, t, err := commented(ctx, id)
	if err != nil {
		return err
	}
	if c.UserID != viewer.From(ctx).UserID {
		return errs.New(errs.Forbidden, nil)
	}
	var faults errs.Faults
	said := comment(&faults, in.Text)
	if err := faults.Err(); err != nil {
		return err
	}
	if err := c.Update().SetText(said).SetEditedAt(s.Now()).Exec(viewer.System(ctx)); err != nil {
		return err
	}
	return s.changed(ctx, t)
}

// DeleteComment removes a comment of the viewer, or one of a ticket that they may change.
func (s Parts) DeleteComment(ctx context.Context, id int) error {
	c, t, err := commented(ctx, id)
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
	return s.changed(ctx, t)
}

// commented returns a comment that the viewer sees, with its ticket.
func commented(ctx context.Context, id int) (*ent.TicketComment, *ent.Ticket, error) {
	c, err := ent.FromContext(ctx).TicketComment.Query().Where(ticketcomment.ID(id)).Only(ctx)
	if err != nil {
		return nil, nil, err
	}
	t, err := ent.FromContext(ctx).Ticket.Get(ctx, c.TicketID)
	return c, t, err
}

// Follow has the viewer follow a ticket that they see.
func (s Parts) Follow(ctx context.Context, id int) error {
	if _, err := seen(ctx, "ticketId", id); err != nil {
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
	return s.changed(ctx, t)
}

// Unfollow has the viewer follow a ticket no more.
func (s Parts) Unfollow(ctx context.Context, id int) error {
	t, err := seen(ctx, "ticketId", id)
	if err != nil {
		return err
	}
	_, err = ent.FromContext(ctx).TicketFollower.Delete().Where(ticketfollower.TicketID(id), ticketfollower.UserID(viewer.From(ctx).UserID)).
		Exec(viewer.System(ctx))
	if err != nil {
		return err
	}
	return s.changed(ctx, t)
}
