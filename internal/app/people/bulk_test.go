package people

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"workforce/ent"
	_ "workforce/ent/runtime"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/contact"
	"workforce/internal/database"
	"workforce/internal/errs"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// testNow is a Wednesday, 10:00 in Jakarta.
var testNow = time.Date(2026, 3, 11, 3, 0, 0, 0, time.UTC)

// testHash stands for a password's.
const testHash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"

// openDB opens a database with all tables. The context is the system's. The
// settings, SQL statements, are those of the only connection, where there are
// any.
func openDB(t *testing.T, url string, settings ...string) (context.Context, *ent.Client) {
	t.Helper()
	pool, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	ctx := viewer.System(t.Context())
	if len(settings) > 0 {
		pool.Writer.SetMaxOpenConns(1)
	}
	for _, s := range settings {
		if _, err := pool.Writer.ExecContext(ctx, s); err != nil {
			t.Fatal(err)
		}
	}
	db := ent.NewClient(ent.Driver(pool.Driver()))
	if err := db.Schema.Create(ctx); err != nil {
		t.Fatal(err)
	}
	return ctx, db
}

// must returns a function that fails the test unless a query succeeds.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// rewrite changes rows in one transaction.
func rewrite(t *testing.T, ctx context.Context, db *ent.Client, step func(*ent.Client)) {
	t.Helper()
	if err := tx.With(ctx, db, func(db *ent.Client) error { step(db); return nil }); err != nil {
		t.Fatal(err)
	}
}

// acme creates a company in a transaction of its own.
func acme(ctx context.Context, db *ent.Client, name, timezone, locale string) (c *ent.Company, err error) {
	err = tx.With(ctx, db, func(db *ent.Client) (err error) {
		c, err = organization.CreateCompany(ctx, db, testNow, name, timezone, locale)
		return err
	})
	return c, err
}

// hire creates users in a transaction of its own.
func hire(ctx context.Context, db *ent.Client, c *ent.Company, people ...NewUser) (users []*ent.User, err error) {
	err = tx.With(ctx, db, func(db *ent.Client) (err error) {
		users, err = CreateUsers(ctx, db, c, testNow, people...)
		return err
	})
	for _, u := range users {
		u.Unwrap()
	}
	return users, err
}

func TestCreateCompany(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := openDB(t, url)
		c, err := acme(ctx, db, "Acme", "Asia/Jakarta", "en")
		if err != nil {
			t.Fatal(err)
		}
		stored := must[*ent.Company](t)(db.Company.Get(ctx, c.ID))
		if stored.Name != "Acme" || stored.Timezone != "Asia/Jakarta" || stored.Locale != "en" || !stored.CreatedAt.Equal(testNow) {
			t.Errorf("stored %v", stored)
		}
		got := map[string]string{}
		for _, r := range must[[]*ent.Role](t)(db.Role.Query().All(ctx)) {
			got[*r.Builtin] = r.Name
		}
		want := map[string]string{
			"owner": "Owner", "admin": "Admin", "manager": "Manager", "supervisor": "Supervisor", "employee": "Employee",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("roles (-want +got):\n%s", diff)
		}
	})
}

// faulty returns the members that err, VALIDATION_FAILED, is about.
func faulty(t *testing.T, err error) (fields []string) {
	t.Helper()
	if err != nil && !errs.Is(err, errs.Invalid) {
		t.Fatalf("err = %v, want VALIDATION_FAILED", err)
	}
	if err != nil {
		for _, f := range errs.As(err).Faults {
			fields = append(fields, f.Field)
		}
	}
	return fields
}

func TestCreateCompanyRefuses(t *testing.T) {
	tests := []struct {
		name, timezone, locale string
		want                   []string
	}{
		{"Acme", "Asia/Jakarta", "id", nil},
		{"Acme", "UTC", "en", nil},
		{" ", "Asia/Jakarta", "id", []string{"name"}},
		{"Acme", "", "id", []string{"timezone"}},
		{"Acme", "Local", "id", []string{"timezone"}},
		{"Acme", "+07:00", "id", []string{"timezone"}},
		{"Acme", "../etc/passwd", "id", []string{"timezone"}},
		{"Acme", "Asia/Jakarta", "", []string{"locale"}},
		{"", "Asia/Nowhere", "de", []string{"name", "timezone", "locale"}},
	}
	ctx, db := openDB(t, testdb.SQLite(t))
	for _, tt := range tests {
		before := must[int](t)(db.Company.Query().Count(ctx))
		_, err := acme(ctx, db, tt.name, tt.timezone, tt.locale)
		if got := faulty(t, err); !slices.Equal(got, tt.want) {
			t.Errorf("%q, %q, %q: faults %v, want %v", tt.name, tt.timezone, tt.locale, got, tt.want)
		}
		if after := must[int](t)(db.Company.Query().Count(ctx)); (after > before) != (tt.want == nil) {
			t.Errorf("%q, %q, %q: %d companies, then %d", tt.name, tt.timezone, tt.locale, before, after)
		}
	}
	if _, err := acme(context.Background(), db, "Acme", "UTC", "id"); err == nil {
		t.Error("anybody may create a company")
	}
}

// number returns an Indonesian number as entered.
func number(text string) contact.Number {
	code := 62
	return contact.Number{CountryCode: &code, Number: &text}
}

