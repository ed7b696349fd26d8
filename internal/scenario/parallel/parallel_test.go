package parallel

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/server"
)

// A race is requests of one operation, or of several, that are sent at the same time.
type race struct {
	name    string
	setup   func(t *testing.T, s *harness.Server) // nil for none
	n       int                                   // how many requests; 0 is 20
	request func(i int) apitest.Scenario          // the request i, from 0; its Want is not looked at
	check   func(t *testing.T, s *harness.Server, answers answers)
}

// A group is races that run one after the other on one server, each with users or
// devices of its own.
type group struct {
	name  string
	setup func(t *testing.T, s *harness.Server) // nil for none
	races []race
}

// groups lists the groups of all domains.
func groups(t *testing.T) []group {
	return []group{
		{"attendance", signInClockers, attendanceRaces()},
		{"accounts", signInAccounts, accountRaces()},
		{"trees", signInOrganizer, treeRaces()},
		{"imports", signInOrganizer, importRaces(t)},
		{"places", signInJudges, placeRaces()},
		{"requests", signInJudges, requestRaces()},
		{"tasks", signInJudges, taskRaces(t)},
		{"tickets", signInJudges, ticketRaces(t)},
		{"worktime", signInJudges, worktimeRaces()},
	}
}

// TestRaces runs every race on each kind of database.
func TestRaces(t *testing.T) {
	for _, g := range groups(t) {
		t.Run(g.name, func(t *testing.T) {
			var change []func(*server.Config)
			if g.name == "accounts" {
				change = append(change, harness.StandardWork) // a hash takes as long as in use, and others come between
			}
			harness.Each(t, func(t *testing.T, s *harness.Server) {
				if g.setup != nil {
					g.setup(t, s)
				}
				for _, r := range g.races {
					t.Run(r.name, func(t *testing.T) { r.run(t, s) })
				}
			}, change...)
		})
	}
}

func (r race) run(t *testing.T, s *harness.Server) {
	if r.setup != nil {
		r.setup(t, s)
	}
	if r.n == 0 {
		r.n = 20
	}
	requests := make([]apitest.Scenario, r.n)
	for i := range requests {
		requests[i] = r.request(i)
	}
	r.check(t, s, s.Storm(t, requests))
}

// answers counts how often each answer was given.
type answers map[harness.Outcome]int

// want fails the test unless the answers are exactly those wanted.
func (a answers) want(t *testing.T, want answers) {
	t.Helper()
	if !maps.Equal(a, want) {
		t.Errorf("got %v, want %v", a, want)
	}
}

// code returns how many answers are errors with a code.
func (a answers) code(code string) int {
	n := 0
	for o, count := range a {
		var problem struct{ Code string }
		if json.Unmarshal([]byte(o.Body), &problem) == nil && problem.Code == code {
			n += count
		}
	}
	return n
}

// all returns a check that wants one answer to every request, none of them replayed,
// and then looks at the rows.
func all(n int, body string, rows func(t *testing.T, s *harness.Server)) func(*testing.T, *harness.Server, answers) {
	return func(t *testing.T, s *harness.Server, got answers) {
		t.Helper()
		got.want(t, answers{{Status: 200, Body: body}: n})
		rows(t, s)
	}
}

// once returns a check that wants one answer to be the outcome and the others
// replays of it, and then looks at the rows.
func once(n int, body string, rows func(t *testing.T, s *harness.Server)) func(*testing.T, *harness.Server, answers) {
	return func(t *testing.T, s *harness.Server, got answers) {
		t.Helper()
		got.want(t, answers{{Status: 200, Body: body}: 1, {Status: 200, Body: body, Replayed: true}: n - 1})
		rows(t, s)
	}
}

// distinct gives each request an X-Req-Id of its own.
func distinct(r apitest.Scenario, i int) apitest.Scenario {
	return harness.Under(r, fmt.Sprint("request-", i))
}
