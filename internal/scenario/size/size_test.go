// Package size tests a whole server on the large company of the demo.
package size

import (
	"fmt"
	"os"
	"testing"

	"workforce/ent"
	"workforce/ent/employeeshift"
	"workforce/ent/shiftresult"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// TestLargeCompany asks for lists and sums as the owner of a large company. The jobs that find
// results find none that are missing.
func TestLargeCompany(t *testing.T) {
	testdb.Each(t, func(t *testing.T, url string) {
		s := harness.New(t, url, func(c *server.Config) { c.DemoScale = 2 })
		ctx, db := viewer.System(t.Context()), s.Store.Ent
		owner := db.User.Query().Where(user.Email(demo.LargeOwner)).OnlyX(ctx)
		s.SignIn(t, "laksmi", demo.LargeOwner)
		s.Says(t, "laksmi", `{ users(first: 1) { totalCount } }`, `{"users":{"totalCount":100}}`)
		s.Run(t, []apitest.Scenario{{
			Name: "people", Path: "/user?per-page=1", Header: harness.SignedIn("laksmi"), WantHeader: map[string]string{"X-Total-Count": "100"},
		}})
		var sums []struct{ Sum int }
		db.ShiftResult.Query().Where(shiftresult.UserID(owner.ID), shiftresult.DateGTE("2025-03-10"), shiftresult.DateLTE("2026-03-08")).
			Aggregate(ent.Sum(shiftresult.FieldWorkedSeconds)).ScanX(ctx, &sums)
		if sums[0].Sum < 220*8*3600 {
			t.Errorf("the owner worked %d s in a year", sums[0].Sum)
		}
		s.Says(t, "laksmi", `{ timesheetWidget(from: "2025-03-10", to: "2026-03-08") { closedSeconds } }`,
			fmt.Sprintf(`{"timesheetWidget":{"closedSeconds":%d}}`, sums[0].Sum))

		of := db.EmployeeShift.Query().Where(employeeshift.CompanyID(owner.CompanyID), employeeshift.EvaluatedAtNotNil())
		before := of.Clone().CountX(ctx)
		harness.RunDays(t, s)
		if after := of.Clone().CountX(ctx); after != before || before < 26_000 {
			t.Errorf("%d results, then %d", before, after)
		}
	})
}
