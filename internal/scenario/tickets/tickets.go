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
	conflict := func(state string) string {
		return problem("CONFLICT", "409", fault("status", "CONFLICT"), `{"conflict":"STATE","state":"`+state+`"}`)
	}
	high := ticketOf("subject", `"Wi-Fi mati"`, "number", "{{n2}}", "priority", `"high"`, "description", `"baris 1\nbaris 2"`, "requester", person("andini", "Andini Kusumawardhani"),
		"assignee", person("sari", "sari"), "respondBy", `"2026-03-10T04:00:00Z"`, "resolveBy", `"2026-03-10T07:00:00Z"`)
	s.Run(t, []apitest.Scenario{
		{Name: "one's own", Path: "/ticket", Header: as("sari"), Body: `{"subject":" Printer ","unknown":1}`,
			Want: ticketOf(), Save: map[string]string{"own": "/id"}},
		{Name: "read", Path: "/ticket/{{own}}", Header: as("sari"), Want: ticketOf()},
		{Name: "by the manager", Path: "/ticket/{{own}}", Header: as("ratna"), Want: ticketOf()},
		{Name: "by the owner", Path: "/ticket/{{own}}", Header: as("andini"), Want: ticketOf()},
		{Name: "by a colleague", Path: "/ticket/{{own}}", Header: as("budi"), Status: 404, Want: notFound},
		{Name: "by another company", Path: "/ticket/{{own}}", Header: as("daeng"), Status: 404, Want: notFound},
		{Name: "another company's", Path: "/ticket/{{theirs}}", Header: as("andini"), Status: 404, Want: notFound},
		{Name: "no id", Path: "/ticket/abc", Header: as("andini"), Status: 404, Want: `"<any>"`},
		{Name: "nobody", Path: "/ticket/{{own}}", Status: 401, Want: `"<any>"`},
		{Name: "saved by nobody", Path: "/ticket", Body: `{"subject":"x"}`, Status: 401, Want: `"<any>"`},
		{Name: "all members", Path: "/ticket", Header: as("andini"),
			Body: `{"subject":"Wi-Fi mati","description":"baris 1\nbaris 2","priority":"high","assigneeId":{{sari}}}`,
			Want: high, Save: map[string]string{"wifi": "/id"}},
		{Name: "its assignee sees it", Path: "/ticket/{{wifi}}", Header: as("sari"), Want: high},
		{Name: "so does their manager", Path: "/ticket/{{wifi}}", Header: as("ratna"), Want: high},
		{Name: "nobody else", Path: "/ticket/{{wifi}}", Header: as("budi"), Status: 404, Want: notFound},
		{Name: "all that cannot be read", Path: "/ticket", Header: as("sari"), Body: `{"subject":"","priority":1}`,
			Status: 422, Want: bad("priority")},
		{Name: "all faults", Path: "/ticket", Header: as("sari"),
			Body:   `{"subject":"","description":"` + long(5001) + `"}`,
			Status: 422, Want: bad("subject", "description")},
		{Name: "no subject", Path: "/ticket", Header: as("sari"), Body: `{}`, Status: 422, Want: bad("subject")},
		{Name: "an unknown priority", Path: "/ticket", Header: as("sari"), Body: `{"subject":"x","priority":"gone"}`,
			Status: 422, Want: bad("priority")},
		{Name: "another company's person", Path: "/ticket", Header: as("andini"),
			Body:   `{"subject":"x","assigneeId":"{{daeng}}"}`,
			Status: 404, Want: missing("assigneeId")},
		{Name: "no id of a person", Path: "/ticket", Header: as("andini"), Body: `{"subject":"x","assigneeId":"abc"}`,
			Status: 404, Want: missing("assigneeId")},
		{Name: "for a colleague to help", Path: "/ticket", Header: as("sari"),
			Body:   `{"subject":"x","assigneeId":"{{budi}}"}`,
			Status: 403, Want: problem("FORBIDDEN", "403", fault("assigneeId", "FORBIDDEN"), "{}")},
		{Name: "what was refused took no number", Path: "/ticket", Header: as("sari"), Body: `{"subject":"Printer"}`,
			Want: ticketOf("number", "{{n3}}")},

		{Name: "a colleague's", Method: "PUT", Path: "/ticket/{{own}}", Header: as("budi"), Body: `{"subject":"x"}`,
			Status: 404, Want: notFound},
		{Name: "another company's", Method: "PUT", Path: "/ticket/{{own}}", Header: as("daeng"),
			Body:   `{"subject":"x"}`,
			Status: 404, Want: notFound},
		{Name: "by the manager, who reads it", Method: "PUT", Path: "/ticket/{{own}}", Header: as("ratna"),
			Body:   `{"subject":"x"}`,
			Status: 403, Want: forbidden},
		{Name: "by nobody", Method: "PUT", Path: "/ticket/{{own}}", Body: `{"subject":"x"}`,
			Status: 401, Want: `"<any>"`},
		{Name: "nothing", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"), Body: `{}`, Want: ticketOf()},
	})
	later(t, s, time.Hour) // 10:00
	now := []string{"updatedAt", `"2026-03-10T03:00:00Z"`}
	own := func(pairs ...string) string { return ticketOf(append(now, pairs...)...) }
	s.Run(t, []apitest.Scenario{
		{Name: "absent keeps", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"),
			Body: `{"description":"x"}`,
			Want: own("description", `"x"`)},
		{Name: "another priority", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"),
			Body: `{"priority":"urgent"}`,
			Want: `"<any>"`},
		{Name: "is due sooner", Path: "/ticket/{{own}}", Header: as("sari"),
			Want: ticketOf("description", `"x"`, "priority", `"urgent"`, "respondBy", `"2026-03-10T03:30:00Z"`, "resolveBy", `"2026-03-10T05:00:00Z"`, "updatedAt", `"<any>"`)},
		{Name: "null clears", Method: "PUT", Path: "/ticket/{{own}}", Header: as("andini"),
			Body: `{"description":null,"assigneeId":null,"priority":"normal"}`,
			Want: ticketOf("updatedAt", `"<any>"`)},
		{Name: "null where it may not be", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"),
			Body:   `{"subject":null,"status":null,"priority":null}`,
			Status: 422, Want: bad("subject", "status", "priority")},
		{Name: "an unknown status", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"),
			Body:   `{"status":"waiting"}`,
			Status: 422, Want: bad("status")},
		{Name: "assigned", Method: "PUT", Path: "/ticket/{{own}}", Header: as("andini"),
			Body: `{"assigneeId":"{{budi}}"}`,
			Want: ticketOf("assignee", person("budi", "Budi Santoso"), "updatedAt", `"<any>"`)},
		{Name: "in progress", Method: "PUT", Path: "/ticket/{{own}}", Header: as("budi"),
			Body: `{"status":"in_progress"}`,
			Want: ticketOf("assignee", person("budi", "Budi Santoso"), "status", `"in_progress"`, "updatedAt", `"<any>"`)},
		{Name: "resolved", Method: "PUT", Path: "/ticket/{{own}}", Header: as("budi"), Body: `{"status":"resolved"}`,
			Want: ticketOf("assignee", person("budi", "Budi Santoso"), "status", `"resolved"`, "resolvedAt", `"2026-03-10T03:00:00Z"`, "updatedAt", `"<any>"`)},
		{Name: "opened again", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"), Body: `{"status":"open"}`,
			Want: ticketOf("assignee", person("budi", "Budi Santoso"), "updatedAt", `"<any>"`)},
		{Name: "closed", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"), Body: `{"status":"closed"}`,
			Want: ticketOf("assignee", person("budi", "Budi Santoso"), "status", `"closed"`, "resolvedAt", `"2026-03-10T03:00:00Z"`, "updatedAt", `"<any>"`)},
		{Name: "a closed one is not in progress", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"),
			Body:   `{"status":"in_progress"}`,
			Status: 409, Want: conflict("closed")},
		{Name: "opened once more", Method: "PUT", Path: "/ticket/{{own}}", Header: as("sari"),
			Body: `{"status":"open"}`,
			Want: `"<any>"`},
		{Name: "given back", Method: "PUT", Path: "/ticket/{{own}}", Header: as("budi"), Body: `{"assigneeId":null}`,
			Status: 404, Want: notFound},
	})
	s.Run(t, []apitest.Scenario{
		saved(harness.Asks("a document of GraphQL", "andini",
			`mutation{createTicket(input:{subject:"Kunci",followerIds:["{{budi}}"]}){id number requester{name} assignee{id} category{id} followers{name} comments{text} attachments{name} holds{kind} duplicateOf{id} respondedAt closedAt heldAt}}`,
			`{"createTicket":{"id":"<digits>","number":"<int>","requester":{"name":"Andini Kusumawardhani"},"assignee":null,"category":null,"followers":[{"name":"Budi Santoso"}],"comments":[],"attachments":[],"holds":[],"duplicateOf":null,"respondedAt":null,"closedAt":null,"heldAt":null}}`),
			"key", "/data/createTicket/id"),
		{Name: "a follower sees it", Path: "/ticket/{{key}}", Header: as("budi"), Want: `"<any>"`},
		{Name: "and does not change it", Method: "PUT", Path: "/ticket/{{key}}", Header: as("budi"),
			Body:   `{"subject":"x"}`,
			Status: 403, Want: forbidden},
		harness.Asks("saveTicket is the same", "sari", `mutation{saveTicket(input:{subject:"x"}){status}}`, `{"saveTicket":{"status":"open"}}`),
		harness.Asks("unknown followers", "andini", `mutation{updateTicket(id:"{{key}}",input:{followerIds:["{{daeng}}"]}){id}}`, refusal("updateTicket", "NOT_FOUND", "{}", "followerIds", harness.Nothing)),
		harness.Asks("followers in the place of others", "andini", `mutation{updateTicket(id:"{{key}}",input:{followerIds:["{{sari}}"]}){followers{name}}}`, `{"updateTicket":{"followers":[{"name":"sari"}]}}`),
		{Name: "who does not follow does not see it", Path: "/ticket/{{key}}", Header: as("budi"),
			Status: 404, Want: notFound},
		harness.Asks("merged with itself", "andini", `mutation{updateTicket(id:"{{key}}",input:{duplicateOfId:"{{key}}"}){id}}`, refusal("updateTicket", "CYCLE", "{}", "duplicateOfId", "/.+/")),
		harness.Asks("merged with what is not there", "andini", `mutation{updateTicket(id:"{{key}}",input:{duplicateOfId:"{{theirs}}"}){id}}`, refusal("updateTicket", "NOT_FOUND", "{}", "duplicateOfId", harness.Nothing)),
		harness.Asks("merged", "andini", `mutation{updateTicket(id:"{{key}}",input:{duplicateOfId:"{{own}}"}){status duplicateOf{subject}}}`, `{"updateTicket":{"status":"closed","duplicateOf":{"subject":"Printer"}}}`),
		harness.Asks("the other way round", "andini", `mutation{updateTicket(id:"{{own}}",input:{duplicateOfId:"{{key}}"}){id}}`, refusal("updateTicket", "CYCLE", "{}", "duplicateOfId", "/.+/")),
		{Name: "a merged one stays closed", Method: "PUT", Path: "/ticket/{{key}}", Header: as("andini"),
			Body:   `{"status":"open"}`,
			Status: 409, Want: conflict("merged")},
	})
	versions(t, s)
	t.Run("a role that helps", func(t *testing.T) {
		s.Run(t, []apitest.Scenario{
			saved(harness.Asks("a role", "andini", `mutation{createRole(input:{name:"Layanan",permissions:["ticket.read.all","ticket.write.all"]}){id}}`, `{"createRole":{"id":"<digits>"}}`), "desk", "/data/createRole/id"),
			harness.Asks("for budi", "andini", `mutation{updateUser(id:"{{budi}}",input:{roleIds:["{{desk}}"]}){id}}`, `{"updateUser":{"id":"{{budi}}"}}`),
			{Name: "takes a ticket", Method: "PUT", Path: "/ticket/{{own}}", Header: as("budi"),
				Body: `{"assigneeId":"{{budi}}"}`,
				Want: `"<any>"`},
			{Name: "gives it to another", Method: "PUT", Path: "/ticket/{{own}}", Header: as("budi"),
				Body: `{"assigneeId":"{{sari}}"}`,
				Want: `"<any>"`},
			{Name: "but not to an owner", Method: "PUT", Path: "/ticket/{{own}}", Header: as("budi"),
				Body:   `{"assigneeId":"{{andini}}"}`,
				Status: 403, Want: problem("FORBIDDEN", "403", fault("assigneeId", "FORBIDDEN"), "{}")},
		})
	})
}

