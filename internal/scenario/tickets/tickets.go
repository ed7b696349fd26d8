package tickets

import (
	"strings"
	"testing"
	"time"

	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
)

func long(n int) string { return strings.Repeat("x", n) }

// tickets tests tickets in REST and GraphQL: who sees and changes them, and all that may be
// refused.
func tickets(t *testing.T, s *harness.Server) {
	signIn(t, s)
	post := func(name, who, body string, status int, want string) apitest.Scenario {
		return rest(name, who, "POST", "/ticket", body, status, want)
	}
	put := func(name, who, id, body string, status int, want string) apitest.Scenario {
		return rest(name, who, "PUT", "/ticket/"+id, body, status, want)
	}
	conflict := func(state string) string {
		return problem("CONFLICT", "409", fault("status", "CONFLICT"), `{"conflict":"STATE","state":"`+state+`"}`)
	}
	high := ticketOf("subject", `"Wi-Fi mati"`, "number", "{{n2}}", "priority", `"high"`, "description", `"baris 1\nbaris 2"`, "requester", person("andini", "Andini Kusumawardhani"),
		"assignee", person("sari", "sari"), "respondBy", `"2026-03-10T04:00:00Z"`, "resolveBy", `"2026-03-10T07:00:00Z"`)
	s.Run(t, []apitest.Scenario{
		saved(post("one's own", "sari", `{"subject":" Printer ","unknown":1}`, 200, ticketOf()), "own", "/id"),
		rest("read", "sari", "GET", "/ticket/{{own}}", "", 200, ticketOf()),
		rest("by the manager", "ratna", "GET", "/ticket/{{own}}", "", 200, ticketOf()),
		rest("by the owner", "andini", "GET", "/ticket/{{own}}", "", 200, ticketOf()),
		rest("by a colleague", "budi", "GET", "/ticket/{{own}}", "", 404, notFound),
		rest("by another company", "daeng", "GET", "/ticket/{{own}}", "", 404, notFound),
		rest("another company's", "andini", "GET", "/ticket/{{theirs}}", "", 404, notFound),
		rest("no id", "andini", "GET", "/ticket/abc", "", 404, `"<any>"`),
		rest("nobody", "nobody", "GET", "/ticket/{{own}}", "", 401, `"<any>"`),
		rest("saved by nobody", "nobody", "POST", "/ticket", `{"subject":"x"}`, 401, `"<any>"`),
		saved(post("all members", "andini", `{"subject":"Wi-Fi mati","description":"baris 1\nbaris 2","priority":"high","assigneeId":{{sari}}}`, 200, high), "wifi", "/id"),
		rest("its assignee sees it", "sari", "GET", "/ticket/{{wifi}}", "", 200, high),
		rest("so does their manager", "ratna", "GET", "/ticket/{{wifi}}", "", 200, high),
		rest("nobody else", "budi", "GET", "/ticket/{{wifi}}", "", 404, notFound),
		post("all that cannot be read", "sari", `{"subject":"","priority":1}`, 422, bad("priority")),
		post("all faults", "sari", `{"subject":"","description":"`+long(5001)+`"}`, 422, bad("subject", "description")),
		post("no subject", "sari", `{}`, 422, bad("subject")),
		post("an unknown priority", "sari", `{"subject":"x","priority":"gone"}`, 422, bad("priority")),
		post("another company's person", "andini", `{"subject":"x","assigneeId":"{{daeng}}"}`, 404, missing("assigneeId")),
		post("no id of a person", "andini", `{"subject":"x","assigneeId":"abc"}`, 404, missing("assigneeId")),
		post("for a colleague to help", "sari", `{"subject":"x","assigneeId":"{{budi}}"}`, 403, problem("FORBIDDEN", "403", fault("assigneeId", "FORBIDDEN"), "{}")),
		post("what was refused took no number", "sari", `{"subject":"Printer"}`, 200, ticketOf("number", "{{n3}}")),

		put("a colleague's", "budi", "{{own}}", `{"subject":"x"}`, 404, notFound),
		put("another company's", "daeng", "{{own}}", `{"subject":"x"}`, 404, notFound),
		put("by the manager, who reads it", "ratna", "{{own}}", `{"subject":"x"}`, 403, forbidden),
		put("by nobody", "nobody", "{{own}}", `{"subject":"x"}`, 401, `"<any>"`),
		put("nothing", "sari", "{{own}}", `{}`, 200, ticketOf()),
	})
	later(t, s, time.Hour) // 10:00
	now := []string{"updatedAt", `"2026-03-10T03:00:00Z"`}
	own := func(pairs ...string) string { return ticketOf(append(now, pairs...)...) }
	s.Run(t, []apitest.Scenario{
		put("absent keeps", "sari", "{{own}}", `{"description":"x"}`, 200, own("description", `"x"`)),
		put("another priority", "sari", "{{own}}", `{"priority":"urgent"}`, 200, `"<any>"`),
		rest("is due sooner", "sari", "GET", "/ticket/{{own}}", "", 200,
			ticketOf("description", `"x"`, "priority", `"urgent"`, "respondBy", `"2026-03-10T03:30:00Z"`, "resolveBy", `"2026-03-10T05:00:00Z"`, "updatedAt", `"<any>"`)),
		put("null clears", "andini", "{{own}}", `{"description":null,"assigneeId":null,"priority":"normal"}`, 200, ticketOf("updatedAt", `"<any>"`)),
		put("null where it may not be", "sari", "{{own}}", `{"subject":null,"status":null,"priority":null}`, 422, bad("subject", "status", "priority")),
		put("an unknown status", "sari", "{{own}}", `{"status":"waiting"}`, 422, bad("status")),
		put("assigned", "andini", "{{own}}", `{"assigneeId":"{{budi}}"}`, 200, ticketOf("assignee", person("budi", "Budi Santoso"), "updatedAt", `"<any>"`)),
		put("in progress", "budi", "{{own}}", `{"status":"in_progress"}`, 200,
			ticketOf("assignee", person("budi", "Budi Santoso"), "status", `"in_progress"`, "updatedAt", `"<any>"`)),
		put("resolved", "budi", "{{own}}", `{"status":"resolved"}`, 200,
			ticketOf("assignee", person("budi", "Budi Santoso"), "status", `"resolved"`, "resolvedAt", `"2026-03-10T03:00:00Z"`, "updatedAt", `"<any>"`)),
		put("opened again", "sari", "{{own}}", `{"status":"open"}`, 200, ticketOf("assignee", person("budi", "Budi Santoso"), "updatedAt", `"<any>"`)),
		put("closed", "sari", "{{own}}", `{"status":"closed"}`, 200,
			ticketOf("assignee", person("budi", "Budi Santoso"), "status", `"closed"`, "resolvedAt", `"2026-03-10T03:00:00Z"`, "updatedAt", `"<any>"`)),
		put("a closed one is not in progress", "sari", "{{own}}", `{"status":"in_progress"}`, 409, conflict("closed")),
		put("opened once more", "sari", "{{own}}", `{"status":"open"}`, 200, `"<any>"`),
		put("given back", "budi", "{{own}}", `{"assigneeId":null}`, 404, notFound),
	})
	s.Run(t, []apitest.Scenario{
		saved(harness.Asks("a document of GraphQL", "andini",
			`mutation{createTicket(input:{subject:"Kunci",followerIds:["{{budi}}"]}){id number requester{name} assignee{id} category{id} followers{name} comments{text} attachments{name} holds{kind} duplicateOf{id} respondedAt closedAt heldAt}}`,
			`{"createTicket":{"id":"<digits>","number":"<int>","requester":{"name":"Andini Kusumawardhani"},"assignee":null,"category":null,"followers":[{"name":"Budi Santoso"}],"comments":[],"attachments":[],"holds":[],"duplicateOf":null,"respondedAt":null,"closedAt":null,"heldAt":null}}`),
			"key", "/data/createTicket/id"),
		rest("a follower sees it", "budi", "GET", "/ticket/{{key}}", "", 200, `"<any>"`),
		put("and does not change it", "budi", "{{key}}", `{"subject":"x"}`, 403, forbidden),
		harness.Asks("saveTicket is the same", "sari", `mutation{saveTicket(input:{subject:"x"}){status}}`, `{"saveTicket":{"status":"open"}}`),
		harness.Asks("unknown followers", "andini", `mutation{updateTicket(id:"{{key}}",input:{followerIds:["{{daeng}}"]}){id}}`, refusal("updateTicket", "NOT_FOUND", "{}", "followerIds", harness.Nothing)),
		harness.Asks("followers in the place of others", "andini", `mutation{updateTicket(id:"{{key}}",input:{followerIds:["{{sari}}"]}){followers{name}}}`, `{"updateTicket":{"followers":[{"name":"sari"}]}}`),
		rest("who does not follow does not see it", "budi", "GET", "/ticket/{{key}}", "", 404, notFound),
		harness.Asks("merged with itself", "andini", `mutation{updateTicket(id:"{{key}}",input:{duplicateOfId:"{{key}}"}){id}}`, refusal("updateTicket", "CYCLE", "{}", "duplicateOfId", "/.+/")),
		harness.Asks("merged with what is not there", "andini", `mutation{updateTicket(id:"{{key}}",input:{duplicateOfId:"{{theirs}}"}){id}}`, refusal("updateTicket", "NOT_FOUND", "{}", "duplicateOfId", harness.Nothing)),
		harness.Asks("merged", "andini", `mutation{updateTicket(id:"{{key}}",input:{duplicateOfId:"{{own}}"}){status duplicateOf{subject}}}`, `{"updateTicket":{"status":"closed","duplicateOf":{"subject":"Printer"}}}`),
		harness.Asks("the other way round", "andini", `mutation{updateTicket(id:"{{own}}",input:{duplicateOfId:"{{key}}"}){id}}`, refusal("updateTicket", "CYCLE", "{}", "duplicateOfId", "/.+/")),
		put("a merged one stays closed", "andini", "{{key}}", `{"status":"open"}`, 409, conflict("merged")),
	})
	t.Run("a role that helps", func(t *testing.T) {
		s.Run(t, []apitest.Scenario{
			saved(harness.Asks("a role", "andini", `mutation{createRole(input:{name:"Layanan",permissions:["ticket.read.all","ticket.write.all"]}){id}}`, `{"createRole":{"id":"<digits>"}}`), "desk", "/data/createRole/id"),
			harness.Asks("for budi", "andini", `mutation{updateUser(id:"{{budi}}",input:{roleIds:["{{desk}}"]}){id}}`, `{"updateUser":{"id":"{{budi}}"}}`),
			put("takes a ticket", "budi", "{{own}}", `{"assigneeId":"{{budi}}"}`, 200, `"<any>"`),
			put("gives it to another", "budi", "{{own}}", `{"assigneeId":"{{sari}}"}`, 200, `"<any>"`),
			put("but not to an owner", "budi", "{{own}}", `{"assigneeId":"{{andini}}"}`, 403, problem("FORBIDDEN", "403", fault("assigneeId", "FORBIDDEN"), "{}")),
		})
	})
}

