// Package apptest gives the tests of a domain a company on SQLite, with a clock
// that stands still.
package apptest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/role"
	_ "workforce/ent/runtime" // policies and hooks
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/migration"
	"workforce/internal/password"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// Now is when tests take place, unless they set the clock: a Wednesday, 10:00 in
// Jakarta.
var Now = time.Date(2026, 3, 11, 3, 0, 0, 0, time.UTC)

// PasswordWork is what it takes to hash a password that guards nothing, a thousandth of
// what it takes a server.
var PasswordWork = password.Work{Memory: 8, Passes: 1}

// A World is an empty database with one company and a clock.
type World struct {
	DB      *ent.Client
	Company *ent.Company
	Roles   map[string]*ent.Role // the built-in ones, by name

	mu  sync.Mutex
	now time.Time
}

// New returns a world whose company, Acme, is in Asia/Jakarta.
func New(t testing.TB) *World {
	t.Helper()
	return On(t, testdb.SQLite(t))
}

// On returns the world of New in the empty database of a URL.
func On(t testing.TB, url string) *World {
	t.Helper()
	Migrate(t, url)
	return fill(t, url)
}

// Migrate makes the tables of the empty database of a URL.
func Migrate(t testing.TB, url string) {
	t.Helper()
	var err error
	if path, isFile := strings.CutPrefix(url, "sqlite:"); isFile {
		err = os.WriteFile(path, template(t), 0o600)
	} else {
		_, err = testdb.Fill(url, "migrated", func(bool) error {
			db, err := database.Open(url, nil)
			if err != nil {
				return err
			}
			return errors.Join(migration.Up(t.Context(), db), db.Close())
		})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// fill returns a world in a migrated database.
func fill(t testing.TB, url string) *World {
	t.Helper()
	db, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := &World{DB: ent.NewClient(ent.Driver(db.Driver())), Roles: map[string]*ent.Role{}, now: Now}
	t.Cleanup(func() { _ = db.Close() })
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		w.Company, err = db.Company.Create().SetName("Acme").SetTimezone("Asia/Jakarta").SetLocale("id").SetCreatedAt(Now).Save(ctx)
		if err != nil {
			return err
		}
		err := db.Role.MapCreateBulk(viewer.Builtin, func(r *ent.RoleCreate, i int) {
			r.SetCompanyID(w.Company.ID).SetBuiltin(viewer.Builtin[i]).SetName(viewer.Builtin[i])
		}).Exec(ctx)
		if err != nil {
			return err
		}
		rows, err := db.Role.Query().Where(role.CompanyID(w.Company.ID)).All(ctx)
		for _, r := range rows {
			w.Roles[*r.Builtin] = r
		}
		return err
	})
	return w
}

// template returns the bytes of a migrated database, which is made once.
func template(t testing.TB) []byte {
	t.Helper()
	bytes, err := migrated()
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

var migrated = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "apptest")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "template.db")
	db, err := database.Open("sqlite:"+path, nil)
	if err != nil {
		return nil, err
	}
	if err := migration.Up(context.Background(), db); err != nil {
		return nil, err
	}
	if _, err := db.Writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		return nil, err
	}
	if err := db.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// Now is the world's clock.
func (w *World) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// Set sets the clock.
func (w *World) Set(now time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = now
}

// Advance moves the clock.
func (w *World) Advance(d time.Duration) { w.Set(w.Now().Add(d)) }

// Change runs a step in a transaction, as a system job.
func (w *World) Change(t testing.TB, step func(context.Context, *ent.Client) error) {
	t.Helper()
	if err := w.Try(viewer.System(context.Background()), step); err != nil {
		t.Fatal(err)
	}
}

// Try runs a step in a transaction with the viewer of ctx, and returns its error.
func (w *World) Try(ctx context.Context, step func(context.Context, *ent.Client) error) error {
	ctx, tx, err := w.DB.OpenTx(ctx)
	if err != nil {
		return err
	}
	if err := step(ctx, ent.FromContext(ctx)); err != nil {
		_ = tx.Rollback() // err tells more
		return err
	}
	return tx.Commit()
}

// User adds an active user with built-in roles, employee without any.
func (w *World) User(t testing.TB, name string, roles ...string) *ent.User {
	t.Helper()
	var u *ent.User
	if len(roles) == 0 {
		roles = []string{viewer.Employee}
	}
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		email := strings.ToLower(strings.ReplaceAll(name, " ", ".")) + "@acme.test"
		u, err = db.User.Create().SetCompanyID(w.Company.ID).SetName(name).SetEmail(email).SetEmailKey(email).SetCreatedAt(Now).Save(ctx)
		if err != nil {
			return err
		}
		if err := db.ClockState.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).Exec(ctx); err != nil {
			return err
		}
		for _, name := range roles {
			if err := db.UserRole.Create().SetCompanyID(w.Company.ID).SetUserID(u.ID).SetRoleID(w.Roles[name].ID).Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	return w.DB.User.GetX(w.System(), u.ID)
}

// System returns the context of system jobs outside of a transaction.
func (w *World) System() context.Context {
	return viewer.System(ent.NewContext(context.Background(), w.DB))
}

// As returns the context of a user with built-in roles, who manages businesses,
// outside of a transaction.
func (w *World) As(u *ent.User, role string, businesses ...int) context.Context {
	return viewer.NewContext(ent.NewContext(context.Background(), w.DB), &viewer.Viewer{
		UserID: u.ID, CompanyID: u.CompanyID, Permissions: viewer.Permissions(role), Businesses: businesses, Owner: role == viewer.Owner,
		Locale: "en", Timezone: w.Company.Timezone,
	})
}

// Code returns the code of an error, with the field and reason of its first fault,
// as in VALIDATION_FAILED name required; "" for no error, and the text of an error
// that has no code.
func Code(err error) string {
	if err == nil {
		return ""
	}
	e := errs.As(err)
	if e.Code == errs.Internal {
		return err.Error()
	}
	text := string(e.Code)
	if len(e.Faults) > 0 {
		text += " " + e.Faults[0].Field + " " + string(e.Faults[0].Reason)
	}
	return strings.TrimSpace(text)
}

// Conflict returns the reason of a CONFLICT, and "" for any other error.
func Conflict(err error) string {
	reason, _ := errs.As(err).Meta["conflict"].(string)
	return reason
}
