package live

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/report"
	"workforce/ent/session"
	enttoken "workforce/ent/token"
	"workforce/internal/app/apptest"
	"workforce/internal/app/auth/credential"
	"workforce/internal/testdb"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

// A company has budi in the team of ratna, ani in none, an administrator, and somebody of another company.
type company struct {
	*apptest.World
	*Service
	budi, ani, ratna, admin, daeng *ent.User
	listening                      map[*ent.User]*receiverOf
	connections                    map[*ent.User]*Connection
}

func newCompany(t *testing.T, url string) *company {
	t.Helper()
	w := &company{World: apptest.On(t, url)}
	w.listening, w.connections = map[*ent.User]*receiverOf{}, map[*ent.User]*Connection{}
	w.Service = newService(w.World)
	w.Dialect, w.Identities = w.World.DB.Dialect(), credential.New()
	w.budi, w.ani = w.User(t, "Budi"), w.User(t, "Ani")
	w.ratna, w.admin = w.User(t, "Ratna", viewer.Manager), w.User(t, "Admin", viewer.Admin)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		team := db.Business.Create().SetCompanyID(w.Company.ID).SetName("Lobi").SetManagerID(w.ratna.ID).SaveX(ctx)
		other := db.Company.Create().SetName("Tetangga").SetTimezone("Asia/Jakarta").SetLocale("id").
			SetCreatedAt(apptest.Now).SaveX(ctx)
		role := db.Role.Create().SetCompanyID(other.ID).SetBuiltin(viewer.Owner).SetName("Owner").SaveX(ctx)
		w.daeng = db.User.Create().SetCompanyID(other.ID).SetName("Daeng").SetEmail("d@t.test").SetEmailKey("d@t.test").
			SetCreatedAt(apptest.Now).SaveX(ctx)
		db.UserRole.Create().SetCompanyID(other.ID).SetUserID(w.daeng.ID).SetRoleID(role.ID).ExecX(ctx)
		return db.User.UpdateOneID(w.budi.ID).SetBusinessID(team.ID).Exec(ctx)
	})
	for _, u := range []*ent.User{w.budi, w.ani, w.ratna, w.admin, w.daeng} {
		w.connections[u], w.listening[u] = w.signIn(t, u)
	}
	return w
}

