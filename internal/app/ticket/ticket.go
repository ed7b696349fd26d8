// Package ticket is the use cases of tickets and of all that belongs to one: its clock,
// comments, files, followers and category.
package ticket

import (
	"context"
	"slices"
	"strconv"
	"time"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketcounter"
	"workforce/ent/ticketfollower"
	"workforce/ent/ticketword"
	"workforce/graph/model"
	"workforce/internal/app/attachment"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/app/live"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/database"
	"workforce/internal/message"
	"workforce/internal/textform"
	"workforce/internal/viewer"
)

// resource is that of the permissions of tickets.
const resource = "ticket"

// A Service manages tickets. Its methods are safe for concurrent use.
type Service struct {
	DB     *ent.Client      // in no transaction
	Now    func() time.Time // UTC, to the microsecond
	Files  *files.Service
	Notify *notify.Service
	Live   *live.Service // may be nil
	// Managers returns who leads whom in the viewer's company.
	Managers func(context.Context) (*organization.Managers, error)
}

// Save adds a ticket of the viewer and returns its id.
func (s *Service) Save(ctx context.Context, in model.SaveTicketInput) (int, error) {
	me, err := viewer.Require(ctx)
	if err != nil {
		return 0, err
	}
	c := change{UpdateTicketInput: model.UpdateTicketInput{
		Subject: input.Given(&in.Subject), Description: in.Description, Priority: input.DropNull(in.Priority),
		AssigneeID: in.AssigneeID, CategoryID: in.CategoryID, FollowerIds: input.DropNullList(in.FollowerIds),
	}}
	if err := c.check(ctx, me); err != nil {
		return 0, err
	}
	now := s.Now()
	t := &ent.Ticket{
		CompanyID: me.CompanyID, RequesterID: me.UserID, Status: entTicket.StatusOpen, Priority: entTicket.PriorityNormal,
		CreatedAt: now, UpdatedAt: now,
	}
	c.apply(t)
	if err := s.schedule(ctx, t, true); err != nil {
		return 0, err
	}
	var assignee audience
	if t.AssigneeID != nil {
		if assignee, err = audienceOf(ctx, *t.AssigneeID); err != nil {
			return 0, err
		}
	}
	if t.Number, err = nextNumber(ctx, me.CompanyID); err != nil { // read last: from here on, others of the company wait
		return 0, err
	}
	create := ent.FromContext(ctx).Ticket.Create().SetCompanyID(t.CompanyID).SetRequesterID(t.RequesterID).
		SetNumber(t.Number).SetCreatedAt(now).SetUpdatedAt(now)
	setColumns(create.Mutation(), t)
	made, err := create.Save(ctx)
	if err != nil {
		return 0, err
	}
	if err := follow(ctx, made, nil, c.followers); err != nil {
		return 0, err
	}
	if err := indexWords(ctx, made, nil); err != nil {
		return 0, err
	}
	if err := assignee.tell(ctx, s.Notify, made, message.TicketAssigned); err != nil {
		return 0, err
	}
	s.Live.TicketChanged(ctx, made.CompanyID, made.ID, participants(made, c.followers)...)
	return made.ID, nil
}

var counterUpsert = database.Upsert{
	Table: ticketcounter.Table, Columns: []string{ticketcounter.FieldID, ticketcounter.FieldLast},
	Key: []string{ticketcounter.FieldID}, Add: []string{ticketcounter.FieldLast},
}

// nextNumber returns the next number of a counter: a company's tickets are counted under its id, its
// merges under the negative one. The counter's row is held until the transaction ends, so that
// one that is rolled back leaves no gap, and others of the company wait: take it late.
func nextNumber(ctx context.Context, counter int) (int, error) {
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TicketCounter
	n, err := db.Update().Where(ticketcounter.ID(counter)).AddLast(1).Save(sys)
	if err != nil {
		return 0, err
	}
	if n == 0 {
		if err := counterUpsert.Exec(ctx, ent.FromContext(ctx), counter, 1); err != nil {
			return 0, err
		}
	}
	c, err := db.Get(sys, counter)
	if err != nil {
		return 0, err
	}
	return c.Last, nil
}

