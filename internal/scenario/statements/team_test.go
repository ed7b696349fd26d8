package statements

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/business"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// teamQueries are answered within the team of a manager, some by several conditions on it.
var teamQueries = []string{
	`{ users(first: 100) { totalCount edges { node { name email business { name } } } } }`,
	`{ users(first: 100, where: {emailContains: "demo"}) { totalCount edges { node { name email } } } }`,
	`{ attendances(first: 100) { totalCount edges { node { user { name } address { name } employeeShift { attendances { user { name } } } } } } }`,
	`{ employeeShifts(first: 100) { totalCount edges { node { name user { name } attendances { flags: clockedInFlags } assignment { user { name } } } } } }`,
	`{ devices(first: 100) { totalCount edges { node { trusts { user { name } } } } } sessions(first: 100) { totalCount } deviceApprovals(first: 100) { totalCount edges { node { user { name } } } } }`,
	`{ timesheet { totalCount } timesheetWidget { workedSeconds } roster { totalCount } attendanceSummary { totalCount } }`,
	`{ leaves(first: 100) { totalCount } corrections(first: 100) { totalCount } coordinates(first: 100) { totalCount } shiftSwaps(first: 100) { totalCount } }`,
	`{ viewer { name business { children { name } } } employees(limit: 1000) { nodes { name email manager { name } } } }`,
}

// TestLargeTeam has somebody manage 10,000 businesses: a token is read, and lists are
// answered, within the second.
func TestLargeTeam(t *testing.T) {
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		ctx := viewer.System(t.Context())
		s.SignIn(t, "ratna", "manager@demo.test")
		s.Grant(t, "manager@demo.test", "device.read.team", "session.read.team")
		me := s.Store.Ent.User.Query().Where(user.EmailKey("manager@demo.test")).OnlyX(ctx)
		had := s.Store.Ent.Business.Query().Where(business.CompanyID(me.CompanyID)).CountX(ctx)
		for from := had; from < 10_000; from += 1000 {
			harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
				db.Business.MapCreateBulk(make([]struct{}, min(1000, 10_000-from)), func(row *ent.BusinessCreate, i int) {
					row.SetCompanyID(me.CompanyID).SetName(fmt.Sprint("Unit ", from+i)).SetManagerID(me.ID)
				}).ExecX(ctx)
			})
		}
		for _, document := range teamQueries {
			for _, cold := range []bool{true, false} {
				start := time.Now()
				a := s.AskGraphQL(t, s.HeaderOf("ratna"), document, nil)
				took := time.Since(start)
				if a.Code() != "" || took > 5*time.Second {
					t.Errorf("%s: %s after %v", document, a.Code(), took)
				}
				t.Logf("cold %v: %v, %d bytes: %.60s", cold, took.Round(time.Millisecond), len(a.Text), document)
			}
		}
		s.SaveSites(t, "ratna")
		s.SaveShift(t, "ratna")
		s.Pass(t, "ratna")
		ask := func(r apitest.Scenario) {
			t.Helper()
			start := time.Now()
			if out, err := s.Attempt(r); err != nil || out.Status != http.StatusOK || time.Since(start) > 5*time.Second {
				t.Errorf("%s: %+v after %v, %v", r.Path, out, time.Since(start), err)
			}
		}
		ask(harness.ClockIn("ratna"))
		s.Pass(t, "ratna")
		ask(harness.ClockOut("ratna"))
		for _, path := range queryPaths(t) {
			ask(apitest.Scenario{Method: http.MethodGet, Path: path, Header: harness.SignedIn("ratna")})
		}
	}, harness.Uncached)
}
