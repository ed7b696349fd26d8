// Package privacy tests, on the whole server, that people are erased and export their data.
package privacy

import (
	"fmt"
	"slices"
	"testing"

	entJob "workforce/ent/job"
	"workforce/internal/apitest"
	"workforce/internal/demo"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// Scenarios are the groups of this package.
var Scenarios = []harness.Group{{Name: "erasure", Run: erasureScenarios}, {Name: "export", Run: exportScenarios}}

// erase is the request to erase somebody, by the name of their id.
func erase(name, who, id, want string) apitest.Scenario {
	return harness.Asks(name, who, `mutation{eraseUser(id:"{{`+id+`}}"){deleted}}`, want)
}

const erased = `{"eraseUser":{"deleted":true}}`

// erasureScenarios erase a person, and refuse to.
func erasureScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{
		"andini": "admin@demo.test", "maya": "maya@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "cecep": "cecep@demo.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	s.Vars["tenri"], s.Vars["nobody"] = harness.PersonID(t, s, "tenri@tetangga.test"), "999999"
	harness.RoleIDs(t, s, "andini", "")
	forbidden, unseen := harness.Refusal("eraseUser", "FORBIDDEN", "{}"), harness.Refusal("eraseUser", "NOT_FOUND", "{}")
	s.Run(t, []apitest.Scenario{
		harness.Asks("an admin", "andini", `mutation{updateUser(id:"{{maya}}",input:{roleIds:["{{role.admin}}"]}){id}}`, `{"updateUser":{"id":"{{maya}}"}}`),
		erase("oneself", "maya", "maya", forbidden),
		erase("the last owner, oneself", "andini", "andini", forbidden),
		erase("an owner, by an admin", "maya", "andini", forbidden),
		erase("by an employee", "budi", "cecep", forbidden),
		erase("by a manager", "ratna", "budi", forbidden),
		erase("of another company", "andini", "tenri", unseen),
		erase("of another company, by an employee", "budi", "tenri", unseen),
		erase("nobody", "andini", "nobody", unseen),
		harness.Asks("no id", "andini", `mutation{eraseUser(id:"x"){deleted}}`, unseen),
		harness.Asks("nothing came of that", "andini", `{user(id:"{{cecep}}"){name active}}`, `{"user":{"name":"Cecep Hidayat","active":true}}`),
		erase("by an admin", "maya", "cecep", erased),
		{Name: "the session ended", Path: "/user/profile", Method: "GET", Header: harness.SignedIn("cecep", "X-Language", "en"), Status: 401, Want: `"<any>"`},
		{Name: "the user token ended", Path: "/authorize/access-token", Header: map[string]string{"x-User-Token": "{{cecep.user}}"}, Status: 401, Want: `"<any>"`},
		{Name: "signs in no more", Path: "/user/login", Header: harness.DeviceOf("budi"), Body: `{"username":"cecep@demo.test","password":"` + demo.Password + `"}`, Status: 401, Want: `"<any>"`},
		harness.Asks("has no name", "andini", `{user(id:"{{cecep}}"){name email active image gender mobileNumber{number} designations{name} roles{name} employeeNumber}}`,
			`{"user":{"name":"Orang terhapus {{cecep}}","email":"erased-{{cecep}}@erased.invalid","active":false,"image":"images/avatar.png","gender":null,"mobileNumber":{"number":null},"designations":[],"roles":[],"employeeNumber":null}}`),
		harness.Asks("is found by no name", "andini", `{users(where:{emailHasPrefix:"cecep"}){totalCount}}`, `{"users":{"totalCount":0}}`),
		harness.Asks("does not come back", "andini", `mutation{updateUser(id:"{{cecep}}",input:{active:true,name:"Cecep"}){id}}`, harness.Refusal("updateUser", "FORBIDDEN", "{}")),
		erase("again", "maya", "cecep", erased),
		harness.Asks("address and number are free", "andini", `mutation{createUser(input:{name:"Cecep",email:"cecep@demo.test",mobileNumber:{countryCode:62,number:"8401100021"}}){name}}`,
			`{"createUser":{"name":"Cecep"}}`),
		harness.Asks("is in the audit", "andini", `{auditEvents(where:{action:"user.erased",subjectId:"{{cecep}}"}){edges{node{subjectType before after actor{id}}}}}`,
			`{"auditEvents":{"edges":[{"node":{"subjectType":"User","before":null,"after":null,"actor":{"id":"{{maya}}"}}}]}}`),
	})
	finish(t, s, 1)
	s.Run(t, []apitest.Scenario{
		harness.Asks("the name is in no event", "andini", `{auditEvents(where:{subjectType:"User",subjectId:"{{cecep}}",action:"user.updated"}){totalCount}}`, `{"auditEvents":{"totalCount":0}}`),
		harness.Asks("a second owner", "andini", `mutation{updateUser(id:"{{maya}}",input:{roleIds:["{{role.owner}}"]}){id}}`, `{"updateUser":{"id":"{{maya}}"}}`),
	})
	codes := s.AtOnce(t, [2]string{"andini", "maya"}, func(i int) string {
		return fmt.Sprintf(`mutation{eraseUser(id:%q){deleted}}`, s.Vars[[]string{"maya", "andini"}[i]])
	})
	if i := slices.Index(codes[:], ""); i < 0 || codes[1-i] == "" {
		t.Errorf("two owners erase each other: %q, want one success", codes)
	}
}

// finish waits for the jobs of so many erasures, those that follow at once.
func finish(t *testing.T, s *harness.Server, n int) {
	t.Helper()
	s.Wait(t, "the erasure", func() bool {
		return s.Store.Ent.Job.Query().Where(entJob.Kind("erasure"), entJob.StateEQ(entJob.StateDone)).CountX(viewer.System(t.Context())) >= n
	})
}