// Update changes a ticket.
func (s *Service) Update(ctx context.Context, id int, in model.UpdateTicketInput) error {
	if in.DuplicateOfID.Value() != nil {
		if err := lockMerges(ctx); err != nil {
			return err
		}
	}
	before, err := s.lock(ctx, id)
	if err != nil {
		return err
	}
	c := change{UpdateTicketInput: in, of: before}
	if c.has, err = followersOf(ctx, id); err != nil {
		return err
	}
	if err := c.check(ctx, viewer.From(ctx)); err != nil {
		return err
	}
	after := *before
	c.apply(&after)
	err = input.CheckVersion(in.Version, before.Version, func() (*input.Difference, error) {
		return c.difference(ctx, &after)
	})
	if err != nil {
		return err
	}
	if !c.isEmpty() {
		after.Version++
	}
	if err := s.applyStatus(ctx, before, &after); err != nil {
		return err
	}
	if err := s.save(ctx, before, &after); err != nil {
		return err
	}
	if c.FollowerIds.IsSet() {
		if err := follow(ctx, before, c.has, c.followers); err != nil {
			return err
		}
	}
	if in.Subject.IsSet() || in.Description.IsSet() {
		if err := renewWords(ctx, &after); err != nil {
			return err
		}
	}
	if err := s.tellAssignee(ctx, &after, before.AssigneeID); err != nil {
		return err
	}
	if err := s.tellStatus(ctx, before, &after); err != nil {
		return err
	}
	return s.publish(ctx, &after)
}

// lockMerges makes other merges of the viewer's company wait until the transaction ends: two at once
// could merge tickets with each other. Merges have a counter of their own, so that new tickets do not
// wait for them.
func lockMerges(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	_, err = nextNumber(ctx, -me.CompanyID)
	return err
}

// save writes the columns of a ticket that differ.
func (s *Service) save(ctx context.Context, before, after *ent.Ticket) error {
	update := before.Update().SetVersion(after.Version)
	setColumns(update.Mutation(), after)
	return update.Exec(viewer.System(ctx))
}

// setColumns sets the columns of a ticket that may change.
func setColumns(m *ent.TicketMutation, t *ent.Ticket) {
	m.SetSubject(t.Subject)
	m.SetStatus(t.Status)
	m.SetPriority(t.Priority)
	m.SetResponseTold(t.ResponseTold)
	m.SetResolutionTold(t.ResolutionTold)
	setOrClear(t.Description, m.SetDescription, m.ClearDescription)
	setOrClear(t.AssigneeID, m.SetAssigneeID, m.ClearAssignee)
	setOrClear(t.CategoryID, m.SetCategoryID, m.ClearCategory)
	setOrClear(t.DuplicateOfID, m.SetDuplicateOfID, m.ClearDuplicateOf)
	setOrClear(t.RespondBy, m.SetRespondBy, m.ClearRespondBy)
	setOrClear(t.ResolveBy, m.SetResolveBy, m.ClearResolveBy)
	setOrClear(t.RespondedAt, m.SetRespondedAt, m.ClearRespondedAt)
	setOrClear(t.ResolvedAt, m.SetResolvedAt, m.ClearResolvedAt)
	setOrClear(t.ClosedAt, m.SetClosedAt, m.ClearClosedAt)
	setOrClear(t.HeldAt, m.SetHeldAt, m.ClearHeldAt)
	setOrClear(t.AlertAt, m.SetAlertAt, m.ClearAlertAt)
}

// setOrClear sets a column, or clears it for nil.
func setOrClear[T any](v *T, set func(T), clear func()) {
	if v != nil {
		set(*v)
	} else {
		clear()
	}
}

// lock returns a ticket that the viewer may change, as attachment.Lock does: NOT_FOUND for one that
// they do not see, else FORBIDDEN.
func (s *Service) lock(ctx context.Context, id int) (*ent.Ticket, error) {
	return s.lockAs(ctx, ctx, id)
}

// lockSeen is lock of a ticket that the viewer sees.
func (s *Service) lockSeen(ctx context.Context, id int) (*ent.Ticket, error) {
	return s.lockAs(ctx, viewer.System(ctx), id)
}

// lockAs is lock of a ticket that the viewer of ctx sees and that of writer may change.
func (s *Service) lockAs(ctx, writer context.Context, id int) (*ent.Ticket, error) {
	db := ent.FromContext(ctx).Ticket
	return attachment.Lock(s.Now, func() (*ent.Ticket, time.Time, error) {
		t, err := db.Query().Where(entTicket.ID(id)).Only(ctx)
		if err != nil {
			return nil, time.Time{}, err
		}
		return t, t.UpdatedAt, nil
	}, func(at time.Time) (int, error) {
		return db.Update().Where(entTicket.ID(id)).SetUpdatedAt(at).Save(writer)
	})
}

// publish tells subscribers that a ticket was changed.
func (s *Service) publish(ctx context.Context, t *ent.Ticket) error {
	followers, err := followersOf(ctx, t.ID)
	if err != nil {
		return err
	}
	s.Live.TicketChanged(ctx, t.CompanyID, t.ID, participants(t, followers)...)
	return nil
}

// participants returns followers, requester and assignee of a ticket.
func participants(t *ent.Ticket, followers []int) []int {
	people := append(slices.Clone(followers), t.RequesterID)
	if t.AssigneeID != nil {
		people = append(people, *t.AssigneeID)
	}
	return people
}

