package people

import (
	"context"
	"testing"

	"workforce/ent"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/input"
	"workforce/internal/contact"
	"workforce/internal/viewer"
)

// TestEndsTokens changes the days of work of somebody who is signed in, by hand and by an
// import.
func TestEndsTokens(t *testing.T) {
	w := newWorld(t)
	admin := w.As(w.User(t, "Ana", viewer.Admin), viewer.Admin)
	budi := w.User(t, "Budi")
	session := 0
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		d := db.Device.Create().SetDeviceID("d").SetPlatform("web").SetTokenHash([]byte("h")).SetCreatedAt(apptest.Now).SaveX(ctx)
		s, err := db.Session.Create().SetCompanyID(budi.CompanyID).SetUserID(budi.ID).SetDeviceID(d.ID).SetFamily(make([]byte, 16)).SetCreatedAt(apptest.Now).Save(ctx)
		session = s.ID
		return err
	})
	const yesterday, today, tomorrow = "2026-03-10", "2026-03-11", "2026-03-12" // of apptest.Now
	for _, tt := range []struct {
		name         string
		joined, left string // before
		to           model.UpdateUserInput
		ends         bool
	}{
		{"nothing", "", yesterday, model.UpdateUserInput{Gender: given("male")}, false},
		{"no day before", "", "", model.UpdateUserInput{LeftOn: given(today)}, false},
		{"a day to come", "", today, model.UpdateUserInput{LeftOn: given(tomorrow)}, false},
		{"the only day", today, "", model.UpdateUserInput{LeftOn: given(today)}, false},
		{"a day that is past", "", "", model.UpdateUserInput{LeftOn: given(yesterday)}, true},
		{"one that was past", "", yesterday, model.UpdateUserInput{LeftOn: null[string]()}, true},
		{"both past", "", yesterday, model.UpdateUserInput{LeftOn: given(yesterday)}, true},
		{"begins later", yesterday, "", model.UpdateUserInput{JoinedOn: given(tomorrow)}, true},
		{"was to begin later", tomorrow, "", model.UpdateUserInput{JoinedOn: given(today)}, true},
	} {
		for _, byImport := range []bool{false, true} {
			w.Change(t, func(ctx context.Context, db *ent.Client) error {
				db.Session.UpdateOneID(session).ClearRevokedAt().ExecX(ctx)
				u := db.User.UpdateOneID(budi.ID).ClearGender().ClearJoinedOn().ClearLeftOn()
				if tt.joined != "" {
					u.SetJoinedOn(tt.joined)
				}
				if tt.left != "" {
					u.SetLeftOn(tt.left)
				}
				return u.Exec(ctx)
			})
			is := w.get(budi.ID)
			to := NewUser{
				Name: is.Name, Email: is.Email, Locale: is.Locale, Mobile: contact.NoNumber(), Gender: input.Value(tt.to.Gender.Value()), Role: viewer.Employee,
				JoinedOn: input.Value(after(tt.to.JoinedOn, is.JoinedOn)), LeftOn: input.Value(after(tt.to.LeftOn, is.LeftOn)),
			}
			same := to.JoinedOn == tt.joined && to.LeftOn == tt.left // which an import does not write
			err := w.Try(w.System(), func(ctx context.Context, db *ent.Client) error {
				if byImport {
					return ReplaceUsers(ctx, w.Company, w.Now(), Replacement{User: is, To: to})
				}
				return nil
			})
			if !byImport {
				err = w.update(admin, budi.ID, tt.to)
			}
			if err != nil {
				t.Fatal(tt.name, err)
			}
			s := w.DB.Session.GetX(w.System(), session)
			if want := tt.ends && !(byImport && same); (s.RevokedAt != nil) != want {
				t.Errorf("%s, by an import %v: ended %v, want %v", tt.name, byImport, s.RevokedAt, want)
			}
		}
	}
}

// TestNobodyLeftInvited creates people without a password.
func TestNobodyLeftInvited(t *testing.T) {
	w := newWorld(t)
	admin := w.As(w.User(t, "Ana", viewer.Admin), viewer.Admin)
	for left, want := range map[string]int{"2026-03-10": 0, "2026-03-11": 1, "2026-03-12": 1} {
		before := w.DB.Message.Query().CountX(w.System())
		if _, err := w.create(admin, model.CreateUserInput{Name: "X", Email: left + "@acme.test", LeftOn: given(left)}); err != nil {
			t.Fatal(err)
		}
		if n := w.DB.Message.Query().CountX(w.System()) - before; n != want {
			t.Errorf("last day %s: %d messages, want %d", left, n, want)
		}
	}
}
