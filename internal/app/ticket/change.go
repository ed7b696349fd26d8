package ticket

import (
	"context"
	"reflect"
	"slices"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketcategory"
	"workforce/ent/user"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/input"
	"workforce/internal/app/policysql"
	"workforce/internal/app/worktime"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// maxFollowers is how many followers a ticket has at most.
const maxFollowers = 50

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
	c.Subject = attachment.Title(&faults, "subject", c.Subject)
	c.Description = attachment.Description(&faults, c.Description)
	if c.Status.IsSet() && c.Status.Value() == nil {
		faults.Add("status", errs.Required, nil)
	}
	if c.Priority.IsSet() && c.Priority.Value() == nil {
		faults.Add("priority", errs.Required, nil)
	}
	if me.Key != 0 && c.AssigneeID.Value() == nil && (c.of == nil || c.AssigneeID.IsSet()) {
		faults.Add("assigneeId", errs.Required, nil) // the key would see the ticket no more
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

// nextStatuses are the statuses that may follow each. Waiting is no status: it is a hold of the clock.
var nextStatuses = map[entTicket.Status][]entTicket.Status{
	entTicket.StatusOpen:       {entTicket.StatusInProgress, entTicket.StatusResolved, entTicket.StatusClosed},
	entTicket.StatusInProgress: {entTicket.StatusOpen, entTicket.StatusResolved, entTicket.StatusClosed},
	entTicket.StatusResolved:   {entTicket.StatusOpen, entTicket.StatusInProgress, entTicket.StatusClosed},
	entTicket.StatusClosed:     {entTicket.StatusOpen},
}

// mayFollow reports whether a ticket may go from one status to another. It may always keep its status.
func mayFollow(from, to entTicket.Status) bool {
	return from == to || slices.Contains(nextStatuses[from], to)
}

// isDone reports whether nobody works on a ticket of a status any more.
func isDone(s entTicket.Status) bool {
	return s == entTicket.StatusResolved || s == entTicket.StatusClosed
}

// checkStatus refuses a status that may not follow that of the ticket, and any but closed while the
// ticket is merged.
func (c *change) checkStatus() error {
	to := c.Status.Value()
	if c.of == nil || to == nil {
		return nil
	}
	merged := c.of.DuplicateOfID != nil && !c.DuplicateOfID.IsSet() || c.DuplicateOfID.Value() != nil
	if merged && *to != entTicket.StatusClosed {
		return errs.Conflicts(errs.State, "status", errs.Meta{"state": "merged"})
	}
	if !mayFollow(c.of.Status, *to) {
		return errs.Conflicts(errs.State, "status", errs.Meta{"state": string(c.of.Status)})
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
		if err := attachment.MayAssign(ctx, me, resource, "assigneeId", []int{*id}); err != nil {
			return err
		}
	}
	added := attachment.Without(c.followers, c.has)
	people, err := ent.FromContext(ctx).User.Query().
		Where(user.IDIn(added...), user.Active(true), worktime.Addressed(me, me.Scope(resource, "write"))).Count(ctx)
	if err := input.Referenced("followerIds", people == len(added), err); err != nil {
		return err
	}
	if id := c.DuplicateOfID.Value(); id != nil {
		return c.checkMerge(ctx, *id)
	}
	return nil
}

// checkMerge refuses to merge a ticket with one that the viewer does not see, with itself, or with one
// that was merged with it.
func (c *change) checkMerge(ctx context.Context, into int) error {
	if _, err := find(ctx, "duplicateOfId", into); err != nil {
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
	input.Set(c.Status, func(v entTicket.Status) { t.Status = v }, nil)
	input.Set(c.Priority, func(v entTicket.Priority) { t.Priority = v }, nil)
	setMember(c.Description, &t.Description)
	setMember(c.AssigneeID, &t.AssigneeID)
	setMember(c.CategoryID, &t.CategoryID)
	setMember(c.DuplicateOfID, &t.DuplicateOfID)
	if t.DuplicateOfID != nil {
		t.Status = entTicket.StatusClosed
	}
}

// memberNames are the names of the members of a ticket, by column.
var memberNames = map[string]string{
	entTicket.FieldSubject: "subject", entTicket.FieldDescription: "description",
	entTicket.FieldStatus: "status", entTicket.FieldPriority: "priority",
	entTicket.FieldAssigneeID: "assigneeId", entTicket.FieldCategoryID: "categoryId",
	entTicket.FieldDuplicateOfID: "duplicateOfId",
}

// difference returns the members that the change would change; after is the ticket with them.
func (c *change) difference(ctx context.Context, after *ent.Ticket) (*input.Difference, error) {
	m := c.of.Update().Mutation()
	setColumns(m, after)
	d, err := input.DifferenceOf(ctx, m, memberNames)
	if err == nil && c.FollowerIds.IsSet() {
		d.AddIDs("followerIds", append([]int{}, c.followers...), append([]int{}, c.has...))
	}
	return d, err
}

// isEmpty reports whether the change has no members, but for the version.
func (c *change) isEmpty() bool {
	in := c.UpdateTicketInput
	in.Version = input.Omittable[*int]{}
	return reflect.ValueOf(in).IsZero()
}

// setMember sets a member that is given, null too.
func setMember[T any](o input.Omittable[*T], to **T) {
	if v, given := o.ValueOK(); given {
		*to = v
	}
}

// find returns a ticket: NOT_FOUND on a field for one that the viewer does not see.
func find(ctx context.Context, field string, id int) (*ent.Ticket, error) {
	t, err := ent.FromContext(ctx).Ticket.Query().Where(entTicket.ID(id)).Only(ctx)
	if err != nil {
		return nil, input.Referenced(field, !ent.IsNotFound(err), policysql.IgnoreNotFound(err))
	}
	return t, nil
}

// activePeople returns the people with some ids who are active, by id.
func activePeople(ctx context.Context, ids []int) ([]*ent.User, error) {
	return ent.FromContext(ctx).User.Query().Where(user.IDIn(ids...), user.Active(true)).
		Order(ent.Asc(user.FieldID)).All(viewer.System(ctx))
}
