// Package ticket is the use cases of tickets and of all that belongs to one: its clock,
// comments, files, followers and category.
package ticket

import (
	"context"
	"slices"
	"strconv"
	"time"

	"workforce/ent"
	row "workforce/ent/ticket"
	"workforce/ent/ticketcounter"
	"workforce/ent/ticketfollower"
	"workforce/ent/ticketword"
	"workforce/graph/model"
	"workforce/internal/app/files"
	"workforce/internal/app/input"
	"workforce/internal/app/live"
	"workforce/internal/app/notify"
	"workforce/internal/app/organization"
	"workforce/internal/app/task"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/message"
	words "workforce/internal/task"
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
		Subject: input.Given(&in.Subject), Description: in.Description, Priority: input.DropNull(in.Priority), AssigneeID: in.AssigneeID,
		CategoryID: in.CategoryID, FollowerIds: input.DropNullList(in.FollowerIds),
	}}
	if err := c.check(ctx, me); err != nil {
		return 0, err
	}
	now := s.Now()
	t := &ent.Ticket{CompanyID: me.CompanyID, RequesterID: me.UserID, Status: row.StatusOpen, Priority: row.PriorityNormal, CreatedAt: now, UpdatedAt: now}
	c.apply(t)
	if err := s.schedule(ctx, t, true); err != nil {
		return 0, err
	}
	var told audience
	if t.AssigneeID != nil {
		if told, err = audienceOf(ctx, *t.AssigneeID); err != nil {
			return 0, err
		}
	}
	if t.Number, err = next(ctx, me.CompanyID); err != nil { // the last of all that is read: others wait from here on
		return 0, err
	}
	create := ent.FromContext(ctx).Ticket.Create().SetCompanyID(t.CompanyID).SetRequesterID(t.RequesterID).SetNumber(t.Number).SetCreatedAt(now).SetUpdatedAt(now)
	write(create.Mutation(), t)
	made, err := create.Save(ctx)
	if err != nil {
		return 0, err
	}
	if err := follow(ctx, made, nil, c.followers); err != nil {
		return 0, err
	}
	if err := addWords(ctx, made, wordsOf(made)); err != nil {
		return 0, err
	}
	if err := told.tell(ctx, s.Notify, made, message.TicketAssigned); err != nil {
		return 0, err
	}
	s.Live.TicketChanged(ctx, made.CompanyID, made.ID, involved(made, c.followers)...)
	return made.ID, nil
}

var counterUpsert = database.Upsert{
	Table: ticketcounter.Table, Columns: []string{ticketcounter.FieldID, ticketcounter.FieldLast},
	Key: []string{ticketcounter.FieldID}, Add: []string{ticketcounter.FieldLast},
}

