package bootstrap

import (
	"context"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/company"
	"workforce/ent/user"
	"workforce/internal/app/apptest"
	"workforce/internal/app/audit"
	"workforce/internal/app/auth"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/password"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// newService returns the use cases on a database without a company.
func newService(t *testing.T) (*Service, *apptest.World) {
	t.Helper()
	w := apptest.New(t)
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		if _, err := db.Role.Delete().Exec(ctx); err != nil {
			return err
		}
		_, err := db.Company.Delete().Where(company.ID(w.Company.ID)).Exec(ctx)
		return err
	})
	return &Service{
		DB: w.DB, Now: w.Now, Hasher: password.NewHasher(apptest.PasswordWork), Audit: &audit.Recorder{DB: w.DB, Now: w.Now},
		Auth: auth.New(auth.Deps{DB: w.DB, Now: w.Now, Keys: sealed.NewRing(sealed.Key{})}),
	}, w
}

var contoh = Founding{
	CompanyName: " PT Contoh ", Timezone: "Asia/Jakarta", Locale: "id", Name: "Sri", Email: " Sri@contoh.id ",
	Phone: "+62 811 123 789", Password: "correct horse battery",
}

func TestCreate(t *testing.T) {
	s, w := newService(t)
	ctx := context.Background()
	for _, token := range []string{"one", "other"} {
		if offered, err := s.Offer(ctx, token); !offered || err != nil {
			t.Fatalf("offered %v, %v", offered, err)
		}
	}
	code, err := s.Create(ctx, "one", contoh)
	if err != nil || len(code.Code) != 6 || !code.Expires.Equal(w.Now().Add(24*time.Hour)) {
		t.Fatalf("code %v, %v", code, err)
	}
	owner := w.DB.User.Query().Where(user.EmailKey("sri@contoh.id")).WithRoles().OnlyX(w.System())
	c := w.DB.Company.GetX(w.System(), owner.CompanyID)
	if c.Name != "PT Contoh" || c.Timezone != "Asia/Jakarta" ||
		*owner.Edges.Roles[0].Builtin != viewer.Owner || *owner.Phone != "+62811123789" {
		t.Errorf("company %v, owner %v", c, owner)
	}
	if ok, _, err := s.Hasher.Verify(ctx, *owner.PasswordHash, contoh.Password); !ok || err != nil {
		t.Errorf("password: %v, %v", ok, err)
	}
	for _, token := range []string{"one", "other"} {
		if err := s.Check(ctx, token); !errs.Is(err, errs.Conflict) {
			t.Errorf("%s is valid after the first company: %v", token, err)
		}
		if _, err := s.Create(ctx, token, contoh); !errs.Is(err, errs.Conflict) {
			t.Errorf("%s creates another company: %v", token, err)
		}
	}
	if offered, err := s.Offer(ctx, "third"); offered || err != nil || s.Check(ctx, "third") == nil {
		t.Errorf("a link where there is a company: %v, %v", offered, err)
	}
}

// TestClaim has one link used between the check and the claim of another.
func TestClaim(t *testing.T) {
	s, _ := newService(t)
	ctx := viewer.System(context.Background())
	if _, err := s.Offer(ctx, "one"); err != nil {
		t.Fatal(err)
	}
	claim := func(ctx context.Context) error { return s.claim(ctx, "one") }
	if err := tx.Run(ctx, s.DB, claim); err != nil {
		t.Fatal(err)
	}
	if err := tx.Run(ctx, s.DB, claim); !errs.Is(err, errs.NotFound) {
		t.Errorf("claimed twice: %v", err)
	}
	if offered, err := s.Offer(ctx, "one"); !offered || err != nil || s.Check(ctx, "one") == nil {
		t.Errorf("a used link is valid again: %v", err)
	}
}

func TestExpires(t *testing.T) {
	s, w := newService(t)
	ctx := context.Background()
	if _, err := s.Offer(ctx, "one"); err != nil {
		t.Fatal(err)
	}
	w.Advance(time.Hour - time.Microsecond)
	if err := s.Check(ctx, "one"); err != nil {
		t.Errorf("within the hour: %v", err)
	}
	w.Advance(time.Microsecond)
	if err := s.Check(ctx, "one"); !errs.Is(err, errs.NotFound) {
		t.Errorf("after the hour: %v", err)
	}
	if err := tx.Run(viewer.System(ctx), s.DB, func(ctx context.Context) error { return s.claim(ctx, "one") }); !errs.Is(err, errs.NotFound) {
		t.Errorf("claimed after the hour: %v", err)
	}
	if _, err := s.Offer(ctx, "one"); err != nil || s.Check(ctx, "one") != nil {
		t.Errorf("offered again: %v", err)
	}
}

func TestFoundingFaults(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(*Founding)
		want  string
	}{
		{"as it should be", func(*Founding) {}, ""},
		{"without a number", func(f *Founding) { f.Phone = " " }, ""},
		{"nothing", func(f *Founding) { *f = Founding{} }, "companyName timezone locale name email password"},
		{"no company", func(f *Founding) { f.CompanyName = " " }, "companyName"},
		{"a language that is none", func(f *Founding) { f.Locale = "fr" }, "locale"},
		{"a number without country", func(f *Founding) { f.Phone = "0811123789" }, "phone"},
		{"the company's name as password", func(f *Founding) { f.CompanyName, f.Password = "Matahari Terbit", "matahariterbit" }, "password"},
		{"a short password", func(f *Founding) { f.Password = "short" }, "password"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := contoh
			tt.spoil(&f)
			var got []string
			if err := f.check(); err != nil {
				for _, fault := range errs.As(err).Faults {
					got = append(got, fault.Field)
				}
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("faults %q, want %q", got, tt.want)
			}
		})
	}
}
