package ticket

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	entMessage "workforce/ent/message"
	_ "workforce/ent/runtime"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketcounter"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/input"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/setting"
	"workforce/internal/viewer"
)

var jakarta = time.FixedZone("WIB", 7*3600)

// A world is a company with two employees of a business that ratna manages, and somebody
// who helps.
type world struct {
	*apptest.World
	tickets                  *Service
	budi, sari, ratna, agent *ent.User
	business                 *ent.Business
	settings                 setting.Values
}

// newWorld returns a world on Monday, 9 March 2026, 08:00 in Jakarta.
func newWorld(t *testing.T) *world {
	w := &world{World: apptest.New(t)}
	w.budi, w.sari, w.ratna, w.agent = w.User(t, "Budi"), w.User(t, "Sari"), w.User(t, "Ratna", viewer.Manager), w.User(t, "Agent", viewer.Admin)
	s := servicetest.New(t, w.World)
	w.tickets = &Service{DB: w.DB, Now: w.Now, Files: s.Files, Notify: s.Notify, Managers: s.Organization.Managers}
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		w.business, err = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Kantor").SetManagerID(w.ratna.ID).Save(ctx)
		if err != nil {
			return err
		}
		for _, u := range []*ent.User{w.budi, w.sari, w.ratna} {
			if err := db.User.UpdateOneID(u.ID).SetBusinessID(w.business.ID).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	w.clock("09 08:00")
	return w
}

// clock sets the clock to a day and time of March 2026 in Jakarta.
func (w *world) clock(text string) {
	at, err := time.ParseInLocation("2006-01-02 15:04", "2026-03-"+text, jakarta)
	if err != nil {
		panic(err)
	}
	w.Set(at.UTC())
}

// as returns the context of somebody.
func (w *world) as(u *ent.User) context.Context {
	role, businesses := viewer.Employee, []int(nil)
	switch u.ID {
	case w.ratna.ID:
		role, businesses = viewer.Manager, []int{w.business.ID}
	case w.agent.ID:
		role = viewer.Admin
	}
	ctx := w.As(u, role, businesses...)
	viewer.From(ctx).Settings = w.settings
	return ctx
}

// do runs a step in the name of somebody, and fails unless it returns a code.
func (w *world) do(t *testing.T, u *ent.User, want string, step func(ctx context.Context) error) {
	t.Helper()
	if got := apptest.Code(w.Try(w.as(u), func(ctx context.Context, _ *ent.Client) error { return step(ctx) })); got != want {
		t.Errorf("%s: %q, want %q", u.Name, got, want)
	}
}

// save adds a ticket of somebody and returns its id.
func (w *world) save(t *testing.T, u *ent.User, in model.SaveTicketInput) (id int) {
	t.Helper()
	in.Subject = "Printer"
	w.do(t, u, "", func(ctx context.Context) (err error) { id, err = w.tickets.Save(ctx, in); return err })
	return id
}

func (w *world) update(t *testing.T, u *ent.User, id int, want string, in model.UpdateTicketInput) {
	t.Helper()
	w.do(t, u, want, func(ctx context.Context) error { return w.tickets.Update(ctx, id, in) })
}

func (w *world) status(t *testing.T, u *ent.User, id int, s entTicket.Status, want string) {
	t.Helper()
	w.update(t, u, id, want, model.UpdateTicketInput{Status: input.Given(&s)})
}

func (w *world) comment(t *testing.T, u *ent.User, id int, want string) {
	t.Helper()
	w.do(t, u, want, func(ctx context.Context) error {
		_, err := w.tickets.Comment(ctx, model.CreateTicketCommentInput{TicketID: id, Text: "x"})
		return err
	})
}

func (w *world) note(t *testing.T, u *ent.User, id int, want string) {
	t.Helper()
	w.do(t, u, want, func(ctx context.Context) error {
		_, err := w.tickets.Comment(ctx,
			model.CreateTicketCommentInput{TicketID: id, Text: "x", Internal: input.Given(new(true))})
		return err
	})
}

// want fails unless a ticket has a status and instants: to answer by, to resolve by,
// answered, resolved.
func (w *world) want(t *testing.T, id int, want string) {
	t.Helper()
	k := w.DB.Ticket.GetX(w.System(), id)
	got := string(k.Status)
	for _, at := range []*time.Time{k.RespondBy, k.ResolveBy, k.RespondedAt, k.ResolvedAt} {
		if got += " -"; at != nil {
			got = got[:len(got)-1] + at.In(jakarta).Format("02T15:04")
		}
	}
	if got != want {
		t.Errorf("ticket is %s, want %s", got, want)
	}
}

// told returns the messages since the last call, as kind and person, in order.
func (w *world) told(t *testing.T) string {
	t.Helper()
	var list []string
	for _, m := range w.DB.Message.Query().WithUser().Order(ent.Asc(entMessage.FieldID)).AllX(w.System()) {
		list = append(list, m.Kind+" "+m.Edges.User.Name)
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) error { _, err := db.Message.Delete().Exec(ctx); return err })
	slices.Sort(list)
	return strings.Join(list, ", ")
}

