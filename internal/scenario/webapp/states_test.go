package webapp

import (
	"strconv"
	"testing"
	"time"

	"workforce/ent/deviceapproval"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// TestStates uses the keys that every screen has, and comes between a manager and their work.
func TestStates(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "admin", "admin@demo.test")
	s.SaveSites(t, "budi")
	s.SaveShift(t, "budi")
	id := harness.PersonID(t, s, manager)
	use(t, s, "states.mjs", map[string]func(string) string{
		"end": func(string) string {
			s.Says(t, "admin", `mutation { revokeAllSessions(userId: "`+id+`") { id } }`, `{"revokeAllSessions":"<any>"}`)
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
		"approve": func(string) string {
			waiting := s.Store.Ent.DeviceApproval.Query().Where(deviceapproval.HasUserWith(user.Email(employee)),
				deviceapproval.StatusEQ(deviceapproval.StatusPending)).OnlyX(viewer.System(t.Context()))
			s.Says(t, "admin", `mutation { decideDevice(id: "`+strconv.Itoa(waiting.ID)+`", input: {approve: true}) { id } }`,
				`{"decideDevice":{"id":"<digits>"}}`)
			return ""
		},
	})
}
