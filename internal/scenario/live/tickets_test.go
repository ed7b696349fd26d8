package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// TestTicketChanged shows a new ticket, a comment, a hold and another status to those who see
// it, and nothing of what was refused.
func TestTicketChanged(t *testing.T) {
	const document = `subscription { ticketChanged { subject status heldAt requester { name } followers { name } comments { text } } }`
	harness.Each(t, func(t *testing.T, s *harness.Server) {
		signIn(t, s)
		budi, admin := listen(t, s, "budi", document), listen(t, s, "admin", document)
		agus, foreign := listen(t, s, "agus", document), listen(t, s, "foreign", document)
		ask := func(who, text string) string {
			t.Helper()
			return s.AskGraphQL(t, s.HeaderOf(who), text, nil).Text
		}
		shown := func(want string, to ...*socket) {
			t.Helper()
			for _, c := range append(to, budi, admin) {
				c.want(fmt.Sprintf(`{"type":"next","id":"1","payload":{"data":{"ticketChanged":{"subject":"Printer",%s}}}}`, want))
			}
		}
		made := apitest.Scenario{Name: "save", Path: "/graphql", Header: harness.SignedIn("budi"), Body: apitest.Query(`mutation{saveTicket(input:{subject:"Printer"}){id}}`, nil),
			Save: map[string]string{"ticket": "/data/saveTicket/id"}}
		s.Run(t, []apitest.Scenario{made})
		const budis = `"requester":{"name":"Budi Santoso"}`
		shown(`"status":"open","heldAt":null,` + budis + `,"followers":[],"comments":[]`)
		id := s.Vars["ticket"]
		ask("budi", `mutation{createTicketComment(input:{ticketId:"`+id+`",text:"Halo"}){id}}`)
		shown(`"status":"open","heldAt":null,` + budis + `,"followers":[],"comments":[{"text":"Halo"}]`)
		ask("admin", `mutation{holdTicket(id:"`+id+`"){id}}`)
		shown(`"status":"open","heldAt":"2026-03-10T02:00:00Z",` + budis + `,"followers":[],"comments":[{"text":"Halo"}]`)
		ask("admin", `mutation{updateTicket(id:"`+id+`",input:{status:closed}){id}}`)
		shown(`"status":"closed","heldAt":null,` + budis + `,"followers":[],"comments":[{"text":"Halo"}]`)
		if text := ask("budi", `mutation{updateTicket(id:"`+id+`",input:{status:resolved}){id}}`); !strings.Contains(text, "CONFLICT") {
			t.Errorf("%s", text)
		}
		time.Sleep(50 * time.Millisecond)
		for _, c := range []*socket{budi, admin, agus, foreign} {
			c.nothing()
		}
	})
}
