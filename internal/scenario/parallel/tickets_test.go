package parallel

import (
	"testing"

	"workforce/ent"
	entTicket "workforce/ent/ticket"
	"workforce/ent/ticketfollower"
	"workforce/ent/tickethold"
	"workforce/ent/user"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// ticketRaces are races about tickets.
func ticketRaces(t *testing.T) []race {
	system := viewer.System(t.Context())
	made := func(names ...string) func(t *testing.T, s *harness.Server) {
		return func(t *testing.T, s *harness.Server) {
			for _, name := range names {
				one := mutation(harness.Bearer("budi"), `saveTicket(input: {subject: "Raced"}) { id }`)(0)
				one.Save = map[string]string{name: "/data/saveTicket/id"}
				s.Run(t, []apitest.Scenario{one})
			}
		}
	}
	own := func(document string) func(int) apitest.Scenario {
		return func(i int) apitest.Scenario { return distinct(mutation(harness.Bearer("budi"), document)(i), i) }
	}
	// each returns the one or the other, by turns.
	each := func(one, other func(int) apitest.Scenario) func(int) apitest.Scenario {
		return func(i int) apitest.Scenario {
			if i%2 == 0 {
				return one(i)
			}
			return other(i)
		}
	}
	holds := func(lasting, want int) func(*testing.T, *harness.Server) {
		return rows("holds", want, func(s *harness.Server) int {
			q := s.Store.Ent.TicketHold.Query().Where(tickethold.HasTicketWith(entTicket.Subject("Raced")))
			if lasting > 0 {
				q.Where(tickethold.EndedAtIsNil())
			}
			return q.CountX(system)
		})
	}
	return []race{
		{"save tickets", nil, 50, own(`saveTicket(input: {subject: "Nomor"}) { id }`),
			exactly(map[string]int{"": 50}, func(t *testing.T, s *harness.Server) {
				company := s.Store.Ent.User.Query().Where(user.Email("budi@demo.test")).OnlyX(system).CompanyID
				all := s.Store.Ent.Ticket.Query().Where(entTicket.CompanyID(company)).Order(ent.Asc(entTicket.FieldNumber)).Select(entTicket.FieldNumber).IntsX(system)
				for i, n := range all {
					if n != i+1 {
						t.Fatalf("ticket %d has number %d: %v", i+1, n, all)
					}
				}
			})},
		{"create a category of tickets", nil, 0, mutation(harness.Bearer("admin"), `createTicketCategory(input: {name: "Baru"}) { id }`),
			exactly(map[string]int{"": 1, "VALIDATION_FAILED": 19})},
		{"merge two tickets with each other", made("one", "two"), 0, each(own(`updateTicket(id: "{{one}}", input: {duplicateOfId: "{{two}}"}) { id }`), own(`updateTicket(id: "{{two}}", input: {duplicateOfId: "{{one}}"}) { id }`)),
			exactly(map[string]int{"": 10, "CYCLE": 10}, rows("merged tickets", 1, func(s *harness.Server) int {
				return s.Store.Ent.Ticket.Query().Where(entTicket.DuplicateOfIDNotNil()).CountX(system)
			}))},
		{"hold a ticket", made("held"), 0, own(`holdTicket(id: "{{held}}") { id }`), exactly(map[string]int{"": 1, "CONFLICT": 19}, holds(1, 1))},
		{"resume a ticket", nil, 0, own(`resumeTicket(id: "{{held}}") { id }`), exactly(map[string]int{"": 1, "CONFLICT": 19}, holds(0, 1))},
		{"change a ticket", made("changed"), 0, own(`updateTicket(id: "{{changed}}", input: {priority: high, version: 1}) { id }`),
			exactly(map[string]int{"": 1, "VERSION_CONFLICT": 19})},
		{"follow a ticket", made("followed"), 0, own(`followTicket(input: {ticketId: "{{followed}}"}) { id }`),
			exactly(map[string]int{"": 20}, rows("followers", 1, func(s *harness.Server) int {
				return s.Store.Ent.TicketFollower.Query().Where(ticketfollower.HasTicketWith(entTicket.Subject("Raced"))).CountX(system)
			}))},
	}
}
