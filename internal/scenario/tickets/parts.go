package tickets

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	entFile "workforce/ent/file"
	entMessage "workforce/ent/message"
	"workforce/internal/apitest"
	"workforce/internal/scenario/harness"
	"workforce/internal/viewer"
)

// clock tests holds and business hours.
func clock(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTicket(t, s, "ticket", `,"priority":"high"`)
	hold := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{holdTicket(id:"{{ticket}}"`+input+`){heldAt respondBy resolveBy holds{kind reason user{name} startedAt endedAt}}}`, want)
	}
	resume := func(name, who, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{resumeTicket(id:"{{ticket}}"){heldAt respondBy resolveBy holds{startedAt endedAt}}}`, want)
	}
	later(t, s, 2*time.Hour) // 11:00
	s.Run(t, []apitest.Scenario{
		resume("one that is not on hold", "sari", refusal("resumeTicket", "CONFLICT", `{"conflict":"STATE","state":"open"}`)),
		hold("by a colleague", "budi", "", refusal("holdTicket", "NOT_FOUND", "{}")),
		hold("by the manager", "ratna", "", refusal("holdTicket", "FORBIDDEN", "{}")),
		hold("by another company", "daeng", "", refusal("holdTicket", "NOT_FOUND", "{}")),
		hold("for a long reason", "andini", `,input:{reason:"`+long(251)+`"}`, refusal("holdTicket", "VALIDATION_FAILED", "{}", "reason", "/.+/")),
		hold("on hold", "andini", `,input:{reason:"Menunggu foto"}`, `{"holdTicket":{"heldAt":"2026-03-10T04:00:00Z","respondBy":"2026-03-10T04:00:00Z","resolveBy":null,`+
			`"holds":[{"kind":"waiting","reason":"Menunggu foto","user":{"name":"Andini Kusumawardhani"},"startedAt":"2026-03-10T04:00:00Z","endedAt":null}]}}`),
		hold("twice", "andini", "", refusal("holdTicket", "CONFLICT", `{"conflict":"STATE","state":"on_hold"}`)),
	})
	later(t, s, 90*time.Minute) // 12:30
	s.Run(t, []apitest.Scenario{
		resume("by a colleague", "budi", refusal("resumeTicket", "NOT_FOUND", "{}")),
		resume("by the manager", "ratna", refusal("resumeTicket", "FORBIDDEN", "{}")),
		resume("due later by the hold, but not the answer", "andini", `{"resumeTicket":{"heldAt":null,"respondBy":"2026-03-10T04:00:00Z","resolveBy":"2026-03-10T08:30:00Z",`+
			`"holds":[{"startedAt":"2026-03-10T04:00:00Z","endedAt":"2026-03-10T05:30:00Z"}]}}`),
		hold("once more", "andini", "", `"<any>"`),
	})
	later(t, s, 30*time.Minute)
	s.Run(t, []apitest.Scenario{
		harness.Asks("a word of the requester ends it", "sari", `mutation{createTicketComment(input:{ticketId:"{{ticket}}",text:"Ini fotonya"}){text}}`, `{"createTicketComment":{"text":"Ini fotonya"}}`),
		harness.Asks("so it did", "sari", `{ticket(id:"{{ticket}}"){heldAt resolveBy respondedAt}}`, `{"ticket":{"heldAt":null,"resolveBy":"2026-03-10T09:00:00Z","respondedAt":null}}`),
		harness.Asks("resolved", "sari", `mutation{updateTicket(id:"{{ticket}}",input:{status:resolved}){resolvedAt}}`, `{"updateTicket":{"resolvedAt":"2026-03-10T06:00:00Z"}}`),
		hold("a resolved one", "andini", "", refusal("holdTicket", "CONFLICT", `{"conflict":"STATE","state":"resolved"}`)),
	})
	set := func(name, settings, want string) apitest.Scenario {
		return harness.Asks(name, "andini", `mutation{updateCompany(input:{settings:{`+settings+`}}){settings{slaHighResponseMinutes slaWeekdays slaStartMinute slaEndMinute}}}`, want)
	}
	s.Run(t, []apitest.Scenario{
		set("hours that end before they begin", "slaStartMinute:1200", refusal("updateCompany", "VALIDATION_FAILED", "{}", "settings.slaStartMinute", "/.+/")),
		set("a target of nothing", "slaHighResponseMinutes:0", refusal("updateCompany", "VALIDATION_FAILED", "{}", "settings.slaHighResponseMinutes", "/.+/")),
		set("a day twice", "slaWeekdays:[1,1]", refusal("updateCompany", "VALIDATION_FAILED", "{}", "settings.slaWeekdays", "/.+/")),
		set("around the clock", "slaHighResponseMinutes:10,slaWeekdays:[1,2,3,4,5,6,7],slaStartMinute:0,slaEndMinute:1440",
			`{"updateCompany":{"settings":{"slaHighResponseMinutes":10,"slaWeekdays":[1,2,3,4,5,6,7],"slaStartMinute":0,"slaEndMinute":1440}}}`),
		{Name: "and due at once", Path: "/ticket", Header: as("sari"),
			Body: `{"subject":"Printer","priority":"high"}`,
			Want: ticketOf("number", "{{n2}}", "priority", `"high"`,
				"createdAt", `"2026-03-10T06:00:00Z"`, "updatedAt", `"2026-03-10T06:00:00Z"`, "respondBy", `"2026-03-10T06:10:00Z"`, "resolveBy", `"2026-03-10T10:00:00Z"`)},
	})
}