func (w *world) wantTold(t *testing.T, want string) {
	t.Helper()
	if got := w.told(t); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}

func high() input.Omittable[*entTicket.Priority] { return input.Given(new(entTicket.PriorityHigh)) }

// TestSLA saves tickets before and after business hours, holds and resumes one, changes its
// priority, and opens one again.
func TestSLA(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.budi, model.SaveTicketInput{Priority: high()})
	w.want(t, id, "open 09T11:00 09T14:00 - -")
	w.clock("09 20:00")
	urgent := w.save(t, w.budi, model.SaveTicketInput{Priority: input.Given(new(entTicket.PriorityUrgent))})
	w.want(t, urgent, "open 10T10:30 10T12:00 - -")

	w.clock("09 12:00")
	hold := func(u *ent.User, want string) {
		t.Helper()
		w.do(t, u, want, func(ctx context.Context) error { return w.tickets.Hold(ctx, id, nil) })
	}
	resume := func(want string) {
		t.Helper()
		w.do(t, w.agent, want, func(ctx context.Context) error { return w.tickets.Resume(ctx, id) })
	}
	resume("CONFLICT")
	hold(w.sari, "ent: ticket not found")
	hold(w.ratna, "FORBIDDEN")
	hold(w.agent, "")
	hold(w.agent, "CONFLICT")
	w.want(t, id, "open 09T11:00 - - -")
	w.clock("09 13:30")
	resume("")
	w.want(t, id, "open 09T11:00 09T15:30 - -")
	w.clock("09 14:00")
	hold(w.agent, "")
	w.clock("09 15:00")
	w.comment(t, w.budi, id, "")
	w.want(t, id, "open 09T11:00 09T16:30 - -")
	w.update(t, w.budi, id, "", model.UpdateTicketInput{Priority: input.Given(new(entTicket.PriorityUrgent))})
	w.want(t, id, "open 09T10:30 09T12:00 - -")
	w.status(t, w.agent, id, entTicket.StatusInProgress, "")
	w.want(t, id, "in_progress 09T10:30 09T12:00 09T15:00 -")
	hold(w.agent, "")
	w.clock("09 16:00")
	w.status(t, w.agent, id, entTicket.StatusResolved, "")
	w.want(t, id, "resolved 09T10:30 09T12:00 09T15:00 09T16:00")
	hold(w.agent, "CONFLICT")
	w.clock("10 11:00")
	w.status(t, w.budi, id, entTicket.StatusOpen, "")
	w.want(t, id, "open 09T10:30 09T12:00 09T15:00 -")
	if n := w.DB.TicketHold.Query().CountX(w.System()); n != 4 {
		t.Errorf("%d holds, want 4", n)
	}
}

