package live

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	entgo "entgo.io/ent"
	"entgo.io/ent/dialect"
	"github.com/go-sql-driver/mysql"

	"workforce/ent"
	entPosition "workforce/ent/position"
	_ "workforce/ent/runtime"
	"workforce/internal/app/apptest"
	"workforce/internal/app/auth/credential"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/testdb"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

func newService(w *apptest.World) *Service {
	s := New(w.Now, slog.New(slog.DiscardHandler))
	s.DB, s.Dialect = w.DB, dialect.SQLite
	return s
}

// A receiverOf counts what a connection is told.
type receiverOf struct {
	got    []Delivery
	causes []Cause
}

func (r *receiverOf) Deliver(d Delivery) { r.got = append(r.got, d) }
func (r *receiverOf) End(c Cause)        { r.causes = append(r.causes, c) }

// connect opens a connection of a viewer in a session, which listens to attendances.
func connect(t *testing.T, s *Service, v *viewer.Viewer, session int) (*Connection, *receiverOf) {
	t.Helper()
	r := &receiverOf{}
	c, err := s.Connect("192.0.2.1", r)
	if err != nil {
		t.Fatal(err)
	}
	i := &credential.Identity{Kind: token.Access, Viewer: *v, Session: credential.Session{ID: session, CompanyID: v.CompanyID, UserID: v.UserID}}
	if err := c.SignIn(&credential.Credential{Identity: i}); err != nil {
		t.Fatal(err)
	}
	c.Listen(attendanceChanged)
	return c, r
}

// TestAfterCommit publishes after the commit, also of one that may have taken place, and
// nothing for a transaction that was rolled back.
func TestAfterCommit(t *testing.T) {
	w := apptest.New(t)
	s, failed := newService(w), errors.New("failed")
	waiting := func() int {
		n := len(s.queue)
		for range n {
			<-s.queue
		}
		return n
	}
	publish := func(ctx context.Context) { s.AttendanceChanged(ctx, 1, 2, 3) }
	tests := []struct {
		name string
		step func(ctx context.Context) error
		want int
	}{
		{"commit", func(ctx context.Context) error {
			publish(ctx)
			if n := len(s.queue); n != 0 {
				t.Errorf("%d events before the commit", n)
			}
			return nil
		}, 1},
		{"two rows", func(ctx context.Context) error { publish(ctx); publish(ctx); return nil }, 2},
		{"rollback", func(ctx context.Context) error { publish(ctx); return failed }, 0},
		{"a commit that the database undid", func(ctx context.Context) error {
			publish(ctx)
			commitFails(ctx, &mysql.MySQLError{Number: 1213})
			return nil
		}, 0},
		{"a commit whose answer was lost", func(ctx context.Context) error {
			publish(ctx)
			commitFails(ctx, mysql.ErrInvalidConn)
			return nil
		}, 1},
	}
	for _, tt := range tests {
		_ = w.Try(w.System(), func(ctx context.Context, _ *ent.Client) error { return tt.step(ctx) })
		if got := waiting(); got != tt.want {
			t.Errorf("%s: %d events, want %d", tt.name, got, tt.want)
		}
	}
	publish(w.System())
	if got := waiting(); got != 1 {
		t.Errorf("outside of a transaction: %d events", got)
	}
	(*Service)(nil).AttendanceChanged(w.System(), 1, 2, 3)
}

// commitFails makes the commit of the transaction of ctx end with an error.
func commitFails(ctx context.Context, failure error) {
	ent.TxFromContext(ctx).OnCommit(func(next ent.Committer) ent.Committer {
		return ent.CommitFunc(func(ctx context.Context, tx *ent.Tx) error {
			return errors.Join(next.Commit(ctx, tx), failure)
		})
	})
}

