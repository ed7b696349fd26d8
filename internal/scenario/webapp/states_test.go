package webapp

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"workforce/ent"
	"workforce/ent/deviceapproval"
	"workforce/ent/role"
	"workforce/ent/user"
	"workforce/ent/userrole"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/testdb"
	"workforce/internal/viewer"
)

// TestStates uses the keys that every screen has, and comes between a manager and their work.
func TestStates(t *testing.T) {
	t.Parallel()
	database := testdb.SQLite(t)
	s := harness.New(t, database, atLocalhost)
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "admin", "admin@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	id := harness.PersonID(t, s, manager)
	reached := newLine(t, strings.TrimPrefix(s.URL, "http://"))
	s.URL = "http://" + reached.listener.Addr().String()
	use(t, s, "states.mjs", map[string]func(string) string{
		"end": func(string) string {
			s.Says(t, "admin", `mutation { revokeAllSessions(userId: "`+id+`") { id } }`, `{"revokeAllSessions":"<any>"}`)
			return ""
		},
		"kill": func(string) string { reached.lead(""); s.Rest(); return "" },
		"start": func(string) string {
			next := harness.New(t, database, atLocalhost)
			next.Clock.Set(s.Clock.Now())
			reached.lead(strings.TrimPrefix(next.URL, "http://"))
			return ""
		},
		"clock": func(way string) string {
			event := harness.ClockIn("budi")
			if way == "out" {
				s.Clock.Advance(5 * time.Minute)
				event = harness.ClockOut("budi")
			}
			s.Must(t, []apitest.Scenario{event})
			return ""
		},
	})
}

// TestEmployee has an employee's browser approved.
func TestEmployee(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const employee = "budi@demo.test"
	s.SignIn(t, "admin", "admin@demo.test")
	s.SignIn(t, "budi", employee) // nobody has to approve the first device
	s.Clock.Advance(2 * time.Minute)
	s.Says(t, "admin", `mutation { updateCompany(input: {settings: {deviceApproval: true}}) { id } }`,
		`{"updateCompany":{"id":"<digits>"}}`)
	useAs(t, s, employee, "employee.mjs", nil, map[string]func(string) string{
		"take": func(string) string {
			ctx := viewer.System(t.Context())
			harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
				db.UserRole.Delete().Where(userrole.HasUserWith(user.Email(employee))).ExecX(ctx)
			})
			s.Grant(t, employee, "task.read.own")
			return ""
		},
		"narrow": func(string) string {
			ctx := viewer.System(t.Context())
			harness.Rewrite(t, ctx, s.Store.Ent, func(db *ent.Client) {
				db.Role.Update().Where(role.HasUserRolesWith(userrole.HasUserWith(user.Email(employee)))).
					SetCustomPermissions([]string{"attendance.read.own", "shift.read.own", "user.read.own"}).ExecX(ctx)
			})
			return ""
		},
		"approve": func(string) string {
			waiting := s.Store.Ent.DeviceApproval.Query().Where(deviceapproval.HasUserWith(user.Email(employee)),
				deviceapproval.StatusEQ(deviceapproval.StatusPending)).OnlyX(viewer.System(t.Context()))
			s.Says(t, "admin", `mutation { decideDevice(id: "`+strconv.Itoa(waiting.ID)+`", input: {approve: true}) { id } }`,
				`{"decideDevice":{"id":"<digits>"}}`)
			return ""
		},
	})
}
