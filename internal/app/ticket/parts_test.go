package ticket

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketcomment"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/filetest"
	"workforce/internal/app/input"
	"workforce/internal/errs"
)

// run runs a step in the name of somebody, as do does, and what must be done outside of the transaction.
func (w *world) run(t *testing.T, u *ent.User, want string, step func(ctx context.Context) error) {
	t.Helper()
	if got := apptest.Code(filetest.Run(w.as(u), w.DB, step)); got != want {
		t.Errorf("%s: %q, want %q", u.Name, got, want)
	}
}

// TestAccess has people change a ticket of budi: sari does not see it, their manager and a follower see
// it, the agent changes it.
func TestAccess(t *testing.T) {
	w := newWorld(t)
	follower := w.User(t, "Fitri")
	id := w.save(t, w.budi, model.SaveTicketInput{FollowerIds: input.Given([]int{follower.ID})})
	var file int
	attach := func(n int) func(context.Context) error {
		return func(ctx context.Context) (err error) {
			file, err = w.tickets.Attach(ctx, model.CreateTicketAttachmentInput{TicketID: id, File: filetest.PDF(n)})
			return err
		}
	}
	w.run(t, w.budi, "", attach(1))
	first := file
	for _, tt := range []struct {
		name           string
		stranger, seen string // the codes for sari, and for who sees the ticket
		step           func(context.Context) error
	}{
		{"update", "ent: ticket not found", "FORBIDDEN", func(ctx context.Context) error {
			return w.tickets.Update(ctx, id, model.UpdateTicketInput{Subject: input.Given(new("x"))})
		}},
		{"add a file", "NOT_FOUND ticketId", "FORBIDDEN", attach(2)},
		{"delete a file", "ent: ticket_attachment not found", "FORBIDDEN", func(ctx context.Context) error {
			return w.tickets.Detach(ctx, first)
		}},
		{"comment", "NOT_FOUND ticketId", "", func(ctx context.Context) error {
			_, err := w.tickets.Comment(ctx, model.CreateTicketCommentInput{TicketID: id, Text: "x"})
			return err
		}},
		{"follow", "NOT_FOUND ticketId", "", func(ctx context.Context) error { return w.tickets.Follow(ctx, id) }},
		{"unfollow", "NOT_FOUND ticketId", "", func(ctx context.Context) error { return w.tickets.Unfollow(ctx, id) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w.run(t, w.sari, tt.stranger, tt.step)
			w.run(t, w.ratna, tt.seen, tt.step)
			w.run(t, follower, tt.seen, tt.step)
			w.run(t, w.agent, "", tt.step)
		})
	}
	w.run(t, follower, "NOT_FOUND ticketId", func(ctx context.Context) error { return w.tickets.Unfollow(ctx, id) })
}

// TestFiles adds a file to a ticket, adds it again, and removes it.
func TestFiles(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.budi, model.SaveTicketInput{})
	attach := func(u *ent.User) (attachment int) {
		t.Helper()
		w.run(t, u, "", func(ctx context.Context) (err error) {
			attachment, err = w.tickets.Attach(ctx, model.CreateTicketAttachmentInput{TicketID: id, File: filetest.PDF(1)})
			return err
		})
		return attachment
	}
	first := attach(w.budi)
	a := w.DB.TicketAttachment.GetX(w.System(), first)
	if a.Name != "a.pdf" || a.ContentType != "application/pdf" || a.UserID != w.budi.ID || a.FileID == nil {
		t.Errorf("the attachment is %v", a)
	}
	if again := attach(w.agent); again != first {
		t.Errorf("the same again is %d, want %d", again, first)
	}
	w.run(t, w.budi, "", func(ctx context.Context) error { return w.tickets.Detach(ctx, first) })
	if n := w.DB.File.Query().CountX(w.System()); n != 0 {
		t.Errorf("%d files are left", n)
	}
}