// TestReopened has the time in which a ticket was resolved not count.
func TestReopened(t *testing.T) {
	w := newWorld(t)
	w.clock("09 10:00")
	id := w.save(t, w.budi, model.SaveTicketInput{Priority: high()})
	w.clock("09 12:00")
	w.status(t, w.agent, id, entTicket.StatusResolved, "")
	w.clock("10 12:00")
	w.status(t, w.budi, id, entTicket.StatusInProgress, "")
	w.want(t, id, "in_progress 09T11:00 10T14:00 09T12:00 -")
	w.status(t, w.budi, id, entTicket.StatusClosed, "")
	w.want(t, id, "closed 09T11:00 10T14:00 09T12:00 10T12:00")
	w.status(t, w.budi, id, entTicket.StatusResolved, "CONFLICT status")
	w.status(t, w.budi, id, entTicket.StatusOpen, "")
	if k := w.DB.Ticket.GetX(w.System(), id); k.ClosedAt != nil || k.ResolvedAt != nil {
		t.Errorf("an open ticket was closed at %v and resolved at %v", k.ClosedAt, k.ResolvedAt)
	}
}

// TestAnswers says what answers a ticket: what its requester does only where they help.
func TestAnswers(t *testing.T) {
	w := newWorld(t)
	w.clock("09 10:00")
	id := w.save(t, w.budi, model.SaveTicketInput{Priority: high()})
	w.comment(t, w.budi, id, "")
	w.status(t, w.budi, id, entTicket.StatusInProgress, "")
	w.want(t, id, "in_progress 09T11:00 09T14:00 - -")
	w.comment(t, w.ratna, id, "")
	w.want(t, id, "in_progress 09T11:00 09T14:00 09T10:00 -")
	own := w.save(t, w.budi, model.SaveTicketInput{Priority: high(), AssigneeID: input.Given(&w.budi.ID)})
	w.comment(t, w.budi, own, "")
	w.want(t, own, "open 09T11:00 09T14:00 09T10:00 -")
}

// TestCalendar counts by the holidays, weekly offs and zone of the address of the requester's
// business.
func TestCalendar(t *testing.T) {
	w := newWorld(t)
	var site *ent.Address
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		site, err = db.Address.Create().SetCompanyID(w.Company.ID).SetName("Makassar").SetAddress("x").SetLatitude(1).SetLongitude(1).
			SetBusinessID(w.business.ID).SetTimezone("Asia/Makassar").SetWeeklyOffs([]int{2}).Save(ctx)
		if err != nil {
			return err
		}
		day := func(name, date string) *ent.HolidayCreate {
			return db.Holiday.Create().SetCompanyID(w.Company.ID).SetName(name).SetDate(date)
		}
		if err := day("Nyepi", "2026-03-11").Exec(ctx); err != nil {
			return err
		}
		return day("Kota", "2026-03-12").SetAddressID(site.ID).SetHalf(true).Exec(ctx)
	})
	w.clock("09 08:30") // 09:30 there, half an hour before business hours
	w.want(t, w.save(t, w.budi, model.SaveTicketInput{Priority: high()}), "open 09T10:00 09T13:00 - -")
	w.clock("09 16:00") // 17:00 there
	id := w.save(t, w.budi, model.SaveTicketInput{Priority: high()})
	w.want(t, id, "open 09T17:00 12T12:00 - -")
	other := w.save(t, w.agent, model.SaveTicketInput{Priority: high()})
	w.want(t, other, "open 09T17:00 10T12:00 - -")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.Address.Create().SetCompanyID(w.Company.ID).SetName("Lain").SetAddress("x").SetLatitude(1).SetLongitude(1).SetBusinessID(w.business.ID).Exec(ctx)
	})
	both := w.save(t, w.budi, model.SaveTicketInput{Priority: high()})
	w.want(t, both, "open 09T17:00 10T12:00 - -")
	w.settings = setting.Values{"slaWeekdays": []int{}}
	w.want(t, w.save(t, w.budi, model.SaveTicketInput{}), "open - - - -")
	w.settings = setting.Values{"slaHighResponseMinutes": 10, "slaHighResolutionMinutes": 20, "slaEndMinute": 1440}
	w.want(t, w.save(t, w.agent, model.SaveTicketInput{Priority: high()}), "open 09T16:10 09T16:20 - -")
}