// lists tests the list, the connection and the widget.
func lists(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTicket(t, s, "one", `,"priority":"high","description":"Toner habis"`)
	later(t, s, time.Minute)
	newTicket(t, s, "two", "")
	list := func(name, who, query string, want string) apitest.Scenario {
		r := rest(name, who, "GET", "/ticket"+query, "", 200, want)
		return r
	}
	one := ticketOf("priority", `"high"`, "description", `"Toner habis"`, "respondBy", `"2026-03-10T04:00:00Z"`, "resolveBy", `"2026-03-10T07:00:00Z"`)
	two := ticketOf("number", "{{n2}}", "createdAt", `"2026-03-10T02:01:00Z"`, "updatedAt", `"2026-03-10T02:01:00Z"`)
	counted := func(total string, r apitest.Scenario) apitest.Scenario {
		r.WantHeader = map[string]string{"X-Total-Count": total}
		return r
	}
	s.Run(t, []apitest.Scenario{
		counted("2", list("one's own, the newest first", "sari", "", "["+two+","+one+"]")),
		list("by status", "sari", "?status=open", "["+two+","+one+"]"),
		list("none of a status", "sari", "?status=closed", "[]"),
		list("by priority", "sari", "?priority=high", "["+one+"]"),
		list("by words", "sari", "?search=TON%20print", "["+one+"]"),
		list("by number", "sari", "?search={{n2}}", "["+two+"]"),
		list("by no word", "sari", "?search=%2B", "[]"),
		list("nothing of that", "sari", "?search=scanner", "[]"),
		list("by an assignee", "sari", "?assigneeId={{sari}}", "[]"),
		list("empty is absent", "sari", "?status=&search=&assigneeId=", "["+two+","+one+"]"),
		counted("2", list("a page", "sari", "?page=2&limit=1", "["+one+"]")),
		list("past the end", "sari", "?page=3&limit=1", "[]"),
		rest("an unknown status", "sari", "GET", "/ticket?status=gone", "", 422, bad("status")),
		rest("an unknown person", "sari", "GET", "/ticket?assigneeId={{daeng}}", "", 404, missing("assigneeId")),
		rest("a page without limit", "sari", "GET", "/ticket?page=1", "", 422, bad("page")),
		rest("no limit", "sari", "GET", "/ticket?limit=0", "", 422, bad("limit")),
		rest("nobody", "nobody", "GET", "/ticket", "", 401, `"<any>"`),
		list("of the team", "ratna", "?search=Toner", "["+one+"]"),
		list("of the company", "andini", "?search=Toner&status=open", "["+one+"]"),
		list("of no colleague", "budi", "?search=Toner", "[]"),
		list("of another company", "daeng", "?search=Toner", "[]"),
		rest("the widget", "sari", "GET", "/widget/ticket?limit=1", "", 200, `{"open":2,"inProgress":0,"resolvedToday":0,"items":[`+two+`]}`),
		rest("too many items", "sari", "GET", "/widget/ticket?limit=51", "", 422, bad("limit")),
		rest("no items", "sari", "GET", "/widget/ticket?limit=0", "", 422, bad("limit")),
		rest("nobody's", "nobody", "GET", "/widget/ticket", "", 401, `"<any>"`),
		rest("resolved", "sari", "PUT", "/ticket/{{two}}", `{"status":"resolved"}`, 200, `"<any>"`),
		rest("in progress", "sari", "PUT", "/ticket/{{one}}", `{"status":"in_progress"}`, 200, `"<any>"`),
		rest("counted", "sari", "GET", "/widget/ticket", "", 200, `{"open":0,"inProgress":1,"resolvedToday":1,"items":["<any>","<any>"]}`),
		harness.Asks("a connection", "sari", `{tickets(first:1,orderBy:{field:NUMBER,direction:DESC},where:{status:resolved}){totalCount edges{cursor node{number status}} pageInfo{hasNextPage}}}`,
			`{"tickets":{"totalCount":1,"edges":[{"cursor":"<any>","node":{"number":"<int>","status":"resolved"}}],"pageInfo":{"hasNextPage":false}}}`),
		harness.Asks("one", "sari", `{ticket(id:"{{one}}"){subject}}`, `{"ticket":{"subject":"Printer"}}`),
		harness.Asks("one that is not seen", "budi", `{ticket(id:"{{one}}"){subject}}`, refusal("ticket", "NOT_FOUND", "{}")),
		harness.Asks("the widget's field", "sari", `{ticketWidget{open inProgress resolvedToday}}`, `{"ticketWidget":{"open":0,"inProgress":1,"resolvedToday":1}}`),
		harness.Asks("the list's field", "sari", `{ticketList(limit:1){totalCount nodes{status}}}`, `{"ticketList":{"totalCount":2,"nodes":[{"status":"resolved"}]}}`),
	})
	later(t, s, 24*time.Hour)
	s.Run(t, []apitest.Scenario{
		harness.Asks("yesterday's", "sari", `{ticketWidget{open inProgress resolvedToday}}`, `{"ticketWidget":{"open":0,"inProgress":1,"resolvedToday":0}}`),
	})
}