// TestJudge decides as the policy does for each viewer alone, in one statement for many.
func TestJudge(t *testing.T) {
	w := apptest.New(t)
	s := newService(w)
	var unit, other int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		unit = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Unit").SaveX(ctx).ID
		other = db.Business.Create().SetCompanyID(w.Company.ID).SetName("Other").SaveX(ctx).ID
		return nil
	})
	people := []*ent.User{w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Ayu"), w.User(t, "Eko")}
	var rows []int
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		db.User.UpdateOneID(people[0].ID).SetBusinessID(unit).ExecX(ctx)
		db.User.UpdateOneID(people[1].ID).SetBusinessID(other).ExecX(ctx)
		for i, u := range people {
			p := db.Position.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetRecordedAt(apptest.Now.Add(time.Duration(i) * time.Minute)).
				SetReceivedAt(apptest.Now).SetLatitude(1).SetLongitude(2).SetSource(entPosition.SourceReport).SaveX(ctx)
			rows = append(rows, p.ID)
		}
		return nil
	})
	positions := kind{table: entPosition.Table, policy: func() entgo.Policy { return entPosition.Policy }}
	var all []*Connection
	for n := range 200 {
		for i, u := range people {
			for _, rights := range []struct {
				role       string
				businesses []int
			}{{viewer.Employee, nil}, {viewer.Admin, nil}, {viewer.Manager, []int{unit}}, {viewer.Manager, []int{other}},
				{viewer.Supervisor, []int{unit, other}}, {viewer.Owner, nil}} {
				v := viewer.From(w.As(u, rights.role, rights.businesses...))
				if i == 3 {
					v.CompanyID++ // another company's
				}
				if n > 0 {
					v.UserID += 1000 * n // somebody else's
				}
				c, _ := connect(t, s, v, len(all))
				all = append(all, c)
			}
		}
	}
	for i, id := range rows {
		var statements atomic.Int32
		ctx := database.CountStatements(w.System(), &statements)
		seeing, err := s.judge(ctx, positions, Event{ID: id, Users: []int{people[i].ID}}, all)
		if err != nil || statements.Load() != 1 {
			t.Fatalf("%v, %d statements", err, statements.Load())
		}
		sees := map[*Connection]bool{}
		for _, c := range seeing {
			sees[c] = true
		}
		for _, c := range all {
			v := &c.holder.Load().Viewer
			want, err := w.DB.Position.Query().Where(entPosition.ID(id)).Exist(viewer.NewContext(w.System(), v))
			if err != nil || sees[c] != want {
				t.Fatalf("row of %d: %d with %v sees it: %v, want %v, %v", people[i].ID, v.UserID, v.Businesses, sees[c], want, err)
			}
		}
	}
	if seeing, err := s.judge(w.System(), positions, Event{ID: 1 << 30}, all); err != nil || len(seeing) > 0 {
		t.Errorf("a row that is not there: %d see it, %v", len(seeing), err)
	}
}

// TestJoined decides for people of the same rights, one of whom came to follow the ticket after
// its event was published: the others do not see the ticket with them.
func TestJoined(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		w := apptest.On(t, url)
		s := newService(w)
		s.Dialect = w.DB.Dialect()
		asks, joins, other := w.User(t, "Budi"), w.User(t, "Agus"), w.User(t, "Ayu")
		var id int
		w.Change(t, func(ctx context.Context, db *ent.Client) error {
			id = db.Ticket.Create().SetCompanyID(w.Company.ID).SetNumber(1).SetRequesterID(asks.ID).SetSubject("Printer").
				SetCreatedAt(apptest.Now).SetUpdatedAt(apptest.Now).SaveX(ctx).ID
			return db.TicketFollower.Create().SetCompanyID(w.Company.ID).SetTicketID(id).SetUserID(joins.ID).Exec(ctx)
		})
		var all []*Connection
		for i, u := range []*ent.User{joins, other, asks} {
			c, _ := connect(t, s, viewer.From(w.As(u, viewer.Employee)), i)
			all = append(all, c)
		}
		for _, tt := range []struct {
			about []int
			want  []*Connection
		}{
			{[]int{asks.ID}, all[2:]}, // the follower is told by the event of their coming
			{[]int{asks.ID, joins.ID}, []*Connection{all[0], all[2]}},
		} {
			seeing, err := s.judge(w.System(), kinds[ticketChanged], Event{ID: id, Users: tt.about}, all)
			if err != nil || !slices.Equal(seeing, tt.want) {
				t.Errorf("about %v: %d see it, want %d, %v", tt.about, len(seeing), len(tt.want), err)
			}
		}
	})
}

