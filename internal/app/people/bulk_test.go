package people

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/contact"
	"workforce/internal/errs"
	"workforce/internal/viewer"
)

// testHash stands for a password's.
const testHash = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA"

// hire creates users of the world's company in a transaction.
func (w *world) hire(people ...NewUser) (users []*ent.User, err error) {
	err = w.Try(w.System(), func(ctx context.Context, db *ent.Client) (err error) {
		users, err = CreateUsers(ctx, db, w.Company, apptest.Now, people...)
		return err
	})
	for i, u := range users {
		users[i] = u.Unwrap()
	}
	return users, err
}

// number returns an Indonesian number as entered.
func number(text string) contact.Number {
	code := 62
	return contact.Number{CountryCode: &code, Number: &text}
}

func TestCreateUsers(t *testing.T) {
	w := newWorld(t)
	unit, title := w.unit(t, w.Company, "Acme"), w.title(t, w.Company, "Teknisi")
	if none, err := w.hire(); len(none) != 0 || err != nil {
		t.Errorf("nobody: %v, %v", none, err)
	}
	users, err := w.hire(
		NewUser{
			Name: "Zaki", Email: "Zaki@Acme.test", Role: viewer.Owner, Mobile: number("0840 11-22 333"), Verified: true,
			Gender: "male", Locale: "en", PasswordHash: testHash, JoinedOn: "2026-01-02", Business: unit, Designations: []int{title},
		},
		NewUser{Name: " ayu ", Email: " ayu@acme.test", Role: viewer.Employee, Mobile: number("1")},
	)
	if err != nil {
		t.Fatal(err)
	}
	want := []*ent.User{
		{
			ID: users[0].ID, CompanyID: w.Company.ID, Name: "Zaki", SortName: "zaki", SearchName: "zaki",
			Email: "Zaki@Acme.test", EmailKey: "zaki@acme.test",
			MobileNumber: number("0840 11-22 333"), Phone: new("+628401122333"), Gender: new("male"), Locale: "en", PasswordHash: new(testHash),
			JoinedOn: new("2026-01-02"), BusinessID: &unit, Active: true, Image: "images/avatar.png", CreatedAt: apptest.Now,
		},
		{
			ID: users[1].ID, CompanyID: w.Company.ID, Name: "ayu", SortName: "ayu", SearchName: "ayu",
			Email: "ayu@acme.test", EmailKey: "ayu@acme.test",
			MobileNumber: number("1"), Locale: "id", Active: true, Image: "images/avatar.png", CreatedAt: apptest.Now,
		},
	}
	if diff := cmp.Diff(want, users, sameUser); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
	for i, want := range []struct {
		role   string
		titles []int
	}{{"owner", []int{title}}, {"employee", nil}} {
		if roles := w.roles(users[i].ID); !slices.Equal(roles, []string{want.role}) {
			t.Errorf("%s has the roles %v", users[i].Name, roles)
		}
		if titles := w.titles(users[i].ID); !slices.Equal(titles, want.titles) {
			t.Errorf("%s has the designations %v", users[i].Name, titles)
		}
	}
	if n := w.DB.ClockState.Query().CountX(w.System()); n != 2 {
		t.Errorf("%d clock states, want 2", n)
	}
	_, err = w.hire(NewUser{Name: "Other", Email: "ZAKI@acme.test", Role: viewer.Employee})
	if !ent.IsConstraintError(err) {
		t.Errorf("an e-mail address twice: %v", err)
	}
	_, err = w.hire(NewUser{Name: "Other", Email: "other@acme.test", Role: viewer.Employee, Mobile: number("8401122333"), Verified: true})
	if !ent.IsConstraintError(err) {
		t.Errorf("a verified number twice: %v", err)
	}
}

func TestCreateUsersRefuses(t *testing.T) {
	good := NewUser{Name: "Ayu", Email: "ayu@acme.test", Role: viewer.Employee}
	tests := []struct {
		name  string
		spoil func(p *NewUser)
		want  []string
	}{
		{"no name", func(p *NewUser) { p.Name = " " }, []string{"name"}},
		{"long name", func(p *NewUser) { p.Name = strings.Repeat("x", 101) }, []string{"name"}},
		{"no e-mail address", func(p *NewUser) { p.Email = "" }, []string{"email"}},
		{"e-mail address with a name", func(p *NewUser) { p.Email = "Ayu <ayu@acme.test>" }, []string{"email"}},
		{"verified nothing", func(p *NewUser) { p.Verified = true }, []string{"mobileNumber"}},
		{"verified something else", func(p *NewUser) { p.Mobile, p.Verified = number("12"), true }, []string{"mobileNumber"}},
		{"foreign language", func(p *NewUser) { p.Locale = "fr" }, []string{"locale"}},
		{"unknown gender", func(p *NewUser) { p.Gender = "m" }, []string{"gender"}},
		{"no role", func(p *NewUser) { p.Role = "" }, []string{"role"}},
		{"unknown role", func(p *NewUser) { p.Role = "Owner" }, []string{"role"}},
		{"several", func(p *NewUser) { *p = NewUser{} }, []string{"name", "email", "role"}},
	}
	w := newWorld(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bad := good
			tt.spoil(&bad)
			_, err := w.hire(NewUser{Name: "First", Email: "first@acme.test", Role: viewer.Employee}, bad)
			var got []string
			for _, f := range errs.As(err).Faults {
				got = append(got, f.Field)
			}
			if !errs.Is(err, errs.Invalid) || !slices.Equal(got, tt.want) {
				t.Errorf("error %v, faults %v, want %v", err, got, tt.want)
			}
			if n := w.DB.User.Query().CountX(w.System()); n != 0 {
				t.Errorf("%d users were created beside", n)
			}
		})
	}
}
