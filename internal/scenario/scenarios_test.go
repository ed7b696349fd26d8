package main

import (
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/testdb"
)

// groups are the scenarios of the API. Each runs against a server of its own.
var groups = []struct {
	name string
	run  func(t *testing.T, s *testServer)
}{
	{"sign-in", signInScenarios},
	{"devices", deviceScenarios},
	{"device administration", deviceAdminScenarios},
	{"audit", auditScenarios},
	{"login", loginScenarios},
	{"verify", verifyScenarios},
	{"tokens", tokenScenarios},
	{"passwords", passwordScenarios},
	{"encrypted passwords", encryptionScenarios},
	{"changed passwords", changeScenarios},
	{"guessed passwords", guessScenarios},
	{"token matrix", tokenMatrixScenarios},
	{"attendance day", attendanceDayScenarios},
	{"attendance repeats", attendanceRepeatScenarios},
	{"attendance races", attendanceRaceScenarios},
	{"attendance rules", attendanceRuleScenarios},
	{"idempotency keys", idempotencyScenarios},
	{"users", usersScenarios},
	{"http", httpScenarios},
	{"permissions", permissionScenarios},
	{"graphql", graphqlScenarios},
	{"messaging", messagingScenarios},
}

// TestScenarios runs every group on each kind of database. Every answer must
// match openapi.json, and every operation must have been answered with success.
func TestScenarios(t *testing.T) {
	testdb.Each(t, func(t *testing.T, database string) {
		doc, ran := openAPIDocument(t), 0
		for _, g := range groups {
			t.Run(g.name, func(t *testing.T) {
				url := testdb.SQLite(t)
				if database[:5] == "mysql" {
					url = testdb.MySQL(t)
				}
				s := newTestServer(t, url)
				s.Check = doc.Check
				g.run(t, s)
				ran++
			})
		}
		if ran < len(groups) {
			return // others were not asked for, or failed
		}
		if untried := doc.Untried(); len(untried) > 0 && !t.Failed() {
			t.Errorf("operations without a scenario that succeeds: %q", untried)
		}
	})
}

func openAPIDocument(t *testing.T) *apitest.Document {
	t.Helper()
	api, err := loadAPI(schemaOnly(), "")
	if err != nil {
		t.Fatal(err)
	}
	text, err := api.OpenAPI(apiInfo(""))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := apitest.OpenAPI(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// signInScenarios sign somebody in, step by step.
func signInScenarios(t *testing.T, s *testServer) {
	s.SignIn(t, "budi", "budi@demo.test")
	s.Run(t, []apitest.Scenario{
		{Name: "profile", Path: "/user/profile", Header: map[string]string{"Authorization": "Bearer {{budi.access}}"}, Status: 200,
			Want: `{"name":"Budi Santoso","email":"budi@demo.test","image":"images/avatar.png","mobileNumber":{"country_code":62,"number":"08401100003"},"gender":"male","salutaion":null,"locale":"id","designations":[{"id":"<digits>","name":"Staf Operasional"}],"faceLandmark":[]}`},
	})
}