// TestNumbers has a ticket that is refused take no number.
func TestNumbers(t *testing.T) {
	w := newWorld(t)
	for range 3 {
		w.save(t, w.budi, model.SaveTicketInput{})
	}
	failed := w.Try(w.as(w.budi), func(ctx context.Context, _ *ent.Client) error {
		if _, err := w.tickets.Save(ctx, model.SaveTicketInput{Subject: "x"}); err != nil {
			return err
		}
		return fmt.Errorf("late")
	})
	if failed == nil {
		t.Error("a late error is none")
	}
	w.save(t, w.sari, model.SaveTicketInput{})
	if got := fmt.Sprint(w.DB.Ticket.Query().Order(ent.Asc(entTicket.FieldID)).Select(entTicket.FieldNumber).IntsX(w.System())); got != "[1 2 3 4]" {
		t.Errorf("numbers %s", got)
	}
}

// statements returns the statements of a step in the name of somebody.
func (w *world) statements(t *testing.T, u *ent.User, step func(ctx context.Context) error) (all []string) {
	t.Helper()
	ctx := database.RecordStatements(w.as(u), func(_ context.Context, text string) { all = append(all, text) })
	if err := w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return step(ctx) }); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCounterIsHeldShortly takes a number once all is read that a new ticket needs: what follows is
// written. A merge leaves the counter alone.
func TestCounterIsHeldShortly(t *testing.T) {
	w := newWorld(t)
	var id int
	saved := w.statements(t, w.agent, func(ctx context.Context) (err error) {
		id, err = w.tickets.Save(ctx, model.SaveTicketInput{
			Subject: "Printer", AssigneeID: input.Given(&w.ratna.ID), FollowerIds: input.Given([]int{w.sari.ID, w.budi.ID}),
		})
		return err
	})
	counter := func(text string) bool { return strings.Contains(text, "`ticket_counters`") }
	at := slices.IndexFunc(saved, counter)
	if at < 0 {
		t.Fatalf("no number is counted in %q", saved)
	}
	for _, text := range saved[at:] {
		named := strings.HasPrefix(text, "SELECT `users`.`id` FROM") // the policy of the new row looks at whom it names
		company := strings.Contains(text, "FROM `companies`")        // whose name the notice has
		if strings.HasPrefix(text, "SELECT") && !counter(text) && !named && !company {
			t.Errorf("read while the counter is held: %s", text)
		}
	}
	w.wantTold(t, "ticket_assigned Ratna")
	into := w.save(t, w.agent, model.SaveTicketInput{})
	w.update(t, w.agent, id, "", model.UpdateTicketInput{DuplicateOfID: input.Given(&into)})
	var counters []string
	for _, c := range w.DB.TicketCounter.Query().Order(ent.Asc(ticketcounter.FieldID)).AllX(w.System()) {
		counters = append(counters, fmt.Sprint(c.ID, ":", c.Last))
	}
	if want := []string{fmt.Sprint(-w.Company.ID, ":1"), fmt.Sprint(w.Company.ID, ":2")}; !slices.Equal(counters, want) {
		t.Errorf("counters %q, want %q: one merge, two tickets", counters, want)
	}
}

// TestMerge merges tickets, but none with itself or with one that was merged with it.
func TestMerge(t *testing.T) {
	w := newWorld(t)
	one, two, three := w.save(t, w.budi, model.SaveTicketInput{}), w.save(t, w.budi, model.SaveTicketInput{}), w.save(t, w.budi, model.SaveTicketInput{})
	foreign := w.save(t, w.sari, model.SaveTicketInput{})
	merge := func(id, into int, want string) {
		t.Helper()
		w.update(t, w.budi, id, want, model.UpdateTicketInput{DuplicateOfID: input.Given(&into)})
	}
	merge(one, one, "CYCLE duplicateOfId")
	merge(one, foreign, "NOT_FOUND duplicateOfId")
	merge(one, two, "")
	merge(two, three, "")
	merge(three, one, "CYCLE duplicateOfId")
	w.status(t, w.budi, one, entTicket.StatusOpen, "CONFLICT status")
	w.want(t, one, "closed 09T18:00 11T18:00 - 09T08:00")
	w.update(t, w.budi, one, "CONFLICT status", model.UpdateTicketInput{DuplicateOfID: input.Given(&two), Status: input.Given(new(entTicket.StatusOpen))})
	w.update(t, w.budi, one, "", model.UpdateTicketInput{DuplicateOfID: input.Given[*int](nil), Status: input.Given(new(entTicket.StatusOpen))})
	w.want(t, one, "open 09T18:00 11T18:00 - -")
}

