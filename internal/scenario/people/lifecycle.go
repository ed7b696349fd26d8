package people

import (
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// lifecycleScenarios give people first and last days of work, move them between
// businesses, and have them set what is theirs.
func lifecycleScenarios(t *testing.T, s *harness.Server) {
	s.SignIn(t, "andini", "admin@demo.test")
	s.SignIn(t, "budi", "budi@demo.test")
	s.SignIn(t, "gita", "gita@demo.test")
	s.Vars["gita"], s.Vars["andini"] = harness.PersonID(t, s, "gita@demo.test"), harness.PersonID(t, s, "admin@demo.test")
	t.Run("history", func(t *testing.T) { lifecycleHistory(t, s) })
	t.Run("own", func(t *testing.T) { lifecycleOwn(t, s) })
	t.Run("days", func(t *testing.T) { lifecycleDays(t, s) })
}

// lifecycleHistory changes business and designations on one day and on the next.
func lifecycleHistory(t *testing.T, s *harness.Server) {
	var ids struct {
		Businesses, Designations struct {
			Edges []struct{ Node struct{ ID, Name string } }
		}
	}
	s.GraphQL(t, s.HeaderOf("andini"), `{businesses{edges{node{id name}}} designations{edges{node{id name}}}}`, nil, &ids)
	for _, e := range ids.Businesses.Edges {
		s.Vars["business."+strings.ReplaceAll(e.Node.Name, " ", "")] = e.Node.ID
	}
	for _, e := range ids.Designations.Edges {
		s.Vars["title."+strings.ReplaceAll(e.Node.Name, " ", "")] = e.Node.ID
	}
	const fields = `{businessHistory{name from until business{name}} designationHistory{name from until designation{name}}}`
	s.Run(t, []apitest.Scenario{
		harness.Asks("as it was", "andini", `{user(id:"{{gita}}")`+fields+`}`,
			`{"user":{"businessHistory":[{"name":"Operasional Bandung","from":"<date>","until":null,"business":{"name":"Operasional Bandung"}}],"designationHistory":[{"name":"Staf Operasional","from":"<date>","until":null,"designation":{"name":"Staf Operasional"}}]}}`),
		harness.Asks("moved", "andini", `mutation{updateUser(id:"{{gita}}",input:{businessId:"{{business.Gudang}}",designationIds:["{{title.Teknisi}}"]})`+fields+`}`,
			`{"updateUser":{"businessHistory":[{"name":"Operasional Bandung","from":"<date>","until":"2026-03-09","business":{"name":"Operasional Bandung"}},{"name":"Gudang","from":"2026-03-10","until":null,"business":{"name":"Gudang"}}],`+
				`"designationHistory":[{"name":"Staf Operasional","from":"<date>","until":"2026-03-09","designation":{"name":"Staf Operasional"}},{"name":"Teknisi","from":"2026-03-10","until":null,"designation":{"name":"Teknisi"}}]}}`),
		harness.Asks("moved again on the same day", "andini", `mutation{updateUser(id:"{{gita}}",input:{businessId:"{{business.KantorBandung}}"}){business{name} businessHistory{name from until}}}`,
			`{"updateUser":{"business":{"name":"Kantor Bandung"},"businessHistory":[{"name":"Operasional Bandung","from":"<date>","until":"2026-03-09"},{"name":"Kantor Bandung","from":"2026-03-10","until":null}]}}`),
		harness.Asks("to a business that is not there", "andini", `mutation{updateUser(id:"{{gita}}",input:{businessId:"999999"}){id}}`,
			harness.Refusal("updateUser", "NOT_FOUND", "{}", "businessId", harness.Nothing)),
		harness.Asks("one's own", "gita", `{viewer{businessHistory{name}}}`, `{"viewer":{"businessHistory":[{"name":"Operasional Bandung"},{"name":"Kantor Bandung"}]}}`),
		harness.Asks("of a colleague", "budi", `{user(id:"{{gita}}"){name `+fields[1:]+`}`, `{"user":{"name":"Gita Wulandari","businessHistory":[],"designationHistory":[]}}`),
	})
}

// lifecycleOwn has a person set their language, channel, gender and salutation.
func lifecycleOwn(t *testing.T, s *harness.Server) {
	const invalid = "VALIDATION_FAILED"
	s.Run(t, []apitest.Scenario{
		harness.Asks("all", "budi", `mutation{updateViewer(input:{locale:"en",messageChannel:whatsapp,gender:"male",salutation:" Bapak "}){name locale messageChannel gender salutation}}`,
			`{"updateViewer":{"name":"Budi Santoso","locale":"en","messageChannel":"whatsapp","gender":"male","salutation":"Bapak"}}`),
		harness.Asks("nothing", "budi", `mutation{updateViewer(input:{}){locale messageChannel}}`, `{"updateViewer":{"locale":"en","messageChannel":"whatsapp"}}`),
		harness.Asks("back", "budi", `mutation{updateViewer(input:{locale:"id",messageChannel:null,salutation:null}){locale messageChannel salutation}}`,
			`{"updateViewer":{"locale":"id","messageChannel":null,"salutation":null}}`),
		harness.Asks("all that is wrong", "gita", `mutation{updateViewer(input:{locale:"fr",messageChannel:sms,gender:"x"}){id}}`,
			harness.Refusal("updateViewer", invalid, "{}", "locale", "This must be one of id, en.", "gender", "This must be one of male, female.", "messageChannel", "<any>")),
		{Name: "without a token", Path: "/graphql", Header: harness.Head("Content-Type", "application/json"), Body: apitest.Query(`mutation{updateViewer(input:{}){id}}`, nil), Status: 200},
	})
}

// lifecycleDays ends tokens and sign-in before the first and after the last day of work.
func lifecycleDays(t *testing.T, s *harness.Server) {
	login := func(name string, status int) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/login", Header: harness.DeviceOf("gita"), Status: status,
			Body: `{"username":"gita@demo.test","password":"demo-password"}`}
	}
	profile := func(name string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/user/permission", Header: harness.Bearer("gita"), Status: 200}
	}
	revoked := func(name string) apitest.Scenario {
		return harness.Refused(profile(name), 401, "UNAUTHENTICATED", `{"reason":"revoked","token":"access"}`)
	}
	change := func(name, input string) apitest.Scenario {
		return harness.Asks(name, "andini", `mutation{updateUser(id:"{{gita}}",input:{`+input+`}){id}}`, `{"updateUser":{"id":"{{gita}}"}}`)
	}
	s.Run(t, []apitest.Scenario{
		change("left yesterday", `leftOn:"2026-03-09"`),
		revoked("the token after the last day"), login("sign-in after the last day", 401),
		change("the last day taken back", `leftOn:null`),
		revoked("a token that has ended"), login("sign-in without a last day", 200),
	})
	s.SignIn(t, "gita", "gita@demo.test")
	s.Run(t, []apitest.Scenario{
		profile("a new token"), change("begins tomorrow", `joinedOn:"2026-03-11",leftOn:null`),
		revoked("the token before the first day"), login("sign-in before the first day", 401),
		change("begins and leaves today", `joinedOn:"2026-03-10",leftOn:"2026-03-10"`),
		revoked("the token that had ended"), login("sign-in on the only day", 200),
	})
	s.SignIn(t, "gita", "gita@demo.test")
	s.Run(t, []apitest.Scenario{
		profile("the token on the only day"), change("the same days", `joinedOn:"2026-03-10",leftOn:"2026-03-10"`), profile("the same token"),
		harness.Asks("the last owner leaves", "andini", `mutation{updateUser(id:"{{andini}}",input:{leftOn:"2027-01-01"}){id}}`,
			harness.Refusal("updateUser", "CONFLICT", `{"conflict":"LAST_OWNER","owners":1}`)),
	})
	midnight := time.Date(2026, 3, 11, 0, 0, 0, 0, harness.Morning.Location())
	s.Clock.Set(midnight.Add(-time.Minute))
	s.SignIn(t, "gita", "gita@demo.test")
	s.Clock.Set(midnight.Add(-time.Microsecond))
	s.Run(t, []apitest.Scenario{profile("the last instant of the last day")})
	s.Clock.Set(midnight)
	s.Run(t, []apitest.Scenario{revoked("midnight, without a write"), login("sign-in at midnight", 401)})
	s.SignIn(t, "andini", "admin@demo.test")
	imports := func(leftOn string) {
		t.Helper()
		if got := importTable(t, s, "andini", "email,leftOn\ngita@demo.test,"+leftOn+"\n").String(); got != "0 1 0" {
			t.Error(got)
		}
	}
	imports("")
	s.Run(t, []apitest.Scenario{revoked("the token that ended at midnight")})
	s.SignIn(t, "gita", "gita@demo.test")
	s.Run(t, []apitest.Scenario{profile("a token without a last day")})
	imports("2026-03-10")
	imports("")
	s.Run(t, []apitest.Scenario{revoked("the token that an import ended")})
}