// signIn opens a connection of somebody, whose token is valid for an hour, and who listens to all fields.
func (w *company) signIn(t *testing.T, u *ent.User) (*Connection, *receiverOf) {
	t.Helper()
	text, err := token.New(token.Access, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sent, db, ctx := credential.Parse(token.Access, text.Text()), w.World.DB, w.System()
	d := db.Device.Create().SetDeviceID(fmt.Sprint("device ", u.ID)).SetPlatform("ios").SetTokenHash(sent.Hash[:]).
		SetCreatedAt(apptest.Now).SaveX(ctx)
	s := db.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetFamily(sent.Hash[:16]).
		SetGeneration(1).SetVerifiedAt(apptest.Now).SetCreatedAt(apptest.Now).SaveX(ctx)
	db.Token.Create().SetCompanyID(u.CompanyID).SetSessionID(s.ID).SetKind(enttoken.KindAccess).SetHash(sent.Hash[:]).
		SetGeneration(1).SetIssuedAt(apptest.Now).SetExpiresAt(apptest.Now.Add(time.Hour)).ExecX(ctx)
	known, _, err := w.Identities.Get(ctx, db, []credential.Sent{sent}, apptest.Now, false)
	if err != nil || known[sent.Hash] == nil {
		t.Fatalf("%v, %v", known, err)
	}
	r := &receiverOf{}
	c, err := w.Connect("192.0.2.1", r)
	if err == nil {
		err = c.SignIn(&credential.Credential{Kind: token.Access, Sent: sent, Identity: known[sent.Hash]})
	}
	if err != nil {
		t.Fatal(err)
	}
	for field := range kinds {
		c.Listen(field)
	}
	return c, r
}

// told returns who was handed an event since it was asked, by name, and who was ended.
func (w *company) told() (handed, ended string) {
	var got, gone []string
	for u, r := range w.listening {
		for _, d := range r.got {
			if d.Who.Viewer.UserID != u.ID {
				got = append(got, "as somebody else")
			}
			got = append(got, u.Name)
		}
		for _, c := range r.causes {
			gone = append(gone, fmt.Sprint(u.Name, " ", c))
		}
		r.got, r.causes = nil, nil
	}
	slices.Sort(got)
	slices.Sort(gone)
	return strings.Join(got, " "), strings.Join(gone, ", ")
}

// TestDeliver hands each kind of row to those who see it, and to nobody one that is gone.
func TestDeliver(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := newCompany(t, url)
		var own, given, deleted, asked, requested int
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			task := func(title string) *ent.TaskCreate {
				return db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle(title).
					SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now)
			}
			own, given = task("own").SaveX(ctx).ID, task("given").SaveX(ctx).ID
			deleted = task("deleted").SetDeletedAt(apptest.Now).SaveX(ctx).ID
			db.TaskAssignee.Create().SetCompanyID(w.Company.ID).SetTaskID(given).SetUserID(w.ani.ID).ExecX(ctx)
			asked = db.Report.Create().SetCompanyID(w.Company.ID).SetUserID(w.ani.ID).SetKind(report.KindTask).
				SetFormat(report.FormatCsv).SetFromDate("2026-03-09").SetToDate("2026-03-10").SetLanguage("en").SetTimezone("Asia/Jakarta").
				SetCreatedAt(apptest.Now).SetExpiresAt(apptest.Now).SaveX(ctx).ID
			requested = db.Ticket.Create().SetCompanyID(w.Company.ID).SetNumber(1).SetRequesterID(w.ani.ID).
				SetAssigneeID(w.budi.ID).SetSubject("Printer").SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now).SaveX(ctx).ID
			return nil
		})
		const all = "Admin Ani Budi Ratna"
		for _, tt := range []struct {
			about string
			event Event
			want  string
		}{
			{"a task of one's own", Event{Field: taskChanged, ID: own}, "Admin Budi Ratna"},
			{"a task that was given", Event{Field: taskChanged, ID: given}, all},
			{"a task that was deleted", Event{Field: taskChanged, ID: deleted}, ""},
			{"a task that is not there", Event{Field: taskChanged, ID: 1 << 30}, ""},
			{"a report", Event{Field: reportChanged, ID: asked, Users: []int{w.ani.ID}}, "Admin Ani"},
			{"a report that is not there", Event{Field: reportChanged, ID: 1 << 30, Users: []int{w.ani.ID}}, ""},
			{"a ticket", Event{Field: ticketChanged, ID: requested, Users: []int{w.ani.ID, w.budi.ID}}, all},
			{"a ticket in another company", Event{Field: ticketChanged, ID: requested, Company: w.daeng.CompanyID}, ""},
			{"what nobody listens to", Event{Field: "nothing", ID: own}, ""},
		} {
			if tt.event.Company == 0 {
				tt.event.Company = w.Company.ID
			}
			before := w.Delivered()
			w.deliver(t.Context(), tt.event)
			got, ended := w.told()
			if n := int(w.Delivered() - before); got != tt.want || ended != "" || n != len(strings.Fields(tt.want)) {
				t.Errorf("%s: %d told, %q, ended %q, want %q", tt.about, n, got, ended, tt.want)
			}
		}
		w.connections[w.ani].Ignore(taskChanged)
		w.deliver(t.Context(), Event{Field: taskChanged, Company: w.Company.ID, ID: given})
		if got, _ := w.told(); got != "Admin Budi Ratna" {
			t.Errorf("ani listens no more: %q", got)
		}
		w.World.DB.TaskAssignee.Delete().ExecX(w.System())
		w.connections[w.ani].Listen(taskChanged)
		w.deliver(t.Context(), Event{Field: taskChanged, Company: w.Company.ID, ID: given})
		if got, _ := w.told(); got != "Admin Budi Ratna" {
			t.Errorf("the task was taken from ani: %q", got)
		}
	})
}

