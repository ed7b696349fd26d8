package organization

import (
	"context"
	"fmt"
	"os"
	"testing"

	"entgo.io/ent/dialect/sql"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/role"
	_ "workforce/ent/runtime"
	"workforce/graph/model"
	"workforce/internal/app/apptest"
	"workforce/internal/app/tx"
	"workforce/internal/database"
	"workforce/internal/testdb"
	"workforce/internal/tree"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// TestParallelMoves puts two businesses below each other at once, ten times: each
// move is harmless alone, and one of the two is refused.
func TestParallelMoves(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, me := ownedCompany(t, url)
		ctx := viewer.NewContext(ent.NewContext(t.Context(), db), me)
		var pairs [10][2]int
		for i := range pairs {
			for side := range pairs[i] {
				pairs[i][side] = newBusiness(t, ctx, db, fmt.Sprint("Business ", i, side))
			}
		}
		results := make(chan error)
		for _, pair := range pairs {
			for side := range pair {
				go func() {
					results <- retry(ctx, db, func(ctx context.Context) error {
						return (&Service{}).UpdateBusiness(ctx, pair[side], model.UpdateBusinessInput{ParentID: given(pair[1-side])})
					})
				}()
			}
		}
		got := map[string]int{}
		for range 2 * len(pairs) {
			got[outcome(<-results)]++
		}
		if got[""] != len(pairs) || got["CYCLE parentId"] != len(pairs) {
			t.Errorf("outcomes %v, want %d moved and %d CYCLE parentId", got, len(pairs), len(pairs))
		}
		for _, pair := range pairs {
			a, b := db.Business.GetX(ctx, pair[0]), db.Business.GetX(ctx, pair[1])
			if a.ParentID != nil && b.ParentID != nil {
				t.Errorf("%s and %s are below each other", a.Name, b.Name)
			}
		}
	})
}

// retry runs a step in a transaction until the database does not give it up.
func retry(ctx context.Context, db *ent.Client, step func(context.Context) error) error {
	for {
		if err := tx.Run(ctx, db, step); err == nil || !database.Retryable(err) {
			return err
		}
	}
}

// TestDeepest finds who works at the lower end of a chain of 10,000 businesses: the
// databases would stop earlier.
func TestDeepest(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		db, me := ownedCompany(t, url)
		var first int
		err := tx.Run(viewer.System(t.Context()), db, func(ctx context.Context) error {
			db := ent.FromContext(ctx)
			chain, err := levels(ctx, db, me.CompanyID, tree.MaxNodes)
			if err != nil {
				return err
			}
			first = chain[0].ID
			err = db.Business.Update().Where(business.IDGT(first)).
				Modify(func(u *sql.UpdateBuilder) { u.Set(business.FieldParentID, sql.Expr("id - 1")) }).Exec(ctx)
			if err != nil {
				return err
			}
			return db.User.UpdateOneID(me.UserID).SetBusinessID(chain[tree.MaxNodes-1].ID).Exec(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		for below, want := range map[int]int{first: 1, first + tree.MaxNodes: 0} {
			if n, err := db.User.Query().Where(WorksBelow(below)).Count(viewer.System(t.Context())); err != nil || n != want {
				t.Errorf("%d people work below %d, %v; want %d", n, below, err, want)
			}
		}
	})
}

// ownedCompany opens a database with a company and returns its owner.
func ownedCompany(t *testing.T, url string) (*ent.Client, *viewer.Viewer) {
	t.Helper()
	apptest.Migrate(t, url)
	pool, err := database.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	db := ent.NewClient(ent.Driver(pool.Driver()))
	me := &viewer.Viewer{Permissions: viewer.Permissions(viewer.Owner)}
	err = tx.Run(viewer.System(t.Context()), db, func(ctx context.Context) error {
		db := ent.FromContext(ctx)
		c, err := CreateCompany(ctx, db, apptest.Now, "Acme", "Asia/Jakarta", "id")
		if err != nil {
			return err
		}
		u, err := db.User.Create().SetCompanyID(c.ID).SetName("Ana").SetEmail("ana@acme.test").SetEmailKey("ana@acme.test").SetCreatedAt(apptest.Now).Save(ctx)
		if err != nil {
			return err
		}
		me.UserID, me.CompanyID = u.ID, c.ID
		if err := db.ClockState.Create().SetCompanyID(c.ID).SetUserID(u.ID).Exec(ctx); err != nil {
			return err
		}
		owner, err := db.Role.Query().Where(role.Builtin(viewer.Owner)).OnlyID(ctx)
		if err != nil {
			return err
		}
		return db.UserRole.Create().SetCompanyID(c.ID).SetUserID(u.ID).SetRoleID(owner).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return db, me
}

// newBusiness creates a root of the tree.
func newBusiness(t *testing.T, ctx context.Context, db *ent.Client, name string) (id int) {
	t.Helper()
	err := tx.Run(ctx, db, func(ctx context.Context) error {
		b, err := (&Service{}).CreateBusiness(ctx, model.CreateBusinessInput{Name: name})
		if err == nil {
			id = b.ID
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}