// TestTold says who is told of what: never who did it.
func TestTold(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.budi, model.SaveTicketInput{FollowerIds: input.Given([]int{w.sari.ID, w.budi.ID})})
	w.wantTold(t, "")
	w.update(t, w.agent, id, "", model.UpdateTicketInput{AssigneeID: input.Given(&w.ratna.ID)})
	w.wantTold(t, "ticket_assigned Ratna")
	w.update(t, w.agent, id, "", model.UpdateTicketInput{AssigneeID: input.Given(&w.ratna.ID), Subject: input.Given(new("Tinta"))})
	w.wantTold(t, "")
	w.comment(t, w.ratna, id, "")
	w.wantTold(t, "ticket_comment Budi, ticket_comment Sari")
	w.note(t, w.agent, id, "")
	w.wantTold(t, "ticket_note Ratna")
	w.note(t, w.ratna, id, "")
	w.wantTold(t, "")
	w.status(t, w.ratna, id, entTicket.StatusInProgress, "")
	w.wantTold(t, "")
	w.status(t, w.ratna, id, entTicket.StatusResolved, "")
	w.wantTold(t, "ticket_resolved Budi, ticket_resolved Sari")
	w.status(t, w.budi, id, entTicket.StatusOpen, "")
	w.wantTold(t, "ticket_reopened Ratna, ticket_reopened Sari")
	w.status(t, w.budi, id, entTicket.StatusClosed, "")
	w.wantTold(t, "ticket_closed Ratna, ticket_closed Sari")
	w.do(t, w.sari, "", func(ctx context.Context) error { return w.tickets.Unfollow(ctx, id) })
	w.do(t, w.sari, "NOT_FOUND ticketId", func(ctx context.Context) error { return w.tickets.Unfollow(ctx, id) })
}

// TestNotes has the assignee and the followers of a ticket of budi change. Whoever does not see
// internal notes leaves none, and its requester is told of none.
func TestNotes(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.budi, model.SaveTicketInput{FollowerIds: input.Given([]int{w.budi.ID, w.sari.ID})})
	steps := []struct {
		name     string
		by       *ent.User // who assigns
		assignee *ent.User // nil for nobody
		sees     string    // who sees the notes
		told     string    // who is told of one of the agent
	}{
		{"nobody's", w.agent, nil, "Ratna Agent", ""},
		{"the requester takes it", w.budi, w.budi, "Ratna Agent", ""},
		{"a follower's", w.agent, w.sari, "Sari Ratna Agent", "ticket_note Sari"},
		{"the manager's", w.agent, w.ratna, "Ratna Agent", "ticket_note Ratna"},
		{"one's own", w.agent, w.agent, "Ratna Agent", ""},
		{"the requester's again", w.agent, w.budi, "Ratna Agent", ""},
	}
	notes := 0
	for _, tt := range steps {
		t.Run(tt.name, func(t *testing.T) {
			var assignee *int
			if tt.assignee != nil {
				assignee = &tt.assignee.ID
			}
			w.update(t, tt.by, id, "", model.UpdateTicketInput{AssigneeID: input.Given(assignee)})
			w.told(t)
			w.note(t, w.agent, id, "")
			notes++
			w.wantTold(t, tt.told)
			for _, u := range []*ent.User{w.budi, w.sari, w.ratna, w.agent} {
				want, code := 0, "FORBIDDEN internal"
				if strings.Contains(tt.sees, u.Name) {
					want, code = notes, ""
				}
				if n := w.DB.TicketComment.Query().CountX(w.as(u)); n != want {
					t.Errorf("%s sees %d notes, want %d", u.Name, n, want)
				}
				if w.note(t, u, id, code); code == "" {
					notes++
				}
			}
		})
	}
}