// TestCommentsOfOthers changes and deletes comments of budi and of their manager.
func TestCommentsOfOthers(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.budi, model.SaveTicketInput{})
	for _, tt := range []struct {
		author, by     *ent.User
		change, remove string
	}{
		{w.budi, w.budi, "", ""},
		{w.budi, w.sari, "ent: ticket_comment not found", "ent: ticket_comment not found"},
		{w.budi, w.ratna, "FORBIDDEN", "FORBIDDEN"},
		{w.budi, w.agent, "FORBIDDEN", ""},
		{w.ratna, w.ratna, "", ""},
		{w.ratna, w.budi, "FORBIDDEN", ""},
	} {
		t.Run(tt.author.Name+"'s by "+tt.by.Name, func(t *testing.T) {
			var comment int
			w.do(t, tt.author, "", func(ctx context.Context) (err error) {
				comment, err = w.tickets.Comment(ctx, model.CreateTicketCommentInput{TicketID: id, Text: "Halo"})
				return err
			})
			w.do(t, tt.by, tt.change, func(ctx context.Context) error {
				return w.tickets.UpdateComment(ctx, comment, model.UpdateTicketCommentInput{Text: "Hai"})
			})
			if c := w.DB.TicketComment.GetX(w.System(), comment); (c.Text == "Hai" && c.EditedAt != nil) != (tt.change == "") {
				t.Errorf("the comment is %v", c)
			}
			w.do(t, tt.by, tt.remove, func(ctx context.Context) error { return w.tickets.DeleteComment(ctx, comment) })
			left := w.DB.TicketComment.Query().Where(ticketcomment.ID(comment)).ExistX(w.System())
			if left != (tt.remove != "") {
				t.Errorf("the comment is there: %v", left)
			}
		})
	}
	w.do(t, w.budi, "VALIDATION_FAILED text required", func(ctx context.Context) error {
		_, err := w.tickets.Comment(ctx, model.CreateTicketCommentInput{TicketID: id, Text: " "})
		return err
	})
}

// TestFollowers replaces the followers of a ticket. A ticket has at most 50.
func TestFollowers(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.budi, model.SaveTicketInput{FollowerIds: input.Given([]int{w.sari.ID, w.ratna.ID, w.sari.ID})})
	want := func(about string, people ...*ent.User) {
		t.Helper()
		ids := []int{}
		for _, u := range people {
			ids = append(ids, u.ID)
		}
		if got, err := followersOf(w.as(w.budi), id); err != nil || fmt.Sprint(got) != fmt.Sprint(ids) {
			t.Errorf("%s: followers %v %v, want %v", about, got, err, ids)
		}
	}
	want("saved", w.sari, w.ratna)
	w.update(t, w.budi, id, "", model.UpdateTicketInput{Subject: input.Given(new("x"))})
	want("not given", w.sari, w.ratna)
	w.update(t, w.budi, id, "", model.UpdateTicketInput{FollowerIds: input.Given([]int{w.agent.ID, w.ratna.ID})})
	want("others", w.ratna, w.agent)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(w.agent.ID).SetActive(false).Exec(ctx)
	})
	w.update(t, w.budi, id, "", model.UpdateTicketInput{FollowerIds: input.Given([]int{w.agent.ID})})
	want("one who left keeps following", w.agent)
	w.update(t, w.budi, id, "", model.UpdateTicketInput{FollowerIds: input.Given([]int(nil))})
	want("none")
	w.update(t, w.budi, id, "NOT_FOUND followerIds", model.UpdateTicketInput{FollowerIds: input.Given([]int{w.agent.ID})})
	var crowd []int
	for i := range 50 {
		crowd = append(crowd, w.User(t, fmt.Sprint("U", i)).ID)
	}
	w.update(t, w.budi, id, "", model.UpdateTicketInput{FollowerIds: input.Given(crowd)})
	follow := func(ctx context.Context) error { return w.tickets.Follow(ctx, id) }
	w.do(t, w.ratna, "VALIDATION_FAILED ticketId too_many", follow)
	w.update(t, w.budi, id, "", model.UpdateTicketInput{FollowerIds: input.Given(crowd[1:])})
	w.do(t, w.ratna, "", follow)
	w.do(t, w.ratna, "", follow)
}