// TestTokens ends connections whose tokens are not valid, and hands them nothing.
func TestTokens(t *testing.T) {
	w := newCompany(t, testdb.SQLite(t))
	var id int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		id = db.Task.Create().SetCompanyID(w.Company.ID).SetCreatorID(w.budi.ID).SetTitle("T").SetCreatedAt(apptest.Now).
			SetUpdatedAt(apptest.Now).SaveX(ctx).ID
		return nil
	})
	event := Event{Field: taskChanged, Company: w.Company.ID, ID: id}
	revoke := func(u *ent.User) {
		w.World.DB.Session.Update().Where(session.UserID(u.ID)).SetRevokedAt(w.World.Now()).ExecX(w.System())
	}
	want := func(about, handed, ended string) {
		t.Helper()
		if got, gone := w.told(); got != handed || gone != ended {
			t.Errorf("%s: %q, ended %q, want %q, ended %q", about, got, gone, handed, ended)
		}
	}
	system := w.System()
	w.lookUp(system, true)
	want("all are valid", "", "")
	revoke(w.budi)
	w.lookUp(system, false)
	want("in another process, looked up in the cache", "", "")
	w.lookUp(system, true)
	want("looked up afresh", "", "Budi 0")
	w.Identities.Invalidate()
	w.deliver(t.Context(), event)
	want("an event", "Admin Ratna", "Budi 0")
	w.connections[w.budi].Close()
	w.deliver(t.Context(), event)
	want("once the client is gone", "Admin Ratna", "")
	w.Set(apptest.Now.Add(time.Hour - time.Microsecond))
	w.expire()
	want("just before the tokens expire", "", "")
	w.Set(apptest.Now.Add(time.Hour))
	w.expire()
	want("as they expire", "", "Admin 0, Ani 0, Daeng 0, Ratna 0")
	if who := w.connections[w.ratna].Who(); who.Reason != credential.Expired {
		t.Errorf("who listens is %q", who.Reason)
	}
	w.deliver(t.Context(), event)
	want("an event after that", "", "Admin 0, Ani 0, Ratna 0")
}

// TestAway tells those who listen that they missed an event which could not be read, and counts each once.
func TestAway(t *testing.T) {
	w := newCompany(t, testdb.SQLite(t))
	w.connections[w.admin].Ignore(taskChanged)
	if err := w.World.DB.Close(); err != nil {
		t.Fatal(err)
	}
	w.Identities.Invalidate()
	for range 2 {
		w.deliver(t.Context(), Event{Field: taskChanged, Company: w.Company.ID, ID: 1})
		if got, ended := w.told(); got != "" || ended != "Ani 1, Budi 1, Ratna 1" {
			t.Errorf("%q, ended %q", got, ended)
		}
	}
	w.lookUp(w.System(), true)
	if _, ended := w.told(); ended != "" || w.Missed() != 3 {
		t.Errorf("while the database is away: ended %q, %d missed", ended, w.Missed())
	}
	w.connections[w.ani].Overflow()
	if _, ended := w.told(); ended != "Ani 1" || w.Missed() != 3 {
		t.Errorf("who reads too slowly: ended %q, %d missed", ended, w.Missed())
	}
}

// TestReceive takes the events of other instances, and nothing else.
func TestReceive(t *testing.T) {
	w := apptest.New(t)
	s := newService(w)
	for text, want := range map[string]int{
		`{"field":"taskChanged","company":1,"id":2}`: 1, `{"field":"reportChanged","company":1,"id":2,"users":[3]}`: 1,
		``: 0, `{`: 0, `[]`: 0,
	} {
		s.receive([]byte(text))
		if n := len(s.queue); n != want {
			t.Errorf("%q: %d events, want %d", text, n, want)
		}
		for range len(s.queue) {
			<-s.queue
		}
	}
	s.TicketChanged(w.System(), 1, 2, 3, 4)
	if got, want := fmt.Sprint(<-s.queue), fmt.Sprint(Event{ticketChanged, 1, 2, []int{3, 4}}); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var none *Service
	none.TaskChanged(w.System(), 1, 2) // does nothing
}
