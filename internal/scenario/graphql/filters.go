package graphql

import (
	"encoding/base64"
	"strings"
	"testing"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

// filters are filters and cursors at their limits, and those that are refused.
func filters(t *testing.T, s *harness.Server) {
	asked := func(name, document, where, want string) apitest.Scenario {
		return apitest.Scenario{Name: name, Path: "/graphql", Header: harness.SignedIn("budi", "X-Language", "en"), Want: want,
			Body: `{"query":"` + strings.ReplaceAll(document, `"`, `\"`) + `","variables":{"w":` + where + `}}`}
	}
	const users = "query($w:UserWhereInput){users(where:$w){totalCount}}"
	over := func(limit, max, got, text string) string {
		return `{"errors":[{"message":"The operation exceeds the limit of ` + max + ` for ` + limit + text + `","extensions":{"code":"BAD_REQUEST","errors":[],"meta":{"got":` + got + `,"limit":"` + limit + `","max":` + max + `},"requestId":"<any>"}}]}`
	}
	refused := func(field, detail string) string {
		return `{"errors":[{"message":"Some of what was sent is missing or wrong; see errors.","extensions":{"code":"VALIDATION_FAILED",` +
			`"errors":[{"field":"` + field + `","code":"VALIDATION_FAILED","detail":"` + detail + `"}],"meta":{},"requestId":"<any>"}}]}`
	}
	counted := `{"data":{"users":{"totalCount":"<int>"}}}`
	times := func(n int, value string) string { return "[" + value + strings.Repeat(","+value, n-1) + "]" }
	s.Run(t, []apitest.Scenario{
		asked("nothing in not", users, `{"not":{}}`, refused("where.not", "This is required.")),
		asked("nothing in and", users, `{"and":[{}]}`, refused("where.and[0]", "This is required.")),
		asked("nothing in or", users, `{"or":[{"name":"a"},{}]}`, refused("where.or[1]", "This is required.")),
		asked("nothing in an edge", users, `{"hasRolesWith":[{}]}`, refused("where.hasRolesWith[0]", "This is required.")),
		asked("nothing at all", users, `{}`, refused("where", "This is required.")),
		asked("no filter", users, `null`, counted),
		asked("nothing in a document", "{users(where:{not:{}}){totalCount}}", "null", refused("where.not", "This is required.")),
		asked("NULL", users, `{"genderIsNil":true}`, counted),
		asked("not NULL", users, `{"not":{"genderIsNil":true}}`, counted),
		asked("not NULL, said otherwise", users, `{"name":"a","genderIsNil":false}`, refused("where.genderIsNil", "This must be one of true.")),
		asked("an empty list", users, `{"idIn":[]}`, refused("where.idIn", "This is required.")),
		asked("a text of 1,000 characters", users, `{"nameContains":"`+strings.Repeat("é", 1000)+`"}`, counted),
		asked("a text of 1,001 characters", users, `{"nameContains":"`+strings.Repeat("é", 1001)+`"}`, refused("where.nameContains", "This may have at most 1000 characters.")),
		asked("200 conditions", users, `{"or":`+times(200, `{"id":"1"}`)+`}`, counted),
		asked("201 conditions", users, `{"or":`+times(201, `{"id":"1"}`)+`}`, over("conditions", "200", "201", " (of all filters): it has at least 201. Filter by fewer, or by a list such as idIn.")),
		asked("5 edges deep", "query($w:UserWhereInput!){users(where:{hasBusinessWith:[{hasManagerWith:[{hasBusinessWith:[{hasManagerWith:[{hasBusinessWith:[{hasManagerWith:[$w]}]}]}]}]}]}){totalCount}}", `{"id":"1"}`, over("edges", "5", "6", " (relations inside each other in a filter): it has at least 6. Filter by relations that are less deep.")),
	})
	cursor := func(raw string) string { return `"` + base64.RawStdEncoding.EncodeToString([]byte(raw)) + `"` }
	const paged = "query($w:Cursor){users(after:$w,orderBy:{field:NAME,direction:ASC}){totalCount}}"
	unreadable := `{"errors":[{"message":"Some of what was sent is missing or wrong; see errors.","path":["users"],"extensions":{"code":"VALIDATION_FAILED",` +
		`"errors":[{"field":"after","code":"VALIDATION_FAILED","detail":"This cannot be read."}],"meta":{},"requestId":"<any>"}}],"data":null}`
	after := strings.Replace(unreadable, `"extensions"`, `"locations":"<any>","extensions"`, 1) // the resolver's
	s.Run(t, []apitest.Scenario{
		asked("a cursor", paged, cursor("\x82\xa1i\x01\xa1v\xa4budi"), counted),
		asked("a cursor of a list", paged, cursor("\x82\xa1i\x01\xa1v\x91\x01"), unreadable),
		asked("a cursor of long lists", paged, cursor("\x82\xa1i\x01\xa1v"+strings.Repeat("\xdd\xff\xff\xff\xff", 10_000)), unreadable),
		asked("a cursor of a number", paged, cursor("\x82\xa1i\x01\xa1v\x05"), after),
		asked("a cursor of no order", paged, cursor("\x81\xa1i\x01"), after),
		asked("a cursor of another order", "query($w:Cursor){users(after:$w){totalCount}}", cursor("\x82\xa1i\x01\xa1v\xa4budi"), after),
	})
}

// hiddenSchema guesses at the schema without the permission to see it.
func hiddenSchema(t *testing.T, s *harness.Server) {
	defer func(open bool) { s.Executor.Introspection = open }(s.Executor.Introspection)
	s.Executor.Introspection = false
	const want = `{"errors":[{"message":"The document does not fit the schema.","locations":"<any>","extensions":{"code":"BAD_REQUEST","errors":[],"meta":{},"requestId":"<any>"}}]}`
	var guesses []apitest.Scenario
	for _, document := range []string{"{user{id}}", "{nosuch}", "{company}", "{company{nosuch}}", "{users(nosuch:1){totalCount}}", "mutation{createRole(input:{}){id}}", "{user(id:[{}]){id}}"} {
		for _, who := range []map[string]string{{"X-Language": "en"}, harness.SignedIn("budi", "X-Language", "en")} {
			guesses = append(guesses, apitest.Scenario{Name: document, Path: "/graphql", Header: who, Body: apitest.Query(document, nil), Want: want})
		}
	}
	s.Run(t, guesses)
	if a := s.AskGraphQL(t, s.HeaderOf("andini"), "{nosuch}", nil); !strings.Contains(a.Text, `nosuch`) {
		t.Errorf("an owner is told %s", a.Text)
	}
}