// TestNotesOfManagers has a manager ask: their team does not make them handle their own ticket.
func TestNotesOfManagers(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.ratna, model.SaveTicketInput{})
	for _, assignee := range []*ent.User{w.ratna, w.budi} {
		w.update(t, w.agent, id, "", model.UpdateTicketInput{AssigneeID: input.Given(&assignee.ID)})
		w.note(t, w.agent, id, "")
		w.note(t, w.ratna, id, "FORBIDDEN internal")
		if n := w.DB.TicketComment.Query().CountX(w.as(w.ratna)); n != 0 {
			t.Errorf("assigned to %s: the manager who asked sees %d notes", assignee.Name, n)
		}
	}
}

// TestAlerts warns the assignee before a ticket is due, tells their manager once it is
// overdue, and each of it once; of a ticket of nobody the requester's manager is told.
func TestAlerts(t *testing.T) {
	w := newWorld(t)
	alert := func(at, want string) {
		t.Helper()
		w.clock(at)
		ids := w.DB.Ticket.Query().Where(entTicket.AlertAtLTE(w.Now())).IDsX(w.System())
		for range 2 {
			for _, id := range ids {
				w.Change(t, func(ctx context.Context, _ *ent.Client) error { return w.tickets.alert(ctx, id) })
			}
		}
		if got := w.told(t); got != want {
			t.Errorf("at %s told %q, want %q", at, got, want)
		}
	}
	id := w.save(t, w.budi, model.SaveTicketInput{Priority: high()})
	w.update(t, w.agent, id, "", model.UpdateTicketInput{AssigneeID: input.Given(&w.sari.ID)})
	w.told(t)
	alert("09 10:44", "")
	alert("09 10:45", "ticket_response_soon Sari")
	alert("09 10:59", "")
	alert("09 11:00", "ticket_response_over Ratna, ticket_response_over Sari")
	alert("09 13:44", "")
	w.comment(t, w.sari, id, "")
	w.told(t)
	alert("09 15:00", "ticket_resolution_over Ratna, ticket_resolution_over Sari")
	alert("09 16:00", "")
	w.update(t, w.budi, id, "", model.UpdateTicketInput{Priority: input.Given(new(entTicket.PriorityNormal))})
	alert("11 17:44", "")
	alert("11 17:45", "ticket_resolution_soon Sari")
	w.do(t, w.agent, "", func(ctx context.Context) error { return w.tickets.Hold(ctx, id, nil) })
	alert("12 12:00", "")

	nobody := w.save(t, w.budi, model.SaveTicketInput{Priority: high()})
	alert("12 12:45", "ticket_response_soon Ratna")
	w.status(t, w.budi, nobody, entTicket.StatusClosed, "")
	w.told(t)
	alert("13 12:45", "")
}

// TestFaults refuses members, and changes nothing then.
func TestFaults(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.budi, model.SaveTicketInput{})
	long := strings.Repeat("x", 5001)
	for name, tt := range map[string]struct {
		in   model.UpdateTicketInput
		want string
	}{
		"no subject":         {model.UpdateTicketInput{Subject: input.Given[*string](nil)}, "VALIDATION_FAILED subject required"},
		"a blank subject":    {model.UpdateTicketInput{Subject: input.Given(new(" "))}, "VALIDATION_FAILED subject required"},
		"a long description": {model.UpdateTicketInput{Description: input.Given(&long)}, "VALIDATION_FAILED description too_long"},
		"no status":          {model.UpdateTicketInput{Status: input.Given[*entTicket.Status](nil)}, "VALIDATION_FAILED status required"},
		"no priority":        {model.UpdateTicketInput{Priority: input.Given[*entTicket.Priority](nil)}, "VALIDATION_FAILED priority required"},
		"too many followers": {model.UpdateTicketInput{FollowerIds: input.Given(numbers(51))}, "VALIDATION_FAILED followerIds too_many"},
		"unknown followers":  {model.UpdateTicketInput{FollowerIds: input.Given(numbers(50))}, "NOT_FOUND followerIds"},
		"a colleague":        {model.UpdateTicketInput{AssigneeID: input.Given(&w.sari.ID)}, "FORBIDDEN assigneeId"},
		"nobody known":       {model.UpdateTicketInput{AssigneeID: input.Given(new(99999))}, "NOT_FOUND assigneeId"},
		"no category known":  {model.UpdateTicketInput{CategoryID: input.Given(new(99999))}, "NOT_FOUND categoryId"},
	} {
		t.Run(name, func(t *testing.T) { w.update(t, w.budi, id, tt.want, tt.in) })
	}
	w.update(t, w.sari, id, "ent: ticket not found", model.UpdateTicketInput{})
	w.update(t, w.ratna, id, "FORBIDDEN", model.UpdateTicketInput{})
	if k := w.DB.Ticket.GetX(w.System(), id); k.Subject != "Printer" || k.AssigneeID != nil {
		t.Errorf("a refused change left %v", k)
	}
}

