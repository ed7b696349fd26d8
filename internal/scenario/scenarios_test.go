// Package scenario_test runs the scenarios of every domain.
package scenario_test

import (
	"os"
	"slices"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/attendance"
	"workforce/internal/scenario/audit"
	"workforce/internal/scenario/auth"
	"workforce/internal/scenario/durability"
	"workforce/internal/scenario/graphql"
	"workforce/internal/scenario/harness"
	"workforce/internal/scenario/httpapi"
	"workforce/internal/scenario/messaging"
	"workforce/internal/scenario/organization"
	"workforce/internal/scenario/people"
	"workforce/internal/scenario/privacy"
	"workforce/internal/scenario/reports"
	"workforce/internal/scenario/requests"
	"workforce/internal/scenario/roster"
	"workforce/internal/scenario/tasks"
	"workforce/internal/scenario/tickets"
	"workforce/internal/scenario/worktime"
	"workforce/internal/server"
	"workforce/internal/testdb"
)

func TestMain(m *testing.M) { os.Exit(testdb.Main(m)) }

// TestScenarios runs every group on each kind of database. Every answer must
// match openapi.json, and every operation must have been answered with success.
func TestScenarios(t *testing.T) {
	groups := slices.Concat(auth.Scenarios, people.Scenarios, privacy.Scenarios, organization.Scenarios, attendance.Scenarios, roster.Scenarios, tasks.Scenarios, tickets.Scenarios, worktime.Scenarios, reports.Scenarios, requests.Scenarios, messaging.Scenarios,
		audit.Scenarios, durability.Scenarios, graphql.Scenarios, httpapi.Scenarios)
	testdb.Each(t, func(t *testing.T, database string) {
		doc, ran := openAPIDocument(t), 0
		for _, g := range groups {
			if g.SQLite && database[:5] == "mysql" {
				continue
			}
			t.Run(g.Name, func(t *testing.T) {
				url := testdb.SQLite(t)
				if database[:5] == "mysql" {
					url = testdb.MySQL(t)
				}
				s := harness.New(t, url, func(c *server.Config) { c.SMSSecret = messaging.GatewaySecret })
				s.Check = doc.Check
				g.Run(t, s)
				ran++
			})
		}
		if ran < len(groups) {
			return // others were not asked for, are tried on SQLite alone, or failed
		}
		if untried := doc.Untried(); len(untried) > 0 && !t.Failed() {
			t.Errorf("operations without a scenario that succeeds: %q", untried)
		}
	})
}

func openAPIDocument(t *testing.T) *apitest.Document {
	t.Helper()
	text, err := server.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	doc, err := apitest.OpenAPI(text)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}