// TestCategories creates, renames and deletes categories of tickets.
func TestCategories(t *testing.T) {
	w := newWorld(t)
	create := func(u *ent.User, name, want string) (id int) {
		t.Helper()
		w.do(t, u, want, func(ctx context.Context) (err error) {
			id, err = w.tickets.CreateCategory(ctx, model.CreateTicketCategoryInput{Name: name})
			return err
		})
		return id
	}
	id := create(w.agent, " Perangkat ", "")
	create(w.agent, "pERANGKAT", "VALIDATION_FAILED name already_taken")
	create(w.agent, "", "VALIDATION_FAILED name required")
	create(w.ratna, "Lain", "FORBIDDEN")
	create(w.agent, "Lain", "")
	rename := func(u *ent.User, name *string, want string) {
		t.Helper()
		w.do(t, u, want, func(ctx context.Context) error {
			return w.tickets.UpdateCategory(ctx, id, model.UpdateTicketCategoryInput{Name: input.Given(name)})
		})
	}
	rename(w.agent, new("Printer"), "")
	rename(w.agent, new("lain"), "VALIDATION_FAILED name already_taken")
	rename(w.agent, nil, "VALIDATION_FAILED name required")
	rename(w.sari, new("x"), "FORBIDDEN")
	if c := w.DB.TicketCategory.GetX(w.System(), id); c.Name != "Printer" {
		t.Errorf("the category is called %s", c.Name)
	}
	ticket := w.save(t, w.budi, model.SaveTicketInput{CategoryID: input.Given(&id)})
	remove := func(u *ent.User, want string) {
		t.Helper()
		w.do(t, u, want, func(ctx context.Context) error { return w.tickets.DeleteCategory(ctx, id) })
	}
	err := w.Try(w.as(w.agent), func(ctx context.Context, _ *ent.Client) error { return w.tickets.DeleteCategory(ctx, id) })
	if e := errs.As(err); e.Code != errs.Conflict || e.Meta["tickets"] != 1 {
		t.Errorf("in use: %v %v", e, e.Meta)
	}
	remove(w.ratna, "FORBIDDEN")
	w.update(t, w.budi, ticket, "", model.UpdateTicketInput{CategoryID: input.Given[*int](nil)})
	remove(w.agent, "")
	remove(w.agent, "ent: ticket_category not found")
}

