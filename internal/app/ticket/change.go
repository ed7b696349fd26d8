package ticket

import (
	"context"

	"golang.org/x/text/unicode/norm"

	"workforce/ent"
	row "workforce/ent/ticket"
	"workforce/ent/ticketcategory"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/input"
	"workforce/internal/app/rows"
	"workforce/internal/app/task"
	"workforce/internal/errs"
	rule "workforce/internal/ticket"
	"workforce/internal/viewer"
)

// The limits of the members of a ticket.
const (
	maxSubject   = 200  // characters
	maxText      = 5000 // characters
	maxFollowers = 50
)

// A change holds the given members of a ticket.
type change struct {
	model.UpdateTicketInput
	of        *ent.Ticket // nil for a new one
	has       []int       // its followers
	followers []int       // after check
}

// check checks the given members, and what they name.
func (c *change) check(ctx context.Context, me *viewer.Viewer) error {
	var faults errs.Faults
	if subject, given := c.Subject.ValueOK(); given {
		text := norm.NFC.String(input.Line(&faults, "subject", subject, maxSubject))
		if text == "" {
			faults.Add("subject", errs.Required, nil)
		}
		c.Subject = input.Given(&text)
	}
	if text := input.Text(&faults, "description", c.Description.Value(), maxText); text == "" && c.Description.IsSet() {
		c.Description = input.Given[*string](nil)
	} else if text != "" {
		c.Description = input.Given(&text)
	}
	if c.Status.IsSet() && c.Status.Value() == nil {
		faults.Add("status", errs.Required, nil)
	}
	if c.Priority.IsSet() && c.Priority.Value() == nil {
		faults.Add("priority", errs.Required, nil)
	}
	if c.followers = input.Distinct(c.FollowerIds.Value()); len(c.followers) > maxFollowers {
		faults.Add("followerIds", errs.TooMany, errs.Meta{"max": maxFollowers})
	}
	if err := faults.Err(); err != nil {
		return err
	}
	if err := c.checkStatus(); err != nil {
		return err
	}
	return c.checkReferences(ctx, me)
}

// checkStatus refuses a status that may not follow, and one but closed while the ticket is
// merged.
func (c *change) checkStatus() error {
	to := c.Status.Value()
	if c.of == nil || to == nil {
		return nil
	}
	merged := c.of.DuplicateOfID != nil && !c.DuplicateOfID.IsSet() || c.DuplicateOfID.Value() != nil
	if merged && *to != row.StatusClosed {
		return errs.Field(errs.Conflict, "status", errs.Meta{"state": "merged"})
	}
	if !rule.Follows(rule.Status(c.of.Status), rule.Status(*to)) {
		return errs.Field(errs.Conflict, "status", errs.Meta{"state": string(c.of.Status)})
	}
	return nil
}

// checkReferences checks the rows that the members name.
func (c *change) checkReferences(ctx context.Context, me *viewer.Viewer) error {
	if id := c.CategoryID.Value(); id != nil {
		found, err := ent.FromContext(ctx).TicketCategory.Query().Where(ticketcategory.ID(*id)).Exist(ctx)
		if err := input.Referenced("categoryId", found, err); err != nil {
			return err
		}
	}
	if id := c.AssigneeID.Value(); id != nil && (c.of == nil || c.of.AssigneeID == nil || *c.of.AssigneeID != *id) {
		if err := task.MayAssign(ctx, me, resource, "assigneeId", []int{*id}); err != nil {
			return err
		}
	}
	added := task.Without(c.followers, c.has)
	people, err := ent.FromContext(ctx).User.Query().Where(user.IDIn(added...), user.Active(true)).Count(ctx)
	if err := input.Referenced("followerIds", people == len(added), err); err != nil {
		return err
	}
	if id := c.DuplicateOfID.Value(); id != nil {
		return c.checkMerge(ctx, *id)
	}
	return nil
}

// checkMerge refuses to merge a ticket with one that the viewer does not see, with itself,
// and with one that was merged with it.
func (c *change) checkMerge(ctx context.Context, into int) error {
	if _, err := seen(ctx, "duplicateOfId", into); err != nil {
		return err
	}
	for id := &into; id != nil; {
		if *id == c.of.ID {
			return errs.Field(errs.Cycle, "duplicateOfId", nil)
		}
		t, err := ent.FromContext(ctx).Ticket.Get(viewer.System(ctx), *id)
		if err != nil {
			return err
		}
		id = t.DuplicateOfID
	}
	return nil
}

// apply puts the given members into a ticket. One that is merged is closed.
func (c *change) apply(t *ent.Ticket) {
	input.Set(c.Subject, func(v string) { t.Subject = v }, nil)
	input.Set(c.Status, func(v row.Status) { t.Status = v }, nil)
	input.Set(c.Priority, func(v row.Priority) { t.Priority = v }, nil)
	assign(c.Description, &t.Description)
	assign(c.AssigneeID, &t.AssigneeID)
	assign(c.CategoryID, &t.CategoryID)
	assign(c.DuplicateOfID, &t.DuplicateOfID)
	if t.DuplicateOfID != nil {
		t.Status = row.StatusClosed
	}
}

// assign sets a member that is given, null too.
func assign[T any](o input.Omittable[*T], to **T) {
	if v, given := o.ValueOK(); given {
		*to = v
	}
}

// seen returns a ticket, or refuses on a field one that the viewer does not see.
func seen(ctx context.Context, field string, id int) (*ent.Ticket, error) {
	t, err := ent.FromContext(ctx).Ticket.Query().Where(row.ID(id)).Only(ctx)
	if err != nil {
		return nil, input.Referenced(field, !ent.IsNotFound(err), rows.IgnoreNotFound(err))
	}
	return t, nil
}

// activePeople returns those of some people who are active, by id.
func activePeople(ctx context.Context, ids []int) ([]*ent.User, error) {
	return ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...), user.Active(true)).Order(ent.Asc(user.FieldID)).All(viewer.System(ctx))
}