func TestCreateUsers(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		ctx, db := openDB(t, url)
		c := must[*ent.Company](t)(acme(ctx, db, "Acme", "Asia/Jakarta", "en"))
		var title *ent.Designation
		var unit *ent.Business
		rewrite(t, ctx, db, func(db *ent.Client) {
			title = db.Designation.Create().SetCompanyID(c.ID).SetName("Teknisi").SaveX(ctx)
			unit = db.Business.Create().SetCompanyID(c.ID).SetName("Acme").SaveX(ctx)
		})
		if none, err := hire(ctx, db, c); len(none) != 0 || err != nil {
			t.Errorf("nobody: %v, %v", none, err)
		}
		users, err := hire(ctx, db, c,
			NewUser{
				Name: "Zaki", Email: "Zaki@Acme.test", Role: viewer.Owner, Mobile: number("0840 11-22 333"), Verified: true,
				Gender: "male", Locale: "id", PasswordHash: testHash, JoinedOn: "2026-01-02", Business: unit.ID, Designations: []int{title.ID},
			},
			NewUser{Name: "ayu", Email: "ayu@acme.test", Role: viewer.Employee, Mobile: number("1")},
		)
		if err != nil {
			t.Fatal(err)
		}
		zaki, ayu := users[0], users[1]
		if zaki.Name != "Zaki" || zaki.Email != "Zaki@Acme.test" || zaki.EmailKey != "zaki@acme.test" || *zaki.Phone != "+628401122333" ||
			*zaki.MobileNumber.Number != "0840 11-22 333" || *zaki.Gender != "male" || zaki.Locale != "id" || *zaki.PasswordHash != testHash ||
			*zaki.JoinedOn != "2026-01-02" || *zaki.BusinessID != unit.ID || !zaki.Active || !zaki.CreatedAt.Equal(testNow) {
			t.Errorf("zaki is %v, phone %v", zaki, *zaki.Phone)
		}
		if ayu.SortName != "ayu" || ayu.Phone != nil || ayu.Gender != nil || ayu.Locale != "en" || ayu.PasswordHash != nil ||
			ayu.JoinedOn != nil || ayu.BusinessID != nil || !ayu.Active || ayu.Image != "images/avatar.png" {
			t.Errorf("ayu is %v", ayu)
		}
		if r := must[*ent.Role](t)(zaki.QueryRoles().Only(ctx)); *r.Builtin != viewer.Owner {
			t.Errorf("zaki is %s", r.Name)
		}
		if n := must[int](t)(ayu.QueryDesignations().Count(ctx)); n != 0 {
			t.Errorf("ayu has %d designations", n)
		}
		if n := must[int](t)(db.ClockState.Query().Count(ctx)); n != 2 {
			t.Errorf("%d clock states, want 2", n)
		}

		_, err = hire(ctx, db, c, NewUser{Name: "Other", Email: "ZAKI@acme.test", Role: viewer.Employee})
		if !ent.IsConstraintError(err) {
			t.Errorf("an e-mail address twice: %v", err)
		}
		_, err = hire(ctx, db, c,
			NewUser{Name: "Other", Email: "other@acme.test", Role: viewer.Employee, Mobile: number("8401122333"), Verified: true})
		if !ent.IsConstraintError(err) {
			t.Errorf("a verified number twice: %v", err)
		}
	})
}

func TestCreateUsersRefuses(t *testing.T) {
	good := NewUser{Name: "Ayu", Email: "ayu@acme.test", Role: viewer.Employee}
	tests := []struct {
		name  string
		spoil func(p *NewUser)
		want  []string
	}{
		{"no name", func(p *NewUser) { p.Name = " " }, []string{"name"}},
		{"no e-mail address", func(p *NewUser) { p.Email = "" }, []string{"email"}},
		{"e-mail address with a name", func(p *NewUser) { p.Email = "Ayu <ayu@acme.test>" }, []string{"email"}},
		{"verified nothing", func(p *NewUser) { p.Verified = true }, []string{"mobileNumber"}},
		{"verified something else", func(p *NewUser) { p.Mobile, p.Verified = number("12"), true }, []string{"mobileNumber"}},
		{"foreign language", func(p *NewUser) { p.Locale = "fr" }, []string{"locale"}},
		{"no role", func(p *NewUser) { p.Role = "" }, []string{"role"}},
		{"unknown role", func(p *NewUser) { p.Role = "Owner" }, []string{"role"}},
		{"several", func(p *NewUser) { *p = NewUser{} }, []string{"name", "email", "role"}},
	}
	ctx, db := openDB(t, testdb.SQLite(t))
	c := must[*ent.Company](t)(acme(ctx, db, "Acme", "Asia/Jakarta", "id"))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := good
			tt.spoil(&bad)
			_, err := hire(ctx, db, c, NewUser{Name: "First", Email: "first@acme.test", Role: viewer.Employee}, bad)
			if got := faulty(t, err); !slices.Equal(got, tt.want) {
				t.Errorf("faults %v, want %v", got, tt.want)
			}
			if n := must[int](t)(db.User.Query().Count(ctx)); n != 0 {
				t.Errorf("%d users were created beside", n)
			}
		})
	}
}