// TestBounds refuses connections beyond the bounds, and counts those that close.
func TestBounds(t *testing.T) {
	w := apptest.New(t)
	s := newService(w)
	v := &viewer.Viewer{UserID: 1, CompanyID: 1}
	var first *Connection
	for n := range maxOfSession {
		c, _ := connect(t, s, v, 7)
		if n == 0 {
			first = c
		}
	}
	more, err := s.Connect("192.0.2.1", &receiverOf{})
	if err != nil {
		t.Fatal(err)
	}
	who := &credential.Credential{Identity: &credential.Identity{Session: credential.Session{ID: 7, CompanyID: 1}}}
	if err := more.SignIn(who); !errs.Is(err, errs.RateLimited) {
		t.Errorf("more than %d of a session: %v", maxOfSession, err)
	}
	first.Close()
	first.Close()
	if err := more.SignIn(who); err != nil {
		t.Errorf("after one closed: %v", err)
	}
	var last *Connection
	for n := range maxStrangers {
		network := strconv.Itoa(n / maxOfNetwork)
		if last, err = s.Connect(network, &receiverOf{}); err != nil {
			t.Fatal(err)
		}
		if want := n%maxOfNetwork >= maxOfNetwork/2 || n >= maxStrangers/2; last.Crowded() != want {
			t.Errorf("stranger %d: crowded %t", n, !want)
		}
		if n%maxOfNetwork < maxOfNetwork-1 || n == maxStrangers-1 {
			continue
		}
		if _, err := s.Connect(network, &receiverOf{}); !errs.Is(err, errs.RateLimited) {
			t.Errorf("more than %d of a network: %v", maxOfNetwork, err)
		}
	}
	if _, err := s.Connect("192.0.2.1", &receiverOf{}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("more than %d strangers: %v", maxStrangers, err)
	}
	last.Close()
	if last, err = s.Connect("9", &receiverOf{}); err != nil {
		t.Errorf("after a stranger closed: %v", err)
	}
	who.Session.ID++
	if err := last.SignIn(who); err != nil {
		t.Error(err)
	}
	if _, err := s.Connect("9", &receiverOf{}); err != nil {
		t.Errorf("after a stranger signed in: %v", err)
	}
	if got := s.Open(); got != 1+maxOfSession+maxStrangers {
		t.Errorf("%d are open", got)
	}
}

// TestOverflow tells all who listen that they missed something when too many events wait.
func TestOverflow(t *testing.T) {
	w := apptest.New(t)
	s := newService(w)
	v := &viewer.Viewer{UserID: 1, CompanyID: 1}
	_, listening := connect(t, s, v, 1)
	silent, idle := connect(t, s, v, 2)
	silent.Ignore(attendanceChanged)
	for range waiting + 1 {
		s.AttendanceChanged(w.System(), 1, 1, 1)
	}
	if fmt.Sprint(listening.causes) != fmt.Sprint([]Cause{Missed}) || idle.causes != nil || s.Missed() != 1 {
		t.Errorf("told %v and %v, %d missed", listening.causes, idle.causes, s.Missed())
	}
}

// TestStop ends all connections and waits for them.
func TestStop(t *testing.T) {
	w := apptest.New(t)
	s := newService(w)
	c, r := connect(t, s, &viewer.Viewer{UserID: 1, CompanyID: 1}, 1)
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	s.Stop(short)
	if short.Err() == nil || len(r.causes) != 1 || r.causes[0] != Stopping {
		t.Errorf("told %v", r.causes)
	}
	if _, err := s.Connect("192.0.2.1", &receiverOf{}); !errs.Is(err, errs.Unavailable) {
		t.Errorf("a connection while it stops: %v", err)
	}
	c.Close()
	s.Stop(t.Context())
}

// TestRows returns the row of a context once.
func TestRows(t *testing.T) {
	rows := Rows[*ent.User](WithRow(t.Context(), Delivery{Row: &ent.User{ID: 7}}))
	if got := <-rows; got == nil || got.ID != 7 {
		t.Errorf("got %v", got)
	}
	if _, more := <-rows; more {
		t.Error("there is another")
	}
	if _, any := <-Rows[*ent.User](t.Context()); any {
		t.Error("there is a row without an event")
	}
}
