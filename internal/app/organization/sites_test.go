package organization

import (
	"context"
	"testing"

	"workforce/ent"
	"workforce/internal/app/apptest"
	"workforce/internal/viewer"
)

// A siteWorld is a company with an employee, and another one with a user.
type siteWorld struct {
	*apptest.World
	budi       *ent.User
	theirOwner *ent.User
	organizer  context.Context // may write the organization, and nothing else
}

func newSiteWorld(t testing.TB) *siteWorld {
	t.Helper()
	w := &siteWorld{World: apptest.New(t)}
	w.budi = w.User(t, "Budi")
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		other, err := CreateCompany(ctx, db, apptest.Now, "Other", "Asia/Tokyo", "en")
		if err != nil {
			return err
		}
		w.theirOwner, err = db.User.Create().SetCompanyID(other.ID).SetName("Omar").SetEmail("omar@other.test").SetEmailKey("omar@other.test").
			SetCreatedAt(apptest.Now).Save(ctx)
		return err
	})
	w.organizer = w.with(w.budi, "organization.write.all")
	return w
}

// with returns the context of a user with one permission.
func (w *siteWorld) with(u *ent.User, permission string) context.Context {
	return viewer.NewContext(ent.NewContext(context.Background(), w.DB), &viewer.Viewer{
		UserID: u.ID, CompanyID: u.CompanyID, Permissions: []string{permission},
	})
}
