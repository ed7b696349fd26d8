// Package tickets holds the scenarios of tickets, their clock, parts and widget.
package tickets

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	entTicket "workforce/ent/ticket"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// Scenarios are those of tickets.
var Scenarios = []harness.Group{
	{Name: "tickets", Run: tickets},
	{Name: "ticket lists", Run: lists},
	{Name: "ticket clock", Run: clock},
	{Name: "ticket parts", Run: parts},
	{Name: "ticket categories", Run: categories},
	{Name: "ticket alerts", Run: alerts},
}

var people = map[string]string{
	"andini": "admin@demo.test", "ratna": "manager@demo.test", "budi": "budi@demo.test", "daeng": "admin@tetangga.test", "sari": "sari@demo.test",
}

// later moves the clock, and signs everybody in anew.
func later(t *testing.T, s *harness.Server, d time.Duration) {
	t.Helper()
	s.Clock.Advance(d)
	for name, email := range people {
		s.SignIn(t, name, email)
	}
}

// signIn signs in an owner, the manager of Jakarta, employees and somebody of another
// company, adds sari to the business of the manager, and saves ids.
func signIn(t *testing.T, s *harness.Server) {
	t.Helper()
	for name, email := range people {
		if name != "sari" {
			s.SignIn(t, name, email)
			s.Vars[name] = harness.PersonID(t, s, email)
		}
	}
	ctx, db := viewer.System(t.Context()), s.Store.Ent
	ratna := db.User.Query().Where(user.Email("manager@demo.test")).OnlyX(ctx)
	r := harness.Asks("create sari", "andini", fmt.Sprintf(`mutation{createUser(input:{name:"sari",email:"sari@demo.test",password:"demo-password",businessId:"%d"}){id}}`, *ratna.BusinessID),
		`{"createUser":{"id":"<digits>"}}`)
	r.Save = map[string]string{"sari": "/data/createUser/id"}
	s.Run(t, []apitest.Scenario{r})
	s.SignIn(t, "sari", "sari@demo.test")
	s.Vars["theirs"] = strconv.Itoa(db.Ticket.Query().Where(entTicket.CompanyIDNEQ(ratna.CompanyID)).FirstIDX(ctx))
	last := db.Ticket.Query().Where(entTicket.CompanyID(ratna.CompanyID)).CountX(ctx)
	for i := range 9 { // the numbers that follow
		s.Vars[fmt.Sprint("n", i+1)] = strconv.Itoa(last + i + 1)
	}
}

// refusal is the answer of a refused GraphQL field.
var refusal = harness.Refusal

// as returns the headers of somebody who is signed in.
func as(who string) map[string]string { return harness.SignedIn(who) }

// problem is a REST problem with a code and facts.
func problem(code, status, errors, meta string) string {
	return fmt.Sprintf(`{"type":"<any>","code":%q,"title":"<any>","status":%s,"detail":"<any>","requestId":"<any>","errors":[%s],"meta":%s}`, code, status, errors, meta)
}

// fault is one entry of a problem's errors.
func fault(field, code string) string {
	return fmt.Sprintf(`{"field":%q,"code":%q,"detail":"<any>"}`, field, code)
}

// bad is the problem of faulty members.
func bad(fields ...string) string {
	var list []string
	for _, f := range fields {
		list = append(list, fault(f, "VALIDATION_FAILED"))
	}
	return problem("VALIDATION_FAILED", "422", strings.Join(list, ","), "{}")
}

// The problems of rows that are not seen, and that are not changed.
var (
	notFound  = problem("NOT_FOUND", "404", "", "{}")
	forbidden = problem("FORBIDDEN", "403", "", "{}")
)

func missing(field string) string {
	return problem("NOT_FOUND", "404", fault(field, "NOT_FOUND"), "{}")
}

// saved keeps a value of an answer.
func saved(s apitest.Scenario, name, pointer string) apitest.Scenario {
	s.Save = map[string]string{name: pointer}
	return s
}

// ticketOf is the whole answer of a ticket of sari, of which some members differ from those of a new
// one: it was saved on Tuesday, 10 March 2026, at 9:00 in Jakarta.
func ticketOf(pairs ...string) string {
	members := [][2]string{
		{"id", `"<digits>"`}, {"number", "{{n1}}"}, {"subject", `"Printer"`}, {"description", "null"}, {"status", `"open"`}, {"priority", `"normal"`},
		{"requester", person("sari", "sari")}, {"assignee", "null"}, {"respondBy", `"2026-03-10T11:00:00Z"`}, {"resolveBy", `"2026-03-12T11:00:00Z"`},
		{"createdAt", `"2026-03-10T02:00:00Z"`}, {"updatedAt", `"2026-03-10T02:00:00Z"`}, {"resolvedAt", "null"},
	}
	var out []string
	for _, m := range members {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == m[0] {
				m[1] = pairs[i+1]
			}
		}
		out = append(out, `"`+m[0]+`":`+m[1])
	}
	return "{" + strings.Join(out, ",") + "}"
}

// person is somebody as tickets show them.
func person(id, name string) string {
	return fmt.Sprintf(`{"id":"{{%s}}","name":%q,"image":"<any>"}`, id, name)
}

// newTicket saves a ticket of sari under a name.
func newTicket(t *testing.T, s *harness.Server, name, members string) {
	t.Helper()
	s.Run(t, []apitest.Scenario{{Name: "save " + name, Path: "/ticket", Header: as("sari"), Body: `{"subject":"Printer"` + members + `}`,
		Want: `"<any>"`, Save: map[string]string{name: "/id"}}})
}
