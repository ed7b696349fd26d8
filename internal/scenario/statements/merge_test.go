package statements

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"workforce/ent"
	"workforce/ent/user"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestMergeStatements gives away a designation and a business that 30 people have, with
// 30 below, and then such with 300: both take the same number of statements.
func TestMergeStatements(t *testing.T) {
	for name, open := range map[string]func(testing.TB) string{"sqlite": testdb.SQLite, "mysql": testdb.MySQL} {
		t.Run(name, func(t *testing.T) {
			few, many := countMerges(t, open(t), 30), countMerges(t, open(t), 300)
			for what, n := range few {
				if many[what] != n {
					t.Errorf("%s: %d statements with 30 people, %d with 300", what, n, many[what])
				}
			}
			t.Logf("statements: %v", few)
		})
	}
}

// countMerges returns how many statements it takes to give away what n people have.
func countMerges(t *testing.T, database string, n int) map[string]int {
	c := counting{Server: harness.New(t, database, longTokens, harness.Uncached), n: n, counts: map[string]int{}}
	ctx := viewer.System(t.Context())
	c.SignIn(t, "me", "admin@demo.test")
	company := c.Store.Ent.User.Query().Where(user.EmailKey("admin@demo.test")).OnlyX(ctx).CompanyID
	var title, unit, otherTitle, otherUnit int
	harness.Rewrite(t, ctx, c.Store.Ent, func(db *ent.Client) {
		title = db.Designation.Create().SetCompanyID(company).SetName("Old").SaveX(ctx).ID
		otherTitle = db.Designation.Create().SetCompanyID(company).SetName("Next").SaveX(ctx).ID
		unit = db.Business.Create().SetCompanyID(company).SetName("Old").SaveX(ctx).ID
		otherUnit = db.Business.Create().SetCompanyID(company).SetName("Next").SaveX(ctx).ID
		fillMerged(ctx, db, company, title, unit, n)
	})
	me := harness.SignedIn("me")
	c.ask(t, "DELETE", fmt.Sprintf("/organization/designation/%d?moveTo=%d", title, otherTitle), me, "")
	text, _ := json.Marshal(map[string]string{"query": fmt.Sprintf(`mutation { mergeBusinesses(id: "%d", into: "%d") { userCount } }`, unit, otherUnit)})
	c.ask(t, "POST", "/graphql", me, string(text))
	return c.counts
}

// fillMerged makes n people who hold a designation and work in a business, and n nodes
// below each of the two.
func fillMerged(ctx context.Context, db *ent.Client, company, title, unit, n int) {
	all := make([]struct{}, n)
	db.Designation.MapCreateBulk(all, func(d *ent.DesignationCreate, i int) {
		d.SetCompanyID(company).SetName(fmt.Sprint("Part ", i)).SetParentID(title)
	}).ExecX(ctx)
	db.Business.MapCreateBulk(all, func(b *ent.BusinessCreate, i int) {
		b.SetCompanyID(company).SetName(fmt.Sprint("Part ", i)).SetParentID(unit)
	}).ExecX(ctx)
	db.User.MapCreateBulk(all, func(u *ent.UserCreate, i int) {
		email := fmt.Sprintf("merged%d@many.test", i)
		u.SetCompanyID(company).SetName(fmt.Sprint("Merged ", i)).SetEmail(email).SetEmailKey(email).SetBusinessID(unit).SetCreatedAt(harness.Morning.UTC())
	}).ExecX(ctx)
	ids := db.User.Query().Where(user.BusinessID(unit)).IDsX(ctx)
	db.ClockState.MapCreateBulk(ids, func(s *ent.ClockStateCreate, i int) { s.SetCompanyID(company).SetUserID(ids[i]) }).ExecX(ctx)
	db.UserDesignation.MapCreateBulk(ids, func(d *ent.UserDesignationCreate, i int) {
		d.SetCompanyID(company).SetUserID(ids[i]).SetDesignationID(title)
	}).ExecX(ctx)
}