// parts tests comments, internal notes, followers and files.
func parts(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTicket(t, s, "ticket", "")
	say := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createTicketComment(input:{ticketId:"{{ticket}}",`+input+`}){id text internal user{name} editedAt}}`, want)
	}
	edit := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateTicketComment(id:"{{comment}}",input:{`+input+`}){text editedAt}}`, want)
	}
	remove := func(name, who, id, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{deleteTicketComment(id:"{{`+id+`}}"){deleted}}`, want)
	}
	all := func(name, who string, texts ...string) apitest.Scenario {
		var list []string
		for _, text := range texts {
			list = append(list, `{"text":"`+text+`"}`)
		}
		return harness.Asks(name, who, `{ticket(id:"{{ticket}}"){comments{text}}}`, `{"ticket":{"comments":[`+strings.Join(list, ",")+`]}}`)
	}
	follow := func(name, field, selection, who, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{`+field+`(input:{ticketId:"{{ticket}}"}){`+selection+`}}`, want)
	}
	deleted := func(field string) string { return `{"` + field + `":{"deleted":true}}` }
	s.Run(t, []apitest.Scenario{
		saved(say("a comment", "sari", `text:" Halo\nsemua "`,
			`{"createTicketComment":{"id":"<digits>","text":"Halo\nsemua","internal":false,"user":{"name":"sari"},"editedAt":null}}`), "comment", "/data/createTicketComment/id"),
		say("of a colleague", "budi", `text:"x"`, refusal("createTicketComment", "NOT_FOUND", "{}", "ticketId", harness.Nothing)),
		say("of another company", "daeng", `text:"x"`, refusal("createTicketComment", "NOT_FOUND", "{}", "ticketId", harness.Nothing)),
		say("of what shows nothing", "sari", `text:"\u200b"`, refusal("createTicketComment", "VALIDATION_FAILED", "{}", "text", harness.Required)),
		say("of nothing", "sari", `text:" "`, refusal("createTicketComment", "VALIDATION_FAILED", "{}", "text", harness.Required)),
		say("a note of the requester", "sari", `text:"x",internal:true`, refusal("createTicketComment", "FORBIDDEN", "{}", "internal", harness.NotAllowed)),
		say("of the manager, who reads it", "ratna", `text:"Segera"`, `{"createTicketComment":{"id":"<digits>","text":"Segera","internal":false,"user":{"name":"<any>"},"editedAt":null}}`),
		saved(say("a note of the manager", "ratna", `text:"Anggaran?",internal:true`, `{"createTicketComment":{"id":"<digits>","text":"Anggaran?","internal":true,"user":{"name":"<any>"},"editedAt":null}}`),
			"note", "/data/createTicketComment/id"),
		all("the requester sees no note", "sari", `Halo\nsemua`, "Segera"),
		all("the manager does", "ratna", `Halo\nsemua`, "Segera", "Anggaran?"),
		all("the owner does", "andini", `Halo\nsemua`, "Segera", "Anggaran?"),
		remove("a note that is not seen", "sari", "note", refusal("deleteTicketComment", "NOT_FOUND", "{}")),
		edit("one's own", "sari", `text:"Hai"`, `{"updateTicketComment":{"text":"Hai","editedAt":"2026-03-10T02:00:00Z"}}`),
		edit("another's", "ratna", `text:"x"`, refusal("updateTicketComment", "FORBIDDEN", "{}")),
		remove("by the manager, who does not change the ticket", "ratna", "comment", refusal("deleteTicketComment", "FORBIDDEN", "{}")),
		remove("one's own note", "ratna", "note", deleted("deleteTicketComment")),
		remove("by the owner", "andini", "comment", deleted("deleteTicketComment")),
		all("what is left", "andini", "Segera"),

		follow("what is not seen", "followTicket", "id", "budi", refusal("followTicket", "NOT_FOUND", "{}", "ticketId", harness.Nothing)),
		follow("what one sees", "followTicket", "followers{name}", "ratna", `{"followTicket":{"followers":[{"name":"<any>"}]}}`),
		follow("no more", "unfollowTicket", "deleted", "ratna", deleted("unfollowTicket")),
		follow("what one does not see", "unfollowTicket", "deleted", "budi", refusal("unfollowTicket", "NOT_FOUND", "{}", "ticketId", harness.Nothing)),
		harness.Asks("budi follows", "andini", `mutation{updateTicket(id:"{{ticket}}",input:{followerIds:["{{budi}}"]}){id}}`, `{"updateTicket":{"id":"{{ticket}}"}}`),
		say("a follower speaks", "budi", `text:"Saya juga"`, `"<any>"`),
		say("but leaves no note", "budi", `text:"x",internal:true`, refusal("createTicketComment", "FORBIDDEN", "{}", "internal", harness.NotAllowed)),
		follow("a follower leaves", "unfollowTicket", "deleted", "budi", deleted("unfollowTicket")),
		harness.Asks("and sees it no more", "budi", `{ticket(id:"{{ticket}}"){id}}`, refusal("ticket", "NOT_FOUND", "{}")),
	})
	attachments(t, s)
}

