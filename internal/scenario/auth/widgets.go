package auth

import (
	"fmt"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

const (
	page  = "https://intranet.example.com"
	other = "https://other.example.com"
)

// shown has the header of a widget token that was saved under a name, of a page of an origin.
func shown(name, origin string) map[string]string {
	return map[string]string{"Authorization": "Bearer {{" + name + "}}", "Origin": origin}
}

// makes is a token for a widget of a page, which somebody makes and which is saved.
func makes(who, name, input string) apitest.Scenario {
	query := fmt.Sprintf(`{"query":"mutation{createWidgetToken(input:{%s}){token expiresAt}}"}`, input)
	return apitest.Scenario{
		Name: who + " makes " + name, Path: "/graphql", Header: harness.Bearer(who), Body: query,
		Save: map[string]string{name: "/data/createWidgetToken/token"}, WantHeader: map[string]string{"Cache-Control": "no-store"},
	}
}

// widgets has pages of another origin show widgets with tokens of their own.
func widgets(t *testing.T, s *harness.Server) {
	tasks := makes("budi", "tasks", `widget:tasks,origin:\"`+page+`\"`)
	sheet := makes("budi", "sheet", `widget:timesheet,origin:\"`+page+`\"`)
	s.Run(t, []apitest.Scenario{tasks, sheet})
	allowed := map[string]string{"Access-Control-Allow-Origin": page, "Access-Control-Allow-Credentials": "", "Vary": "<any>"}
	refused := map[string]string{"Access-Control-Allow-Origin": ""}
	s.Run(t, []apitest.Scenario{
		{Name: "its widget", Path: "/widget/tasks", Header: shown("tasks", page), WantHeader: allowed},
		{Name: "a preflight", Method: "OPTIONS", Path: "/widget/tasks", Status: 204, Header: map[string]string{
			"Origin": page, "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization,if-none-match",
		}, WantHeader: map[string]string{"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Credentials": ""}},
		{Name: "another widget", Path: "/widget/timesheet", Header: shown("tasks", page), Status: 401, WantHeader: allowed},
		{Name: "a page of another origin", Path: "/widget/tasks", Header: shown("tasks", other), Status: 403, WantHeader: refused},
		{Name: "no page", Path: "/widget/tasks", Header: harness.Bearer("tasks"), Status: 403, WantHeader: refused},
		{Name: "an access token of a page of another origin", Path: "/widget/tasks", Header: shown("budi.access", other), WantHeader: refused},
		{Name: "another path", Path: "/user/profile", Header: shown("tasks", page), Status: 401, WantHeader: refused},
		{Name: "GraphQL", Path: "/graphql", Body: `{"query":"{tasksWidget{open}}"}`, Header: shown("tasks", page), WantHeader: refused},
		{Name: "her own timesheet", Path: "/widget/timesheet", Header: shown("sheet", page), WantHeader: allowed},
		{Name: "another person", Path: "/widget/timesheet?userId=1", Header: shown("sheet", page), Status: 404, WantHeader: allowed},
	})
	s.Clock.Advance(10*time.Minute + time.Second)
	s.Run(t, []apitest.Scenario{
		{Name: "expired", Path: "/widget/tasks", Header: shown("tasks", page), Status: 401, WantHeader: allowed},
	})
}