// numbers returns ids that nobody has.
func numbers(n int) (ids []int) {
	for i := range n {
		ids = append(ids, 90_000+i)
	}
	return ids
}

// TestVersions changes a ticket and its followers under versions that are right and wrong.
func TestVersions(t *testing.T) {
	w := newWorld(t)
	id := w.save(t, w.budi, model.SaveTicketInput{})
	version := func(about string, want int) {
		t.Helper()
		if v := w.DB.Ticket.GetX(w.System(), id).Version; v != want {
			t.Errorf("%s: version %d, want %d", about, v, want)
		}
	}
	version("saved", 1)
	w.update(t, w.budi, id, "", model.UpdateTicketInput{Version: input.Given(new(1))})
	version("nothing", 1)
	w.update(t, w.budi, id, "", model.UpdateTicketInput{Subject: input.Given(new("Toner")), Version: input.Given(new(1))})
	version("changed", 2)
	w.comment(t, w.sari, id, "NOT_FOUND ticketId")
	w.comment(t, w.agent, id, "")
	w.do(t, w.agent, "", func(ctx context.Context) error { return w.tickets.Hold(ctx, id, nil) })
	w.do(t, w.agent, "", func(ctx context.Context) error { return w.tickets.Resume(ctx, id) })
	version("held and resumed", 2)
	follow := func(ctx context.Context) error { return w.tickets.Follow(ctx, id) }
	unfollow := func(ctx context.Context) error { return w.tickets.Unfollow(ctx, id) }
	for i, step := range []func(context.Context) error{unfollow, follow, follow, unfollow, unfollow, follow} {
		w.do(t, w.agent, "", step)
		version(fmt.Sprint("followed ", i), []int{2, 3, 3, 4, 4, 5}[i])
	}
	for want, in := range map[string]model.UpdateTicketInput{
		"map[subject:Baru] map[subject:Toner]": {
			Subject: input.Given(new(" Baru ")), Priority: input.Given(new(entTicket.PriorityNormal)),
		},
		"map[assigneeId:" + fmt.Sprint(w.budi.ID) + " description:x priority:high status:closed] " +
			"map[assigneeId:<nil> description:<nil> priority:normal status:open]": {
			AssigneeID: input.Given(&w.budi.ID), Description: input.Given(new("x")), Priority: high(),
			Status: input.Given(new(entTicket.StatusClosed)),
		},
		"map[followerIds:[]] map[followerIds:[" + fmt.Sprint(w.agent.ID) + "]]": {FollowerIds: input.Given([]int{})},
		"map[] map[]": {FollowerIds: input.Given([]int{w.agent.ID}), AssigneeID: input.Given[*int](nil)},
	} {
		in.Version = input.Given(new(4))
		e := errs.As(w.Try(w.as(w.budi),
			func(ctx context.Context, _ *ent.Client) error { return w.tickets.Update(ctx, id, in) }))
		if got := fmt.Sprint(e.Meta["yours"], " ", e.Meta["theirs"]); e.Code != errs.VersionConflict ||
			got != want || e.Meta["version"] != 4 || e.Meta["currentVersion"] != 5 {
			t.Errorf("%v %v, want %s", e, e.Meta, want)
		}
	}
	version("refused", 5)
}
