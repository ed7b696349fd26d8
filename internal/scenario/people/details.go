package people

import (
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// detailScenarios read what the directory does not show of a person: as themselves, as
// a colleague, as their supervisor, as a supervisor of others and as an owner.
func detailScenarios(t *testing.T, s *harness.Server) {
	for name, email := range map[string]string{
		"agus": "agus@demo.test", "budi": "budi@demo.test", "cecep": "cecep@demo.test", "siti": "siti@demo.test", "andini": "admin@demo.test",
	} {
		s.SignIn(t, name, email)
		s.Vars[name] = harness.PersonID(t, s, email)
	}
	const (
		selection = `{name active joinedOn business{name} roles{name}}`
		shown     = `{"name":"Agus Setiawan","active":true,"joinedOn":"<date>","business":{"name":"<any>"},"roles":[{"name":"Employee"}]}`
		hidden    = `{"name":"Agus Setiawan","active":null,"joinedOn":null,"business":null,"roles":[]}`
		byRole    = `{users(first:1,where:{name:"Agus Setiawan",hasRolesWith:[{builtin:"employee"}]}){totalCount}}`
		notByRole = `{users(first:1,where:{name:"Agus Setiawan",not:{hasRolesWith:[{builtin:"owner"}]}}){totalCount}}`
		active    = `{users(first:1,where:{or:[{active:true,name:"Agus Setiawan"}]}){totalCount}}`
	)
	count := func(n string) string { return `{"users":{"totalCount":` + n + `}}` }
	for _, who := range []struct {
		name string
		sees bool
	}{{"agus", true}, {"budi", false}, {"agus", true}, {"siti", true}, {"andini", true}} {
		want, found := hidden, "0"
		if who.sees {
			want, found = shown, "1"
		}
		s.Run(t, []apitest.Scenario{
			harness.Asks("by id, "+who.name, who.name, `{user(id:"{{agus}}")`+selection+`}`, `{"user":`+want+`}`),
			harness.Asks("in a connection, "+who.name, who.name, `{users(where:{name:"Agus Setiawan"}){edges{node`+selection+`}}}`, `{"users":{"edges":[{"node":`+want+`}]}}`),
			harness.Asks("in a list, "+who.name, who.name, `{employees(search:"agus@",limit:5){nodes`+selection+`}}`, `{"employees":{"nodes":[`+want+`]}}`),
			harness.Asks("filtered by a role, "+who.name, who.name, byRole, count(found)),
			harness.Asks("filtered by not a role, "+who.name, who.name, notByRole, count("1")),
			harness.Asks("filtered by whether active, "+who.name, who.name, active, count(found)),
		})
	}
	s.Run(t, []apitest.Scenario{
		harness.Asks("the manager of a business", "budi", `{businesses(where:{name:"Kantor Jakarta"}){edges{node{manager{name roles{name}}}}}}`,
			`{"businesses":{"edges":[{"node":{"manager":{"name":"Ratna Wijayanti","roles":[]}}}]}}`),
		harness.Asks("businesses by their manager's role", "budi", `{businesses(where:{hasManagerWith:[{hasRolesWith:[{builtin:"manager"}]}]}){totalCount}}`, `{"businesses":{"totalCount":0}}`),
		harness.Asks("by an owner", "andini", `{businesses(where:{hasManagerWith:[{hasRolesWith:[{builtin:"manager"}]}]}){totalCount}}`, `{"businesses":{"totalCount":1}}`),
		harness.Asks("somebody outside of the team", "siti", `{user(id:"{{cecep}}"){active joinedOn roles{name}}}`, `{"user":{"active":null,"joinedOn":null,"roles":[]}}`),
		harness.Asks("oneself", "cecep", `{viewer{active roles{name}}}`, `{"viewer":{"active":true,"roles":[{"name":"Employee"}]}}`),
	})
}
