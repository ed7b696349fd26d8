package credential

import (
	"context"
	"crypto/rand"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"workforce/ent"
	_ "workforce/ent/runtime"
	entToken "workforce/ent/token"
	"workforce/internal/app/apptest"
	"workforce/internal/database"
	"workforce/internal/testdb"
	"workforce/internal/token"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// now is when the tests' tokens are judged.
var now = time.Date(2026, 3, 10, 2, 0, 0, 0, time.UTC)

// A world is a database with what tokens need.
type world struct {
	*ent.Client
	ctx  context.Context
	db   *database.DB
	sent *statements
	n    int // of the last thing made
}

// statements counts the queries that go through a driver.
type statements struct {
	dialect.Driver
	n     int
	after func() // called after each
}

// QueryContext implements what raw statements need.
func (s *statements) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s.n++
	rows, err := s.Driver.(interface {
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
	}).QueryContext(ctx, query, args...)
	if s.after != nil {
		s.after()
	}
	return rows, err
}

// eachWorld runs a test on each kind of database.
func eachWorld(t *testing.T, test func(t *testing.T, w *world)) {
	testdb.Each(t, func(t *testing.T, url string) { test(t, newWorld(t, url)) })
}

func newWorld(t testing.TB, url string) *world {
	t.Helper()
	apptest.Migrate(t, url)
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	sent := &statements{Driver: db.Driver()}
	return &world{ent.NewClient(ent.Driver(sent)), viewer.System(t.Context()), db, sent, 0}
}

// write runs a step in a transaction.
func (w *world) write(step func(tx *ent.Tx)) {
	tx, err := w.Tx(w.ctx)
	if err != nil {
		panic(err)
	}
	step(tx)
	if err := tx.Commit(); err != nil {
		panic(err)
	}
}

func (w *world) next(name string) string {
	w.n++
	return fmt.Sprintf("%s %d", name, w.n)
}

func (w *world) company() (c *ent.Company) {
	w.write(func(tx *ent.Tx) {
		c = tx.Company.Create().SetName(w.next("Company")).SetTimezone("Asia/Jakarta").SetCreatedAt(now).SaveX(w.ctx).Unwrap()
	})
	return c
}

func (w *world) user(c *ent.Company, roles ...*ent.Role) (u *ent.User) {
	email := strings.ReplaceAll(w.next("user"), " ", "") + "@example.com"
	w.write(func(tx *ent.Tx) {
		u = tx.User.Create().SetCompanyID(c.ID).SetName(w.next("User")).SetEmail(email).SetEmailKey(email).SetCreatedAt(now).
			SaveX(w.ctx).Unwrap()
		for _, r := range roles {
			tx.UserRole.Create().SetCompanyID(c.ID).SetUserID(u.ID).SetRoleID(r.ID).ExecX(w.ctx)
		}
	})
	return u
}

func (w *world) role(c *ent.Company, permissions ...string) (r *ent.Role) {
	w.write(func(tx *ent.Tx) {
		r = tx.Role.Create().SetCompanyID(c.ID).SetName(w.next("Role")).SetCustomPermissions(permissions).SaveX(w.ctx).Unwrap()
	})
	return r
}

func (w *world) builtin(c *ent.Company, name string) (r *ent.Role) {
	w.write(func(tx *ent.Tx) {
		r = tx.Role.Create().SetCompanyID(c.ID).SetName(w.next("Role")).SetBuiltin(name).SaveX(w.ctx).Unwrap()
	})
	return r
}

func (w *world) business(c *ent.Company, parent *ent.Business, manager *ent.User) (b *ent.Business) {
	w.write(func(tx *ent.Tx) {
		create := tx.Business.Create().SetCompanyID(c.ID).SetName(w.next("Business"))
		if parent != nil {
			create.SetParentID(parent.ID)
		}
		if manager != nil {
			create.SetManagerID(manager.ID)
		}
		b = create.SaveX(w.ctx).Unwrap()
	})
	return b
}

func (w *world) device(t testing.TB) (*ent.Device, Sent) {
	sent := newSent(t, token.Device)
	return w.Device.Create().SetDeviceID(w.next("device")).SetPlatform("ios").SetTokenHash(sent.Hash[:]).SetCreatedAt(now).SaveX(w.ctx), sent
}

// session signs a user in on a new device.
func (w *world) session(t testing.TB, u *ent.User) *ent.Session {
	d, sent := w.device(t)
	return w.Session.Create().SetCompanyID(u.CompanyID).SetUserID(u.ID).SetDeviceID(d.ID).SetFamily(sent.Hash[:16]).
		SetCreatedAt(now).SaveX(w.ctx)
}

// give gives a session a token of a kind, for an hour.
func (w *world) give(t testing.TB, s *ent.Session, kind token.Kind) (*ent.Token, Sent) {
	sent := newSent(t, kind)
	return w.Token.Create().SetCompanyID(s.CompanyID).SetSessionID(s.ID).SetKind(entToken.Kind(kind.Name())).SetHash(sent.Hash[:]).
		SetGeneration(3).SetIssuedAt(now).SetExpiresAt(now.Add(time.Hour)).SaveX(w.ctx), sent
}

func newSent(t testing.TB, kind token.Kind) Sent {
	text, err := token.New(kind, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return Parse(kind, text.Text())
}

func read(t *testing.T, w *world, tokens ...Sent) map[Digest]*Identity {
	t.Helper()
	all, err := Read(w.ctx, w.Client, tokens)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