// tellAssignee tells the assignee of a ticket that somebody else gave it to them.
func (s *Service) tellAssignee(ctx context.Context, t *ent.Ticket, was *int) error {
	if t.AssigneeID == nil || was != nil && *was == *t.AssigneeID {
		return nil
	}
	return s.tell(ctx, t, message.TicketAssigned, *t.AssigneeID)
}

// tellStatus tells everybody about a ticket that it was resolved, closed or opened again.
func (s *Service) tellStatus(ctx context.Context, before, after *ent.Ticket) error {
	kind := message.TicketResolved
	switch {
	case before.Status == after.Status:
		return nil
	case after.Status == entTicket.StatusClosed:
		kind = message.TicketClosed
	case isDone(before.Status) && !isDone(after.Status):
		kind = message.TicketReopened
	case after.Status != entTicket.StatusResolved:
		return nil
	}
	return s.tellAll(ctx, after, kind)
}

// tellAll tells requester, assignee and followers of a ticket what the viewer did.
func (s *Service) tellAll(ctx context.Context, t *ent.Ticket, kind message.Kind) error {
	followers, err := followersOf(ctx, t.ID)
	if err != nil {
		return err
	}
	return s.tell(ctx, t, kind, participants(t, followers)...)
}

// tell tells people what the viewer did with a ticket, but not the viewer.
func (s *Service) tell(ctx context.Context, t *ent.Ticket, kind message.Kind, people ...int) error {
	others, err := audienceOf(ctx, people...)
	if err != nil {
		return err
	}
	return others.tell(ctx, s.Notify, t, kind)
}

// An audience is who is told what the viewer did.
type audience struct {
	by     *ent.User // the viewer
	people []*ent.User
}

// audienceOf returns the active ones of some people, without the viewer.
func audienceOf(ctx context.Context, people ...int) (a audience, err error) {
	by := viewer.From(ctx).UserID
	people = attachment.Without(input.Distinct(people), []int{by})
	if len(people) == 0 {
		return a, nil
	}
	if a.by, err = ent.FromContext(ctx).User.Get(viewer.System(ctx), by); err == nil {
		a.people, err = activePeople(ctx, people)
	}
	return a, err
}

// tell queues the notices of what the viewer did with a ticket.
func (a audience) tell(ctx context.Context, n *notify.Service, t *ent.Ticket, kind message.Kind) error {
	for _, u := range a.people {
		if err := n.NotifyAbout(ctx, u, kind, message.Facts{Title: title(t)}, a.by); err != nil {
			return err
		}
	}
	return nil
}

// title is how a message names a ticket.
func title(t *ent.Ticket) string { return "#" + strconv.Itoa(t.Number) + " " + t.Subject }

// renewWords writes the words by which a changed ticket is found.
func renewWords(ctx context.Context, t *ent.Ticket) error {
	has, err := ent.FromContext(ctx).TicketWord.Query().Where(ticketword.TicketID(t.ID)).
		Select(ticketword.FieldWord).Strings(viewer.System(ctx))
	if err != nil {
		return err
	}
	return indexWords(ctx, t, has)
}

// indexWords writes the words by which a ticket is found, in place of those that it has.
func indexWords(ctx context.Context, t *ent.Ticket, has []string) error {
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TicketWord
	wanted := textform.Words(strconv.Itoa(t.Number), t.Subject, input.Value(t.Description))
	return attachment.Replace(has, wanted, func(words []string) error {
		_, err := db.Delete().Where(ticketword.TicketID(t.ID), ticketword.WordIn(words...)).Exec(sys)
		return err
	}, func(words []string) error {
		return db.MapCreateBulk(words, func(w *ent.TicketWordCreate, i int) {
			w.SetCompanyID(t.CompanyID).SetTicketID(t.ID).SetWord(words[i])
		}).Exec(sys)
	})
}

// followersOf returns the followers of a ticket, by id.
func followersOf(ctx context.Context, id int) ([]int, error) {
	return ent.FromContext(ctx).TicketFollower.Query().Where(ticketfollower.TicketID(id)).
		Order(ent.Asc(ticketfollower.FieldUserID)).Select(ticketfollower.FieldUserID).Ints(viewer.System(ctx))
}

// follow makes wanted the followers of a ticket that has others.
func follow(ctx context.Context, t *ent.Ticket, has, wanted []int) error {
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TicketFollower
	return attachment.Replace(has, wanted, func(ids []int) error {
		_, err := db.Delete().Where(ticketfollower.TicketID(t.ID), ticketfollower.UserIDIn(ids...)).Exec(sys)
		return err
	}, func(ids []int) error {
		return db.MapCreateBulk(ids, func(f *ent.TicketFollowerCreate, i int) {
			f.SetCompanyID(t.CompanyID).SetTicketID(t.ID).SetUserID(ids[i])
		}).Exec(sys)
	})
}