// attachments tests the files of tickets.
func attachments(t *testing.T, s *harness.Server) {
	const document = `mutation($input:CreateTicketAttachmentInput!){createTicketAttachment(input:$input){id name contentType size url user{name}}}`
	attach := func(who string, data []byte) (body, id, code string) {
		t.Helper()
		a, err := s.AskUpload(t, who, document, map[string]any{"input": map[string]any{"ticketId": s.Vars["ticket"], "file": nil}}, "input.file", data)
		var out struct {
			Data   struct{ CreateTicketAttachment struct{ ID string } }
			Errors []struct{ Extensions harness.ProblemFacts }
		}
		if err == nil {
			err = json.Unmarshal([]byte(a.Body), &out)
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Errors) > 0 {
			code = out.Errors[0].Extensions.Code
		}
		return a.Body, out.Data.CreateTicketAttachment.ID, code
	}
	pdf := []byte("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n")
	first, id, code := attach("sari", pdf)
	if code != "" || !strings.Contains(first, `"contentType":"application/pdf"`) || !strings.Contains(first, ".pdf?X-Amz-") {
		t.Errorf("a PDF: %s", first)
	}
	if _, again, code := attach("andini", pdf); again != id || code != "" {
		t.Errorf("again: %s %s, want %s", again, code, id)
	}
	for who, want := range map[string]string{"budi": "NOT_FOUND", "daeng": "NOT_FOUND", "ratna": "FORBIDDEN"} {
		if _, _, code := attach(who, pdf); code != want {
			t.Errorf("by %s: %q, want %s", who, code, want)
		}
	}
	if _, _, code := attach("sari", []byte("#!/bin/sh\n")); code != "UNSUPPORTED_MEDIA_TYPE" {
		t.Errorf("a script: %q", code)
	}
	s.Vars["attachment"] = id
	s.Run(t, []apitest.Scenario{
		harness.Asks("removed by a colleague", "budi", `mutation{deleteTicketAttachment(id:"{{attachment}}"){deleted}}`, refusal("deleteTicketAttachment", "NOT_FOUND", "{}")),
		harness.Asks("by the manager", "ratna", `mutation{deleteTicketAttachment(id:"{{attachment}}"){deleted}}`, refusal("deleteTicketAttachment", "FORBIDDEN", "{}")),
		harness.Asks("removed", "sari", `mutation{deleteTicketAttachment(id:"{{attachment}}"){deleted}}`, `{"deleteTicketAttachment":{"deleted":true}}`),
		harness.Asks("none left", "sari", `{ticket(id:"{{ticket}}"){attachments{name}}}`, `{"ticket":{"attachments":[]}}`),
	})
	if n := s.Store.Ent.File.Query().Where(entFile.MediaType("application/pdf")).CountX(viewer.System(t.Context())); n != 0 {
		t.Errorf("%d files are left of a removed attachment", n)
	}
}