// next returns the next number of a counter: a company's tickets are counted under its id, its
// merges under the negative one. The counter's row is held until the transaction ends, so that
// one that is rolled back leaves no gap, and others of the company wait: take it late.
func next(ctx context.Context, counter int) (int, error) {
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
		if err := merging(ctx); err != nil {
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
	if err := s.turn(ctx, before, &after); err != nil {
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
		if err := index(ctx, &after); err != nil {
			return err
		}
	}
	if err := s.tellAssignee(ctx, &after, before.AssigneeID); err != nil {
		return err
	}
	if err := s.tellStatus(ctx, before, &after); err != nil {
		return err
	}
	return s.changed(ctx, &after)
}

// merging has the merges of the viewer's company come one after the other: two at once
// could merge tickets with each other. They are counted apart from the tickets, which need not
// wait for them.
func merging(ctx context.Context) error {
	me, err := viewer.Require(ctx)
	if err != nil {
		return err
	}
	_, err = next(ctx, -me.CompanyID)
	return err
}

// save writes the columns of a ticket that differ.
func (s *Service) save(ctx context.Context, before, after *ent.Ticket) error {
	update := before.Update()
	write(update.Mutation(), after)
	return update.Exec(viewer.System(ctx))
}

// write sets the columns of a ticket that may change.
func write(m *ent.TicketMutation, t *ent.Ticket) {
	m.SetSubject(t.Subject)
	m.SetStatus(t.Status)
	m.SetPriority(t.Priority)
	m.SetResponseTold(t.ResponseTold)
	m.SetResolutionTold(t.ResolutionTold)
	put(t.Description, m.SetDescription, m.ClearDescription)
	put(t.AssigneeID, m.SetAssigneeID, m.ClearAssignee)
	put(t.CategoryID, m.SetCategoryID, m.ClearCategory)
	put(t.DuplicateOfID, m.SetDuplicateOfID, m.ClearDuplicateOf)
	put(t.RespondBy, m.SetRespondBy, m.ClearRespondBy)
	put(t.ResolveBy, m.SetResolveBy, m.ClearResolveBy)
	put(t.RespondedAt, m.SetRespondedAt, m.ClearRespondedAt)
	put(t.ResolvedAt, m.SetResolvedAt, m.ClearResolvedAt)
	put(t.ClosedAt, m.SetClosedAt, m.ClearClosedAt)
	put(t.HeldAt, m.SetHeldAt, m.ClearHeldAt)
	put(t.AlertAt, m.SetAlertAt, m.ClearAlertAt)
}

func put[T any](v *T, set func(T), clear func()) {
	if v != nil {
		set(*v)
	} else {
		clear()
	}
}

// lock returns a ticket that the viewer may change, whose row stays as it is until the
// transaction ends: NOT_FOUND for one that they do not see, else FORBIDDEN.
//
// MySQL counts the rows that an update changed: the new time must differ from the old one.
// One that somebody else has set meanwhile may not; the row is locked then.
func (s *Service) lock(ctx context.Context, id int) (*ent.Ticket, error) {
	return s.lockAs(ctx, ctx, id)
}

// lockSeen is lock of a ticket that the viewer sees.
func (s *Service) lockSeen(ctx context.Context, id int) (*ent.Ticket, error) {
	return s.lockAs(ctx, viewer.System(ctx), id)
}

func (s *Service) lockAs(ctx, writer context.Context, id int) (*ent.Ticket, error) {
	db := ent.FromContext(ctx).Ticket
	for range 2 {
		t, err := db.Query().Where(row.ID(id)).Only(ctx)
		if err != nil {
			return nil, err
		}
		at := s.Now()
		if !at.After(t.UpdatedAt) {
			at = t.UpdatedAt.Add(time.Microsecond)
		}
		n, err := db.Update().Where(row.ID(id)).SetUpdatedAt(at).Save(writer)
		if err != nil {
			return nil, err
		}
		if n == 1 {
			return db.Query().Where(row.ID(id)).Only(ctx)
		}
	}
	return nil, errs.New(errs.Forbidden, nil)
}

// changed tells those who listen that a ticket was added or changed.
func (s *Service) changed(ctx context.Context, t *ent.Ticket) error {
	followers, err := followersOf(ctx, t.ID)
	if err != nil {
		return err
	}
	s.Live.TicketChanged(ctx, t.CompanyID, t.ID, involved(t, followers)...)
	return nil
}

// involved returns followers, requester and assignee of a ticket.
func involved(t *ent.Ticket, followers []int) []int {
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
	case after.Status == row.StatusClosed:
		kind = message.TicketClosed
	case isDone(before) && !isDone(after):
		kind = message.TicketReopened
	case after.Status != row.StatusResolved:
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
	return s.tell(ctx, t, kind, involved(t, followers)...)
}

// tell tells people what the viewer did with a ticket, but not the viewer.
func (s *Service) tell(ctx context.Context, t *ent.Ticket, kind message.Kind, people ...int) error {
	told, err := audienceOf(ctx, people...)
	if err != nil {
		return err
	}
	return told.tell(ctx, s.Notify, t, kind)
}

// An audience is who is told what the viewer did.
type audience struct {
	by     *ent.User // the viewer
	people []*ent.User
}

// audienceOf returns those of some people who are told what the viewer did: who is active, but
// not the viewer.
func audienceOf(ctx context.Context, people ...int) (a audience, err error) {
	by := viewer.From(ctx).UserID
	people = task.Without(input.Distinct(people), []int{by})
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

// wordBatch is how many words one statement inserts.
const wordBatch = 500

// index keeps the words by which a ticket is found.
func index(ctx context.Context, t *ent.Ticket) error {
	sys, db, wanted := viewer.System(ctx), ent.FromContext(ctx).TicketWord, wordsOf(t)
	has, err := db.Query().Where(ticketword.TicketID(t.ID)).Select(ticketword.FieldWord).Strings(sys)
	if err != nil {
		return err
	}
	for gone := task.Without(has, wanted); len(gone) > 0; gone = gone[min(len(gone), wordBatch):] {
		if _, err := db.Delete().Where(ticketword.TicketID(t.ID), ticketword.WordIn(gone[:min(len(gone), wordBatch)]...)).Exec(sys); err != nil {
			return err
		}
	}
	return addWords(ctx, t, task.Without(wanted, has))
}

// wordsOf returns the words by which a ticket is found.
func wordsOf(t *ent.Ticket) []string {
	return words.Words(strconv.Itoa(t.Number), t.Subject, input.Value(t.Description))
}

// addWords adds words by which a ticket is found.
func addWords(ctx context.Context, t *ent.Ticket, added []string) error {
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TicketWord
	for part := range slices.Chunk(added, wordBatch) {
		err := db.MapCreateBulk(part, func(w *ent.TicketWordCreate, i int) {
			w.SetCompanyID(t.CompanyID).SetTicketID(t.ID).SetWord(part[i])
		}).Exec(sys)
		if err != nil {
			return err
		}
	}
	return nil
}

// followersOf returns who follows a ticket, by id.
func followersOf(ctx context.Context, id int) ([]int, error) {
	return ent.FromContext(ctx).TicketFollower.Query().Where(ticketfollower.TicketID(id)).Order(ent.Asc(ticketfollower.FieldUserID)).
		Select(ticketfollower.FieldUserID).Ints(viewer.System(ctx))
}

// follow makes wanted the followers of a ticket that has others.
func follow(ctx context.Context, t *ent.Ticket, has, wanted []int) error {
	sys, db := viewer.System(ctx), ent.FromContext(ctx).TicketFollower
	if gone := task.Without(has, wanted); len(gone) > 0 {
		if _, err := db.Delete().Where(ticketfollower.TicketID(t.ID), ticketfollower.UserIDIn(gone...)).Exec(sys); err != nil {
			return err
		}
	}
	added := task.Without(wanted, has)
	return db.MapCreateBulk(added, func(f *ent.TicketFollowerCreate, i int) {
		f.SetCompanyID(t.CompanyID).SetTicketID(t.ID).SetUserID(added[i])
	}).Exec(sys)
}
