package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// TestTaskChanged shows a new and a changed task, a timer and a step of one, to those who see it, and
// nothing of what was refused.
func TestTaskChanged(t *testing.T) {
	const document = `subscription { taskChanged { title status running assignees { name } checklist { title } } }`
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		budi, admin := listen(t, s, "budi", document), listen(t, s, "admin", document)
		agus, foreign := listen(t, s, "agus", document), listen(t, s, "foreign", document)
		ask := func(text string) string {
			t.Helper()
			a := s.AskGraphQL(t, s.HeaderOf("budi"), text, nil)
			return a.Text
		}
		shown := func(want string) {
			t.Helper()
			for _, c := range []*socket{budi, admin} {
				c.want(fmt.Sprintf(`{"type":"next","id":"1","payload":{"data":{"taskChanged":%s}}}`, want))
			}
		}
		made := apitest.Scenario{Name: "save", Path: "/graphql", Header: harness.SignedIn("budi"), Body: apitest.Query(`mutation{saveTask(input:{title:"Rapat"}){id}}`, nil),
			Save: map[string]string{"task": "/data/saveTask/id"}}
		s.Run(t, []apitest.Scenario{made})
		shown(`{"title":"Rapat","status":"open","running":false,"assignees":[{"name":"Budi Santoso"}],"checklist":[]}`)
		id := s.Vars["task"]
		ask(`mutation{startTimer(input:{taskId:"` + id + `"}){id}}`)
		shown(`{"title":"Rapat","status":"open","running":true,"assignees":[{"name":"Budi Santoso"}],"checklist":[]}`)
		ask(`mutation{stopTimer{alreadyStopped}}`)
		shown(`{"title":"Rapat","status":"open","running":false,"assignees":[{"name":"Budi Santoso"}],"checklist":[]}`)
		ask(`mutation{updateTask(id:"` + id + `",input:{status:done}){id}}`)
		shown(`{"title":"Rapat","status":"done","running":false,"assignees":[{"name":"Budi Santoso"}],"checklist":[]}`)
		if text := ask(`mutation{updateTask(id:"` + id + `",input:{status:cancelled}){id}}`); !strings.Contains(text, "CONFLICT") {
			t.Errorf("%s", text)
		}
		ask(`mutation{createTaskChecklistItem(input:{taskId:"` + id + `",title:"Satu"}){id}}`)
		shown(`{"title":"Rapat","status":"done","running":false,"assignees":[{"name":"Budi Santoso"}],"checklist":[{"title":"Satu"}]}`)
		time.Sleep(50 * time.Millisecond)
		for _, c := range []*socket{budi, admin, agus, foreign} {
			c.nothing()
		}
	})
}