// versions tests changes of one ticket that are based on several versions of it.
func versions(t *testing.T, s *harness.Server) {
	update := func(name, who, input, selection, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateTicket(id:"{{shared}}",input:{`+input+`}){`+selection+`}}`, want)
	}
	s.Run(t, []apitest.Scenario{
		saved(harness.Asks("the first version", "andini",
			`mutation{createTicket(input:{subject:"Proyektor",assigneeId:"{{sari}}"}){id version}}`,
			`{"createTicket":{"id":"<digits>","version":1}}`), "shared", "/data/createTicket/id"),
		update("the second", "andini", `priority:high,version:1`, "version priority",
			`{"updateTicket":{"version":2,"priority":"high"}}`),
		update("based on the first", "sari",
			`subject:"Proyektor",priority:low,assigneeId:null,status:in_progress,followerIds:["{{budi}}"],version:1`, "version",
			refusal("updateTicket", "VERSION_CONFLICT", `{"currentVersion":2,`+
				`"theirs":{"assigneeId":"{{sari}}","followerIds":[],"priority":"high","status":"open"},`+
				`"version":1,"yours":{"assigneeId":null,"followerIds":["{{budi}}"],"priority":"low","status":"in_progress"}}`)),
		update("merged on the first", "andini", `duplicateOfId:"{{own}}",description:"x",version:1`, "version",
			refusal("updateTicket", "VERSION_CONFLICT", `{"currentVersion":2,`+
				`"theirs":{"description":null,"duplicateOfId":null,"status":"open"},`+
				`"version":1,"yours":{"description":"x","duplicateOfId":"{{own}}","status":"closed"}}`)),
		update("of a version to come", "andini", `priority:high,version:3`, "version",
			refusal("updateTicket", "VERSION_CONFLICT", `{"currentVersion":2,"theirs":{},"version":3,"yours":{}}`)),
		update("by who does not see it", "budi", `priority:low,version:1`, "version", refusal("updateTicket", "NOT_FOUND",
			"{}")),
		update("on any", "sari", `description:"x"`, "version", `{"updateTicket":{"version":3}}`),
		update("on null", "sari", `description:"y",version:null`, "version", `{"updateTicket":{"version":4}}`),
		{Name: "REST is based on any", Method: "PUT", Path: "/ticket/{{shared}}", Header: as("sari"),
			Body: `{"description":"z","version":1}`, Want: `"<any>"`},
		harness.Asks("which counts", "sari", `{ticket(id:"{{shared}}"){version description}}`,
			`{"ticket":{"version":5,"description":"z"}}`),
		harness.Asks("so does who follows", "sari", `mutation{followTicket(input:{ticketId:"{{shared}}"}){version}}`,
			`{"followTicket":{"version":6}}`),
		update("without who follows", "andini", `followerIds:[],version:5`, "version",
			refusal("updateTicket", "VERSION_CONFLICT", `{"currentVersion":6,`+
				`"theirs":{"followerIds":["{{sari}}"]},`+
				`"version":5,"yours":{"followerIds":[]}}`)),
		harness.Asks("and who does no more", "sari", `mutation{unfollowTicket(input:{ticketId:"{{shared}}"}){deleted}}`,
			`{"unfollowTicket":{"deleted":true}}`),
		harness.Asks("the last", "sari", `{ticket(id:"{{shared}}"){version followers{name}}}`,
			`{"ticket":{"version":7,"followers":[]}}`),
	})
}

// lists tests the list, the connection and the widget.
func lists(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTicket(t, s, "one", `,"priority":"high","description":"Toner habis"`)
	later(t, s, time.Minute)
	newTicket(t, s, "two", "")
	list := func(name, who, query string, want string) apitest.Scenario {
		r := apitest.Scenario{Name: name, Path: "/ticket" + query, Header: as(who), Want: want}
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
		{Name: "an unknown status", Path: "/ticket?status=gone", Header: as("sari"),
			Status: 422, Want: bad("status")},
		{Name: "an unknown person", Path: "/ticket?assigneeId={{daeng}}", Header: as("sari"),
			Status: 404, Want: missing("assigneeId")},
		{Name: "a page without limit", Path: "/ticket?page=1", Header: as("sari"), Status: 422, Want: bad("page")},
		{Name: "no limit", Path: "/ticket?limit=0", Header: as("sari"), Status: 422, Want: bad("limit")},
		{Name: "nobody", Path: "/ticket", Status: 401, Want: `"<any>"`},
		list("of the team", "ratna", "?search=Toner", "["+one+"]"),
		list("of the company", "andini", "?search=Toner&status=open", "["+one+"]"),
		list("of no colleague", "budi", "?search=Toner", "[]"),
		list("of another company", "daeng", "?search=Toner", "[]"),
		{Name: "the widget", Path: "/widget/ticket?limit=1", Header: as("sari"),
			Want: `{"open":2,"inProgress":0,"resolvedToday":0,"items":[` + two + `]}`},
		{Name: "too many items", Path: "/widget/ticket?limit=51", Header: as("sari"),
			Status: 422, Want: bad("limit")},
		{Name: "no items", Path: "/widget/ticket?limit=0", Header: as("sari"), Status: 422, Want: bad("limit")},
		{Name: "nobody's", Path: "/widget/ticket", Status: 401, Want: `"<any>"`},
		{Name: "resolved", Method: "PUT", Path: "/ticket/{{two}}", Header: as("sari"), Body: `{"status":"resolved"}`,
			Want: `"<any>"`},
		{Name: "in progress", Method: "PUT", Path: "/ticket/{{one}}", Header: as("sari"),
			Body: `{"status":"in_progress"}`,
			Want: `"<any>"`},
		{Name: "counted", Path: "/widget/ticket", Header: as("sari"),
			Want: `{"open":0,"inProgress":1,"resolvedToday":1,"items":["<any>","<any>"]}`},
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