// TestList lists tickets of budi and one of sari, the newest first.
func TestList(t *testing.T) {
	w := newWorld(t)
	one := w.save(t, w.budi, model.SaveTicketInput{Priority: high(), Description: input.Given(new("Toner habis"))})
	w.Advance(time.Minute)
	two := w.save(t, w.budi, model.SaveTicketInput{AssigneeID: input.Given(&w.budi.ID)})
	w.Advance(time.Minute)
	foreign := w.save(t, w.sari, model.SaveTicketInput{})
	w.status(t, w.budi, two, entTicket.StatusResolved, "")
	closed, resolved := entTicket.StatusClosed, entTicket.StatusResolved
	urgent, important := entTicket.PriorityUrgent, entTicket.PriorityHigh
	for _, tt := range []struct {
		name   string
		who    *ent.User
		filter Filter
		want   string // ids, or a code
	}{
		{"one's own", w.budi, Filter{}, fmt.Sprint(two, one)},
		{"of the team", w.ratna, Filter{}, fmt.Sprint(foreign, two, one)},
		{"by status", w.budi, Filter{Status: &resolved}, fmt.Sprint(two)},
		{"none of a status", w.budi, Filter{Status: &closed}, ""},
		{"by priority", w.budi, Filter{Priority: &important}, fmt.Sprint(one)},
		{"none of a priority", w.budi, Filter{Priority: &urgent}, ""},
		{"by assignee", w.ratna, Filter{AssigneeID: &w.budi.ID}, fmt.Sprint(two)},
		{"an unknown assignee", w.budi, Filter{AssigneeID: new(99999)}, "NOT_FOUND assigneeId"},
		{"by words", w.budi, Filter{Search: new("TON print")}, fmt.Sprint(one)},
		{"by number", w.budi, Filter{Search: new("2")}, fmt.Sprint(two)},
		{"by words and status", w.budi, Filter{Search: new("print"), Status: &resolved}, fmt.Sprint(two)},
		{"by words that none has", w.budi, Filter{Search: new("scanner")}, ""},
		{"too many words", w.budi, Filter{Search: new(strings.Join(strings.Split("abcdefghijklmnopqrstu", ""), " "))},
			"VALIDATION_FAILED search too_many"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := w.as(tt.who)
			q, err := w.tickets.List(ctx, tt.filter)
			got := apptest.Code(err)
			if err == nil {
				got = strings.Trim(fmt.Sprint(NewestFirst(q).IDsX(ctx)), "[]")
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	w.update(t, w.budi, one, "", model.UpdateTicketInput{Description: input.Given(new("Kertas habis"))})
	for search, want := range map[string]int{"toner": 0, "kertas": 1, "habis": 1} {
		ctx := w.as(w.budi)
		if q, err := w.tickets.List(ctx, Filter{Search: &search}); err != nil || q.CountX(ctx) != want {
			t.Errorf("%s after a change: %v, want %d", search, err, want)
		}
	}
}

// TestWidget counts the tickets that somebody sees: resolved today is since midnight of the company.
func TestWidget(t *testing.T) {
	w := newWorld(t)
	for i, status := range []entTicket.Status{
		entTicket.StatusOpen, entTicket.StatusInProgress, entTicket.StatusResolved, entTicket.StatusClosed,
		entTicket.StatusOpen,
	} {
		id := w.save(t, w.budi, model.SaveTicketInput{})
		w.clock(fmt.Sprintf("09 23:%d", 50+i))
		w.status(t, w.budi, id, status, "")
	}
	w.save(t, w.sari, model.SaveTicketInput{})
	for _, tt := range []struct {
		clock string
		who   *ent.User
		limit *int
		want  model.TicketWidget
		items int
	}{
		{"09 23:59", w.budi, nil, model.TicketWidget{Open: 2, InProgress: 1, ResolvedToday: 2}, 5},
		{"09 23:59", w.budi, new(2), model.TicketWidget{Open: 2, InProgress: 1, ResolvedToday: 2}, 2},
		{"09 23:59", w.sari, nil, model.TicketWidget{Open: 1}, 1},
		{"09 23:59", w.ratna, new(50), model.TicketWidget{Open: 3, InProgress: 1, ResolvedToday: 2}, 6},
		{"10 00:00", w.budi, nil, model.TicketWidget{Open: 2, InProgress: 1}, 5},
	} {
		w.clock(tt.clock)
		ctx := w.as(tt.who)
		got, q, err := w.tickets.Widget(ctx, tt.limit)
		if err != nil || got.Open != tt.want.Open || got.InProgress != tt.want.InProgress ||
			got.ResolvedToday != tt.want.ResolvedToday {
			t.Errorf("%s at %s: %+v %v, want %+v", tt.who.Name, tt.clock, got, err, tt.want)
		}
		ids := q.IDsX(ctx)
		if len(ids) != tt.items || ids[0] < ids[len(ids)-1] {
			t.Errorf("%s: items %v, want %d, the newest first", tt.who.Name, ids, tt.items)
		}
	}
	if _, _, err := w.tickets.Widget(w.as(w.budi), new(0)); apptest.Code(err) != "VALIDATION_FAILED limit out_of_range" {
		t.Errorf("no items: %v", err)
	}
}
