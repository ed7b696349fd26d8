package organization

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/internal/app/apptest"
	"workforce/internal/errs"
)

// createCompany creates a company in a transaction.
func createCompany(ctx context.Context, w *apptest.World, name, timezone, locale string) (c *ent.Company, err error) {
	err = w.Try(ctx, func(ctx context.Context, db *ent.Client) (err error) {
		c, err = CreateCompany(ctx, db, apptest.Now, name, timezone, locale)
		return err
	})
	return c, err
}

func TestCreateCompany(t *testing.T) {
	w := apptest.New(t)
	c, err := createCompany(w.System(), w, "Bintang", "Asia/Makassar", "en")
	if err != nil {
		t.Fatal(err)
	}
	stored := w.DB.Company.GetX(w.System(), c.ID)
	if stored.Name != "Bintang" || stored.Timezone != "Asia/Makassar" || stored.Locale != "en" || !stored.CreatedAt.Equal(apptest.Now) {
		t.Errorf("stored %v", stored)
	}
	got := map[string]string{}
	for _, r := range w.DB.Role.Query().Where(role.CompanyID(c.ID)).AllX(w.System()) {
		got[*r.Builtin] = r.Name
	}
	want := map[string]string{
		"owner": "Owner", "admin": "Admin", "manager": "Manager", "supervisor": "Supervisor", "employee": "Employee",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
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
		{"Acme", "localtime", "id", []string{"timezone"}},
		{"Acme", "LOCAL", "id", []string{"timezone"}},
		{"Acme", "+07:00", "id", []string{"timezone"}},
		{"Acme", "../etc/passwd", "id", []string{"timezone"}},
		{"Acme", "Asia/Jakarta", "", []string{"locale"}},
		{"", "Asia/Nowhere", "de", []string{"name", "timezone", "locale"}},
	}
	w := apptest.New(t)
	count := func() int { return w.DB.Company.Query().CountX(w.System()) }
	for _, tt := range tests {
		before := count()
		_, err := createCompany(w.System(), w, tt.name, tt.timezone, tt.locale)
		var got []string
		if err != nil {
			for _, f := range errs.As(err).Faults {
				got = append(got, f.Field)
			}
		}
		if !slices.Equal(got, tt.want) || err != nil && !errs.Is(err, errs.Invalid) {
			t.Errorf("%q, %q, %q: %v with faults %v, want %v", tt.name, tt.timezone, tt.locale, err, got, tt.want)
		}
		if after := count(); (after > before) != (tt.want == nil) {
			t.Errorf("%q, %q, %q: %d companies, then %d", tt.name, tt.timezone, tt.locale, before, after)
		}
	}
	if _, err := createCompany(t.Context(), w, "Acme", "UTC", "id"); err == nil {
		t.Error("anybody may create a company")
	}
}