// categories tests the kinds of tickets.
func categories(t *testing.T, s *harness.Server) {
	signIn(t, s)
	create := func(name, who, title, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{createTicketCategory(input:{name:"`+title+`"}){id name}}`, want)
	}
	update := func(name, who, input, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{updateTicketCategory(id:"{{category}}",input:{`+input+`}){name}}`, want)
	}
	remove := func(name, who, want string) apitest.Scenario {
		return harness.Asks(name, who, `mutation{deleteTicketCategory(id:"{{category}}"){deleted}}`, want)
	}
	s.Run(t, []apitest.Scenario{
		saved(create("a category", "andini", "Uji", `{"createTicketCategory":{"id":"<digits>","name":"Uji"}}`), "category", "/data/createTicketCategory/id"),
		create("a name that is taken", "andini", "uJI", refusal("createTicketCategory", "VALIDATION_FAILED", "{}", "name", "/.+/")),
		create("no name", "andini", "", refusal("createTicketCategory", "VALIDATION_FAILED", "{}", "name", harness.Required)),
		create("by the manager", "ratna", "Lain", refusal("createTicketCategory", "FORBIDDEN", "{}")),
		update("another name", "andini", `name:"Uji coba"`, `{"updateTicketCategory":{"name":"Uji coba"}}`),
		update("by an employee", "sari", `name:"x"`, refusal("updateTicketCategory", "FORBIDDEN", "{}")),
		update("by another company", "daeng", `name:"x"`, refusal("updateTicketCategory", "NOT_FOUND", "{}")),
		harness.Asks("everybody sees it", "sari", `{ticketCategory(id:"{{category}}"){name} ticketCategories(first:100,where:{name:"Uji coba"}){edges{node{name}}}}`,
			`{"ticketCategory":{"name":"Uji coba"},"ticketCategories":{"edges":[{"node":{"name":"Uji coba"}}]}}`),
		harness.Asks("but another company", "daeng", `{ticketCategory(id:"{{category}}"){name}}`, refusal("ticketCategory", "NOT_FOUND", "{}")),
		saved(harness.Asks("of a ticket", "sari", `mutation{createTicket(input:{subject:"x",categoryId:"{{category}}"}){id category{name}}}`, `{"createTicket":{"id":"<digits>","category":{"name":"Uji coba"}}}`), "ticket", "/data/createTicket/id"),
		harness.Asks("another company's", "daeng", `mutation{createTicket(input:{subject:"x",categoryId:"{{category}}"}){id}}`, refusal("createTicket", "NOT_FOUND", "{}", "categoryId", harness.Nothing)),
		remove("in use", "andini", refusal("deleteTicketCategory", "CONFLICT", `{"conflict":"IN_USE","tickets":1}`)),
		harness.Asks("of none", "sari", `mutation{updateTicket(id:"{{ticket}}",input:{categoryId:null}){category{name}}}`, `{"updateTicket":{"category":null}}`),
		remove("removed", "andini", `{"deleteTicketCategory":{"deleted":true}}`),
		remove("again", "andini", refusal("deleteTicketCategory", "NOT_FOUND", "{}")),
	})
}

// alerts tests what the job tells: once, in the language of each.
func alerts(t *testing.T, s *harness.Server) {
	signIn(t, s)
	newTicket(t, s, "ticket", `,"priority":"high"`)
	s.Run(t, []apitest.Scenario{{Name: "assigned", Method: "PUT", Path: "/ticket/{{ticket}}", Header: as("andini"),
		Body: `{"assigneeId":"{{budi}}"}`,
		Want: `"<any>"`}})
	told := func() (list []string) {
		for _, m := range s.Store.Ent.Message.Query().Where(entMessage.KindHasPrefix("ticket_re")).WithUser().AllX(viewer.System(t.Context())) {
			if title := m.Edges.User.Email; title == "budi@demo.test" {
				list = append(list, m.Kind)
			}
		}
		slices.Sort(list)
		return list
	}
	want := func(kinds ...string) {
		t.Helper()
		s.Wait(t, fmt.Sprint(kinds), func() bool { return slices.Equal(told(), kinds) })
	}
	advance := func(d time.Duration) {
		t.Helper()
		s.Clock.Advance(d)
		harness.RunTickets(t, s)
	}
	advance(106 * time.Minute) // 10:46
	want("ticket_response_soon")
	advance(15 * time.Minute) // 11:01
	want("ticket_response_over", "ticket_response_soon")
	advance(3 * time.Hour) // 14:01
	want("ticket_resolution_over", "ticket_response_over", "ticket_response_soon")
}
