package people

import (
	"context"
	"errors"
	"slices"
	"testing"

	"workforce/ent"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/ent/userdesignation"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/apptest/servicetest"
	"workforce/internal/app/auth"
	"workforce/internal/app/input"
	"workforce/internal/app/organization"
	"workforce/internal/app/tx"
	"workforce/internal/errs"
	"workforce/internal/password"
	"workforce/internal/sealed"
	"workforce/internal/viewer"
)

// A world is a company with the service under test.
type world struct {
	*apptest.World
	people *Service
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{World: apptest.New(t)}
	s, hasher := servicetest.New(t, w.World), password.NewHasher(apptest.PasswordWork)
	w.people = &Service{
		Now: w.Now, Hasher: hasher, Notify: s.Notify, Plans: s.Plans,
		Passwords: auth.New(auth.Deps{DB: w.DB, Now: w.Now, Keys: sealed.NewRing(sealed.Key{}), Hasher: hasher}).Passwords,
	}
	return w
}

// with returns the context of a user with some permissions, who manages businesses.
func (w *world) with(u *ent.User, businesses []int, permissions ...string) context.Context {
	return viewer.NewContext(ent.NewContext(context.Background(), w.DB), &viewer.Viewer{
		UserID: u.ID, CompanyID: u.CompanyID, Permissions: slices.Sorted(slices.Values(permissions)), Businesses: businesses, Locale: "en", Timezone: w.Company.Timezone,
	})
}

// create adds a user in a transaction, which runs again after the password is hashed.
func (w *world) create(ctx context.Context, in model.CreateUserInput) (u *ent.User, err error) {
	ctx, deferred := tx.WithDeferred(ctx)
	for {
		err = w.Try(ctx, func(ctx context.Context, _ *ent.Client) (err error) {
			u, err = w.people.CreateUser(ctx, in)
			return err
		})
		if !deferred.Run(ctx) {
			return u, err
		}
	}
}

// update changes a user in a transaction.
func (w *world) update(ctx context.Context, id int, in model.UpdateUserInput) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return w.people.UpdateUser(ctx, id, in) })
}

// remove deactivates a user in a transaction.
func (w *world) remove(ctx context.Context, id int) error {
	return w.Try(ctx, func(ctx context.Context, _ *ent.Client) error { return w.people.DeleteUser(ctx, id) })
}

// get returns a stored user.
func (w *world) get(id int) *ent.User { return w.DB.User.GetX(w.System(), id) }

// other creates another company with an owner.
func (w *world) other(t testing.TB) (*ent.Company, *ent.User) {
	t.Helper()
	var c *ent.Company
	var owners []*ent.User
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		if c, err = organization.CreateCompany(ctx, db, apptest.Now, "Other", "Asia/Tokyo", "en"); err != nil {
			return err
		}
		owners, err = CreateUsers(ctx, db, c, apptest.Now, NewUser{
			Name: "Omar", Email: "omar@other.test", Mobile: number("811 999 001"), Verified: true, Role: viewer.Owner,
		})
		return err
	})
	return c, w.get(owners[0].ID)
}

// unit creates a business of a company.
func (w *world) unit(t testing.TB, c *ent.Company, name string) int {
	t.Helper()
	var b *ent.Business
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		b, err = db.Business.Create().SetCompanyID(c.ID).SetName(name).Save(ctx)
		return err
	})
	return b.ID
}

// title creates a designation of a company.
func (w *world) title(t testing.TB, c *ent.Company, name string) int {
	t.Helper()
	var d *ent.Designation
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		d, err = db.Designation.Create().SetCompanyID(c.ID).SetName(name).Save(ctx)
		return err
	})
	return d.ID
}

// custom creates a role of the company.
func (w *world) custom(t testing.TB, name string, permissions ...string) *ent.Role {
	t.Helper()
	var r *ent.Role
	w.Change(t, func(ctx context.Context, db *ent.Client) (err error) {
		r, err = db.Role.Create().SetCompanyID(w.Company.ID).SetName(name).SetCustomPermissions(permissions).Save(ctx)
		return err
	})
	return w.DB.Role.GetX(w.System(), r.ID)
}

// join puts a user into a business.
func (w *world) join(t testing.TB, u *ent.User, business int) {
	t.Helper()
	w.Change(t, func(ctx context.Context, db *ent.Client) error {
		return db.User.UpdateOneID(u.ID).SetBusinessID(business).Exec(ctx)
	})
}

// roles returns the names of a user's roles, sorted.
func (w *world) roles(id int) []string {
	return w.DB.Role.Query().Where(role.HasUsersWith(user.ID(id))).Order(role.ByName()).Select(role.FieldName).StringsX(w.System())
}

// titles returns the ids of a user's designations, sorted.
func (w *world) titles(id int) []int {
	ids := w.DB.UserDesignation.Query().Where(userdesignation.UserID(id)).Select(userdesignation.FieldDesignationID).IntsX(w.System())
	slices.Sort(ids)
	return ids
}

// outcome returns the code of an error with all of its faults, "" for none, and
// NOT_FOUND for a row that the viewer does not see.
func outcome(err error) string {
	switch e, ok := errors.AsType[*errs.Error](err); {
	case ok:
		return e.Error()
	case ent.IsNotFound(err):
		return "NOT_FOUND"
	case err != nil:
		return err.Error()
	}
	return ""
}

// null returns a member that is null.
func null[T any]() input.Omittable[*T] { return input.Given[*T](nil) }

// given returns a member with a value.
func given[T any](v T) input.Omittable[*T] { return input.Given(&v) }
